"""Where a PDF moves on along a line of text, so that pypdf tells each cell of a row by itself.

pypdf tells a text together with the place where it began, and takes all that stands on one line between `BT` and `ET` for one
text, however far apart its parts are. It tells what it has when a font is set: so the font that is set already is set once more
before each such move. Nothing else of the page changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pypdf import PageObject
from pypdf.generic import ContentStream, NameObject

FARTHER = 1.0
"""Times the size of the letters that the next part begins to the right of the last: no single letter is as wide."""
SAME_LINE = 2.0
"""The same of how far up or down it may be: cells of a row may stand at their own heights, and have two lines."""

_SHOWN = frozenset((b"Tj", b"TJ", b"'", b'"'))
_Operation = tuple[Any, bytes]


@contextmanager
def parted_columns(page: PageObject) -> Iterator[None]:
    """Make the page in memory report each cell with its own place within the block. Afterwards it is as before, and what was
    parsed of one page is not kept while the next ones are read. Raise what pypdf raises about a broken one."""
    if "/Contents" not in page or (content := page["/Contents"].get_object()) is None:
        yield
        return
    before = page.raw_get("/Contents")
    if not isinstance(content, ContentStream):
        content = ContentStream(content, page.pdf, "bytes")
    content.operations = list(_parted(content.operations))
    page[NameObject("/Contents")] = content
    try:
        yield
    finally:
        page[NameObject("/Contents")] = before


def _parted(operations: Sequence[_Operation]) -> Iterator[_Operation]:
    font: Any = None
    fonts: list[Any] = []
    begun: tuple[float, float, float, float] | None = None  # x and y of the last part, and the scales along both
    shown = False
    for operands, operator in operations:
        if operator == b"q":
            fonts.append(font)
        elif operator == b"Q":
            font = fonts.pop() if fonts else None
        elif operator == b"Tf":
            font, shown = operands, False
        elif operator == b"BT":
            begun, shown = (0.0, 0.0, 1.0, 1.0), False
        elif operator in _SHOWN:
            shown = True
        elif operator in (b"Td", b"TD", b"Tm") and begun is not None:
            moved = _moved(operands, operator, begun)
            if moved is not None:
                if shown and font is not None and _apart(begun, moved, font):
                    yield font, b"Tf"
                    shown = False
                begun = moved
        yield operands, operator


def _moved(operands: Any, operator: bytes, begun: tuple[float, float, float, float]) -> tuple[float, float, float, float] | None:
    """Return where a move leads; None where it is broken, or the letters do not stand upright."""
    try:
        numbers = [float(each) for each in operands]
    except (TypeError, ValueError):
        return None
    if operator == b"Tm":
        if len(numbers) != 6 or numbers[1] or numbers[2]:
            return None
        return numbers[4], numbers[5], numbers[0], numbers[3]
    if len(numbers) != 2:
        return None
    x, y, along, up = begun
    return x + numbers[0] * along, y + numbers[1] * up, along, up


def _apart(before: tuple[float, float, float, float], after: tuple[float, float, float, float], font: Any) -> bool:
    try:
        size = abs(float(font[1]))
    except (TypeError, ValueError, IndexError):
        return False
    (x, y, _, _), (next_x, next_y, along, up) = before, after
    return abs(next_y - y) <= SAME_LINE * size * abs(up) and next_x - x > FARTHER * size * abs(along)
