"""Workbooks of Excel 97 to 2003 (xls), in the same shape as xlsx."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path

import xlrd
from xlrd.book import Book
from xlrd.compdoc import CompDocError
from xlrd.sheet import Sheet as BiffSheet

from lattice_common.capture.readers import ole2
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.number_format import number_text
from lattice_common.capture.readers.sheet_rows import CellBudget, Sheet, write_sheet
from lattice_common.capture.readers.tables import LONGEST_NAME, Cell
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.capture.readers.zip_scan import broken, encrypted
from lattice_common.domain.reading import ReadResult

_BOLD = 600
"""The weight of a font from which on it is bold: 400 is regular, 700 bold."""


class _Nowhere(io.TextIOBase):
    """Where xlrd's remarks go: a process that reads files may open none for writing, not even /dev/null."""

    def write(self, text: str, /) -> int:
        return len(text)


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:  # noqa: ARG001 - every reader's signature
    """Return a workbook as text: sheets under their names, tables with the names of their columns, places like `sheet Budget, row
    7`."""
    data = path.read_bytes()
    try:
        book = xlrd.open_workbook(file_contents=data, formatting_info=True, on_demand=True, logfile=_Nowhere())
        return _workbook(book, ole2.stream_names(data), limits, on_progress)
    except xlrd.XLRDError as error:
        return encrypted() if "encrypted" in str(error).lower() or "password" in str(error).lower() else broken()
    except (CompDocError, struct.error, LookupError, ValueError, AssertionError, EOFError, TypeError, AttributeError):
        # What xlrd raises for records that are not as the format says.
        return broken()


def _workbook(book: Book, streams: frozenset[str], limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    builder = TextBuilder(limits)
    count = min(book.nsheets, limits.pages)
    if count < book.nsheets:
        builder.note(f"partial:{count} of {book.nsheets} sheets")
    if any(stream.startswith("_VBA_PROJECT") for stream in streams):
        builder.note("macros")
    budget = CellBudget(builder, limits)
    hidden = 0
    for at in range(count):
        found = book.sheet_by_index(at)
        hidden += found.visibility != 0
        write_sheet(builder, _sheet(book, found, budget), alone=count == 1)
        book.unload_sheet(at)
        on_progress(at + 1, count)
        if builder.full:
            break
    if hidden:
        builder.note(f"hidden-sheets:{hidden}")
    return builder.build("xls", () if not builder.empty else ("empty",))


def _sheet(book: Book, found: BiffSheet, budget: CellBudget) -> Sheet:
    sheet = Sheet(" ".join(found.name.split())[:LONGEST_NAME])
    sheet.merged = [(top + 1, bottom, left + 1, right) for top, bottom, left, right in found.merged_cells]
    for row in range(found.nrows):
        for column in range(found.row_len(row)):
            cell = _cell(book, found, row, column)
            if cell.text and not budget.take(sheet, row + 1, column + 1, cell):
                return sheet
    return sheet


def _cell(book: Book, sheet: BiffSheet, row: int, column: int) -> Cell:
    value = sheet.cell_value(row, column)
    match sheet.cell_type(row, column):
        case xlrd.XL_CELL_TEXT:
            return Cell(str(value).strip(), _style(book, sheet, row, column)[1])
        case xlrd.XL_CELL_NUMBER | xlrd.XL_CELL_DATE:
            code, strong = _style(book, sheet, row, column)
            return Cell(number_text(float(value), code, epoch_1904=bool(book.datemode)), strong, number=True)
        case xlrd.XL_CELL_BOOLEAN:
            return Cell("TRUE" if value else "FALSE", number=True)
        case _:
            return Cell()


def _style(book: Book, sheet: BiffSheet, row: int, column: int) -> tuple[str, bool]:
    """Return the format code of a cell, and whether it is bold."""
    xf = book.xf_list[sheet.cell_xf_index(row, column)]
    form = book.format_map.get(xf.format_key)
    return (form.format_str if form else ""), book.font_list[xf.font_index].weight >= _BOLD
