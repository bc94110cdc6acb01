"""What was filled into the form of a PDF: each value beside the words that are printed next to its field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pypdf import PageObject
from pypdf.errors import PyPdfError

from lattice_common.capture.readers.pdf_lines import Line
from lattice_common.capture.readers.pdf_tables import Piece, width

MOST_FIELDS = 2_000
DEEPEST = 20
LONGEST_LABEL = 80
BESIDE = 250.0
"""Points that a label may end before its field."""
ABOVE = 26.0
"""Points that a label may stand above its field."""

_BROKEN = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)


@dataclass(frozen=True, slots=True)
class Field:
    """A field with something in it. `named` is what its maker calls it to who fills it in; `ticked`: a box, whose label mostly
    stands to its right."""

    value: str
    left: float
    low: float
    right: float
    high: float
    named: str = ""
    ticked: bool = False


def with_fields(lines: Sequence[Line], page: PageObject) -> list[Line]:
    """Return the lines of a page and what was filled in, where it stands: behind its label, or below the line above it."""
    found = list(lines)
    for field in _fields(page):
        beside = _beside(found, field)
        if beside is None:
            label = field.named or _above(found, field)
            text = f"{label.rstrip(' :')}: {field.value}" if label else field.value
            found.append(_line(text, field, found))
            continue
        _, at, label, behind = beside
        if behind:
            found[at] = _line(f"{label}: {field.value}", field, found)
        elif label is found[at].text:
            found[at] = _filled(found[at], label, field)
        else:
            found.append(_line(f"{label.rstrip(' :')}: {field.value}", field, found))
    return sorted(found, key=lambda line: -line.y) if len(found) != len(lines) else found


def _filled(line: Line, label: str, field: Field) -> Line:
    mark = "" if label.endswith((":", "?")) else ":"
    return replace(line, text=f"{label}{mark} {field.value}", pieces=())


def _beside(lines: Sequence[Line], field: Field) -> tuple[float, int, str, bool] | None:
    """Return the words that say what a field is: how far they are, their line, themselves, and whether they stand behind it. Of a
    box they mostly do, unless there are some before it that end as labels do and are nearer by far."""
    before = _label(lines, field, behind=False)
    if not field.ticked:
        return before
    behind = _label(lines, field, behind=True)
    if before is None or not before[2].endswith((":", "?")):
        return behind
    return before if behind is None or 2 * max(before[0], 0.0) < behind[0] else behind


def _label(lines: Sequence[Line], field: Field, *, behind: bool) -> tuple[float, int, str, bool] | None:
    """Return the nearest words in the row of a field, on one side of it."""
    near: list[tuple[float, int, str, bool]] = []
    for at, line in enumerate(lines):
        if not field.low - 0.4 * line.size <= line.y <= field.high:
            continue
        for piece in line.pieces or (Piece(line.text, line.x, line.x + width(line.text, line.size)),):
            gap = piece.x - field.right if behind else field.left - piece.end
            if -0.1 * (piece.end - piece.x) - 4 <= gap <= BESIDE and len(piece.text) <= LONGEST_LABEL:
                near.append((gap, at, line.text if len(line.pieces) < 2 else piece.text, behind))
    return min(near, default=None)


def _above(lines: Sequence[Line], field: Field) -> str:
    """Return the words right above a field."""
    over = [line for line in lines if field.high - 2 <= line.y <= field.high + ABOVE and abs(line.x - field.left) <= 12]
    nearest = min(over, key=lambda line: line.y, default=None)
    return nearest.text if nearest is not None and len(nearest.text) <= LONGEST_LABEL else ""


def _line(text: str, field: Field, lines: Sequence[Line]) -> Line:
    size = lines[0].size if lines else 10.0
    return Line(text, size, field.left, field.low + 2)


def _fields(page: PageObject) -> Iterator[Field]:
    """Yield those that hold something, as they are drawn; a broken one is passed over."""
    try:
        held = page.get("/Annots")
        widgets = list(held.get_object()) if held is not None else []
    except _BROKEN:
        return
    for each in widgets[:MOST_FIELDS]:
        try:
            found = _field(each.get_object())
        except _BROKEN:
            continue
        if found is not None:
            yield found


def _field(widget: Any) -> Field | None:
    if widget.get("/Subtype") != "/Widget":
        return None
    kind, value = _inherited(widget, "/FT"), _inherited(widget, "/V")
    named = str(_inherited(widget, "/TU") or "").strip()
    left, low, right, high = (float(each) for each in widget["/Rect"])
    if kind == "/Btn":
        state = str(widget.get("/AS") or "")
        if state in ("", "/Off") or _inherited(widget, "/Ff", 0) & (1 << 16):  # a button to press
            return None
        return Field("yes", left, low, right, high, named, ticked=True)
    if kind not in ("/Tx", "/Ch") or _inherited(widget, "/Ff", 0) & (1 << 13):  # a password
        return None
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
    text = " ".join(text.split())
    return Field(text, min(left, right), min(low, high), max(left, right), max(low, high), named) if text else None


def _inherited(widget: Any, key: str, otherwise: Any = None) -> Any:
    """Return a value of a field, or of one that it is part of."""
    for _ in range(DEEPEST):
        if (found := widget.get(key)) is not None:
            return found.get_object() if hasattr(found, "get_object") else found
        parent = widget.get("/Parent")
        if parent is None:
            return otherwise
        widget = parent.get_object()
    return otherwise
