"""The words of a web page as markdown: headings, paragraphs, lists, quotations, tables; not what runs, loads or is hidden.

A page is taken as a stream of tags, whatever their order: nothing is nested deeper than a few levels here, so a page of a million
open tags costs no more than its length. Nothing is ever fetched.
"""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Literal, TypeAlias

from lattice_common.capture.readers.html_furniture import is_furniture
from lattice_common.capture.readers.tables import Cell, Row

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
_CLOSES: dict[str, frozenset[str]] = {
    "li": frozenset(("li",)), "p": frozenset(("p",)), "td": frozenset(("td", "th")), "th": frozenset(("td", "th")),
    "tr": frozenset(("tr", "td", "th")), "dt": frozenset(("dt", "dd")), "dd": frozenset(("dt", "dd")),
}  # fmt: skip
"""Which open tags a start tag ends: people leave their end tags away."""

_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt|em|%)?\s*(?:;|$)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)",
    re.IGNORECASE,
)
_SPACE = re.compile(r"[ \t\n\r\f\u00a0]+")

DEEPEST = 6
"""Levels of lists, quotations and tables that are told apart."""
LONGEST_CELL = 400
"""Characters: a table with longer cells is a page's layout."""
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


class PageWords(HTMLParser):
    """Collects blocks while it is fed; `tidy`, without what is the site's. `hid`: something was not shown to who reads the page;
    `left_out` are the characters that were taken for the site's."""

    def __init__(self, *, tidy: bool = False) -> None:
        super().__init__(convert_charrefs=True)
        self.left_out = 0
        self._tidy = tidy
        self._is_left_out = False
        self._banner = 0
        self.title: str | None = None
        self.hid = False
        self._sinks = [_Sink("page")]
        self._inline: list[str] = []
        self._lists: list[str] = []
        self._heading = 0
        self._item = ""
        self._defines = self._term = ""  # the open tag of a list of terms, and the term
        self._waits = False  # for what the term is
        self._preformatted = 0
        self._skipped = ""  # the tag whose end is waited for
        self._skipped_depth = 0
        self._in_title = False
        self._articles = 0

    def taken(self) -> list[Block]:
        """The blocks that are finished by now, once; only where no table or quotation is open."""
        if len(self._sinks) > 1:
            return []
        blocks = self._sinks[0].blocks
        self._sinks[0].blocks = []
        return blocks

    def finished(self) -> list[Block]:
        """All that is left, at the end of the page."""
        self._flush()
        while len(self._sinks) > 1:
            self._close(self._sinks[-1].tag)
        return self.taken()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skipped:
            if tag == self._skipped:
                if self._skipped in _CLOSES:
                    self._skipped = ""  # its end tag was left away
                else:
                    self._skipped_depth += 1
                    return
            else:
                if tag in _BLOCKS and self._skipped == "p":
                    self._skipped = ""
                else:
                    return
        self._articles += tag in _ARTICLES
        if tag in _LEFT_OUT or (tag == "footer" and not self._articles) or (tag not in _VOID and self._is_hidden(dict(attrs))):
            self._skipped, self._skipped_depth, self._is_left_out = tag, 1, False
            return
        if self._tidy and ((tag == "aside" and not self._articles) or is_furniture(tag, dict(attrs))):
            self._flush()
            self._skipped, self._skipped_depth, self._is_left_out = tag, 1, True
            return
        self._banner += self._tidy and tag == "header" and not self._articles
        self._start(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            if tag == self._skipped:
                self._skipped_depth -= 1
                if not self._skipped_depth:
                    self._skipped = ""
            return
        self._articles = max(0, self._articles - (tag in _ARTICLES))
        if tag == "header" and self._banner:
            self._flush()
            self._banner -= 1
        match tag:
            case "title":
                self._in_title = False
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._flush()
                self._heading = 0
            case "pre":
                self._flush()
                self._preformatted = max(0, self._preformatted - 1)
            case "ul" | "ol" | "menu":
                self._flush()
                self._item = ""
                if self._lists:
                    self._lists.pop()
            case "li":
                self._flush()
                self._item = ""
            case "blockquote" | "td" | "th" | "table":
                self._close(tag)
            case "dt" | "dd" | "dl":
                self._flush()
                self._defines = ""
                if tag == "dl" and self._waits:
                    self._sinks[-1].blocks.append(Block("item", f"- {self._term}"))
                    self._waits = False
            case _ if tag in _BLOCKS:
                self._flush()

    def handle_data(self, data: str) -> None:
        if self._skipped:
            self.left_out += len(data.strip()) if self._is_left_out else 0
            return
        if self._in_title:
            self.title = ((self.title or "") + data)[:1000]
        else:
            self._inline.append(data)

    def _is_hidden(self, attributes: dict[str, str | None]) -> bool:
        hidden = "hidden" in attributes or _HIDDEN.search(attributes.get("style") or "") is not None
        self.hid |= hidden
        return hidden

    def _start(self, tag: str, attributes: dict[str, str | None]) -> None:
        match tag:
            case "title":
                self._in_title = self.title is None
            case "br":
                self._inline.append("\x1f")
            case "img":
                self._inline.append(f"\x1e{(attributes.get('alt') or '').replace(chr(30), '')}\x1e")
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._flush()
                self._heading = int(tag[1])
            case "pre":
                self._flush()
                self._preformatted += 1
            case "ul" | "ol" | "menu":
                self._flush()
                self._lists.append(tag)
            case "dt" | "dd":
                self._flush()
                if tag == "dt" and not self._waits:
                    self._term = ""
                self._defines = tag
            case "li":
                self._flush()
                mark = "1." if self._lists and self._lists[-1] == "ol" else "-"
                self._item = f"{'  ' * (min(len(self._lists), DEEPEST) - 1)}{mark} "
            case "blockquote" | "table":
                self._open(tag)
            case "tr":
                self._row()
            case "td" | "th":
                self._cell(tag)
            case _ if tag in _BLOCKS:
                self._flush()

    def _open(self, tag: str) -> None:
        self._flush()
        if sum(sink.tag == tag for sink in self._sinks) < DEEPEST:
            if tag == "table":
                for sink in self._sinks:
                    sink.plain = False  # a table that holds another lays out a page
            self._sinks.append(_Sink(tag))

    def _row(self) -> None:
        self._close("td")
        if self._sinks[-1].tag == "table":
            self._sinks[-1].rows.append([])

    def _cell(self, tag: str) -> None:
        self._close("td")
        table = self._sinks[-1]
        if table.tag == "table":
            if not table.rows:
                table.rows.append([])
            self._sinks.append(_Sink("th" if tag == "th" else "td"))

    def _close(self, tag: str) -> None:
        """End the innermost quotation, cell or table of this kind, and what was left open in it."""
        self._flush()
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
            outer.rows[-1].append(Cell(_SPACE.sub(" ", text).strip(), strong=sink.tag == "th"))
            outer.plain &= len(text) <= LONGEST_CELL and not any(block.kind == "table" for block in sink.blocks)
            outer.blocks.extend(sink.blocks)
        elif sink.tag == "table":
            wide = any(sum(bool(cell.text) for cell in row) > 1 for row in sink.rows)
            if sink.plain and wide:
                outer.blocks.append(Block("table", "", tuple(Row(tuple(row)) for row in sink.rows)))
            else:
                outer.blocks.extend(block for block in sink.blocks if not block.picture)
        elif sink.tag == "blockquote":
            outer.blocks += [_quoted(block) for block in sink.blocks]
        else:
            outer.blocks.extend(sink.blocks)

    def _flush(self) -> None:
        """What was collected becomes a block."""
        raw = "".join(self._inline)
        self._inline.clear()
        picture = "\x1e" in raw and _is_picture(raw)
        raw = raw.replace("\x1e", " ")
        if self._banner and not self._heading:
            # Of a site's head only what is set as a heading may be the page's own.
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
        elif self._defines and not self._item and len(text) <= LONGEST_CELL:
            if self._defines == "dt":
                self._term, self._waits = (f"{self._term}, {text}" if self._term else text), True
                return
            self._waits = False
            block = Block("item", f"- {self._term.rstrip(' :')}: {text}" if self._term else f"- {text}")
            block = replace(block, text=block.text.replace("\n", " "))
        elif self._item:
            block = Block("item", self._item + text.replace("\n", " "))
            self._item = " " * (len(self._item) - 1) + " "  # further paragraphs of the item stand below it
        else:
            block = Block("text", text, picture=picture)
        self._sinks[-1].blocks.append(block)


def _is_picture(raw: str) -> bool:
    """Whether there are only pictures, of which little is said."""
    told = _PICTURE.findall(raw)
    return not any(map(str.isalnum, _PICTURE.sub("", raw))) and all(len(each.strip("\x1e").split()) < TELLING for each in told)


def _quoted(block: Block) -> Block:
    if block.kind == "table" or block.level:
        return block
    return Block("text", "\n".join(f"> {line}" for line in block.text.split("\n")))
