"""Tables of any document as markdown, so that each row reads as a fact with the names of its columns.

A table of two columns of labels and values has an empty head, and its rows read "Label: value". A wide one is written in strips,
each with the first column, because a row of fifty cells is no sentence.
"""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from lattice_common.capture.readers.text_builder import BLOCK, LINE, TextBuilder

STRIP = 500
"""Characters that a row with the names of its columns may take, counting each column by its longest usual cell."""
LONGEST_NAME = 80
"""Characters of a column's name: what is longer is a text, and no name."""
MOST_PAIRS = 12
"""Rows of a table whose labels are told by their values alone: a longer one is a table of other things."""
PAIRS_OF_HEADS = 2
"""Names above pairs of labels and values that stand beside each other."""
FEWEST_CAPITALS = 4
"""Letters of a line in capitals that names the rows below it: fewer are an abbreviation."""
LOOKED_AT = 50
"""Rows that tell what the first one is."""

_LABELS = frozenset(
    """name surname address street city town country phone telephone mobile fax email e-mail mail website web url date birthday
    birthdate born age job role position title company employer owner author contact status version project client customer
    subject location place time price total due start end deadline budget iban bic bank account number id reference ref
    adresse straße ort stadt land telefon handy datum geburtstag beruf firma titel preis konto kunde nummer betreff""".split()
)
_VALUE = re.compile(r"[\d@]|://")
_TOTAL = re.compile(r"(?:grand |sub)?totals?\b|sum\b|summe\b|gesamt\w*", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,4}")
_YEAR = re.compile(r"(?:19|20)\d\d")
FEWEST_COLUMNS = 3
"""Of a table in whose first row a value tells that it names no columns: of two, `_fields` tells more."""
FEWEST_FIELDS, MOST_ALIKE = 4, 0.6
"""Rows of a table of labels, and the share of its values that are of one kind: of a column below a name more are."""
_KINDS = tuple(
    re.compile(pattern)
    for pattern in (
        r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|PLN|NOK|SEK|DKK)\b",
        r"\b(?:19|20)\d\d-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}\.? [^\W\d]+ (?:19|20)\d\d\b",
        r"\S@\S|\+?\d[\d /()-]{7,}",
        r"\b[A-Z]{2,}[-/ ]?\d{3,}",
        r"^[\d.,\s%-]+$",
        r"\d",
        r"",
    )
)
"""Kinds of values: money, days, ways to reach somebody, codes, numbers, words with a number, words."""
_DAY = 1
"""The place of days among these."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it is read. `strong` is bold, as heads are; `number` is a number or a date, as heads are not."""

    text: str = ""
    strong: bool = False
    number: bool = False


EMPTY = Cell()


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, and where it stands in the original."""

    cells: tuple[Cell, ...]
    place: str | None = None


def write_table(
    builder: TextBuilder, rows: Sequence[Row], head: Sequence[str] | None = None, titles: Sequence[str] = ()
) -> tuple[str, ...] | None:
    """Add a table to the text, empty rows and columns left out. `head` are the names of its columns where they are known from
    elsewhere; else its first row is looked at. Of tables side by side, `titles` are the names above each of them, which stand
    before its rows. Return the names that were used, one for each column as given; None for none."""
    rows = [row for row in rows if (held := _texts(row)) and not (len(held) == 1 and _TOTAL.fullmatch(held[0].text.strip(" :")))]
    width = max((len(row.cells) for row in rows), default=0)
    names = list(head) if head is not None else None
    first_place = rows[0].place if rows else None
    if names is None and (pairs := _labelled_by_colons(rows)):
        rows, names = pairs, []
    elif names is None and head_rows(rows):
        first_place = rows[0].place
        titles = titles or _titles_beside(rows)
        names, rows = ([cell.text for cell in rows[1].cells], rows[2:]) if titles else _names(rows)
    if names and (parts := _beside(names, rows)):
        _write_beside(builder, rows, names, parts, titles)
        return tuple(names)
    if not any(names or ()):
        rows = _one_record_each(_one_pair_each(rows))
        width = max((len(row.cells) for row in rows), default=0)
    rows, sectioned = _sectioned(rows, named=any(names or ()))
    names = [*([""] if sectioned else []), *(names or ()), *[""] * width][: max(width, len(names or ())) + sectioned]
    width += sectioned
    columns = [at for at in range(width) if names[at] or any(at < len(row.cells) and row.cells[at].text for row in rows)]
    if not rows:
        # A head without a body says little, yet it is what is there.
        builder.add(" | ".join(name for name in names if name), first_place)
        return None
    for strip in _strips(rows, names, columns):
        builder.add(_line([names[at] for at in strip]), first_place, between=BLOCK)
        builder.add("|" + "---|" * len(strip), first_place, between=LINE)
        for row in rows:
            cells = [row.cells[at].text if at < len(row.cells) else "" for at in strip]
            if any(cells[len(strip) > 1 and strip[0] != columns[0] :]) and not builder.add(_line(cells), row.place, between=LINE):
                return None
    return tuple(names[sectioned:]) if any(names) else None


def _write_beside(
    builder: TextBuilder, rows: Sequence[Row], names: Sequence[str], parts: Sequence[slice], titles: Sequence[str]
) -> None:
    """Add tables that stand side by side, each with its title, where it has one, in a first column without a name."""
    for at, part in enumerate(parts):
        titled = len(titles) == len(parts)
        before = (Cell(titles[at]),) if titled else ()
        held = [Row((*before, *row.cells[part]), row.place) for row in rows if any(cell.text for cell in row.cells[part])]
        write_table(builder, held, [*([""] if titled else []), *names[part]])


def repeated(names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[slice]:
    """Return the columns of each of several tables side by side whose names are the same ("Departs, Arrives, Departs, Arrives"),
    also with empty columns between them; none where it is one table."""
    held = [at for at, name in enumerate(names) if name or any(at < len(row) and row[at].text for row in rows)]
    words = [names[at] for at in held]
    for size in range(2, len(words) // 2 + 1):
        if not len(words) % size and words == words[:size] * (len(words) // size) and len(set(words[:size])) == size:
            begins = held[::size]
            return [slice(begin, end) for begin, end in pairwise([*begins, len(names)])]
    return []


def _titles_beside(rows: Sequence[Row]) -> list[str]:
    """Return the names in the first row that stand each above one of several tables side by side; none where it is one table, or
    they name other columns."""
    if head_rows(rows) != PAIRS_OF_HEADS or _names_tables_beside(rows[0], rows[1:]):
        return []
    parts = repeated([cell.text for cell in rows[1].cells], [row.cells for row in rows[2:]])
    above = [{cell.text for cell in rows[0].cells[part] if cell.text} for part in parts]
    titles = [text for each in above for text in each]
    return titles if len(set(titles)) == len(titles) and all(len(each) == 1 for each in above) else []


def _names_tables_beside(first: Row, body: Sequence[Row]) -> bool:
    """Return whether the first row holds the names of several tables side by side, which none of the rows below holds again."""
    names = [cell.text for cell in first.cells]
    if not repeated(names, [row.cells for row in body]):
        return False
    return not any(cell.text and cell.text == name for row in body for cell, name in zip(row.cells, names, strict=False))


def _beside(names: Sequence[str], rows: Sequence[Row]) -> list[slice]:
    """Return the columns of each table where several stand side by side: all names repeat, or some do ("Payments, Amount,
    Deductions, Amount") and behind the first of them stands a column of words; none where it is one table."""
    if parts := repeated(names, [row.cells for row in rows]):
        return parts
    again = next((at for at, name in enumerate(names) if name and name in names[:at]), None)
    if again is None:
        return []
    for at in range(names.index(names[again]) + 1, again):
        cells = [row.cells[at] for row in rows if at < len(row.cells) and row.cells[at].text]
        if at > 1 and names[at] and cells and all(map(_is_label, cells)):
            return [slice(0, at), slice(at, None)]
    return []


def _labelled_by_colons(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a form whose labels end in a colon and stand beside each other, also beside other words ("For Ada |
    Date: | 3 May"), each label with its value in its own row; none where a row has no such pair."""
    found: list[Row] = []
    wide = 0
    for row in rows:
        held = _texts(row)
        pairs = [at for at, cell in enumerate(held[:-1]) if _ends_as_label(cell) and not _ends_as_label(held[at + 1])]
        if not pairs:
            return []
        wide = max(wide, len(held))
        values = {at + 1 for at in pairs}
        found += [
            Row((cell, held[at + 1]) if at in pairs else (cell,), row.place) for at, cell in enumerate(held) if at not in values
        ]
    return found if wide > 2 else []


def _ends_as_label(cell: Cell) -> bool:
    return cell.text.rstrip().endswith(":") and _is_label(cell)


def _one_pair_each(rows: list[Row]) -> list[Row]:
    """Return the rows of a table of several labels and values beside each other ("Name: Ada | Born: 1815"), each pair in its own
    row; other rows as they are."""
    rows = _below_their_heads(rows)
    cells = [[cell for cell in row.cells if cell.text] for row in rows]
    wide = max(map(len, cells), default=0)
    if wide < 4 or wide % 2 or any(len(each) % 2 for each in cells):
        return rows
    labels = [label for each in cells for label in each[::2]]
    values = [value for each in cells for value in each[1::2]]
    ended = sum(label.text.endswith(":") for label in labels)
    told = len({label.text for label in labels}) == len(labels) and all(map(_is_label, labels))
    if ended < len(labels) and not (told and sum(map(_is_value, values)) * 2 >= len(values) and len(rows) <= MOST_PAIRS):
        return rows
    return [
        Row((each[at], each[at + 1]), row.place) for each, row in zip(cells, rows, strict=True) for at in range(0, len(each), 2)
    ]


def _one_record_each(rows: list[Row]) -> list[Row]:
    """Return the rows of a table without names in which two records stand beside each other ("1 | 1 April | 222.00 | 2 | 1 May |
    242.00"), each record in its own row; other rows as they are. Both halves of the columns hold values of the same kinds, among
    them days, or begin with numbers that count the records; the last row may have one record."""
    width = max((len(row.cells) for row in rows), default=0)
    held = [at for at in range(width) if any(at < len(row.cells) and row.cells[at].text for row in rows)]
    half = len(held) // 2
    if len(rows) < 2 or len(held) % 2 or half < 2:
        return rows
    cells = [[row.cells[at] if at < len(row.cells) else EMPTY for at in held] for row in rows]
    records = [part for each in cells for part in (each[:half], each[half:])]
    whole = records if any(cell.text for cell in records[-1]) else records[:-1]
    if not all(cell.text for record in whole for cell in record) or not _are_alike(whole):
        return rows
    return [Row(tuple(each), rows[at // 2].place) for at, each in enumerate(whole)]


def _are_alike(records: Sequence[Sequence[Cell]]) -> bool:
    """Return whether all records hold the same kinds of values, one after the other: a running number before them, or days among
    at least three, for of two days with their sums the second may be when the first was paid."""
    kinds = {tuple(_kind(cell) for cell in record) for record in records}
    if len(kinds) > 1:
        return False
    numbers = [int(text) for record in records if _NUMBER.fullmatch(text := record[0].text)]
    counted = len(numbers) == len(records) and sorted(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))
    (kind,) = kinds
    return len(set(kind)) > 1 and (counted or (_DAY in kind and len(kind) >= FEWEST_COLUMNS))


def _kind(cell: Cell) -> int:
    return next(at for at, kind in enumerate(_KINDS) if kind.search(cell.text))


def _below_their_heads(rows: list[Row]) -> list[Row]:
    """Return the rows of pairs beside each other with each label below the name that stands above its pairs: "This year to date |
    This period" above "Gross pay | 25,944.17 | Taxable pay | 3,651.74"; other rows as they are."""
    held = [[cell for cell in row.cells if cell.text] for row in rows]
    heads = [len(each) == PAIRS_OF_HEADS and not any(map(_is_value, each)) for each in held]
    pairs = [len(each) in (2, 2 * PAIRS_OF_HEADS) and all(map(_is_value, each[1::2])) for each in held]
    both = sum(len(each) == 2 * PAIRS_OF_HEADS for each in held)
    if both < 2 or sum(heads) != 1 or heads[-1] or not all(one or other for one, other in zip(heads, pairs, strict=True)):
        return rows
    named = held[heads.index(True)]
    found: list[Row] = []
    for at, (each, row) in enumerate(zip(held, rows, strict=True)):
        if at < heads.index(True):
            found.append(row)
        elif not heads[at]:
            cells = [
                Cell(f"{named[place // 2].text} – {cell.text}", cell.strong) if not place % 2 else cell
                for place, cell in enumerate(each)
            ]
            found.append(Row(tuple(cells), row.place))
    return found


def _is_label(cell: Cell) -> bool:
    """Return whether a cell may say what the one beside it is: "Pension (5%)" may, "5%" not."""
    return cell.text[:1].isalpha() and not cell.number and len(cell.text) <= LONGEST_NAME


def _is_value(cell: Cell) -> bool:
    return cell.number or len(cell.text) > LONGEST_NAME or _VALUE.search(cell.text) is not None


def _sectioned(rows: list[Row], *, named: bool) -> tuple[list[Row], bool]:
    """Return the rows with lines between them that name those below ("Housing") as a first column of the rows below, up to a
    total; and whether there were any. They are bold, or, below the names of columns, begin the table or stand in capitals."""
    single = {
        id(row)
        for row, following in pairwise(rows)
        if len(held := _texts(row)) == 1 and not held[0].number and len(_texts(following)) > 1
    }
    titles = {id(row) for row in rows if id(row) in single and _texts(row)[0].strong}
    if not titles and named and max(len(_texts(row)) for row in rows) > 2:
        plain = {id(row) for row in rows if id(row) in single and row.cells[0].text}
        begun = len(plain) > 1 and id(rows[0]) in plain
        titles = plain if begun else {id(row) for row in rows if id(row) in plain and _in_capitals(row.cells[0].text)}
    if not titles:
        return rows, False
    found: list[Row] = []
    section = EMPTY
    for row in rows:
        if id(row) in titles:
            section = _texts(row)[0]
            continue
        if section.text and _TOTAL.match(next(cell.text for cell in row.cells if cell.text)):
            found.append(Row((EMPTY, *row.cells), row.place))
            section = EMPTY
        else:
            found.append(Row((section, *row.cells), row.place))
    return found, True


def _in_capitals(text: str) -> bool:
    return text.isupper() and sum(map(str.isalpha, text)) >= FEWEST_CAPITALS


def head_rows(rows: Sequence[Row]) -> int:
    """Return how many of the first rows are names of columns: 0, 1, or 2 where groups of columns have a name above theirs."""
    if len(rows) < 2 or not _named(rows[0]) or _is_one_of_the_rows(rows[0], rows[1:LOOKED_AT]):
        return 0
    first, body = rows[0], rows[1:LOOKED_AT]
    if _names_tables_beside(first, body):
        return 1
    if len(rows) > 2 and len(_texts(first)) > len({cell.text for cell in first.cells if cell.text}) and _named(rows[1]):
        return 2
    if len(rows) > 2 and (_groups(first, rows[1]) or _above_numbers(first, rows[1], rows[2:LOOKED_AT])):
        return 2
    if len({cell.text for cell in first.cells if cell.text}) < len(_texts(first)):
        return 0
    bold = all(cell.strong for cell in first.cells if cell.text)
    if bold and not all(cell.strong for row in body for cell in row.cells if cell.text):
        return 1
    return 0 if _fields(rows[:LOOKED_AT]) else 1


def _groups(first: Row, second: Row) -> bool:
    """Return whether the first row names groups of columns, each by its first: names below it repeat ("Plan, Actual, Plan,
    Actual") and stand below no name of their own, or some names stand in both rows, as cells do that were merged. An empty corner
    above two lessons of one name makes no groups."""
    names = [cell.text for cell in second.cells if cell.text]
    groups = [cell.text for cell in first.cells if cell.text]
    if not _named(second) or len(groups) >= len(names) or len(set(groups)) < len(groups):
        return False
    merged = any(one.text and one.text == other.text for one, other in zip(first.cells, second.cells, strict=False))
    begins = next(at for at, cell in enumerate(first.cells) if cell.text)
    spans = any(
        not one.text and other.text for one, other in list(zip_longest(first.cells, second.cells, fillvalue=EMPTY))[begins + 1 :]
    )
    return merged or (spans and len(set(names)) < len(names))


def _above_numbers(first: Row, second: Row, body: Sequence[Row]) -> bool:
    """Return whether the first row names groups of columns, and the second each of these, above numbers: "Month | Odometer | |
    Charging | " above "2026 | start | end | home | public"."""
    if not _named(second) or len(_texts(first)) >= len(_texts(second)) or len(_texts(first)) < 2:
        return False
    for at, cell in enumerate(second.cells[1:], 1):
        below = [row.cells[at] for row in body if at < len(row.cells) and row.cells[at].text]
        if not cell.text or cell.number or 2 * sum(each.number for each in below) <= len(below):
            return False
    return bool(body)


def _is_one_of_the_rows(first: Row, body: Sequence[Row]) -> bool:
    """Return whether the first row holds, not in bold, what no column is called: a sum, a day, a number to call, of the kind that
    stands below it."""
    if any(cell.strong for cell in first.cells) or len(_texts(first)) < FEWEST_COLUMNS:
        return False
    for at, cell in enumerate(first.cells):
        kind = next((kind for kind in _VALUES if kind.fullmatch(cell.text.strip())), None)
        below = [row.cells[at].text.strip() for row in body if at < len(row.cells) and row.cells[at].text]
        if kind is not None and any(map(kind.fullmatch, below)):
            return True
    return False


_VALUES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:[€$£¥]|EUR|USD|GBP|CHF) ?-?\d[\d.,' ]*|-?\d[\d.,' ]* ?(?:[€$£¥]|EUR|USD|GBP|CHF)",
        r"(?:19|20)\d\d-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}",
        r"\S+@\S+\.\S+",
        r"\+?\d[\d /()-]{7,}",
    )
)
"""What no column is called: a sum, a day, an address of mail, a number to call, and nothing else in the cell."""


def _named(row: Row) -> bool:
    """Return whether every cell could be a name: a short text, a year or a month, and at least two of them."""
    texts = _texts(row)
    return len(texts) >= 2 and all(
        len(cell.text) <= LONGEST_NAME and (not cell.number or _YEAR.search(cell.text) is not None) for cell in texts
    )


def _texts(row: Row) -> list[Cell]:
    return [cell for cell in row.cells if cell.text]


def _fields(rows: Sequence[Row]) -> bool:
    """Return whether it is a table of labels and their values: two columns, and no name that both columns could have."""
    pairs = [_texts(row) for row in rows]
    if any(len(pair) > 2 for pair in pairs):
        return False
    labels = [pair[0] for pair in pairs]
    values = [pair[1] for pair in pairs if len(pair) == 2]
    if any(label.number for label in labels) or len(set(labels)) < len(labels):
        return False
    if sum(label.text.rstrip().endswith(":") for label in labels) * 2 > len(labels) or all(label.strong for label in labels):
        return True
    known = sum(label.text.strip(" :").lower() in _LABELS for label in labels)
    counted = sum(bool(_VALUE.search(value.text)) for value in values[1:])
    if _of_many_kinds(values) and not all(cell.strong for cell in pairs[0]):
        return True
    first = bool(values) and _VALUE.search(values[0].text) is not None
    mixed = len(values) >= 3 and 0 < counted < 0.7 * (len(values) - 1)
    return first or known * 2 > len(labels) or (mixed and known >= 2)


def _of_many_kinds(values: Sequence[Cell]) -> bool:
    """Return whether values are of so many kinds that no one name could stand above them: a date, a sum, a number to call."""
    kinds = [_kind(value) for value in values]
    most = max((kinds.count(kind) for kind in kinds), default=0)
    return len(values) >= FEWEST_FIELDS and len(set(kinds)) >= FEWEST_FIELDS and most <= MOST_ALIKE * len(kinds)


def _names(rows: list[Row]) -> tuple[list[str], list[Row]]:
    """Return the names of the columns, and the rows below them."""
    if head_rows(rows) == 1:
        return [cell.text for cell in rows[0].cells], rows[1:]
    first = list(rows[0].cells)
    if _groups(rows[0], rows[1]) or _above_numbers(rows[0], rows[1], rows[2:LOOKED_AT]):
        for at in range(1, len(rows[1].cells)):
            first += [EMPTY] * (at + 1 - len(first))
            first[at] = first[at] if first[at].text else first[at - 1]
    pairs = zip_longest(first, rows[1].cells, fillvalue=EMPTY)
    return [" ".join(dict.fromkeys(part.text for part in pair if part.text)) for pair in pairs], rows[2:]


def _strips(rows: Sequence[Row], names: Sequence[str], columns: Sequence[int]) -> list[list[int]]:
    """Return the columns in groups that a sentence can hold; each but the first begins with the first column."""
    strips: list[list[int]] = []
    strip: list[int] = []
    room = STRIP
    for at in columns:
        lengths = sorted(len(row.cells[at].text) for row in rows[:LOOKED_AT] if at < len(row.cells))
        wide = len(names[at]) + 3 + (lengths[len(lengths) * 9 // 10] if lengths else 0)
        if strip and room < wide and len(strip) > 1:
            strips.append(strip)
            strip, room = [columns[0]], STRIP
        strip.append(at)
        room -= wide
    return [*strips, strip] if strip else strips


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell_text(cell) for cell in cells)} |"


def cell_text(text: str) -> str:
    """Return what may stand between two bars: one line, its own bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")
