"""The lines of one page of a PDF, with their sizes and places, and whether some of it is not meant to be seen."""

from __future__ import annotations

import math
from typing import Any

from pypdf import PageObject
from pypdf.errors import PyPdfError

from lattice_common.capture.readers.leaders import without_leaders
from lattice_common.capture.readers.pdf_columns import parted_columns
from lattice_common.capture.readers.pdf_lines import Line, beside, row_going_on
from lattice_common.capture.readers.pdf_tables import Piece, columns_of, joined, pieces

TINY = 2.0
"""Points: smaller is not for reading."""

WHITE = 0.97
"""Share of each colour from which on text is as white as the page."""

NEAR = 0.25
"""Times its size that the rest of a word may stand behind its beginning, where no space was found between them."""

UNDECODED = 0.3
"""Share of a line's characters that stand for none from which on it is noise, and not stored."""

LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
    0xAD: "-",
    0x7F: "•",
}
"""Letters that are drawn as one, the hyphen that stands only where a line ends, and what codes without a letter are drawn as (PDF
1.7, annex D)."""

_SHOWS = frozenset((b"Tj", b"TJ", b"'", b'"'))
_PAINTS = frozenset((b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"sh", b"Do", b"BI", b"INLINE IMAGE"))
_BOLD = ("bold", "black", "heavy", "semibold")
SERIFS = 0.9
"""Times as wide as others letters with serifs are drawn."""
_SERIF_FLAG = 2
_SERIF_NAMES = ("times", "serif", "roman", "garamond", "georgia", "cambria", "minion", "palatino", "cmr")

_FIXED_NAMES = ("courier", "mono", "consol", "typewriter", "cmtt")


class PageText:
    """Takes what pypdf tells while it goes through a page. `hidden` counts characters that are tiny, or white where nothing was
    painted before: text on a coloured ground may well be white."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.hidden = 0
        self._pieces: list[str] = []
        self._begun: tuple[float, float] | None = None
        self._sizes: dict[float, int] = {}
        self._bold = 0
        self._drawn: list[Piece] = []
        self._white = False
        self._painted = False
        self._stack: list[bool] = []
        self._looks: dict[int, tuple[bool, float, bool]] = {}

    def read(self, page: PageObject) -> list[Line]:
        """Return the lines of a page from top to bottom. Raise what pypdf raises about a broken one."""
        with parted_columns(page):
            page.extract_text(visitor_operand_before=self._operator, visitor_text=self._text)
        self._end_line()
        return self.lines

    def _operator(self, operator: bytes, operands: Any, _cm: Any, _tm: Any) -> None:
        if operator in _SHOWS:
            if self._white and not self._painted:
                self.hidden += sum(len(each) for each in _strings(operands))
        elif operator in (b"g", b"rg", b"sc", b"scn"):
            self._white = bool(operands) and all(isinstance(each, (int, float)) and each >= WHITE for each in operands)
        elif operator == b"k":
            self._white = bool(operands) and all(isinstance(each, (int, float)) and each <= 1 - WHITE for each in operands)
        elif operator == b"q":
            self._stack = [*self._stack[-63:], self._white]
        elif operator == b"Q":
            self._white = self._stack.pop() if self._stack else False
        elif operator in _PAINTS:
            self._painted = self._painted or not self._white

    def _text(self, text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        first, *others = text.split("\n")
        self._piece(first, cm, tm, font, size)
        for each in others:
            self._end_line()
            self._piece(each, cm, tm, font, size)

    def _piece(self, text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        if not text:
            return
        goes_on = bool(self._pieces) and not self._pieces[-1][-1:].isspace() and not text[:1].isspace()
        self._pieces.append(text)
        length = len(text.strip())
        if not length:
            return
        at = (tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5])
        self._begun = self._begun or at
        seen = round(abs(size) * math.hypot(tm[2], tm[3]) * math.hypot(cm[2], cm[3]), 2)
        self._sizes[seen] = self._sizes.get(seen, 0) + length
        if 0 < seen < TINY:
            self.hidden += length
        bold, wide, monospaced = self._look_of(font)
        self._bold += length if bold else 0
        drawn = pieces(text.translate(LIGATURES), at[0], seen * wide, bold=bold, monospaced=monospaced)
        if (
            goes_on
            and self._drawn
            and drawn
            and drawn[0].x >= self._drawn[-1].x
            and drawn[0].x - self._drawn[-1].end < NEAR * seen
        ):
            drawn[0] = joined(self._drawn.pop(), drawn[0], "")
        self._drawn += drawn

    def _end_line(self) -> None:
        text = without_leaders(" ".join("".join(self._pieces).translate(LIGATURES).split()))
        if text and self._begun is not None:
            size = max(self._sizes, key=lambda each: self._sizes[each])
            bold = self._bold * 10 >= sum(self._sizes.values()) * 9
            apart = columns_of(self._drawn, size) if len(self._drawn) > 1 else tuple(self._drawn)
            line = Line(text, size, *self._begun, bold=bold, pieces=apart)
            at = row_going_on(self.lines, line)
            if at is not None and (whole := beside(self.lines[at], line)) is not None:
                self.lines[at] = whole
            else:
                self.lines.append(line)
        self._pieces, self._begun, self._sizes, self._bold, self._drawn = [], None, {}, 0, []

    def _look_of(self, font: Any) -> tuple[bool, float, bool]:
        """Return whether a font is bold, how wide its letters are against those without serifs, and whether all are as wide."""
        if font is None:
            return False, 1.0, False
        known = self._looks.get(id(font))
        if known is None:
            name = str(font.get("/BaseFont", "")).lower()
            plain = "sans" in name or "arial" in name or "helvetica" in name
            serif = any(word in name for word in _SERIF_NAMES) or bool(_flags(font) & _SERIF_FLAG)
            fixed = any(word in name for word in _FIXED_NAMES)
            wide = SERIFS if serif and not plain else 1.0
            known = self._looks[id(font)] = (any(word in name for word in _BOLD), wide, fixed)
        return known


def decoded_lines(lines: list[Line]) -> list[Line]:
    """Return the lines without those of fonts that do not map their glyphs to letters."""
    return [line for line in lines if not _is_undecoded(line.text)]


def _is_undecoded(text: str) -> bool:
    if text.isascii() and text.isprintable() and "(cid:" not in text:
        return False
    unknown = sum(each == "\ufffd" or "\ue000" <= each <= "\uf8ff" or (each < " " and each not in "\t\n") for each in text)
    unknown += 7 * text.count("(cid:")
    return unknown > UNDECODED * len(text)


def _flags(font: Any) -> int:
    """Return the flags of a font's descriptor (PDF 1.7, table 123); 0 where there are none, or invalid ones."""
    try:
        inner = font.get("/DescendantFonts")
        inner = inner.get_object()[0].get_object() if inner is not None else font
        flags = inner["/FontDescriptor"].get_object()["/Flags"]
    except (PyPdfError, KeyError, IndexError, TypeError, AttributeError):
        return 0
    return flags if isinstance(flags, int) else 0


def _strings(operands: Any) -> list[Any]:
    found = []
    for each in operands:
        found += [part for part in each if isinstance(part, (str, bytes))] if isinstance(each, list) else [each]
    return [each for each in found if isinstance(each, (str, bytes))]
