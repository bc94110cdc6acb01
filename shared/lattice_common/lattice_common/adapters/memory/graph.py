"""The graph in sets, and its log in a list: slow, short, and what the files and the compact graph are held to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import orjson

from lattice_common.domain.graph import (
    CLOSEST_FIRST,
    FAR,
    HUB_KINDS,
    HUB_LIMIT,
    HUB_NEWEST,
    SHARED,
    Edge,
    EdgeKind,
    GraphChange,
    Node,
    Reached,
    breadth_first,
    edge_fingerprint,
    fingerprint,
    shortest_paths,
    state_hash,
)
from lattice_common.ports.graph import GraphStats


class MemoryGraphLog:
    """`changes` are those of the current generation."""

    def __init__(self) -> None:
        self.generation = 1
        self.changes: list[GraphChange] = []

    def append(self, change: GraphChange) -> None:
        self.changes.append(change)

    def replace(self, change: GraphChange) -> None:
        self.generation += 1
        self.changes = [change]

    def close(self) -> None:
        """Do nothing: nothing is open."""


class MemoryGraph:
    def __init__(self, log: MemoryGraphLog) -> None:
        self._log = log
        self.trouble: str | None = None
        self._nodes: dict[str, Node] = {}
        self._edges: set[Edge] = set()
        self.refresh()

    def refresh(self) -> None:
        nodes: dict[str, Node] = {}
        edges: set[Edge] = set()
        for change in self._log.changes:
            for node_id in change.removed_nodes:
                nodes.pop(node_id, None)
                edges = {edge for edge in edges if node_id not in (edge.source, edge.target)}
            edges -= set(change.removed_edges)
            nodes |= {node.node_id: node for node in change.nodes}
            edges |= {edge for edge in change.edges if edge.source != edge.target}
        self._nodes, self._edges = nodes, {edge for edge in edges if edge.source in nodes and edge.target in nodes}

    def expand(self, seeds: Sequence[str], limit: int, *, hops: int = 2) -> list[Reached]:
        known = [f"atom:{seed}" for seed in seeds]
        walk = breadth_first(known, limit, hops, self._steps, self._far)
        return [Reached(node.removeprefix("atom:"), hop, seed.removeprefix("atom:")) for node, hop, seed in walk]

    def held_by(self, atom_ids: Sequence[str]) -> list[str]:
        going, found = {f"atom:{each}" for each in atom_ids}, dict[str, None]()
        for _ in range(2):  # a source is held by its segments
            around = {_other(edge, each): None for each in (*sorted(going), *found) for edge in self._at(each)}
            holders = going | found.keys()
            found |= {each: None for each in around if _is_shared(each) and self._is_held_by(each, holders)}
        return sorted(found)

    def _is_held_by(self, node_id: str, holders: Set[str]) -> bool:
        """Return whether a node leads to nothing but these, a segment's own source aside."""
        others = (_other(edge, node_id) for edge in self._at(node_id))
        return all(each in holders or each.startswith(("source:", "episode:")) for each in others)

    def neighbours(self, atom_id: str, kinds: Sequence[EdgeKind] = ()) -> list[Edge]:
        return [edge for edge in self._at(f"atom:{atom_id}") if not kinds or edge.kind in kinds]

    def subgraph(self, node_id: str, *, depth: int = 1, limit: int = 200) -> tuple[list[Node], list[Edge]]:
        if node_id not in self._nodes:
            return [], []
        walk = breadth_first([node_id], limit - 1, depth, lambda each: (_other(edge, each) for edge in self._at(each)))
        ids = [node_id, *(each for each, _, _ in walk)]
        return [self._nodes[each] for each in ids], [edge for edge in self._edges if edge.source in ids and edge.target in ids]

    def paths(self, source: str, target: str, *, longest: int = 6, limit: int = 5) -> list[list[str]]:
        if source not in self._nodes or target not in self._nodes:
            return []
        return shortest_paths(source, target, longest, limit, lambda each: (_other(edge, each) for edge in self._at(each)))

    def stats(self) -> GraphStats:
        nodes = sum(
            fingerprint(node.node_id.encode() + b"\0" + orjson.dumps(dict(node.fields), option=orjson.OPT_SORT_KEYS))
            for node in self._nodes.values()
            if not _is_shared(node.node_id)
        )
        ids = {node_id: fingerprint(node_id.encode()) for node_id in self._nodes}
        edges = sum(
            edge_fingerprint(ids[edge.source], ids[edge.target], edge.kind)
            for edge in self._edges
            if not (_is_shared(edge.source) and _is_shared(edge.target))
        )
        return GraphStats(len(self._nodes), len(self._edges), state_hash(nodes, edges))

    def _at(self, node_id: str) -> list[Edge]:
        """Return the edges at a node, newest other end first."""
        edges = [edge for edge in self._edges if node_id in (edge.source, edge.target)]
        return sorted(edges, key=lambda edge: (_other(edge, node_id), edge.kind, edge.source), reverse=True)

    def _steps(self, atom: str) -> Iterator[str]:
        edges = [edge for edge in self._at(atom) if edge.kind in CLOSEST_FIRST]
        for edge in sorted(edges, key=lambda edge: CLOSEST_FIRST.index(edge.kind)):
            other = _other(edge, atom)
            if other.startswith("atom:"):
                yield other
            elif edge.kind in HUB_KINDS and len(around := self._at(other)) <= HUB_LIMIT:
                through = (_other(each, other) for each in around if each.kind in HUB_KINDS)
                yield from [each for each in through if each.startswith("atom:")][:HUB_NEWEST]

    def _far(self, atom: str) -> Iterator[str]:
        around = self._at(atom)
        segments = [_other(edge, atom) for edge in around if edge.kind == "segment_contains_atom"]
        above = [(edge, node) for node in (atom, *segments) for edge in self._at(node) if edge.kind in FAR]
        for holder in [_other(edge, node) for edge, node in above]:
            if len(held := self._at(holder)) > HUB_LIMIT:
                continue
            for other in [_other(edge, holder) for edge in held][:HUB_NEWEST]:
                within = [other] if other.startswith("atom:") else [_other(edge, other) for edge in self._at(other)]
                yield from (each for each in within if each.startswith("atom:"))


def _is_shared(node_id: str) -> bool:
    return node_id.partition(":")[0] in SHARED


def _other(edge: Edge, node_id: str) -> str:
    return edge.target if edge.source == node_id else edge.source
