"""Which of the statements that a piece of news was compared with it ends: the second reading of the judge's first one.

Pair by pair, a sentence that sounds like news is taken to end whatever stands near it. Beside all the statements it was compared
with, it is seen that it ends this one rather than those: a logistic regression over how sure the judge is of the pair, how much
surer than of any other, how alike the two are, and how much the news adds to something else. Fitted by `train.calibrate` on
whole memories that the judge was not trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lattice_common.domain.judgement import Relatedness

Floats = npt.NDArray[np.float64]

FEATURES = ("updates", "adds", "same", "unrelated", "alike", "surer", "others", "nearer", "adds_elsewhere")
_LEAST = 1e-4
"""Probabilities are cut here before their logarithm is taken: in 8 bits less than that means nothing."""
_NO_OTHER = -5.0
"""The logit of `updates` of the best other statement where there is none."""


@dataclass(frozen=True, slots=True)
class Ending:
    """`weights` are by FEATURES; `typical` is the logit that the best other statement usually has, for news of which it is not
    known what else it was compared with."""

    weights: Floats
    bias: float
    typical: float

    def probabilities(self, found: Sequence[Relatedness], alike: Sequence[float], *, whole: bool) -> list[float]:
        """For each statement, 0 to 1, in the order given."""
        if not found:
            return []
        scores = features(found, alike, None if whole else self.typical) @ self.weights + self.bias
        return [float(each) for each in 1 / (1 + np.exp(-scores))]


def features(found: Sequence[Relatedness], alike: Sequence[float], typical: float | None = None) -> Floats:
    """(statements, features) of one piece of news beside all the statements it was compared with. `alike` are cosines; `typical`
    stands in for the logit of statements that are not shown."""
    given = np.clip([[each.updates, each.adds, each.same, each.unrelated] for each in found], _LEAST, 1 - _LEAST)
    logs = np.log(given)
    sure = logs[:, 0] - np.log1p(-given[:, 0])
    cosines = np.asarray(alike, dtype=np.float64)
    floor = _NO_OTHER if typical is None else max(_NO_OTHER, typical)
    columns = (
        sure,
        *logs[:, 1:].T,
        cosines,
        sure - _best_other(sure, floor),
        np.log(np.exp(floor) + np.maximum(np.exp(sure).sum() - np.exp(sure), 0.0)),
        cosines - _best_other(cosines, 0.0),
        _best_other(logs[:, 1], float(np.log(_LEAST))),
    )
    return np.stack(columns, axis=1)


def _best_other(values: Floats, floor: float) -> Floats:
    """For each value the greatest of all others, `floor` at least."""
    if len(values) < 2:
        return np.full(len(values), floor)
    first, second = np.sort(values)[::-1][:2]
    others: Floats = np.where(values == first, second, first)
    return np.maximum(others, floor)
