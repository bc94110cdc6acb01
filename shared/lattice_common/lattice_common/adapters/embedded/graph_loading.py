"""The edges of a whole log at once, into a graph that has none yet.

`GraphState.add_edges` looks each edge up and puts it in its place, which is what following takes. From the start of a log that is
most of the time of a load: here the lines are only noted, and then numpy sorts all of them together. The graph is the same; where
two ends have the same rank, they are in the order of their numbers.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lattice_common.adapters.embedded.graph_state import BOTH, IN, KIND_CODES, OUT, GraphState

_SWAPPED = np.array([0, IN, OUT, BOTH], dtype=np.int64)
_BITS = 8
"""Of an entry below the other end's number: the kind, and the directions."""


class EdgesAtOnce:
    """`take` every line of the log, in order, then `settle`. Nobody may look at the state's edges before."""

    def __init__(self, state: GraphState) -> None:
        self._state = state
        # One of each for a source, a kind, directions, and as many targets.
        self._sources, self._codes, self._counts = array("i"), array("i"), array("i")
        self._targets = array("i")
        self._removed: dict[tuple[int, int, int], int] = {}
        self._dropped: dict[int, int] = {}

    def take(self, record: dict[str, Any]) -> None:
        """A line of `edges.jsonl`."""
        state, now = self._state, len(self._targets)
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
        """Give the state its edges. For a million atoms about a gigabyte in between."""
        kept = self._kept()
        if not len(kept):
            return
        nodes, entries = self._entries(*kept)
        ends = np.cumsum(np.bincount(nodes, minlength=len(self._state.ids))) * entries.itemsize
        content = memoryview(entries.tobytes())
        start = 0
        for each, end in zip(self._state.entries, ends.tolist(), strict=True):
            if start < end:
                each.frombytes(content[start:end])
            start = end

    def _kept(self) -> list[NDArray[np.int64]]:
        """Sources, targets and codes of what was not taken away later."""
        counts = np.array(self._counts)
        sources, codes = (np.repeat(np.array(each, dtype=np.int64), counts) for each in (self._sources, self._codes))
        targets = np.array(self._targets, dtype=np.int64)
        if self._dropped or self._removed:
            codes = codes & ~self._taken_away(sources, targets, codes)
        kept = (codes & BOTH != 0) & (sources != targets)
        if kept.all():
            return [sources, targets, codes]
        return [each[kept] for each in (sources, targets, codes)] if kept.any() else []

    def _taken_away(self, sources: NDArray[np.int64], targets: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The directions of each edge that were dropped or removed after it."""
        at = np.arange(len(sources))
        dropped = np.zeros(len(self._state.ids), dtype=np.int64)
        dropped[list(self._dropped)] = list(self._dropped.values())
        taken = np.where(at < np.maximum(dropped[sources], dropped[targets]), BOTH, 0)
        if self._removed:
            removed, since = np.array(list(self._removed), dtype=np.int64), np.array(list(self._removed.values()))
            names = _named(*removed.T)
            order = np.argsort(names)
            names, since = names[order], since[order]
            for one, other, direction in ((sources, targets, OUT), (targets, sources, IN)):
                wanted = _named(one, other, codes >> 2)
                place = np.minimum(np.searchsorted(names, wanted), len(names) - 1)
                taken |= np.where((names[place] == wanted) & (at < since[place]), direction, 0)
        return taken

    def _entries(
        self, sources: NDArray[np.int64], targets: NDArray[np.int64], codes: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Each edge at both of its ends: nodes, ascending, and their entries, ascending by the other end's rank."""
        ranked = np.argsort(np.array(self._state.ranks), kind="stable")
        place = np.empty_like(ranked)
        place[ranked] = np.arange(len(ranked))
        width = _BITS + len(ranked).bit_length()
        back = codes & ~BOTH | _SWAPPED[codes & BOTH]
        # One number for the node, the other end's place and the code: sorting that puts all of it in order.
        found = np.concatenate([
            sources << width | place[targets] << _BITS | codes,
            targets << width | place[sources] << _BITS | back,
        ])  # fmt: skip
        found.sort()
        first = np.flatnonzero(np.diff(found >> 2, prepend=-1))
        if len(first) < len(found):  # the same edge again, or its other direction
            found = found[first] | np.bitwise_or.reduceat(found & BOTH, first)
        others = found >> _BITS & (1 << width - _BITS) - 1
        return found >> width, ranked[others] << _BITS | found & (1 << _BITS) - 1


def _named(sources: NDArray[np.int64], targets: NDArray[np.int64], kinds: NDArray[np.int64]) -> NDArray[np.int64]:
    """One number for an edge; the numbers of nodes are below 2^28."""
    return sources << 34 | targets << 6 | kinds
