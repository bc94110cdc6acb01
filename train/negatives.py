"""For each question of a memory, its statements nearest first by the packaged vectors: negatives that are hard to tell apart."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from train.batches import Row, Tokens, tensors
from train.corpus import Memory
from train.encoder import Judge


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


def _vectors(judge: Judge, tokens: Tokens, texts: Sequence[str]) -> Tensor:
    rows = [Row("utterance", *tokens.of("utterance", text), (0.0,)) for text in texts]
    ids, types, mask, _ = tensors(rows)
    # Without the mark, which the packaged model has never seen.
    ids, types, mask = (torch.cat([each[:, :1], each[:, 2:]], dim=1) for each in (ids, types, mask))
    hidden = judge.encode(ids, types, mask)
    shares = mask.float()[:, :, None]
    return torch.nn.functional.normalize((hidden * shares).sum(1) / shares.sum(1), dim=1)
