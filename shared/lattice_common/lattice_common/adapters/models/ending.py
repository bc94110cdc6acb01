"""Which of the statements that a piece of news was compared with it ends: the second reading of the judge's first one.

Pair by pair, a sentence that sounds like news is taken to end whatever stands near it. Beside all the statements it was compared
with, it is seen that it ends this one rather than those: a logistic regression over how sure the judge is of the pair, how much
surer than of any other, how alike the two are, and how much the news adds to something else, and boosted trees over the same and
over where the statement stands among the others, which mend what is not linear. Fitted by `train.calibrate` on whole memories
that the judge was not trained on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lattice_common.domain.judgement import Relatedness
from lattice_common.domain.trees import Tree, Trees

Floats = npt.NDArray[np.float64]

FEATURES = ("updates", "adds", "same", "unrelated", "alike", "surer", "others", "nearer", "adds_elsewhere")
STANDING = ("place", "nearness", "compared", "all_updates", "all_adds", "least_unrelated")
"""Of a statement among the others: its place by sureness and by likeness (0 is the first), how many there are, and what the judge
finds of all of them together. The trees see these beside FEATURES."""
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
    trees: Trees = Trees((*FEATURES, *STANDING), ())  # noqa: RUF009 - nothing of it can be changed

    def probabilities(self, found: Sequence[Relatedness], alike: Sequence[float], *, whole: bool) -> list[float]:
        """Return a probability for each statement, 0 to 1, in the order given."""
        if not found:
            return []
        rows = features(found, alike, None if whole else self.typical)
        scores = rows @ self.weights + self.bias + self.trees.scores(np.hstack([rows, standing(found, alike)]))
        return [float(each) for each in 1 / (1 + np.exp(-scores))]


def read_ending(content: Mapping[str, Any]) -> Ending:
    """Return what `judge.json` holds. Raises `KeyError` or `TypeError` where something is missing or of another kind."""
    trees = Trees((*FEATURES, *STANDING), [Tree(**each) for each in content["trees"]])
    return Ending(np.array(content["weights"], dtype=np.float64), content["bias"], content["typical"], trees)


def features(found: Sequence[Relatedness], alike: Sequence[float], typical: float | None = None) -> Floats:
    """Return (statements, features) of one piece of news beside all it was compared with. `alike` are cosines; `typical`
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


def standing(found: Sequence[Relatedness], alike: Sequence[float]) -> Floats:
    """Return (statements, STANDING) of one piece of news."""
    given = np.array([[each.updates, each.adds, each.unrelated] for each in found])
    rows = np.empty((len(found), len(STANDING)))
    for column, values in enumerate((given[:, 0], np.asarray(alike, dtype=np.float64))):
        rows[:, column] = (values > values[:, None]).sum(axis=1)  # of equal ones, none stands before the other
    rows[:, 2:] = len(found), given[:, 0].sum(), given[:, 1].sum(), given[:, 2].min()
    return rows


def _best_other(values: Floats, floor: float) -> Floats:
    """Return for each value the greatest of all others, `floor` at least."""
    if len(values) < 2:
        return np.full(len(values), floor)
    first, second = np.sort(values)[::-1][:2]
    others: Floats = np.where(values == first, second, first)
    return np.maximum(others, floor)
