"""Where a PDF moves on along a line of text, so that pypdf tells each cell of a row by itself.

pypdf tells a text together with the place where it began, and takes all that stands on one line between `BT` and `ET` for one
text, however far apart its parts are. It tells what it has when a font is set: so the font that is set already is set once more
before each such move. Nothing else of the page changes.

A move to where the text before ends is none: browsers and groff write a word in parts where two of its letters stand closer than
usual. Such parts are shown as one, or pypdf would put a space between them. Where the widths of letters are stated, a gap
within what is shown at once is a move, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pypdf import PageObject
from pypdf.errors import PyPdfError
from pypdf.generic import ArrayObject, ContentStream, FloatObject, NameObject

FARTHER = 1.0
"""Times the size of the letters that the next part begins to the right of the last: no single letter is as wide."""
SAME_LINE = 2.0
"""The same of how far up or down it may be: cells of a row may stand at their own heights, and have two lines."""

GOES_ON = 0.15
"""The same of what is shown next behind the end of the last part, by the widths that the font states: the rest of a word."""

MOST_CODES = 65_535
"""Codes of a font: there are no more of two bytes."""

_SPACE = 32
_SHOWN = frozenset((b"Tj", b"TJ", b"'", b'"'))
_Operation = tuple[Any, bytes]
_Place = tuple[float, float, float, float]
"""x and y of where a part begins, and the scales along both."""


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
    content.operations = list(_parted(content.operations, FontWidths(page)))
    page[NameObject("/Contents")] = content
    try:
        yield
    finally:
        page[NameObject("/Contents")] = before


def _parted(operations: Sequence[_Operation], widths: FontWidths) -> Iterator[_Operation]:
    text = _Text(widths)
    for operands, operator in operations:
        yield from text.through(operands, operator)


class _Text:
    """What a page's operations say of its text so far, and what they become."""

    def __init__(self, widths: FontWidths) -> None:
        self._widths = widths
        self._font: Any = None
        self._fonts: list[Any] = []
        self._spaces = {b"Tc": 0.0, b"Tw": 0.0}
        self._begun: _Place | None = None  # where the last part began
        self._drawn = 0.0  # how wide it is, before it is scaled
        self._shown = False
        self._stretched = 1.0
        self._owed = 0.0  # how far the next move has to go besides: those to the end of a part are left out
        self._closer: float | None = None  # by how much the next part stands closer, where it goes on with a word

    def through(self, operands: Any, operator: bytes) -> Iterator[_Operation]:
        """Yield what stands for one operation."""
        if operator == b"q":
            self._fonts.append(self._font)
        elif operator == b"Q":
            self._font = self._fonts.pop() if self._fonts else None
        elif operator == b"Tf":
            self._font, self._shown = operands, False
        elif operator in self._spaces:
            self._spaces[operator] = _number(operands[0]) if operands else 0.0
        elif operator == b"Tz":
            self._stretched = _number(operands[0]) / 100.0 if operands else 1.0
        elif operator == b"BT":
            self._begun, self._shown, self._drawn, self._owed = (0.0, 0.0, 1.0, 1.0), False, 0.0, 0.0
        elif operator in _SHOWN:
            yield from self._show(operands, operator)
            return
        elif operator in (b"Td", b"TD", b"Tm"):
            yield from self._move(operands, operator)
            return
        elif operator == b"T*":
            yield from self._caught_up()
            self._drawn = 0.0
        yield operands, operator

    def _show(self, operands: Any, operator: bytes) -> Iterator[_Operation]:
        closer, self._closer = self._closer, None
        if operator not in (b"Tj", b"TJ") or not operands:
            yield from self._caught_up()
            self._shown = True
            yield operands, operator
            return
        parts = list(operands[0]) if operator == b"TJ" and isinstance(operands[0], list) else [operands[0]]
        if closer is not None:
            parts.insert(0, FloatObject(closer))
        cell: list[Any] = []
        for part in parts:
            wide = self._stretched * self._widths.of([part], self._font, *self._spaces.values())
            if cell and self._begun is not None and wide > FARTHER * _size(self._font) and not isinstance(part, bytes):
                yield [ArrayObject(cell)], b"TJ"
                yield self._font, b"Tf"
                yield [FloatObject(self._owed + self._drawn + wide), FloatObject(0)], b"Td"
                self._owed, cell = -self._drawn - wide, []
            else:
                cell.append(part)
            self._drawn += wide
        self._shown = True
        if cell:
            yield [ArrayObject(cell)], b"TJ"

    def _move(self, operands: Any, operator: bytes) -> Iterator[_Operation]:
        moved = None if self._begun is None else _moved(operands, operator, self._begun)
        if moved is None or self._begun is None:
            yield from self._caught_up()
            yield operands, operator
            return
        before, self._begun, drawn, self._drawn = self._begun, moved, self._drawn, 0.0
        size = _size(self._font)
        gap = (moved[0] - before[0]) / before[2] - drawn if before[2] else 0.0
        if operator != b"Tm" and drawn and size and moved[1] == before[1] and abs(gap) <= GOES_ON * size:
            self._owed += float(operands[0])
            self._closer = (self._closer or 0.0) - 1000.0 * gap / size
            return
        if self._shown and size and _apart(before, moved, size):
            yield self._font, b"Tf"
            self._shown = False
        self._closer = None
        if operator == b"Tm":
            self._owed = 0.0
        elif self._owed:
            operands, self._owed = [FloatObject(float(operands[0]) + self._owed), operands[1]], 0.0
        yield operands, operator

    def _caught_up(self) -> Iterator[_Operation]:
        """Yield what is owed."""
        if self._owed:
            yield [FloatObject(self._owed), FloatObject(0)], b"Td"
        self._owed = 0.0


class FontWidths:
    """How wide a page's fonts say that what is shown is; 0.0 where they do not say, or not in a way that can be read."""

    def __init__(self, page: PageObject) -> None:
        resources: Any = page.get("/Resources")
        try:
            fonts = resources.get_object()["/Font"].get_object()
        except (KeyError, TypeError, AttributeError, PyPdfError):
            fonts = {}  # a broken page, or one without text
        self._fonts = fonts if isinstance(fonts, dict) else {}
        self._known: dict[str, _Widths | None] = {}

    def of(self, operands: Any, font: Any, letters: float, words: float) -> float:
        """Return the width of one text operation, in units of the text's space, with what is put between letters and words."""
        try:
            name, size = str(font[0]), float(font[1])
        except (TypeError, ValueError, IndexError):
            return 0.0
        if name not in self._known:
            self._known[name] = self._read(name)
        widths = self._known[name]
        if widths is None:
            return 0.0
        found = 0.0
        for each in operands:
            for part in each if isinstance(each, list) else [each]:
                if isinstance(part, bytes):
                    codes = list(widths.codes(part))
                    found += sum(map(widths.of, codes)) * size / 1000.0 + letters * len(codes)
                    found += words * codes.count(_SPACE) if widths.length == 1 else 0.0
                else:
                    found -= _number(part) * size / 1000.0
        return found

    def _read(self, name: str) -> _Widths | None:
        try:
            font = self._fonts[name].get_object()
            inner = font.get("/DescendantFonts")
            if font.get("/Subtype") == "/Type3":
                return None  # whose units are its own
            if inner is None:
                first = int(font["/FirstChar"])
                stated = font["/Widths"].get_object()
                return _Widths(1, {first + at: _number(each) for at, each in enumerate(stated)}, 0.0)
            inner = inner.get_object()[0].get_object()
            if not str(font.get("/Encoding", "")).startswith("/Identity"):
                return None
            return _Widths(2, _of_ranges(inner.get("/W", []).get_object()), _number(inner.get("/DW", 1000)))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, PyPdfError):
            return None


@dataclass(frozen=True, slots=True)
class _Widths:
    """Of the codes of a font, each of so many bytes, in thousandths of its size."""

    length: int
    known: Mapping[int, float]
    otherwise: float

    def codes(self, text: bytes) -> Iterator[int]:
        return (int.from_bytes(text[at : at + self.length], "big") for at in range(0, len(text), self.length))

    def of(self, code: int) -> float:
        return self.known.get(code, self.otherwise)


def _of_ranges(stated: Sequence[Any]) -> dict[int, float]:
    """Return the widths of a `W` array (PDF 1.7, 9.7.4.3): "first [w …]" or "first last w"."""
    found: dict[int, float] = {}
    at = 0
    while at + 1 < len(stated):
        first, following = int(stated[at]), stated[at + 1].get_object()
        if isinstance(following, list):
            found.update({first + offset: _number(each) for offset, each in enumerate(following)})
            at += 2
        else:
            last = min(int(following), first + MOST_CODES)
            found.update(dict.fromkeys(range(first, last + 1), _number(stated[at + 2])))
            at += 3
    return found


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _moved(operands: Any, operator: bytes, begun: _Place) -> _Place | None:
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


def _size(font: Any) -> float:
    try:
        return abs(float(font[1]))
    except (TypeError, ValueError, IndexError):
        return 0.0


def _apart(before: _Place, after: _Place, size: float) -> bool:
    (x, y, _, _), (next_x, next_y, along, up) = before, after
    return abs(next_y - y) <= SAME_LINE * size * abs(up) and next_x - x > FARTHER * size * abs(along)
