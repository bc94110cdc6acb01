"""Whether Lattice knows what it does not know: `python -m bench.answerable [--stores FOLDER] [--only own|life|few|notes]`.

Asks, through the product and as answers are made, what nothing here was fitted to: the memories E of `train/data`, each in a
store of its own and all of them as one life, whose unanswerable questions are near misses; and the held-out halves of
`tests/data/abstention` and `bench/notes`. F1 is that of "I don't know" among unanswerable questions.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_common import logs
from lattice_common.domain.recall import Query
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.evidence import NEAR_MISS, Asked, Corpus, bench_model, filled, lives, memories, notes
from bench.quality import recall_over

AUTHOR = "E"
KINDS = ("own", "life", "few", "notes")
NAMED = {
    "own": "a memory of some twenty statements",
    "life": "all of them in one store",
    "few": "three to sixty statements",
    "notes": "a year and a half of notes",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question, and whether it was answered, with the judge and, as a list is selected, without."""

    kind: str
    asked: Asked
    answered: bool
    selected: bool


def corpora(kinds: Sequence[str]) -> list[tuple[str, Corpus]]:
    own, life = lives(AUTHOR)
    every = [*(("own", each) for each in own), ("life", life), *(("few", each) for each in memories()), ("notes", notes())]
    return [(kind, corpus) for kind, corpus in every if kind in kinds]


def row(outcomes: Sequence[Outcome], refused: Sequence[bool]) -> list[str]:
    """Of one way: what is refused of both sorts of questions, and the F1 of refusing."""
    pairs = [(each.asked, no) for each, no in zip(outcomes, refused, strict=True)]
    wrongly = [no for asked, no in pairs if asked.answerable]
    rightly = [no for asked, no in pairs if not asked.answerable]
    near = [no for asked, no in pairs if asked.kind == NEAR_MISS]
    f1 = 2 * sum(rightly) / max(2 * sum(rightly) + sum(wrongly) + len(rightly) - sum(rightly), 1)
    shares = [f"{sum(each) / len(each):.1%}" if each else "" for each in (wrongly, rightly, near)]
    return [str(len(wrongly)), str(len(rightly)), *shares, f"{f1:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", type=Path, help="keep the filled stores here for the next time")
    parser.add_argument("--only", choices=KINDS, action="append", help="only these")
    args = parser.parse_args()
    logs.configure("error", json=None)
    model = bench_model()
    outcomes: list[Outcome] = []
    for kind, corpus in track(corpora(args.only or KINDS), "telling and asking", transient=True):
        with filled(corpus, model, args.stores) as (product, folder):
            recall = recall_over(product, folder, meaning=True, judge=model.judge)
            for asked in corpus.asked:
                if kind in ("few", "notes") and asked.half != "held-out":
                    continue
                answered = recall.answer(Query(asked.text)).answered
                outcomes.append(Outcome(kind, asked, answered, recall.select(Query(asked.text)).answerable))
    shown = Table("memory", "", "answerable", "not", "refused wrongly", "rightly", "of near misses", "F1", title="I don't know")
    for kind in args.only or KINDS:
        members = [each for each in outcomes if each.kind == kind]
        shown.add_row(NAMED[kind], "answer", *row(members, [not each.answered for each in members]))
        shown.add_row("", "select", *row(members, [not each.selected for each in members]), end_section=True)
    Console(width=140).print(shown)


if __name__ == "__main__":
    main()
