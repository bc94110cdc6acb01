"""The format of the graph sidecars: sealed JSON lines, and the manifest that says how much of them counts.

    nodes.jsonl   {"id": node id, fields…, "crc": "1a2b3c4d"}
    edges.jsonl   {"source": node id, "target": node id, "kind": kind, "crc": …}

One node or edge is one line; `"both": true` is an edge that goes both ways. What goes has lines of its own: `{"remove": [node id,
…]}`, `{"drop": [node id, …]}` for all the edges of these nodes, and `{"remove": [[kind, source, [target, …]], …]}`. A line's
CRC-32 is over all that stands before `,"crc"`. The first line of a file names the log it belongs to: a `replace` begins a new
one, and files of two logs never mix. Readers ignore keys and edge kinds that they don't know. An earlier version wrote several in
a line, which readers go on taking: `{"add": [[node id, {fields}], …]}`, `{"add": [[kind, source, [target, …]], …], "both": […]}`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import orjson

from lattice_common.adapters.files import durable
from lattice_common.domain.graph import Edge, GraphChange
from lattice_common.domain.seal import CRC, is_sealed, seal_of, sealed
from lattice_common.errors import Corrupt

SCHEMA_VERSION = 1
EDGE_SET = 2
"""The version of the set of edges. 2: those of the same words are joined (`same_hash`). The format is as before, so that an
earlier version reads and writes it; a graph with fewer edges is made anew."""
NODES = "nodes.jsonl"
EDGES = "edges.jsonl"
MANIFEST = "manifest.json"
SNAPSHOT = "snapshot.bin"
"""The snapshot of a graph in memory beside the sidecars, for a quick start (`adapters.embedded.graph_snapshot`)."""
NEW = ".new"
"""Suffix of a file of the next log until its manifest is in place."""

_PER_LINE = 500
"""Of what goes, in a line: some 40 KB."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of a file is committed. `hash` is the sum of the lines' CRCs, modulo 2^64."""

    bytes: int
    lines: int
    hash: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """`log` is random: no two logs share it, though a restored backup may repeat a generation. `built_at`: when it was begun;
    `edge_set`: the version of its edges, 1 where it does not say so."""

    schema_version: int
    generation: int
    log: str
    nodes: Extent
    edges: Extent
    built_at: str = ""
    edge_set: int = 1


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest; None when there is none. Raise `Corrupt`."""
    try:
        content = durable.read(folder / MANIFEST)
    except FileNotFoundError:
        return None
    try:
        record = _whole(orjson.loads(content))
        nodes, edges = (Extent(*(int(record[name][key]) for key in ("bytes", "lines", "hash"))) for name in ("nodes", "edges"))
        version, generation, built_at = int(record["schema_version"]), int(record["generation"]), str(record.get("built_at", ""))
        return Manifest(version, generation, str(record["log"]), nodes, edges, built_at, int(record.get("edge_set", 1)))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise Corrupt(f"graph/{MANIFEST} is no manifest: run `lattice rebuild`") from error


def _whole(record: dict[str, Any]) -> dict[str, Any]:
    """Return what was written. Raise `ValueError` for what the disk changed."""
    if CRC in record and record[CRC] != seal_of(record):
        raise ValueError("it is not what was written")
    return record


def write_manifest(folder: Path, manifest: Manifest) -> None:
    fields = asdict(manifest)
    content = {**fields, CRC: seal_of(fields)}
    durable.write(folder / MANIFEST, orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def header(log: str, generation: int) -> bytes:
    """Return the first line of both files of a log."""
    return seal({"schema_version": SCHEMA_VERSION, "generation": generation, "log": log})


def open_of_log(folder: Path, name: str, log: str, flags: int) -> tuple[int, Path] | None:
    """Return a descriptor and the path of the file of this log, which may still have its name from before the manifest; else
    None."""
    for path in (folder / name, folder / (name + NEW)):
        try:
            descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            continue
        try:
            with durable.whole(path):
                is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
                record = unseal(os.pread(descriptor, 500, 0).partition(b"\n")[0]) if is_file else None
        except BaseException:
            os.close(descriptor)
            raise
        if record is not None and record.get("log") == log:
            return descriptor, path
        os.close(descriptor)
    return None


def node_lines(change: GraphChange) -> Iterator[bytes]:
    """Yield the lines of a change in the file of nodes."""
    for ids in _chunks(change.removed_nodes):
        yield seal({"remove": ids})
    for node in change.nodes:
        yield seal({**node.fields, "id": node.node_id})


def edge_lines(change: GraphChange) -> Iterator[bytes]:
    """Yield the lines of a change in the file of edges; removed nodes too, for each file has an order of its own."""
    for ids in _chunks(change.removed_nodes):
        yield seal({"drop": ids})
    for edges in _chunks(change.removed_edges):
        yield seal({"remove": _grouped(edges)})
    every = set(change.edges)
    written: set[Edge] = set()
    for edge in change.edges:
        reverse = _reverse(edge)
        if reverse in written:  # the direction that comes first stands for the two
            continue
        line: dict[str, object] = {"kind": edge.kind, "source": edge.source, "target": edge.target}
        if reverse in every:
            written.add(edge)
            line["both"] = True
        yield seal(line)


def _reverse(edge: Edge) -> Edge:
    return Edge(edge.target, edge.source, edge.kind)


def _grouped(edges: Sequence[Edge]) -> list[tuple[str, str, list[str]]]:
    """Return [kind, source, [targets]]: the targets of one source together."""
    groups: dict[tuple[str, str], list[str]] = {}
    for edge in edges:
        groups.setdefault((edge.kind, edge.source), []).append(edge.target)
    return [(kind, source, targets) for (kind, source), targets in groups.items()]


def _chunks(items: tuple[T, ...]) -> Iterator[tuple[T, ...]]:
    return (items[start : start + _PER_LINE] for start in range(0, len(items), _PER_LINE))


def unseal(line: bytes) -> dict[str, object] | None:
    """Return the content of a line (without its newline); None when it is damaged."""
    if not is_sealed(line):
        return None
    record: dict[str, object] = orjson.loads(line)
    return record


def as_group(record: dict[str, Any]) -> dict[str, Any]:
    """Return a line of one node (`id`, and its fields) or one edge (`source`, `target`, `kind`) in the form of a line of
    several."""
    if "source" in record and "target" in record:
        return {"both" if record.get("both") is True else "add": [[record.get("kind"), record["source"], [record["target"]]]]}
    if "id" in record:
        fields = {name: value for name, value in record.items() if name not in ("id", CRC)}
        return {"add": [[record["id"], fields]]}
    return record


def seal(record: Mapping[str, object]) -> bytes:
    """Return the line of a record: its JSON, the CRC-32 of all before it, and a newline."""
    return sealed(orjson.dumps(record, option=orjson.OPT_SORT_KEYS)) + b"\n"
