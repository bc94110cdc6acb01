"""Fits how sure recall is (`recall/confidence.py`) and the floor below which it says that it does not know; part of
`bench.fit_weights`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from lattice_common.domain.score import Weights
from lattice_common.recall.confidence import SIGNS, confidence, signs
from lattice_common.recall.question import Search

from bench.evidence import FEW, Asked

Floats = npt.NDArray[np.float64]

FREE_SIGNS = ("talk",)
"""Signs that may count either way: of the others all but `AGAINST` say that something was found."""
AGAINST = ("absent", "lacks")
LEAST_SIGN = {"literal": 1.5}
"""What these count at least: a rare word found as it stands answers, though few questions here are asked so."""
FLOOR_KEEPS = 0.965
"""Share of answerable questions of the dev half that stay above the floor, so that of others 95 in 100 do."""
KINDS = ("LoCoMo", "notes", "few")


def kind_of(corpus: str) -> str:
    """Which of `KINDS` a corpus is."""
    return "few" if corpus.startswith(FEW) else "notes" if corpus == "notes" else "LoCoMo"


def fit_confidence(sure: Sequence[tuple[str, Asked]], searches: Sequence[Search], weights: Weights) -> Weights:
    """The weights with `confidence` and `floor`; `sure` holds each search's corpus and question. Prints what they do."""
    seen = [signs(search, weights) for search in searches]
    of_train = [at for at, (_, asked) in enumerate(sure) if asked.half != "held-out"]
    sureness = _logistic([sure[at] for at in of_train], [seen[at] for at in of_train])
    fitted = replace(weights, confidence=sureness)
    answerable = np.array([asked.answerable for _, asked in sure])
    of = {
        " ".join((kind, half)).strip(): np.array([kind_of(corpus) == kind and asked.half == half for corpus, asked in sure])
        for kind in KINDS
        for half in (("",) if kind == "LoCoMo" else ("dev", "held-out"))
    }
    confident = np.array([confidence(search, fitted) for search in searches])
    # Where nothing was found (a paraphrase, without meaning) there is nothing to answer with, whatever the floor.
    counted = answerable & np.array([bool(search.chosen) for search in searches])
    lowest = {name: float(np.quantile(confident[those & counted], 1 - FLOOR_KEEPS)) for name, those in of.items()}
    # One floor for all: talk is moved until as many of its answerable questions stay above it as of the notes'.
    sureness["talk"] += _logit(lowest["notes dev"]) - _logit(lowest["LoCoMo"])
    # Downwards: many questions without a sign for or against lie on it, and rounding must not refuse them all.
    fitted = replace(weights, confidence=sureness, floor=math.floor(lowest["notes dev"] * 1000 - 1) / 1000)
    confident = np.array([confidence(search, fitted) for search in searches])
    print({name: round(value, 3) for name, value in sureness.items()})
    for name, those in of.items():
        below = confident < fitted.floor
        print(
            f"{name}: AUC {_auc(confident[those], answerable[those]):.3f}; the floor {fitted.floor:.3f} refuses "
            f"{below[those & counted].mean():.3f} of the answerable, {below[those & ~answerable].mean():.3f} of the others; "
            f"nothing found for {1 - counted[those & answerable].mean():.3f}"
        )
    return fitted


def _logistic(sure: Sequence[tuple[str, Asked]], seen: Sequence[dict[str, float]]) -> dict[str, float]:
    """Logistic regression of "is answerable" on the signs; each kind of corpus, and both outcomes, weigh the same in all."""
    rows = np.array([[1.0, *(each.get(name, 0.0) for name in SIGNS)] for each in seen])
    truth = np.array([float(asked.answerable) for _, asked in sure])
    group = np.array([2 * KINDS.index(kind_of(corpus)) + asked.answerable for corpus, asked in sure])
    weight = 1.0 / np.bincount(group, minlength=2 * len(KINDS))[group]
    weight *= len(weight) / weight.sum()
    least = np.array([-np.inf if name in FREE_SIGNS + AGAINST else LEAST_SIGN.get(name, 0.0) for name in SIGNS])
    most = np.array([0.0 if name in AGAINST else np.inf for name in SIGNS])
    found = np.zeros(rows.shape[1])
    for _ in range(30):  # Newton's method: it has converged long before
        chance = 1.0 / (1.0 + np.exp(-rows @ found))
        gradient = rows.T @ (weight * (truth - chance)) - 0.5 * found
        curvature = (rows * (weight * chance * (1 - chance))[:, None]).T @ rows + 0.5 * np.eye(len(found))
        found += np.linalg.solve(curvature, gradient)
        found[1:] = np.clip(found[1:], least, most)
    return dict(zip(("intercept", *SIGNS), found.tolist(), strict=True))


def _logit(chance: float) -> float:
    return math.log(chance / (1 - chance))


def _auc(confident: Floats, truth: npt.NDArray[np.bool_]) -> float:
    """The chance that an answerable question is more confident than an unanswerable one."""
    yes, no = confident[truth], confident[~truth]
    return float(((yes[:, None] > no).mean() + (yes[:, None] >= no).mean()) / 2)
