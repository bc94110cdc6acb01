"""The lines of a picture, of what tesseract says of its words, as a PDF's lines are: with their sizes, places and pieces.

tesseract takes each column of a table for a block of its own, so a row comes in parts that are read one column after the other.
Lines at one height are put together again where they are rows of a table; columns of running text stay as they were read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from lattice_common.capture.readers.pdf_lines import Line
from lattice_common.capture.readers.pdf_tables import FARTHEST, Drawn, Piece, columns_of, table_at, width

BODY = 10.0
"""Points that running text is given: how large it is in truth a picture does not say."""
SURE = 40.0
"""Average confidence (of 100) below which a picture counts as one without words."""
LARGER = 1.3
"""Times the size of the running text from which on a line counts as larger: what is measured of a picture is not exact."""
FEWEST_LETTERS = 3
"""Characters of a word whose width tells its size."""
LEVEL = 0.5
"""Times the size that the middles of two parts of a row are apart at most."""

_WORD, _PAGE = "5", "1"
_RULE = re.compile(r"[|¦{}]+")
"""The lines of a table are read as letters that stand before, behind and between words."""


@dataclass(frozen=True, slots=True)
class Picture:
    """`high` is the height of the page in the measure of its lines, of which `y` is 0 at the top and negative below."""

    lines: tuple[Line, ...]
    high: float


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    left: float
    right: float
    middle: float


@dataclass(frozen=True, slots=True)
class _Row:
    """Words at one height, from left to right."""

    words: tuple[_Word, ...]
    pieces: tuple[Piece, ...]
    y: float
    size: float


def picture_of(table: bytes) -> Picture:
    """Return the lines of a page, of tesseract's output as TSV; none where it is not sure of them."""
    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8", "replace")), delimiter="\t", quoting=csv.QUOTE_NONE))
    high = max((float(row["height"]) for row in rows if row["level"] == _PAGE), default=1.0)
    told = [row for row in rows if row["level"] == _WORD and (row["text"] or "").strip()]
    if not told or sum(float(row["conf"]) for row in told) / len(told) < SURE:
        return Picture((), high)
    read: dict[tuple[str, str, str], list[_Word]] = {}
    for row in told:
        read.setdefault((row["block_num"], row["par_num"], row["line_num"]), []).extend(_words(row))
    groups = [words for words in read.values() if words]
    body = _size([word for words in groups for word in words])
    lines = [_row(words, body) for words in groups]
    return Picture(tuple(_line(row) for row in _with_rows(lines)), high * BODY / body)


def _words(row: dict[str, str]) -> Iterator[_Word]:
    """Yield what tesseract takes for a word, without the lines of a table in it."""
    left, wide, top, tall = (float(row[name]) for name in ("left", "width", "top", "height"))
    text, at = row["text"].strip(), 0
    for part in _RULE.split(text):
        start = text.index(part, at)
        at = start + len(part)
        if part:
            yield _Word(part, left + wide * start / len(text), left + wide * at / len(text), top + tall / 2)


def _size(words: Sequence[_Word]) -> float:
    """Return the size of the letters by how wide the words are drawn: how high a word is depends on its letters."""
    of_each = [(word.right - word.left) / width(word.text, 1.0) for word in words if len(word.text) >= FEWEST_LETTERS]
    return max(median(of_each), 1.0) if of_each else max(word.right - word.left for word in words)


def _row(words: Sequence[_Word], body: float) -> _Row:
    """Return the words of a line in points, of which running text has BODY."""
    scale = BODY / body
    scaled = tuple(_Word(each.text, each.left * scale, each.right * scale, each.middle * scale) for each in words)
    own = _size(scaled) if sum(len(word.text) for word in words) >= 2 * FEWEST_LETTERS else BODY
    size = round(own, 1) if own >= LARGER * BODY else BODY
    return _Row(scaled, _pieces(scaled, size), -median(each.middle for each in scaled), size)


def _pieces(words: Sequence[_Word], size: float) -> tuple[Piece, ...]:
    return columns_of([Piece(each.text, each.left, each.right) for each in words], size)


def _line(row: _Row) -> Line:
    return Line(" ".join(each.text for each in row.words), row.size, row.pieces[0].x, row.y, pieces=row.pieces)


def _with_rows(lines: Sequence[_Row]) -> Iterator[_Row]:
    """Yield the lines in the order in which they were read, but for the rows of tables, which stand together."""
    parts = sorted(_at_one_height(lines), key=lambda row: -row[0].y)
    whole = _parted([_whole(row) for row in parts])
    drawn = [Drawn(each.pieces, each.y, each.size) for each in whole]
    table_of: dict[int, int] = {}
    at = 0
    while at < len(whole):
        table = table_at(drawn, at)
        table_of |= dict.fromkeys(range(at, at + table.lines), at) if table is not None else {}
        at += table.lines if table is not None else 1
    row_of = {id(part): number for number, row in enumerate(parts) for part in row}
    done: set[int] = set()
    for line in lines:
        table_at_row = table_of.get(row_of[id(line)])
        if table_at_row is None:
            yield line
        elif table_at_row not in done:
            done.add(table_at_row)
            yield from (whole[number] for number, first in table_of.items() if first == table_at_row)


def _at_one_height(lines: Sequence[_Row]) -> list[list[_Row]]:
    """Return the lines by their heights: what stands beside each other is of one row."""
    found: list[list[_Row]] = []
    for line in sorted(lines, key=lambda each: (-each.y, each.pieces[0].x)):
        row = next((row for row in reversed(found[-3:]) if all(_is_beside(each, line) for each in row)), None)
        if row is None:
            found.append([line])
        else:
            row.append(line)
    return found


def _is_beside(one: _Row, other: _Row) -> bool:
    level = abs(one.y - other.y) <= LEVEL * min(one.size, other.size)
    return level and (one.pieces[-1].end <= other.pieces[0].x or other.pieces[-1].end <= one.pieces[0].x)


def _whole(row: Sequence[_Row]) -> _Row:
    if len(row) == 1:
        return row[0]
    words = tuple(word for each in sorted(row, key=lambda each: each.pieces[0].x) for word in each.words)
    return replace(row[0], words=words, pieces=_pieces(words, row[0].size))


def _parted(rows: Sequence[_Row]) -> list[_Row]:
    """Return the rows with pieces parted where the row below or above has two: names of columns stand closer than what is below
    them."""
    found = list(rows)
    for at, row in enumerate(rows):
        for other in (*rows[at + 1 : at + 2], *rows[max(at - 1, 0) : at]):
            if abs(other.y - row.y) > FARTHEST * row.size or not 1 < len(row.pieces) < len(other.pieces):
                continue
            columns = [_nearest(word, other.pieces) for word in row.words]
            if columns == sorted(columns) and len(set(columns)) > len(row.pieces):
                found[at] = replace(row, pieces=tuple(_by(row.words, columns)))
    return found


def _nearest(word: _Word, pieces: Sequence[Piece]) -> int:
    """Return the index of the piece that a word stands over most, or is nearest to."""
    return max(range(len(pieces)), key=lambda at: min(word.right, pieces[at].end) - max(word.left, pieces[at].x))


def _by(words: Sequence[_Word], columns: Sequence[int]) -> Iterator[Piece]:
    for column in sorted(set(columns)):
        own = [word for word, at in zip(words, columns, strict=True) if at == column]
        yield Piece(" ".join(each.text for each in own), own[0].left, own[-1].right)
