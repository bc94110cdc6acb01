"""OpenDocument files of LibreOffice and its kin: texts (.odt), sheets (.ods) and slides (.odp), in the order in which they stand.

Values of sheets are the words that their cells show. Changes that were struck out, comments and empty repeats are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.ooxml import Package, attribute, local, read_package
from lattice_common.capture.readers.sheet_rows import CellBudget, Sheet, write_sheet
from lattice_common.capture.readers.tables import EMPTY, LONGEST_NAME, Cell, Row, write_table
from lattice_common.capture.readers.text_builder import BLOCK, LINE, TextBuilder, heading_path, path_label
from lattice_common.capture.readers.titles import is_title
from lattice_common.domain.capture import SourceType
from lattice_common.domain.reading import ReadResult, Unreadable

DEEPEST = 40
MOST_REPEATED = 100
"""Times that a cell or row with words is taken where it is repeated."""
_HEAVY = ("bold", "600", "700", "800", "900")
_LEFT_OUT = frozenset(
    ("tracked-changes", "annotation", "table-of-content", "note-citation", "sequence-decls", "forms", "settings")
)
_NUMBERS = frozenset(("float", "currency", "percentage", "date", "time"))


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return the text of an OpenDocument file; one with a password is `encrypted`."""
    return read_package(path, limits, lambda package: _document(package, name, limits, on_progress))


def _document(package: Package, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    manifest = package.root("META-INF/manifest.xml")
    if manifest is not None and manifest.find(".//{*}encryption-data") is not None:
        return Unreadable(
            "encrypted", f"{name} needs a password. Open it with the password, save it without one, and put it in again."
        )
    root = package.root("content.xml")
    body = root.find("{*}body") if root is not None else None
    held = (
        next((each for each in body if local(each) in ("text", "spreadsheet", "presentation")), None)
        if body is not None
        else None
    )
    if held is None:
        return Unreadable(
            "unsupported", f"{name} is an OpenDocument file of a kind that is not read. Save it as .odt, .ods or .pdf."
        )
    builder = TextBuilder(limits)
    writing = _Writing(builder, limits)
    parts = [each for each in held if local(each) in ("table", "page")][: limits.pages]
    if local(held) == "text":
        writing.blocks(held)
    elif local(held) == "spreadsheet":
        bold, budget = _bold_styles(package), CellBudget(builder, limits)
        for number, part in enumerate(parts, 1):
            write_sheet(builder, _sheet(part, number, bold, budget), alone=len(parts) == 1)
            on_progress(number, len(parts))
    else:
        for number, part in enumerate(parts, 1):
            writing.slide(part, number)
            on_progress(number, len(parts))
    on_progress(1, 1)
    if writing.builder.empty:
        return Unreadable("no-text", f"{name} has no words. If it holds pictures of text, run OCR over it and put that in.")
    meta = package.root("meta.xml")
    title = meta.findtext(".//{*}title") if meta is not None else None
    kinds: dict[str, SourceType] = {"text": "odt", "spreadsheet": "ods"}
    return writing.builder.build(kinds.get(local(held), "odp"), title=title)


def _bold_styles(package: Package) -> frozenset[str]:
    """Return the names of the cell styles that are bold."""
    found = set()
    for part in ("styles.xml", "content.xml"):
        root = package.root(part)
        for style in root.iter("{*}style") if root is not None else ():
            words = style.find("{*}text-properties")
            if words is not None and attribute(words, "font-weight") in _HEAVY and (name := attribute(style, "name")):
                found.add(name)
    return frozenset(found)


def _sheet(table: etree._Element, number: int, bold: frozenset[str], budget: CellBudget) -> Sheet:
    """Return a sheet without the cells that are repeated to its end."""
    sheet = Sheet(" ".join((attribute(table, "name") or f"Sheet {number}").split())[:LONGEST_NAME])
    usual = [attribute(each, "default-cell-style-name") or "" for each in table.iter("{*}table-column")]
    at = 0
    for row in table.iter("{*}table-row"):
        cells, merged = _cells(row, bold, usual)
        for _ in range(min(_number(row, "number-rows-repeated"), MOST_REPEATED) if cells else 0):
            at += 1
            if not all(budget.take(sheet, at, column, cell) for column, cell in cells):
                return sheet
        sheet.merged += [(at, at + down - 1, first, first + across - 1) for first, across, down in merged]
        at += 0 if cells else _number(row, "number-rows-repeated")
    return sheet


def _cells(
    row: etree._Element, bold: frozenset[str], usual: list[str]
) -> tuple[list[tuple[int, Cell]], list[tuple[int, int, int]]]:
    """Return the cells of a row that hold words, by their column from 1 on; and where merged ones begin, how many columns and
    rows they have."""
    found: list[tuple[int, Cell]] = []
    merged: list[tuple[int, int, int]] = []
    column = 1
    for cell in row:
        if local(cell) not in ("table-cell", "covered-table-cell"):
            continue
        times = _number(cell, "number-columns-repeated")
        text = "\n".join(filter(None, (words_of(each) for each in cell if local(each) in ("p", "h", "list"))))
        if text and local(cell) == "table-cell":
            style = attribute(cell, "style-name") or (usual[column - 1] if column <= len(usual) else "")
            spans = [attribute(each, "style-name") for each in cell.iter("{*}span")]
            strong = style in bold or (bool(spans) and all(span in bold for span in spans))
            held = Cell(" ".join(text.split()), strong, number=(attribute(cell, "value-type") or "string") in _NUMBERS)
            found += [(column + each, held) for each in range(min(times, MOST_REPEATED))]
            across, down = _number(cell, "number-columns-spanned"), _number(cell, "number-rows-spanned")
            if across > 1 or down > 1:
                merged.append((column, across, down))
        column += times
    return found, merged


def _number(element: etree._Element, name: str) -> int:
    given = attribute(element, name) or "1"
    return max(1, int(given)) if given.isdecimal() else 1


class _Writing:
    """A document's elements on their way into the text."""

    def __init__(self, builder: TextBuilder, limits: Limits) -> None:
        self.builder = builder
        self._limits = limits
        self._path: list[tuple[int, str]] = []
        self._place: str | None = None
        self._listing = False

    def blocks(self, parent: etree._Element, depth: int = 0) -> None:
        """Write headings, paragraphs, lists and tables within `parent`, whatever they are wrapped in."""
        for each in parent:
            kind = local(each)
            if kind in _LEFT_OUT or depth > DEEPEST or self.builder.full:
                continue
            if kind == "h":
                self._heading(words_of(each), int(attribute(each, "outline-level") or "1"))
            elif kind == "p":
                self._add(words_of(each))
                for inner in each.iter("{*}text-box"):
                    self.blocks(inner, depth + 1)
            elif kind == "list":
                self._list(each, 0)
            elif kind == "table":
                self._listing = False
                write_table(self.builder, list(self._rows(each)))
            else:
                self.blocks(each, depth + 1)

    def slide(self, page: etree._Element, number: int) -> None:
        self._place, self._listing = f"slide {number}", False
        titled = False
        for frame in page:
            if attribute(frame, "class") == "title" and not titled and (title := _words_within(frame)):
                titled = True
                self.builder.add(f"# {title}", self._place)
            else:
                self.blocks(frame)

    def _heading(self, text: str, level: int) -> None:
        title = " ".join(text.split())
        if title and is_title(title):
            level = min(max(level, 1), 6)
            self._path, self._listing = heading_path(self._path, level, title), False
            self.builder.add(f"{'#' * level} {title}", self._at())
        else:
            self._add(text)

    def _add(self, text: str) -> None:
        if text.strip():
            self._listing = False
            self.builder.add(text, self._at())

    def _list(self, listed: etree._Element, depth: int) -> None:
        for item in listed:
            for each in item:
                if local(each) == "list" and depth < DEEPEST:
                    self._list(each, depth + 1)
                elif text := " ".join(words_of(each).split()):
                    self.builder.add(f"{'  ' * depth}- {text}", self._at(), between=LINE if self._listing else BLOCK)
                    self._listing = True

    def _rows(self, table: etree._Element) -> Iterator[Row]:
        """Yield a table's rows. What is repeated to the end of the sheet is empty."""
        for row in table.iter("{*}table-row"):
            cells: list[Cell] = []
            for cell in row:
                if local(cell) not in ("table-cell", "covered-table-cell"):
                    continue
                text = "\n".join(filter(None, (words_of(each) for each in cell if local(each) in ("p", "h", "list"))))
                times = min(_number(cell, "number-columns-repeated"), self._limits.columns - len(cells))
                number_like = (attribute(cell, "value-type") or "string") in _NUMBERS
                cells += [Cell(" ".join(text.split()), number=number_like) if text else EMPTY] * (
                    times if text or times < 50 else 0
                )
            repeated = _number(row, "number-rows-repeated")
            for _ in range(min(repeated, MOST_REPEATED) if any(cell.text for cell in cells) else 1):
                yield Row(tuple(cells), self._at())

    def _at(self) -> str | None:
        return self._place or path_label(self._path)


def _words_within(frame: etree._Element) -> str:
    return " ".join(" ".join(words_of(each) for each in frame.iter("{*}p")).split())


def words_of(element: etree._Element) -> str:
    """Return the words of a paragraph with its tabs and line breaks; text boxes are read by themselves."""
    parts: list[str] = []
    _gather(element, parts, 0)
    return "".join(parts).strip()


def _gather(element: etree._Element, parts: list[str], depth: int) -> None:
    parts.append(element.text or "")
    for each in element:
        kind = local(each)
        if kind == "s":
            parts.append(" " * min(int(attribute(each, "c") or "1"), 20))
        elif kind == "tab":
            parts.append("\t")
        elif kind == "line-break":
            parts.append("\n")
        elif kind == "note":
            parts.append(" (")
            _gather(each, parts, depth + 1)
            parts.append(")")
        elif kind not in _LEFT_OUT and kind != "text-box" and depth < DEEPEST:
            if kind == "p" and parts and parts[-1]:
                parts.append("\n")
            _gather(each, parts, depth + 1)
        parts.append(each.tail or "")
