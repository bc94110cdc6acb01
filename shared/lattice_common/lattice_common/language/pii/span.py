"""Spans of personal data in a text."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lattice_common.language.patterns import lazy_regex

PiiKind: TypeAlias = Literal["SECRET", "URL", "EMAIL", "IBAN", "CARD", "IP", "PHONE", "ADDRESS", "ID", "PERSON"]

_ALIKE = str.maketrans(
    {
        **dict.fromkeys(
            "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
        ),
        **dict.fromkeys("\u2010\u2011\u2012\u2212\ufe63", "-"),
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    }
)
"""Spaces, hyphens and wide letters that are variants of ASCII ones."""
_OTHER_DIGIT = lazy_regex(r"(?![0-9])\d")
_UNSEEN = lazy_regex("[\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff]+")
"""Joiners, direction marks, soft hyphens, and combining accents."""

_ESCAPE = lazy_regex(r"\\(?:[nrtbf\"/\\]|u[0-9a-fA-F]{4})")


@dataclass(frozen=True, slots=True)
class PiiSpan:
    """`text[start:end]` is personal data of this kind."""

    start: int
    end: int
    kind: PiiKind


Finder: TypeAlias = Callable[[str], Iterable[PiiSpan]]
"""Returns spans of a text, in any order; they may overlap."""


def without_overlaps(found: Iterable[PiiSpan], length: int) -> list[PiiSpan]:
    """Return the spans without overlaps. The one that begins first keeps its place; of a later one the rest is kept, so that
    nothing found stays readable."""
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


def blanked(text: str) -> str:
    """Return the text with blanks for the escapes of JSON, as long as it was: the n of `\\n` is no letter of the word that
    follows."""
    return _ESCAPE.sub(lambda match: " " * len(match[0]), text)


def spans_of(text: str, finders: Sequence[Finder]) -> list[PiiSpan]:
    """Return what all finders find, the earlier finder's first; the text is read as JSON, as it is, and without invisible
    characters."""
    plain = plainly(text)
    readings = dict.fromkeys((blanked(plain), plain))
    found = [span for each in readings for find in finders for span in find(each)]
    if _UNSEEN.search(plain):
        seen, at = _without_unseen(plain)
        found += [PiiSpan(at[span.start], at[span.end], span.kind) for find in finders for span in find(seen)]
    return without_overlaps(found, len(text))


def plainly(text: str) -> str:
    """Return `text`, of the same length, with ASCII spaces, hyphens and digits, so that a number is found whatever its spaces
    are."""
    if text.isascii() and "\t" not in text:
        return text
    return _OTHER_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text.translate(_ALIKE))


def _without_unseen(text: str) -> tuple[str, list[int]]:
    """Return the text without invisible characters, and for each position, the end included, the one in `text`; an invisible
    character belongs to the one before it."""
    seen: list[str] = []
    at: list[int] = []
    end = 0
    for match in _UNSEEN.finditer(text):
        seen.append(text[end : match.start()])
        at += range(end, match.start())
        end = match.end()
    return "".join([*seen, text[end:]]), [*at, *range(end, len(text) + 1)]
