"""Tables of a PDF, which knows none: lines one below the other whose pieces stand apart in the same columns.

How wide a piece is drawn is estimated by its letters, which is near enough to tell a gap between columns from one between words.
Where programs write a whole row as one piece, a table stays lines of text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from statistics import median

from lattice_common.capture.readers.tables import EMPTY, Cell, Row, repeated

APART = 0.5
"""Times the size of the letters that two pieces stand apart where a column may end; words mostly stay below, and where they do
not, no line below has its gap in the same place."""
WITHIN = 2.0
"""The same of two pieces that stand in one column, and are one cell: its estimate was too short."""
CELL_APART = 2.0
"""The same of a mark that says "nothing here": a dash of running text stands by a space from its words."""
TOUCHED = 0.25
"""Of a piece's width, by which a figure that is set at the right may reach into the column before its own."""
UNSURE = 0.03
"""Of a piece's width, by which its estimate may be wrong."""
FARTHEST = 3.5
"""Times the size of the letters that two rows of a table are apart at most."""
FAR = 18.0
"""Points that columns stand apart in two lines which nothing else shows to be a table."""
HIGHEST = 12.0
"""Times the size of the letters that a cell of the first row may stand above the others'."""
FEW_ROWS = 2
"""From more on a table has all its columns: a further one in letters of another size is of what stands below it."""
WRAPPED = 1.3
"""The same of two lines of one cell."""
SPACED = 1.8
"""The same of a further line of a cell in a column that is not the first, below a row that has its first cell: a program may set
the lines of a cell as far apart as its rows ("Standing order", below it whom to, below it what for)."""
CLOSER = 0.85
"""Of the distance of two rows, below which a line belongs to the row that the next line is of."""
FARTHER = 1.6
"""Times the same that a line of bold names stands apart which begins another table."""
FIGURES_OF_A_NAME = 5
"""Digits that the name of a group of columns has at most: a day or a year, and no account with its number."""
LONGEST_SECTION = 40
"""Characters of a line between the rows that names those below it."""
PROSE = 45
"""Characters that cells of two columns usually have where the page is set in columns of text."""

FEWEST_CELLS = 2
"""Of a row that a table has alone on the next page."""
FEWEST_NAMES, WORDS_OF_NAME = 3, 3
"""Columns of a table, and rows below, whose names are told by nothing but that no row below is as terse; words of each."""
SAME = 0.5
"""Points by which the distances of lines that a program set alike may differ."""
FLUSH = 2.0
"""Points by which what begins at the same place may differ."""

MONOSPACED = 0.6
"""Times the size that each letter of a typewriter's face is wide (Courier: 600 of 1,000)."""

_GAP = re.compile(r"(?<![.!?:;,\s])[ \u00a0]{2,}(?=\S)")
_CUT_BEHIND_CAPITAL = re.compile(r"\b[A-ZÀ-Þ]\Z")
_MARKER = re.compile(r"(?:[-*•‣◦▪●–]|\d{1,3}[.)]|[a-zA-Z][.)])\Z")
_NOTHING = frozenset(("-", "–", "—", "--", "×", "✓", "✔", "✗", "✘"))
_UNITS = frozenset("£$€¥₹₽%‰#№°")
"""Signs that a column may be called by, where no figure stands behind them: "Rate, £"."""
_NARROW, _WIDE = frozenset("iljtfrI.,;:'|!()[]/- "), frozenset("mwMWQ%@—")
_WORD = re.compile(r"[^\W\d_]{3}")
_PERIOD = re.compile(r"(?:19|20)\d\d(?:[/–-]\d{2,4})?|\d{1,2}[./-](?:\d{1,2}[./-])?(?:19|20)\d\d|(?:19|20)\d\d-\d\d(?:-\d\d)?")
"""What a column may be called though it is no word: a year, a month, a day."""
FEWEST_PERIODS = 2
"""Of these in the first row from which on they name columns: one year may be a value."""


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
    """`head` are the names of the columns, "" where there are none; `lines` is of how many lines it was made,
    `columns` where each stands, from left to right, in points. Of tables side by side, `titles` are the names above each."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    lines: int
    columns: tuple[tuple[float, float], ...] = ()
    titles: tuple[str, ...] = ()

    def at(self, place: str) -> list[Row]:
        return [Row(cells, place) for cells in self.rows]


def pieces(text: str, x: float, size: float, *, bold: bool, monospaced: bool = False) -> list[Piece]:
    """Return the pieces of what was drawn at once: several where a row was written with spaces between its cells."""
    spread, at = [], 0
    for gap in (*_GAP.finditer(text), None):
        end = gap.start() if gap else len(text)
        before, own = (text[each[0] : each[1]] for each in ((0, at), (at, end)))
        if own.strip():
            lead = len(own) - len(own.lstrip())
            offset, wide = (
                ((at + lead) * MONOSPACED * size, len(own.strip()) * MONOSPACED * size)
                if monospaced
                else (width(before + own[:lead], size), width(own.strip(), size))
            )
            spread.append(Piece(own.strip(), x + offset, x + offset + wide, bold))
        at = gap.end() if gap else end
    return spread


def width(text: str, size: float) -> float:
    """Return the approximate width of a text in a common typeface, in points."""
    units = sum(0.28 if each in _NARROW else 0.83 if each in _WIDE else 0.67 if each.isupper() else 0.54 for each in text)
    return units * size


def columns_of(pieces: Sequence[Piece], size: float) -> tuple[Piece, ...]:
    """Return the pieces of a line put together but for where a column ends; the mark of a list's item goes with the item."""
    found: list[Piece] = []
    for each, following in zip_longest(pieces, pieces[1:]):
        last = found[-1] if found else None
        cell = each.text in _NOTHING or (each.text in _UNITS and not (following and following.text[:1].isdigit()))
        if last is None or (
            (any(map(str.isalnum, each.text)) or (cell and each.x - last.end > CELL_APART * size))
            and each.x - last.end > APART * size + UNSURE * (last.end - last.x)
            and not (len(found) == 1 and _MARKER.match(last.text))
        ):
            found.append(each)
        else:
            found[-1] = joined(last, each)
    return tuple(found)


def joined(before: Piece, after: Piece, between: str = " ") -> Piece:
    """Return two pieces as one."""
    return Piece(f"{before.text}{between}{after.text}", before.x, max(before.end, after.end), before.bold and after.bold)


def table_at(lines: Sequence[Drawn], start: int) -> Table | None:
    """Return the table that begins with the line `start`; None where none does."""
    if len(lines[start].pieces) < 2:
        return None
    grid = _Grid.begun(lines[start])
    taken = 1
    for line, following in zip_longest(lines[start + 1 :], lines[start + 2 :]):
        if not 0.75 < line.size / max(grid.size, 1.0) < 1.35 or not grid.take(line, following):
            break
        taken += 1
    return grid.table(taken)


@dataclass(slots=True)
class _Grid:
    """The rows of a table so far. `top` is the height of the row above the last one, `at` that of the last, and `ends` how far
    down each of its cells reaches: a cell may be written line by line, before or after the others of its row. `step` is how far
    the last two rows were apart, 0 before there are two; `begun_above`: the last row is so far the first line of its first cell,
    and `lead` is how far such a line stood above the rest of its row, 0 before there was one."""

    columns: list[tuple[float, float]]
    rows: list[dict[int, Piece]]
    size: float
    top: float
    at: float
    ends: dict[int, float]
    step: float = 0.0
    begun_above: bool = False
    lead: float = 0.0

    @classmethod
    def begun(cls, line: Drawn) -> _Grid:
        cells = dict(enumerate(line.pieces))
        columns = [(each.x, each.end) for each in line.pieces]
        return cls(columns, [cells], line.size, line.y + HIGHEST * line.size, line.y, dict.fromkeys(cells, line.y))

    def take(self, line: Drawn, following: Drawn | None) -> bool:
        """Return whether a line belongs to the table: as its next row, or as a line of a cell of its last. What is written after
        it tells whether it stands at the foot of a tall cell."""
        if len(line.pieces) > 1:
            line = replace(line, pieces=_whole_cells(_with_marks_apart(line, self.columns), self.columns))
            self._merge_under(line.pieces)
            self._widen_names(line.pieces)
        places = [_over(self.columns, each) for each in line.pieces]
        if any(len(place) > 1 for place in places):
            return False
        if self.begun_above and len(line.pieces) > 1 and self._row_of_begun(line, places):
            return True
        if len(line.pieces) == 1:
            piece = line.pieces[0]
            begins = places[0] == [0] and following is not None and self._has_lead(line, following)
            if not begins and self._into_cell(line, piece, places[0]):
                return True
            return places[0] == [0] and self._above_a_row(line, piece, following)
        low = min(self.ends.values())
        if self.step and low - line.y > FARTHER * self.step and self._names_another(line.pieces):
            return False
        tall = following is not None and len(following.pieces) == 1 and line.y < following.y < low
        if not 0 < (low - line.y) / max(line.size, 1.0) <= (HIGHEST if tall else FARTHEST):
            return False
        found = [place[0] for place in places if place]
        if len(self.rows) > FEW_ROWS and len(found) < len(line.pieces) and abs(line.size - self.size) > 0.1 * self.size:
            return False  # a total below the table, set larger than that
        if not found or len(found) < len(line.pieces) - 1 or len(set(found)) < len(found):
            return False
        row, self.columns, self.rows = _placed(line.pieces, self.columns, self.rows)
        self.rows.append(row)
        self.step = self.at - line.y
        self.size, self.top, self.at, self.ends = line.size, low, line.y, dict.fromkeys(row, line.y)
        return True

    def _merge_under(self, found: Sequence[Piece]) -> None:
        """Make one column of two that a cell reaches over, where no row has both: the name of a column stands over its middle,
        and its first cells may be shorter."""
        for each in found:
            place = _over(self.columns, each)
            if len(place) != 2 or any(place[0] in row and place[1] in row for row in self.rows):
                continue
            at = place[1]
            self.columns[at - 1 : at + 1] = [(self.columns[at - 1][0], self.columns[at][1])]
            self.rows = [{held - (held >= at): cell for held, cell in row.items()} for row in self.rows]
            self.ends = {held - (held >= at): low for held, low in self.ends.items()}

    def _widen_names(self, found: Sequence[Piece]) -> None:
        """Make the columns reach over the cells below the head, where these begin and end elsewhere than the names: names at the
        left of their columns above figures at the right of theirs. With as many cells as columns, each has its own."""
        if len(found) != len(self.columns) or any(0 < at in row for row in self.rows[1:] for at in range(len(found))):
            return
        ends = [right for _, right in self.columns]
        begins = [left for left, _ in self.columns]
        for at, each in enumerate(found):
            after_last = at == 0 or each.x > ends[at - 1]
            before_next = at + 1 == len(found) or each.end < begins[at + 1]
            if not after_last or not before_next:
                return
        self.columns = [
            (min(left, each.x), max(right, each.end)) for (left, right), each in zip(self.columns, found, strict=True)
        ]

    def _names_another(self, found: Sequence[Piece]) -> bool:
        """Return whether a line is the head of another table: all of it in bold, as no row above is."""
        return all(each.bold for each in found) and not any(all(each.bold for each in row.values()) for row in self.rows)

    def _above_a_row(self, line: Drawn, piece: Piece, following: Drawn | None) -> bool:
        """Take a line of the first column above the row that follows, and return whether it was one: the first line of its first
        cell, or a name of the rows below it."""
        if following is None or len(following.pieces) < 2 or _over(self.columns, following.pieces[0]) != [0]:
            return False
        low, gap = min(self.ends.values()), line.y - following.y
        if not 0 < low - line.y <= FARTHEST * line.size or len(piece.text) > LONGEST_SECTION or piece.text[-1:] in ".!?:;":
            return False
        if piece.bold and all(each.bold and not _is_number(each) for each in following.pieces):
            return False  # a title above the head of another table
        step = self.step or low - line.y
        if 0 < gap <= min(WRAPPED * line.size, CLOSER * step) or self._has_lead(line, following):
            self.rows.append({0: piece})
            self.top, self.ends, self.begun_above = low, {0: line.y}, True
        elif 0 < gap <= FARTHER * step and piece.text[-1:] != "," and not self._stands_above_others(following):
            self.rows.append({0: replace(piece, bold=True)})
            self.top, self.ends = low, {0: line.y}
        else:
            return False
        self.at = line.y
        return True

    def _stands_above_others(self, row: Drawn) -> bool:
        """Return whether a row has its own columns: half of its cells stand in none of those that the rows above have."""
        apart = sum(not _over(self.columns, each) for each in row.pieces)
        return len(self.rows) > 1 and 2 * apart >= len(row.pieces)

    def _has_lead(self, line: Drawn, following: Drawn) -> bool:
        """Return whether a line stands above the row that follows as the first line of an earlier row's first cell did."""
        return self.lead > 0 and len(following.pieces) > 1 and abs(line.y - following.y - self.lead) <= SAME

    def _row_of_begun(self, line: Drawn, places: Sequence[Sequence[int]]) -> bool:
        """Take the row whose first cell began above it, and return whether it was one."""
        self.begun_above = False
        taken = [place[0] for place in places if place]
        if len(taken) < len(line.pieces) or len(set(taken)) < len(taken) or taken[0]:
            return False
        row = self.rows[-1]
        row |= {at: joined(row[0], each) if not at else each for at, each in zip(taken, line.pieces, strict=True)}
        self.lead = self.at - line.y
        self.at, self.ends = line.y, dict.fromkeys(row, line.y)
        return True

    def _keeps_first(self) -> bool:
        """Return whether most rows have their first cell, so that a line without it is none of its own."""
        return 2 * sum(0 in row for row in self.rows) > len(self.rows)

    def _into_cell(self, line: Drawn, piece: Piece, place: Sequence[int]) -> bool:
        if not place:
            return False
        at, row = place[0], self.rows[-1]
        if at in row:
            farthest = SPACED if at and 0 in row and self._keeps_first() else WRAPPED
            if (not at and piece.x < row[0].x - 1) or not 0 < self.ends[at] - line.y <= farthest * line.size:
                return False
            known = row[at]
            row[at] = Piece(f"{known.text} {piece.text}", known.x, max(known.end, piece.end), known.bold)
        elif at and self.at - 0.3 * line.size <= line.y < self.top - 0.5 * line.size:
            row[at] = piece  # its row stands at the foot of a cell of several lines, and was written before it
        else:
            return False
        left, right = self.columns[at]
        self.columns[at] = (min(left, piece.x), max(right, piece.end))
        self.ends[at] = line.y
        return True

    def table(self, taken: int) -> Table | None:
        return _table(self.rows, self.columns, taken)


def _over(columns: Sequence[tuple[float, float]], piece: Piece) -> list[int]:
    """Return the columns that a piece stands in, by their number; the first of two is none where a figure only touches it."""
    found = [at for at, (left, right) in enumerate(columns) if piece.x < right and piece.end > left]
    if len(found) == 2 and columns[found[0]][1] - piece.x <= TOUCHED * (piece.end - piece.x) and _is_number(piece):
        return found[1:]
    return found


def _whole_cells(line: Drawn, columns: Sequence[tuple[float, float]]) -> tuple[Piece, ...]:
    """Return the pieces of a line, those as one that stand close in one column: letters that a program sets closer ("W" before
    "ater") are drawn by themselves, and how wide the words before them are is an estimate."""
    found: list[Piece] = []
    for each in line.pieces:
        last = found[-1] if found else None
        over = _over(columns, each)
        if last and len(over) == 1 and over == _over(columns, last) and each.x - last.end < WITHIN * line.size:
            cut = _CUT_BEHIND_CAPITAL.search(last.text) and each.text[:1].islower()
            found[-1] = joined(last, each, "" if cut else " ")
        else:
            found.append(each)
    return tuple(found)


def _with_marks_apart(line: Drawn, columns: Sequence[tuple[float, float]]) -> Drawn:
    """Return a line with a mark that says "nothing here" in its own column, where it stands so close behind the cell before it
    that they were taken for one."""
    found: list[Piece] = []
    for each in line.pieces:
        words, _, mark = each.text.rpartition(" ")
        begins = each.end - width(mark, line.size)
        if words and mark in _NOTHING and len(_over(columns, each)) > 1 and _over(columns, Piece(mark, begins, each.end)):
            ends = min(each.x + width(words, line.size), begins - 0.1)
            found += (replace(each, text=words, end=ends), Piece(mark, begins, each.end, each.bold))
        else:
            found.append(each)
    return replace(line, pieces=tuple(found))


def _placed(
    pieces: Sequence[Piece], columns: list[tuple[float, float]], rows: list[dict[int, Piece]]
) -> tuple[dict[int, Piece], list[tuple[float, float]], list[dict[int, Piece]]]:
    """Return a row's pieces by their columns; with it the columns as wide as they are now, and the rows above if one came
    between."""
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


def _table(rows: list[dict[int, Piece]], columns: Sequence[tuple[float, float]], lines: int) -> Table | None:
    rows, columns = _with_names(rows, columns)
    wide, stand = len(columns), tuple(columns)
    if len(rows) < 2 or sum(len(row) > 1 for row in rows) < 2:
        return None
    lengths = [median(len(row[at].text) for row in rows if at in row) for at in range(wide)]
    if sum(length > PROSE for length in lengths) > 1:
        return None
    cells = [tuple(_cell(row[at]) if at in row else EMPTY for at in range(wide)) for row in rows]
    if len(rows) > 2 and 1 < len(rows[0]) < len(rows[1]) and not any(map(_is_number, rows[0].values())) and _is_head(cells[1:]):
        below = Table(tuple(cell.text for cell in cells[1]), tuple(cells[2:]), lines, stand)
        if (grouped := under(below, list(rows[0].values()))) is not None:
            return grouped
    if _is_head(cells):
        return Table(tuple(cell.text for cell in cells[0]), tuple(cells[1:]), lines, stand)
    if len(rows) < 3 and not all(_far_apart(list(row.values())) for row in rows):
        return None
    return Table(("",) * wide, tuple(cells), lines, stand)


def _with_names(
    rows: list[dict[int, Piece]], columns: Sequence[tuple[float, float]]
) -> tuple[list[dict[int, Piece]], Sequence[tuple[float, float]]]:
    """Return a table with one column of two beside each other of which one has only a name and the other none: the name stands
    over the middle of a wide column, and nothing in it reaches there."""
    at = 1
    while len(rows) > 2 and at < len(columns):
        named = [place for place in (at - 1, at) if place in rows[0]]
        if len(named) == 1 and not any(named[0] in row for row in rows[1:]):
            columns = [*columns[: at - 1], (columns[at - 1][0], columns[at][1]), *columns[at + 1 :]]
            rows = [{place - (place >= at): piece for place, piece in row.items()} for row in rows]
        else:
            at += 1
    return rows, columns


def under(table: Table, groups: Sequence[Piece]) -> Table | None:
    """Return a table below a line that names groups of its columns, each over the middle of its own; None where the line does
    not."""
    middles = sorted(((each.x + each.end) / 2, each) for each in groups)
    reach = min((after - before for (before, _), (after, _) in pairwise(middles)), default=0.0) * 0.55
    if not any(table.head) or len(groups) >= len(table.columns) or not reach:
        return None
    if any(sum(map(str.isdigit, each.text)) > FIGURES_OF_A_NAME for each in groups):
        return None
    begins = [next((at for at, (left, _) in enumerate(table.columns) if abs(left - each.x) <= FLUSH), -1) for each in groups]
    if all(at >= 0 for at in begins) and len(set(begins)) == len(begins):
        return _under_their_first(table, groups, begins)
    head, named = [], set()
    for name, (left, right) in zip(table.head, table.columns, strict=True):
        middle, group = min(middles, key=lambda each: abs(each[0] - (left + right) / 2))
        near = abs(middle - (left + right) / 2) <= reach or (left < group.end and right > group.x)
        head.append(f"{group.text} {name}".strip() if near else name)
        named |= {group} if near else set()
    return replace(table, head=tuple(head), lines=table.lines) if len(named) == len(groups) else None


def _under_their_first(table: Table, groups: Sequence[Piece], begins: Sequence[int]) -> Table:
    """Return the same where each group begins with the first of its columns, and reaches to the next."""
    over = dict(zip(begins, groups, strict=True))
    head, group = [], ""
    for at, name in enumerate(table.head):
        group = over[at].text if at in over else group
        head.append(f"{group} {name}".strip())
    return replace(table, head=tuple(head))


def titled(table: Table, above: Sequence[Piece]) -> Table | None:
    """Return tables side by side with the names above each of them; None where it is one table, or what stands above is more or
    less than their names."""
    parts = repeated(table.head, table.rows) if len(above) > 1 else []
    if len(parts) != len(above):
        return None
    for each, part in zip(above, parts, strict=True):
        columns = table.columns[part]
        reach = max(FAR, columns[-1][1] - columns[0][0])
        others = [column for column in table.columns if column not in columns]
        if not columns[0][0] - FAR <= each.x <= columns[-1][1] or each.end - each.x > 2 * reach or each.end < columns[0][0]:
            return None
        if any(left <= each.x < right for left, right in others):
            return None
    return replace(table, titles=tuple(each.text for each in above))


def row_below(table: Table, lines: Sequence[Drawn], start: int) -> Table | None:
    """Return the only row that a table has on the page after it: cells in its columns, each in one, from the first on; None where
    the line `start` is none."""
    pieces = _whole_cells(_with_marks_apart(lines[start], table.columns), table.columns)
    over = [_over(table.columns, each) for each in pieces]
    taken = [place[0] for place in over if len(place) == 1]
    if (
        len(pieces) < FEWEST_CELLS
        or len(taken) < len(pieces)
        or len(set(taken)) < len(taken)
        or 2 * len(taken) < len(table.columns)
    ):
        return None
    row = dict(zip(taken, pieces, strict=True))
    if 0 not in row:
        return None
    cells = tuple(_cell(row[at]) if at in row else EMPTY for at in range(len(table.columns)))
    return Table(("",) * len(cells), (cells,), 1, table.columns)


def goes_on(table: Table, before: Table) -> bool:
    """Return whether a table without a head stands in the same columns as the one before, of the page above."""
    if any(table.head) or not any(before.head) or len(table.columns) != len(before.columns):
        return False
    pairs = zip(table.columns, before.columns, strict=True)
    return all(left < other_right and right > other_left for (left, right), (other_left, other_right) in pairs)


def _is_number(piece: Piece) -> bool:
    return _cell(piece).number


def _has_digit(cell: Cell) -> bool:
    return any(map(str.isdigit, cell.text))


def _far_apart(row: Sequence[Piece]) -> bool:
    ordered = sorted(row, key=lambda each: each.x)
    return all(after.x - before.end > max(FAR, 0.1 * (before.end - before.x)) for before, after in pairwise(ordered))


def _cell(piece: Piece) -> Cell:
    text = " ".join(piece.text.split())
    return Cell(text, strong=piece.bold, number=any(map(str.isdigit, text)) and _WORD.search(text) is None)


def _is_head(cells: Sequence[Sequence[Cell]]) -> bool:
    """Return whether the first row names the columns: in bold as none below it is, or in words above columns of numbers."""
    first, body = [cell for cell in cells[0] if cell.text], cells[1:]
    if _names_periods(cells):
        return True
    if len(first) < 2 or any(cell.number for cell in first):
        return False
    if all(cell.strong for cell in first):
        return not all(cell.strong for row in body for cell in row if cell.text)
    if len(first) >= 4 and not len(first) % 2 and all(map(_has_digit, first[1::2])) and not any(map(_has_digit, first[::2])):
        return False  # labels, each with its value
    if _has_corner(cells) or repeated([cell.text for cell in cells[0]], body):
        return True
    if any(cells[0][at].text and all(row[at].number or not row[at].text for row in body) for at in range(1, len(cells[0]))):
        return True
    return len(first) == len(cells[0]) >= FEWEST_NAMES <= len(body) and _is_terse(first) and not any(map(_is_terse, body))


def _names_periods(cells: Sequence[Sequence[Cell]]) -> bool:
    """Return whether the first row names years or days, besides words, above figures that are none."""
    periods = [at for at, cell in enumerate(cells[0]) if _PERIOD.fullmatch(cell.text)]
    others = [cell for at, cell in enumerate(cells[0]) if cell.text and at not in periods]
    if len(periods) < FEWEST_PERIODS or any(map(_has_digit, others)):
        return False
    if len(others) > 1 and periods == list(range(1, len(cells[0]), 2)):
        return False  # labels, each with its value
    below = [row[at] for row in cells[1:] for at in periods if row[at].text]
    figures = sum(map(_has_digit, below))
    return figures > 0 and 2 * figures >= len(below) and not any(_PERIOD.fullmatch(cell.text) for cell in below)


def _has_corner(cells: Sequence[Sequence[Cell]]) -> bool:
    """Return whether the first row has a name above every column but the first, which holds the names of the rows."""
    corner, *names = cells[0]
    return (
        len(names) >= FEWEST_NAMES - 1 < len(cells)
        and not corner.text
        and all(cell.text and len(cell.text) <= LONGEST_SECTION and cell.text[-1] not in ".,;:" for cell in names)
        and all(row[0].text for row in cells[1:])
    )


def _is_terse(row: Sequence[Cell]) -> bool:
    """Return whether all cells of a row could be names of columns that nothing sets off: a word or three, with a capital, and no
    figures."""
    return all(
        cell.text[:1].isupper() and len(cell.text.split()) <= WORDS_OF_NAME and not _has_digit(cell) for cell in row if cell.text
    )
