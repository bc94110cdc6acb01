"""The graph in the process: follows the sidecars, walks over what is committed.

`refresh` reads what was added since the last one, as far as the manifest says; a new log (after a rebuild) is loaded beside the
old one and put in its place. Queries never wait for it. Where the files are not what was written, the graph stays as it is up to
there, and `trouble` says so: recall goes on with the two other legs and what is known here.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from lattice_common.adapters.embedded.graph_loading import EdgesAtOnce
from lattice_common.adapters.embedded.graph_snapshot import Position, load, save
from lattice_common.adapters.embedded.graph_state import ATOM, BOTH, CONTAINER, HUB, KIND_CODES, OUT, GraphState, kind_of
from lattice_common.adapters.files.graph_lines import (
    EDGE_SET,
    EDGES,
    NODES,
    SCHEMA_VERSION,
    Manifest,
    as_group,
    open_of_log,
    read_manifest,
    unseal,
)
from lattice_common.domain.graph import (
    CLOSEST_FIRST,
    EDGE_KINDS,
    FAR,
    HUB_KINDS,
    HUB_LIMIT,
    HUB_NEWEST,
    Edge,
    EdgeKind,
    Node,
    Reached,
    breadth_first,
    shortest_paths,
    state_hash,
)
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ports.graph import GraphStats

_READ_BYTES = 8 << 20
_OPEN_ATTEMPTS = 3
"""A `replace` between reading the manifest and opening its files is met once in a while, twice hardly ever."""

SNAPSHOT_AFTER_BYTES = 4 << 20
"""What may be followed from the sidecars at a start, about 0.2 s; beyond it, and beyond an eighth of all, a snapshot is saved."""

COMPACT_FROM = 2048
"""Nodes without content from which it is worth while to leave them out: each takes some 300 bytes."""

_ORDER = [CLOSEST_FIRST.index(kind) if kind in CLOSEST_FIRST else -1 for kind in EDGE_KINDS for _ in range(4)]
"""By the low byte of an entry: how close what it leads to is; −1 where no walk goes."""


@dataclass(slots=True)
class _Followed:
    """A log as far as it was read."""

    log: str
    state: GraphState
    descriptors: tuple[int, int]
    read: list[int]
    snapshot_at: int = 0
    compacted_at: int = 0
    """Nodes, numbers without one included, when it was compacted last, or loaded."""


class EmbeddedGraph:
    """`Graph` over the data folder `root`. The writer's process sets `keep_snapshot`; readers leave the folder alone."""

    def __init__(self, root: Path, *, keep_snapshot: bool = False, snapshot_after: int = SNAPSHOT_AFTER_BYTES) -> None:
        self._snapshot_after = snapshot_after
        self._folder = root / "graph"
        self._keep_snapshot = keep_snapshot
        self._refreshing = threading.Lock()
        self._followed: _Followed | None = None
        self._state = GraphState()
        self._counted: tuple[tuple[str, int, int], GraphStats] | None = None
        self.trouble: str | None = None
        self.refresh()

    def refresh(self) -> None:
        with self._refreshing:
            try:
                manifest = read_manifest(self._folder)
                if manifest is not None:
                    self._follow(manifest)
                old = manifest is not None and (manifest.schema_version < SCHEMA_VERSION or manifest.edge_set < EDGE_SET)
                self.trouble = "its sidecars are of an earlier schema or version, and are being migrated" if old else None
            except Corrupt as error:
                self.trouble = str(error)

    def expand(self, seeds: Sequence[str], limit: int, *, hops: int = 2) -> list[Reached]:
        state = self._state
        numbers = (state.numbers.get(f"atom:{seed}") for seed in seeds)
        known = (number for number in numbers if number is not None)
        walk = breadth_first(known, limit, hops, lambda number: _steps(state, number), lambda number: _far(state, number))
        return [Reached(state.ids[number][5:], hop, state.ids[seed][5:]) for number, hop, seed in walk]

    def held_by(self, atom_ids: Sequence[str]) -> list[str]:
        state = self._state
        numbers = (state.numbers.get(f"atom:{each}") for each in atom_ids)
        going = {number for number in numbers if number is not None}
        held: set[int] = set()
        for _ in range(2):  # a source is held by its segments
            around = {entry >> 8 for number in (*going, *held) for entry in state.entries[number]}
            held |= {number for number in around if _is_held_by(state, number, going | held)}
        return sorted(state.ids[number] for number in held)

    def neighbours(self, atom_id: str, kinds: Sequence[EdgeKind] = ()) -> list[Edge]:
        state = self._state
        number = state.numbers.get(f"atom:{atom_id}")
        if number is None or state.fields[number] is None:
            return []
        return [
            edge
            for entry in state.entries[number][::-1]
            if (not kinds or kind_of(entry) in kinds) and state.fields[entry >> 8] is not None
            for edge in state.edges_at(number, entry)
        ]

    def subgraph(self, node_id: str, *, depth: int = 1, limit: int = 200) -> tuple[list[Node], list[Edge]]:
        state = self._state
        start = state.numbers.get(node_id)
        if start is None or state.fields[start] is None:
            return [], []
        walk = breadth_first([start], limit - 1, depth, lambda number: _any_neighbour(state, number))
        numbers = {start: None} | {number: None for number, _, _ in walk}
        nodes = [Node(state.ids[number], orjson.loads(state.fields[number] or b"{}")) for number in numbers]
        edges = [
            edge
            for number in numbers
            for entry in state.entries[number][::-1]
            if entry & OUT and entry >> 8 in numbers
            for edge in state.edges_at(number, entry & ~BOTH | OUT)
        ]
        return nodes, edges

    def paths(self, source: str, target: str, *, longest: int = 6, limit: int = 5) -> list[list[str]]:
        state = self._state
        start, goal = state.numbers.get(source), state.numbers.get(target)
        if start is None or goal is None or state.fields[start] is None or state.fields[goal] is None:
            return []
        found = shortest_paths(start, goal, longest, limit, lambda number: _any_neighbour(state, number))
        return [[state.ids[number] for number in way] for way in found]

    def stats(self) -> GraphStats:
        """Return the counts, made once for each state; wait for a refresh that is under way."""
        with self._refreshing:
            followed = self._followed
            at = (followed.log, followed.read[0], followed.read[1]) if followed else ("", 0, 0)
            if self._counted is None or self._counted[0] != at:
                state = self._state
                edges, edge_sum = state.edge_totals()
                self._counted = at, GraphStats(state.node_count, edges, state_hash(state.node_sum, edge_sum))
            return self._counted[1]

    def close(self) -> None:
        with self._refreshing:
            self._forget()

    def _follow(self, manifest: Manifest) -> None:
        followed = self._followed
        if followed is None or followed.log != manifest.log:
            manifest, followed = self._begin(manifest)
        edges_before = followed.read[1]
        try:
            for line in _lines(followed, 0, manifest.nodes.bytes):
                _apply_nodes(followed.state, line)
            if edges_before == 0 and self._followed is not followed:
                _load_edges(followed, manifest.edges.bytes)
            else:
                for line in _lines(followed, 1, manifest.edges.bytes):
                    _apply_edges(followed.state, line)
        finally:  # of a damaged log, what was sound is still the best there is
            if self._followed is not followed:
                self._forget()
                self._followed = followed
                self._state = followed.state
        self._compact_when_worth_it(followed)
        if self._keep_snapshot and edges_before != followed.read[1]:
            self._save_when_worth_it(followed)

    def _begin(self, manifest: Manifest) -> tuple[Manifest, _Followed]:
        for _ in range(_OPEN_ATTEMPTS):
            nodes = open_of_log(self._folder, NODES, manifest.log, os.O_RDONLY)
            edges = open_of_log(self._folder, EDGES, manifest.log, os.O_RDONLY)
            if nodes and edges:
                snapshot = load(self._folder, manifest.log)
                if snapshot and snapshot[1].nodes <= manifest.nodes.bytes and snapshot[1].edges <= manifest.edges.bytes:
                    state, at = snapshot
                    return manifest, _Followed(manifest.log, state, (nodes[0], edges[0]), [at.nodes, at.edges], at.edges)
                return manifest, _Followed(manifest.log, GraphState(), (nodes[0], edges[0]), [0, 0])
            for opened in (nodes, edges):
                if opened:
                    os.close(opened[0])
            manifest = read_manifest(self._folder) or manifest
        raise Corrupt(f"the files in {self._folder} are not those its manifest speaks of: run `lattice rebuild`")

    def _compact_when_worth_it(self, followed: _Followed) -> None:
        """Leave out nodes that were removed, where they may be many: what comes and goes must not take ever more memory. Queries
        go on with the state that they have."""
        state = followed.state
        gone = len(state.ids) - state.node_count  # or only spoken of
        if (
            gone > COMPACT_FROM
            and len(state.ids) > followed.compacted_at * 5 // 4 + COMPACT_FROM
            and gone > state.node_count // 4
        ):
            self._state = followed.state = state.compacted()
            followed.compacted_at = len(followed.state.ids)

    def _save_when_worth_it(self, followed: _Followed) -> None:
        since = followed.read[1] - followed.snapshot_at
        if since > self._snapshot_after and since > followed.read[1] // 8:
            followed.snapshot_at = followed.read[1]
            # It only makes the next start quicker: a disk with no room for it has none to lose a capture over.
            with contextlib.suppress(Unavailable):
                save(self._folder, followed.state, Position(followed.log, *followed.read))

    def _forget(self) -> None:
        if self._followed is not None:
            for descriptor in self._followed.descriptors:
                os.close(descriptor)
            self._followed = None


def _lines(followed: _Followed, index: int, until: int) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file from where it was left, moving `read` on with each. Raise `Corrupt` at one that is not sound."""
    descriptor, name = followed.descriptors[index], (NODES, EDGES)[index]
    while followed.read[index] < until:
        at = followed.read[index]
        block = os.pread(descriptor, min(_READ_BYTES, until - at), at)
        end = block.rfind(b"\n") + 1
        if end == 0:
            raise Corrupt(f"graph/{name} has no whole line at byte {at}: run `lattice rebuild`")
        for line in block[: end - 1].split(b"\n"):
            record = unseal(line)
            if record is None:
                raise Corrupt(f"graph/{name} is damaged at byte {followed.read[index]}: run `lattice rebuild`")
            yield record
            followed.read[index] += len(line) + 1


def _apply_nodes(state: GraphState, line: dict[str, Any]) -> None:
    record = as_group(line)
    for node_id in record.get("remove", ()):
        state.remove_node(node_id)
    numbers, known = state.numbers, state.fields
    for node_id, fields in record.get("add", ()):
        content = orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
        number = numbers.get(node_id)
        if number is None or known[number] != content:  # more than half of all are shared nodes, written again
            state.add_node(node_id, content)


def _load_edges(followed: _Followed, until: int) -> None:
    """Read all the edges of a log into a state that nobody sees yet."""
    edges = EdgesAtOnce(followed.state)
    try:
        for line in _lines(followed, 1, until):
            edges.take(line)
    finally:
        edges.settle()


def _apply_edges(state: GraphState, line: dict[str, Any]) -> None:
    record = as_group(line)
    for node_id in record.get("drop", ()):
        state.drop_edges(node_id)
    for kind, source, targets in record.get("remove", ()):
        if kind in KIND_CODES:
            for target in targets:
                state.remove_edge(state.number(source), state.number(target), KIND_CODES[kind])
    for name, bits in (("add", OUT), ("both", BOTH)):
        for kind, source, targets in record.get(name, ()):
            if kind in KIND_CODES:
                state.add_edges(state.number(source), targets, KIND_CODES[kind], bits)


def _is_held_by(state: GraphState, number: int, holders: set[int]) -> bool:
    """Return whether a shared node leads to nothing but these, a segment's own source aside."""
    types, fields = state.types, state.fields
    if types[number] not in (HUB, CONTAINER) or fields[number] is None:
        return False
    others = (entry >> 8 for entry in state.entries[number])
    return all(other in holders or fields[other] is None or types[other] == CONTAINER for other in others)


def _steps(state: GraphState, number: int) -> Iterator[int]:
    """Yield the atoms one step away, closest first and then newest first."""
    types, fields = state.types, state.fields
    if fields[number] is None:
        return
    newest_first = [entry for entry in state.entries[number][::-1] if _ORDER[entry & 255] >= 0]
    for entry in sorted(newest_first, key=lambda each: _ORDER[each & 255]):
        other = entry >> 8
        if fields[other] is None:
            continue
        if types[other] == ATOM:
            yield other
        elif types[other] == HUB and kind_of(entry) in HUB_KINDS and len(state.entries[other]) <= HUB_LIMIT:
            for shared in state.entries[other][: -HUB_NEWEST - 1 : -1]:
                if types[shared >> 8] == ATOM and fields[shared >> 8] is not None and kind_of(shared) in HUB_KINDS:
                    yield shared >> 8


def _far(state: GraphState, number: int) -> Iterator[int]:
    """Yield the atoms of the same episode and of the same source, newest first."""
    types, fields = state.types, state.fields
    for holder in _holders(state, number):
        if len(state.entries[holder]) > HUB_LIMIT or fields[holder] is None:
            continue
        for held in state.entries[holder][: -HUB_NEWEST - 1 : -1]:
            other = held >> 8
            within = [other] if types[other] == ATOM else [each >> 8 for each in state.entries[other][::-1]]
            yield from (each for each in within if types[each] == ATOM and fields[each] is not None)


def _holders(state: GraphState, number: int) -> Iterator[int]:
    """Yield the episode of an atom, and the source of its segment."""
    for entry in state.entries[number]:
        if kind_of(entry) in FAR:
            yield entry >> 8
        elif kind_of(entry) == "segment_contains_atom":
            yield from (above >> 8 for above in state.entries[entry >> 8] if kind_of(above) in FAR)


def _any_neighbour(state: GraphState, number: int) -> Iterator[int]:
    for entry in state.entries[number][::-1]:
        if state.fields[entry >> 8] is not None:
            yield entry >> 8
