"""Conversations: windows of turns, and transcripts pasted as plain text."""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from lattice_common.domain.capture import Turn
from lattice_common.ingest.segment.pieces import LONGEST_SEGMENT, Piece
from lattice_common.language.facts.direct_speech import names_a_person
from lattice_common.language.facts.forwarded import Forwarded, forwarded
from lattice_common.language.role_labels import ROLES, labelled_turns
from lattice_common.language.words import any_of

TURNS_PER_WINDOW = 12
"""Turns read at once: enough for what a pronoun or a "yes" refers to, few enough for one call to a model."""

CONTEXT = 600
"""Characters of the turn before a window that go with it."""


def windows(text: str, turns: Sequence[Turn]) -> Iterator[Piece]:
    """Yield consecutive turns, each window from the line of its first turn to the end of its last one's words."""
    window: list[Turn] = []
    start = 0
    previous: Turn | None = None
    for turn in turns:
        if window and (len(window) >= TURNS_PER_WINDOW or turn.end - start > LONGEST_SEGMENT):
            yield Piece(start, window[-1].end, turns=tuple(window), context=_before(text, previous))
            previous, start, window = window[-1], window[-1].end, []
        window.append(turn)
    if window:
        yield Piece(start, window[-1].end, turns=tuple(window), context=_before(text, previous))


def _before(text: str, turn: Turn | None) -> str:
    if turn is None:
        return ""
    words = text[max(turn.start, turn.end - CONTEXT) : turn.end]
    return f"{turn.speaker}: {words}" if turn.speaker else words


_LINE = re.compile(
    r"^(?:[*_]{1,2})?(?:[\[(]?(?P<time>(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?[ T])?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?)[\])]?[ \t]*(?:[-–][ \t]+)?)?"
    r"<?(?P<name>[A-ZÀ-ÞА-Я][\w.'’-]{0,30}(?: [A-ZÀ-ÞА-Я][\w.'’-]{0,30}){0,2}|" + any_of(ROLES) + r")>?"
    r"(?:[*_]{1,2})?:(?:[*_]{1,2})?[ \t]+(?=\S)",
    re.MULTILINE,
)
_LABELS = frozenset(
    """note notes todo tip warning update edit ps nb re subject from to date cc summary title url link source example question
    answer name address phone email time place location when where who what why how tags tags: author status""".split()
)


def with_an_assistant(text: str, observed_at: datetime) -> tuple[Turn, ...]:
    """Return the turns of a conversation with an assistant, pasted or kept as a file, or none when it is not one."""
    return tuple(replace(turn, observed_at=observed_at) for turn in labelled_turns(text))


def _with_rest(text: str, message: Forwarded, observed_at: datetime) -> tuple[Turn, ...]:
    """Return the message of another, and what the owner says behind it."""
    turns = [Turn(message.start, message.end, "user", message.who, observed_at)]
    rest = text[message.end :]
    behind = rest.lstrip('"”“»')
    if said := behind.strip():
        start = len(text) - len(behind.lstrip())
        turns.append(Turn(start, start + len(said), "user", None, observed_at))
    return tuple(turns)


def transcript(text: str, observed_at: datetime) -> tuple[Turn, ...]:
    """Return the turns of a conversation pasted as text, or none when it is not one.

    It is one when it begins with `Name:` lines of two or three names that come again (at least four lines in all, or three with
    times, or with nothing else where one of them is the owner's `me:`); a list of labels (`Phone: …`, `Note: …`) is not. One with
    an assistant is one however long its answers are. A message of another's below a line with the name (`From: Sarah`) is a turn.
    """
    if turns_of_roles := with_an_assistant(text, observed_at):
        return turns_of_roles
    if message := forwarded(text):
        return _with_rest(text, message, observed_at)
    head = _LINE.match(text.lstrip())
    if head is None:
        return ()
    lines = list(_LINE.finditer(text))
    names = [match["name"] for match in lines]
    distinct = set(names)
    timed = sum(1 for match in lines if match["time"])
    known = sum(1 for name in names if name.lower() in ROLES)
    if any(name.lower() in _LABELS for name in distinct):
        return ()
    filled = sum(1 for line in text.splitlines() if line.strip())
    with_me = known and filled == len(lines) and all(name.lower() in ROLES or names_a_person(name) for name in distinct)
    repeats = with_me or (len(names) >= 4 and len(distinct) <= max(2, len(names) // 2))
    if len(distinct) < 2 or not (
        repeats or (timed == len(names) and len(names) >= 2) or (known == len(names) and len(names) >= 2)
    ):
        return ()
    if filled > 4 * len(lines):
        return ()
    turns: list[Turn] = []
    for at, match in enumerate(lines):
        stop = lines[at + 1].start() if at + 1 < len(lines) else len(text)
        end = match.end() + len(text[match.end() : stop].rstrip())
        role = ROLES.get(match["name"].lower(), "user")
        speaker = None if match["name"].lower() in ROLES else match["name"]
        turns.append(Turn(match.end(), end, role, speaker, observed_at))
    return tuple(turns)
