"""Nodes and edges of the graph, as DESIGN.md "Graph" names them.

Pure: which nodes and edges an atom brings with it. Storage and traversal are adapters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from lattice_common.domain.capture import JsonValue

EdgeKind: TypeAlias = Literal[
    "atom_has_subject",
    "same_subject_as",
    "source_contains_segment",
    "segment_contains_atom",
    "supersedes",
    "same_hash",
    "episode_contains_atom",
    "supports_semantic",
    "enriches",
    "leads_to_idea",
    "next_in_segment",
    "mentions",
]

SAME_SUBJECT_NEWEST = 16
"""`same_subject_as` goes to this many newest atoms only; the subject node carries the rest, so cost stays linear."""


@dataclass(frozen=True, slots=True)
class Node:
    """`node_id` begins with its kind: `atom:`, `source:`, `segment:`, `subject:`, `entity:`, `episode:`, `insight:`."""

    node_id: str
    fields: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge; two nodes have at most one of a kind."""

    source: str
    target: str
    kind: EdgeKind


@dataclass(frozen=True, slots=True)
class GraphChange:
    """What one commit does to the graph. Adding what is there and removing what is not change nothing."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    removed_nodes: tuple[str, ...] = ()
    removed_edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """An atom reached by expansion: over how many hops (≥ 1), and from which seed."""

    atom_id: str
    hops: int
    seed: str
