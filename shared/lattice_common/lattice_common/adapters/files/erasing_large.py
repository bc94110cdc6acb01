"""Forgetting in files that are too large to be held in memory: piece by piece.

Some megabytes are held at once. Pieces overlap, so that what lies across two of them is found. Each piece is searched for the
statements by patterns, and only what is around a hit is looked at word by word: all its words take two minutes for a gigabyte.
"""

from __future__ import annotations

import codecs
import json
import re
import sys
import uuid
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from lattice_common.adapters.files import durable
from lattice_common.domain.atom import Span
from lattice_common.domain.forgetting import without
from lattice_common.language.forgotten_words import ForgottenWords, words_of

PIECE = 4_000_000
"""Bytes that are read at once: more than `OVERLAP`."""
OVERLAP = 100_000
"""Characters of which the next piece begins with those of the last one: more than any statement has."""
MOST_PATTERNS = 50
"""Each is a pass over the text; beyond them two passes over its words are quicker."""
AROUND = 200
"""Characters on both sides of what a pattern finds that are looked at word by word with it."""


class Sought:
    """Finds forgotten statements and names in long texts. What the patterns find is what may be of them: `ForgottenWords` says
    what is."""

    def __init__(self, statements: Iterable[str], names: Iterable[str] = ()) -> None:
        said, named = tuple(statements), tuple(names)
        self._words = ForgottenWords(said, named).also_escaped()
        # JSON spells letters with escapes (`M\\u00fcller`).
        every = dict.fromkeys(words_of(each) for text in (*said, *named) for each in (text, json.dumps(text)[1:-1]))
        # A pattern that begins with letters is looked for much faster than one that begins with what is to be before them.
        self._patterns = [re.compile(r"\W+".join(map(re.escape, words)) + r"(?!\w)") for words in every if words]

    def are_in(self, text: str) -> bool:
        """Return whether any of it stands in a text."""
        return any(self._words.are_in(text[near.start : near.end]) for near in self._near(text))

    def blotted_out(self, text: str) -> str:
        """Return a text, as long as before, with only these words redacted."""
        parts: list[str] = []
        at = 0
        for near in self._near(text):
            parts += [text[at : near.start], self._words.blotted_out(text[near.start : near.end])]
            at = near.end
        return "".join((*parts, text[at:]))

    def _near(self, text: str) -> list[Span]:
        """Return the stretches of whole words in which something is found, in order and apart."""
        if len(self._patterns) > MOST_PATTERNS:
            return [Span(0, len(text))]
        folded = text.casefold()
        every = (match.span() for pattern in self._patterns for match in pattern.finditer(folded))
        found = [(start, end) for start, end in every if not (start and _is_of_a_word(folded[start - 1]))]
        places = _Places(text) if found and len(folded) != len(text) else None
        if places is not None:
            found = [(places.of(start), places.of(end)) for start, end in found]
        return without((_whole_words(text, start - AROUND, end + AROUND) for start, end in found), ())


class _Places:
    """Where in a text what stands in its folded form is: some letters fold to two or three (`ß`)."""

    def __init__(self, text: str) -> None:
        self._after: list[int] = []
        self._more = [0]
        for match in _grows().finditer(text):
            self._more.append(self._more[-1] + len(match.group().casefold()) - 1)
            self._after.append(match.end() + self._more[-1])

    def of(self, place: int) -> int:
        return place - self._more[bisect_right(self._after, place)]


@cache
def _grows() -> re.Pattern[str]:
    """Return a pattern of the letters that fold to more than one."""
    letters = (chr(number) for number in range(sys.maxunicode + 1))
    return re.compile(f"[{''.join(each for each in letters if len(each.casefold()) > 1)}]")


def _whole_words(text: str, start: int, end: int) -> Span:
    start, end = max(0, start), min(len(text), end)
    while start and _is_of_a_word(text[start - 1]):
        start -= 1
    while end < len(text) and _is_of_a_word(text[end]):
        end += 1
    return Span(start, end)


def _is_of_a_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def blot_out(path: Path, sought: Sought, piece_bytes: int = PIECE) -> bool:
    """Write a text file anew with forgotten words redacted; return whether it had to be. What is no UTF-8 is left alone, as a
    small file is. Raise as `durable` does."""
    try:
        if not any(sought.are_in(piece) for piece, _ in _pieces(path, piece_bytes)):
            return False
    except UnicodeDecodeError:
        return False
    beside = path.with_name(f".{uuid.uuid4().hex}{durable.TEMPORARY_MARK}large")
    descriptor = durable.create(beside)
    with open(descriptor, "wb") as held:  # noqa: PTH123 - a descriptor, not a path
        try:
            kept = ""
            for piece, is_last in _pieces(path, piece_bytes):
                # What was redacted of the overlap stays so, for a text that is redacted is as long as it was.
                text = sought.blotted_out(kept + piece[len(kept) :])
                kept = "" if is_last else text[-OVERLAP:]
                durable.extend(descriptor, text[: len(text) - len(kept)].encode())
            durable.flush(held.fileno())
            durable.place(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    return True


def _pieces(path: Path, piece_bytes: int) -> Iterator[tuple[str, bool]]:
    """Yield the text in pieces, each beginning with the end of the one before, and whether it is the last one."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    kept = ""
    with durable.open_regular(path) as file:
        while chunk := file.read(piece_bytes):
            text = kept + decode(chunk)
            yield text, False
            kept = text[-OVERLAP:]
        yield kept + decode(b"", final=True), True
