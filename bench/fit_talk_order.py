"""Fits what orders talk (`recall/talk_order.py`) on LoCoMo's development conversations: LambdaMART (Burges 2010), by LightGBM
(`uv sync --group rank`).

    LATTICE_BENCH_DATA=… python -m bench.fit_talk_order [--write] [--stores FOLDER]

Prints recall for each conversation by trees that were fitted on the other ones, over how much the trees count beside the sum of
the other signals, then fits on all five. LightGBM is needed here only: its trees are data, and evaluated in numpy.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import lattice_common.recall
import lightgbm
import numpy as np
from lattice_common import logs
from lattice_common.domain.trees import Tree, Trees
from lattice_common.recall.score import look, shared_with_trees
from lattice_common.recall.talk_order import FEATURES, looked_at, talk_features
from lattice_common.recall.weights import load_weights

from bench.evidence import locomo
from bench.fit_weights import MODES, Example, examples, recalls

TRIED = ((0.0, -2.0), (1.0, -6.0), (2.0, -12.0), (2.0, -20.0), (4.0, -40.0))
"""What the trees count beside the other signals, and what the later atoms of a turn lose then: atoms of one turn look alike to
the trees, and the loss has to grow with them."""
ROUNDS = 100
PARAMETERS: dict[str, Any] = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 20,
    "num_leaves": 8,
    "learning_rate": 0.08,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_bin": 63,
    "seed": 0,
    "deterministic": True,
    "verbose": -1,
}
"""150 rounds of 15 leaves were better by 0.3 across conversations, at three times the time."""


def fit(chosen: Sequence[Example]) -> list[Tree]:
    """On the best candidates of each question, as the product looks at them; every atom of a gold turn is as good."""
    rows, labels, groups = [], [], []
    for example in chosen:
        seen = look(example.search, load_weights())
        best = np.sort(looked_at(seen))
        gold = np.isin(best, np.concatenate(example.gold)) if example.gold else np.zeros(len(best), dtype=bool)
        if gold.any():
            rows.append(talk_features(seen, shared_with_trees(seen))[best])
            labels.append(gold.astype(int))
            groups.append(len(best))
    data = lightgbm.Dataset(np.concatenate(rows), np.concatenate(labels), group=groups, params={"max_bin": 63, "verbose": -1})
    model = lightgbm.train(PARAMETERS, data, ROUNDS).dump_model()
    trees = [flat(each["tree_structure"]) for each in model["tree_info"]]
    return [tree for tree in trees if tree.feature]


def flat(root: dict[str, Any]) -> Tree:
    """A tree as LightGBM dumps it."""
    feature: list[int] = []
    threshold: list[float] = []
    left: list[int] = []
    right: list[int] = []
    leaf: list[float] = []

    def number(node: dict[str, Any]) -> int:
        if "split_feature" not in node:
            leaf.append(round(node["leaf_value"], 5))
            return -len(leaf)
        at = len(feature)
        feature.append(node["split_feature"])
        threshold.append(float(f"{node['threshold']:.8g}"))
        left.append(0)
        right.append(0)
        left[at] = number(node["left_child"])
        right[at] = number(node["right_child"])
        return at

    number(root)
    return Tree(feature, threshold, left, right, leaf)


def cross_validate(every: Sequence[Example]) -> None:
    """Recall on each conversation by trees that know only the other ones."""
    weights = load_weights()
    total = np.zeros((len(TRIED), 4))
    for name in dict.fromkeys(example.corpus for example in every):
        trees = Trees(FEATURES, fit([example for example in every if example.corpus != name]))
        own = [example for example in every if example.corpus == name]
        for row, (count, loss) in enumerate(TRIED):
            tried = replace(weights, trees=trees, signals={**weights.signals, "talk_order": count, "same_turn": loss})
            found = recalls(own, tried, (1, 5, 10, 20))
            total[row] += found * len(own)
            print(
                f"{name}, {len(own)} questions, trees count {count:g}, same turn {loss:g}: recall@1, @5, @10, @20", found.round(4)
            )
    for (count, loss), found in zip(TRIED, total / len(every), strict=True):
        print(f"all, trees count {count:g}, same turn {loss:g}: recall@1, @5, @10, @20", found.round(4))


def write(trees: Sequence[Tree]) -> None:
    content = {
        "comment": "Made by bench/fit_talk_order.py from LoCoMo's five development conversations.",
        "features": list(FEATURES),
        "trees": [asdict(tree) for tree in trees],
    }
    path = Path(lattice_common.recall.__file__).with_name("talk_trees.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write talk_trees.json")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here")
    args = parser.parse_args()
    logs.configure("error", json=None)
    found, _ = examples(locomo(), args.stores, MODES[0])
    answerable = [example for example in found if example.asked.gold and example.asked.answerable]
    cross_validate(answerable)
    if args.write:
        write(fit(answerable))


if __name__ == "__main__":
    main()
