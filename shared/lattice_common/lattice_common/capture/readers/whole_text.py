"""Readings of text that needs no parser: notes, markdown, code, logs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lattice_common.capture.readers.kind import utf16_without_mark
from lattice_common.capture.readers.leaders import with_pairs_of_leaders
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.text_builder import TextBuilder, heading_path, path_label
from lattice_common.domain.capture import Place, SourceType
from lattice_common.domain.reading import Reading

_TITLE = re.compile(r"\A(?:---\n.{0,4000}?^(?:---|\.\.\.)\n)?\s*# +([^\n]{1,300})", re.DOTALL | re.MULTILINE)
_HEADING_OR_FENCE = re.compile(r"^ {0,3}(?:(?P<fence>`{3,}|~{3,})|(?P<marks>#{1,6})[ \t]++(?P<title>[^\n]*)$)", re.MULTILINE)
_TITLE_FIELD = re.compile(r"\A---\n(?:(?!---)[^\n]*\n){0,50}?title:[ \t]*[\"']?([^\n]{1,300}?)[\"']?[ \t]*\n")


def utf8_reading(content: bytes, kind: SourceType, limits: Limits, notes: Sequence[str] = ()) -> Reading | None:
    """Return None when it is not UTF-8: finding out what else it is takes a library (`text.py`)."""
    if utf16_without_mark(content) is not None:
        return None
    try:
        return reading_of(content.decode("utf-8-sig"), kind, limits, notes)
    except UnicodeDecodeError:
        return None


def reading_of(text: str, kind: SourceType, limits: Limits, notes: Sequence[str] = ()) -> Reading:
    """Return the text, clean and not too long; nothing at all is a reading too, with the note `empty`."""
    builder = TextBuilder(limits)
    builder.add(with_pairs_of_leaders(text) if kind == "plain" else text)
    if builder.empty:
        builder.note("empty")
    if kind != "markdown":
        return builder.build(kind, notes)
    reading = builder.build(kind, notes, _title(text))
    return replace(reading, places=tuple(_places(reading.text)))


def _title(text: str) -> str | None:
    """Return what a markdown file calls itself: the frontmatter's title, or the heading it begins with."""
    beginning = text[:10_000].replace("\r\n", "\n")
    found = _TITLE_FIELD.match(beginning) or _TITLE.match(beginning)
    return found[1].strip() if found else None


def _places(text: str) -> Iterator[Place]:
    """Yield what stands below headings, by their titles."""
    path: list[tuple[int, str]] = []
    start, fence = 0, ""
    for found in _HEADING_OR_FENCE.finditer(text):
        if found["fence"]:
            fence = "" if fence and found["fence"].startswith(fence) else fence or found["fence"]
        elif not fence:
            if (label := path_label(path)) and found.start() > start:
                yield Place(start, found.start(), label)
            start = found.start()
            path = heading_path(path, len(found["marks"]), found["title"].rstrip("# \t"))
    if (label := path_label(path)) and start < len(text):
        yield Place(start, len(text), label)
