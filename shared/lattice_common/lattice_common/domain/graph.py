"""Nodes and edges of the graph, as docs/data-format.md names them.

Pure: the values, the order in which a walk over them goes, and the hash over a whole graph. Which nodes and edges an atom brings
is `ingest/graph_change`; storage and access are adapters.

A graph is a set of nodes and a set of edges. An edge is seen while both of its ends are nodes; removing a node removes its edges
for good. There is no edge from a node to itself.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar, get_args

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

EDGE_KINDS: tuple[EdgeKind, ...] = get_args(EdgeKind)

CLOSEST_FIRST: tuple[EdgeKind, ...] = (
    "supersedes",
    "next_in_segment",
    "same_hash",
    "enriches",
    "supports_semantic",
    "leads_to_idea",
    "same_subject_as",
    "segment_contains_atom",
    "atom_has_subject",
    "mentions",
)
"""The order in which a walk leaves an atom: what superseded it and what was said next to it is closer than what shares a name."""

HUB_KINDS: frozenset[EdgeKind] = frozenset({"segment_contains_atom", "atom_has_subject", "mentions"})
"""Edges between an atom and a node that it shares with others: one step leads through the node to the other atoms."""

FAR = "episode_contains_atom", "source_contains_segment"
"""Edges of the nodes for whole conversations and documents: atoms that share one are less closely related than atoms that share a
subject, and a walk over it counts as two steps."""

SHARED: frozenset[str] = frozenset({"source", "segment", "subject", "entity", "episode"})
"""Kinds of nodes that exist only because of their atoms."""

HUB_NEWEST = 16
"""The number of newest atoms that a step reaches through one shared node; as many as `same_subject_as` links."""

HUB_LIMIT = 1000
"""A node with more edges than this (the owner, a best friend) is no evidence that two atoms are related."""

SAME_SUBJECT_NEWEST = 16
"""`same_subject_as` leads to this many newest atoms only; the subject node links the rest, so the cost stays linear."""

SAME_WORDS_NEWEST = 4
"""`same_hash` leads to this many newest earlier atoms with the same words: a monthly repetition stays one chain."""


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
    """The change of the graph in one commit: removals first, then additions. Adding what exists and removing what does not change
    nothing; a node that is added again gets the new fields."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    removed_nodes: tuple[str, ...] = ()
    removed_edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """An atom reached by expansion, with the number of hops (≥ 1) and the seed."""

    atom_id: str
    hops: int
    seed: str


T = TypeVar("T")


def breadth_first(
    seeds: Iterable[T],
    limit: int,
    hops: int,
    steps: Callable[[T], Iterator[T]],
    far: Callable[[T], Iterator[T]] = lambda _: iter(()),
) -> Iterator[tuple[T, int, T]]:
    """Return at most `limit` items within `hops` steps of the seeds: (item, its hops, the seed it was reached from).

    Nearest first. Those of one distance take turns, so that a seed with many neighbours leaves room for the others. `steps`
    yields what is one step away, closest first, and `far` what counts as two; both are read only as far as needed.
    """
    before: list[tuple[T, T]] = []
    frontier = [(seed, seed) for seed in dict.fromkeys(seeds)]
    seen = {seed for seed, _ in frontier}
    count = 0
    for hop in range(1, hops + 1):
        reached: list[tuple[T, T]] = []
        lanes = deque((steps(node), seed) for node, seed in frontier)
        lanes.extend((far(node), seed) for node, seed in before)
        while lanes and count < limit:
            lane, seed = lanes.popleft()
            for node in lane:
                if node not in seen:
                    seen.add(node)
                    reached.append((node, seed))
                    lanes.append((lane, seed))
                    count += 1
                    yield node, hop, seed
                    break
        before, frontier = frontier, reached


PATH_NODES = 20_000
"""Nodes that a search for paths visits at most: some 20 ms. What is not found by then is not near."""


def shortest_paths(start: T, goal: T, longest: int, limit: int, steps: Callable[[T], Iterator[T]]) -> list[list[T]]:
    """Return at most `limit` of the shortest paths from `start` to `goal`, each with both ends, of at most `longest` steps; empty
    when there is none within `PATH_NODES` nodes. `steps` yields what is one step away."""
    if start == goal:
        return [[start]]
    before: dict[T, list[T]] = {start: []}
    frontier = [start]
    for _ in range(longest):
        reached: dict[T, list[T]] = {}
        for node in frontier:
            for other in steps(node):
                if other not in before:
                    from_here = reached.setdefault(other, [])
                    if from_here[-1:] != [node]:
                        from_here.append(node)
            if len(before) + len(reached) > PATH_NODES:
                break
        before |= reached
        if goal in reached:
            return list(itertools.islice(_ways_back(goal, before), limit))
        frontier = list(reached)
        if len(before) > PATH_NODES:
            break
    return []


def _ways_back(node: T, before: Mapping[T, list[T]]) -> Iterator[list[T]]:
    """Yield every way to `node`, by who was there before each."""
    if not before[node]:
        yield [node]
    for previous in before[node]:
        for way in _ways_back(previous, before):
            yield [*way, node]


_MASK = (1 << 64) - 1


def fingerprint(content: bytes) -> int:
    """Return 64 bits of BLAKE2b."""
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")


KIND_FINGERPRINTS: dict[EdgeKind, int] = {kind: fingerprint(kind.encode()) for kind in EDGE_KINDS}


def edge_fingerprint(source: int, target: int, kind: EdgeKind) -> int:
    """Return 64 bits of an edge, from the fingerprints of its ends' ids, by a multiply-xorshift mix (the odd constants are those
    of SplitMix64 and xxHash64), which costs no second hash."""
    mixed = (source * 0x9E3779B97F4A7C15 + target * 0xC2B2AE3D27D4EB4F + KIND_FINGERPRINTS[kind]) & _MASK
    mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93 & _MASK
    return mixed ^ (mixed >> 32)


def state_hash(fingerprints_of_nodes: int, fingerprints_of_edges: int) -> str:
    """Return the hash over a graph, from the sums of its fingerprints: adding makes it independent of order, and incremental.

    It covers nodes that are not `SHARED`, and edges except between two shared nodes: a shared node whose atoms are gone means
    nothing, and a rebuild would not make it. A node's fingerprint is that of its id, a zero byte and its fields as JSON with
    sorted keys and no spaces.
    """
    return f"{fingerprints_of_nodes & _MASK:016x}{fingerprints_of_edges & _MASK:016x}"


def same_subject_edges(one: str, others: Sequence[str]) -> Iterator[Edge]:
    """Yield the edges between a node and each of others of its subject, in both directions."""
    for other in others:
        yield Edge(one, other, "same_subject_as")
        yield Edge(other, one, "same_subject_as")
