"""The contract of `ports.graph`: sidecars and traversal, on every adapter, and what only files can show."""

from __future__ import annotations

import errno
import itertools
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.graph_lines import EDGES, NODES, SCHEMA_VERSION, seal
from lattice_common.adapters.files.graph_log import FileGraphLog
from lattice_common.adapters.memory.graph import MemoryGraph, MemoryGraphLog
from lattice_common.adapters.server.http_graph import HttpGraph
from lattice_common.domain.graph import HUB_LIMIT, HUB_NEWEST, Edge, EdgeKind, GraphChange, Node, same_subject_edges
from lattice_common.domain.seal import seal_of
from lattice_common.errors import Conflict, Corrupt
from lattice_common.ports.graph import Graph, GraphLog, WrittenGraph
from lattice_graph.app import create_app

from tests.serving import serving

FILES = (NODES, EDGES)


@dataclass
class Pair:
    """A log, and graphs that read it."""

    log: GraphLog
    reader: Callable[[], Graph]


@pytest.fixture(params=["files", "service", "memory"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    opened: list[EmbeddedGraph | HttpGraph] = []

    def reader() -> EmbeddedGraph:
        opened.append(graph := EmbeddedGraph(tmp_path))
        return graph

    if request.param == "files":
        made = Pair(FileGraphLog(tmp_path), reader)
    elif request.param == "service":
        url = request.getfixturevalue("graph_service")

        def asked() -> HttpGraph:
            opened.append(graph := HttpGraph(url, "the token"))
            graph.refresh()
            return graph

        made = Pair(FileGraphLog(tmp_path), asked)
    else:
        log = MemoryGraphLog()
        made = Pair(log, lambda: MemoryGraph(log))
    yield made
    made.log.close()
    for graph in opened:
        graph.close()


@pytest.fixture
def graph_service(tmp_path: Path) -> Iterator[str]:
    """The service over the test's folder, on a port of its own."""
    with serving(create_app(tmp_path, "the token")) as url:
        yield url


def atom_id(number: int) -> str:
    """Ids in the order of numbers, as if a second apart."""
    return f"01jd{number:06d}{'0' * 16}"


def atom(number: int, kind: str = "fact") -> Node:
    return Node(f"atom:{atom_id(number)}", {"kind": kind})


def edge(source: int, target: int, kind: EdgeKind = "next_in_segment") -> Edge:
    return Edge(f"atom:{atom_id(source)}", f"atom:{atom_id(target)}", kind)


def about(subject: str, *numbers: int) -> GraphChange:
    return GraphChange(
        (Node(f"subject:{subject}"), *map(atom, numbers)),
        tuple(Edge(f"atom:{atom_id(number)}", f"subject:{subject}", "atom_has_subject") for number in numbers),
    )


CHAIN = GraphChange(tuple(map(atom, range(5))), tuple(edge(n, n + 1) for n in range(4)))


def reached(graph: Graph, *seeds: int, limit: int = 100, hops: int = 2) -> dict[str, int]:
    return {each.atom_id: each.hops for each in graph.expand([atom_id(seed) for seed in seeds], limit, hops=hops)}


def test_what_is_appended_is_seen_after_a_refresh(pair: Pair) -> None:
    graph = pair.reader()
    assert graph.stats().nodes == 0
    pair.log.append(CHAIN)
    graph.refresh()
    assert (graph.stats().nodes, graph.stats().edges) == (5, 4)
    assert set(graph.neighbours(atom_id(1))) == {edge(0, 1), edge(1, 2)}


def test_one_who_follows_and_one_who_comes_later_see_the_same(pair: Pair) -> None:
    follower = pair.reader()
    for change in (CHAIN, about("city", 1, 7, 9), GraphChange(removed_nodes=(f"atom:{atom_id(2)}",))):
        pair.log.append(change)
        follower.refresh()
    assert follower.stats() == pair.reader().stats()


def test_a_change_that_is_appended_again_changes_nothing(pair: Pair) -> None:
    change = GraphChange((atom(1), atom(2)), (edge(1, 2),), (f"atom:{atom_id(3)}",), (edge(1, 3),))
    pair.log.append(GraphChange((atom(3),), (edge(1, 3), edge(3, 2))))
    pair.log.append(change)
    before = pair.reader().stats()
    pair.log.append(change)
    assert pair.reader().stats() == before
    assert before.nodes == 2
    assert before.edges == 1


def test_the_state_hash_does_not_depend_on_the_order_of_writing(pair: Pair) -> None:
    parts = (GraphChange((atom(1),)), GraphChange((atom(2),)), GraphChange(edges=(edge(1, 2),)), about("city", 1))
    hashes = set()
    for order in itertools.islice(itertools.permutations(parts), 0, None, 5):
        pair.log.replace(GraphChange())
        for part in order:
            pair.log.append(part)
        hashes.add(pair.reader().stats())
    assert len(hashes) == 1


def test_the_state_hash_tells_fields_directions_and_kinds_apart(pair: Pair) -> None:
    hashes = []
    for node, link in (
        (atom(2), edge(1, 2)),
        (atom(2, "event"), edge(1, 2)),
        (atom(2), edge(2, 1)),
        (atom(2), edge(1, 2, "same_hash")),
    ):
        pair.log.replace(GraphChange((atom(1), node), (link,)))
        hashes.append(pair.reader().stats().state_hash)
    assert len(set(hashes)) == len(hashes)


def test_shared_nodes_that_lost_their_atoms_leave_no_trace_in_the_state_hash(pair: Pair) -> None:
    segment = GraphChange((Node("source:s"), Node("segment:c:1")), (Edge("source:s", "segment:c:1", "source_contains_segment"),))
    pair.log.append(about("city", 1))
    before = pair.reader().stats().state_hash
    pair.log.append(about("piano", 2))
    pair.log.append(segment)
    assert pair.reader().stats().state_hash != before
    pair.log.append(GraphChange(removed_nodes=(f"atom:{atom_id(2)}",)))
    assert pair.reader().stats().state_hash == before


def held(subject: str, source: str, number: int) -> GraphChange:
    this, segment = f"atom:{atom_id(number)}", f"segment:{source}:{number}"
    about_it = about(subject, number)
    return GraphChange(
        (*about_it.nodes, Node(f"source:{source}"), Node(segment)),
        (
            *about_it.edges,
            Edge(f"source:{source}", segment, "source_contains_segment"),
            Edge(segment, this, "segment_contains_atom"),
            edge(number, 9, "supersedes"),
        ),
    )


@pytest.mark.parametrize("kind", ["files", "memory"])
def test_what_only_some_atoms_hold_is_named_with_the_source_of_their_segments(tmp_path: Path, kind: str) -> None:
    log = FileGraphLog(tmp_path) if kind == "files" else MemoryGraphLog()
    for change in (GraphChange((atom(9),)), held("city", "s", 1), held("city", "s", 2), held("piano", "t", 3)):
        log.append(change)
    graph: WrittenGraph = EmbeddedGraph(tmp_path) if isinstance(log, FileGraphLog) else MemoryGraph(log)
    assert graph.held_by([atom_id(3)]) == ["segment:t:3", "source:t", "subject:piano"]
    assert graph.held_by([atom_id(1)]) == ["segment:s:1"]
    assert graph.held_by([atom_id(1), atom_id(2)]) == ["segment:s:1", "segment:s:2", "source:s", "subject:city"]
    assert graph.held_by([atom_id(7)]) == []
    log.append(GraphChange(removed_nodes=(f"atom:{atom_id(2)}",)))
    graph.refresh()
    assert graph.held_by([atom_id(1)]) == ["segment:s:1", "subject:city"]  # the other segment is still of the source


def test_a_removed_atom_takes_its_edges_with_it_and_comes_back_without_them(pair: Pair) -> None:
    pair.log.append(CHAIN)
    pair.log.append(GraphChange(removed_nodes=(f"atom:{atom_id(2)}",)))
    graph = pair.reader()
    assert graph.neighbours(atom_id(2)) == []
    assert reached(graph, 1) == {atom_id(0): 1}
    assert (graph.stats().nodes, graph.stats().edges) == (4, 2)
    pair.log.append(GraphChange((atom(2),)))
    graph.refresh()
    assert graph.neighbours(atom_id(2)) == []
    assert (graph.stats().nodes, graph.stats().edges) == (5, 2)


def test_one_direction_of_a_pair_of_edges_can_be_removed(pair: Pair) -> None:
    both = tuple(same_subject_edges(f"atom:{atom_id(1)}", [f"atom:{atom_id(2)}"]))
    pair.log.append(GraphChange((atom(1), atom(2)), both))
    pair.log.append(GraphChange(removed_edges=both[:1]))
    graph = pair.reader()
    assert graph.neighbours(atom_id(1)) == [both[1]]
    assert graph.stats().edges == 1
    pair.log.append(GraphChange(edges=both))
    graph.refresh()
    assert set(graph.neighbours(atom_id(1))) == set(both)


def test_an_edge_is_seen_once_both_of_its_ends_are_there(pair: Pair) -> None:
    pair.log.append(GraphChange((atom(1),), (edge(1, 2),)))
    graph = pair.reader()
    assert graph.neighbours(atom_id(1)) == []
    assert graph.stats().edges == 0
    pair.log.append(GraphChange((atom(2),)))
    graph.refresh()
    assert graph.neighbours(atom_id(1)) == [edge(1, 2)]
    assert graph.stats().edges == 1


def test_a_node_that_is_added_again_gets_the_new_fields(pair: Pair) -> None:
    for kind in ("fact", "event"):
        pair.log.append(GraphChange((atom(1, kind),)))
    nodes, _ = pair.reader().subgraph(f"atom:{atom_id(1)}")
    assert nodes == [atom(1, "event")]


def test_replace_leaves_nothing_of_what_was_before(pair: Pair) -> None:
    graph = pair.reader()
    pair.log.append(CHAIN)
    graph.refresh()
    pair.log.replace(about("city", 8, 9))
    graph.refresh()
    assert graph.stats() == pair.reader().stats()
    assert graph.stats().nodes == 3
    assert reached(graph, 8) == {atom_id(9): 1}
    pair.log.append(CHAIN)
    graph.refresh()
    assert graph.stats().nodes == 8


def test_expansion_goes_over_edges_in_both_directions_nearest_first(pair: Pair) -> None:
    pair.log.append(CHAIN)
    graph = pair.reader()
    assert reached(graph, 2) == {atom_id(1): 1, atom_id(3): 1, atom_id(0): 2, atom_id(4): 2}
    assert list(reached(graph, 0, hops=4).values()) == [1, 2, 3, 4]
    assert reached(graph, 0, hops=1) == {atom_id(1): 1}
    assert graph.expand([], 10) == []
    assert graph.expand(["01jdnothing"], 10) == []


def test_a_step_goes_through_a_shared_subject_entity_or_segment_but_not_through_an_episode(pair: Pair) -> None:
    links: list[tuple[str, EdgeKind, bool]] = [
        ("subject:city", "atom_has_subject", True),
        ("entity:anna", "mentions", True),
        ("segment:c:1", "segment_contains_atom", False),
        ("episode:2026-01-05:s", "episode_contains_atom", False),
    ]
    for number, (hub, kind, outgoing) in enumerate(links, start=1):
        ends = [(f"atom:{atom_id(n)}", hub) for n in (0, number)]
        pair.log.append(
            GraphChange(
                (Node(hub), atom(0), atom(number)), tuple(Edge(a, h, kind) if outgoing else Edge(h, a, kind) for a, h in ends)
            )
        )
    assert reached(pair.reader(), 0, hops=1) == {atom_id(1): 1, atom_id(2): 1, atom_id(3): 1}


def test_what_shares_an_episode_or_a_source_is_two_steps_away(pair: Pair) -> None:
    day, letters = "episode:2026-01-05:s", "source:letters"
    parts: list[tuple[str, str, EdgeKind]] = [
        (day, f"atom:{atom_id(0)}", "episode_contains_atom"),
        (day, f"atom:{atom_id(1)}", "episode_contains_atom"),
        *((letters, f"segment:c:{n}", "source_contains_segment") for n in (0, 2)),
        *((f"segment:c:{n}", f"atom:{atom_id(n)}", "segment_contains_atom") for n in (0, 2)),
        (f"atom:{atom_id(2)}", "subject:city", "atom_has_subject"),
        (f"atom:{atom_id(3)}", "subject:city", "atom_has_subject"),
    ]
    nodes = dict.fromkeys(name for source, target, _ in parts for name in (source, target))
    pair.log.append(GraphChange(tuple(map(Node, nodes)), tuple(Edge(*each) for each in parts)))
    graph = pair.reader()
    assert reached(graph, 0, hops=1) == {}
    assert reached(graph, 0) == {atom_id(1): 2, atom_id(2): 2}
    assert reached(graph, 0, hops=3) == {atom_id(1): 2, atom_id(2): 2, atom_id(3): 3}
    pair.log.append(about("piano", 0, 9))
    graph.refresh()
    assert list(reached(graph, 0, limit=2)) == [atom_id(9), atom_id(1)], "nearer ones come first"


def test_an_episode_of_very_many_leads_nowhere(pair: Pair) -> None:
    ids = [f"atom:{atom_id(number)}" for number in range(HUB_LIMIT + 1)]
    edges = tuple(Edge("episode:2026-01-05:s", each, "episode_contains_atom") for each in ids)
    pair.log.append(GraphChange((Node("episode:2026-01-05:s"), *map(Node, ids)), edges))
    assert reached(pair.reader(), 0) == {}


def test_expansion_stops_at_its_limit_and_names_the_seed(pair: Pair) -> None:
    pair.log.append(about("city", *range(10)))
    pair.log.append(about("piano", *range(20, 30)))
    found = pair.reader().expand([atom_id(0), atom_id(20)], 6)
    assert len(found) == 6
    assert {(each.seed, each.atom_id > atom_id(15)) for each in found} == {(atom_id(0), False), (atom_id(20), True)}
    assert [each.seed for each in found].count(atom_id(0)) == 3, "seeds take turns"


def test_a_shared_node_leads_to_its_newest_atoms_only(pair: Pair) -> None:
    pair.log.append(about("city", *range(60, 30, -1), *range(30)))
    found = reached(pair.reader(), 5, hops=1)
    assert set(found) == {atom_id(number) for number in range(61 - HUB_NEWEST, 61)}


def test_a_node_that_everything_shares_connects_nothing(pair: Pair) -> None:
    pair.log.append(about("me", *range(HUB_LIMIT + 1)))
    assert reached(pair.reader(), 0) == {}


def test_the_closest_kinds_of_edges_are_walked_first(pair: Pair) -> None:
    pair.log.append(about("city", 0, 1))
    same = tuple(same_subject_edges(f"atom:{atom_id(0)}", [f"atom:{atom_id(2)}"]))
    pair.log.append(GraphChange((atom(2), atom(3)), (*same, edge(0, 3, "supersedes"))))
    assert list(reached(pair.reader(), 0)) == [atom_id(3), atom_id(2), atom_id(1)]


def test_neighbours_can_be_asked_for_by_kind(pair: Pair) -> None:
    pair.log.append(CHAIN)
    pair.log.append(GraphChange(edges=(edge(3, 1, "supersedes"),)))
    assert pair.reader().neighbours(atom_id(1), ["supersedes"]) == [edge(3, 1, "supersedes")]


def test_a_subgraph_has_the_nodes_around_one_and_the_edges_among_them(pair: Pair) -> None:
    pair.log.append(about("city", 0, 1))
    pair.log.append(CHAIN)
    graph = pair.reader()
    nodes, edges = graph.subgraph(f"atom:{atom_id(0)}")
    assert {node.node_id for node in nodes} == {f"atom:{atom_id(0)}", f"atom:{atom_id(1)}", "subject:city"}
    assert set(edges) == {*about("city", 0, 1).edges, edge(0, 1)}
    nodes, edges = graph.subgraph("subject:city", depth=2, limit=3)
    assert len(nodes) == 3
    assert graph.subgraph("subject:nothing") == ([], [])


# -- files


def test_paths_are_the_shortest_ways_between_two_nodes_in_either_direction(pair: Pair) -> None:
    ends, middle = [atom(1), atom(4)], [atom(2), atom(3)]
    edges = [Edge(ends[0].node_id, each.node_id, "next_in_segment") for each in middle]
    edges += [Edge(ends[1].node_id, each.node_id, "next_in_segment") for each in middle]
    detour = [Edge(ends[0].node_id, "subject:x", "atom_has_subject"), Edge(middle[0].node_id, "subject:x", "atom_has_subject")]
    pair.log.append(GraphChange(nodes=(*ends, *middle, Node("subject:x"), atom(9)), edges=(*edges, *detour)))
    graph = pair.reader()
    found = graph.paths(ends[0].node_id, ends[1].node_id)
    assert sorted(found) == [[ends[0].node_id, each.node_id, ends[1].node_id] for each in middle]
    assert len(graph.paths(ends[0].node_id, ends[1].node_id, limit=1)) == 1
    assert graph.paths(ends[0].node_id, ends[1].node_id, longest=1) == []
    assert graph.paths(ends[0].node_id, ends[0].node_id) == [[ends[0].node_id]]
    assert graph.paths(ends[0].node_id, atom(9).node_id) == []
    assert graph.paths(ends[0].node_id, "atom:nobody") == []


def test_the_graph_is_there_after_a_restart(tmp_path: Path) -> None:
    log = FileGraphLog(tmp_path)
    log.append(CHAIN)
    log.close()
    again = FileGraphLog(tmp_path)
    again.append(about("city", 0, 9))
    assert EmbeddedGraph(tmp_path).stats().nodes == 7


def test_each_node_and_each_edge_is_a_line_of_its_own_and_the_manifest_counts_them(tmp_path: Path) -> None:
    log = FileGraphLog(tmp_path, lambda: datetime(2026, 11, 26, 7, 0, tzinfo=UTC))
    one, two = atom(1), atom(2)
    log.append(GraphChange((one, two), tuple(same_subject_edges(two.node_id, [one.node_id]))))
    log.append(GraphChange((), (Edge(two.node_id, one.node_id, "supersedes"),)))
    log.close()
    folder = tmp_path / "graph"
    (_, *nodes), (_, *edges) = (list(map(orjson.loads, (folder / name).read_bytes().splitlines())) for name in FILES)
    assert [line["id"] for line in nodes] == [one.node_id, two.node_id]
    assert [{key: value for key, value in line.items() if key != "crc"} for line in edges] == [
        {"kind": "same_subject_as", "source": two.node_id, "target": one.node_id, "both": True},
        {"kind": "supersedes", "source": two.node_id, "target": one.node_id},
    ]
    manifest = orjson.loads((folder / "manifest.json").read_bytes())
    assert (manifest["nodes"]["lines"], manifest["edges"]["lines"]) == (3, 3)  # with the first line, which names the log
    assert manifest["built_at"] == "2026-11-26T07:00:00+00:00"
    assert EmbeddedGraph(tmp_path).stats().edges == 3


def test_lines_of_several_that_an_earlier_version_wrote_are_read(tmp_path: Path) -> None:
    log = FileGraphLog(tmp_path)
    log.append(CHAIN)
    before = EmbeddedGraph(tmp_path).stats()
    log.close()
    earlier: dict[str, list[dict[str, object]]] = {
        "nodes.jsonl": [{"add": [[node.node_id, dict(node.fields)] for node in CHAIN.nodes]}],
        "edges.jsonl": [{"add": [[edge.kind, edge.source, [edge.target]] for edge in CHAIN.edges]}, {"both": []}],
    }
    manifest = orjson.loads((tmp_path / "graph" / "manifest.json").read_bytes())
    for name, records in earlier.items():
        file = tmp_path / "graph" / name
        lines = [file.read_bytes().splitlines(keepends=True)[0], *map(seal, records)]
        file.write_bytes(b"".join(lines))
        manifest[name.partition(".")[0]] = {
            "bytes": sum(map(len, lines)),
            "lines": len(lines),
            "hash": sum(map(zlib.crc32, lines)),
        }
    (tmp_path / "graph" / "manifest.json").write_bytes(orjson.dumps(manifest | {"crc": seal_of(manifest)}))
    assert EmbeddedGraph(tmp_path).stats() == before
    log = FileGraphLog(tmp_path)
    log.append(GraphChange((atom(9),)))
    assert EmbeddedGraph(tmp_path).stats().nodes == before.nodes + 1


@pytest.mark.parametrize("tail", [b'{"add":[["atom:half', b"garbage\n", b"\n", b'{"add":[],"crc":"00000000"}\n'])
@pytest.mark.parametrize("name", ["nodes.jsonl", "edges.jsonl"])
def test_a_torn_tail_is_cut_off_and_never_seen(tmp_path: Path, name: str, tail: bytes) -> None:
    log = FileGraphLog(tmp_path)
    log.append(CHAIN)
    before = EmbeddedGraph(tmp_path).stats()
    log.close()
    file = tmp_path / "graph" / name
    whole = file.read_bytes()
    file.write_bytes(whole + tail)
    assert EmbeddedGraph(tmp_path).stats() == before
    log = FileGraphLog(tmp_path)
    assert file.read_bytes() == whole
    log.append(GraphChange((atom(9),)))
    assert EmbeddedGraph(tmp_path).stats().nodes == before.nodes + 1


def test_a_log_that_lost_committed_bytes_says_so_and_a_rebuild_heals_it(tmp_path: Path) -> None:
    log = FileGraphLog(tmp_path)
    log.append(CHAIN)
    log.close()
    file = tmp_path / "graph" / "edges.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    log = FileGraphLog(tmp_path)
    assert "lattice rebuild" in (log.trouble or "")
    with pytest.raises(Corrupt, match="shorter"):
        log.append(CHAIN)
    log.replace(CHAIN)
    assert not log.trouble
    assert EmbeddedGraph(tmp_path).stats().edges == 4


@pytest.mark.parametrize("damage", [b"X", b"\n"])
def test_damage_within_what_was_committed_is_noticed_and_what_was_before_stays(tmp_path: Path, damage: bytes) -> None:
    log = FileGraphLog(tmp_path)
    log.append(about("city", 0, 1))
    good = EmbeddedGraph(tmp_path).stats()
    size = (tmp_path / "graph" / "nodes.jsonl").stat().st_size
    log.append(about("city", 2))
    file = tmp_path / "graph" / "nodes.jsonl"
    content = bytearray(file.read_bytes())
    content[size + 10 : size + 11] = damage
    file.write_bytes(content)
    graph = EmbeddedGraph(tmp_path)
    assert f"byte {size}" in (graph.trouble or "")
    assert graph.stats().nodes == good.nodes
    log.replace(about("city", 0, 1))
    graph.refresh()
    assert not graph.trouble
    assert graph.stats() == good


def test_a_manifest_of_a_newer_schema_is_read_but_not_written(tmp_path: Path) -> None:
    log = FileGraphLog(tmp_path)
    log.append(CHAIN)
    before = EmbeddedGraph(tmp_path).stats()
    log.close()
    path = tmp_path / "graph" / "manifest.json"
    fields = orjson.loads(path.read_bytes()) | {"schema_version": SCHEMA_VERSION + 1}
    path.write_bytes(orjson.dumps(fields | {"crc": seal_of(fields)}))
    newer = FileGraphLog(tmp_path)
    for write in (newer.append, newer.replace):
        with pytest.raises(Conflict, match="update Lattice"):
            write(CHAIN)
    assert EmbeddedGraph(tmp_path).stats() == before


def test_a_broken_manifest_says_so_and_a_rebuild_heals_it(tmp_path: Path) -> None:
    FileGraphLog(tmp_path).close()
    (tmp_path / "graph" / "manifest.json").write_bytes(b"{")
    assert EmbeddedGraph(tmp_path).trouble is not None
    log = FileGraphLog(tmp_path)
    assert log.trouble is not None
    log.replace(CHAIN)
    assert EmbeddedGraph(tmp_path).stats().edges == 4


class Died(BaseException):
    """The process ends here."""


def die_at(point: str) -> Callable[[str], None]:
    def hook(name: str) -> None:
        if name == point:
            raise Died

    return hook


POINTS = [
    "durable.append.before_fsync",
    "graph.append.before_manifest",
    "durable.write.before_fsync",
    "durable.write.before_rename",
    "durable.write.before_fsync_dir",
    "durable.write.done",
    "graph.replace.before_manifest",
    "graph.replace.before_rename",
    "durable.move.before_rename",
    "durable.move.done",
]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("step", ["append", "replace"])
def test_a_change_is_whole_or_absent_wherever_the_writer_dies(tmp_path: Path, step: str, point: str) -> None:
    log = FileGraphLog(tmp_path)
    log.append(CHAIN)
    follower = EmbeddedGraph(tmp_path)
    before = follower.stats()
    change = about("city", 0, 9)
    durable.set_failpoint(die_at(point))
    try:
        getattr(log, step)(change)
    except Died:
        pass
    finally:
        durable.set_failpoint(None)
    follower.refresh()
    seen = EmbeddedGraph(tmp_path).stats()
    assert follower.stats() == seen
    after = MemoryGraphLog()
    for each in (CHAIN, change) if step == "append" else (change,):
        after.append(each)
    assert seen in (before, MemoryGraph(after).stats())
    log.close()
    again = FileGraphLog(tmp_path)
    assert again.trouble is None
    assert EmbeddedGraph(tmp_path).stats() == seen
    getattr(again, step)(change)
    assert EmbeddedGraph(tmp_path).stats() == MemoryGraph(after).stats()
    assert sorted(path.name for path in (tmp_path / "graph").glob("*.jsonl*")) == ["edges.jsonl", "nodes.jsonl"]


def test_a_full_disk_in_the_middle_of_an_append_leaves_no_trace(tmp_path: Path) -> None:
    log = FileGraphLog(tmp_path)
    log.append(CHAIN)
    before = EmbeddedGraph(tmp_path).stats()

    def full(name: str) -> None:
        if name == "graph.append.before_manifest":
            raise OSError(28, "No space left on device")

    durable.set_failpoint(full)
    try:
        with pytest.raises(OSError, match="No space"):
            log.append(about("city", 1, 2))
    finally:
        durable.set_failpoint(None)
    assert EmbeddedGraph(tmp_path).stats() == before
    log.append(about("piano", 3))
    assert EmbeddedGraph(tmp_path).stats().nodes == before.nodes + 1
    assert EmbeddedGraph(tmp_path).trouble is None


def test_a_snapshot_gives_the_same_graph_as_the_sidecars(tmp_path: Path) -> None:
    log = FileGraphLog(tmp_path)
    log.append(CHAIN)
    log.append(about("city", 0, 1, 2))
    log.append(GraphChange(removed_nodes=(f"atom:{atom_id(3)}",), edges=(edge(1, 8),)))
    saved = EmbeddedGraph(tmp_path, keep_snapshot=True, snapshot_after=0)
    assert (tmp_path / "graph" / "snapshot.bin").exists()
    log.append(GraphChange((atom(8), atom(9)), (edge(8, 9),)))
    loaded = EmbeddedGraph(tmp_path)
    saved.refresh()
    (tmp_path / "graph" / "snapshot.bin").unlink()
    plain = EmbeddedGraph(tmp_path)
    assert loaded.stats() == plain.stats() == saved.stats()
    for number in range(10):
        assert loaded.neighbours(atom_id(number)) == plain.neighbours(atom_id(number))
        assert loaded.expand([atom_id(number)], 50) == plain.expand([atom_id(number)], 50)
        assert loaded.subgraph(f"atom:{atom_id(number)}") == plain.subgraph(f"atom:{atom_id(number)}")


def test_a_disk_with_no_room_for_the_snapshot_keeps_nobody_from_the_graph(tmp_path: Path) -> None:
    def full(step: str) -> None:
        if step == "durable.write.before_fsync":
            raise OSError(errno.ENOSPC, "No space left on device")

    log = FileGraphLog(tmp_path)
    graph = EmbeddedGraph(tmp_path, keep_snapshot=True, snapshot_after=0)
    log.append(CHAIN)
    durable.set_failpoint(full)
    try:
        graph.refresh()
    finally:
        durable.set_failpoint(None)
    assert graph.trouble is None
    assert graph.neighbours(atom_id(1))
    assert graph.stats() == EmbeddedGraph(tmp_path).stats()


@pytest.mark.parametrize("damage", ["half", "flipped", "header", "empty", "another log"])
def test_a_snapshot_that_does_not_fit_is_not_used(tmp_path: Path, damage: str) -> None:
    log = FileGraphLog(tmp_path)
    log.append(CHAIN)
    EmbeddedGraph(tmp_path, keep_snapshot=True, snapshot_after=0)
    path = tmp_path / "graph" / "snapshot.bin"
    content = path.read_bytes()
    if damage == "another log":
        log.replace(about("city", 1))
    else:
        flipped = content[:-3] + bytes([content[-3] ^ 1]) + content[-2:]
        damaged = {"half": content[: len(content) // 2], "flipped": flipped, "header": b"0" + content, "empty": b""}
        path.write_bytes(damaged[damage])
    graph = EmbeddedGraph(tmp_path)
    assert graph.trouble is None
    assert graph.stats() == EmbeddedGraph(tmp_path).stats()


@pytest.fixture
def busy_threads() -> Iterator[None]:
    """Threads take turns 500 times as often: more that can meet, and nobody waits for a busy one."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 500)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("busy_threads")
def test_readers_may_ask_while_the_graph_grows(tmp_path: Path) -> None:
    log = FileGraphLog(tmp_path)
    graph = EmbeddedGraph(tmp_path)
    errors: list[Exception] = []
    done = threading.Event()

    def ask() -> None:
        try:
            while not done.is_set():
                graph.expand([atom_id(0), atom_id(1)], 20)
                graph.subgraph("subject:city", depth=2)
        except Exception as error:  # noqa: BLE001 - shown below
            errors.append(error)

    asker = threading.Thread(target=ask)
    asker.start()
    for number in range(30):
        log.append(about("city", number, number // 2))
        if number % 3 == 0:
            log.append(GraphChange(removed_nodes=(f"atom:{atom_id(number // 2)}",)))
        graph.refresh()
    done.set()
    asker.join()
    assert errors == []
    assert graph.stats() == EmbeddedGraph(tmp_path).stats()
