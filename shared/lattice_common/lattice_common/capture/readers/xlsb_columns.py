"""Cells of a binary workbook without their column, which some programs write (SheetJS), as cells with one: calamine skips them.

A sheet is records: a number and a length of seven bits a byte, lowest first, then so many bytes ([MS-XLSB] 2.1.4). A short cell
has no column, and stands right of the one before it.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from zipfile import ZIP_STORED, ZipFile

_ROW = 0
_CELLS = range(1, 12)
"""Cells with their column: blank, number, error, truth, words, and formulas."""
_SHORT = range(12, 19)
"""The same without: each eleven more than with."""
_TO_WHOLE = 11
_SHEETS = "xl/worksheets/"


def with_columns(workbook: bytes) -> bytes:
    """Return a workbook whose cells all have their column; itself where they do."""
    made = io.BytesIO()
    with ZipFile(io.BytesIO(workbook)) as given:
        names = [name for name in given.namelist() if name.startswith(_SHEETS) and name.endswith(".bin")]
        sheets = {name: whole for name in names if (whole := _whole(given.read(name))) is not None}
        if not sheets:
            return workbook
        with ZipFile(made, "w", ZIP_STORED) as out:
            for name in given.namelist():
                out.writestr(name, sheets[name] if name in sheets else given.read(name))
    return made.getvalue()


def _whole(sheet: bytes) -> bytes | None:
    """Return a sheet with columns; None where no cell lacks one."""
    written, column, changed = bytearray(), -1, False
    for number, content, record in _records(sheet):
        if number == _ROW:
            column = -1
        elif number in _CELLS and len(content) >= 4:
            column = struct.unpack_from("<I", content)[0]
        elif number in _SHORT:
            column += 1
            whole = struct.pack("<I", column) + content
            written += bytes((number - _TO_WHOLE,)) + _length(len(whole)) + whole
            changed = True
            continue
        written += record
    return bytes(written) if changed else None


def _records(sheet: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the number, the content and all bytes of each record; of one that breaks off what is there, under no number."""
    at = 0
    while at < len(sheet):
        number, after = _counted(sheet, at, 2)
        size, begins = _counted(sheet, after, 4)
        ends = begins + size
        if ends > len(sheet):
            yield -1, b"", sheet[at:]
            return
        yield number, sheet[begins:ends], sheet[at:ends]
        at = ends


def _counted(sheet: bytes, at: int, most: int) -> tuple[int, int]:
    """Return a number of up to so many bytes, and where it ends."""
    value = 0
    for place, byte in enumerate(sheet[at : at + most]):
        value |= (byte & 0x7F) << (7 * place)
        if not byte & 0x80:
            return value, at + place + 1
    return value, at + most


def _length(size: int) -> bytes:
    written = bytearray()
    while size > 0x7F:
        written.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes((*written, size))
