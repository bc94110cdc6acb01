"""Where personal data stands in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

PiiKind: TypeAlias = Literal["SECRET", "URL", "EMAIL", "IBAN", "CARD", "IP", "PHONE", "ADDRESS", "ID", "PERSON"]

_ESCAPE = re.compile(r"\\(?:[nrtbf\"/\\]|u[0-9a-fA-F]{4})")


@dataclass(frozen=True, slots=True)
class PiiSpan:
    """`text[start:end]` is of this kind."""

    start: int
    end: int
    kind: PiiKind


Finder: TypeAlias = Callable[[str], Iterable[PiiSpan]]
"""Spans of a text, in any order; they may overlap."""


def without_overlaps(found: Iterable[PiiSpan], length: int) -> list[PiiSpan]:
    """Those that came first keep their place; of a later one what they left is kept, so that nothing found stays readable."""
    taken = bytearray(length)
    kept = []
    for span in found:
        start = span.start
        while start < span.end:
            while start < span.end and taken[start]:
                start += 1
            end = start
            while end < span.end and not taken[end]:
                end += 1
            if end > start:
                kept.append(PiiSpan(start, end, span.kind))
                taken[start:end] = b"\1" * (end - start)
            start = end
    return sorted(kept, key=lambda span: span.start)


def trimmed(text: str, start: int, end: int, edges: str = " \t\r\n.,;:!?") -> tuple[int, int]:
    """Without blanks and punctuation at both ends."""
    while start < end and text[start] in edges:
        start += 1
    while end > start and text[end - 1] in edges:
        end -= 1
    return start, end


def blanked(text: str) -> str:
    """The text with blanks for the escapes of JSON, as long as it was: the n of `\\n` is no letter of the word that follows."""
    return _ESCAPE.sub(lambda match: " " * len(match[0]), text)


def spans_of(text: str, finders: Sequence[Finder]) -> list[PiiSpan]:
    """What all finders find, the earlier finder's first; read as what it may be in JSON, and as it stands."""
    readings = dict.fromkeys((blanked(text), text))
    return without_overlaps((span for each in readings for find in finders for span in find(each)), len(text))
