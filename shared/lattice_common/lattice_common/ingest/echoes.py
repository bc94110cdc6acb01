"""Repeating what an answer said makes no second source for it.

A person or a program that reads an answer and tells it again has learned nothing that memory did not know. So telling does not
make surer what an answer cited within the last day; and the answer's own sentences, which speak to their owner ("You live in
Lisbon."), become no memories beside those that they were made of, as long as these are valid.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from lattice_common.domain.atom import normalized_content_hash
from lattice_common.domain.capture import Capture, JsonValue
from lattice_common.domain.chat import turn_of
from lattice_common.domain.segment import Candidate
from lattice_common.ingest.parts import Proved
from lattice_common.language.sentences.split import sentences
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.clock import Clock
from lattice_common.ports.line_log import LineLog

LATELY = timedelta(days=1)
MOST = 2_000
"""Answers that are remembered, the latest: a program may ask more in a day. Each takes 410 bytes."""
LONGEST = 4_000
"""Characters of an answer that are compared."""
_MARK = re.compile(r"\s*\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class Said:
    """One answer: hashes of its sentences, and the ids that it cited."""

    at: datetime
    sentences: tuple[int, ...]
    cited: tuple[str, ...]


class Echoes:
    """For the writer's thread. `chat` is the log of the conversation over all doors, which other processes append to."""

    def __init__(self, chat: LineLog, known: KnownAtoms, clock: Clock) -> None:
        self._chat = chat
        self._known = known
        self._clock = clock
        self._position: int | None = None
        self._answers: deque[Said] = deque()
        self._cited: Counter[str] = Counter()
        """How many of these answers cited a memory."""

    def cited_lately(self) -> frozenset[str]:
        """Return ids of the memories that answers of the last day cited."""
        self._look()
        return frozenset(self._cited)

    def without(self, capture: Capture, proved: Proved) -> Proved:
        """Return what a capture says without what an answer told its owner before; `echoed` counts what was left out."""
        if capture.trust != "user" or capture.original is not None:
            return proved
        self._look()
        if not self._answers:
            return proved
        grounded = []
        echoed = 0
        for piece, candidates in proved.grounded:
            left = tuple(each for each in candidates if not self._is_echo(each))
            echoed += len(candidates) - len(left)
            grounded.append((piece, left))
        return replace(proved, grounded=tuple(grounded), echoed=proved.echoed + echoed) if echoed else proved

    def _is_echo(self, candidate: Candidate) -> bool:
        if candidate.speaker:
            return False
        said = sentence_hash(candidate.content)
        cited = [atom_id for each in self._answers if said in each.sentences for atom_id in each.cited]
        if not cited or self._known.with_hash(normalized=normalized_content_hash(candidate.content)):
            return False  # what a memory says in just these words is the same memory told again: reconcile knows what to do
        return any(not atom.is_superseded for atom in self._known.get(list(dict.fromkeys(cited))))

    def _look(self) -> None:
        """Read new lines of the log, and drop what is older than a day."""
        oldest = self._clock.now() - LATELY
        if self._position is None:
            self._position = self._chat.end()
            lately: list[Said] = []
            for line in self._chat.newest():
                said = said_in(line)
                if said is not None and (said.at < oldest or len(lately) == MOST):
                    break
                if said is not None:
                    lately.append(said)
            self._add(reversed(lately))
        else:
            lines, self._position = self._chat.since(self._position)
            self._add(said for said in map(said_in, lines) if said is not None)
        while self._answers and (self._answers[0].at < oldest or len(self._answers) > MOST):
            for atom_id in self._answers.popleft().cited:
                self._cited[atom_id] -= 1
                if not self._cited[atom_id]:
                    del self._cited[atom_id]

    def _add(self, answers: Iterable[Said]) -> None:
        for said in answers:
            self._answers.append(said)
            self._cited.update(said.cited)


def said_in(line: Mapping[str, JsonValue]) -> Said | None:
    """Return the answer in a line of the log; None where the line is no answer."""
    turn = turn_of(line)
    if turn is None or turn.told or not turn.answer:
        return None
    # The same memories are cited again and again.
    cited = tuple(map(sys.intern, dict.fromkeys(turn.atom_ids)))
    return Said(turn.ts, tuple(dict.fromkeys(_hashes(turn.answer[:LONGEST]))), cited)


def _hashes(answer: str) -> Sequence[int]:
    lines = [line for line in answer.splitlines() if line.strip()]
    parts = [line[span.start : span.end] for line in lines for span in sentences(line, 0, len(line))]
    return [sentence_hash(each) for each in (answer, *lines, *parts)]


def sentence_hash(text: str) -> int:
    """Return a hash of 64 bits of a sentence's words, without its citations."""
    return int(normalized_content_hash(_MARK.sub("", text))[:16], 16)
