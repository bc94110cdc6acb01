"""The elements of a JSON array one by one, however long the file is; of an object, those of one array in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

import orjson

from lattice_common.errors import InvalidInput

CHUNK = 1 << 20
LONGEST_ELEMENT = 100_000_000
"""Bytes of one conversation: a longer one is passed over, and told."""

_MARKS = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\]]', re.DOTALL)
"""A whole text, a bracket, or the beginning of a text whose end has not come yet."""
_SPACE = b" \t\r\n,"


class Readable(Protocol):
    """As much of a file as is used here."""

    def read(self, size: int, /) -> bytes: ...


class TooLong(InvalidInput):
    """An element is longer than is taken."""


def elements(file: Readable, key: str | None = None) -> Iterator[Any]:
    """What stands in the array that a file is, or that its object has under `key` (of one within it: "chats/list"); an object
    without a key by itself. JSON lines are elements, too. Raises `InvalidInput` for what is no JSON."""
    scan = _Scan(file)
    opening = scan.first()
    if opening == b"{" and key is not None:
        if not scan.seek(key):
            return
    elif opening == b"[":
        scan.step()
    yield from scan.values()


class _Scan:
    """Goes through a file in chunks; what was passed is forgotten."""

    def __init__(self, file: Readable) -> None:
        self._file = file
        self._held = b""
        self._at = 0

    def first(self) -> bytes:
        self._fill()
        self._held = self._held.removeprefix(b"\xef\xbb\xbf")
        self._skip()
        return self._held[self._at : self._at + 1]

    def step(self) -> None:
        self._at += 1

    def seek(self, key: str) -> bool:
        """Go into the array under a key of the outermost object, or of an object in it."""
        *outer, last = key.split("/")
        if outer and not self._find(outer[0], b"{"):
            return False
        return self._find(last, b"[")

    def _find(self, key: str, opening: bytes) -> bool:
        mark = re.compile(rb'"%s"\s*:\s*%s' % (re.escape(key.encode()), re.escape(opening)))
        while True:
            if found := mark.search(self._held, self._at):
                self._at = found.end()
                return True
            self._at = max(self._at, len(self._held) - len(key) - 200)
            if not self._fill():
                return False

    def values(self) -> Iterator[Any]:
        while True:
            self._skip()
            start = self._held[self._at : self._at + 1]
            if start not in (b"{", b"["):
                return
            value = self._value()
            if value is None:
                raise InvalidInput(
                    "The file ends in the middle: it was cut short. Export it anew, or import what there is of it."
                )
            try:
                yield orjson.loads(value)
            except orjson.JSONDecodeError as error:
                raise InvalidInput(f"This is no JSON that can be read ({error}). Export it anew.") from error

    def _value(self) -> bytes | None:
        """The bytes of the object or array that begins here; None where the file ends within."""
        depth = seen = 0
        while True:
            for mark in _MARKS.finditer(self._held, self._at + seen):
                sign = mark[0]
                if sign == b'"':
                    seen = mark.start() - self._at
                    break
                if len(sign) == 1:
                    depth += 1 if sign in b"{[" else -1
                    if not depth:
                        value, self._at = self._held[self._at : mark.end()], mark.end()
                        return value
            else:
                seen = len(self._held) - self._at
            if len(self._held) - self._at > LONGEST_ELEMENT:
                raise TooLong("A conversation in it is longer than 100 MB. Split it.")
            if not self._fill():
                return None

    def _skip(self) -> None:
        while True:
            while self._at < len(self._held) and self._held[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._held) or not self._fill():
                return

    def _fill(self) -> bool:
        # As much again as is held: a long text is gone through a few times, and not once for each chunk of it.
        chunk = self._file.read(max(CHUNK, len(self._held) - self._at))
        self._held = self._held[self._at :] + chunk
        self._at = 0
        return bool(chunk)
