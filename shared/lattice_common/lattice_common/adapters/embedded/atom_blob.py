"""An atom as one compact byte string, for our own stores: fast both ways (about 10 µs).

A JSON list of the fields in the order of the dataclass (`FORMAT` changes with them), and the CRC-32 of it: what the disk changed
is not taken for what was said.
"""

from __future__ import annotations

import dataclasses
import zlib
from datetime import datetime
from typing import Any

import orjson

from lattice_common.domain.atom import Atom, Relation, Span
from lattice_common.errors import Corrupt

_NAMES = tuple(field.name for field in dataclasses.fields(Atom))
_DATES = tuple(_NAMES.index(name) for name in ("observed_at", "ingested_at", "valid_from", "valid_until", "last_recalled_at"))
_TUPLES = tuple(_NAMES.index(name) for name in ("entities", "supersedes"))
_SPAN = _NAMES.index("source_span")
_RELATIONS = _NAMES.index("relations")

FORMAT = zlib.crc32(" ".join(_NAMES).encode()) & 0x7FFFFFFF
"""A number that changes with the fields of an atom."""


_CRC_BYTES = 4


def to_blob(atom: Atom) -> bytes:
    values: list[Any] = [getattr(atom, name) for name in _NAMES]
    values[_SPAN] = (atom.source_span.start, atom.source_span.end)
    values[_RELATIONS] = [(relation.type, relation.target) for relation in atom.relations]
    fields = orjson.dumps(values, default=_other)
    return fields + zlib.crc32(fields).to_bytes(_CRC_BYTES, "big")


def from_blob(blob: bytes) -> Atom:
    """Return the atom. Raise `Corrupt` when it is not what was written."""
    fields, crc = blob[:-_CRC_BYTES], blob[-_CRC_BYTES:]
    if zlib.crc32(fields).to_bytes(_CRC_BYTES, "big") != crc:
        raise Corrupt("a memory in the catalogue is not what was written: run `lattice doctor --repair`")
    values = orjson.loads(fields)
    for index in _DATES:
        if values[index] is not None:
            values[index] = datetime.fromisoformat(values[index])
    for index in _TUPLES:
        values[index] = tuple(values[index])
    values[_SPAN] = Span(*values[_SPAN])
    values[_RELATIONS] = tuple(Relation(*relation) for relation in values[_RELATIONS])
    return Atom(*values)


def _other(value: object) -> object:
    raise TypeError(f"an atom holds a {type(value).__name__}, which has no JSON form")
