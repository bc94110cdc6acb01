"""A graph in memory as one file, `graph/snapshot.bin`: derived, beside the sidecars, and loaded many times faster than they.

It says up to where of which log it goes; the rest is followed from there. One that is torn, of another version, of another kind
of machine or of another log is not used. A header line of JSON, then the sections one after the other, all of it sealed with a
CRC-32.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from lattice_common.adapters.embedded.graph_state import GraphState
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.graph_lines import SNAPSHOT
from lattice_common.domain.graph import EDGE_KINDS
from lattice_common.errors import Corrupt

_FORMAT = [3, sys.byteorder, array("q").itemsize, array("I").itemsize, list(EDGE_KINDS)]
"""Kinds are stored by their number, so a version with other kinds reads the sidecars instead."""


@dataclass(frozen=True, slots=True)
class Position:
    """How far both files of a log were followed, in bytes."""

    log: str
    nodes: int
    edges: int


def save(folder: Path, state: GraphState, position: Position) -> None:
    """Write the snapshot; a few hundred ms for a million edges."""
    distinct: dict[bytes, int] = {}
    fields = array("i", [-1 if each is None else distinct.setdefault(each, len(distinct)) for each in state.fields])
    sections = [
        orjson.dumps(state.ids),
        bytes(state.types),
        state.ranks.tobytes(),
        state.prints.tobytes(),
        orjson.dumps([each.decode() for each in distinct]),
        fields.tobytes(),
        array("I", map(len, state.entries)).tobytes(),
        b"".join(state.entries),
    ]
    head: dict[str, object] = {
        "format": _FORMAT,
        "position": asdict(position),
        "nodes": [state.node_count, f"{state.node_sum & ((1 << 64) - 1):x}"],
        "lengths": [len(section) for section in sections],
    }
    head["crc"] = _crc(head, sections)
    durable.write(folder / SNAPSHOT, b"".join([orjson.dumps(head), b"\n", *sections]))


def _crc(head: dict[str, object], sections: Iterable[bytes | memoryview]) -> int:
    """Return the CRC of all that is in the file: the sections, and what the head says besides."""
    crc = 0
    for section in sections:
        crc = zlib.crc32(section, crc)
    return zlib.crc32(orjson.dumps({key: value for key, value in head.items() if key != "crc"}), crc)


def load(folder: Path, log: str) -> tuple[GraphState, Position] | None:
    """Return the snapshot of this log; None when there is none that can be used."""
    try:
        content = durable.read(folder / SNAPSHOT)
    except (FileNotFoundError, Corrupt):
        return None
    first, _, _ = content.partition(b"\n")
    try:
        head = orjson.loads(first)
    except orjson.JSONDecodeError:
        return None
    body = memoryview(content)[len(first) + 1 :]
    if not isinstance(head, dict) or head.get("format") != _FORMAT or head.get("crc") != _crc(head, [body]):
        return None
    position = Position(**head["position"])
    if position.log != log:
        return None
    sections: list[memoryview] = []
    for length in head["lengths"]:
        sections.append(body[:length])
        body = body[length:]
    state = GraphState()
    state.node_count, state.node_sum = head["nodes"][0], int(head["nodes"][1], 16)
    ids, types, ranks, prints, distinct, fields, lengths, entries = sections
    state.ids = orjson.loads(ids)
    state.numbers = {node_id: number for number, node_id in enumerate(state.ids)}
    state.types = bytearray(types)
    state.ranks.frombytes(ranks)
    state.prints.frombytes(prints)
    state.take_fields([text.encode() for text in orjson.loads(distinct)], memoryview(fields).cast("i").tolist())
    start = 0
    for length in memoryview(lengths).cast("I").tolist():
        each = array("q")
        each.frombytes(entries[start : start + 8 * length])
        state.entries.append(each)
        start += 8 * length
    return state, position
