"""Code by its lines: comments, docstrings and definitions, which are what is worth remembering of it.

No parser of any language: markers that most languages share. One pass; a line longer than `LONGEST_LINE` was made by a
machine, and is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lattice_common.ingest.segment.pieces import LONGEST_SEGMENT, Piece

PartKind: TypeAlias = Literal["comment", "remark", "definition"]

LONGEST_LINE = 400
"""Characters; what people write is shorter, what machines write need not be remembered."""


@dataclass(frozen=True, slots=True)
class Part:
    """`[start, end)` of the text; `names` are the definitions it stands in, outermost first. A `remark` is a line of code with a
    comment behind it."""

    kind: PartKind
    start: int
    end: int
    names: tuple[str, ...]


_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_DEFINITION = re.compile(
    r"(?P<indent>[ \t]*)(?:(?:export|default|public|private|protected|internal|static|async|abstract|"
    r"final|pub(?:\(\w+\))?|unsafe|override|virtual)\s+)*"
    r"(?:(?:def|class|function\*?|func|fn|interface|struct|enum|trait|impl|module|namespace|type|"
    r"protocol|CREATE (?:TABLE|VIEW|INDEX)|create (?:table|view|index))"
    r"\s+(?:\([^)\n]{0,80}\)\s*)?(?P<name>[\w.$]{1,80}(?:::\w{1,80})?)|(?:const|let|var)\s+(?P<arrow>\w{1,80})\s*=\s*(?:async\s*)?\([^)\n]{0,200}\)\s*=>)"
)
_COMMENT = re.compile(r"(?![ \t]*#.{0,10}-\*-)[ \t]*(?://[/!]?|#(?!!|include|define|if|endif|else|pragma)|--(?=\s)|;;+|%%)[ \t]?")
_BLOCK_OPEN = re.compile(r"[ \t]*(?:[rRbBuU]{0,2}(\"\"\"|''')|(/\*)|(<!--))")
_CLOSING = {'"""': '"""', "'''": "'''", "/*": "*/", "<!--": "-->"}


def parts(text: str, start: int = 0, end: int | None = None, names: tuple[str, ...] = ()) -> Iterator[Part]:
    """Yield comments, docstrings and the lines that define something, in order."""
    stop = len(text) if end is None else end
    scan = _Scan(names)
    for match in _LINE.finditer(text, start, stop):
        yield from scan.read(match[0].rstrip("\r\n"), match.start())
    yield from scan.rest(stop)


class _Scan:
    """One pass over the lines: the definitions that the line in hand stands in, and the comment that is still open."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._path: list[tuple[int, str]] = [(-1, name) for name in names]
        self._comment: tuple[int, int] | None = None
        """`[start, end)` of the lines of a comment so far."""
        self._block: tuple[int, str] | None = None
        """Where a block comment begins, and the mark that ends it."""

    def read(self, line: str, at: int) -> Iterator[Part]:
        """Yield what the line that begins at `at` ends or is."""
        if self._block is not None:
            begun, closing = self._block
            if closing in line:
                yield Part("comment", begun, at + line.index(closing) + len(closing), self._names)
                self._block = None
        elif len(line) > LONGEST_LINE:
            return
        elif _COMMENT.match(line):
            self._comment = (self._comment[0] if self._comment else at + _indent(line), at + len(line))
        else:
            yield from self._end_comment()
            if opened := _BLOCK_OPEN.match(line):
                yield from self._open_block(opened, line, at)
            elif defined := _DEFINITION.match(line):
                yield self._defined(defined, line, at)
            elif remark_of(line) is not None:
                yield Part("remark", at + _indent(line), at + len(line), self._names)

    def rest(self, stop: int) -> Iterator[Part]:
        """Yield what is still open at the end of the text."""
        yield from self._end_comment()
        if self._block is not None:
            yield Part("comment", self._block[0], stop, self._names)

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(name for _, name in self._path)

    def _end_comment(self) -> Iterator[Part]:
        if self._comment:
            yield Part("comment", *self._comment, self._names)
            self._comment = None

    def _open_block(self, opened: re.Match[str], line: str, at: int) -> Iterator[Part]:
        closing = _CLOSING[opened[1] or opened[2] or opened[3]]
        begun, shut = at + _indent(line), line.find(closing, opened.end())
        if shut >= 0:
            yield Part("comment", begun, at + shut + len(closing), self._names)
        else:
            self._block = begun, closing

    def _defined(self, defined: re.Match[str], line: str, at: int) -> Part:
        indent = len(defined["indent"].expandtabs(4))
        self._path = [(depth, name) for depth, name in self._path if depth < indent]
        found = Part("definition", at + _indent(line), at + len(line), self._names)
        self._path.append((indent, defined["name"] or defined["arrow"]))
        return found


def remark_of(line: str) -> int | None:
    """Return where the comment behind the code of a line begins, its marks included; None where there is none. What stands in
    quotes is no comment, nor is what only tells a tool something."""
    quote = ""
    at = 0
    for found in _MARK_OR_QUOTE.finditer(line):
        mark = found[0]
        if found.start() < at or (quote and mark != quote):
            continue
        if mark in _QUOTES:
            # A backslash takes away what the sign after it means.
            escaped = len(line[: found.start()]) - len(line[: found.start()].rstrip("\\"))
            quote = quote if quote and escaped % 2 else "" if quote else mark
            at = found.end()
        elif line[: found.start()].strip():
            told = line[found.end() :]
            return found.start() if _WORDS.search(told) and not _TO_TOOLS.match(told) else None
    return None


_QUOTES = frozenset("\"'`")
_MARK_OR_QUOTE = re.compile(r"[\"'`]|(?<=\s)(?:#|//|--|/\*)(?=\s)")
_WORDS = re.compile(r"[^\W\d_]{2,}\W+[^\W_]+\W+[^\W_]{2,}")
"""Three words and more: "# i" and "# type" say nothing by themselves."""
_TO_TOOLS = re.compile(
    r"\s*(?:noqa|type: ?ignore|pylint|nosec|pragma|mypy|ruff|fmt|isort|eslint|prettier|ts-ignore|nolint)\b", re.IGNORECASE
)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def name_of(line: str) -> str | None:
    """Return the name that a line defines."""
    defined = _DEFINITION.match(line)
    return (defined["name"] or defined["arrow"]) if defined else None


def chunks(text: str) -> Iterator[Piece]:
    """Yield segments of code: cut before definitions and comments, as large as fits."""
    start = 0
    names: tuple[str, ...] = ()
    previous: Part | None = None
    for part in parts(text):
        if previous is not None and part.end - start > LONGEST_SEGMENT and part.start > start:
            yield Piece(start, part.start, names)
            start, names = part.start, part.names
        previous = part
    if start < len(text):
        yield Piece(start, len(text), names)
