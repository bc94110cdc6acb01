"""The arithmetic of a score: pure, vectorised, no storage.

Scores of different searches cannot be compared directly (BM25 has no upper bound, cosines of one model are close together), so
each is normalised over the candidates of one question before it is weighted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lattice_common.domain.trees import Trees

Values: TypeAlias = npt.NDArray[np.float64]

SECONDS_PER_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Sureness:
    """What decides whether something known answers a question (`recall.answerable`): trees that use the judge's verdict on the
    best statements, and others that do not. `…_floor` is the sum of their leaves below which nothing answers it."""

    judged: Trees
    judged_floor: float
    unjudged: Trees
    unjudged_floor: float


@dataclass(frozen=True, slots=True)
class Regression:
    """A logistic regression: the weights of its features, and the probability from which something follows."""

    weights: Values
    bias: float
    boundary: float


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a score's signals. All numbers are measured in `bench/`; `recall/weights.json` says how.

    `signals`: signal name → weight. `confidence`: name → coefficient of a logistic regression, `intercept` among them. `floor`:
    confidence below which nothing known answers the question. `half_life_days` by kind, `default` among them. `without_meaning`:
    other weights for searches without the dense leg, if any. `trees`: the order of talk (`recall.talk_order`) with the dense leg.
    `sureness`: how certain it is that a told statement answers, with the dense leg; `confidence` is then for talk only. `latest`:
    whether a newer one of two statements that were found together makes the older untrue (`recall.latest`). `documents`: which
    line of a document answers (`recall.document_lines`); its boundary is a chance.
    """

    signals: Mapping[str, float]
    confidence: Mapping[str, float] = field(default_factory=dict)
    floor: float = 0.0
    half_life_days: Mapping[str, float] = field(default_factory=dict)
    without_meaning: Weights | None = None
    trees: Trees | None = None
    sureness: Sureness | None = None
    latest: Regression | None = None
    documents: Regression | None = None


def z_scores(values: Values) -> Values:
    """Return distances from the mean in standard deviations; all 0 when the values are equal or there are none."""
    if not len(values):
        return values.astype(np.float64)
    from_mean = values - values.mean()
    deviation = math.sqrt(float(from_mean @ from_mean) / len(values))
    if deviation < 1e-9:
        return np.zeros(len(values))
    return np.asarray(from_mean / deviation)


def recency(age_days: Values, half_life_days: Values) -> Values:
    """Return 1 for now and ½ after one half-life; the future counts as now, and an unknown age (NaN) as ½."""
    decayed = np.exp2(-np.maximum(age_days, 0.0) / half_life_days)
    return np.nan_to_num(decayed, nan=0.5)


def sigmoid(value: float) -> float:
    """Return 1 / (1 + e^−value), without overflow."""
    return 1.0 / (1.0 + math.exp(-value)) if value >= 0 else math.exp(value) / (1.0 + math.exp(value))


def logit(chance: float) -> float:
    """Return the log-odds of a probability, which is kept away from 0 and 1."""
    kept = min(max(chance, 1e-9), 1 - 1e-9)
    return math.log(kept / (1 - kept))
