"""Word documents (docx, docm): the body in its order, as it reads with all changes accepted.

The body is read as a stream of paragraphs and tables. Left out: deleted words, hidden words (noted), tables of contents, page
numbers. Notes and comments stand right behind their paragraph, headers and footers once at the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from lxml import etree

from lattice_common.capture.readers.address_lines import may_belong, parted
from lattice_common.capture.readers.docx_styles import (
    PLAIN,
    Numbering,
    Style,
    numbering,
    numbering_of,
    on,
    outline,
    styles_of,
    value_of,
)
from lattice_common.capture.readers.docx_words import Words, read_words
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.ooxml import Package, attribute, forget, local, read_package
from lattice_common.capture.readers.tables import EMPTY, Cell, Row, write_table
from lattice_common.capture.readers.text_builder import BLOCK, LINE, TextBuilder, heading_path, path_label
from lattice_common.capture.readers.titles import is_title
from lattice_common.domain.reading import ReadResult

_LINE_END = "\x1f"
"""Between the lines of a cell, while its row is put together."""
LONGEST_SPREAD = 40
"""Characters of a line in a cell that may be a cell of its own."""
DEEPEST_TABLE = 8

_LABEL = re.compile(r"[^\W\d_][^.!?;|\t]{1,38}[^\W_]:?")
"""What may stand before a tab and name what stands behind it; no number of a list."""


@dataclass(slots=True)
class _Where:
    """How far the body is read: by pages where Word noted them, else by headings and paragraphs."""

    paged: bool = False
    page: int = 1
    paragraph: int = 0
    path: list[tuple[int, str]] = field(default_factory=list)
    styled: int = 0
    """The level of the last heading that is one by its style; 0 before the first."""

    def place(self) -> str:
        if self.paged:
            return f"page {self.page}"
        return path_label(self.path) or f"paragraph {max(1, self.paragraph)}"


@dataclass(slots=True)
class _Written:
    """What was written last, where the next one may be another of its kind; and the term whose definition comes next, of a list
    of both."""

    kind: Literal["item", "pair"] | None = None
    term: str = ""


@dataclass(slots=True)
class _Document:
    """What is known of the document while its body is read."""

    package: Package
    builder: TextBuilder
    limits: Limits
    styles: dict[str, Style]
    lists: Numbering
    notes: dict[tuple[str, str], str]
    where: _Where = field(default_factory=_Where)
    last: _Written = field(default_factory=_Written)
    titled: bool = False
    cells: int = 0
    hidden: bool = False
    held: list[tuple[str, str]] = field(default_factory=list)
    """Short paragraphs that may be the lines of an address, each with its place: written when it is known whether they are."""


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:  # noqa: ARG001 - every reader's signature
    """Return a document as markdown; places are pages where Word noted them, else headings."""
    return read_package(path, limits, lambda package: _document(package, limits, on_progress))


def _document(package: Package, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    main = package.main_part()
    parts = {relation.kind: relation.target for relation in package.relations(main).values()}
    document = _Document(
        package,
        TextBuilder(limits),
        limits,
        styles_of(package, parts.get("styles", "")),
        numbering(package, parts.get("numbering", "")),
        {},
    )
    for kind, part in (("Footnote", "footnotes"), ("Endnote", "endnotes"), ("Comment", "comments")):
        document.notes.update(_side_notes(document, kind, parts.get(part, "")))
    document.where.paged = package.contains(main, b"lastRenderedPageBreak")
    _margins(document, main)
    for element in _blocks(package, main):
        _block(document, element)
        forget(element)
        if document.builder.full:
            break
    _write_held(document)
    on_progress(1, 1)
    if package.macros:
        document.builder.note("macros")
    if document.hidden:
        document.builder.note("hidden-text")
    return document.builder.build("docx", ("empty",) if document.builder.empty else (), package.title())


def _blocks(package: Package, part: str) -> Iterator[etree._Element]:
    """Yield the paragraphs and tables of the body, those within content controls too."""
    for element in package.elements(part, "p", "tbl"):
        parent = element.getparent()
        while parent is not None and local(parent) in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"):
            parent = parent.getparent()
        if parent is not None and local(parent) == "body":
            yield element


def _block(document: _Document, element: etree._Element) -> None:
    if local(element) == "tbl":
        document.last.kind = None
        _write_held(document)
        _table(document, element)
        return
    document.where.paragraph += 1
    words = _words(document, element)
    properties = element.find("{*}pPr")
    style = _style_of(document, element)
    if not style.contents and words.text:
        if (pair := _pair(document, element, words)) is not None and style.level is None:
            _write_held(document)
            document.builder.add(pair, document.where.place())
            document.last.kind = "pair"
        elif style.of_list == "term" and _style_of(document, element.getnext()).of_list == "definition":
            document.last.term = words.text.rstrip(": ")
        elif style.of_list == "definition" and document.last.term:
            _write_held(document)
            document.builder.add(f"{document.last.term}: {words.text}", document.where.place())
            document.last.term = ""
        else:
            bold = _bold_level(document, element, words) if style.level is None and style.numbering is None else None
            _write(document, words.text, properties, style, bold)
    elif not words.text:
        _write_held(document)
    for kind, note in words.references:
        if text := document.notes.get((kind, note)):
            document.last.kind = None
            _write_held(document)
            document.builder.add(text, document.where.place())
    document.where.page += words.breaks


def _style_of(document: _Document, element: etree._Element | None) -> Style:
    properties = element.find("{*}pPr") if element is not None else None
    return document.styles.get(value_of(properties, "pStyle") or "", PLAIN)


def _bold_level(document: _Document, element: etree._Element, words: Words) -> int | None:
    """Return the level of a line that is a heading by its bold letters alone: a short one without a mark behind it, above a
    paragraph, a list or a table; None of others."""
    if not words.strong or len(words.lines) != 1 or len(words.text) > LONGEST_BOLD or numbering_of(element.find("{*}pPr"))[0]:
        return None
    if words.text.rstrip()[-1:] in ".,;:!?…" or ": " in words.text or not any(map(str.isalpha, words.text)):
        return None
    following = element.getnext()
    if following is None or local(following) not in ("p", "tbl"):
        return None
    below = read_words(following)
    listed = local(following) == "tbl" or numbering_of(following.find("{*}pPr"))[0] or _style_of(document, following).numbering
    if not listed and (below.strong or len(below.text) < SHORTEST_BELOW):
        return None
    styled = document.where.styled
    return min(6, styled + 1) if styled else 1 if document.builder.empty and not document.held else 2


LONGEST_BOLD, SHORTEST_BELOW = 80, 40
"""Characters of a bold line that may be a heading, and of the paragraph below it: above less it is a name with its role."""


def _pair(document: _Document, element: etree._Element, words: Words) -> str | None:
    """Return a label and its value behind a tab, where the paragraph above or below is set so as well; None for others."""
    following = element.getnext()
    tabbed = following is not None and following.find("{*}r/{*}tab") is not None
    if len(words.lines) != 1 or not (tabbed or document.last.kind == "pair"):
        return None
    label, *values = [part for part in words.lines[0].split("\t") if part]
    return f"{label.rstrip(':')}: {values[0]}" if len(values) == 1 and _LABEL.fullmatch(label) else None


def _write(document: _Document, text: str, properties: etree._Element | None, style: Style, bold: int | None = None) -> None:
    """Write a paragraph; `bold` is its level where it is a heading by its letters alone."""
    level = outline(properties) or style.level
    by_style = level is not None
    level = level if by_style else bold
    listed, depth = numbering_of(properties)
    if listed is None:
        listed, depth = style.numbering, style.depth
    if level is None and listed in (None, "0") and may_belong(text):
        document.last.kind = None
        document.held.append((text, document.where.place()))
        return
    _write_held(document)
    if level is not None and is_title(text):
        document.titled = document.titled or level == 0
        if by_style:
            level = document.where.styled = min(6, level + document.titled)
        title = " ".join(text.split())
        document.where.path = heading_path(document.where.path, level, title)
        document.builder.add(f"{'#' * level} {title}", document.where.place())
        document.last.kind = None
        return
    if listed is not None and listed != "0":
        mark = document.lists.mark(listed, depth)
        item = f"{'  ' * depth}{mark} {' '.join(text.split())}"
        document.builder.add(item, document.where.place(), between=LINE if document.last.kind == "item" else BLOCK)
        document.last.kind = "item"
        return
    document.last.kind = None
    document.builder.add(_no_fence(text), document.where.place())


def _write_held(document: _Document) -> None:
    """Write the short paragraphs that were held back, the lines of an address below each other and others as they are."""
    held, document.held = document.held, []
    within = {at for start, end in parted([line for line, _ in held]) for at in range(start + 1, end)}
    for at, (line, place) in enumerate(held):
        document.builder.add(_no_fence(line), place, between=LINE if at in within else BLOCK)


def _no_fence(text: str) -> str:
    """Return the words of a paragraph; a line of backticks would make the rest of the text a fence."""
    return f"    {text}" if text.startswith(("```", "~~~")) else text


def _words(document: _Document, element: etree._Element) -> Words:
    """Return the words below an element; pages that end before them are counted."""
    words = read_words(element)
    document.where.page += words.breaks_before
    document.hidden = document.hidden or words.hidden
    return words


def _table(document: _Document, element: etree._Element) -> None:
    if _lays_out(element):
        for cell in element.iterfind("{*}tr/{*}tc"):
            for child in cell:
                if local(child) in ("p", "tbl"):
                    _block(document, child)
            document.last.kind = None
        return
    rows = _untabbed(list(_rows(document, element, 0)), document.limits.columns)
    filled = [[cell for cell in row.cells if cell.text] for row in rows]
    if max((len(cells) for cells in filled), default=0) > 1:
        write_table(document.builder, rows)
        return
    # One column is a frame around text.
    for row, cells in zip(rows, filled, strict=True):
        for cell in cells:
            document.builder.add(cell.text, row.place)


def _lays_out(table: etree._Element) -> bool:
    """Return whether it is a single row of cells with several lines each: that sets text side by side, as at the head of a CV."""
    rows = [row for row in table.iterfind("{*}tr") if any((text.text or "").strip() for text in row.iter("{*}t"))]
    return len(rows) == 1 and any(
        len(cell.findall("{*}p/{*}r/{*}br")) + sum(paragraph.find(".//{*}t") is not None for paragraph in cell.iterfind("{*}p"))
        > 1
        for cell in rows[0].iterfind("{*}tc")
    )


def _rows(document: _Document, element: etree._Element, depth: int) -> Iterator[Row]:
    """Yield the rows of a table, merged cells with the words of the first of them."""
    above: dict[int, Cell] = {}
    for row in element.iterfind("{*}tr"):
        named = row.find("{*}trPr")
        if named is not None and named.find("{*}del") is not None:
            continue
        head = named is not None and on(named.find("{*}tblHeader"))
        cells: list[Cell] = []
        for held in (cell for child in row for cell in ([child] if local(child) == "tc" else child.iterfind(".//{*}tc"))):
            properties = held.find("{*}tcPr")
            merged = properties.find("{*}vMerge") if properties is not None else None
            continued = merged is not None and (attribute(merged, "val") or "continue") == "continue"
            cell = above.get(len(cells), EMPTY) if continued else _cell(document, held, depth)
            span = value_of(properties, "gridSpan") or "1"
            wide = min(int(span), document.limits.columns) if span.isdecimal() and len(span) < 5 else 1
            cell = replace(cell, strong=True) if head else cell
            above[len(cells)] = cell
            cells += [cell, *[EMPTY] * (wide - 1)]
            document.cells += 1
        if document.cells > document.limits.cells:
            document.builder.note(f"partial:the first {document.limits.cells} cells")
            return
        yield from _spread(cells[: document.limits.columns], document.where.place())


def _spread(cells: Sequence[Cell], place: str) -> Iterator[Row]:
    """Yield a row, or several where each of its cells holds as many lines: columns that were written into one row of cells."""
    held = [cell.text.split(_LINE_END) for cell in cells if cell.text]
    count = len(held[0]) if len(held) > 1 else 1
    if count > 1 and all(len(lines) == count and all(len(line) <= LONGEST_SPREAD for line in lines) for lines in held):
        for at in range(count):
            parts = ((cell.text.split(_LINE_END) if cell.text else [""] * count)[at].strip() for cell in cells)
            yield Row(tuple(replace(cell, text=part) for cell, part in zip(cells, parts, strict=True)), place)
        return
    yield Row(tuple(replace(cell, text=cell.text.replace(_LINE_END, "; ")) for cell in cells), place)


def _untabbed(rows: Sequence[Row], most: int) -> list[Row]:
    """Return the rows with columns that were set by tabs within the cells of one column apart, where all of its cells have as
    many."""
    wide = max((len(row.cells) for row in rows), default=0)
    parts = [1] * wide
    for column in range(wide):
        counts = {row.cells[column].text.count("\t") + 1 for row in rows if column < len(row.cells) and row.cells[column].text}
        parts[column] = counts.pop() if len(counts) == 1 else 1
    return [Row(tuple(_parted_cells(row, parts))[:most], row.place) for row in rows]


def _parted_cells(row: Row, parts: Sequence[int]) -> Iterator[Cell]:
    for cell, count in zip(row.cells, parts, strict=False):
        texts = cell.text.split("\t") if count > 1 and cell.text else [cell.text.replace("\t", " ")]
        yield from (replace(cell, text=text) for text in (*texts, *[""] * (count - len(texts))))


def _cell(document: _Document, element: etree._Element, depth: int) -> Cell:
    """Return the words of a cell on one line, tabs between columns kept; a table within it row by row."""
    texts: list[str] = []
    strong = True
    for child in element:
        if local(child) == "tbl" and depth < DEEPEST_TABLE:
            inner = _untabbed(list(_rows(document, child, depth + 1)), document.limits.columns)
            texts += [", ".join(cell.text for cell in row.cells if cell.text) for row in inner]
        elif local(child) in ("p", "sdt"):
            words = _words(document, child)
            texts += words.lines
            strong = strong and words.strong
            texts += [document.notes[reference] for reference in words.references if reference in document.notes]
    lines = ("\t".join(" ".join(part.split()) for part in text.rstrip(";").split("\t")) for text in texts if text.strip())
    text = _LINE_END.join(line for line in lines if line)
    return Cell(text, strong and bool(text))


def _side_notes(document: _Document, kind: str, part: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield footnotes, endnotes and comments by their kind and id, each with the label before it."""
    root = document.package.root(part) if part else None
    for entry in root if root is not None else ():
        if attribute(entry, "type") in ("separator", "continuationSeparator", "continuationNotice"):
            continue
        author = attribute(entry, "author") if kind == "Comment" else None
        text = _words(document, entry).text.replace("\n", " ")
        if text:
            yield (kind, attribute(entry, "id") or ""), f"{kind}{f' by {author}' if author else ''}: {text}"


def _margins(document: _Document, main: str) -> None:
    """Add headers and footers, each text once: letterheads tell who writes."""
    seen: set[str] = set()
    for relation in document.package.relations(main).values():
        if relation.kind not in ("header", "footer"):
            continue
        root = document.package.root(relation.target)
        for paragraph in root.iter("{*}p") if root is not None else ():
            text = _words(document, paragraph).text
            if text and text not in seen and any(char.isalpha() for char in text.replace("Page", "").replace(" of ", "")):
                seen.add(text)
                document.builder.add(text, relation.kind)
    document.where.page = 1
