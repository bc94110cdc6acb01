"""From the lines of a PDF's pages to its text: paragraphs put together again, headings told by their size, no running heads.

A PDF has no paragraphs: it says where pieces of text stand, and how large. What belongs together is told by the gaps between the
lines, by lines that end early, and by what the next one begins with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from statistics import median

from lattice_common.capture.readers.pdf_tables import (
    FARTHEST,
    FLUSH,
    WRAPPED,
    Drawn,
    Piece,
    Table,
    columns_of,
    row_below,
    table_at,
    titled,
    under,
    width,
)
from lattice_common.capture.readers.titles import FEWEST_COLUMNS, is_title
from lattice_common.language.letters.layout import GREETS, PAGE_OR_NUMBER, SHEETS
from lattice_common.language.sentences.split import DAY

LARGER = 1.15
"""Times the size of the running text from which on a line is a heading."""
LONGEST_HEADING = 160
"""Characters."""
EARLY = 0.7
"""Of the usual length: a line that ends before may end a paragraph."""
INDENTED = 1.5
"""Times its size that a line begins further right than the one above, as no line of running text does."""
LISTED = 2.0
"""The same of an item; first lines of paragraphs are set in by less."""
FOOT = 3.0
"""Times its size that a running foot stands below the last line at least."""
ROWS_OF_HEAD = 3.0
"""Times the size of the letters that two rows of a table's head are apart at most."""
LEVEL_ROW = 0.15
"""Times its size that the cells of a row may stand above or below each other."""
LEVEL, BESIDE = 0.4, 4.0
"""Times its size that the number of an item may stand above or below its words, and before them."""
EDGE = 2
"""Lines at the top and at the bottom of a page that may be its running head."""
REPEATED = 0.5
"""Of the pages, from four on, that have the same line at their edge."""

TALLEST = 4
"""Further lines of a cell that is drawn before the cells beside it."""
SHORTEST_REST = 3
"""Characters of what a narrow column cuts off its name."""
LONG_TABLE = 6
"""Lines from which on a table is none of those that letterheads set at the foot of each page."""

_PRINTED = re.compile(
    r"\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d{1,2}:\d\d(?: [AP]M)?(?: .*)?|"
    r"(?:https?|file)://\S+(?: .{0,60})? \d{1,4} ?/ ?\d{1,4}|about:blank.*|"
    rf"(?:{SHEETS})[ _]?\d{{1,3}}",
    re.I,
)
"""What browsers print above and below a page, and programs of spreadsheets: the name that a sheet has of itself."""
_ITEM = re.compile(rf"(?:[-*•‣◦▪●–]|(?!{DAY})\d{{1,3}}[.)]|[a-z]\))\s+\S")
_NUMBERED = re.compile(r"\d{1,3}[.)]?")
_MARK = re.compile(r"[•‣◦▪●○]|\d{1,3}[.)]")
_BULLET = re.compile(r"[•‣◦▪●]\s*")
_SENTENCE_END = re.compile(r"[.!?:…][\"'”’)\]]*$")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]$")
_LISTED = re.compile(r" … \w{1,6}$")
_AT_ENDS = re.compile(r"^(\d{1,4})\b|\b(\d{1,4})$")
_SUM = re.compile(r"(?:[A-Z]{3}|[$€£])? ?-?\d[\d.,' ]*[.,]\d\d(?: ?(?:[A-Z]{3}|[$€£]))?")
"""At the end of a line, apart: a total below its table, set larger than that."""
_MARKED = re.compile(r"^(?=[#>|])")
_LABELLED = re.compile(r"[^\W\d][^:]{0,40}: \S")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page: its size and the place of its beginning in points, `y` upwards, and its `pieces` that stand apart."""

    text: str
    size: float
    x: float
    y: float
    bold: bool = False
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`level` 1 to 6 is a heading's, 0 other text; an `item` belongs to a list. `goes_on`: it ends in the middle of a
    sentence, perhaps of a word (`is_cut`). A `table` has no text. `y` is where it begins."""

    text: str
    level: int = 0
    item: bool = False
    goes_on: bool = False
    table: Table | None = None
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Layout:
    """What the whole document looks like: the size of its running text, those of its headings from the largest on, the usual
    distance of two lines as a multiple of their size, the usual length of a line, what stands at the edge of most pages, and
    by how much the page number printed there is `ahead` of the count (None: there is none). Of two or three pages, what stands
    in the same place on all is `fixed` there: no page says the same thing at the same height by chance. Running text begins at
    `left` and ends at about `right`."""

    body: float
    headings: tuple[float, ...]
    gap: float
    width: int
    repeated: frozenset[str]
    ahead: int | None
    outline: Mapping[str, int]
    fixed: frozenset[tuple[str, int]] = frozenset()
    left: float = 0.0
    right: float = 0.0

    def level(self, line: Line) -> int:
        """Return the level of a heading, by its size; 0 for running text."""
        if line.size < self.body * LARGER or not any(each.isalpha() for each in line.text) or _LISTED.search(line.text):
            return 0
        if len(line.pieces) > 1 and _SUM.fullmatch(line.pieces[-1].text):
            return 0
        # The sizes are halves of points: 15.75 was counted as 16.
        return next((at for at, size in enumerate(self.headings, 1) if line.size >= size * 0.99 - 0.25), 0)


def layout_of(pages: Sequence[Sequence[Line]], outline: Mapping[str, int]) -> Layout:
    """Return the layout that all pages share."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[round(line.size * 2) / 2] += len(line.text)
    body = sizes.most_common(1)[0][0] if sizes else 10.0
    running = [line for page in pages for line in page if abs(line.size - body) < 0.6]
    gaps = [
        (above.y - below.y) / body
        for page in pages
        for above, below in pairwise(page)
        if abs(above.size - body) < 0.6 and abs(below.size - body) < 0.6 and 0 < above.y - below.y < 4 * body
    ]
    lengths = sorted(len(line.text) for line in running)
    return Layout(
        body,
        tuple(sorted((size for size in sizes if size >= body * LARGER), reverse=True)[:4]),
        median(gaps) if gaps else 1.2,
        lengths[len(lengths) * 8 // 10] if lengths else 80,
        _running_heads(pages),
        _ahead(pages),
        outline,
        _fixed(pages),
        _left(running),
        max((line.pieces[-1].end for line in running if line.pieces), default=0.0),
    )


def paragraphs(page: Sequence[Line], layout: Layout, number: int, before: Table | None = None) -> Iterator[Paragraph]:
    """Yield the paragraphs of the page of this number, in the order in which it was written. Running heads are yielded on page 1
    only. `before` is the table that the page above ends with."""
    group: list[Line] = []
    above: Line | None = None
    lines = _with_corners(_with_late_cells(_with_early_cells(list(_with_marks(list(_without_edges(page, layout, number)))))))
    foot = _foot(lines, layout)
    drawn = _drawn(lines, layout)
    until = 0
    for at, line in enumerate(lines):
        if at < until:
            continue
        table = table_at(drawn, at) or (row_below(before, drawn, at) if before is not None and not at else None)
        if table is not None and group and group[-1] is above and 0 < above.y - line.y <= FARTHEST * line.size:
            grouped = _below_names(table, above, line, layout)
            table, group = (grouped, group[:-1]) if grouped is not None else (table, group)
        if group and (table is not None or (above is not None and _parts(above, line, layout))):
            yield _paragraph(group, layout, foot)
            group = []
        if table is not None:
            yield Paragraph("", table=table, y=line.y)
            until, above = at + table.lines, None
            continue
        group.append(line)
        above = line
    if group:
        yield _paragraph(group, layout, foot)


def _with_marks(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines, with the number of an item that was drawn by itself, and somewhat lower or larger, before its words."""
    at = 0
    while at < len(lines):
        mark, line = lines[at], lines[at + 1] if at + 1 < len(lines) else None
        if line is not None and line.pieces and _NUMBERED.fullmatch(mark.text) and _is_before(mark, line):
            number = f"{mark.text.rstrip('.)')}. "
            first = replace(line.pieces[0], text=number + line.pieces[0].text, x=mark.x)
            yield replace(line, text=number + line.text, x=mark.x, pieces=(first, *line.pieces[1:]))
            at += 1
        else:
            yield mark
        at += 1


def with_late_marks(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, with bullets and numbers before their items that a program draws after all the words of a page."""
    found = list(lines)
    for mark in [each for each in lines if each.pieces and _MARK.fullmatch(each.text)]:
        at = next((at for at, line in enumerate(found) if line.pieces and _is_before(mark, line)), None)
        if at is not None:
            text = f"{mark.text} {found[at].text}"
            found[at] = replace(found[at], text=text, pieces=(replace(found[at].pieces[0], text=text),))
            found.remove(mark)
    return found


def _is_before(mark: Line, line: Line) -> bool:
    level = abs(mark.y - line.y) <= LEVEL * line.size
    return level and len(line.pieces) == 1 and mark.x < line.x <= mark.x + BESIDE * line.size


def _below_names(table: Table, above: Line, head: Line, layout: Layout) -> Table | None:
    """Return a table with the names that stand above groups of its columns, or above each of several tables side by side; None
    where the line above names none."""
    beside = titled(table, above.pieces)
    if beside is not None or not _may_name_groups(above, head, layout):
        return beside
    return under(table, above.pieces)


def _may_name_groups(line: Line, head: Line, layout: Layout) -> bool:
    """Return whether a line may stand over the columns of the head below it: no heading of the page, no labels with values."""
    labelled = sum(_LABELLED.match(each.text) is not None for each in line.pieces)
    return len(line.pieces) > 1 and not layout.level(line) and (head.bold or not line.bold) and labelled * 2 < len(line.pieces)


def _with_early_cells(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with the first line of a cell in its row, and the others below it, where a program draws all lines of the
    cell before the cells beside it, whose words stand at the height of its first line, or in its middle."""
    found: list[Line] = []
    for at in reversed(range(len(lines))):
        found.insert(0, lines[at])
        cell = _cell_from(found[: TALLEST + 2], 0)
        if not 1 < len(cell) <= TALLEST + 1 or len(cell) == len(found) or _goes_on_from(lines, at):
            continue
        row, below = found[len(cell)], found[len(cell) + 1 : len(cell) + 2 + TALLEST]
        if _is_beside_cell(cell, row, below) and _has_like_row(cell, row, lines[max(at - 2 * TALLEST, 0) : at], below):
            first, *others = (replace(each, y=each.y + max(row.y - cell[0].y, 0)) for each in cell)
            text, pieces = f"{first.text} {row.text}", (*first.pieces, *row.pieces)
            found[: len(cell) + 1] = [replace(first, text=text, bold=first.bold and row.bold, pieces=pieces), *others]
    return found


def _goes_on_from(lines: Sequence[Line], at: int) -> bool:
    """Return whether a line belongs to the cell of the line before it."""
    return at > 0 and len(_cell_from(lines[at - 1 : at + 1], 0)) > 1


def _is_beside_cell(cell: Sequence[Line], row: Line, below: Sequence[Line]) -> bool:
    """Return whether a line holds the other cells of the row that a cell of several lines begins: to the right of all of it,
    at the height of its lines, also with further lines below, and no column of text of its own."""
    near = LEVEL_ROW * row.size
    further = takewhile(lambda line: len(line.pieces) == 1 and any(abs(line.x - each.x) <= FLUSH for each in row.pieces), below)
    level = cell[-1].y + near < row.y and min((each.y for each in further), default=row.y) <= cell[0].y + near
    right = bool(row.pieces) and row.pieces[0].x > max(each.pieces[0].end for each in cell)
    alone = len(row.pieces) == 1 and len(_cell_from([row, *below[:1]], 0)) > 1
    return level and right and not alone and 0.75 < row.size / max(cell[0].size, 0.1) < 1.35


def _has_like_row(cell: Sequence[Line], row: Line, above: Sequence[Line], below: Sequence[Line]) -> bool:
    """Return whether the next row above or below has cells that begin where the cell does, and begin or end where the other cells
    of its row do."""
    nearest = (next((each for each in near if len(each.pieces) > 1), None) for near in (above[::-1], below))
    for like in nearest:
        if like is None or not any(abs(each.x - cell[0].x) <= FLUSH for each in like.pieces):
            continue
        if any(abs(one.x - each.x) <= FLUSH or abs(one.end - each.end) <= FLUSH for one in like.pieces for each in row.pieces):
            return True
    return False


def _with_late_cells(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with cells of several lines in their rows, where a program draws these after all others: each stands
    beside its row, in a gap of it, and begins where cells of other rows begin. A cell that is drawn with its row is found by
    `table_at`."""
    found: list[Line] = []
    at, late = 0, False
    while at < len(lines):
        cell = _cell_from(lines, at)
        row = _row_beside(found, cell) if found and cell[0].y > found[-1].y else None
        late = row is not None and (late or any(len(each.pieces) > 1 for each in found[row + 1 :]))
        if row is None or not late:
            found.append(lines[at])
            at += 1
            continue
        text, end = " ".join(each.text for each in cell), max(each.pieces[0].end for each in cell)
        piece = Piece(text, cell[0].x, end, all(each.bold for each in cell))
        pieces = tuple(sorted((*found[row].pieces, piece), key=lambda each: each.x))
        found[row] = replace(found[row], text=" ".join(each.text for each in pieces), pieces=pieces)
        at += len(cell)
    return found


def _cell_from(lines: Sequence[Line], at: int) -> Sequence[Line]:
    """Return the lines of one cell that begins with the one at `at`: each a single piece, one closely below the other."""
    until = at + 1
    while until < len(lines) and len(lines[until - 1].pieces) == len(lines[until].pieces) == 1:
        above, line = lines[until - 1], lines[until]
        if abs(above.x - line.x) > FLUSH or not 0 < above.y - line.y <= WRAPPED * line.size:
            break
        until += 1
    return lines[at:until]


def _row_beside(rows: Sequence[Line], cell: Sequence[Line]) -> int | None:
    """Return the index of the row that a cell belongs to: the one at the height of one of its lines, or at its middle."""
    if len(cell[0].pieces) != 1:
        return None
    near = LEVEL_ROW * cell[0].size
    heights = [*(each.y for each in cell), (cell[0].y + cell[-1].y) / 2]
    begins, ends = cell[0].x, max(each.pieces[0].end for each in cell)
    if not any(len(row.pieces) > 1 and any(abs(each.x - begins) <= FLUSH for each in row.pieces) for row in rows):
        return None
    for at, row in enumerate(rows):
        level = len(row.pieces) > 1 and any(abs(row.y - height) <= near for height in heights)
        if level and not any(begins < each.end and ends > each.x for each in row.pieces):
            return at
    return None


def _with_corners(lines: list[Line]) -> list[Line]:
    """Return the lines with the names of columns that span both rows of a table's head, and so stand between them, in the lower
    row."""
    found: list[Line] = []
    for line in lines:
        if len(found) >= 2:
            one, other = found[-2:]
            for corner, upper in ((one, other), (other, one)):
                if (whole := _in_lower(corner, upper, line)) is not None:
                    found[-2:] = [upper]
                    line = whole
                    break
        found.append(line)
    return found


def _in_lower(corner: Line, upper: Line, lower: Line) -> Line | None:
    if not corner.pieces or not 1 < len(upper.pieces) < len(lower.pieces) or corner.bold != lower.bold:
        return None
    reach = ROWS_OF_HEAD * lower.size
    if not (lower.y < corner.y < upper.y and upper.y - lower.y <= reach and abs(corner.size - lower.size) < 0.1 * lower.size):
        return None
    if any(piece.x < each.end and piece.end > each.x for each in lower.pieces for piece in corner.pieces):
        return None
    pieces = tuple(sorted((*lower.pieces, *corner.pieces), key=lambda each: each.x))
    return replace(lower, text=" ".join(each.text for each in pieces), x=pieces[0].x, pieces=pieces)


def _drawn(lines: Sequence[Line], layout: Layout) -> list[Drawn]:
    """Return the lines as tables see them: no pieces where a line is none of their rows."""
    found: list[Drawn] = []
    above: Line | None = None
    for line in lines:
        text = _is_text(line, layout, above)
        found.append(Drawn(() if text else line.pieces, line.y, line.size))
        above = None if text else line
    return found


def _is_text(line: Line, layout: Layout, above: Line | None) -> bool:
    """Return whether a line is no row of a table, however its pieces stand: labels with values, a heading, a line of a table of
    contents. Rows may be set larger than the text: names of columns, and what stands in the size of the row `above`."""
    if len(pairs_in(line)) > 1:
        return True
    if layout.level(line) > 0:
        goes_on = above is not None and len(above.pieces) > 1 < len(line.pieces) and above.size == line.size
        return len(line.pieces) < FEWEST_COLUMNS and not goes_on
    return _LISTED.search(line.text) is not None


def outline_key(title: str) -> str:
    """Return a key of a title: titles are the same when their letters and digits are."""
    return re.sub(r"\W+", " ", title).strip().lower()


def beside(line: Line, following: Line) -> Line | None:
    """Return both as one line, where the second was drawn at the same height to the right of the first: cells of a table that a
    program draws each by itself."""
    if not line.pieces or not following.pieces or abs(line.y - following.y) > LEVEL_ROW * min(line.size, following.size):
        return None
    if not 0.75 < line.size / max(following.size, 0.1) < 1.35 or following.x < line.pieces[-1].end - 0.2 * line.size:
        return None
    pieces = columns_of((*line.pieces, *following.pieces), line.size)
    return replace(line, text=f"{line.text} {following.text}", bold=line.bold and following.bold, pieces=pieces)


def row_going_on(lines: Sequence[Line], line: Line) -> int | None:
    """Return the line that the next one may go on: the last; or a row of which a cell was drawn with all its lines, before the
    cells beside it; a narrow name of a column, too ("Pos" above its full stop)."""
    if not lines:
        return None
    at = len(lines) - 1
    while at > 0 and len(lines) - at <= TALLEST and lines[at].y < line.y - LEVEL_ROW * line.size and len(lines[at].pieces) == 1:
        at -= 1
    row, below = lines[at], lines[at + 1 :]
    if not below:
        return at
    if not row.pieces or row.pieces[-1].end > line.x:
        return len(lines) - 1
    within = row.pieces[1].x - 0.5 * row.size if len(row.pieces) > 1 else line.x
    return at if all(within <= each.x < line.x or _is_rest_of_a_name(row, each) for each in below) else len(lines) - 1


def _is_rest_of_a_name(row: Line, rest: Line) -> bool:
    return len(rest.text) <= SHORTEST_REST and abs(rest.x - row.x) <= FLUSH and row.y - rest.y <= WRAPPED * row.size


def is_cut(text: str) -> bool:
    """Return whether it ends with a hyphen that stands in the middle of a word."""
    return _HYPHEN.search(text) is not None


def _parts(above: Line, below: Line, layout: Layout) -> bool:
    """Return whether a paragraph ends between two lines."""
    if abs(above.size - below.size) > 0.1 * max(above.size, below.size) or above.bold != below.bold:
        return True
    if _ITEM.match(below.text) or _LISTED.search(above.text) or GREETS.match(above.text) or GREETS.match(below.text):
        return True
    gap = (above.y - below.y) / max(above.size, 1.0)
    ended = _SENTENCE_END.search(above.text) is not None
    if gap <= 0:  # another column, or the lines were not written from top to bottom
        return ended or not below.text[:1].islower()
    if gap > layout.gap * 1.35:
        return not (_HYPHEN.search(above.text) and below.text[:1].islower() and gap < layout.gap * 2)
    if below.x > above.x + INDENTED * above.size and not _ITEM.match(above.text) and not below.text[:1].islower():
        return True  # a list whose bullets are drawn, below the line that it is about
    short = len(above.text) < EARLY * layout.width
    if not below.text[:1].islower() and _ends_in_list(above, below, layout):
        return True
    return ended and (short or below.x > above.x + 0.8 * above.size)


def _ends_in_list(above: Line, below: Line, layout: Layout) -> bool:
    """Return whether a line is set in from the running text, as items of lists are, and the next one is not, or would have had
    room for its first word beside it."""
    if above.x <= layout.left + INDENTED * above.size or not above.pieces:
        return False
    if below.x < above.x - LISTED * above.size:
        return True
    return above.pieces[-1].end + 1.5 * width(f"{below.text.split(maxsplit=1)[0]} ", above.size) < layout.right


def _foot(lines: Sequence[Line], layout: Layout) -> Line | None:
    """Return the lowest line of a page, far below its running text: however large, it is no heading, for nothing stands below
    it."""
    ordered = sorted(lines, key=lambda line: line.y)[:2]
    if len(ordered) < 2 or ordered[1].y - ordered[0].y < FOOT * ordered[0].size:
        return None
    return ordered[0] if any(not layout.level(line) and not line.bold for line in lines if line is not ordered[0]) else None


def _paragraph(lines: Sequence[Line], layout: Layout, foot: Line | None) -> Paragraph:
    text = _words(lines[0])
    for above, line in pairwise(lines):
        following = _words(line)
        if _HYPHEN.search(text) and following[:1].islower():
            text = text[:-1] + following
        elif (len(above.text) < 0.6 * layout.width and not layout.level(line)) or (
            _LABELLED.match(above.text) and _LABELLED.match(line.text)
        ):
            text += "\n" + following  # an address, a poem, a form: its lines are its own
        else:
            text += " " + following
    level = layout.outline.get(outline_key(text), 0) if len(text) <= LONGEST_HEADING else 0
    level = level or (layout.level(lines[0]) if len(text) <= LONGEST_HEADING else 0)
    if not level and _is_bold_title(lines, text):
        level = min(len(layout.headings) + 1, 6)
    if level and foot not in lines and len(lines[0].pieces) < FEWEST_COLUMNS and is_title(text):
        return Paragraph(text.replace("\n", " "), level, y=lines[0].y)
    goes_on = _SENTENCE_END.search(text) is None and GREETS.match(text) is None
    if _ITEM.match(text):
        return Paragraph(_BULLET.sub("- ", text, count=1), item=True, goes_on=goes_on, y=lines[0].y)
    return Paragraph(_MARKED.sub(r"\\", text), goes_on=goes_on, y=lines[0].y)


def _words(line: Line) -> str:
    """Return the text of a line; labels with their values beside each other become a line each."""
    return "\n".join(pairs_in(line)) or line.text.strip()


def pairs_in(line: Line) -> list[str]:
    """Return the labels with their values that a line consists of, where it has several and nothing else: "Animal: Pixel",
    "Species: Cat". A value may stand apart from its label, as it does behind one in bold."""
    found: list[str] = []
    for piece in line.pieces if len(line.pieces) > 1 else ():
        if found and found[-1].endswith(":"):
            found[-1] = f"{found[-1]} {piece.text}"
        else:
            found.append(piece.text)
    return found if len(found) > 1 and all(map(_LABELLED.match, found)) else []


def _is_bold_title(lines: Sequence[Line], text: str) -> bool:
    """Return a short line of its own in bold; a sentence in bold is a remark."""
    return len(lines) == 1 and lines[0].bold and len(text) <= 90 and text[:1].isalnum() and text[-1:] not in ".,;:"


def _without_edges(page: Sequence[Line], layout: Layout, number: int) -> Iterator[Line]:
    """Yield the lines without page numbers, and without what stands at the edge of most pages."""
    edges = _edges(page)
    rows = _rows(page, layout) if edges else ()
    for line in page:
        if line in edges and line not in rows:
            outermost = line in (edges[0], edges[-1]) and not layout.level(line)
            at_foot = line in edges[:EDGE] and len(edges) > EDGE
            if (_shape(line.text), round(line.y)) in layout.fixed and (at_foot or number > 1 or not layout.level(line)):
                continue
            numbered = outermost and layout.ahead is not None and number + layout.ahead in _numbers(line.text)
            if (
                PAGE_OR_NUMBER.fullmatch(line.text)
                or _PRINTED.fullmatch(line.text)
                or (number > 1 and (numbered or _shape(line.text) in layout.repeated))
            ):
                continue
        yield line


def _rows(page: Sequence[Line], layout: Layout) -> list[Line]:
    """Return the lines of long tables: rows that look alike at the edge of each page are no running heads."""
    drawn = _drawn(page, layout)
    found: list[Line] = []
    at = 0
    while at < len(drawn):
        table = table_at(drawn, at)
        if table is not None and table.lines >= LONG_TABLE:
            found += page[at : at + table.lines]
        at += table.lines if table is not None else 1
    return found


def _running_heads(pages: Sequence[Sequence[Line]]) -> frozenset[str]:
    if len(pages) < 4:
        return frozenset()
    counts = Counter(shape for page in pages for shape in {_shape(line.text) for line in _edges(page)})
    return frozenset(shape for shape, times in counts.items() if times >= REPEATED * len(pages))


def _fixed(pages: Sequence[Sequence[Line]]) -> frozenset[tuple[str, int]]:
    if not 2 <= len(pages) < 4:
        return frozenset()
    first, *others = [{(_shape(line.text), round(line.y)) for line in _edges(page)} for page in pages]
    return frozenset(first.intersection(*others))


def _ahead(pages: Sequence[Sequence[Line]]) -> int | None:
    """Return by how much printed page numbers are ahead of the count of pages; None where no such number repeats. With it, lines
    at the edge that begin or end with the page's number are known for running heads, also where they name another chapter."""
    if len(pages) < 4:
        return None
    counts = Counter(
        ahead
        for at, page in enumerate(pages, 1)
        for ahead in {number - at for line in _edges(page)[:1] + _edges(page)[-1:] for number in _numbers(line.text)}
    )
    ahead, times = counts.most_common(1)[0] if counts else (0, 0)
    return ahead if times >= REPEATED * len(pages) else None


def _left(running: Sequence[Line]) -> float:
    """Return the leftmost that many lines begin at."""
    begins = Counter(round(line.x) for line in running)
    return float(min((x for x, times in begins.items() if times * 10 >= len(running)), default=0))


def _numbers(text: str) -> list[int]:
    return [int(found[1] or found[2]) for found in _AT_ENDS.finditer(text)]


def _edges(page: Sequence[Line]) -> list[Line]:
    ordered = sorted(page, key=lambda line: line.y)
    return [*ordered[:EDGE], *ordered[-EDGE:]] if len(page) > 2 * EDGE else ordered[:1] + ordered[-1:] if len(page) > 2 else []


def _shape(text: str) -> str:
    return re.sub(r"\d+", "#", text.strip())
