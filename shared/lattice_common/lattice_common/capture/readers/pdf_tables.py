"""Tables of a PDF, which knows none: lines one below the other whose pieces stand apart in the same columns.

How wide a piece is drawn is estimated by its letters, which is near enough to tell a gap between columns from one between words.
Where programs write a whole row as one piece, a table stays lines of text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from lattice_common.capture.readers.tables import EMPTY, Cell, Row

APART = 0.5
"""Times the size of the letters that two pieces stand apart where a column may end; words mostly stay below, and where they do
not, no line below has its gap in the same place."""
UNSURE = 0.03
"""Of a piece's width, by which its estimate may be wrong."""
FARTHEST = 3.5
"""Times the size of the letters that two rows of a table are apart at most."""
FAR = 18.0
"""Points that columns stand apart in two lines which nothing else shows to be a table."""
WRAPPED = 1.3
"""The same of two lines of one cell."""
PROSE = 45
"""Characters that cells of two columns usually have where the page is set in columns of text."""

_MARKER = re.compile(r"(?:[-*•‣◦▪●–]|\d{1,3}[.)]|[a-zA-Z][.)])\Z")
_NARROW, _WIDE = frozenset("iljtfrI.,;:'|!()[]/- "), frozenset("mwMWQ%@—")
_WORD = re.compile(r"[^\W\d_]{3}")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text as it was drawn at once, from `x` on to about `end`, in points."""

    text: str
    x: float
    end: float
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line of a page: its pieces where there are several apart, its height and size in points."""

    pieces: tuple[Piece, ...]
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Table:
    """`head` are the names of the columns, "" where there are none; `lines` is of how many lines it was made."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    lines: int

    def at(self, place: str) -> list[Row]:
        return [Row(cells, place) for cells in self.rows]


def piece(text: str, x: float, size: float, *, bold: bool) -> Piece:
    return Piece(text.strip(), x, x + width(text.strip(), size), bold)


def width(text: str, size: float) -> float:
    """About what these letters take in a common typeface, in points."""
    units = sum(0.28 if each in _NARROW else 0.83 if each in _WIDE else 0.67 if each.isupper() else 0.54 for each in text)
    return units * size


def columns_of(pieces: Sequence[Piece], size: float) -> tuple[Piece, ...]:
    """The pieces of a line put together but for where a column ends; the mark of a list's item goes with the item."""
    found: list[Piece] = []
    for each in pieces:
        last = found[-1] if found else None
        if last is None or (
            any(map(str.isalnum, each.text))
            and each.x - last.end > APART * size + UNSURE * (last.end - last.x)
            and not (len(found) == 1 and _MARKER.match(last.text))
        ):
            found.append(each)
        else:
            found[-1] = Piece(f"{last.text} {each.text}", last.x, max(last.end, each.end), last.bold and each.bold)
    return tuple(found)


def table_at(lines: Sequence[Drawn], start: int) -> Table | None:
    """The table that begins with the line `start`; None where none does."""
    if len(lines[start].pieces) < 2:
        return None
    columns: list[tuple[float, float]] = [(each.x, each.end) for each in lines[start].pieces]
    rows: list[dict[int, Piece]] = [dict(enumerate(lines[start].pieces))]
    taken = 1
    for above, line in zip(lines[start:], lines[start + 1 :], strict=False):
        gap = (above.y - line.y) / max(line.size, 1.0)
        if not 0 < gap <= FARTHEST or not 0.75 < line.size / max(above.size, 1.0) < 1.35:
            break
        places = [_over(columns, each) for each in line.pieces]
        if any(len(place) > 1 for place in places):
            break
        if len(line.pieces) == 1:
            if not places[0] or not places[0][0] or gap > WRAPPED or places[0][0] not in rows[-1]:
                break
            at = places[0][0]
            known = rows[-1][at]
            rows[-1][at] = Piece(f"{known.text} {line.pieces[0].text}", known.x, known.end, known.bold)
        else:
            found = [place[0] for place in places if place]
            if not found or len(found) < len(line.pieces) - 1 or len(set(found)) < len(found):
                break
            row, columns, rows = _placed(line.pieces, columns, rows)
            rows.append(row)
        taken += 1
    return _table(rows, len(columns), taken)


def _over(columns: Sequence[tuple[float, float]], piece: Piece) -> list[int]:
    """The columns that a piece stands in, by their number."""
    return [at for at, (left, right) in enumerate(columns) if piece.x < right and piece.end > left]


def _placed(
    pieces: Sequence[Piece], columns: list[tuple[float, float]], rows: list[dict[int, Piece]]
) -> tuple[dict[int, Piece], list[tuple[float, float]], list[dict[int, Piece]]]:
    """A row's pieces by their columns; with it the columns as wide as they are now, and the rows above if one came between."""
    row: dict[int, Piece] = {}
    for each in pieces:
        over = _over(columns, each)
        if over:
            at = over[0]
            columns[at] = (min(columns[at][0], each.x), max(columns[at][1], each.end))
        else:
            at = sum(right <= each.x for _, right in columns)
            columns.insert(at, (each.x, each.end))
            rows = [{place + (place >= at): held for place, held in above.items()} for above in rows]
            row = {place + (place >= at): held for place, held in row.items()}
        row[at] = each
    return row, columns, rows


def _table(rows: list[dict[int, Piece]], wide: int, lines: int) -> Table | None:
    if len(rows) < 2 or sum(len(row) > 1 for row in rows) < 2:
        return None
    lengths = [median(len(row[at].text) for row in rows if at in row) for at in range(wide)]
    if sum(length > PROSE for length in lengths) > 1:
        return None
    cells = [tuple(_cell(row[at]) if at in row else EMPTY for at in range(wide)) for row in rows]
    if _is_head(cells):
        return Table(tuple(cell.text for cell in cells[0]), tuple(cells[1:]), lines)
    if len(rows) < 3 and not all(_far_apart(list(row.values())) for row in rows):
        return None
    return Table(("",) * wide, tuple(cells), lines)


def _far_apart(row: Sequence[Piece]) -> bool:
    ordered = sorted(row, key=lambda each: each.x)
    return all(after.x - before.end > max(FAR, 0.1 * (before.end - before.x)) for before, after in pairwise(ordered))


def _cell(piece: Piece) -> Cell:
    text = " ".join(piece.text.split())
    return Cell(text, strong=piece.bold, number=any(map(str.isdigit, text)) and _WORD.search(text) is None)


def _is_head(cells: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first row names the columns: in bold as none below it is, or in words above columns of numbers."""
    first, body = [cell for cell in cells[0] if cell.text], cells[1:]
    if len(first) < 2 or any(cell.number for cell in first):
        return False
    if all(cell.strong for cell in first):
        return not all(cell.strong for row in body for cell in row if cell.text)
    return any(cells[0][at].text and all(row[at].number or not row[at].text for row in body) for at in range(1, len(cells[0])))
