"""The conversation with memory, over all doors: its log, the journey of the day, and the last turns that follow-ups refer to.

The log is worth keeping, not canonical: an error in writing it stops no answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import islice

from lattice_common.domain.chat import ChatTurn, captured_answer, line_of, turn_of
from lattice_common.domain.recall import Answer, Exchange, Query
from lattice_common.errors import Unavailable
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.line_log import LineLog
from lattice_common.recall.sessions import PAUSE, Sessions
from lattice_common.recall.topics import Branch, add, bounded, branches, query_topic

log = logger(__name__)

LONGEST_TOLD = 2_000
"""Characters of what was told that the log holds: the journal has all of it."""
SUBJECTS = 8
LOOKED_BACK = 2_000
"""Turns that are searched for a topic on other days."""
LONGEST_DAY = timedelta(hours=25)
"""The length of a day when the clocks are put back."""


@dataclass(frozen=True, slots=True)
class Depth:
    """How deep a topic is: its turns of today, the number of different days on which it came up, and the memories about it."""

    topic: str
    depth: int
    days: int
    memories: int


class Journey:
    """Safe to use from several threads; other processes may write into the same log."""

    def __init__(self, chat: LineLog, clock: Clock) -> None:
        self._chat = chat
        self._clock = clock
        self._sessions = Sessions()
        self._lock = threading.Lock()
        self._day: date | None = None
        self._branches: list[Branch] = []
        self._read_to = 0
        self._remember()

    def now(self) -> datetime:
        """Return the clock's: its offset says which turns are today's."""
        return self._clock.now()

    # Conversations

    def turns(self, session_id: str | None) -> tuple[Exchange, ...]:
        """Return the last turns of a conversation, oldest first; none after a pause."""
        return self._sessions.turns(session_id, self._clock.now())

    def told(self, session_id: str | None, text: str) -> None:
        """Record that something is being told: the next turn may refer to it. Its line is written once it is remembered."""
        self._sessions.add(session_id, Exchange(text, told=True), self._clock.now())

    def answered(self, query: Query, found: Answer, *, session_id: str | None, channel: str | None) -> None:
        """Record the answer to a question."""
        cited = tuple(dict.fromkeys(each.atom_id for each in found.citations))
        turn = ChatTurn(
            self._clock.now(),
            query.text,
            found.answer,
            session_id,
            channel,
            cited,
            found.related_subjects[:SUBJECTS],
            reformulated_query=found.reformulated_query,
            unanswered=not found.answered,
            trace_id=found.trace_id,
        )
        self._sessions.add(session_id, Exchange(found.reformulated_query or query.text, found.answer), turn.ts)
        self.note(turn)

    def noted(self, turn: ChatTurn) -> ChatTurn:
        """Return a turn that another program answered or captured by itself, as it stands in the log."""
        self._follow(turn)
        return self.note(turn)

    # The log

    def note(self, turn: ChatTurn) -> ChatTurn:
        """Write a turn down, with its topic. The same turn again is another one."""
        with self._lock:
            try:
                if turn.question and not turn.left_nothing and not turn.query_topic:
                    turn = replace(turn, query_topic=query_topic(turn, self._today(turn.ts.date())))
                self._chat.append([line_of(turn)])
            except Unavailable:
                log.warning("log_not_written", log="chat")
        return turn

    def recent(self, limit: int) -> list[ChatTurn]:
        """Return turns, newest first."""
        return list(islice(self.newest(), limit))

    def today(self) -> list[ChatTurn]:
        """Return today's turns, oldest first; days are those of the clock's own offset."""
        today = self._clock.now().date()
        return [turn for turn in self._after(LONGEST_DAY) if self._day_of(turn) == today]

    def depths(self, memories: Callable[[str], int]) -> list[Depth]:
        """Return the depth of each topic of the day, the latest last; `memories` counts those about a topic."""
        days: dict[str, set[date]] = {}
        for turn in islice(self.newest(), LOOKED_BACK):
            if turn.query_topic:
                days.setdefault(turn.query_topic.casefold(), set()).add(self._day_of(turn))
        todays = sorted(branches(self.today()), key=lambda branch: branch.turns[-1].ts)
        return [
            Depth(each.topic, len(each.turns), len(days.get(each.topic.casefold(), ())) or 1, memories(each.topic))
            for each in todays
        ]

    def clear_today(self) -> int:
        """Erase today's turns from the log, and begin every conversation anew; return how many turns there were. Memories
        stay."""
        today = self._clock.now().date()

        def is_todays(line: object) -> bool:
            turn = turn_of(line) if isinstance(line, dict) else None
            return turn is not None and self._day_of(turn) == today

        with self._lock:
            dropped = self._chat.drop(is_todays)
            self._day = None
            self._sessions = Sessions()
        return dropped

    def forget_conversations(self) -> None:
        """Drop the turns kept in memory and the branches of the day: lines of the log were erased."""
        with self._lock:
            self._day = None
            self._sessions = Sessions()

    def end(self) -> int:
        """Return a number that changes with whatever is written into the log, or taken out of it."""
        return self._chat.end()

    def newest(self) -> Iterator[ChatTurn]:
        """Return all of them, newest first."""
        return (turn for turn in map(turn_of, self._chat.newest()) if turn is not None)

    def _day_of(self, turn: ChatTurn) -> date:
        return turn.ts.astimezone(self._clock.now().tzinfo).date()

    def _after(self, ago: timedelta) -> list[ChatTurn]:
        """Return turns that are not older, oldest first. Lines of several processes are nearly in order: one that is a day older
        ends the search."""
        oldest = self._clock.now() - ago
        found: list[ChatTurn] = []
        for turn in self.newest():
            if turn.ts < oldest - timedelta(days=1):
                break
            if turn.ts >= oldest:
                found.append(turn)
        return sorted(found, key=lambda turn: turn.ts)

    def _remember(self) -> None:
        """Restore the conversations of the last hours after a start."""
        for turn in self._after(PAUSE):
            self._follow(turn)

    def _follow(self, turn: ChatTurn) -> None:
        """Take a turn into its conversation."""
        if turn.context_reset:
            self._sessions.forget(turn.session_id)
        if turn.question:
            self._sessions.add(turn.session_id, _exchange(turn), turn.ts)

    def _today(self, day: date) -> list[Branch]:
        """Return the branches of the current day, with what other processes wrote meanwhile: a server's API and worker."""
        lines, read_to = self._chat.since(self._read_to) if day == self._day else ([], 0)
        if day != self._day or read_to < self._read_to:  # a new day, or one that was cleared
            self._read_to = self._chat.end()
            self._day, self._branches = day, bounded(branches(self.today()))
            return self._branches
        self._read_to = read_to
        for turn in filter(None, map(turn_of, lines)):
            if turn.journey_ended:
                self._branches = []
            if turn.question and not turn.left_nothing and self._day_of(turn) == day:
                add(turn, self._branches)
        self._branches = bounded(self._branches)
        return self._branches


def _exchange(turn: ChatTurn) -> Exchange:
    asked = turn.reformulated_query or turn.question
    return Exchange(asked, told=True) if turn.told else Exchange(asked, turn.answer)


def told_turn(turn: ChatTurn, *, new: int, updated: int) -> ChatTurn:
    """Return a turn that told something, as it stands in the log."""
    return replace(turn, question=turn.question[:LONGEST_TOLD], answer=captured_answer(new, updated))
