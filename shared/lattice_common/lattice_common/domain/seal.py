"""A seal at the end of a JSON object that is kept, so that a bit which the disk changed is noticed.

    {"ts": "…", "text": "…","crc":"1a2b3c4d"}

The CRC-32 is over all that stands before `,"crc"`. An object without one is of an earlier version, or cut off by a crash: it is
taken as it stands.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import orjson

CRC = "crc"
"""The key of the seal."""

_BEFORE, _AFTER = b',"crc":"', b'"}'
_HEX = 8
SEAL_BYTES = len(_BEFORE) + _HEX + len(_AFTER)


def sealed(record: bytes) -> bytes:
    """Return a JSON object, as it was dumped, with its seal."""
    body = record[:-1]
    return b'%s,"crc":"%08x"}' % (body, zlib.crc32(body))


def is_sealed(line: bytes) -> bool:
    """Return whether a line ends with the seal of what stands before it."""
    body, seal = line[:-SEAL_BYTES], line[-SEAL_BYTES:]
    return seal == b"%s%08x%s" % (_BEFORE, zlib.crc32(body), _AFTER)


def is_damaged(line: bytes) -> bool:
    """Return whether a line was sealed, and is not what was sealed. One wrong byte in the seal itself, or in the newline behind
    it, counts."""
    line = line.removesuffix(b"\n")
    return (_looks_sealed(line) and not is_sealed(line)) or (not _looks_sealed(line) and _looks_sealed(line[:-1]))


def _looks_sealed(line: bytes) -> bool:
    """Return whether it ends as a seal does, but for one byte at most."""
    seal = line[-SEAL_BYTES:]
    form = seal[: len(_BEFORE)] + seal[-len(_AFTER) :]
    if len(seal) < SEAL_BYTES:
        return False
    return sum(one != other for one, other in zip(form, _BEFORE + _AFTER, strict=True)) <= 1


def seal_of(fields: Mapping[str, object]) -> str:
    """Return the seal of one object within a file of several."""
    plain = {key: value for key, value in fields.items() if key != CRC}
    return f"{zlib.crc32(orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)):08x}"
