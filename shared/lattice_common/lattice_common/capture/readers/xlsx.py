"""Workbooks of Excel 2007 and later (xlsx, xlsm): the values as they were last shown, never formulas.

Sheets are read as a stream of rows, so a cell in the last row of the last column costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from lxml import etree

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.number_format import BUILT_IN, number_text
from lattice_common.capture.readers.ooxml import Package, attribute, forget, local, read_package
from lattice_common.capture.readers.sheet_rows import CellBudget, Sheet, write_sheet
from lattice_common.capture.readers.tables import LONGEST_NAME, Cell
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.domain.reading import ReadResult

_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")


@dataclass(frozen=True, slots=True)
class _Style:
    code: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class _Book:
    strings: list[str]
    styles: list[_Style]
    epoch_1904: bool


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:  # noqa: ARG001 - every reader's signature
    """Return a workbook as text: sheets under their names, tables with the names of their columns, places like `sheet Budget, row
    7`."""
    return read_package(path, limits, lambda package: _workbook(package, limits, on_progress))


def _workbook(package: Package, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    main = package.main_part()
    root = package.root(main)
    relations = package.relations(main)
    parts = {relation.kind: relation.target for relation in relations.values()}
    properties = root.find("{*}workbookPr") if root is not None else None
    book = _Book(
        _strings(package, parts.get("sharedStrings", ""), limits),
        _styles(package.root(parts.get("styles", ""))),
        properties is not None and properties.get("date1904", "0") in ("1", "true"),
    )
    found = [
        (" ".join(entry.get("name", "Sheet").split())[:LONGEST_NAME], entry.get("state", "visible"), relations[key].target)
        for entry in (root.iterfind("{*}sheets/{*}sheet") if root is not None else ())
        if (key := attribute(entry, "id")) in relations and relations[key].kind == "worksheet"
    ]
    builder = TextBuilder(limits)
    if len(found) > limits.pages:
        builder.note(f"partial:{limits.pages} of {len(found)} sheets")
        found = found[: limits.pages]
    if package.macros:
        builder.note("macros")
    if hidden := sum(state != "visible" for _, state, _ in found):
        builder.note(f"hidden-sheets:{hidden}")
    budget, unreckoned = CellBudget(builder, limits), 0
    for done, (title, _, part) in enumerate(found, 1):
        sheet = _sheet(package, part, Sheet(title), book, budget)
        _remark(package, part, sheet, limits)
        write_sheet(builder, sheet, alone=len(found) == 1)
        unreckoned += sheet.unreckoned
        on_progress(done, len(found))
        if builder.full:
            break
    if unreckoned:
        builder.note(f"formulas-without-values:{unreckoned}")
    return builder.build("xlsx", () if not builder.empty else ("empty",), package.title())


def _remark(package: Package, part: str, sheet: Sheet, limits: Limits) -> None:
    """Put what was noted on a cell behind its words."""
    for relation in package.relations(part).values():
        root = package.root(relation.target) if relation.kind == "comments" else None
        for comment in root.iter("{*}comment") if root is not None else ():
            at = _REFERENCE.fullmatch(comment.get("ref", ""))
            text = comment.find("{*}text")
            words = " ".join(_words(text).split()) if at and text is not None else ""
            if not at or not words:
                continue
            # Of a conversation about a cell, programs that know none are told so first.
            words = words.rpartition(" Comment: ")[2] if words.startswith("[Threaded comment]") else words
            held = sheet.rows.get(int(at[2]), {})
            cell = held.get(_column(at[1]))
            if cell is not None:
                held[_column(at[1])] = replace(cell, text=f"{cell.text} (note: {words})"[: limits.cell_chars])


def _sheet(package: Package, part: str, sheet: Sheet, book: _Book, budget: CellBudget) -> Sheet:
    number = 0
    for element in package.elements(part, "row", "mergeCell"):
        if local(element) == "mergeCell":
            _merge(sheet, element.get("ref", ""))
            continue
        given = element.get("r", "")
        number = int(given) if given.isdecimal() and len(given) <= 7 else number + 1
        if not _row(element, number, sheet, book, budget):
            break
        forget(element)
    return sheet


def _row(element: etree._Element, number: int, sheet: Sheet, book: _Book, budget: CellBudget) -> bool:
    column = 0
    for held in element:
        sheet.unreckoned += held.find("{*}f") is not None and not held.findtext("{*}v")
        reference = _REFERENCE.fullmatch(held.get("r", ""))
        column = _column(reference[1]) if reference else column + 1
        cell = _cell(held, book)
        if cell.text and not budget.take(sheet, number, column, cell):
            return False
    return True


def _cell(element: etree._Element, book: _Book) -> Cell:
    kind = element.get("t", "n")
    style_id = element.get("s", "0")
    style = book.styles[int(style_id)] if style_id.isdecimal() and int(style_id) < len(book.styles) else _Style()
    if kind == "inlineStr":
        inline = element.find("{*}is")
        return Cell(_words(inline) if inline is not None else "", style.strong)
    value = element.findtext("{*}v") or ""
    match kind:
        case "s":
            at = int(value) if value.strip().isdecimal() else -1
            return Cell(book.strings[at] if 0 <= at < len(book.strings) else "", style.strong)
        case "b":
            return Cell("TRUE" if value.strip() in ("1", "true") else "FALSE" if value else "", style.strong, number=bool(value))
        case "e":
            return Cell()
        case "n" if value:
            try:
                number = float(value)
            except ValueError:
                return Cell(value, style.strong)
            text = number_text(number, style.code, epoch_1904=book.epoch_1904)
            return Cell(text, style.strong, number=True)
        case "d":
            return Cell(value.replace("T00:00:00", ""), style.strong, number=True)
        case _:
            return Cell(value.strip(), style.strong)


def _words(item: etree._Element) -> str:
    """Return the words of a string with its runs, without the phonetic ones beside them."""
    parts = [text.text or "" for text in item.iter("{*}t") if (parent := text.getparent()) is not None and local(parent) != "rPh"]
    return "".join(parts).replace("_x000D_", "").strip()


def _strings(package: Package, part: str, limits: Limits) -> list[str]:
    found: list[str] = []
    for item in package.elements(part, "si"):
        found.append(_words(item)[: limits.cell_chars + 1])
        forget(item)
    return found


def _styles(root: etree._Element | None) -> list[_Style]:
    if root is None:
        return []
    codes = {entry.get("numFmtId", ""): entry.get("formatCode", "") for entry in root.iterfind("{*}numFmts/{*}numFmt")}
    bold = [
        any(mark.get("val", "1") not in ("0", "false") for mark in font.iterfind("{*}b"))
        for font in root.iterfind("{*}fonts/{*}font")
    ]
    found: list[_Style] = []
    for entry in root.iterfind("{*}cellXfs/{*}xf"):
        number, font = entry.get("numFmtId", "0"), entry.get("fontId", "0")
        code = codes.get(number) or (BUILT_IN.get(int(number), "") if number.isdecimal() else "")
        found.append(_Style(code, font.isdecimal() and int(font) < len(bold) and bold[int(font)]))
    return found


def _merge(sheet: Sheet, reference: str) -> None:
    first, _, last = reference.partition(":")
    one, other = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
    if one and other:
        sheet.merged.append((int(one[2]), int(other[2]), _column(one[1]), _column(other[1])))


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
