"""What is shown on a terminal: words that somebody said are never orders to it.

A quote of a mail, the name of an imported file or an edit by hand may hold escape sequences, which would colour, move and rename
the terminal, or write to its clipboard. No command writes any of its own to standard output. A program that reads from a pipe
gets everything as it is.
"""

from __future__ import annotations

import sys
from typing import Any, TextIO

from lattice_common.domain.visible import visible


def for_terminal(text: str) -> str:
    """Return text without controls, direction marks and whatever else is not seen; only the ends of lines and tabs stay."""
    return visible(text).replace("\r", "")


class Screen:
    """A text stream to a terminal, through which nothing goes but text."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(for_terminal(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def shield() -> None:
    """Let standard output go through a `Screen`, where it is a terminal."""
    if sys.stdout.isatty() and not isinstance(sys.stdout, Screen):
        sys.stdout = Screen(sys.stdout)
