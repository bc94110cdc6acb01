"""What an atom brings into the graph."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from lattice_common.domain.atom import Atom, Relation, Span
from lattice_common.domain.graph import SAME_SUBJECT_NEWEST, Edge, Node
from lattice_common.ingest.graph_change import graph_change, removal, together

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
ATOM = Atom(
    atom_id="a2",
    content="Anna moved to Lisbon.",
    kind="event",
    subject="Anna's  City",
    capture_id="c1",
    source_quote="Anna moved to Lisbon.",
    source_span=Span(0, 21),
    observed_at=NOW,
    ingested_at=NOW,
    entities=("Lisbon", "LISBON", "…"),
    source_id="chat",
    segment_id="3",
    episode_id="2026-01-05:s",
    supersedes=("a0",),
    relations=(Relation("extends", "a1"),),
)


def test_an_atom_comes_with_its_source_segment_subject_episode_and_entities() -> None:
    change = graph_change(ATOM, previous_in_segment="a1")
    assert set(change.edges) == {
        Edge("source:chat", "segment:c1:3", "source_contains_segment"),
        Edge("segment:c1:3", "atom:a2", "segment_contains_atom"),
        Edge("atom:a2", "subject:anna s city", "atom_has_subject"),
        Edge("episode:2026-01-05:s", "atom:a2", "episode_contains_atom"),
        Edge("atom:a2", "entity:lisbon", "mentions"),
        Edge("atom:a1", "atom:a2", "next_in_segment"),
        Edge("atom:a2", "atom:a0", "supersedes"),
        Edge("atom:a2", "atom:a1", "enriches"),
    }
    assert [node.node_id for node in change.nodes] == [
        "atom:a2",
        "source:chat",
        "segment:c1:3",
        "subject:anna s city",
        "episode:2026-01-05:s",
        "entity:lisbon",
    ]
    ends = {end for edge in change.edges for end in (edge.source, edge.target)}
    assert ends - {node.node_id for node in change.nodes} == {"atom:a0", "atom:a1"}, "other atoms bring their own nodes"


def test_nodes_and_edges_are_named_once() -> None:
    change = together([graph_change(ATOM), graph_change(replace(ATOM, atom_id="a3")), graph_change(ATOM)])
    assert len(change.nodes) == len({node.node_id for node in change.nodes}) == 7
    assert len(change.edges) == len(set(change.edges))
    assert Node("atom:a3", {"kind": "event"}) in change.nodes


def test_the_newest_of_the_same_subject_are_linked_both_ways_and_the_atom_not_to_itself() -> None:
    others = ["a2", *(f"b{number}" for number in range(40))]
    links = {edge for edge in graph_change(ATOM, others).edges if edge.kind == "same_subject_as"}
    newest = [f"atom:b{number}" for number in range(SAME_SUBJECT_NEWEST)]
    assert links == {edge for other in newest for edge in (_link("atom:a2", other), _link(other, "atom:a2"))}


def test_an_atom_written_by_hand_has_its_subject_only() -> None:
    bare = replace(ATOM, segment_id=None, episode_id=None, entities=(), supersedes=(), relations=())
    assert [edge.kind for edge in graph_change(bare).edges] == ["atom_has_subject"]
    assert graph_change(replace(bare, subject="?!")).edges == ()


def test_equal_words_are_linked() -> None:
    assert Edge("atom:a2", "atom:a1", "same_hash") in graph_change(ATOM, same_hash=["a1", "a2"]).edges


def test_a_removed_atom_is_all_that_goes() -> None:
    assert removal(ATOM).removed_nodes == ("atom:a2",)


def _link(source: str, target: str) -> Edge:
    return Edge(source, target, "same_subject_as")
