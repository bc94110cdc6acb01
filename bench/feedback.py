"""What an owner's verdicts do to what is found, by the weight of `quality`.

    python -m bench.feedback [--stores FOLDER]

Questions about a person's notes (`bench/notes`), of which one half is judged: an answer cites what stands first, and gets a thumb
up where that is right, and down where it is wrong, three times over, as the product counts it (`upkeep.judged`). Then both halves
are asked again. A weight is good when what was judged is found sooner, and what was not judged is not found later: verdicts on
one question must not decide another. At 1.5, which recall uses, what was judged is first more often (71.7 instead of 69.2 % of
some 200 questions), and what was not as often as before (69.2 %); from 2 on other questions lose first places. Among the first
five the 0.05 by which what is shown beside a right answer goes down costs two or three questions of each half (2026-11-26).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from lattice_common import logs
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.domain.recall import Query
from lattice_common.recall.pipeline import Recall, RecallOptions
from lattice_common.recall.score import SIGNALS, signals
from lattice_common.recall.weights import load_weights
from lattice_common.upkeep.feedback import HIGHEST, IGNORED, LOWEST, STEPS
from lattice_common.upkeep.usage import LOOKED_AT
from rich.console import Console
from rich.table import Table

from bench.evidence import GoldOf, bench_model, filled, notes

Floats = npt.NDArray[np.float64]

WEIGHTS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Example:
    """One question: its candidates' rows, the sum of all signals but quality, and which of them are gold."""

    half: str
    rows: npt.NDArray[np.int64]
    scores: Floats
    gold: npt.NDArray[np.bool_]

    def ranked(self, quality: Floats, weight: float) -> npt.NDArray[np.int64]:
        """Places of the candidates, best first."""
        return np.lexsort((-self.rows, -(self.scores + weight * (quality[self.rows] - 1.0))))


def examples(stores: Path | None) -> tuple[list[Example], int]:
    """Every answerable question about the notes, and how many rows there are."""
    weights = load_weights()
    found: list[Example] = []
    with filled(notes(), bench_model(), stores) as (product, folder):
        parts = product.stores
        recall = Recall(
            parts.catalogue, parts.lexical, parts.dense, parts.embedder, EmbeddedGraph(folder), SystemClock(), RecallOptions(),
            weights,
        )  # fmt: skip
        gold_of = GoldOf(product)
        ids = {atom.atom_id: gold_of(atom) for atom in parts.catalogue.all()}
        counted = np.array([weights.signals.get(name, 0.0) if name != "quality" else 0.0 for name in SIGNALS])
        for asked in notes().asked:
            if not asked.answerable:
                continue
            search = recall.search(Query(asked.text, limit=20), until="expand")
            rows = np.asarray(search.candidates.rows, dtype=np.int64)
            gold = np.array([ids[search.columns.atom_ids[row]] in asked.gold for row in rows], dtype=bool)
            found.append(Example(asked.half, rows, signals(search, weights) @ counted, gold))
        return found, parts.catalogue.columns().count


def judged(chosen: Sequence[Example], weight: float, count: int) -> Floats:
    """The quality of each row after the owner judged the answers to some questions."""
    quality = np.ones(count)
    for _ in range(ROUNDS):
        for example in chosen:
            order = example.ranked(quality, weight)
            if not len(order):
                continue
            right = bool(example.gold[order[0]])
            quality[example.rows[order[0]]] += STEPS["up"] if right else STEPS["down"]
            if right:
                quality[example.rows[order[1:LOOKED_AT]]] += IGNORED
            np.clip(quality, LOWEST, HIGHEST, out=quality)
    return quality


def found_first(chosen: Sequence[Example], quality: Floats, weight: float, k: int) -> float:
    """The share of questions, in percent, that have gold among their first `k`."""
    hits = [bool(each.gold[each.ranked(quality, weight)[:k]].any()) for each in chosen]
    return 100.0 * float(np.mean(hits))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", type=Path, default=None)
    logs.configure("error", json=None)
    every, count = examples(parser.parse_args().stores)
    table = Table(title="gold among the first 1 and 5, in percent, after verdicts on one half")
    for name in ("weight", "judged @1", "judged @5", "other half @1", "other half @5"):
        table.add_column(name, justify="right")
    halves = sorted({each.half for each in every})
    for weight in WEIGHTS:
        sums = np.zeros(4)
        for half in halves:
            mine = [each for each in every if each.half == half]
            others = [each for each in every if each.half != half]
            quality = judged(mine, weight, count)
            sums += [found_first(of, quality, weight, k) for of in (mine, others) for k in (1, 5)]
        table.add_row(f"{weight:g}", *(f"{each:.1f}" for each in sums / len(halves)))
    Console().print(table)


if __name__ == "__main__":
    main()
