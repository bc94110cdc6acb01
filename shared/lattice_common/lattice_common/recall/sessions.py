"""The last turns of each conversation, in memory, for follow-ups. Bounded; `journey` restores them at a start."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from lattice_common.domain.recall import Exchange
from lattice_common.language.people.coreference import leaning
from lattice_common.language.questions.follow_up import leans_back
from lattice_common.recall.conversation import TURNS

SESSIONS = 500
"""Conversations that are remembered; the one that has been silent longest goes first."""
LONGEST_TURN = 2_000
"""Characters of a question or an answer that are remembered."""
PAUSE = timedelta(hours=2)
"""After a pause of this length a conversation begins anew: nobody means by "she" whom they asked about in the morning."""
CONTEXT_TURNS = 2
LONGEST_CONTEXT = 600


@dataclass(slots=True)
class _Session:
    turns: tuple[Exchange, ...]
    at: datetime


class Sessions:
    """Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, _Session] = OrderedDict()

    def turns(self, session_id: str | None, now: datetime) -> tuple[Exchange, ...]:
        """Return the last turns, oldest first; none after a pause."""
        if session_id is None:
            return ()
        with self._lock:
            session = self._sessions.get(session_id)
            return session.turns if session and timedelta(0) <= now - session.at <= PAUSE else ()

    def add(self, session_id: str | None, exchange: Exchange, now: datetime) -> None:
        """Remember a turn."""
        if session_id is None:
            return
        turn = Exchange(exchange.question[:LONGEST_TURN], exchange.answer[:LONGEST_TURN], exchange.told)
        before = self.turns(session_id, now)
        with self._lock:
            self._sessions[session_id] = _Session((*before, turn)[-TURNS:], now)
            self._sessions.move_to_end(session_id)
            while len(self._sessions) > SESSIONS:
                self._sessions.popitem(last=False)

    def forget(self, session_id: str | None) -> None:
        """Begin a conversation anew."""
        with self._lock:
            self._sessions.pop(session_id or "", None)


def context_of(statement: str, turns: tuple[Exchange, ...]) -> str | None:
    """Return the words before a statement that refers to them ("she moved to Berlin", "make that 5pm"), nearest last; None for
    one that can stand alone. A statement that is sent again has the context it had before."""
    while turns and turns[-1].told and turns[-1].question == statement[:LONGEST_TURN]:
        turns = turns[:-1]
    if not turns or not (leans_back(statement) or leaning(statement[:LONGEST_TURN])):
        return None
    said = [words for turn in turns[-CONTEXT_TURNS:] for words in (turn.question, turn.answer) if words]
    return "\n".join(said).replace("|", "/")[-LONGEST_CONTEXT:]  # no table
