"""Finding a quote in the text that it is said to come from.

A quote is found as it is, or except for what typing and copying change: runs of white space, case, quotation marks, dashes and
compatibility forms (NFKC). Nothing else: a similar passage is no quote. Linear in the text.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from lattice_common.domain.atom import Span

_MARKS = {
    **dict.fromkeys("‘’‚‛′‹›`´", "'"),
    **dict.fromkeys("“”„‟″«»「」『』", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
}
_UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")


def locate(quote: str, text: str, *, near: int | None = None) -> Span | None:
    """Return the span of `quote` in `text`; of several the one whose start is nearest to `near` (the first without it).

    Return None for a quote without a word, and where it is not found.
    """
    quote = quote.strip()
    if not quote:
        return None
    at = _nearest(quote, text, near)
    if at is not None:
        return Span(at, at + len(quote))
    wanted, _ = folded(quote)
    wanted = wanted.strip()
    if not wanted:
        return None
    plain, origins = _folded_before(text)
    at = _nearest(wanted, plain, None if near is None else _folded_offset(origins, near))
    if at is None:
        return None
    start, end = origins[at], origins[at + len(wanted) - 1] + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return Span(start, end)


def folded(text: str) -> tuple[str, list[int]]:
    """Return `text` in the form in which quotes are compared, and for each of its characters the offset that it comes from.

    Combining marks are composed with the letter before them, so NFC and NFD are equal.
    """
    out: list[str] = []
    origins: list[int] = []
    space = True
    at = 0
    size = len(text)
    while at < size:
        here = at
        char = text[at]
        at += 1
        while at < size and unicodedata.combining(text[at]) and at - here < _LONGEST_CLUSTER:
            at += 1
        if at - here > 1:
            char = text[here:at]
        elif char in _UNSEEN:
            continue
        if char.isspace():
            if not space:
                out.append(" ")
                origins.append(here)
            space = True
            continue
        space = False
        for piece in _MARKS.get(char) or unicodedata.normalize("NFKC", char).casefold():
            out.append(_MARKS.get(piece, piece))
            origins.append(here)
    return "".join(out), origins


@lru_cache(maxsize=16)
def _folded_before(text: str) -> tuple[str, list[int]]:
    """Return the same, kept for the next quote: hundreds may be looked for in one text."""
    return folded(text)


_LONGEST_CLUSTER = 32
"""More combining marks than this on one letter are noise; limiting them keeps folding linear."""


def _nearest(needle: str, text: str, near: int | None) -> int | None:
    first = text.find(needle)
    if first < 0:
        return None
    if near is None:
        return first
    after = text.find(needle, max(near, 0))
    before = text.rfind(needle, 0, max(near, 0) + len(needle) - 1) if near > 0 else -1
    found = [at for at in (before, after) if at >= 0]
    return min(found, key=lambda at: abs(at - near)) if found else first


def _folded_offset(origins: list[int], offset: int) -> int:
    low, high = 0, len(origins)
    while low < high:
        middle = (low + high) // 2
        if origins[middle] < offset:
            low = middle + 1
        else:
            high = middle
    return low
