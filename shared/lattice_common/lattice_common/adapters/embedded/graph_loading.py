"""The edges of a whole log at once, into a graph that has none yet.

`GraphState.add_edges` looks each edge up and puts it in its place, which is what following takes. From the start of a log that is
most of the time of a load: here the lines are only noted, and then numpy sorts all of them together. The graph and the
order of its entries are the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lattice_common.adapters.embedded.graph_state import BOTH, IN, KIND_CODES, OUT, GraphState

_SWAPPED = np.array([0, IN, OUT, BOTH], dtype=np.uint8)
_BITS = 8
"""Of an entry below the other end's number: the kind, and the directions."""
_AT_ONCE = 2_000_000
"""Entries that are sorted at once: some 100 MB of arrays in between."""

_Views: TypeAlias = tuple[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]], ...]


class EdgesAtOnce:
    """`take` every line of the log, in order, then `settle`. Nobody may look at the state's edges before."""

    def __init__(self, state: GraphState) -> None:
        self._state = state
        # One of each for a source, a kind, directions, and as many targets.
        self._sources, self._codes, self._counts = array("i"), array("B"), array("i")
        self._targets = array("i")
        self._removed: dict[tuple[int, int, int], int] = {}
        self._dropped: dict[int, int] = {}

    def take(self, record: dict[str, Any]) -> None:
        """Load a line of `edges.jsonl`."""
        state, now = self._state, len(self._targets)
        if "source" in record and "target" in record:  # most of a large log: looked at once, and put into no list
            if record.get("kind") in KIND_CODES:
                self._sources.append(state.number(record["source"]))
                self._codes.append(KIND_CODES[record["kind"]] << 2 | (BOTH if record.get("both") is True else OUT))
                self._counts.append(1)
                self._targets.append(state.number(record["target"]))
            return
        for node_id in record.get("drop", ()):
            if (dropped := state.numbers.get(node_id)) is not None:
                self._dropped[dropped] = now
        for kind, source, targets in record.get("remove", ()):
            if kind in KIND_CODES:
                self._removed |= {(state.number(source), state.number(target), KIND_CODES[kind]): now for target in targets}
        known = state.numbers.get
        for name, bits in (("add", OUT), ("both", BOTH)):
            for kind, source, targets in record.get(name, ()):
                if kind not in KIND_CODES:
                    continue
                start = known(source, -1)
                self._sources.append(start if start >= 0 else state.number(source))
                self._codes.append(KIND_CODES[kind] << 2 | bits)
                self._counts.append(len(targets))
                numbers = [known(target, -1) for target in targets]
                self._targets.extend(map(state.number, targets) if -1 in numbers else numbers)

    def settle(self) -> None:
        """Give the state its edges, those of some nodes after the others: beside the lines' numbers that bounds the memory."""
        sources, targets, codes = self._kept()
        # An edge as each of its ends sees it: this end, the other one, the code.
        views = ((sources, targets, codes), (targets, sources, codes & ~np.uint8(BOTH) | _SWAPPED[codes & BOTH]))
        nodes = self._state.entries
        ranked = _in_order(np.array(self._state.ranks), self._state.ids)
        place = np.empty_like(ranked)
        place[ranked] = np.arange(len(ranked))
        step = len(nodes) * _AT_ONCE // max(_AT_ONCE, 2 * len(sources)) + 1
        for start in range(0, len(nodes), step):
            some = nodes[start : start + step]
            lengths, entries = _entries(views, range(start, start + step), ranked, place)
            content, at = memoryview(entries.tobytes()), 0
            for each, length in zip(some, lengths.tolist(), strict=False):  # the last nodes may have none
                each.frombytes(content[at : at + 8 * length])
                at += 8 * length

    def _kept(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]:
        """Return sources, targets and codes of what was not taken away later."""
        counts = np.array(self._counts)
        sources = np.repeat(np.array(self._sources, dtype=np.int32), counts)
        codes = np.repeat(np.array(self._codes, dtype=np.uint8), counts)
        targets = np.array(self._targets, dtype=np.int32)
        if self._dropped or self._removed:
            codes &= ~self._taken_away(sources, targets, codes)
        kept = (codes & BOTH != 0) & (sources != targets)
        return (sources, targets, codes) if kept.all() else (sources[kept], targets[kept], codes[kept])

    def _taken_away(self, sources: NDArray[np.int32], targets: NDArray[np.int32], codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the directions of each edge that were dropped or removed after it."""
        at = np.arange(len(sources))
        dropped = np.zeros(len(self._state.ids), dtype=np.int64)
        dropped[list(self._dropped)] = list(self._dropped.values())
        taken = np.where(at < np.maximum(dropped[sources], dropped[targets]), np.uint8(BOTH), np.uint8(0))
        if self._removed:
            removed, since = np.array(list(self._removed), dtype=np.int64), np.array(list(self._removed.values()))
            names = _named(*removed.T)
            order = np.argsort(names)
            names, since = names[order], since[order]
            for one, other, direction in ((sources, targets, OUT), (targets, sources, IN)):
                wanted = _named(one, other, codes >> 2)
                place = np.minimum(np.searchsorted(names, wanted), len(names) - 1)
                taken[(names[place] == wanted) & (at < since[place])] |= direction
        return taken


def _in_order(ranks: NDArray[np.int64], ids: Sequence[str]) -> NDArray[np.int64]:
    """Return all nodes by their ranks, those of one rank by their ids."""
    ranked = np.argsort(ranks, kind="stable")
    same = np.diff(ranks[ranked], prepend=ranks[ranked[:1]] - 1) == 0
    starts = np.flatnonzero(~same)
    lengths = np.diff(starts, append=len(ranked))
    for start, length in zip(starts[lengths > 1].tolist(), lengths[lengths > 1].tolist(), strict=True):
        ranked[start : start + length] = sorted(ranked[start : start + length].tolist(), key=ids.__getitem__)
    return ranked


def _entries(
    views: _Views, nodes: range, ranked: NDArray[np.int64], place: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many entries each of some nodes has, and all of them, ascending by the other end's rank. `ranked` are all nodes
    in the order of their ranks, and `place` is where each stands there."""
    width = _BITS + len(ranked).bit_length()
    found = []
    # One number for the node, the other end's place and the code: sorting that puts all of it in order.
    for near, far, codes in views:
        here = np.flatnonzero((near >= nodes.start) & (near < nodes.stop))
        found.append((near[here].astype(np.int64) - nodes.start) << width | place[far[here]] << _BITS | codes[here])
    both = np.concatenate(found)
    both.sort()
    first = np.flatnonzero(np.diff(both >> 2, prepend=-1))
    if len(first) < len(both):  # the same edge again, or its other direction
        both = both[first] | np.bitwise_or.reduceat(both & BOTH, first)
    others = both >> _BITS & (1 << width - _BITS) - 1
    return np.bincount(both >> width), ranked[others] << _BITS | both & (1 << _BITS) - 1


def _named(sources: NDArray[Any], targets: NDArray[Any], kinds: NDArray[Any]) -> NDArray[np.int64]:
    """Return one number for an edge; the numbers of nodes are below 2^28."""
    named: NDArray[np.int64] = sources.astype(np.int64) << 34 | targets.astype(np.int64) << 6 | kinds
    return named
