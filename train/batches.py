"""Texts as token numbers, in batches of about equal length, so that little is computed for padding."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from lattice_common.adapters.models.onnx_judge import as_read
from tokenizers import Tokenizer
from torch import Tensor

LONGEST = 128
"""Tokens of a pair or an utterance; longer first texts, then second ones, are cut. The product cuts at the same place."""

MARKS = {"relation": "[unused1]", "answers": "[unused2]", "utterance": "[unused3]"}


class Tokens:
    """The packaged tokenizer."""

    def __init__(self, model_folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(model_folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._first, self._end = (self._id(name) for name in ("[CLS]", "[SEP]"))
        self._marks = {head: self._id(name) for head, name in MARKS.items()}
        self._known: dict[str, list[int]] = {}

    def of(self, head: str, first: str, second: str | None = None) -> tuple[list[int], list[int]]:
        """Token numbers and types of one row."""
        ids, more = self._words(first), self._words(second) if second is not None else []
        room = LONGEST - 3 - (1 if second is not None else 0)
        if len(ids) + len(more) > room:
            ids = ids[: max(room // 2, room - len(more))]
            more = more[: room - len(ids)]
        row = [self._first, self._marks[head], *ids, self._end]
        types = [0] * len(row)
        if second is not None:
            row += [*more, self._end]
            types += [1] * (len(more) + 1)
        return row, types

    def _words(self, text: str) -> list[int]:
        """A text stands beside many, and is taken apart once."""
        if text not in self._known:
            self._known[text] = list(self._tokenizer.encode(as_read(text), add_special_tokens=False).ids)
        return self._known[text]

    def _id(self, name: str) -> int:
        found = self._tokenizer.token_to_id(name)
        assert found is not None, f"the tokenizer has no {name}"
        return int(found)


@dataclass(frozen=True, slots=True)
class Row:
    """One example of one head; `target` is what that head's loss takes. Rows of one `group` (from 0 on) are one piece of news
    beside several statements, or one question: they stay in one batch."""

    head: str
    ids: list[int]
    types: list[int]
    target: tuple[float, ...]
    group: int = -1


def tensors(rows: Sequence[Row]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """`ids`, `types`, `mask` (rows, longest) and targets (rows, …)."""
    longest = max(len(row.ids) for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    for place, row in enumerate(rows):
        size = len(row.ids)
        ids[place, :size] = torch.tensor(row.ids)
        types[place, :size] = torch.tensor(row.types)
        mask[place, :size] = 1
    return ids, types, mask, torch.tensor([row.target for row in rows])


def batched(rows: Sequence[Row], size: int, chance: random.Random) -> Iterator[list[Row]]:
    """Rows of one head per batch, of like lengths and groups whole, batches of about `size` in random order."""
    found: list[list[Row]] = []
    for head in sorted({row.head for row in rows}):
        groups: dict[tuple[int, int], list[Row]] = {}
        for place, row in enumerate(rows):
            if row.head == head:
                groups.setdefault((row.group, place if row.group < 0 else 0), []).append(row)
        own = list(groups.values())
        chance.shuffle(own)
        pool: list[list[Row]] = []
        waiting = 0
        for group in own:
            pool.append(group)
            waiting += len(group)
            if waiting >= size * 16:
                found += _filled(pool, size)
                pool, waiting = [], 0
        found += _filled(pool, size)
    chance.shuffle(found)
    yield from found


def _filled(pool: list[list[Row]], size: int) -> Iterator[list[Row]]:
    """Groups of like lengths together, `size` rows or a few more."""
    batch: list[Row] = []
    for group in sorted(pool, key=lambda each: max(len(row.ids) for row in each)):
        batch += group
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch
