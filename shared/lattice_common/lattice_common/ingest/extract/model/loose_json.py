"""JSON as language models write it, read without guessing what they meant.

Beside JSON it takes: trailing and missing commas, single and typographic quotes, bare keys, raw line breaks in strings, comments,
`NaN`, `Infinity`, `undefined` and `None` (as null), `True` and `False`. What ends before it is whole is refused: a cut answer is
not an answer. Linear; depth and length are bounded. No regular expression sees the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lattice_common.domain.capture import JsonValue

DEEPEST = 12
_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_BARE = re.compile(r"[^\W\d][\w-]*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_WORDS: dict[str, JsonValue] = {"true": True, "false": False}
_NULLS = frozenset(("null", "none", "nan", "undefined", "infinity", "nil"))
_CLOSING: dict[str, str] = {'"': '"', "'": "'", "“": "”", "„": "“”", "«": "»", "‘": "’", "”": "”"}
_ESCAPES: dict[str, str] = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_ENDS: Final = re.compile(r"\s*(?:[,:}\]]|$)")
_CLOSES_STRICTLY = frozenset(('"', "»", "”", "“"))


class NotJsonError(ValueError):
    """Where and why a text cannot be read."""


class CutOffError(NotJsonError):
    """The text ends before what it began."""


def blocks(text: str, *, most: int) -> Iterator[JsonValue | NotJsonError]:
    """Yield the objects and lists in a text, in order, without what is inside of others; for one that cannot be read the reason,
    and then what is inside of it. At most `most` beginnings are tried, and none after one that is cut off."""
    at = tried = 0
    while tried < most and (found := _BEGINNING.search(text, at)):
        tried += 1
        reader = _Reader(text, found.start())
        try:
            value = reader.value(0)
        except CutOffError as error:
            yield error
            return
        except NotJsonError as error:
            yield error
            at = found.end()
            continue
        at = reader.at
        yield value


_BEGINNING = re.compile(r"[\[{]")


class _Reader:
    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self.at = at

    def value(self, depth: int) -> JsonValue:
        char = self._next()
        if depth > DEEPEST:
            raise NotJsonError("nested too deeply")
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._list(depth)
        if char in _CLOSING:
            return self._string()
        if number := _NUMBER.match(self._text, self.at):
            self.at = number.end()
            return float(number[0][:40])
        if char in "-+" and self._text[self.at + 1 : self.at + 9].lower() == "infinity":
            self.at += 9
            return None
        if word := _BARE.match(self._text, self.at):
            self.at = word.end()
            if word[0].lower() in _NULLS:
                return None
            if word[0].lower() in _WORDS:
                return _WORDS[word[0].lower()]
        raise NotJsonError(f"no value at character {self.at}")

    def _object(self, depth: int) -> JsonValue:
        self.at += 1
        found: dict[str, JsonValue] = {}
        while (char := self._next()) != "}":
            if char == ",":
                self.at += 1
                continue
            key = self._key(char)
            if self._next() not in ":=":
                raise NotJsonError(f"no colon at character {self.at}")
            self.at += 1
            put(found, key, self.value(depth + 1))
        self.at += 1
        return found

    def _list(self, depth: int) -> JsonValue:
        self.at += 1
        found: list[JsonValue] = []
        while (char := self._next()) != "]":
            if char == ",":
                self.at += 1
                continue
            found.append(self.value(depth + 1))
        self.at += 1
        return found

    def _key(self, char: str) -> str:
        if char in _CLOSING:
            return self._string()
        if bare := _BARE.match(self._text, self.at):
            self.at = bare.end()
            return bare[0]
        raise NotJsonError(f"no key at character {self.at}")

    def _string(self) -> str:
        """Read a string and return it. A quote inside it that is not followed by JSON ('I don't') does not end it; a double quote
        always does."""
        opening = self._text[self.at]
        closing = _CLOSING[opening]
        self.at += 1
        parts: list[str] = []
        while self.at < len(self._text):
            char = self._text[self.at]
            if char == "\\":
                parts.append(self._escape())
                continue
            self.at += 1
            if char in closing and (char in _CLOSES_STRICTLY or _ENDS.match(self._text, self.at)):
                return "".join(parts)
            parts.append(char)
        raise CutOffError("a string does not end")

    def _escape(self) -> str:
        char = self._text[self.at + 1 : self.at + 2]
        if char == "u":
            digits = self._text[self.at + 2 : self.at + 6]
            if len(digits) == 4 and all(digit in "0123456789abcdefABCDEF" for digit in digits):
                self.at += 6
                return _character(int(digits, 16))
        self.at += 2
        return _ESCAPES.get(char, char)

    def _next(self) -> str:
        """Return the character that the next thing begins with."""
        space = _SPACE.match(self._text, self.at)
        self.at = space.end() if space else self.at
        if self.at >= len(self._text):
            raise CutOffError("it ends in the middle")
        return self._text[self.at]


def _character(code: int) -> str:
    """Return the character of an escape. Halves of surrogate pairs stand for nothing by themselves."""
    return "" if 0xD800 <= code <= 0xDFFF else chr(code)


def put(found: dict[str, JsonValue], key: str, value: JsonValue) -> None:
    """Set a key. Of one that comes again lists are joined, and of anything else the last counts, as in JSON."""
    known = found.get(key)
    found[key] = [*known, *value] if isinstance(known, list) and isinstance(value, list) else value
