"""Trees over many rows at once decide as a walk down each of them would."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.domain.trees import Tree, Trees
from lattice_common.recall.weights import load_weights

SMALL = Tree(feature=[0, 1], threshold=[0.5, 2.0], left=[-1, -2], right=[1, -3], leaf=[10.0, 20.0, 30.0])
STUMP = Tree(feature=[1], threshold=[0.0], left=[-1], right=[-2], leaf=[1.0, 2.0])
CONSTANT = Tree(feature=[], threshold=[], left=[], right=[], leaf=[0.25])


def walked(tree: Tree, row: list[float]) -> float:
    node = 0 if tree.feature else -1
    while node >= 0:
        node = tree.left[node] if row[tree.feature[node]] <= tree.threshold[node] else tree.right[node]
    return tree.leaf[-1 - node]


numbers = st.floats(-3, 3).map(float)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_trees_of_different_sizes_give_each_row_the_sum_of_its_leaves(rows: list[tuple[float, float]]) -> None:
    forest = [SMALL, STUMP, CONSTANT]
    found = Trees(["one", "two"], forest).scores(np.array(rows))
    assert np.allclose(found, [sum(walked(tree, list(row)) for tree in forest) for row in rows])


def test_a_value_at_the_threshold_goes_left() -> None:
    assert Trees(["one", "two"], [SMALL]).scores(np.array([[0.5, 9.0], [0.6, 2.0], [0.6, 2.1]])).tolist() == [10.0, 20.0, 30.0]


def test_a_tree_with_more_decisions_than_fit_a_byte_is_refused() -> None:
    line = Tree([0] * 9, [float(each) for each in range(9)], [-1 - each for each in range(9)], [*range(1, 9), -10], [1.0] * 10)
    with pytest.raises(ValueError, match="9 decisions"):
        Trees(["one"], [line])


def test_no_trees_give_0() -> None:
    assert Trees(["one"], []).scores(np.zeros((3, 1))).tolist() == [0.0, 0.0, 0.0]


def test_the_packaged_trees_tell_rows_apart() -> None:
    trees = load_weights().trees
    assert trees is not None
    assert len(set(trees.scores(np.random.default_rng(1).normal(size=(50, len(trees.names)))).tolist())) > 25
