"""The words of a web page as markdown: headings, paragraphs, lists, quotations, tables; not what runs, loads or is hidden.

A page is taken as a stream of tags, whatever their order: nothing is nested deeper than a few levels here, so a page of a million
open tags costs no more than its length. Nothing is ever fetched.
"""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Literal, TypeAlias

from lattice_common.capture.readers.html_furniture import is_furniture
from lattice_common.capture.readers.tables import EMPTY, Cell, Row

_LEFT_OUT = frozenset(
    """script style template iframe object embed svg math canvas audio video noscript select datalist nav map frameset dialog
    button""".split()
)
_ARTICLES = frozenset(("article", "main", "blockquote"))
"""Their footers are by who wrote them; a page's own is the site's."""
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr frame".split())
_BLOCKS = frozenset(
    """p div section article header footer main aside address figure figcaption form fieldset details summary center dl dt dd
    ul ol body html head title hr""".split()
)
_STYLES = frozenset("h1 h2 h3 h4 h5 h6 pre ul ol menu li dt dd dl".split())
"""Tags that say what the words in them are."""
_END_LEFT_AWAY = frozenset("li p td th tr dt dd".split())
"""Tags that the next of their name ends: people leave their end tags away."""

_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt|em|%)?\s*(?:;|$)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)",
    re.IGNORECASE,
)
_SPACE = re.compile(r"[ \t\n\r\f\u00a0]+")

DEEPEST = 6
"""Levels of lists, quotations and tables that are told apart."""
LONGEST_CELL = 400
"""Characters: a table with longer cells is a page's layout."""
WIDEST, TALLEST = 40, 100
"""Columns and rows that a merged cell reaches over at most: what a page says of its cells is not trusted to make millions."""
LOWEST = 6
"""Level of a table's title: it names the table, and no part of the page."""
TELLING = 4
"""Words from which on the description of a picture says something by itself: "Logo" does not."""
_PICTURE = re.compile("\x1e[^\x1e]*\x1e")

BlockKind: TypeAlias = Literal["text", "item", "table"]


@dataclass(frozen=True, slots=True)
class Block:
    """A finished piece; `rows` are a table's, `level` is a heading's. A `picture` is no more than the few words about one."""

    kind: BlockKind
    text: str
    rows: tuple[Row, ...] = ()
    level: int = 0
    picture: bool = False


@dataclass(slots=True)
class _Sink:
    """Where finished pieces go: the page, a quotation, or a cell of a table."""

    tag: str
    blocks: list[Block] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)  # of a table
    plain: bool = True  # a table of cells that hold a few words each
    across: int = 1  # columns that a cell reaches over
    down: int = 1
    hanging: dict[int, tuple[int, Cell]] = field(default_factory=dict)  # of a table: to which row cells reach down
    captions: list[Block] = field(default_factory=list)  # of a table


@dataclass(slots=True)
class _Terms:
    """A list of terms: the open tag of it, the term, and whether that waits for what it is."""

    tag: str = ""
    term: str = ""
    waits: bool = False


@dataclass(slots=True)
class _Skip:
    """What is left out: the tag whose end is waited for (none while nothing is), how deep within others of its name, and whether
    it is the site's own."""

    tag: str = ""
    depth: int = 0
    of_site: bool = False


class _Blocks:
    """Makes blocks of words and of the tags around them. `banner` counts open heads of a site; of those only what is set as a
    heading may be the page's own, and `left_out` counts the characters of the rest."""

    def __init__(self) -> None:
        self.left_out = 0
        self.banner = 0
        self._sinks = [_Sink("page")]
        self._inline: list[str] = []
        self._lists: list[str] = []
        self._heading = 0
        self._item = ""
        self._terms = _Terms()
        self._preformatted = 0

    def taken(self) -> list[Block]:
        """Return the blocks that are finished by now, once; only where no table or quotation is open."""
        if len(self._sinks) > 1:
            return []
        blocks = self._sinks[0].blocks
        self._sinks[0].blocks = []
        return blocks

    def finished(self) -> list[Block]:
        """Return all that is left, at the end of the page."""
        self.end_block()
        while len(self._sinks) > 1:
            self._close(self._sinks[-1].tag)
        return self.taken()

    def add(self, words: str) -> None:
        """Add words to the open block."""
        self._inline.append(words)

    def start(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Take a start tag."""
        match tag:
            case "br":
                self.add("\x1f")
            case "img":
                self.add(f"\x1e{(attributes.get('alt') or '').replace(chr(30), '')}\x1e")
            case "blockquote" | "table":
                self._open(tag)
            case "caption":
                self.end_block()
                self._heading = LOWEST
            case "tr":
                self._row()
            case "td" | "th":
                self._cell(tag, attributes)
            case _ if tag in _BLOCKS or tag in _STYLES:
                self.end_block()
                self._start_style(tag)

    def _start_style(self, tag: str) -> None:
        match tag:
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._heading = int(tag[1])
            case "pre":
                self._preformatted += 1
            case "ul" | "ol" | "menu":
                self._lists.append(tag)
            case "dt" | "dd":
                if tag == "dt" and not self._terms.waits:
                    self._terms.term = ""
                self._terms.tag = tag
            case "li":
                mark = "1." if self._lists and self._lists[-1] == "ol" else "-"
                self._item = f"{'  ' * (min(len(self._lists), DEEPEST) - 1)}{mark} "

    def end(self, tag: str) -> None:
        """Take an end tag."""
        if tag in ("blockquote", "td", "th", "table"):
            self._close(tag)
        elif tag == "caption":
            self._end_caption()
        elif tag in _BLOCKS or tag in _STYLES:
            self.end_block()
            self._end_style(tag)

    def _end_caption(self) -> None:
        """Keep the title of a table as a heading above it."""
        self.end_block()
        self._heading = 0
        table = self._sinks[-1]
        if table.tag == "table" and table.blocks and not table.rows:
            table.captions.append(table.blocks.pop())

    def _end_style(self, tag: str) -> None:
        match tag:
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._heading = 0
            case "pre":
                self._preformatted = max(0, self._preformatted - 1)
            case "ul" | "ol" | "menu":
                self._item = ""
                if self._lists:
                    self._lists.pop()
            case "li":
                self._item = ""
            case "dt" | "dd" | "dl":
                self._terms.tag = ""
                if tag == "dl" and self._terms.waits:
                    self._sinks[-1].blocks.append(Block("item", f"- {self._terms.term}"))
                    self._terms.waits = False

    def _open(self, tag: str) -> None:
        self.end_block()
        if sum(sink.tag == tag for sink in self._sinks) < DEEPEST:
            if tag == "table":
                for sink in self._sinks:
                    sink.plain = False  # a table that holds another lays out a page
            self._sinks.append(_Sink(tag))

    def _row(self) -> None:
        self._close("td")
        if self._sinks[-1].tag == "table":
            _hang(self._sinks[-1])
            self._sinks[-1].rows.append([])

    def _cell(self, tag: str, attributes: dict[str, str | None]) -> None:
        self._close("td")
        table = self._sinks[-1]
        if table.tag == "table":
            if not table.rows:
                table.rows.append([])
            across, down = _span(attributes.get("colspan"), WIDEST), _span(attributes.get("rowspan"), TALLEST)
            self._sinks.append(_Sink("th" if tag == "th" else "td", across=across, down=down))

    def _close(self, tag: str) -> None:
        """End the innermost quotation, cell or table of this kind, and what was left open in it."""
        self.end_block()
        tags = ("td", "th") if tag in ("td", "th") else (tag,)
        within = [sink.tag for sink in self._sinks]
        if tag in ("td", "th") and "table" in within:
            # A cell ends in its own table only.
            last_table = len(within) - 1 - within[::-1].index("table")
            if not any(each in tags for each in within[last_table:]):
                return
        if not any(each in tags for each in within):
            return
        while len(self._sinks) > 1:
            sink = self._sinks.pop()
            self._finish(sink)
            if sink.tag in tags:
                return

    def _finish(self, sink: _Sink) -> None:
        outer = self._sinks[-1]
        if sink.tag in ("td", "th") and outer.tag == "table":
            text = " ".join(block.text for block in sink.blocks)
            _put(outer, Cell(_SPACE.sub(" ", text).strip(), strong=sink.tag == "th"), sink)
            outer.plain &= len(text) <= LONGEST_CELL and not any(block.kind == "table" for block in sink.blocks)
            outer.blocks.extend(sink.blocks)
        elif sink.tag == "table":
            _hang(sink)
            wide = any(sum(bool(cell.text) for cell in row) > 1 for row in sink.rows)
            outer.blocks += sink.captions
            if sink.plain and wide:
                outer.blocks.append(Block("table", "", tuple(Row(tuple(row)) for row in sink.rows)))
            else:
                outer.blocks.extend(block for block in sink.blocks if not block.picture)
        elif sink.tag == "blockquote":
            outer.blocks += [_quoted(block) for block in sink.blocks]
        else:
            outer.blocks.extend(sink.blocks)

    def end_block(self) -> None:
        """End the open block, if it holds words."""
        raw = "".join(self._inline)
        self._inline.clear()
        picture = "\x1e" in raw and _is_picture(raw)
        raw = raw.replace("\x1e", " ")
        if self.banner and not self._heading:
            self.left_out += len(raw.strip())
            return
        if self._preformatted:
            text = raw.replace("\x1f", "\n").strip("\n")
            if text.strip():
                self._sinks[-1].blocks.append(Block("text", f"```\n{text.replace('```', '` ` `')}\n```"))
            return
        text = "\n".join(line for line in (each.strip(" ¶") for each in _SPACE.sub(" ", raw).split("\x1f")) if line)
        if not text:
            return
        if self._heading:
            block = Block("text", text.replace("\n", " "), level=self._heading)
        elif self._terms.tag and not self._item and len(text) <= LONGEST_CELL:
            if self._terms.tag == "dt":
                self._terms.term = f"{self._terms.term}, {text}" if self._terms.term else text
                self._terms.waits = True
                return
            self._terms.waits = False
            term = f"{self._terms.term.rstrip(' :')}: " if self._terms.term else ""
            block = Block("item", f"- {term}{text}".replace("\n", " "))
        elif self._item:
            block = Block("item", self._item + text.replace("\n", " "))
            self._item = " " * (len(self._item) - 1) + " "  # further paragraphs of the item stand below it
        else:
            block = Block("text", text, picture=picture)
        self._sinks[-1].blocks.append(block)


class PageWords(HTMLParser):
    """Collects blocks while it is fed; `tidy`, without what is the site's. `hid`: something was not shown to who
    reads the page."""

    def __init__(self, *, tidy: bool = False) -> None:
        super().__init__(convert_charrefs=True)
        self.title: str | None = None
        self.hid = False
        self._tidy = tidy
        self._blocks = _Blocks()
        self._skip = _Skip()
        self._in_title = False
        self._articles = 0

    @property
    def left_out(self) -> int:
        """Return how many characters were taken for the site's."""
        return self._blocks.left_out

    def taken(self) -> list[Block]:
        """Return the blocks that are finished by now, once; only where no table or quotation is open."""
        return self._blocks.taken()

    def finished(self) -> list[Block]:
        """Return all that is left, at the end of the page."""
        return self._blocks.finished()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skip.tag and self._skips_start(tag):
            return
        attributes = dict(attrs)
        self._articles += tag in _ARTICLES
        of_site = tag == "footer" and not self._articles
        if tag in _LEFT_OUT or of_site or (tag not in _VOID and self._is_hidden(attributes)):
            self._skip = _Skip(tag, 1)
        elif self._tidy and ((tag == "aside" and not self._articles) or is_furniture(tag, attributes)):
            self._blocks.end_block()
            self._skip = _Skip(tag, 1, of_site=True)
        elif tag == "title":
            self._in_title = self.title is None
        else:
            self._blocks.banner += self._tidy and tag == "header" and not self._articles
            self._blocks.start(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if self._skip.tag:
            if tag == self._skip.tag:
                self._skip.depth -= 1
                if not self._skip.depth:
                    self._skip.tag = ""
            return
        self._articles = max(0, self._articles - (tag in _ARTICLES))
        if tag == "header" and self._blocks.banner:
            self._blocks.end_block()
            self._blocks.banner -= 1
        if tag == "title":
            self._in_title = False
        else:
            self._blocks.end(tag)

    def handle_data(self, data: str) -> None:
        if self._skip.tag:
            self._blocks.left_out += len(data.strip()) if self._skip.of_site else 0
        elif self._in_title:
            self.title = ((self.title or "") + data)[:1000]
        else:
            self._blocks.add(data)

    def _skips_start(self, tag: str) -> bool:
        """Return whether the start tag is left out, too: one may end what is left out, where people leave end tags away."""
        waited_for = self._skip.tag
        if tag == waited_for and tag not in _END_LEFT_AWAY:
            self._skip.depth += 1
            return True
        if tag == waited_for or (waited_for == "p" and tag in _BLOCKS):
            self._skip.tag = ""
            return False
        return True

    def _is_hidden(self, attributes: dict[str, str | None]) -> bool:
        hidden = "hidden" in attributes or _HIDDEN.search(attributes.get("style") or "") is not None
        self.hid |= hidden
        return hidden


def _is_picture(raw: str) -> bool:
    """Return whether there are only pictures, of which little is said."""
    told = _PICTURE.findall(raw)
    return not any(map(str.isalnum, _PICTURE.sub("", raw))) and all(len(each.strip("\x1e").split()) < TELLING for each in told)


def _quoted(block: Block) -> Block:
    if block.kind == "table" or block.level:
        return block
    return Block("text", "\n".join(f"> {line}" for line in block.text.split("\n")))


def _span(given: str | None, most: int) -> int:
    return min(max(int(given), 1), most) if given is not None and given.strip().isdecimal() else 1


def _put(table: _Sink, cell: Cell, merged: _Sink) -> None:
    """Put a cell into the last row, behind those that reach down into it. A name over several columns is the name of each; other
    words stand in the first of their columns, and in each row that they reach down to."""
    _hang(table, to_its_end=False)
    row = table.rows[-1]
    begins = len(row)
    row += [cell, *[cell if merged.tag == "th" else EMPTY] * (merged.across - 1)]
    if merged.down > 1:
        last = len(table.rows) + merged.down - 2
        table.hanging |= {at: (last, row[at]) for at in range(begins, min(len(row), WIDEST))}


def _hang(table: _Sink, *, to_its_end: bool = True) -> None:
    """Put the cells that reach down into the last row at its end, as far as they come next; with `to_its_end` all of them."""
    if not table.rows:
        return
    row = table.rows[-1]
    reach = {at: cell for at, (last, cell) in table.hanging.items() if len(table.rows) - 1 <= last}
    end = max(reach, default=-1)
    while len(row) in reach or (to_its_end and len(row) <= end):
        row.append(reach.get(len(row), EMPTY))
