"""The graph for people: a node with its edges, and paths between two nodes, by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lattice_common.domain.atom import normalize_subject
from lattice_common.domain.capture import JsonValue
from lattice_common.errors import NotFound
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.graph import Graph, GraphStats

MOST_LINKED = 200
KINDS_BY_NAME = ("entity", "subject", "source")
"""Kinds of nodes that are looked up by a name, in this order."""
ATOM = "atom:"


@dataclass(frozen=True, slots=True)
class NamedNode:
    """A node and its name; for a memory, its content."""

    id: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Linked:
    """An edge of this `kind` to or from the node."""

    kind: str
    direction: Literal["to", "from"]
    node: NamedNode


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node and its edges."""

    node: NamedNode
    linked: tuple[Linked, ...]


@dataclass(frozen=True, slots=True)
class GraphAbout:
    """The size of a graph, what is wrong with it, and what its `files` say about themselves."""

    stats: GraphStats
    trouble: str | None
    files: Mapping[str, JsonValue]


def node_view(graph: Graph, catalogue: CatalogueReader, name: str) -> NodeView:
    """Return a node with its edges. Raise `NotFound`."""
    node_id = node_named(graph, name)
    _, edges = graph.subgraph(node_id, depth=1, limit=MOST_LINKED + 1)
    mine = [edge for edge in edges if node_id in (edge.source, edge.target)]
    others = [edge.target if edge.source == node_id else edge.source for edge in mine]
    named = _named([node_id, *others], catalogue)
    linked = [
        Linked(edge.kind, "to" if edge.source == node_id else "from", named[other])
        for edge, other in zip(mine, others, strict=True)
    ]
    return NodeView(named[node_id], tuple(sorted(linked, key=lambda each: (each.kind, each.direction, each.node.id))))


def paths_between(graph: Graph, catalogue: CatalogueReader, start: str, end: str, *, limit: int) -> list[list[NamedNode]]:
    """Return the shortest ways, each with both ends. Raise `NotFound` for an end that is not there."""
    found = graph.paths(node_named(graph, start), node_named(graph, end), limit=limit)
    named = _named([each for way in found for each in way], catalogue)
    return [[named[each] for each in way] for way in found]


def node_named(graph: Graph, name: str) -> str:
    """Return the id of the node of a memory's id, a node's own, or a name. Raise `NotFound`."""
    tried = [f"{ATOM}{name}", name, *(f"{kind}:{normalize_subject(name)}" for kind in KINDS_BY_NAME), f"source:{name}"]
    for node_id in tried:
        if graph.subgraph(node_id, depth=1, limit=1)[0]:
            return node_id
    raise NotFound(f"Nothing in the graph is called {name}: give a memory's id, or a name that memories mention.")


def _named(node_ids: Sequence[str], catalogue: CatalogueReader) -> dict[str, NamedNode]:
    wanted = list(dict.fromkeys(node_ids))
    atoms = catalogue.get([each.removeprefix(ATOM) for each in wanted if each.startswith(ATOM)])
    said = {f"{ATOM}{atom.atom_id}": atom.content for atom in atoms}
    return {each: NamedNode(each, each.partition(":")[0], said.get(each, each.partition(":")[2])) for each in wanted}
