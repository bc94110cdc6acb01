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
    """Comments, docstrings and the lines that define something, in order."""
    stop = len(text) if end is None else end
    path: list[tuple[int, str]] = [(-1, name) for name in names]
    comment: tuple[int, int] | None = None
    closing = ""
    block_start = 0
    for match in _LINE.finditer(text, start, stop):
        line, at = match[0].rstrip("\r\n"), match.start()
        inside = tuple(name for _, name in path)
        if closing:
            if closing in line:
                yield Part("comment", block_start, at + line.index(closing) + len(closing), inside)
                closing = ""
            continue
        if len(line) > LONGEST_LINE:
            continue
        if _COMMENT.match(line):
            comment = (comment[0] if comment else at + _indent(line), at + len(line))
            continue
        if comment:
            yield Part("comment", *comment, inside)
            comment = None
        if opened := _BLOCK_OPEN.match(line):
            mark = opened[1] or opened[2] or opened[3]
            closing = _CLOSING[mark]
            shut = line.find(closing, opened.end())
            if shut >= 0:
                yield Part("comment", at + _indent(line), at + shut + len(closing), inside)
                closing = ""
            else:
                block_start = at + _indent(line)
            continue
        if defined := _DEFINITION.match(line):
            indent = len(defined["indent"].expandtabs(4))
            path = [(depth, name) for depth, name in path if depth < indent]
            yield Part("definition", at + _indent(line), at + len(line), tuple(name for _, name in path))
            path.append((indent, defined["name"] or defined["arrow"]))
        elif remark_of(line) is not None:
            yield Part("remark", at + _indent(line), at + len(line), inside)
    if comment:
        yield Part("comment", *comment, tuple(name for _, name in path))
    if closing:
        yield Part("comment", block_start, stop, tuple(name for _, name in path))


def remark_of(line: str) -> int | None:
    """Where the comment behind the code of a line begins, its marks included; None where there is none. What stands in quotes is
    no comment, nor is what only tells a tool something."""
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
    """The name that a line defines."""
    defined = _DEFINITION.match(line)
    return (defined["name"] or defined["arrow"]) if defined else None


def chunks(text: str) -> Iterator[Piece]:
    """Segments of code: cut before definitions and comments, as large as fits."""
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
