"""Labels of a PDF with their values below them, in boxes side by side: "Tax code" above "1183M", beside "Pay date" above its day;
or one below the other, in letters smaller than those of the values.

Payslips, bills and statements are headed so. Programs draw one box after the other, so a label and its value are lines of their
own, and a bold value looks like a heading. Each becomes one line, "Tax code: 1183M". What stands in bold above an address at one
side of a letter ("Bill to") is its label as well, and no heading of what the other side says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lattice_common.capture.readers.pdf_lines import Layout, Line, Paragraph
from lattice_common.capture.readers.pdf_tables import FLUSH

FEWEST = 2
"""Boxes side by side, for one label above one value may be a heading above a text."""
LONGEST_LABEL, LONGEST_VALUE = 32, 60
"""Characters."""
BELOW = 2.2
"""Times its size that a value stands below its label at most."""
LINES_OF_ADDRESS, LONGEST_LINE = 6, 45
"""Lines of an address, and characters of each."""
SMALLER = 0.93
"""Times the size of a value that labels in a column are set in at most."""
LINES_OF_VALUE = 4
"""Lines of a value in a column: an address."""
CLOSE = 1.6
"""Times its size that two lines of a value are apart at most."""
LEVEL = 0.5
"""Points by which lines at one height may differ."""
_ENDED = re.compile(r"[.!?:]$")


def with_pairs(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a page, with labels and the values below them as a line each where several stand side by side."""
    found: list[Line] = []
    at = 0
    while at < len(lines):
        boxes = _boxes(lines, at)
        until = at + 2 * len(boxes)
        if len(boxes) >= FEWEST and not _goes_on(lines, until) and _are_values(boxes):
            found += [_pair(label, value) for label, value in boxes]
            at = until
        elif len(stacked := _stacked(lines, at)) >= FEWEST:
            found += [_pair(box[0], _in_one(box[1:])) for box in stacked]
            at += sum(map(len, stacked))
        else:
            found.append(lines[at])
            at += 1
    return found


def _stacked(lines: Sequence[Line], start: int) -> list[Sequence[Line]]:
    """Return small labels, each with the larger lines of its value below it, as long as all look alike and begin at one place."""
    found: list[Sequence[Line]] = []
    at = start
    while at + 1 < len(lines) and _is_small_label(lines[at], lines[at + 1]):
        if found and not _is_below(found[-1], lines[at : at + 2]):
            break
        until = at + 2
        while until < len(lines) and until - at <= LINES_OF_VALUE and _value_goes_on(lines[until - 1], lines[until]):
            until += 1
        found.append(lines[at:until])
        at = until
    return found


def _is_small_label(label: Line, value: Line) -> bool:
    return _is_box(label, value) and label.size <= SMALLER * value.size and not _ENDED.search(label.text.rstrip(": "))


def _is_below(box: Sequence[Line], following: Sequence[Line]) -> bool:
    label, value = following
    alike = _look(label) == _look(box[0]) and _look(value) == _look(box[1])
    return alike and abs(label.x - box[0].x) <= FLUSH and label.y < box[-1].y


def _value_goes_on(above: Line, line: Line) -> bool:
    """Return whether a value has a further line, as addresses do."""
    alike = _look(above) == _look(line) and abs(above.x - line.x) <= FLUSH and len(line.pieces) == 1
    return alike and 0 < above.y - line.y <= CLOSE * line.size and len(line.text) <= LONGEST_VALUE


def _look(line: Line) -> tuple[float, bool]:
    return line.size, line.bold


def _in_one(lines: Sequence[Line]) -> Line:
    return replace(lines[0], text=", ".join(line.text.rstrip(",") for line in lines))


def _boxes(lines: Sequence[Line], start: int) -> list[tuple[Line, Line]]:
    """Return labels with the lines below them, as long as each stands at the height of the first, right of the one before."""
    found: list[tuple[Line, Line]] = []
    for label, value in zip(lines[start::2], lines[start + 1 :: 2], strict=False):
        if not _is_box(label, value) or (found and not _is_beside(found[-1], label, value)):
            break
        found.append((label, value))
    return found


def _is_beside(box: tuple[Line, Line], label: Line, value: Line) -> bool:
    level = abs(label.y - box[0].y) <= LEVEL and abs(value.y - box[1].y) <= LEVEL
    alike = (label.size, label.bold) == (box[0].size, box[0].bold)
    return level and alike and label.x > max(each.pieces[-1].end for each in box)


def _is_box(label: Line, value: Line) -> bool:
    if len(label.pieces) != 1 or len(value.pieces) != 1 or abs(label.x - value.x) > FLUSH:
        return False
    named = label.text[:1].isalpha() and len(label.text) <= LONGEST_LABEL and label.text[-1:] not in ",;!?"
    return named and len(value.text) <= LONGEST_VALUE and 0 < label.y - value.y <= BELOW * max(label.size, value.size)


def _goes_on(lines: Sequence[Line], until: int) -> bool:
    """Return whether the last box has further lines, as addresses beside each other have."""
    if until >= len(lines):
        return False
    label, value, below = lines[until - 2 : until + 1]
    return abs(below.x - value.x) <= FLUSH and 0 < value.y - below.y <= 1.2 * (label.y - value.y)


def _are_values(boxes: Sequence[tuple[Line, Line]]) -> bool:
    """Return whether what stands below is told from what stands above: by its letters in all boxes, or by figures in most."""
    if all(
        (label.bold, label.size) != (value.bold, value.size) and not (label.bold and not value.bold) for label, value in boxes
    ):
        return True
    figures = sum(any(map(str.isdigit, value.text)) and not any(map(str.isdigit, label.text)) for label, value in boxes)
    return figures > len(boxes) / 2 and not any(any(map(str.isdigit, label.text)) for label, _ in boxes)


def _pair(label: Line, value: Line) -> Line:
    text = f"{label.text.rstrip(': ')}: {value.text}"
    piece = replace(label.pieces[0], text=text, end=max(label.pieces[0].end, value.pieces[0].end), bold=False)
    return replace(label, text=text, bold=False, pieces=(piece,))


def without_titles_of_addresses(found: Sequence[Paragraph], layout: Layout) -> list[Paragraph]:
    """Return the paragraphs of a page, with what is bold above short lines put before these where what comes next stands higher
    up, at another side: what it is a title of ends there. What a page begins with says whose it is, and stays a title."""
    kept = list(found[:1])
    at = len(kept)
    while at < len(found):
        until = at
        while until + 1 < len(found) and _titles_address(found[until], found[until + 1], layout):
            until += 2
        if until > at and until < len(found) and found[until].y > found[until - 1].y:
            pairs = zip(found[at:until:2], found[at + 1 : until : 2], strict=True)
            kept += [replace(title, text=f"{title.text}\n{words.text}", level=0) for title, words in pairs]
        else:
            until = max(until, at + 1)
            kept += found[at:until]
        at = until
    return kept


def _titles_address(title: Paragraph, words: Paragraph, layout: Layout) -> bool:
    if title.level <= len(layout.headings) or words.level or words.item or words.table is not None:
        return False
    lines = words.text.split("\n")
    return len(lines) <= LINES_OF_ADDRESS and all(len(line) <= LONGEST_LINE and not _ENDED.search(line) for line in lines)
