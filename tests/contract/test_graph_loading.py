"""A graph that is loaded at once is the one that was followed change by change: the same entries, in the same order."""

from __future__ import annotations

import tempfile
from contextlib import closing
from itertools import groupby
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.files.graph_log import FileGraphLog
from lattice_common.domain.graph import Edge, GraphChange, Node
from test_graph import atom_id

OF_ONE_RANK = [f"atom:01jd00000000{end * 14}" for end in "zab"]
"""Of one millisecond, and alike in the two characters after it."""
NODES = [*(f"atom:{atom_id(number)}" for number in range(6)), "subject:tea", "source:letters", *OF_ONE_RANK]

nodes = st.builds(Node, st.sampled_from(NODES), st.sampled_from([{}, {"kind": "fact"}]))
edges = st.builds(
    Edge, st.sampled_from(NODES), st.sampled_from(NODES), st.sampled_from(["next_in_segment", "mentions", "same_hash"])
)
changes = st.builds(
    GraphChange,
    st.lists(nodes, max_size=6).map(tuple),
    st.lists(edges, max_size=12).map(tuple),
    st.lists(st.sampled_from(NODES), max_size=1).map(tuple),
    st.lists(edges, max_size=2).map(tuple),
)


def entries(graph: EmbeddedGraph) -> dict[str, list[tuple[str, list[int]]]]:
    """By node: the other ends in order, and the kinds and directions of the edges to each, in no order."""
    state = graph._state  # what is equal here is equal to every question
    return {
        node_id: [
            (state.ids[other], sorted(entry & 255 for entry in same)) for other, same in groupby(held, lambda entry: entry >> 8)
        ]
        for node_id, held in zip(state.ids, state.entries, strict=True)
        if held
    }


def loaded(*written: GraphChange, at_once: bool) -> dict[str, list[tuple[str, list[int]]]]:
    with tempfile.TemporaryDirectory() as folder, closing(FileGraphLog(Path(folder))) as log:
        log.append(GraphChange((Node(NODES[0]),)))
        with closing(EmbeddedGraph(Path(folder))) as follower:
            for change in written:
                log.append(change)
                follower.refresh()
            if not at_once:
                return entries(follower)
        with closing(EmbeddedGraph(Path(folder))) as late:
            return entries(late)


@given(
    st.lists(edges, unique=True, max_size=30).flatmap(lambda some: st.tuples(st.just(some), st.permutations(some))), st.booleans()
)
def test_the_order_in_which_edges_were_written_is_not_seen(both: tuple[list[Edge], list[Edge]], at_once: bool) -> None:
    one, other = (loaded(*(GraphChange(edges=(edge,)) for edge in some), at_once=at_once) for some in both)
    assert one == other


@given(st.lists(changes, min_size=1, max_size=6), st.lists(changes, max_size=3))
def test_leaving_out_removed_nodes_changes_nothing(written: list[GraphChange], later: list[GraphChange]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(FileGraphLog(Path(folder))) as log,
        closing(EmbeddedGraph(Path(folder))) as plain,
        closing(EmbeddedGraph(Path(folder))) as compacted,
    ):
        log.append(GraphChange((Node(NODES[0]),)))
        for change in written:
            log.append(change)
        for each in (plain, compacted):
            each.refresh()
        assert compacted._followed is not None
        compacted._state = compacted._followed.state = compacted._state.compacted()
        for change in later:
            log.append(change)
        for each in (plain, compacted):
            each.refresh()
        assert entries(compacted) == entries(plain)
        assert compacted.stats() == plain.stats()
        state = compacted._state
        assert {node_id: state.fields[number] for node_id, number in state.numbers.items()} == {
            node_id: plain._state.fields[number] for node_id, number in plain._state.numbers.items() if node_id in state.numbers
        }


def test_nodes_that_come_and_go_take_no_ever_growing_memory() -> None:
    with tempfile.TemporaryDirectory() as folder, closing(FileGraphLog(Path(folder))) as log:
        log.append(GraphChange((Node("subject:tea"),)))
        with closing(EmbeddedGraph(Path(folder))) as graph:
            for first in range(0, 8_000, 500):
                some = [f"atom:{atom_id(first + number)}" for number in range(500)]
                told = tuple(Edge(each, "subject:tea", "mentions") for each in some)
                log.append(GraphChange(tuple(map(Node, some)), told))
                graph.refresh()
                log.append(GraphChange(removed_nodes=tuple(some)))
                graph.refresh()
            assert len(graph._state.ids) < 5_000
            assert graph.stats().nodes == 1


@given(st.lists(changes, max_size=6))
def test_one_who_loads_all_of_it_has_what_one_who_followed_has(written: list[GraphChange]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(FileGraphLog(Path(folder))) as log,
        closing(EmbeddedGraph(Path(folder))) as follower,
    ):
        log.append(GraphChange((Node(NODES[0]),)))
        follower.refresh()  # from here on it follows
        for change in written:
            log.append(change)
            follower.refresh()
        with closing(EmbeddedGraph(Path(folder))) as late:
            assert entries(late) == entries(follower)
            assert late.stats() == follower.stats()
