"""The rows of a spreadsheet's sheet as text: what stands above a table as its title, tables apart where a row is empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.tables import EMPTY, LONGEST_NAME, Cell, Row, head_rows, write_table
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.language.letters.layout import UNNAMED_SHEET


@dataclass(slots=True)
class Sheet:
    """A sheet as it was read: cells by row and column (both from 1), and merged ranges as (first row, last row, first column,
    last column)."""

    name: str
    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    unreckoned: int = 0
    """Formulas that their program never worked out: no value is stored of them."""


MOST_FILLED = 100_000
"""Cells of merged ranges that get their words: a range over a whole sheet has 17 thousand million."""


_PAIR = 2
"""Cells of a row that has a label and its value."""
REMARK = 5
"""Words from which on a single cell below a table is a remark about it, and no row."""


class CellBudget:
    """Counts the cells of all sheets against the limits. Not thread-safe."""

    def __init__(self, builder: TextBuilder, limits: Limits) -> None:
        self._builder, self._limits = builder, limits
        self._left = limits.cells

    @property
    def spent(self) -> bool:
        return self._left <= 0

    def take(self, sheet: Sheet, row: int, column: int, cell: Cell) -> bool:
        """Put a cell into its sheet; False when no more cells are taken."""
        if self._left <= 0:
            self._builder.note(f"partial:the first {self._limits.cells} cells")
            return False
        if column > self._limits.columns:
            self._builder.note(f"partial:the first {self._limits.columns} columns")
            return True
        self._left -= 1
        if len(cell.text) > self._limits.cell_chars:
            self._builder.note(f"partial:the first {self._limits.cell_chars} characters of a cell")
            cell = replace(cell, text=cell.text[: self._limits.cell_chars])
        sheet.rows.setdefault(row, {})[column] = cell
        return True


def write_sheet(builder: TextBuilder, sheet: Sheet, *, alone: bool) -> None:
    """Add a sheet to the text under its name; `alone` when its workbook has no other."""
    if not sheet.rows:
        return
    if not (alone and UNNAMED_SHEET.fullmatch(sheet.name)):
        builder.add(f"# {' '.join(sheet.name.split())}", f"sheet {sheet.name}")
    _fill_merged(sheet)
    names: tuple[str, ...] | None = None
    waiting: list[Row] = []
    earlier: Sequence[Row] = ()
    for region in _regions(sheet):
        titles, table, remarks = _parted(region)
        if not table and len(titles) == 1 and not waiting and not _words(titles[0]).endswith((".", "!", "?", ":")):
            # A line by itself is the title of what comes after it.
            waiting = titles
            continue
        for title in (*waiting, *titles):
            text = _words(title)
            builder.add(f"## {text}" if table and len(text) <= LONGEST_NAME else text, title.place)
        if (waiting or titles) and table and (head_rows(table) or not _is_alike(table, earlier)):
            names = None
        waiting, earlier = [], table or earlier
        beside = _beside(table)
        if len(beside) > 1:
            _write_beside(builder, beside)
            names = None
        if table and len(beside) == 1:
            # After an empty row a table without a head of its own goes on with the last one's, but not pairs below a wider one.
            goes_on = names is not None and not head_rows(table) and (_is_wide(table) or sum(map(bool, names)) <= _PAIR)
            names = write_table(builder, table, names if goes_on else None) or names
        for remark in remarks:
            builder.add(_words(remark), remark.place)
        if builder.full:
            return
    for title in waiting:
        builder.add(_words(title), title.place)


def _words(title: Row) -> str:
    return " ".join(next(cell.text for cell in title.cells if cell.text).split())


def _fill_merged(sheet: Sheet) -> None:
    """Fill a merged range with the words of its first cell: in all of its rows, and in all of its columns where other words stand
    beside it, for then it names a group of columns. A range that is alone in its row is a title, and stays one bold cell."""
    left = MOST_FILLED
    for top, bottom, first, last in sheet.merged[:MOST_FILLED]:
        cell = sheet.rows.get(top, {}).get(first)
        if cell is None or not cell.text or (bottom - top + 1) * (last - first + 1) > left:
            continue
        left -= (bottom - top + 1) * (last - first + 1)
        for row in range(top, bottom + 1):
            held = sheet.rows.get(row)
            if held is None:
                continue
            if any(other.text for column, other in held.items() if not first <= column <= last):
                for column in range(first, last + 1):
                    held.setdefault(column, cell)
            elif row == top:
                held[first] = replace(cell, strong=True)


def _regions(sheet: Sheet) -> Iterator[list[Row]]:
    """Yield rows that follow one another without an empty one between them."""
    found: list[Row] = []
    before = 0
    for number in sorted(sheet.rows):
        held = sheet.rows[number]
        if not any(cell.text for cell in held.values()):
            continue
        if found and number != before + 1:
            yield found
            found = []
        cells = tuple(held.get(column, EMPTY) for column in range(1, max(held) + 1))
        found.append(Row(cells, f"sheet {sheet.name}, row {number}"))
        before = number
    if found:
        yield found


def _parted(region: Sequence[Row]) -> tuple[list[Row], list[Row], list[Row]]:
    """Return the lines above a table, the table, and the sentences right below it; all lines where there is no row of two
    cells."""
    first = next((at for at, row in enumerate(region) if len({cell.text for cell in row.cells if cell.text}) > 1), None)
    if first is None:
        return (list(region), [], []) if _one_column(region) else ([], list(region), [])
    last = len(region)
    while sum(bool(cell.text) for cell in region[last - 1].cells) == 1 and len(_words(region[last - 1]).split()) >= REMARK:
        last -= 1
    return list(region[:first]), list(region[first:last]), list(region[last:])


def _beside(table: Sequence[Row]) -> list[list[Row]]:
    """Return the tables that stand side by side in these rows: with an empty column between them, and each with its own head and
    perhaps a title above it. One where that is not sure."""
    wide = max((len(row.cells) for row in table), default=0)
    used = [any(at < len(row.cells) and row.cells[at].text for row in table) for at in range(wide)]
    blocks: list[list[Row]] = []
    start = 0
    for at in (*(at for at, held in enumerate(used) if not held), wide):
        rows = [Row(row.cells[start:at], row.place) for row in table if any(cell.text for cell in row.cells[start:at])]
        if rows:
            blocks.append(rows)
        start = at + 1
    sure = len(blocks) > 1 and all(rows[0].place == table[0].place and _has_head(rows) for rows in blocks)
    return blocks if sure else [list(table)]


def _has_head(rows: Sequence[Row]) -> bool:
    """Return whether a table has a head of its own, below its title where it has one."""
    rows = rows[1:] if _is_title(rows) else rows
    return head_rows(rows) > 0 and sum(bool(cell.text) for cell in rows[0].cells) > 1


def _is_title(rows: Sequence[Row]) -> bool:
    """Return whether the first row of a table is one plain text in its first column, above rows of several cells: its title."""
    filled = [sum(bool(cell.text) for cell in row.cells) for row in rows[:2]]
    cell = rows[0].cells[0]
    return len(rows) > 2 and filled[0] == 1 < filled[1] and 0 < len(cell.text) <= LONGEST_NAME and not cell.number


def _write_beside(builder: TextBuilder, tables: Iterable[list[Row]]) -> None:
    """Add tables that stood side by side, each below its own title."""
    for rows in tables:
        titled = _is_title(rows) or (len(rows) > 2 and _is_over_all(rows[0]))
        if titled:
            builder.add(f"## {_words(rows[0])}", rows[0].place)
        write_table(builder, rows[1:] if titled else rows)


def _is_over_all(row: Row) -> bool:
    """Return whether one text was merged over all columns of a table: then it is its title, and not the name of a group of
    columns."""
    return len(row.cells) > 1 and len({cell.text for cell in row.cells}) == 1


def _is_alike(table: Sequence[Row], earlier: Sequence[Row]) -> bool:
    """Return whether a table below a title of its own has the columns of the one before it: of a budget's sections often only the
    first has a head. No more columns, but more than two, with numbers in the same ones."""
    here, before = _numbered(table), _numbered(earlier)
    return _PAIR < len(here) <= len(before) and any(here) and here == before[: len(here)]


def _numbered(rows: Sequence[Row]) -> list[bool]:
    """Return of each column of a table whether most of its cells are numbers."""
    wide = max((len(row.cells) for row in rows), default=0)
    held = [[row.cells[at] for row in rows if at < len(row.cells) and row.cells[at].text] for at in range(wide)]
    return [2 * sum(bool(cell.number) for cell in cells) > len(cells) for cells in held]


def _is_wide(table: Iterable[Row]) -> bool:
    """Return whether a row has more than a label and its value."""
    return any(sum(bool(cell.text) for cell in row.cells) > _PAIR for row in table)


def _one_column(region: Iterable[Row]) -> bool:
    return len({next(at for at, cell in enumerate(row.cells) if cell.text) for row in region}) == 1
