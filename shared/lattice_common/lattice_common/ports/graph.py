"""The graph: its sidecars (written by the one writer) and its traversal (read by everybody)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lattice_common.domain.graph import Edge, EdgeKind, GraphChange, Node, Reached


@dataclass(frozen=True, slots=True)
class GraphStats:
    """Counts, and a hash over the sets of nodes and edges (independent of their order)."""

    nodes: int
    edges: int
    state_hash: str


class GraphLog(Protocol):
    """The append-only sidecars, `nodes.jsonl` and `edges.jsonl`, and their manifest.

    `append` is durable and visible to readers (through the manifest's committed lengths) when it returns; appending the same
    change again changes nothing that a reader sees. A torn tail is cut off at opening. Writing raises `Conflict` where the
    manifest is of a newer schema.
    """

    def append(self, change: GraphChange) -> None: ...

    def replace(self, change: GraphChange) -> None:
        """Begin a new generation that holds `change` and nothing else (rebuild, compaction)."""
        ...

    def close(self) -> None: ...


class WrittenGraph(Protocol):
    """What the writer asks of the graph that its own log makes. For one thread."""

    @property
    def trouble(self) -> str | None: ...

    def refresh(self) -> None: ...

    def held_by(self, atom_ids: Sequence[str]) -> list[str]:
        """Return the nodes (`domain.graph.SHARED`) that these atoms alone hold: their subjects, names, segments, sources and
        episodes that lead to no other atom."""
        ...


class Graph(Protocol):
    """Traversal of what is committed. `refresh` reads what was added to the sidecars; queries never wait for it."""

    @property
    def trouble(self) -> str | None:
        """Return what is wrong with the sidecars, where they could not be read to their end; None where all is well."""
        ...

    def refresh(self) -> None: ...

    def expand(self, seeds: Sequence[str], limit: int, *, hops: int = 2) -> list[Reached]:
        """Return at most `limit` atoms within `hops` atom-to-atom steps of the seed atom ids (seeds excluded), breadth first,
        nearest first. A step goes over an edge between atoms, or through one shared subject, entity or segment node; through an
        episode or a source it counts as two."""
        ...

    def neighbours(self, atom_id: str, kinds: Sequence[EdgeKind] = ()) -> list[Edge]:
        """Return the edges at an atom, in both directions; of all kinds when none is given."""
        ...

    def subgraph(self, node_id: str, *, depth: int = 1, limit: int = 200) -> tuple[list[Node], list[Edge]]:
        """Return the nodes within `depth` edges of a node, and the edges among them."""
        ...

    def paths(self, source: str, target: str, *, longest: int = 6, limit: int = 5) -> list[list[str]]:
        """Return at most `limit` of the shortest paths between two nodes, as node ids with both ends, over at most `longest`
        edges in either direction; empty when there is none, or a node does not exist."""
        ...

    def stats(self) -> GraphStats: ...
