"""Questions that several statements answer together: `python -m bench.several [--only dev|held-out] [--stores FOLDER] [--show]`.

Totals, counts, lists, questions of several parts and spans between two events, on two authored lives in `bench/several`, each
alone and among the notes of `bench/notes`: *dev* was looked at while the rules were written, *held-out* is only printed. Asked as
answers are made, without a language model. *found*: the share of what answers that is among the first ten; *cited*: the share
of it that the answer cites; *right*: the answer says all that it must, and nothing that it must not.
`none` are questions that nothing answers, or that ask for no reckoning. `--show` prints the answers that are not right (dev
only)."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lattice_common import logs
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Model
from lattice_common.domain.recall import Query
from rich.console import Console
from rich.table import Table

from bench.evidence import Corpus, GoldOf, bench_model, evidence_recall, filled, notes
from bench.quality import recall_over

FOLDER = Path(__file__).parent / "several"
HALVES = ("dev", "held-out")
KINDS = ("total", "count", "list", "parts", "span", "none")
KEY = "several/"
"""Begins the source ids of what was told of a life, beside the notes."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`found` and `cited`: shares of what answers; None where nothing does."""

    where: str
    kind: str
    question: str
    answer: str
    found: float | None
    cited: float | None
    right: bool


def corpora(half: str) -> Iterator[tuple[Corpus, list[dict[str, Any]]]]:
    content = json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8"))
    told = tuple(
        IngestRequest(
            text=each["text"],
            priority="bulk",
            metadata=CaptureMetadata(source_id=KEY + each["id"], observed_at=f"{each['date']}T18:00:00Z"),
        )
        for each in content["statements"]
    )
    yield Corpus(f"several-{half}", told, ()), content["questions"]
    yield Corpus(f"several-{half}-among-notes", (*notes().told, *told), ()), content["questions"]


def measured(corpus: Corpus, questions: Sequence[dict[str, Any]], model: Model, stores: Path | None) -> Iterator[Outcome]:
    with filled(corpus, model, stores) as (product, folder):
        recall, gold_of = recall_over(product, folder, meaning=True, judge=model.judge), GoldOf(product)
        for each in questions:
            gold = frozenset(KEY + one for one in each["gold"])
            selected = recall.select(Query(each["q"], limit=10)).atoms
            answer = recall.answer(Query(each["q"]))
            cited = [gold_of(atom) for atom in product.lattice.atoms([one.atom_id for one in answer.citations])]
            said = all(words in answer.answer for words in each.get("says", ()))
            right = said and not any(words in answer.answer for words in each.get("never", ()))
            if gold and not each.get("says"):
                right = right and gold <= set(cited)
            yield Outcome(
                corpus.name,
                each["kind"],
                each["q"],
                answer.answer,
                evidence_recall([gold_of(one.atom) for one in selected], gold, 10) if gold else None,
                evidence_recall(cited, gold, len(cited)) if gold else None,
                right,
            )


def row(name: str, kind: str, outcomes: Sequence[Outcome]) -> list[str]:
    def mean(values: Sequence[float | None]) -> str:
        known = [each for each in values if each is not None]
        return f"{100 * statistics.fmean(known):.0f}" if known else ""

    right = sum(each.right for each in outcomes)
    shares = [mean([each.found for each in outcomes]), mean([each.cited for each in outcomes])]
    return [name, kind, str(len(outcomes)), *shares, f"{right} of {len(outcomes)}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=HALVES, action="append")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here for the next time")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    logs.configure("error", json=None)
    model = bench_model()
    shown = Table("memory", "asked for", "", "found, %", "cited, %", "right", title="several things at once")
    console = Console(width=140)
    for half in args.only or HALVES:
        for corpus, questions in corpora(half):
            outcomes = list(measured(corpus, questions, model, args.stores))
            for kind in KINDS:
                shown.add_row(corpus.name, kind, *row("", kind, [each for each in outcomes if each.kind == kind])[2:])
            shown.add_row(*row(corpus.name, "all", outcomes), end_section=True)
            for each in outcomes:
                if args.show and half == "dev" and not each.right:
                    console.print(f"\n[{each.where}] {each.question}\n{each.answer}", markup=False)
    console.print(shown)


if __name__ == "__main__":
    main()
