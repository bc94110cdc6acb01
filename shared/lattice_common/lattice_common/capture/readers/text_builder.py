"""Puts a document's text together, and keeps where each stretch of it stood.

    builder = TextBuilder(limits)
    for number, page in enumerate(pages, 1):
        if not builder.add(page, f"page {number}"):
            break  # full: `partial:…` is noted by itself
    return builder.build("pdf", title="Minutes")

What is added is made clean: no control characters, no lone surrogates, nothing that changes how text looks without being seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lattice_common.capture.plain_text import INVISIBLE
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.capture import Place, SourceType
from lattice_common.domain.reading import Reading

BLOCK = "\n\n"
"""Between paragraphs, and between a table and what surrounds it."""
LINE = "\n"
"""Between the rows of one table, the items of one list."""

_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class TextBuilder:
    """One document's text so far. Not thread-safe."""

    def __init__(self, limits: Limits) -> None:
        self._room = limits.text_bytes
        self._limit = limits.text_bytes
        self._parts: list[str] = []
        self._places: list[Place] = []
        self._length = 0
        self._notes: dict[str, None] = {}
        self._full = False

    @property
    def full(self) -> bool:
        """Return whether the text limit is reached: nothing more is added."""
        return self._full

    @property
    def empty(self) -> bool:
        """Return whether nothing but space was added."""
        return not self._parts

    def note(self, code: str) -> None:
        """Add a short code of what was noticed (`domain.reading.Reading`), once."""
        self._notes[code] = None

    def add(self, text: str, place: str | None = None, *, between: str = BLOCK) -> bool:
        """Append one piece, set off from what is before by `between` (`BLOCK` or `LINE`). Line ends and spaces around it go; what
        is nothing but them is left out. `place` says where it stood ("page 12"): pieces one after the other of the same place
        become one. False when the text is full: the piece is cut, `partial:…` noted, and later ones are ignored."""
        piece = self._clean(text).strip("\n\r").rstrip()
        if self._full or not piece.strip():
            return not self._full
        if self._parts:
            self._append(between)
        size = len(piece.encode())
        if size > self._room:
            piece = piece.encode()[: max(0, self._room)].decode("utf-8", "ignore")
            self._full = True
            self.note(f"partial:the first {self._limit / 1_000_000:g} MB of text")
        start = self._length
        self._append(piece)
        if place is not None and piece:
            self._mark(start, place)
        return not self._full

    def include(self, reading: Reading, place: str) -> bool:
        """Append what another reader made of something within (an attachment, a mail of several); its places stand behind
        `place`. False when the text is full."""
        if self._full or not reading.text:
            return not self._full
        before = self._length + (len(BLOCK) if self._parts else 0)
        room = self.add(reading.text)
        at = before
        for inner in reading.places:
            for start, end, label in ((at, before + inner.start, place), (before + inner.start, before + inner.end, inner.label)):
                if min(end, self._length) > start:
                    self._mark(start, label if label == place else f"{place}, {label}", min(end, self._length))
            at = max(at, before + inner.end)
        if self._length > at:
            self._mark(at, place)
        return room

    def build(self, source_type: SourceType, notes: Iterable[str] = (), title: str | None = None) -> Reading:
        """Return the reading, with the notes of `note` first. A title is one line of at most 300 characters, or None."""
        line = " ".join(self._clean(title or "").split())[:300] or None
        every = tuple(dict.fromkeys((*self._notes, *notes)))
        return Reading(source_type, "".join(self._parts), tuple(self._places), every, line)

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        self._room -= len(text.encode())

    def _mark(self, start: int, label: str, end: int | None = None) -> None:
        last = self._places[-1] if self._places else None
        end = self._length if end is None else end
        if last is not None and last.label == label and start - last.end <= len(BLOCK):
            self._places[-1] = Place(last.start, end, label)
        else:
            self._places.append(Place(start, end, label))

    def _clean(self, text: str) -> str:
        if text.isascii() and text.isprintable():
            return text
        text = _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
        if INVISIBLE.search(text):
            text = INVISIBLE.sub("", text)
            self.note("invisible-removed")
        return _SURROGATE.sub("\ufffd", text)


def heading_path(path: Sequence[tuple[int, str]], level: int, title: str) -> list[tuple[int, str]]:
    """Return the headings above what comes after a heading of this level, each with its own."""
    return [*((depth, above) for depth, above in path if depth < level), (level, title[:80])]


def path_label(path: Sequence[tuple[int, str]]) -> str | None:
    """Return a place by its headings: the two innermost."""
    return " › ".join(title for _, title in path[-2:]) or None
