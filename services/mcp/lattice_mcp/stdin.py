"""Lines from stdin, with half characters made whole.

A program in JavaScript that cuts text in the middle of a character sends half of one, `\\ud83d`. The library cannot read such a
line, drops it, and answers nothing: the assistant would wait for ever, and what it told would be lost.
"""

from __future__ import annotations

import io
import re
import sys
from typing import BinaryIO, cast

_HEX = rb"[0-9a-fA-F]{2}"
_LEADS, _FOLLOWS = rb"\\u[dD][89abAB]" + _HEX, rb"\\u[dD][c-fC-F]" + _HEX
_ESCAPE = re.compile(_LEADS + _FOLLOWS + rb"|(?P<half>" + _LEADS + rb"|" + _FOLLOWS + rb")|\\.", re.DOTALL)
"""Any escape of JSON, so that a backslash that is followed by `ud83d` is not taken for half a character."""


class WholeCharacters(io.BufferedIOBase):
    """Standard input, read from `lines` line by line."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines

    def readable(self) -> bool:
        return True

    def read1(self, _size: int = -1, /) -> bytes:
        """Return the next line, however long it is; empty at the end."""
        return whole(self._lines.readline())


def whole(line: bytes) -> bytes:
    """Return the line with U+FFFD in place of every lone surrogate."""
    return _ESCAPE.sub(lambda found: b"\\ufffd" if found["half"] else found.group(), line)


def read_whole_characters() -> None:
    """Read standard input of this process through `WholeCharacters` from now on."""
    sys.stdin = io.TextIOWrapper(cast(BinaryIO, WholeCharacters(sys.stdin.buffer)), encoding="utf-8", errors="replace")
