"""The measured weights, read from the package's `weights.json`, `talk_trees.json`, `answerable.json`, `latest.json` and
`document_lines.json`, which `bench/` makes."""

from __future__ import annotations

import functools
from importlib.resources import files

import numpy as np
from pydantic import BaseModel, ConfigDict

from lattice_common.domain.score import Regression, Sureness, Weights
from lattice_common.domain.trees import Tree, Trees
from lattice_common.errors import Corrupt
from lattice_common.recall import answerable, document_lines, latest
from lattice_common.recall.question import Search
from lattice_common.recall.talk_order import FEATURES


class _Mode(BaseModel):
    model_config = ConfigDict(extra="forbid")

    signals: dict[str, float]
    confidence: dict[str, float]
    floor: float


class _WeightsFile(_Mode):
    comment: str
    without_meaning: _Mode
    half_life_days: dict[str, float]


class _Tree(BaseModel):
    model_config = ConfigDict(extra="forbid")

    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    leaf: list[float]


class _TreesFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    comment: str
    features: list[str]
    trees: list[_Tree]


class _Sureness(BaseModel):
    model_config = ConfigDict(extra="forbid")

    features: list[str]
    floor: float
    curve: list[dict[str, float | dict[str, float]]]
    trees: list[_Tree]


class _SurenessFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    comment: str
    judged: _Sureness
    unjudged: _Sureness


class _RegressionFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    comment: str
    weights: dict[str, float]
    bias: float
    boundary: float


@functools.cache
def load_weights() -> Weights:
    """Read by the composition root, once for all stores of a process: nothing changes them."""
    folder = files("lattice_common.recall")
    read = _WeightsFile.model_validate_json(folder.joinpath("weights.json").read_text(encoding="utf-8"))
    talk = _TreesFile.model_validate_json(folder.joinpath("talk_trees.json").read_text(encoding="utf-8"))
    sure = _SurenessFile.model_validate_json(folder.joinpath("answerable.json").read_text(encoding="utf-8"))
    newer, of_documents = (
        _regression(name, _RegressionFile.model_validate_json(folder.joinpath(f"{name}.json").read_text(encoding="utf-8")), known)
        for name, known in (("latest", latest.FEATURES), ("document_lines", document_lines.FEATURES))
    )
    words = read.without_meaning
    if tuple(talk.features) != FEATURES:
        raise Corrupt(
            "recall/talk_trees.json knows other features than recall/talk_order.py: make it anew (bench/fit_talk_order.py)."
        )
    return Weights(
        read.signals,
        read.confidence,
        read.floor,
        read.half_life_days,
        without_meaning=Weights(words.signals, words.confidence, words.floor, read.half_life_days),
        trees=_trees(talk.features, talk.trees),
        sureness=_sureness(sure),
        latest=newer,
        documents=of_documents,
    )


def _regression(name: str, read: _RegressionFile, features: tuple[str, ...]) -> Regression:
    if tuple(read.weights) != features:
        made_by = {"latest": "fit_latest", "document_lines": "fit_documents"}[name]
        raise Corrupt(f"recall/{name}.json knows other features than recall/{name}.py: make it anew (bench/{made_by}.py).")
    return Regression(np.array([*read.weights.values()]), read.bias, read.boundary)


def _sureness(read: _SurenessFile) -> Sureness:
    if tuple(read.judged.features) != answerable.FEATURES or tuple(read.unjudged.features) != answerable.WITHOUT_JUDGE:
        raise Corrupt(
            "recall/answerable.json knows other features than recall/answerable.py: make it anew (bench/fit_answerable.py)."
        )
    return Sureness(
        _trees(read.judged.features, read.judged.trees),
        read.judged.floor,
        _trees(read.unjudged.features, read.unjudged.trees),
        read.unjudged.floor,
    )


def _trees(features: list[str], trees: list[_Tree]) -> Trees:
    return Trees(features, [Tree(each.feature, each.threshold, each.left, each.right, each.leaf) for each in trees])


def weights_for(search: Search, weights: Weights) -> Weights:
    """Return the weights of what this question was searched by: a dense leg that is away or failed leaves only words."""
    return weights.without_meaning if search.vector is None and weights.without_meaning is not None else weights
