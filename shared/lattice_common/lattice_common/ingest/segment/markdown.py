"""Markdown by its lines: which stretch is a heading, a paragraph, a list item, a table row, a quotation or a fence.

A line scanner and not a parser: one pass, exact offsets, and no nesting that ten thousand `>` could make slow (bad-input rows 11
and 12). It serves segmentation (where to cut) and extraction (what to read as one).
"""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from lattice_common.domain.capture import SourceType
from lattice_common.domain.segment import Segment
from lattice_common.domain.sentences import DAY
from lattice_common.ingest.segment.pieces import LONGEST_SEGMENT, Piece

BlockKind: TypeAlias = Literal["heading", "paragraph", "item", "task", "row", "quote", "fence", "field"]

SECTION = 1500
"""Characters from which on a heading begins a new segment: short sections are read together, so that a hundred thousand headings
do not make a hundred thousand segments."""


SHORT_LINE = 60
"""Characters of a line that may be a list's title."""

STRUCTURED: frozenset[SourceType] = frozenset(
    (
        "markdown",
        "html",
        "docx",
        "pdf",
        "pptx",
        "xlsx",
        "xls",
        "csv",
        "eml",
        "rtf",
        "odt",
        "ods",
        "odp",
        "epub",
        "ics",
        "vcf",
        "srt",
        "vtt",
        "zip",
    )
)
"""Source types read as markdown: readers of documents write titles as headings and tables as tables."""


@dataclass(frozen=True, slots=True)
class Block:
    """`[start, end)` of the text. `lead_in` is what introduces it: the line with a colon before a list, the head of a table."""

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()
    lead_in: str = ""


_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# Possessive where a pattern could be tried in many ways: a stranger's line of spaces must cost no more than its length.
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]++(.*)$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_ITEM = re.compile(rf"[ \t]*(?!{DAY})(?:[-*+•‣◦–]|\d{{1,4}}[.)])[ \t]+(\[[ xX]\][ \t]+)?\S")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DELIMITER = re.compile(r"[ \t]*+\|?[ \t]*+:?-{2,}+:?[ \t]*+(?:\|[ \t]*+:?-*+:?[ \t]*+)*+$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FIELD = re.compile(r"([A-Za-z_][\w -]{0,40}):[ \t]*\S")
_STRUCTURAL = frozenset(
    """title aliases alias tags tag date created updated modified id uid uuid layout draft cssclass cssclasses slug permalink
    publish published type template kind category categories lang description banner""".split()
)


def blocks(text: str, start: int = 0, end: int | None = None, headings: tuple[str, ...] = (), head: str = "") -> Iterator[Block]:
    """The blocks of `text[start:end]` in order; `headings` are those above it, `head` that of the table it begins in. Frontmatter
    is read only at the text's beginning."""
    stop = len(text) if end is None else end
    path: list[tuple[int, str]] = [(level, title) for level, title in enumerate(headings, 1)]
    open_kind: BlockKind | None = None
    open_start = open_end = 0
    lead_in = fence = ""
    table = head
    frontmatter = start == 0 and text.startswith("---\n")
    for line_number, match in enumerate(_LINE.finditer(text, start, stop)):
        line, at = match[0].rstrip("\r\n"), match.start()
        line_end = at + len(line)
        bare = line.strip()
        titles = tuple(title for _, title in path)
        if frontmatter and line_number:
            if bare in ("---", "..."):
                frontmatter = False
            elif (named := _FIELD.match(line)) and named[1].lower() not in _STRUCTURAL:
                yield Block("field", at, line_end, titles)
            continue
        if frontmatter:
            continue
        if fence:
            open_end = line_end
            if bare.startswith(fence) and not bare.strip(fence[0]):
                yield Block("fence", open_start, line_end, titles, lead_in)
                open_kind, fence = None, ""
            continue
        if open_kind == "paragraph" and _UNDERLINE.match(line) and "\n" not in text[open_start:open_end]:
            level = 1 if "=" in line else 2
            path = [*((depth, title) for depth, title in path if depth < level), (level, text[open_start:open_end].strip()[:200])]
            yield Block("heading", open_start, line_end, tuple(title for _, title in path))
            open_kind, lead_in = None, ""
            continue
        if open_kind == "paragraph" and "|" in text[open_start:open_end] and _DELIMITER.match(line) and "|" in line:
            table, open_kind = text[open_start:open_end].strip().splitlines()[-1], None
            continue
        kind = _kind(line, bare, in_table=bool(table))
        if kind != "row":
            table = ""
        if kind is None or kind not in ("paragraph", "quote") or kind != open_kind:
            continues = open_kind in ("item", "task") and kind == "paragraph"
            if not continues:
                if open_kind is not None:
                    yield Block(open_kind, open_start, open_end, titles, lead_in if open_kind != "paragraph" else "")
                    lead_in = _leading(text, open_kind, open_start, open_end, lead_in, listed=kind in ("item", "task"))
                open_kind = None
        if kind is None:
            continue
        if kind == "heading":
            if marks := _HEADING.match(line):
                level = len(marks[1])
                path = [*((depth, title) for depth, title in path if depth < level), (level, _title(marks[2])[:200])]
            yield Block("heading", at, line_end, tuple(title for _, title in path))
            lead_in = ""
        elif kind == "row":
            yield Block("row", at, line_end, titles, table)
        elif kind == "fence":
            opened = _FENCE.match(line)
            fence = opened[1] if opened else "```"
            open_kind, open_start, open_end = "fence", at, line_end
        elif open_kind is None:
            open_kind, open_start, open_end = kind, at, line_end
        else:
            open_end = line_end
    if open_kind is not None:
        yield Block(
            open_kind, open_start, open_end, tuple(title for _, title in path), lead_in if open_kind != "paragraph" else ""
        )


def _kind(line: str, bare: str, *, in_table: bool) -> BlockKind | None:
    if not bare:
        return None
    if _HEADING.match(line):
        return "heading"
    if _FENCE.match(line):
        return "fence"
    if _RULE.match(line):
        return None
    if item := _ITEM.match(line):
        return "task" if item[1] else "item"
    if bare.startswith(">"):
        return "quote"
    if in_table and "|" in bare:
        return "row"
    if bare.startswith("<!--") and bare.endswith("-->"):
        return None
    return "paragraph"


def _title(words: str) -> str:
    """A heading without the marks that may close it: "Tools ##" is "Tools", "C#" stays."""
    words = words.strip()
    bare = words.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else words


def _leading(text: str, kind: BlockKind, start: int, end: int, before: str, *, listed: bool) -> str:
    """What introduces the block after this one: a line that ends with a colon does, or a short one right above a list (`listed`);
    it goes on doing so for a whole list."""
    if kind in ("item", "task"):
        return before
    words = text[start:end].rstrip()
    if listed and kind == "paragraph" and "\n" not in words and len(words) <= SHORT_LINE and words[-1:] not in ".!?:;,":
        return words.strip()
    return words[words.rfind("\n") + 1 :].strip() if kind == "paragraph" and words.endswith(":") and len(words) < 300 else ""


def sections(text: str) -> Iterator[Piece]:
    """Segments of a markdown text: cut before headings, and between blocks where a section is long. One that begins within a
    table has the table's head as its context."""
    start = end = 0
    head = ""
    headings: tuple[str, ...] = ()
    following: tuple[str, ...] = ()
    for block in blocks(text):
        begins = block.kind == "heading" and block.start - start >= SECTION
        if end > start and (begins or block.end - start > LONGEST_SEGMENT):
            yield Piece(start, block.start, headings, context=head)
            start, headings, head = block.start, following, block.lead_in if block.kind == "row" else ""
        following = block.headings
        end = block.end
    if start < len(text):
        yield Piece(start, len(text), headings, context=head)


def headings_at(segment: Segment, offset: int) -> tuple[str, ...]:
    """The headings above `offset` (of the capture's text), those inside the segment included."""
    found = segment.headings
    for start, headings in _paths(segment.text, segment.headings):
        if start > offset - segment.start:
            break
        found = headings
    return found


@lru_cache(maxsize=4)
def _paths(text: str, headings: tuple[str, ...]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    return tuple((block.start, block.headings) for block in blocks(text, headings=headings) if block.kind == "heading")
