"""Tables as text: CSV, TSV and their kin, with whatever delimiter. What looks like a formula is text."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.sheet_rows import CellBudget, Sheet
from lattice_common.capture.readers.tables import EMPTY, LONGEST_NAME, Cell, Row, write_table
from lattice_common.capture.readers.text import decoded
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.domain.reading import ReadResult

DELIMITERS = ",;\t|"
LOOKED_AT = 50
"""Lines that tell the delimiter."""
MOST_ABOVE = 20
"""Rows that may stand above a table."""

_STATED = re.compile(r"\Asep=(.)\r?\n", re.IGNORECASE)
_NUMBER = re.compile(r"[\s€$£%+\-()]*\d[\d\s.,:/'%€$£)-]*\Z")


def read(
    path: Path,
    name: str,  # noqa: ARG001 - every reader is called alike
    limits: Limits,
    on_progress: Callable[[int, int], None],
) -> ReadResult:
    """Return the table in a CSV file. It fails for no text: without a delimiter it is a table of one column."""
    with path.open("rb") as file:
        content = file.read(2 * limits.text_bytes)
        more = bool(file.read(1))
    text, notes = decoded(content)
    text = text.replace("\0", "")
    csv.field_size_limit(2 * limits.text_bytes)  # of the whole process, which reads this file only; a cell is cut below
    builder = TextBuilder(limits)
    for note in notes:
        builder.note(note)
    if more:
        builder.note(f"partial:the first {len(content) / 1_000_000:g} MB of the file")
    stated = _STATED.match(text)
    if stated:
        text = text[stated.end() :]
    rows = list(_rows(text, stated[1] if stated else _delimiter(text), builder, limits))
    above = _above(rows)
    for row in rows[:above]:
        # What a bank says of an account above its table is a line of labels and values each.
        builder.add(": ".join(cell.text.rstrip(": ") for cell in row.cells if cell.text), row.place)
    rows = rows[above:]
    head = _head(rows)
    write_table(builder, rows[1:] if head else rows, head)
    if builder.empty:
        builder.note("empty")
    on_progress(1, 1)
    return builder.build("csv")


def _rows(text: str, delimiter: str, builder: TextBuilder, limits: Limits) -> Iterator[Row]:
    """Yield rows up to the limits. The place of a row is its number, the head being row 1."""
    budget, sheet = CellBudget(builder, limits), Sheet("")
    for number, values in enumerate(csv.reader(text.splitlines(keepends=True), delimiter=delimiter), 1):
        for column, value in enumerate(values, 1):
            words = " ".join(value.split())
            if column > limits.columns or budget.spent:
                budget.take(sheet, number, column, EMPTY)
                break
            if words:
                budget.take(sheet, number, column, Cell(words, number=_NUMBER.match(words) is not None))
        held = sheet.rows.pop(number, None)
        if held:
            yield Row(tuple(held.get(column, EMPTY) for column in range(1, max(held) + 1)), f"row {number}")
        if budget.spent:
            builder.note(f"partial:the first {number:,} rows")
            return


def _above(rows: list[Row]) -> int:
    """Return how many rows stand above the table: fewer cells than nearly all have, up to one that could be the table's head."""
    counts = Counter(_filled(row) for row in rows)
    wide = max(counts, key=lambda cells: (counts[cells] * cells, cells), default=0)
    first = next((at for at, row in enumerate(rows[:MOST_ABOVE]) if _filled(row) >= wide), 0)
    if not first or wide < 3 or sum(_filled(row) * 2 > wide for row in rows[first:]) * 10 < 9 * len(rows[first:]):
        return 0
    return first if all(_filled(row) <= 2 for row in rows[:first]) and _head(rows[first:]) else 0


def _filled(row: Row) -> int:
    return sum(bool(cell.text) for cell in row.cells)


def _head(rows: list[Row]) -> tuple[str, ...] | None:
    """Return the first row, where every cell of it could be the name of a column: tables as text nearly always begin with their
    head."""
    if len(rows) < 2:
        return None
    names = [cell.text for cell in rows[0].cells]
    held = [name for name in names if name]
    named = all(len(cell.text) <= LONGEST_NAME and not cell.number for cell in rows[0].cells)
    return tuple(names) if named and len(held) == len(set(held)) and held else None


def _delimiter(text: str) -> str:
    """Return the one that cuts the most lines into the same number of cells."""
    lines = [line for line in text[:65_536].splitlines()[: LOOKED_AT + 1] if line.strip()]
    lines = lines[:-1] if len(lines) > LOOKED_AT or (len(text) > 65_536 and len(lines) > 1) else lines
    best, most = ",", 0.0
    for delimiter in DELIMITERS:
        counts = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
        if not counts:
            continue
        cells, agreeing = max(counts.items(), key=lambda item: (item[0] > 1, item[1], item[0]))
        score = agreeing / sum(counts.values()) * min(cells, 20) if cells > 1 else 0.0
        if score > most:
            best, most = delimiter, score
    return best
