"""For each question of a memory, its statements nearest first by the packaged vectors: negatives that are hard to tell apart."""

from __future__ import annotations

import random
from collections.abc import Sequence

import torch
from torch import Tensor

from train.batches import Row, Tokens, tensors
from train.corpus import Life, Memory, Pair
from train.encoder import Judge

NEAREST = 12
"""Statements that count as near."""


@torch.no_grad()
def nearest_statements(judge: Judge, tokens: Tokens, found: Sequence[Memory]) -> dict[tuple[str, str], list[str]]:
    """By (memory id, question or statement): statement ids by falling cosine. To be called before training."""
    nearest: dict[tuple[str, str], list[str]] = {}
    judge.eval()
    for memory in found:
        names = list(memory.statements)
        questions = [question for question, *_ in memory.questions] + list(memory.unanswerable)
        questions += [text for _, text in memory.statements.values()]
        vectors = _vectors(judge, tokens, [memory.statements[name][1] for name in names] + questions)
        scores = vectors[len(names) :] @ vectors[: len(names)].T
        for question, row in zip(questions, scores, strict=True):
            nearest[memory.id, question] = [names[place] for place in row.argsort(descending=True).tolist()]
    return nearest


@torch.no_grad()
def nearest_in_lives(judge: Judge, tokens: Tokens, found: Sequence[Life]) -> dict[tuple[str, str], list[int]]:
    """By (life id, news): places of the life's statements by falling cosine. To be called before training."""
    nearest: dict[tuple[str, str], list[int]] = {}
    judge.eval()
    for life in found:
        vectors = _vectors(judge, tokens, [*life.statements, *(news.text for news in life.news)])
        scores = vectors[len(life.statements) :] @ vectors[: len(life.statements)].T
        for news, row in zip(life.news, scores, strict=True):
            nearest[life.id, news.text] = [int(place) for place in row.argsort(descending=True)]
    return nearest


class OtherTopics:
    """The old statements of one author's other topics, beside which his news is unrelated: no two topics of one file are alike.

    Without them a statement that sounds like an update is taken to end whatever stands near it.
    """

    def __init__(self, judge: Judge, tokens: Tokens, found: Sequence[Pair]) -> None:
        self._olds: dict[tuple[str, str], list[str]] = {}
        for pair in found:
            known = self._olds.setdefault((pair.file, pair.lang), [])
            if pair.old not in known:
                known.append(pair.old)
        texts = list(dict.fromkeys([pair.old for pair in found] + [pair.new for pair in found]))
        judge.eval()
        with torch.no_grad():
            vectors = torch.cat([_vectors(judge, tokens, texts[at : at + 64]) for at in range(0, len(texts), 64)])
        self._vectors = dict(zip(texts, vectors, strict=True))

    def beside(self, pair: Pair, near: int, others: int, chance: random.Random) -> list[str]:
        """`near` statements drawn among the twelve most like the new one, and `others` drawn among all."""
        olds = [old for old in self._olds[pair.file, pair.lang] if old != pair.old]
        if not olds:
            return []
        likeness = torch.stack([self._vectors[old] for old in olds]) @ self._vectors[pair.new]
        nearest = [olds[place] for place in likeness.argsort(descending=True)[:NEAREST].tolist()]
        chosen = chance.sample(nearest, min(near, len(nearest))) + chance.sample(olds, min(others, len(olds)))
        return list(dict.fromkeys(chosen))


def _vectors(judge: Judge, tokens: Tokens, texts: Sequence[str]) -> Tensor:
    rows = [Row("utterance", *tokens.of("utterance", text), (0.0,)) for text in texts]
    ids, types, mask, _ = tensors(rows)
    # Without the mark, which the packaged model has never seen.
    ids, types, mask = (torch.cat([each[:, :1], each[:, 2:]], dim=1) for each in (ids, types, mask))
    hidden = judge.encode(ids, types, mask)
    shares = mask.float()[:, :, None]
    return torch.nn.functional.normalize((hidden * shares).sum(1) / shares.sum(1), dim=1)
