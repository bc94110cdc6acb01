"""Fits which of the best statements no longer holds beside a newer one (`recall/latest.py`).

    python -m bench.fit_latest [--write] [--stores FOLDER] [--samples FILE]

Fitted on the memories of `train/data` on which the judge was tuned and not trained, each in a store of its own and all of an
author's in one: a pair counts where a question's answer (`gold`) is the newer one and what no longer holds (`stale`) the older.
Prints, by boundary and for memories that each fold of five has not seen, how many outdated statements would stand behind the
first five, and how many that answer. `--samples` keeps what was compared for each question. What comes of it through the product,
on another author, is `bench.current`'s to say.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from lattice_common import logs
from lattice_common.domain.recall import Query
from lattice_common.recall.latest import FEATURES, compare
from lattice_common.recall.pipeline import Recall
from rich.progress import track

from bench.evidence import Asked, GoldOf, bench_model, filled, lives
from bench.fitting import arguments, beside_recall, kept
from bench.quality import recall_over

FILE = "latest.json"
Floats = npt.NDArray[np.float64]

AUTHORS = ("D", "I")
HISTORY = "history"
FOLDS = 5
L2 = 3.0
"""On standardised features; at 1 and 10 as many go behind, and more answers with them."""
STEPS = 30
TRIED = (0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7)
HARM = 0.02
"""Share of the questions that may lose an answer from the first five: the boundary is the lowest that does not take more, on
memories that were not fitted to."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was compared for one question: pairs of places, their features, and which places hold what answers and what no longer
    holds. `group`: the memory, which is held out as a whole."""

    kind: str
    group: str
    question: str
    pairs: list[list[int]]
    rows: list[list[float]]
    gold: list[int]
    stale: list[int]


def samples(stores: Path | None) -> Iterator[Sample]:
    """Every question that has an answer and does not ask how it was, through the product."""
    model = bench_model()
    told = [(author, *lives(author)) for author in AUTHORS]
    corpora = [
        (author, corpus, kind)
        for author, own, life in told
        for corpus, kind in (*((each, "own") for each in own), (life, "life"))
    ]
    for author, corpus, kind in track(corpora, "telling and asking"):
        with filled(corpus, model, stores) as (product, folder):
            recall, gold_of = recall_over(product, folder, meaning=True, judge=model.judge), GoldOf(product)
            for asked in corpus.asked:
                if asked.gold and asked.kind != HISTORY and (found := _sample(recall, gold_of, asked, kind, corpus.name)):
                    yield replace(found, group=f"{author}/{found.group}")


def _sample(recall: Recall, gold_of: GoldOf, asked: Asked, kind: str, store: str) -> Sample | None:
    search = recall.search(Query(asked.text, limit=10), until="diversify", judged=True)
    compared = None if search.question.history else compare(search)
    if compared is None:
        return None
    golds = [gold_of(each.atom) for each in compared.near]
    group = next((each.partition("/")[0] for each in sorted(asked.gold) if "/" in each), store)
    olders = {older for older, _ in compared.pairs}  # one that was doubted when it was told is behind already
    gold = [at for at, each in enumerate(golds) if each in asked.gold]
    stale = [at for at, each in enumerate(golds) if each in asked.stale and at in olders]
    return Sample(kind, group, asked.text, [list(pair) for pair in compared.pairs], compared.rows.tolist(), gold, stale)


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of all samples: features, truth, and the number of the sample of each."""

    rows: Floats
    truth: Floats
    sample: npt.NDArray[np.int64]

    def of(self, chosen: npt.NDArray[np.bool_]) -> Pairs:
        """Return those of the samples that are chosen."""
        kept = chosen[self.sample]
        return Pairs(self.rows[kept], self.truth[kept], self.sample[kept])


def pairs_of(given: Sequence[Sample]) -> Pairs:
    rows = np.concatenate([np.array(each.rows) for each in given])
    truth = [float(older in each.stale and newer in each.gold) for each in given for older, newer in each.pairs]
    sample = [at for at, each in enumerate(given) for _ in each.pairs]
    return Pairs(rows, np.array(truth), np.array(sample))


def fitted(pairs: Pairs) -> tuple[Floats, float]:
    """Return the weights and the bias of a regularised logistic regression (Newton's method)."""
    mean, spread = pairs.rows.mean(axis=0), pairs.rows.std(axis=0) + 1e-9
    rows = np.column_stack([(pairs.rows - mean) / spread, np.ones(len(pairs.rows))])
    weights = np.zeros(rows.shape[1])
    penalty = np.array([L2] * (rows.shape[1] - 1) + [0.0])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-rows @ weights))
        curvature = rows.T @ (rows * (chances * (1 - chances))[:, None]) + np.diag(penalty)
        weights -= np.linalg.solve(curvature, rows.T @ (chances - pairs.truth) + penalty * weights)
    return weights[:-1] / spread, float(weights[-1] - weights[:-1] @ (mean / spread))


def effect(given: Sequence[Sample], chances: Floats, pairs: Pairs, boundary: float) -> tuple[float, float]:
    """Return the share of the outdated statements among the best that go behind, and of the questions of which an answer does."""
    gone: dict[int, set[int]] = {}
    for at, chance, (older, _) in zip(pairs.sample, chances, (pair for each in given for pair in each.pairs), strict=True):
        if chance >= boundary:
            gone.setdefault(int(at), set()).add(older)
    stale = sum(len(each.stale) for each in given)
    outdated = sum(len(behind.intersection(given[at].stale)) for at, behind in gone.items())
    lost = sum(not behind.isdisjoint(given[at].gold) for at, behind in gone.items())
    return outdated / max(stale, 1), lost / len(given)


def fit(given: Sequence[Sample]) -> dict[str, Any]:
    """Return what `latest.json` holds; prints what comes of each boundary on memories that were not seen."""
    pairs = pairs_of(given)
    fold = np.array([zlib.crc32(each.group.encode()) % FOLDS for each in given])
    chances = np.zeros(len(pairs.truth))
    for at in range(FOLDS):
        weights, bias = fitted(pairs.of(fold != at))
        held = fold[pairs.sample] == at
        chances[held] = 1 / (1 + np.exp(-(pairs.rows[held] @ weights + bias)))
    boundary = max(TRIED)
    for tried in sorted(TRIED, reverse=True):
        outdated, lost = effect(given, chances, pairs, tried)
        of_questions = f"{lost:.1%} of {len(given)} questions"
        print(f"from {tried}: {outdated:.1%} of what no longer holds goes behind, and an answer to {of_questions}")
        boundary = tried if lost <= HARM else boundary
    weights, bias = fitted(pairs)
    named = {name: round(float(weight), 4) for name, weight in zip(FEATURES, weights, strict=True)}
    return {"weights": named, "bias": round(bias, 4), "boundary": boundary}


def main() -> None:
    args = arguments(__doc__, FILE)
    logs.configure("error", json=None)
    given = kept(args.samples, lambda fields: Sample(**fields), lambda: samples(args.stores))
    content = {"comment": f"Made by bench/fit_latest.py from the memories {', '.join(AUTHORS)} of train/data.", **fit(given)}
    if args.write:
        path = beside_recall(FILE)
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
