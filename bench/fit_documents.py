"""Fits which line of a document answers a question (`recall/document_lines.py`).

    python -m bench.fit_documents [--write] [--stores FOLDER] [--samples FILE]

Fitted on the documents of the halves `dev` of `bench/passages`, `bench/made`, `bench/papers`, `bench/kept`, `bench/drawer`,
`bench/desk` and `bench/binder`, each set in a memory of its own: their own questions, and the 207 of `fit` that were asked about
the same documents in other words, with the 67 of `fit-none` that nothing answers. What reads the lines (`train.answers`) has
seen none of them.
One of a question's lines is what answers, or none of them is, which is one softmax; where several lines hold the value any of
them will do. Prints, by boundary, what comes of it on the sets that were not fitted to.
Nothing is fitted to the halves `held`, which `python -m bench.made` and `python -m bench.passages` measure.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from lattice_common import logs
from lattice_common.composition import Embedded, load_model, open_embedded
from lattice_common.domain.recall import Query
from lattice_common.recall.document_lines import FEATURES, answering, compare
from lattice_common.recall.passages import heads_of, silent
from lattice_common.settings import Settings

from bench import made, passages
from bench.fitting import arguments, beside_recall, kept

FILE = "document_lines.json"
Floats = npt.NDArray[np.float64]

SETS = ("passages", "made", "papers", "kept", "drawer", "desk", "binder", "hall")
L2 = 4.0
"""On standardised features; at 1 the same."""
STEPS, RATE = 3_000, 0.05
TRIED = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
BOUNDARY = 0.45


@dataclass(frozen=True, slots=True)
class Sample:
    """The lines that were read for one question: their features, and which hold the fact. `asked` has an answer."""

    group: str
    question: str
    asked: bool
    rows: list[list[float]]
    gold: list[bool]
    documents: list[str]
    """The capture that each is of."""


def samples(stores: Path) -> Iterator[Sample]:
    """Every question of the halves `dev`, through the product; stores that are in the folder already are taken as they are."""
    model = load_model(Settings())
    for name in SETS:
        folder = stores / name
        fresh = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        with open_embedded(Settings(data_dir=folder), model=model) as store:
            store.start()
            if fresh:
                _fill(name, store)
            yield from _asked(name, store)


def _fill(name: str, store: Embedded) -> None:
    if name == "passages":
        passages.fill(store, list(passages.documents("dev")), ())
    else:
        made.fill(store, Path(__file__).parent / name)


def _asked(name: str, store: Embedded) -> Iterator[Sample]:
    asked = json.loads((Path(__file__).parent / name / "questions.json").read_text(encoding="utf-8"))
    for key in ("dev", "fit", "dev-none", "fit-none"):
        for each in asked.get(key, ()):
            question = each if isinstance(each, str) else each[0]
            facts: list[str] = [] if isinstance(each, str) else each[-1] if isinstance(each[-1], list) else [each[-1]]
            sample = _sample(name, store, question, facts)
            if sample is not None:
                yield sample


def _sample(group: str, store: Embedded, question: str, facts: Sequence[str]) -> Sample | None:
    recall = store.lattice._recall
    selection, search, _ = recall._select(Query(question), judged=True)
    heads = heads_of(selection.atoms, recall._passages) if recall._passages is not None else {}
    compared = compare(search, selection.atoms, silent(search, selection.atoms, heads), heads)
    if compared is None:
        return None
    gold = [bool(facts) and made.holds([words], facts) for _, words in compared.lines]
    documents = [selected.atom.capture_id for selected, _ in compared.lines]
    return Sample(group, question, bool(facts), compared.rows.tolist(), gold, documents)


def fitted(given: Sequence[Sample]) -> tuple[Floats, float]:
    """Return the weights and the bias of a conditional logistic regression with "none of them" at 0 (Adam)."""
    rows = np.concatenate([np.array(each.rows) for each in given])
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    most = max(len(each.rows) for each in given)
    table = np.zeros((len(given), most, len(FEATURES) + 1))
    there, gold = np.zeros((len(given), most)), np.zeros((len(given), most + 1))
    for at, each in enumerate(given):
        count = len(each.rows)
        table[at, :count, :-1], table[at, :count, -1] = (np.array(each.rows) - mean) / spread, 1.0
        there[at, :count], gold[at, :count] = 1.0, each.gold
        gold[at, most] = float(not any(each.gold))
    weights, first, second = (np.zeros(len(FEATURES) + 1) for _ in range(3))
    penalty = np.array([L2] * len(FEATURES) + [0.0])
    for step in range(1, STEPS + 1):
        odds = np.column_stack([np.exp(np.clip(table @ weights, -30, 30)) * there, np.ones(len(given))])
        chances = odds / odds.sum(axis=1, keepdims=True)
        right = chances * gold
        wanted = right / (right.sum(axis=1, keepdims=True) + 1e-12)
        slope = np.einsum("qcf,qc->f", table, (chances - wanted)[:, :most]) + penalty * weights
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
    return weights[:-1] / spread, float(weights[-1] - weights[:-1] @ (mean / spread))


def chances_of(sample: Sample, weights: Floats, bias: float) -> list[float]:
    """Return the chance of each line."""
    odds = np.exp(np.clip(np.array(sample.rows) @ weights + bias, -30, 30))
    chances: list[float] = (odds / (1 + odds.sum())).tolist()
    return chances


def fit(given: Sequence[Sample]) -> dict[str, Any]:
    """Return what `document_lines.json` holds; prints what comes of each boundary on sets that were not seen."""
    found: list[tuple[Sample, list[float]]] = []
    for name in SETS:
        weights, bias = fitted([each for each in given if each.group != name])
        found += [(each, chances_of(each, weights, bias)) for each in given if each.group == name]
    for tried in TRIED:
        print(f"from {tried}: {_outcome(found, tried)}")
    weights, bias = fitted(given)
    named = {name: round(float(weight), 4) for name, weight in zip(FEATURES, weights, strict=True)}
    return {"weights": named, "bias": round(bias, 4), "boundary": BOUNDARY}


def _outcome(found: Sequence[tuple[Sample, list[float]]], boundary: float) -> str:
    right = wrong = vain = either = 0
    for sample, chances in found:
        told = answering(chances, sample.documents, boundary)
        held = any(sample.gold[at] for at in told)
        right, wrong = right + (sample.asked and held), wrong + (sample.asked and bool(told) and not held)
        vain, either = vain + (not sample.asked and bool(told)), either + (len(told) > 1)
    asked = sum(sample.asked for sample, _ in found)
    share = f"{right / asked:.1%} right, {wrong / asked:.1%} wrong, {either} by either of two lines"
    return f"{share}, {vain} of {len(found) - asked} answered though nothing answers"


def main() -> None:
    args = arguments(__doc__, FILE)
    logs.configure("error", json=None)
    with tempfile.TemporaryDirectory() as folder:
        given = kept(args.samples, lambda fields: Sample(**fields), lambda: samples(args.stores or Path(folder)))
    content = {"comment": "Made by bench/fit_documents.py from the halves `dev` of seven sets of documents.", **fit(given)}
    if args.write:
        path = beside_recall(FILE)
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
