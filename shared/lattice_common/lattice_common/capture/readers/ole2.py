"""The names of the streams in an OLE2 container: the form of Office files before 2007, and of those with a password."""

from __future__ import annotations

import struct

SIGNATURE = bytes.fromhex("d0cf11e0a1b11ae1")

_HEADER = 512
_ENTRY = 128
_IN_HEADER = 109
"""Sectors of the allocation table that the header itself lists: enough for containers of 6.9 MB, and for the beginning of all."""
MOST_ENTRIES = 4096


def stream_names(data: bytes) -> frozenset[str]:
    """Return the names of streams and storages in `data`, as far as they can be read; empty when it is no OLE2 container.

    Layout: [MS-CFB], sections 2.2 (header), 2.3 (allocation table), 2.6 (directory). Never raises; linear in the directory.
    """
    if len(data) < _HEADER or not data.startswith(SIGNATURE):
        return frozenset()
    shift = int.from_bytes(data[30:32], "little")
    if shift not in (9, 12):
        return frozenset()
    size = 1 << shift
    names: set[str] = set()
    sector = int.from_bytes(data[48:52], "little")
    seen: set[int] = set()
    while sector not in seen and len(seen) * (size // _ENTRY) < MOST_ENTRIES:
        seen.add(sector)
        held = data[(sector + 1) * size : (sector + 2) * size]
        for at in range(0, len(held) - _ENTRY + 1, _ENTRY):
            length = int.from_bytes(held[at + 64 : at + 66], "little")
            if 2 < length <= 64:
                names.add(held[at : at + length - 2].decode("utf-16-le", "replace"))
        following = _next(data, sector, size)
        if following is None:
            break
        sector = following
    return frozenset(names)


def _next(data: bytes, sector: int, size: int) -> int | None:
    """Return the sector after this one in its chain; None at its end, or where the table is not in reach of the header."""
    table, place = divmod(sector, size // 4)
    if table >= _IN_HEADER:
        return None
    (table_sector,) = struct.unpack_from("<I", data, 76 + 4 * table)
    at = (table_sector + 1) * size + 4 * place
    found = int.from_bytes(data[at : at + 4], "little") if at + 4 <= len(data) else 0xFFFFFFFE
    return found if found < 0xFFFFFFFA else None
