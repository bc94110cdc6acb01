"""Where a text is cut into passages: at pages, slides and sheets, before headings, around what a mail quotes, and else at the end
of a paragraph or line.

Linear in the text; the same capture gives the same passages. Nothing but white space is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from lattice_common.domain.capture import Capture, Place, Trust, Turn, place_at, turn_at
from lattice_common.domain.enclosed import enclosing, place_within
from lattice_common.domain.forgetting import MARK
from lattice_common.domain.formats import STRUCTURED
from lattice_common.domain.passage import Passage
from lattice_common.ingest.extract.quoted import quoted_in
from lattice_common.ingest.segment import turns_of
from lattice_common.ingest.segment.infer import source_type_of
from lattice_common.ingest.segment.pieces import last_break
from lattice_common.language.facts.worth import is_document

LONGEST_PASSAGE = 600
"""Characters: a few sentences, what an embedding model sees whole and a reader at a glance."""
TINY = 300
"""Characters up to which a file of plain words has no passages: each statement of it is a memory."""
HEADED = 200
"""Characters from which on a heading begins a new passage: shorter sections go together."""
LONG, LONG_TALK = 1_500, 8_000
"""Characters from which on a note or mail has passages, and a conversation, of which each turn is remembered with those around it
already."""
LONG_REPLY = 120
"""Characters from which on an assistant's reply has passages, in any conversation: of what it said only recommendations are
remembered, and shorter ones say "You're welcome"."""
LONGEST_ASKED = 160
"""Characters of what was asked that stand above a reply."""
LONGEST_HEAD = 300
"""Characters of a table's head that are repeated above what goes on with the table."""

_HEADING = re.compile(r"(?m)^ {0,3}(#{1,6})[ \t]+([^\n]+?)[ \t]*#*[ \t]*$")
_TAKEN = re.compile(rf"(?:{MARK}+\s*)+")
_ROW = re.compile(r",? (?:row|line) .*|(?:\A|, )paragraph \d+\Z", re.DOTALL)


def passages_of(capture: Capture) -> list[Passage]:
    """Return a capture as passages, in order."""
    # A file that looks like a conversation is a document all the same: all of it is searched.
    turns = capture.turns if is_document(capture) else turns_of(capture)
    if not _has_passages(capture, turns):
        return []
    text, kind = capture.text, source_type_of(capture)
    structured = kind in STRUCTURED
    headings, trust = _headings(text) if structured else [], _trust(capture, turns)
    starts = [at for at, _ in headings]
    found: list[Passage] = []
    for start, end in _stretches(capture, turns, starts):
        content = _TAKEN.sub("[…] ", text[start:end]).strip()
        if not any(map(str.isalnum, content)):
            continue
        above = bisect_right(starts, start) - 1
        named, place = _named(capture, start)
        found.append(
            Passage(
                capture_id=capture.capture_id,
                ordinal=len(found),
                start=start,
                end=end,
                content=content,
                observed_at=capture.observed_at,
                received_at=capture.received_at,
                headings=headings[above][1] if above >= 0 else _answered(capture.text, turns, start),
                table_head=_table_head(text, start) if structured else "",
                place=place,
                title=capture.title,
                name=named,
                source=capture.source,
                trust=trust,
                source_type=kind,
                source_id=capture.source_id,
                session_id=capture.session_id,
            )
        )
    return found


def _has_passages(capture: Capture, turns: Sequence[Turn]) -> bool:
    """Return whether a capture is kept as passages, too."""
    if is_document(capture):
        return len(capture.text) > TINY or source_type_of(capture) not in ("plain", "markdown")
    return len(capture.text) > (LONG_TALK if turns else LONG) or bool(_long_replies(turns))


def _long_replies(turns: Sequence[Turn]) -> list[tuple[int, int]]:
    """Return what an assistant said at length."""
    replies = [(turn.start, turn.end) for turn in turns if turn.role == "assistant"]
    return [(start, end) for start, end in replies if end - start >= LONG_REPLY]


def _answered(text: str, turns: Sequence[Turn], start: int) -> tuple[str, ...]:
    """Return what an assistant's reply that `start` is of answers: "sisal post" alone does not say that it is about a cat."""
    at = turn_at(turns, start)
    if at is None or at == 0 or turns[at].role != "assistant":
        return ()
    asked = " ".join(text[turns[at - 1].start : turns[at - 1].end].split())
    return (asked if len(asked) <= LONGEST_ASKED else f"{asked[:LONGEST_ASKED].rstrip()} …",) if asked else ()


def _shown(capture: Capture, turns: Sequence[Turn]) -> list[tuple[int, int]]:
    """Return the stretches that are cut, each by itself: pages, or of a short conversation the long replies alone."""
    if turns and len(capture.text) <= LONG_TALK:
        return _long_replies(turns)
    return _apart(_pages(capture.places, len(capture.text)), [at for span in quoted_in(capture) for at in (span.start, span.end)])


def _apart(stretches: Iterable[tuple[int, int]], edges: Sequence[int]) -> list[tuple[int, int]]:
    """Return the stretches, parted at the edges of what a mail quotes."""
    found: list[tuple[int, int]] = []
    for low, high in stretches:
        within = edges[bisect_right(edges, low) : bisect_left(edges, high)]
        found += pairwise((low, *within, high))
    return found


def _named(capture: Capture, start: int) -> tuple[str | None, str | None]:
    """Return what the document at `start` is called, and where in it that is: of what is attached, the attachment's own."""
    holder, place = capture.original.name if capture.original else None, place_at(capture.places, start)
    within = enclosing(capture, start)
    return (within.name, place_within(within, place, holder)) if within else (holder, place)


def _trust(capture: Capture, turns: Sequence[Turn]) -> Trust:
    """Return the trust of the least trusted who speaks in it: what an assistant said is never the owner's word."""
    if capture.trust == "user" and any(turn.role != "user" for turn in turns):
        return "assistant"
    return capture.trust


def _stretches(capture: Capture, turns: Sequence[Turn], headings: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield `[start, end)` without the white space around, each within one page."""
    text = capture.text
    for low, high in _shown(capture, turns):
        at = low
        while at < high:
            end = min(at + LONGEST_PASSAGE, high)
            following = bisect_right(headings, at + HEADED)
            if following < len(headings) and headings[following] < end:
                end = headings[following]
            elif end < high:
                end = last_break(text, at + LONGEST_PASSAGE // 2, end)
            start, last = _bare(text, at, end)
            if start < last:
                yield start, last
            at = end


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _pages(places: Sequence[Place], length: int) -> Iterator[tuple[int, int]]:
    """Yield stretches of one page, slide or sheet; rows, lines and paragraphs of one go together. What stands before the first,
    or between two, goes with what is before it."""
    begin, current = 0, None
    for place in places:
        page = _ROW.sub("", place.label)
        if current is not None and page != current:
            yield begin, place.start
            begin = place.start
        current = page
    if begin < length:
        yield begin, length


def _headings(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """Return where each heading stands, and the path of headings down to it."""
    found: list[tuple[int, tuple[str, ...]]] = []
    path: list[tuple[int, str]] = []
    for match in _HEADING.finditer(text):
        level = len(match[1])
        while path and path[-1][0] >= level:
            path.pop()
        path.append((level, match[2][:200]))
        found.append((match.start(), tuple(each for _, each in path)))
    return found


def _table_head(text: str, start: int) -> str:
    """Return the head of the table in whose middle a passage begins; "" where it begins in none."""
    if text[start : start + 1] != "|":
        return ""
    first = at = start
    while at > 0 and start - at < 200_000:
        before = text.rfind("\n", 0, at - 1) + 1
        if text[before : before + 1] != "|":
            break
        first = at = before
    if first == start:
        return ""
    head = text[first : text.find("\n", first)]
    return head if len(head) <= LONGEST_HEAD and head.strip("| \t") else ""
