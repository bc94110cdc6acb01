"""Binary workbooks of Excel (.xlsb), in the same shape as xlsx. Which cells are bold is not known of them."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path

from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.ooxml import Package, read_package
from lattice_common.capture.readers.sheet_rows import CellBudget, Sheet, write_sheet
from lattice_common.capture.readers.tables import LONGEST_NAME, Cell
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.capture.readers.xlsb_columns import with_columns
from lattice_common.capture.readers.zip_scan import broken
from lattice_common.domain.reading import ReadResult

Value = int | float | str | bool | time | date | datetime | timedelta


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:  # noqa: ARG001 - every reader's signature
    """Return a workbook as text: sheets under their names, tables with the names of their columns, places like `sheet Budget, row
    7`."""

    def body(package: Package) -> ReadResult:
        return _workbook(path, package, limits, on_progress)

    return read_package(path, limits, body)


def _workbook(path: Path, package: Package, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(with_columns(path.read_bytes())))
        builder, names = TextBuilder(limits), book.sheet_names
        if len(names) > limits.pages:
            builder.note(f"partial:{limits.pages} of {len(names)} sheets")
        if package.macros:
            builder.note("macros")
        if hidden := sum(each.visible != SheetVisibleEnum.Visible for each in book.sheets_metadata):
            builder.note(f"hidden-sheets:{hidden}")
        budget = CellBudget(builder, limits)
        for done, title in enumerate(names[: limits.pages], 1):
            rows = book.get_sheet_by_name(title)
            sheet = Sheet(" ".join(title.split())[:LONGEST_NAME])
            first = (rows.start or (0, 0))[1] + 1
            for number, row in enumerate(rows.iter_rows(), 1):  # from the sheet's first row, and the table's first column
                for column, value in enumerate(row, first):
                    cell = _cell(value)
                    if cell.text and not budget.take(sheet, number, column, cell):
                        break
                if budget.spent:
                    break
            write_sheet(builder, sheet, alone=len(names) == 1)
            on_progress(done, len(names))
            if builder.full:
                break
    except (CalamineError, OSError):  # the latter where a record breaks off
        return broken()
    return builder.build("xlsx", () if not builder.empty else ("empty",), package.title())


def _cell(value: Value) -> Cell:
    match value:
        case bool():
            return Cell("TRUE" if value else "FALSE", number=True)
        case str():
            return Cell(value.strip())
        case datetime():
            shown = value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
            return Cell(shown, number=True)
        case date() | time():
            return Cell(value.isoformat(), number=True)
        case int() | float():
            return Cell(f"{value:.10g}", number=True)
        case _:
            return Cell(str(value), number=True)
