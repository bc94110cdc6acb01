"""Markdown by its lines: which stretch is a heading, a paragraph, a list item, a table row, a quotation or a fence.

A line scanner and not a parser: one pass, exact offsets, and no nesting that ten thousand `>` could make slow. It serves
segmentation (where to cut) and extraction (what to read as one).
"""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from lattice_common.domain.segment import Segment
from lattice_common.ingest.segment.pieces import LONGEST_SEGMENT, Piece
from lattice_common.language.notes.properties import below_title, is_filed
from lattice_common.language.sentences.split import DAY, sentences

BlockKind: TypeAlias = Literal["heading", "paragraph", "item", "task", "row", "quote", "fence", "field"]

SECTION = 1500
"""Characters from which on a heading begins a new segment: short sections are read together, so that a hundred thousand headings
do not make a hundred thousand segments."""


SHORT_LINE = 60
"""Characters of a line that may be a list's title."""

LONGEST_LEAD_IN = 300
"""Characters of the sentence with a colon that may introduce a list."""


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
_ITEM_WORDS = re.compile(r"[ \t]*(?:[-*+•‣◦–]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DELIMITER = re.compile(r"[ \t]*+\|?[ \t]*+:?-{2,}+:?[ \t]*+(?:\|[ \t]*+:?-*+:?[ \t]*+)*+$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FIELD = re.compile(r"([A-Za-z_][\w -]{0,40}):[ \t]*\S")
_DOUBLED = re.compile(
    r"(?P<indent>[ \t]*)(?P<item>[-*+][ \t]+)?(?P<named>(?:\*\*|__)?(?P<name>[^\W\d_][\w. -]{0,40}?)(?:\*\*|__)?[ \t]*::[ \t]+\S)"
)
"""A property as Logseq and Obsidian's Dataview write it in a line of its own: "allergy:: wasps"."""
_STRUCTURAL = frozenset(
    """title aliases alias tags tag date created updated modified id uid uuid layout draft cssclass cssclasses slug permalink
    publish published type template kind category categories lang description banner""".split()
)
_OF_PROGRAMS = frozenset(
    """collapsed background-color heading icon public filters exclude-from-graph-view template-including-parent query-table
    query-sort-by query-sort-desc query-properties created-at updated-at file file-path ls-type hl-page hl-color hl-stamp hl-type
    area title-format card-last-interval card-repeats card-ease-factor card-next-schedule card-last-reviewed
    card-last-score""".split()
)
"""What Logseq notes of a page or a block for itself, beside what begins with its name."""


def blocks(text: str, start: int = 0, end: int | None = None, headings: tuple[str, ...] = (), head: str = "") -> Iterator[Block]:
    """Yield the blocks of `text[start:end]` in order; `headings` are those above it, `head` that of the table it begins in.
    Frontmatter, and the properties below a title, are read only at the text's beginning."""
    frontmatter = start == 0 and text.startswith("---\n")
    properties = None if start or frontmatter else below_title(text)
    levels = _levels_of(text, headings) if headings else ()
    scan = _Scan(text, headings, head, frontmatter=frontmatter, properties=properties or (0, 0), levels=levels)
    for match in _LINE.finditer(text, start, len(text) if end is None else end):
        scan.read(match[0].rstrip("\r\n"), match.start())
        yield from scan.taken()
    scan.end_block()
    yield from scan.taken()


class _Scan:
    """One pass over the lines of `text`: the titles above the line in hand, and the block that is still open, `[start, end)`."""

    def __init__(
        self,
        text: str,
        headings: tuple[str, ...],
        head: str,
        *,
        frontmatter: bool,
        properties: tuple[int, int],
        levels: tuple[int, ...] = (),
    ) -> None:
        self._text = text
        self.levels = levels or tuple(range(1, len(headings) + 1))
        self.path = headings
        self._open: BlockKind | None = None
        self._start = self._end = 0
        self._lead_in = self._fence = ""
        self._table = head
        self._frontmatter = frontmatter
        self._properties = range(*properties)
        self._found: list[Block] = []

    def taken(self) -> list[Block]:
        """Return the blocks that are finished by now, each once."""
        found, self._found = self._found, []
        return found

    def read(self, line: str, at: int) -> None:
        """Take the line that begins at `at`."""
        bare = line.strip()
        if self._frontmatter:
            self._read_field(line, bare, at)
        elif not self._fence and (doubled := _DOUBLED.match(line)):
            self._read_doubled(doubled, at)
        elif at in self._properties:
            self._add_field(line, at)
        elif self._fence:
            self._read_fenced(bare, at + len(line))
        elif not (self._open == "paragraph" and (self._is_underline(line, at) or self._is_delimiter(line))):
            self._read_kind(_kind(line, bare, in_table=bool(self._table)), line, at)

    def end_block(self, following: BlockKind | None = None) -> None:
        """End the open block, if there is one, before a line of the kind `following`."""
        if self._open is None:
            return
        self._found.append(
            Block(self._open, self._start, self._end, self.path, "" if self._open == "paragraph" else self._lead_in)
        )
        listed = following in ("item", "task")
        self._lead_in = _leading(self._text, self._open, self._start, self._end, self._lead_in, listed=listed)
        self._open = None

    def _read_field(self, line: str, bare: str, at: int) -> None:
        if at == 0:
            return
        if bare in ("---", "..."):
            self._frontmatter = False
        else:
            self._add_field(line, at, _STRUCTURAL)

    def _add_field(self, line: str, at: int, left_out: Set[str] = frozenset()) -> None:
        """Add a property that is worth remembering."""
        if (named := _FIELD.match(line)) and named[1].lower() not in left_out and not is_filed(named[1]):
            self._found.append(Block("field", at, at + len(line), self.path))

    def _read_doubled(self, line: re.Match[str], at: int) -> None:
        """Take a property in a line of its own: of the item that it stands below, else of the page."""
        below = (
            self._text[self._start : self._end] if self._open in ("item", "task") and line["indent"] and not line["item"] else ""
        )
        if not below and self._open is not None:
            self.end_block()
        name = line["name"].lower()
        if name in _STRUCTURAL or name in _OF_PROGRAMS or name.startswith("logseq.") or is_filed(name):
            return
        item = _ITEM_WORDS.match(below)
        lead_in = below[item.end() :].partition("\n")[0].strip() if item else ""
        end = at + len(line.string.rstrip())
        self._found.append(
            Block("field", at + line.start("named"), end, self.path, lead_in if len(lead_in) < LONGEST_LEAD_IN else "")
        )

    def _read_fenced(self, bare: str, line_end: int) -> None:
        self._end = line_end
        if bare.startswith(self._fence) and not bare.strip(self._fence[0]):
            self._found.append(Block("fence", self._start, line_end, self.path, self._lead_in))
            self._open, self._fence = None, ""

    def _is_underline(self, line: str, at: int) -> bool:
        """Return whether the line makes the open line a heading; then it is one."""
        words = self._text[self._start : self._end]
        if "\n" in words or not _UNDERLINE.match(line):
            return False
        self._found.append(self._heading(1 if "=" in line else 2, words.strip(), self._start, at + len(line)))
        self._open, self._lead_in = None, ""
        return True

    def _is_delimiter(self, line: str) -> bool:
        """Return whether the line makes the open one the head of a table; then it is one."""
        words = self._text[self._start : self._end]
        if "|" not in words or "|" not in line or not _DELIMITER.match(line):
            return False
        self._table, self._open = words.strip().splitlines()[-1], None
        return True

    def _read_kind(self, kind: BlockKind | None, line: str, at: int) -> None:
        if kind != "row":
            self._table = ""
        goes_on = kind in ("paragraph", "quote") and kind == self._open
        if not goes_on and not (kind == "paragraph" and self._open in ("item", "task")):
            self.end_block(kind)
        line_end = at + len(line)
        match kind:
            case None:
                pass
            case "heading":
                marks = _HEADING.match(line)
                self._found.append(self._heading(len(marks[1]) if marks else 1, _title(marks[2]) if marks else "", at, line_end))
                self._lead_in = ""
            case "row":
                self._found.append(Block("row", at, line_end, self.path, self._table))
            case _ if self._open is not None:
                self._end = line_end
            case _:
                opened = _FENCE.match(line) if kind == "fence" else None
                self._fence = opened[1] if opened else ""
                self._open, self._start, self._end = kind, at, line_end

    def _heading(self, level: int, title: str, start: int, end: int) -> Block:
        """Return a heading, below those above it that are of a higher level."""
        above = [(depth, name) for depth, name in zip(self.levels, self.path, strict=True) if depth < level]
        self.levels = (*(depth for depth, _ in above), level)
        self.path = (*(name for _, name in above), title[:200])
        return Block("heading", start, end, self.path)


def _levels_of(text: str, headings: tuple[str, ...]) -> tuple[int, ...]:
    """Return the levels of the headings above a stretch; the first of them may be the name of the file, which is above all."""
    known = _levels_by_path(text)
    if headings not in known and headings[1:] in known:
        return (0, *known[headings[1:]])
    return known.get(headings, ())


@lru_cache(maxsize=2)
def _levels_by_path(text: str) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return the levels of each path of headings: below "# Minutes" may come "### 4. Speeding", and "### 5. Rubbish" is beside
    that. Cached, since every segment of a document asks; linear in its length."""
    scan = _Scan(text, (), "", frontmatter=text.startswith("---\n"), properties=(0, 0))
    found: dict[tuple[str, ...], tuple[int, ...]] = {}
    for match in _LINE.finditer(text):
        scan.read(match[0].rstrip("\r\n"), match.start())
        if any(block.kind == "heading" for block in scan.taken()):
            found[scan.path] = scan.levels
    return found


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
    """Return a heading without the marks that may close it: "Tools ##" is "Tools", "C#" stays."""
    words = words.strip()
    bare = words.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else words


def _leading(text: str, kind: BlockKind, start: int, end: int, before: str, *, listed: bool) -> str:
    """Return what introduces the block after this one: a sentence that ends with a colon does, or a short line right above a list
    (`listed`); it goes on doing so for a whole list."""
    if kind in ("item", "task"):
        return before
    words = text[start:end].rstrip()
    if listed and kind == "paragraph" and "\n" not in words and len(words) <= SHORT_LINE and words[-1:] not in ".!?:;,":
        return words.strip()
    if kind != "paragraph" or not words.endswith(":"):
        return ""
    last = words.rfind("\n") + 1
    led = words[sentences(words, last)[-1].start :].strip()
    return led if len(led) < LONGEST_LEAD_IN else ""


def sections(text: str, title: str | None = None) -> Iterator[Piece]:
    """Yield segments of a markdown text: cut before headings, and between blocks where a section is long. One that begins within
    a table has the table's head as its context. `title` stands above all of it until a heading of the first level."""
    start = end = 0
    head = ""
    headings: tuple[str, ...] = (title,) if title else ()
    following = headings
    for block in blocks(text, headings=headings):
        begins = block.kind == "heading" and block.start - start >= SECTION
        if end > start and (begins or block.end - start > LONGEST_SEGMENT):
            yield Piece(start, block.start, headings, context=head)
            start, headings, head = block.start, following, block.lead_in if block.kind == "row" else ""
        following = block.headings
        end = block.end
    if start < len(text):
        yield Piece(start, len(text), headings, context=head)


def headings_at(segment: Segment, offset: int) -> tuple[str, ...]:
    """Return the headings above `offset` (of the capture's text), those inside the segment included."""
    found = segment.headings
    for start, headings in _paths(segment.text, segment.headings):
        if start > offset - segment.start:
            break
        found = headings
    return found


@lru_cache(maxsize=4)
def _paths(text: str, headings: tuple[str, ...]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    return tuple((block.start, block.headings) for block in blocks(text, headings=headings) if block.kind == "heading")
