"""The elements of a JSON array one by one, however long the file is; of an object, those of one array in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

import orjson

from lattice_common.errors import InvalidInput

CHUNK = 1 << 20
LONGEST_ELEMENT = 25_000_000
"""The most bytes of one conversation, or of the fields beside the messages of a chat: a longer one is skipped and reported."""
MOST_VALUES = 1_000_000
"""The most texts, objects and arrays of one conversation: each takes a hundred bytes of memory, however small it is."""
DEEPEST = 100
"""The deepest nesting of objects and arrays, which is also the depth of recursion. Exports of known programs have ten."""

_MARKS = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\]]', re.DOTALL)
"""A whole text, a bracket, or the beginning of a text whose end has not come yet."""
_KEY_IS_NEAR = 64
"""The most white space between a key and its value."""
_SPACE = b" \t\r\n,"
_OPENING = re.compile(rb"\s*+:\s*+\[")
_DEEPER = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


@dataclass(frozen=True, slots=True)
class Passed:
    """An element that was passed over, and why."""

    reason: str


TOO_LONG = Passed(f"a conversation in it has more than {LONGEST_ELEMENT // 1_000_000} MB. Split it")
TOO_MANY = Passed(f"a conversation in it has more than {MOST_VALUES:,} values. Split it")
TOO_DEEP = Passed(f"more than {DEEPEST} objects lie within each other in it: no program is known that exports such")


def elements(file: IO[bytes], key: str | None = None, *, most_values: int = MOST_VALUES) -> Iterator[Any]:
    """Yield the elements of the array that a file is, or that its object has under `key` (of a nested one: "chats/list"); an
    object without a key is one element. JSON lines are elements, too. `Passed` takes the place of an element that is too long or
    holds more than `most_values`. Raise `InvalidInput` for what is no JSON."""
    scan = _Scan(file, most_values=most_values)
    if _enter(scan, key):
        yield from scan.values()


def opened(
    file: IO[bytes], inner: str, key: str | None = None, *, longest: int = LONGEST_ELEMENT
) -> Iterator[dict[str, Any] | Passed]:
    """Yield objects as `elements` does, each without its array `inner`, followed by the elements of that array one by one:
    consume them before asking for the next object. So an object may have any length. What follows the array is left out. Raise as
    `elements` does."""
    scan = _Scan(file, longest=longest)
    if _enter(scan, key):
        yield from scan.objects(inner)


def is_light(content: bytes) -> bool:
    """Return whether JSON holds no more values, and no deeper ones, than may be read at once."""
    depth = 0
    for number, mark in enumerate(_MARKS.finditer(content)):
        if number > MOST_VALUES or depth > DEEPEST:
            return False
        depth += _DEEPER.get(mark[0], 0)
    return True


def _enter(scan: _Scan, key: str | None) -> bool:
    opening = scan.first()
    if opening == b"{" and key is not None:
        return scan.seek(key)
    if opening == b"[":
        scan.step()
    return True


class _Scan:
    """Scans a file in chunks and drops what was passed."""

    def __init__(self, file: IO[bytes], *, longest: int = LONGEST_ELEMENT, most_values: int = MOST_VALUES) -> None:
        self._file = file
        self._longest = longest
        self._most_values = most_values
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
        while (start := self._start()) in (b"{", b"["):
            value, _ = self._value(None)
            yield value if isinstance(value, Passed) else _parsed(value)
        if start == b"]":
            self._at += 1

    def objects(self, inner: str) -> Iterator[dict[str, Any] | Passed]:
        while self._start() == b"{":
            value, within = self._value(b'"%s"' % inner.encode())
            if isinstance(value, Passed):
                yield value
            elif not within:
                yield _parsed(value)
            else:
                rest = self.values()
                yield _parsed(value.rstrip(_SPACE) + b"}") | {inner: rest}
                for _ in rest:
                    pass
                self._leave()

    def _start(self) -> bytes:
        self._skip()
        return self._held[self._at : self._at + 1]

    def _leave(self) -> None:
        """Move behind the innermost object."""
        self._value(None, depth=1)

    def _value(self, inner: bytes | None, depth: int = 0) -> tuple[bytes | Passed, bool]:
        """Return the bytes of the object or array that begins here, and False; of one that has an array under the quoted key
        `inner` those before the key, and True. `depth` is that of the place where this is. Raise `InvalidInput` where the file
        ends within."""
        seen = count = 0
        passed: Passed | None = None
        while True:
            for mark in _MARKS.finditer(self._held, self._at + seen):
                sign, seen = mark[0], mark.start() - self._at
                if sign == b'"':
                    break
                if sign == inner and depth == 1:
                    opening = self._opens(mark.end())
                    if opening is None:
                        break
                    if opening:
                        value, self._at = self._held[self._at : mark.start()], opening
                        return passed or value, passed is None
                count += 1
                depth += _DEEPER.get(sign, 0)
                if not depth:
                    value, self._at = self._held[self._at : mark.end()], mark.end()
                    return passed or (value if len(value) <= self._longest else TOO_LONG), False
                if depth > DEEPEST or count > self._most_values:
                    passed = passed or (TOO_DEEP if depth > DEEPEST else TOO_MANY)
            else:
                seen = len(self._held) - self._at
            if passed is None and seen > self._longest:
                passed = TOO_LONG
            if passed:
                self._at, seen = self._at + seen, 0
            self._more()

    def _opens(self, end: int) -> int | None:
        """Return the start of the array behind a text that ends at `end`, if the text is its key; 0 where it is not, None where
        the answer is not read yet."""
        following = self._held[end : end + _KEY_IS_NEAR]
        if found := _OPENING.match(following):
            return end + found.end()
        return 0 if following.lstrip().lstrip(b":").lstrip() or len(following) == _KEY_IS_NEAR else None

    def _more(self) -> None:
        if len(self._held) - self._at > 2 * self._longest:
            raise InvalidInput(f"A text in it has more than {self._longest // 1_000_000} MB. Split it.")
        if not self._fill():
            raise InvalidInput("The file ends in the middle: it was cut short. Export it anew, or import what there is of it.")

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


def _parsed(value: bytes) -> Any:
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"This is no JSON that can be read ({error}). Export it anew.") from error
