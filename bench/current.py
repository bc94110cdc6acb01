"""Whether what no longer holds stands among the first:

    python -m bench.current [--author D] [--only own|life] [--stores FOLDER] [--show]

Asks, through the product, the questions of an author's memories in `train/data` that name statements which no longer hold
(`stale`), each memory in a store of its own and all of them as one life. An outdated statement *stands* where one of its atoms is
among the first five; *unmarked*: it is neither shown as superseded nor as perhaps outdated by a newer one; *ahead*: it stands
above all that answers. Questions about how it was are counted apart: they need both. Author D is dev, E is only printed.
Each is asked as a list is selected, and as answers are made, where the judge reads. `--show` lists what stands then.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_common import logs
from lattice_common.composition import Model
from lattice_common.domain.recall import Query, Selected
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.evidence import Asked, Corpus, GoldOf, bench_model, evidence_recall, filled, lives
from bench.quality import recall_over

FIRST = 5
HISTORY = "history"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question with the statements that its first ten atoms come from, best first, and whether each is marked."""

    where: str
    judged: bool
    asked: Asked
    found: tuple[str | None, ...]
    marked: tuple[bool, ...]
    texts: tuple[str, ...]

    def stale_places(self) -> list[int]:
        return [place for place, each in enumerate(self.found[:FIRST]) if each in self.asked.stale]

    @property
    def stands(self) -> bool:
        return bool(self.stale_places())

    @property
    def unmarked(self) -> bool:
        return any(not self.marked[place] for place in self.stale_places())

    @property
    def ahead(self) -> bool:
        first = next((place for place, each in enumerate(self.found) if each in self.asked.gold), len(self.found))
        return any(place < first for place in self.stale_places())


def asked_of(where: str, corpus: Corpus, model: Model, stores: Path | None) -> list[Outcome]:
    outcomes = []
    with filled(corpus, model, stores) as (product, folder):
        recall, gold_of = recall_over(product, folder, meaning=True, judge=model.judge), GoldOf(product)
        for asked, judged in ((each, judged) for each in corpus.asked if each.gold for judged in (False, True)):
            chosen = recall.select(Query(asked.text, limit=10, judged=judged)).atoms
            outcomes.append(
                Outcome(
                    where,
                    judged,
                    asked,
                    tuple(gold_of(each.atom) for each in chosen),
                    tuple(map(_marked, chosen)),
                    tuple(each.atom.content for each in chosen),
                )
            )
    return outcomes


def _marked(selected: Selected) -> bool:
    return selected.atom.is_superseded or selected.outdated_by is not None


def row(name: str, outcomes: Sequence[Outcome]) -> list[str]:
    def share(values: Sequence[float]) -> str:
        return f"{100 * sum(values) / len(values):.1f}" if values else ""

    def recall(k: int) -> str:
        return share([evidence_recall(each.found, each.asked.gold, k) for each in outcomes])

    stale = [each for each in outcomes if each.asked.stale]
    counted = [[getattr(each, way) for each in stale] for way in ("stands", "unmarked", "ahead")]
    return [name, str(len(stale)), *map(share, counted), str(len(outcomes)), " / ".join(map(recall, (1, 5, 10)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--author", default="D")
    parser.add_argument("--only", choices=("own", "life"), help="only these")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here for the next time")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    logs.configure("error", json=None)
    model = bench_model()
    own, life = lives(args.author)
    outcomes: list[Outcome] = []
    corpora = [(where, each) for where, each in (*(("own", each) for each in own), ("life", life)) if args.only in (None, where)]
    for where, corpus in track(corpora, "telling and asking", transient=True):
        outcomes += asked_of(where, corpus, model, args.stores)
    columns = ("memory", "with stale", "stands, %", "unmarked", "ahead", "questions", "recall@1 / @5 / @10")
    shown = Table(*columns, title=f"what no longer holds among the first {FIRST}, author {args.author}")
    for where in ("own", "life"):
        for history, judged in ((False, False), (False, True), (True, False), (True, True)):
            members = [
                each for each in outcomes if (each.where, each.judged, each.asked.kind == HISTORY) == (where, judged, history)
            ]
            if members:
                shown.add_row(*row(f"{where}, {'before' if history else 'now'}{', judged' if judged else ''}", members))
    console = Console(width=140)
    console.print(shown)
    if args.show:
        for each in outcomes:
            if each.stands and each.judged and each.asked.kind != HISTORY:
                console.print(f"\n{each.where}: {each.asked.text}", markup=False)
                for place, (found, text) in enumerate(zip(each.found[:FIRST], each.texts, strict=False)):
                    mark = "stale" if found in each.asked.stale else "gold" if found in each.asked.gold else ""
                    console.print(f"  {mark:>6} {'marked' if each.marked[place] else '':>7} {text[:110]}", markup=False)


if __name__ == "__main__":
    main()
