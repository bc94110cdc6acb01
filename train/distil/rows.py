"""Every row that is taught and learned, tokenised once: as arrays, so that a batch is put together where it is read.

Beside what its label is known of, each text has more statements than one epoch reads; `train.distil.draws` draws among them.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from lattice_common.ports.embedder import Embedder

from train.answers import Asked, asked_of
from train.batches import Tokens
from train.beside import UNRELATED, UPDATES, Beside, beside_news, beside_questions, beside_statements
from train.corpus import (
    Life,
    Memory,
    Pair,
    Sheet,
    Utterance,
    endings,
    lives,
    memories,
    pairs,
    questions_on_lives,
    sheets,
    utterances,
)
from train.fit import NOT_UPDATES, drawn
from train.negatives import NEAREST, OtherTopics, nearest_in_lives, nearest_statements

UNKNOWN = -3
"""The target of a row that only teachers have judged."""
LABELLED = -1
"""The place of a row whose label somebody wrote; others count from 0."""

FAR_TOPICS = 8
CLOSE_NEWS, FAR_NEWS = 6, 6
CLOSE_ANSWERS, FAR_ANSWERS = 8, 5
"""Statements that a text is laid beside: the most like it, and of the rest."""
ALIKE_NEWS, OTHER_NEWS = 40, 3
ALIKE_ANSWERS, OTHER_ANSWERS = 30, 6
"""Of those in other memories that are most like a text, as many are drawn."""
AT_ONCE = 500

_MARKED = {"news": "relation", "lines": "answers"}
"""Heads by whose mark another one's rows are read."""


class Candidate(NamedTuple):
    """One row before it is tokenised; `target` is what the head's loss takes, `group` what it is drawn and chosen among."""

    first: str
    second: str | None
    target: tuple[int, ...]
    group: int
    place: int = LABELLED


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one head, as `Tokens.of` gives them: `tokens` of one row after the other, from `starts` (rows + 1,) on, of which
    the first `firsts` (rows,) have type 0. `target` (rows, targets), `group` and `place` (rows,) as in `Candidate`."""

    head: str
    tokens: npt.NDArray[np.int16]
    starts: npt.NDArray[np.int64]
    firsts: npt.NDArray[np.int16]
    target: npt.NDArray[np.int8]
    group: npt.NDArray[np.int32]
    place: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.firsts)

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Tokens of each row, (rows,)."""
        return np.diff(self.starts)


@dataclass(frozen=True, slots=True)
class Corpus:
    """What rows are made of; `asked` are the memories, and the lives that questions were written on."""

    pairs: Sequence[Pair]
    utterances: Sequence[Utterance]
    lives: Sequence[Life]
    memories: Sequence[Memory]
    asked: Sequence[Memory]
    sheets: Sequence[Sheet]


def training_corpus() -> Corpus:
    """Read all of `train/data` that is learned from."""
    found = memories("train")
    return Corpus(
        pairs=pairs("train"),
        utterances=[*utterances("train"), *endings("train")],
        lives=lives("train"),
        memories=found,
        asked=[*found, *questions_on_lives("train")],
        sheets=sheets("train"),
    )


def tables(tokens: Tokens, embedder: Embedder, corpus: Corpus, chance: random.Random) -> dict[str, Table]:
    """Return the rows by the name of their part; some seven minutes on two cores for the whole of `train/data`."""
    nearest = nearest_statements(embedder, corpus.asked)
    news = beside_news(corpus.lives, nearest_in_lives(embedder, corpus.lives))
    asked = beside_questions(corpus.asked, nearest)
    histories = beside_statements(corpus.memories, nearest)
    parts: dict[str, tuple[str, Iterable[Candidate]]] = {
        "pairs": ("relation", (Candidate(pair.old, pair.new, (pair.label,), at) for at, pair in enumerate(corpus.pairs))),
        **_topics(OtherTopics(embedder, corpus.pairs), corpus.pairs, chance),
        "lives": ("news", _laid_beside(news, CLOSE_NEWS, FAR_NEWS, UNRELATED, chance)),
        "histories": ("relation", _laid_beside(histories, CLOSE_NEWS, FAR_NEWS, int(NOT_UPDATES), chance)),
        "other_lives": (
            "relation",
            _laid_beside(_news_elsewhere(embedder, corpus.lives, chance), OTHER_NEWS, 0, UNKNOWN, chance),
        ),
        "asked": ("answers", _turned(_laid_beside(asked, CLOSE_ANSWERS, FAR_ANSWERS, 0, chance))),
        "other_memories": (
            "answers",
            _turned(_laid_beside(_questions_elsewhere(embedder, corpus.memories, chance), OTHER_ANSWERS, 0, UNKNOWN, chance)),
        ),
        "lines": ("lines", _lines(asked_of(corpus.sheets) if corpus.sheets else [])),
        "utterances": (
            "utterance",
            (Candidate(each.text, None, (each.intent, each.status, each.kind), at) for at, each in enumerate(corpus.utterances)),
        ),
    }
    return {part: table_of(tokens, head, found) for part, (head, found) in parts.items()}


def table_of(tokens: Tokens, head: str, found: Iterable[Candidate]) -> Table:
    flat, lengths, firsts, rest = array("h"), array("h"), array("h"), list[tuple[tuple[int, ...], int, int]]()
    for each in found:
        ids, types = tokens.of(_MARKED.get(head, head), each.first, each.second)
        flat.extend(ids)
        lengths.append(len(ids))
        firsts.append(len(types) - sum(types))
        rest.append((each.target, each.group, each.place))
    return Table(
        head,
        np.array(flat, dtype=np.int16),
        np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
        np.array(firsts, dtype=np.int16),
        np.array([target for target, _, _ in rest], dtype=np.int8),
        np.array([group for _, group, _ in rest], dtype=np.int32),
        np.array([place for _, _, place in rest], dtype=np.int16),
    )


def _laid_beside(found: Iterable[Beside], close: int, far: int, label: int, chance: random.Random) -> Iterator[Candidate]:
    """Yield the statement first; `label` is that of the others."""
    for number, each in enumerate(found):
        for text, own in each.labelled:
            yield Candidate(text, each.text, (own,), number)
        for place, text in enumerate(drawn(each.others, close, far, chance)):
            yield Candidate(text, each.text, (label,), number, place)


def _turned(found: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield each with the question first."""
    for each in found:
        assert each.second is not None
        yield each._replace(first=each.second, second=each.first)


def _topics(topics: OtherTopics, found: Sequence[Pair], chance: random.Random) -> dict[str, tuple[str, Iterable[Candidate]]]:
    """Statements of other topics are near or far beside updates, and near beside all else, as in `train.fit`."""
    updates = [pair for pair in found if pair.label == UPDATES]
    others = [pair for pair in found if pair.label != UPDATES]

    def beside(own: Sequence[Pair], near: int, far: int) -> tuple[str, Iterable[Candidate]]:
        laid = (Beside(pair.new, (), tuple(topics.beside(pair, near, far, chance))) for pair in own)
        return "relation", _laid_beside(laid, near + far, 0, UNRELATED, chance)

    return {
        "near_updates": beside(updates, NEAREST, 0),
        "far_updates": beside(updates, 0, FAR_TOPICS),
        "near_others": beside(others, NEAREST, 0),
    }


def _lines(found: Iterable[Asked]) -> Iterator[Candidate]:
    for number, each in enumerate(found):
        for line, answers in zip(each.lines, each.answers, strict=True):
            yield Candidate(each.question, line, (int(answers),), number)


def _news_elsewhere(embedder: Embedder, found: Sequence[Life], chance: random.Random) -> Iterator[Beside]:
    said = [(owner, text) for owner, life in enumerate(found) for text in life.statements]
    news = [(owner, each.text) for owner, life in enumerate(found) for each in life.news]
    return _elsewhere(embedder, news, said, ALIKE_NEWS, OTHER_NEWS, chance)


def _questions_elsewhere(embedder: Embedder, found: Sequence[Memory], chance: random.Random) -> Iterator[Beside]:
    said = [(owner, text) for owner, memory in enumerate(found) for _, text in memory.statements.values()]
    asked = [
        (owner, text)
        for owner, memory in enumerate(found)
        for text in (*(question for question, *_ in memory.questions), *memory.unanswerable)
    ]
    return _elsewhere(embedder, asked, said, ALIKE_ANSWERS, OTHER_ANSWERS, chance)


def _elsewhere(
    embedder: Embedder,
    texts: Sequence[tuple[int, str]],
    statements: Sequence[tuple[int, str]],
    alike: int,
    count: int,
    chance: random.Random,
) -> Iterator[Beside]:
    """Yield each text beside `count` of the `alike` statements of other owners that are most like it; both as (owner, text)."""
    if not texts:
        return
    owners = np.array([owner for owner, _ in statements])
    vectors = embedder.embed([text for _, text in statements]).T
    for start in range(0, len(texts), AT_ONCE):
        here = texts[start : start + AT_ONCE]
        for (owner, text), scores in zip(here, embedder.embed([text for _, text in here]) @ vectors, strict=True):
            own = owners == owner
            likest = np.where(own, -2.0, scores).argpartition(-min(alike, len(scores)))[-alike:]
            outside = [statements[place][1] for place in likest.tolist() if not own[place]]
            yield Beside(text, (), tuple(chance.sample(outside, min(count, len(outside)))))
