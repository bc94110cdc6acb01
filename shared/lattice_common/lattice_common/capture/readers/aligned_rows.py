"""Tables of plain text, whose columns are set apart by spaces: in mails, and in what programs print.

    Pupil    Lessons   Amount
    Niamh    13        EUR 442.00

A head of names above rows of as many cells is one, and so are rows whose cells all begin or end in the same places. They are
written as tables are, so that each row stands by itself; what is not surely a table stays as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lattice_common.capture.readers.tables import cell_text

FEWEST_ROWS = 2
"""Below a head; of rows without one there is one more."""
FEWEST_NAMES = 3
LONGEST_NAME = 30
"""Characters: what is longer is no name of a column."""
LONGEST_CELL = 60
SAME_COUNT = 0.5
"""Of the rows below a head, that have as many cells as it."""
MOST_LINES = 500
MOST_ABOVE = 3
"""Lines of a stretch that a table may begin with."""

_CELL = re.compile(r"\S(?:[^\t ]| (?=[^\t ]))*")
_RULE = re.compile(r"[ \t]*[-=_+][-=_+ \t]{4,}")
_CURRENCY = re.compile(r"-?(?:[A-Z]{3}|[€$£¥])")
_LESS = re.compile(r"\s*-[A-Z€$£¥\d]")
"""A sum that is taken off, and no item of a list."""
_SENTENCE_END = re.compile(r"[.!?;,]$")


@dataclass(frozen=True, slots=True)
class _Cell:
    """Words of a line, from column `start` to `end` of it."""

    text: str
    start: int
    end: int


def with_aligned_rows(text: str) -> str:
    """Return a text with its tables of aligned columns as rows between bars; the other lines as they are."""
    if "  " not in text and "\t" not in text:
        return text
    lines = text.split("\n")
    found: list[str] = []
    at = 0
    while at < len(lines):
        until = _run(lines, at)
        begins, table = _first_table(lines, at, until)
        if table is None:
            found += lines[at : max(until, at + 1)]
        else:
            found += lines[at:begins]
            found += [*([""] if found and found[-1].strip() else []), *table]
            found += [""] if until < len(lines) and lines[until].strip() else []
        at = max(until, at + 1)
    return "\n".join(found)


def _first_table(lines: Sequence[str], start: int, until: int) -> tuple[int, list[str] | None]:
    """Return where in a stretch of lines a table begins, with its rows: a number and a date may stand right above its head."""
    for begins in range(start, min(start + MOST_ABOVE, until - FEWEST_ROWS)):
        if (table := _table(lines[begins:until])) is not None:
            return begins, table
    return start, None


def _run(lines: Sequence[str], start: int) -> int:
    """Return where the lines of several cells end that begin with the one at `start`."""
    until = start
    while until < len(lines) and until - start < MOST_LINES:
        line = lines[until]
        if not (len(_cells(line)) > 1 or (until > start and _RULE.fullmatch(line))):
            break
        until += 1
    return until


def _cells(line: str) -> list[_Cell]:
    """Return the cells of a line; a currency is one with its sum. None of a quotation, or of a table that has bars already."""
    if line.lstrip()[:1] in (">", "|", "#", "-", "*") and not _LESS.match(line):
        return []
    found: list[_Cell] = []
    for each in _CELL.finditer(line.replace("\t", "  \t").expandtabs()):
        if found and _CURRENCY.fullmatch(found[-1].text) and each[0][:1].isdigit():
            found[-1] = _Cell(f"{found[-1].text} {each[0]}", found[-1].start, each.end())
        else:
            found.append(_Cell(each[0], each.start(), each.end()))
    return found


def _table(lines: Sequence[str]) -> list[str] | None:
    rows = [_cells(line) for line in lines if not _RULE.fullmatch(line)]
    if any(len(cell.text) > LONGEST_CELL for row in rows for cell in row):
        return None
    if len(rows) > FEWEST_ROWS and _is_head(rows[0], rows[1:]):
        names = [cell.text for cell in rows[0]]
        body = [_in_columns(row, rows[0], rows) for row in rows[1:]]
    elif len(rows) > FEWEST_ROWS and _are_flush(rows):
        names, body = [""] * len(rows[0]), [[cell.text for cell in row] for row in rows]
    else:
        return None
    return [_line(names), "|" + "---|" * len(names), *map(_line, body)]


def _is_head(first: Sequence[_Cell], body: Sequence[Sequence[_Cell]]) -> bool:
    """Return whether a line names the columns of those below it: short words without figures, above rows of mostly as many
    cells, with figures in them."""
    if len(first) < FEWEST_NAMES or any(len(row) > len(first) for row in body):
        return False
    if any(
        len(cell.text) > LONGEST_NAME or any(map(str.isdigit, cell.text)) or _SENTENCE_END.search(cell.text) for cell in first
    ):
        return False
    whole = [row for row in body if len(row) == len(first)]
    return len(whole) >= max(1, SAME_COUNT * len(body)) and any(
        all(any(map(str.isdigit, row[at].text)) for row in whole) for at in range(len(first))
    )


def _are_flush(rows: Sequence[Sequence[_Cell]]) -> bool:
    """Return whether the cells of all rows begin, or end, in the same places, and each row has figures."""
    if len({len(row) for row in rows}) > 1 or not all(any(map(str.isdigit, cell.text)) for row in rows for cell in row[1:2]):
        return False
    return all(
        len({row[at].start for row in rows}) == 1 or (at > 0 and len({row[at].end for row in rows}) == 1)
        for at in range(len(rows[0]))
    ) and all(cell.text[:1].isalpha() and not _SENTENCE_END.search(cell.text) for cell in (row[0] for row in rows))


def _in_columns(row: Sequence[_Cell], head: Sequence[_Cell], rows: Sequence[Sequence[_Cell]]) -> list[str]:
    """Return the words of a row by its columns. With fewer cells than names the first stands in the first column and the last in
    the last, as totals do; others below the name that is nearest."""
    if len(row) == len(head):
        return [cell.text for cell in row]
    found = [""] * len(head)
    found[0] = row[0].text
    found[_last_column(row[-1], head, rows)] = row[-1].text
    at = 1
    for offset, cell in enumerate(row[1:-1], 2):
        open_to = len(head) - 1 - (len(row) - offset - 1)
        at = min(range(at, max(open_to, at + 1)), key=lambda place: _apart(cell, head[place]))
        found[at] = f"{found[at]} {cell.text}".strip()
        at = min(at + 1, len(head) - 1)
    return found


def _last_column(cell: _Cell, head: Sequence[_Cell], rows: Sequence[Sequence[_Cell]]) -> int:
    """Return the column of the last cell of a row: the one whose cells it stands among, else the last."""
    whole = [row for row in rows if len(row) == len(head)]
    for at in range(1, len(head)):
        if any(each[at].start == cell.start or each[at].end == cell.end for each in whole):
            return at
    return len(head) - 1


def _apart(one: _Cell, other: _Cell) -> int:
    return abs(one.start + one.end - other.start - other.end)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(cell_text, cells))} |"
