"""A graph in memory, as compactly as plain Python allows: numbered nodes, and one array of 64-bit integers per node.

An entry of such an array is an edge as seen from its node: the other end's number, the kind, and two bits for the directions it
goes in, so that a pair of edges both ways is one entry at each end. Arrays are in the order of their other ends' ranks, which
for an atom is its time, then of their ids and kinds: "the newest" is a slice, and what is found does not depend on the order of
writing.

One thread changes it; any number may read meanwhile, and see a change from its beginning, its end or in between: every read is
of one list element or one slice. (`docs/decisions/0002-graph-in-memory.md` has the figures of the alternatives.)
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from lattice_common.domain.graph import EDGE_KINDS, KIND_FINGERPRINTS, Edge, EdgeKind, fingerprint

OUT, IN, BOTH = 1, 2, 3
_SWAPPED = (0, IN, OUT, BOTH)

KIND_CODES: dict[str, int] = {kind: code for code, kind in enumerate(EDGE_KINDS)}
_KINDS_BY_CODE = EDGE_KINDS

OTHER, ATOM, HUB, CONTAINER = 0, 1, 2, 3
_TYPES = {"atom": ATOM, "segment": HUB, "subject": HUB, "entity": HUB, "source": CONTAINER, "episode": CONTAINER}

_RANKED = slice(5, 17)
"""Of `atom:<ulid>`: its time, and two characters of what tells those of one millisecond apart, which as a number of base 36 (an
order that agrees with that of ULIDs) still fits into 63 bits."""


_KIND_PRINTS = np.array([KIND_FINGERPRINTS[kind] for kind in EDGE_KINDS], dtype=np.uint64)

_AT_ONCE = 16384
"""Nodes whose edges are counted at once: some 10 MB of arrays in between."""

_FEW = 64
"""Entries up to which a node's are put into a set to look others up in; an atom has some 40, a shared node any number."""


def packed(other: int, kind: int, bits: int) -> int:
    """Return an entry: bits 0–1 the directions, 2–7 the kind, from 8 the other end."""
    return other << 8 | kind << 2 | bits


class GraphState:
    """Nodes have numbers from 0; `fields[n]` is a node's JSON, or None for one that is only spoken of, or was removed."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.numbers: dict[str, int] = {}
        self.types = bytearray()
        self.ranks = array("q")
        self.prints = array("Q")
        self.fields: list[bytes | None] = []
        self.entries: list[array[int]] = []
        self.node_count = 0
        self.node_sum = 0
        self._known_fields: dict[bytes, bytes] = {}

    def number(self, node_id: str) -> int:
        """Return the number of a node; a new one gets the next."""
        known = self.numbers.get(node_id)
        if known is not None:
            return known
        number = len(self.ids)
        kind = _TYPES.get(node_id.partition(":")[0], OTHER)
        self.types.append(kind)
        self.prints.append(fingerprint(node_id.encode()))
        # Others stand before all atoms, in an order that is no one's but always the same.
        self.ranks.append(_rank(node_id) if kind == ATOM else -1 - (self.prints[number] >> 1))
        self.fields.append(None)
        self.entries.append(array("q"))
        self.ids.append(node_id)
        self.numbers[node_id] = number  # last: who finds the number finds the rest
        return number

    def add_node(self, node_id: str, fields: bytes) -> None:
        number = self.number(node_id)
        old = self.fields[number]
        if old == fields:
            return
        if old is None:
            self.node_count += 1
        if self.types[number] in (ATOM, OTHER):  # those that are not `domain.graph.SHARED`
            self.node_sum += _node_print(node_id, fields) - (_node_print(node_id, old) if old is not None else 0)
        self.fields[number] = self._known_fields.setdefault(fields, fields)

    def remove_node(self, node_id: str) -> None:
        number = self.numbers.get(node_id)
        if number is None or (old := self.fields[number]) is None:
            return
        self.fields[number] = None
        self.node_count -= 1
        if self.types[number] in (ATOM, OTHER):
            self.node_sum -= _node_print(node_id, old)

    def add_edges(self, source: int, targets: list[str], kind: int, bits: int) -> None:
        """Add several edges at once, each as `add_edge` does; most of the time of loading is spent here."""
        entries, numbers, ranks = self.entries[source], self.numbers, self.ranks
        if len(entries) > _FEW:
            for target in targets:
                self.add_edge(source, self.number(target), kind, bits)
            return
        known = {entry >> 2 for entry in entries}
        back = packed(source, kind, _SWAPPED[bits])
        rank = ranks[source]
        for target in targets:
            number = numbers.get(target, -1)
            if number < 0:
                number = self.number(target)
            if number << 6 | kind in known or number == source:
                self.add_edge(source, number, kind, bits)
                continue
            known.add(number << 6 | kind)
            self._put_in(source, packed(number, kind, bits))
            others = self.entries[number]
            if not others or ranks[others[-1] >> 8] < rank:
                others.append(back)
            else:
                self._put_in(number, back)

    def add_edge(self, source: int, target: int, kind: int, bits: int) -> None:
        """Add an edge; `bits` are seen from the source: OUT for one edge, BOTH for a pair."""
        if source == target:
            return
        known = self._bits(source, target, kind)
        wanted = known | bits
        if wanted == known:
            return
        if known:
            self._take_out(source, packed(target, kind, known))
            self._take_out(target, packed(source, kind, _SWAPPED[known]))
        self._put_in(source, packed(target, kind, wanted))
        self._put_in(target, packed(source, kind, _SWAPPED[wanted]))

    def remove_edge(self, source: int, target: int, kind: int) -> None:
        """Remove an edge; the one back stays."""
        known = self._bits(source, target, kind) if source != target else 0
        if not known & OUT:
            return
        self._take_out(source, packed(target, kind, known))
        self._take_out(target, packed(source, kind, _SWAPPED[known]))
        if known & IN:
            self._put_in(source, packed(target, kind, IN))
            self._put_in(target, packed(source, kind, OUT))

    def drop_edges(self, node_id: str) -> None:
        """Remove all the edges of a node."""
        number = self.numbers.get(node_id)
        if number is None:
            return
        for entry in self.entries[number]:
            other, kind, bits = entry >> 8, entry >> 2 & 63, entry & 3
            self._take_out(other, packed(number, kind, _SWAPPED[bits]))
        self.entries[number] = array("q")

    def edges_at(self, number: int, entry: int) -> list[Edge]:
        """Return the edge, or the two edges, of an entry."""
        this, other, kind = self.ids[number], self.ids[entry >> 8], kind_of(entry)
        edges = []
        if entry & OUT:
            edges.append(Edge(this, other, kind))
        if entry & IN:
            edges.append(Edge(other, this, kind))
        return edges

    def compacted(self) -> GraphState:
        """Return the same graph without nodes that were removed and that no edge is at; about a second for a million nodes."""
        kept = [number for number, fields in enumerate(self.fields) if fields is not None or self.entries[number]]
        new = np.full(len(self.ids), -1, dtype=np.int64)
        new[kept] = np.arange(len(kept))
        state = GraphState()
        state.ids = [self.ids[number] for number in kept]
        state.numbers = {node_id: number for number, node_id in enumerate(state.ids)}
        state.types = bytearray(self.types[number] for number in kept)
        state.ranks = array("q", [self.ranks[number] for number in kept])
        state.prints = array("Q", [self.prints[number] for number in kept])
        state.fields = [self.fields[number] for number in kept]
        state._known_fields = {each: each for each in state.fields if each is not None}
        for number in kept:
            ends = np.frombuffer(self.entries[number], dtype=np.int64)
            state.entries.append(array("q", (new[ends >> 8] << 8 | ends & 0xFF).tobytes()))
        state.node_count, state.node_sum = self.node_count, self.node_sum
        return state

    def take_fields(self, distinct: list[bytes], indexes: list[int]) -> None:
        """Set the fields of all nodes from a snapshot: indexes into the distinct ones, −1 for none."""
        self._known_fields = {fields: fields for fields in distinct}
        self.fields = [None if index < 0 else distinct[index] for index in indexes]

    def edge_totals(self) -> tuple[int, int]:
        """Return how many edges are seen, and the sum of their fingerprints (modulo 2^64); about 0.1 s for a million.

        Not while the graph is changed.
        """
        seen = np.fromiter((each is not None for each in self.fields), bool, len(self.fields))
        shared = np.isin(np.frombuffer(bytes(self.types), dtype=np.uint8), (HUB, CONTAINER))
        prints = np.array(self.prints, dtype=np.uint64)
        count, total = 0, 0
        for start in range(0, len(self.entries), _AT_ONCE):
            some = self.entries[start : start + _AT_ONCE]
            ends = np.frombuffer(b"".join(some), dtype=np.int64)
            sources = np.repeat(np.arange(start, start + len(some)), np.fromiter(map(len, some), np.int64, len(some)))
            kept = ((ends & OUT) != 0) & seen[sources] & seen[ends >> 8]
            ends, sources = ends[kept], sources[kept]
            mixed = edge_fingerprints(prints[sources], prints[ends >> 8], _KIND_PRINTS[ends >> 2 & 63])
            count += len(ends)
            total += int(mixed[~(shared[sources] & shared[ends >> 8])].sum(dtype=np.uint64))
        return count, total

    def _bits(self, source: int, target: int, kind: int) -> int:
        """Return the directions in which there is such an edge, seen from the source; looked up at the end that has fewer."""
        if len(self.entries[target]) < len(self.entries[source]):
            return _SWAPPED[self._bits_in(self.entries[target], source, kind)]
        return self._bits_in(self.entries[source], target, kind)

    @staticmethod
    def _bits_in(entries: array[int], other: int, kind: int) -> int:
        base = packed(other, kind, 0)
        return next((bits for bits in (OUT, IN, BOTH) if base | bits in entries), 0)

    def _put_in(self, number: int, entry: int) -> None:
        entries, ranks = self.entries[number], self.ranks
        if not entries or ranks[entries[-1] >> 8] < ranks[entry >> 8]:
            entries.append(entry)
        else:
            entries.insert(bisect_right(entries, self._order(entry), key=self._order), entry)

    def _order(self, entry: int) -> tuple[int, str, int]:
        """Return where an entry stands among those of a node: many atoms of one capture have the same rank."""
        return self.ranks[entry >> 8], self.ids[entry >> 8], entry >> 2 & 63

    def _take_out(self, number: int, entry: int) -> None:
        self.entries[number].remove(entry)


def kind_of(entry: int) -> EdgeKind:
    return _KINDS_BY_CODE[entry >> 2 & 63]


def _rank(node_id: str) -> int:
    """Return a number that grows with an atom's id; 0 for one whose id is no ULID."""
    text = node_id[_RANKED].lower()
    return int(text, 36) if len(text) == 12 and text.isascii() and text.isalnum() else 0


def _node_print(node_id: str, fields: bytes) -> int:
    return fingerprint(node_id.encode() + b"\0" + fields)


def edge_fingerprints(sources: NDArray[np.uint64], targets: NDArray[np.uint64], kinds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return `domain.graph.edge_fingerprint` of many edges; products wrap at 2^64 here by themselves."""
    mixed = sources * np.uint64(0x9E3779B97F4A7C15) + targets * np.uint64(0xC2B2AE3D27D4EB4F) + kinds
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(32))
