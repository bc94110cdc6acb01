"""Rich text (RTF 1.9): paragraphs, and tables by their cells. Pictures, fields' codes, fonts and what is hidden are left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.tables import Cell, Row, write_table
from lattice_common.capture.readers.text_builder import BLOCK, LINE, TextBuilder, heading_path, path_label
from lattice_common.capture.readers.titles import is_title
from lattice_common.domain.reading import ReadResult, Unreadable

DEEPEST = 1000
DEEPEST_HEADING = 6
_ITEM = re.compile(r"\s*(?:[•◦▪‣·–-]|(\d{1,3}[.)]|[a-z]\)))\t\s*")
"""The mark of a list's item, as programs write it for those that know no lists."""
_TOKEN = re.compile(
    rb"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.IGNORECASE
)
_LEFT_OUT = frozenset(
    b"fonttbl colortbl stylesheet pict object themedata datastore listtable listoverridetable rsidtbl generator filetbl revtbl "
    b"latentstyles fldinst header footer headerl headerr footerl footerr headerf footerf xmlnstbl mmathpr bkmkstart bkmkend "
    b"nonshppict pgptbl info comment annotation atnid atnauthor template".split()
)
_CHARACTERS = {
    b"tab": "\t", b"line": "\n", b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•", b"emspace": " ", b"enspace": " ",
}  # fmt: skip
_CHARSETS = {
    0: 1252,
    128: 932,
    129: 949,
    134: 936,
    136: 950,
    161: 1253,
    162: 1254,
    177: 1255,
    178: 1256,
    186: 1257,
    204: 1251,
    238: 1250,
}
"""Code pages of fonts by their character set."""


@dataclass(frozen=True, slots=True)
class _State:
    """What a group inherits: whether its words are left out, how many characters stand for one that is not known, its code page,
    and whether it is bold."""

    out: bool = False
    fallback: int = 1
    page: str = "cp1252"
    fonts: bool = False
    title: bool = False


@dataclass(slots=True)
class _Table:
    """The table that is being read: its rows, the cells of the row that is open, and whether the paragraph in hand is in it."""

    rows: list[Row] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    entered: bool = False


@dataclass(slots=True)
class _Headings:
    """The level of the paragraph in hand (0: none), the headings above it, and whether the last one was an item of a list."""

    level: int = 0
    path: list[tuple[int, str]] = field(default_factory=list)
    item: bool = False


@dataclass(slots=True)
class _Fonts:
    """The code page of the document, those of its fonts by number, and the font in hand."""

    base: str = "cp1252"
    pages: dict[int, str] = field(default_factory=dict)
    number: int = 0


class _Rtf:
    """Goes through the tokens once, and writes paragraphs and rows."""

    def __init__(self, builder: TextBuilder) -> None:
        self.builder = builder
        self.title = ""
        self._stack: list[_State] = []
        self._state = _State()
        self._fonts = _Fonts()
        self._skip = 0
        self._text: list[str] = []
        self._bytes = bytearray()
        self._table = _Table()
        self._headings = _Headings()
        self._starred = False

    def feed(self, content: bytes) -> None:
        for found in _TOKEN.finditer(content):
            word, number, code, symbol, brace, words = found.groups()
            if brace:
                self._brace(brace)
            elif word:
                self._word(word.lower(), int(number) if number else None)
            elif code:
                self._byte(int(code, 16))
            elif symbol:
                self._symbol(symbol)
            elif words:
                self._words(words)
            if self.builder.full:
                return
        self._end_paragraph()
        self._end_table()

    def _brace(self, brace: bytes) -> None:
        self._flush()
        self._starred = False
        if brace == b"{" and len(self._stack) < DEEPEST:
            self._stack.append(self._state)
        elif brace == b"}" and self._stack:
            self._state = self._stack.pop()

    def _word(self, word: bytes, number: int | None) -> None:
        if word != b"u" or self._skip:
            self._flush()
        if word == b"title" and self._state.out:
            self._state = replace(self._state, title=True)
        elif word in _LEFT_OUT or self._starred:
            self._state = replace(self._state, out=True, fonts=word == b"fonttbl")
            self._starred = False
        elif word in _CHARACTERS:
            self._put(_CHARACTERS[word])
        elif word == b"u" and number is not None:
            self._put(chr(number % 65536))
            self._skip = self._state.fallback
        elif not self._of_letters(word, number):
            self._of_paragraphs(word, number)

    def _of_letters(self, word: bytes, number: int | None) -> bool:
        """Follow a control word that says how bytes are read as letters; return whether it was one."""
        if word in (b"v", b"bin"):
            self._state = replace(self._state, out=number != 0)
        elif word == b"uc":
            self._state = replace(self._state, fallback=max(0, min(number or 0, 10)))
        elif word == b"ansicpg" and number:
            self._fonts.base = f"cp{number}" if number != 65001 else "utf-8"
            self._state = replace(self._state, page=self._fonts.base)
        elif word == b"f" and number is not None:
            self._fonts.number = number
            if not self._state.fonts:
                self._state = replace(self._state, page=self._fonts.pages.get(number, self._fonts.base))
        elif word == b"fcharset" and self._state.fonts and number in _CHARSETS:
            self._fonts.pages[self._fonts.number] = f"cp{_CHARSETS[number]}" if number else self._fonts.base
        else:
            return False
        return True

    def _of_paragraphs(self, word: bytes, number: int | None) -> None:
        if word in (b"par", b"sect", b"page"):
            self._end_paragraph()
        elif word in (b"intbl", b"pard"):
            self._table.entered = word == b"intbl"
            self._headings.level = 0 if word == b"pard" else self._headings.level
        elif word == b"outlinelevel" and number is not None and not self._state.out:
            self._headings.level = number + 1 if 0 <= number < DEEPEST_HEADING else 0
        elif word in (b"cell", b"nestcell"):
            self._end_cell()
        elif word in (b"row", b"nestrow"):
            self._end_row()

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._starred = True
        elif symbol in (b"\\", b"{", b"}"):
            self._put(symbol.decode())
        elif symbol == b"~":
            self._put("\u00a0")
        elif symbol == b"_":
            self._put("-")
        elif symbol in (b"\n", b"\r"):
            self._end_paragraph()

    def _byte(self, value: int) -> None:
        if self._skip:
            self._skip -= 1
        elif not self._state.out:
            self._bytes.append(value)

    def _words(self, words: bytes) -> None:
        taken, self._skip = words[self._skip :], max(0, self._skip - len(words))
        if self._state.title:
            self.title += taken.decode(self._state.page, "replace")
        elif not self._state.out:
            self._bytes += taken

    def _put(self, text: str) -> None:
        if not self._state.out:
            self._flush()
            self._text.append(text)

    def _flush(self) -> None:
        if self._bytes:
            try:
                self._text.append(self._bytes.decode(self._state.page, "replace"))
            except LookupError:
                self._text.append(self._bytes.decode("cp1252", "replace"))
            self._bytes.clear()

    def _taken(self) -> str:
        self._flush()
        text = "".join(self._text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._text.clear()
        return text

    def _end_paragraph(self) -> None:
        if self._table.entered:
            self._put("\n")
            return
        text = self._taken()
        if text.strip():
            self._end_table()
            self._write(text)

    def _write(self, text: str) -> None:
        known = self._headings
        item, title = _ITEM.match(text), " ".join(text.split())
        if known.level and is_title(title):
            known.path = heading_path(known.path, known.level, title)
            self.builder.add(f"{'#' * known.level} {title}", path_label(known.path))
        elif item is not None:
            words = f"{item[1] or '-'} {text[item.end() :].strip()}"
            self.builder.add(words, path_label(known.path), between=LINE if known.item else BLOCK)
        else:
            self.builder.add(text, path_label(known.path))
        known.item = item is not None

    def _end_cell(self) -> None:
        self._table.cells.append(" ".join(self._taken().split()))

    def _end_row(self) -> None:
        if self._table.cells:
            self._table.rows.append(Row(tuple(Cell(text) for text in self._table.cells)))
        self._table.cells = []

    def _end_table(self) -> None:
        if self._table.rows:
            write_table(self.builder, self._table.rows)
            self._table.rows, self._headings.item = [], False


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return the text in one pass, linear in the file. It fails for no content."""
    reader = _Rtf(TextBuilder(limits))
    reader.feed(path.read_bytes())
    on_progress(1, 1)
    if reader.builder.empty:
        return Unreadable("no-text", f"{name} has no words. If it holds pictures of text, run OCR over it and put that in.")
    return reader.builder.build("rtf", title=reader.title)
