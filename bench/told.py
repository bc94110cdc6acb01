"""What the answers tell, without a language model: `python -m bench.told [--author D] [--stores FOLDER] [--show]`.

Asks, as answers are made, the questions of an author's memories in `train/data`, each memory in a store of its own and all of
them as one life. Of the questions that something answers: *right* where a statement is cited that does, *wrong* where something
is told and none that does is cited; of the others, how many are *answered in vain*. *Beside*: the statements that are cited and
answer nothing, per answer. Author D is dev, E is only printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_common import logs
from lattice_common.domain.recall import Query
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.evidence import Asked, GoldOf, bench_model, filled, lives
from bench.quality import recall_over


@dataclass(frozen=True, slots=True)
class Told:
    """A question, what was answered, and how many statements are cited that answer it, that did so once, and that do neither."""

    asked: Asked
    answer: str
    answered: bool
    right: int
    stale: int
    beside: int


def told_of(author: str, kind: str, stores: Path | None) -> Iterator[Told]:
    own, life = lives(author)
    model = bench_model()
    for corpus in track(own if kind == "own" else [life], f"telling and asking ({kind})", transient=True):
        with filled(corpus, model, stores) as (product, folder):
            recall, gold_of = recall_over(product, folder, meaning=True, judge=model.judge), GoldOf(product)
            for asked in corpus.asked:
                answer = recall.answer(Query(asked.text))
                cited = [gold_of(atom) for atom in product.lattice.atoms([each.atom_id for each in answer.citations])]
                right = sum(each in asked.gold for each in cited)
                stale = sum(each in asked.stale for each in cited)
                yield Told(asked, answer.answer, answer.answered, right, stale, len(cited) - right - stale)


def row(found: Sequence[Told]) -> list[str]:
    asked = [each for each in found if each.asked.answerable]
    others = [each for each in found if not each.asked.answerable]
    answered = [each for each in asked if each.answered]
    shares = (
        sum(each.right > 0 for each in answered) / max(len(asked), 1),
        sum(not each.right for each in answered) / max(len(asked), 1),
        sum(each.answered for each in others) / max(len(others), 1),
    )
    beside = sum(each.beside for each in answered) / max(len(answered), 1)
    return [str(len(asked)), *(f"{each:.1%}" for each in shares), f"{beside:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--author", default="E")
    parser.add_argument("--only", choices=("own", "life"), action="append")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here for the next time")
    parser.add_argument("--show", action="store_true", help="print what is wrong, refused, or answered in vain")
    given = parser.parse_args()
    logs.configure("error", json=None)
    console = Console(width=140)
    table = Table(
        "memory", "questions", "right", "wrong", "answered in vain", "beside", title=f"What answers tell, author {given.author}"
    )
    for kind in given.only or ("own", "life"):
        found = list(told_of(given.author, kind, given.stores))
        table.add_row(kind, *row(found))
        if given.show:
            for each in found:
                if not each.right and (each.asked.answerable or each.answered):
                    console.print(f"{each.asked.kind}: {each.asked.text}\n    {each.answer}", markup=False)
    console.print(table)


if __name__ == "__main__":
    main()
