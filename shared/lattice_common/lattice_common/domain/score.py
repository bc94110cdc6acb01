"""The arithmetic of a score: pure, vectorised, no storage.

Scores of different searches are not comparable as they are (BM25 has no upper bound, cosines of one model lie close together),
so each is normalised over the candidates of one question before it is weighed.
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
    """What says whether something known answers a question (`recall.answerable`): trees that know what the judge made of the best
    statements, and others that don't. `…_floor` is the sum of their leaves below which nothing does."""

    judged: Trees
    judged_floor: float
    unjudged: Trees
    unjudged_floor: float


@dataclass(frozen=True, slots=True)
class Weights:
    """What the signals of a score count. All numbers are measured in `bench/`; see `recall/weights.json` for how.

    `signals`: signal name → weight. `confidence`: name → coefficient of a logistic regression, `intercept` among them.
    `floor`: confidence below which nothing known answers the question. `half_life_days` by kind, `default` among them.
    `without_meaning`: what counts instead where nothing was searched by meaning, if anything else does. `trees`: what orders
    talk (`recall.talk_order`), where it is searched by meaning. `sureness`: how sure it is that what was told answers, where it
    is searched by meaning; `confidence` is for talk then.
    """

    signals: Mapping[str, float]
    confidence: Mapping[str, float] = field(default_factory=dict)
    floor: float = 0.0
    half_life_days: Mapping[str, float] = field(default_factory=dict)
    without_meaning: Weights | None = None
    trees: Trees | None = None
    sureness: Sureness | None = None


def z_scores(values: Values) -> Values:
    """Distance from the mean in standard deviations; all 0 when the values are all equal or there are none."""
    if not len(values):
        return values.astype(np.float64)
    from_mean = values - values.mean()
    deviation = math.sqrt(float(from_mean @ from_mean) / len(values))
    if deviation < 1e-9:
        return np.zeros(len(values))
    return np.asarray(from_mean / deviation)


def recency(age_days: Values, half_life_days: Values) -> Values:
    """1 now, ½ after one half-life; what lies in the future counts as now, and an unknown age (NaN) as ½."""
    decayed = np.exp2(-np.maximum(age_days, 0.0) / half_life_days)
    return np.nan_to_num(decayed, nan=0.5)


def sigmoid(value: float) -> float:
    """1 / (1 + e^−value), without overflow."""
    return 1.0 / (1.0 + math.exp(-value)) if value >= 0 else math.exp(value) / (1.0 + math.exp(value))


def logit(chance: float) -> float:
    """Return the log-odds of a probability, which is kept away from 0 and 1."""
    kept = min(max(chance, 1e-9), 1 - 1e-9)
    return math.log(kept / (1 - kept))
