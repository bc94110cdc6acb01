"""An atom as one compact byte string, for our own stores: no checks, fast both ways (about 10 µs).

A JSON list of the fields in the order of the dataclass; `FORMAT` changes with them.
"""

from __future__ import annotations

import dataclasses
import zlib
from datetime import datetime
from typing import Any

import orjson

from lattice_common.domain.atom import Atom, Relation, Span

_NAMES = tuple(field.name for field in dataclasses.fields(Atom))
_DATES = tuple(_NAMES.index(name) for name in ("observed_at", "ingested_at", "valid_from", "valid_until", "last_recalled_at"))
_TUPLES = tuple(_NAMES.index(name) for name in ("entities", "supersedes"))
_SPAN = _NAMES.index("source_span")
_RELATIONS = _NAMES.index("relations")

FORMAT = zlib.crc32(" ".join(_NAMES).encode()) & 0x7FFFFFFF
"""A number that changes with the fields of an atom."""


def to_blob(atom: Atom) -> bytes:
    values: list[Any] = [getattr(atom, name) for name in _NAMES]
    values[_SPAN] = (atom.source_span.start, atom.source_span.end)
    values[_RELATIONS] = [(relation.type, relation.target) for relation in atom.relations]
    return orjson.dumps(values, default=_other)


def from_blob(blob: bytes) -> Atom:
    values = orjson.loads(blob)
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
