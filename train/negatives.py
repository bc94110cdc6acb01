"""For each question of a memory, its statements nearest first by the packaged vectors: negatives that are hard to tell apart."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.ports.embedder import Embedder

from train.corpus import Life, Memory, Pair

NEAREST = 12
"""Statements that count as near."""
CACHE = Path("build/models")


def packaged_embedder() -> Embedder:
    """The product's own, in 8 bits: some 700 texts a second, where PyTorch makes 100."""
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=CACHE, threads=2)
    assert embedder is not None
    return embedder


def nearest_statements(embedder: Embedder, found: Sequence[Memory]) -> dict[tuple[str, str], list[str]]:
    """By (memory id, question or statement): statement ids by falling cosine."""
    nearest: dict[tuple[str, str], list[str]] = {}
    for memory in found:
        names = list(memory.statements)
        questions = [question for question, *_ in memory.questions] + list(memory.unanswerable)
        questions += [text for _, text in memory.statements.values()]
        vectors = embedder.embed([memory.statements[name][1] for name in names] + questions)
        scores = vectors[len(names) :] @ vectors[: len(names)].T
        for question, row in zip(questions, scores, strict=True):
            nearest[memory.id, question] = [names[place] for place in (-row).argsort().tolist()]
    return nearest


def nearest_in_lives(embedder: Embedder, found: Sequence[Life]) -> dict[tuple[str, str], list[int]]:
    """By (life id, news): places of the life's statements by falling cosine."""
    nearest: dict[tuple[str, str], list[int]] = {}
    for life in found:
        vectors = embedder.embed([*life.statements, *(news.text for news in life.news)])
        scores = vectors[len(life.statements) :] @ vectors[: len(life.statements)].T
        for news, row in zip(life.news, scores, strict=True):
            nearest[life.id, news.text] = (-row).argsort().tolist()
    return nearest


class OtherTopics:
    """The old statements of one author's other topics, beside which his news is unrelated: no two topics of one file are alike.

    Without them a statement that sounds like an update is taken to end whatever stands near it.
    """

    def __init__(self, embedder: Embedder, found: Sequence[Pair]) -> None:
        self._olds: dict[tuple[str, str], list[str]] = {}
        for pair in found:
            known = self._olds.setdefault((pair.file, pair.lang), [])
            if pair.old not in known:
                known.append(pair.old)
        texts = list(dict.fromkeys([pair.old for pair in found] + [pair.new for pair in found]))
        self._vectors = dict(zip(texts, embedder.embed(texts), strict=True))

    def beside(self, pair: Pair, near: int, others: int, chance: random.Random) -> list[str]:
        """`near` statements drawn among the twelve most like the new one, and `others` drawn among all."""
        olds = [old for old in self._olds[pair.file, pair.lang] if old != pair.old]
        if not olds:
            return []
        likeness = np.stack([self._vectors[old] for old in olds]) @ self._vectors[pair.new]
        nearest = [olds[place] for place in (-likeness).argsort()[:NEAREST].tolist()]
        chosen = chance.sample(nearest, min(near, len(nearest))) + chance.sample(olds, min(others, len(olds)))
        return list(dict.fromkeys(chosen))
