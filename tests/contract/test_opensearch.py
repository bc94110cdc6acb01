"""What only OpenSearch can show: generations behind an alias, shards, several nodes, and others in the same cluster."""

from __future__ import annotations

import socket
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lattice_common.adapters.memory.lexical_index import MemoryLexicalIndex
from lattice_common.adapters.server.opensearch_connection import Connection, OpenSearchAddress
from lattice_common.adapters.server.opensearch_lexical import PAGE, TEMPLATE, OpenSearchLexicalIndex
from lattice_common.domain.recall import Filter
from lattice_common.errors import Unavailable
from lattice_common.ports.lexical_index import LexicalDocument, LexicalIndex
from opensearchpy import OpenSearch
from test_lexical_index import VOCABULARY, asked, assert_same, changes, document, filters, ids

WORDS = ["coffee", "tea", "milk", "bread", "butter", "salt", "pepper", "honey", "rice", "beans", "soup", "cake"]


@pytest.fixture
def cluster(opensearch_url: str) -> Iterator[OpenSearch]:
    """To look at what the adapter made, and to take it away again."""
    client = OpenSearch(hosts=[opensearch_url])
    yield client
    client.indices.delete(index="own-*")
    client.close()


@pytest.fixture
def alias() -> str:
    return f"own-{uuid.uuid4().hex}"


def opened(url: str, alias: str, *, shards: int = 1, writes: bool = True, page: int = PAGE) -> OpenSearchLexicalIndex:
    return OpenSearchLexicalIndex(Connection(OpenSearchAddress([url])), alias=alias, shards=shards, writes=writes, page=page)


def filled(url: str, alias: str, *, shards: int = 1, count: int = 40, page: int = PAGE) -> OpenSearchLexicalIndex:
    index = opened(url, alias, shards=shards, page=page)
    index.upsert(
        [
            document(f"{n:03}", " ".join(WORDS[n % 12 : n % 12 + 3] * (n % 4 + 1)), window=" ".join(WORDS[n % 5 :: 3]), seq=9)
            for n in range(count)
        ]
    )
    index.commit()
    return index


def generations(cluster: OpenSearch, alias: str) -> list[str]:
    return sorted(cluster.indices.get(index=f"{alias}-*"))


@pytest.mark.servers
def test_an_index_of_another_template_is_copied_behind_the_alias_and_loses_nothing(
    opensearch_url: str, cluster: OpenSearch, alias: str
) -> None:
    with closing(filled(opensearch_url, alias)) as index:
        held = sorted(index.entries())
        found = index.search(asked("coffee milk cake"), 20)
    (first,) = generations(cluster, alias)
    cluster.indices.put_mapping(index=first, body={"_meta": {"stamp": "of another version"}})
    with closing(opened(opensearch_url, alias)) as index:
        assert sorted(index.entries()) == held
        assert index.search(asked("coffee milk cake"), 20) == found
        assert generations(cluster, alias) == [f"{alias}-000002"]
        index.upsert([document("000", "nothing", seq=8)])
        index.commit()
        assert sorted(index.entries()) == held, "seqs are copied, too"
    with closing(opened(opensearch_url, alias)) as again:
        assert sorted(again.entries()) == held
        assert generations(cluster, alias) == [f"{alias}-000002"], "once is enough"


@pytest.mark.servers
def test_a_reader_goes_on_in_the_old_index_until_the_new_one_is_whole(
    opensearch_url: str, cluster: OpenSearch, alias: str
) -> None:
    with closing(filled(opensearch_url, alias)) as writer, closing(opened(opensearch_url, alias, writes=False)) as reader:
        found = reader.search(asked("coffee"), 20)
        with writer.anew():
            writer.upsert([document("new", "coffee", seq=1)])
            writer.commit()
            assert reader.search(asked("coffee"), 20) == found
        assert ids(reader.search(asked("coffee"), 20)) == ["new"]
        assert generations(cluster, alias) == [f"{alias}-000002"]


@pytest.mark.servers
def test_one_that_was_not_finished_takes_no_place_and_is_taken_away_by_the_next(
    opensearch_url: str, cluster: OpenSearch, alias: str
) -> None:
    with closing(filled(opensearch_url, alias)) as index:
        held = sorted(index.entries())

        def cut_short() -> None:
            with index.anew():
                index.upsert([document("new", "coffee", seq=1)])
                index.commit()
                raise Unavailable("something else went away")

        with pytest.raises(Unavailable, match="something else"):
            cut_short()
        assert sorted(index.entries()) == held
        index.upsert([document("later", "coffee", seq=10)])
        index.commit()
        assert len(list(index.entries())) == len(held) + 1
        with index.anew():
            pass
        assert list(index.entries()) == []
        assert generations(cluster, alias) == [f"{alias}-000002"]


@pytest.mark.servers
def test_more_shards_give_the_same_scores_in_the_same_order(opensearch_url: str, cluster: OpenSearch, alias: str) -> None:
    one, three = filled(opensearch_url, f"{alias}-1"), filled(opensearch_url, f"{alias}-3", shards=3)
    for question in ("coffee", "milk bread tea", "cake salt", "honey rice beans soup"):
        for within in (None, Filter(kind=("fact",))):
            expected, found = one.search(asked(question), 25, within), three.search(asked(question), 25, within)
            assert ids(found) == ids(expected)
            assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-5)
    (index,) = generations(cluster, f"{alias}-3")
    assert cluster.indices.get_settings(index=index)[index]["settings"]["index"]["number_of_shards"] == "3"
    one.close()
    three.close()


@pytest.mark.servers
def test_another_number_of_shards_copies_the_index(opensearch_url: str, cluster: OpenSearch, alias: str) -> None:
    with closing(filled(opensearch_url, alias)) as index:
        held = sorted(index.entries())
    with closing(opened(opensearch_url, alias, shards=2)) as index:
        assert sorted(index.entries()) == held
    assert generations(cluster, alias) == [f"{alias}-000002"]


@pytest.mark.servers
def test_indexes_of_another_data_folder_are_not_touched(opensearch_url: str, cluster: OpenSearch, alias: str) -> None:
    """Not even of one whose name begins the same."""
    with closing(filled(opensearch_url, alias)) as mine, closing(filled(opensearch_url, f"{alias}-2")) as other:
        held = sorted(other.entries())
        mine.clear()
        assert list(mine.entries()) == []
        assert sorted(other.entries()) == held
        assert opened(opensearch_url, "own-nobody", writes=False).search(asked("coffee"), 5) == []


@pytest.mark.servers
def test_a_reader_makes_nothing(opensearch_url: str, cluster: OpenSearch, alias: str) -> None:
    with closing(opened(opensearch_url, alias, writes=False)) as reader:
        assert reader.search(asked("coffee"), 5) == []
        assert list(reader.entries()) == []
    assert not cluster.indices.exists(index=f"{alias}-*", params={"allow_no_indices": "false"})


@pytest.mark.servers
def test_what_was_closed_is_there_when_it_is_opened_again(opensearch_url: str, cluster: OpenSearch, alias: str) -> None:
    with closing(filled(opensearch_url, alias)) as index:
        held = sorted(index.entries())
        index.upsert([document("not committed", "coffee")])
    with closing(opened(opensearch_url, alias)) as index:
        assert sorted(index.entries()) == held
    assert generations(cluster, alias) == [f"{alias}-000001"]


@pytest.mark.servers
def test_while_one_node_is_away_the_others_answer(opensearch_url: str, cluster: OpenSearch, alias: str) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        dead = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        index = OpenSearchLexicalIndex(Connection(OpenSearchAddress([dead, opensearch_url])), alias=alias)
        with closing(index):
            for number in range(6):
                index.upsert([document(f"{number}", "coffee")])
                index.commit()
                assert len(index.search(asked("coffee"), 10)) == number + 1
            assert len(list(index.entries())) == 6


AGAINST_A_SERVER = settings(
    max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)
"""Each example costs a second: what fails is shown as it was found."""


def written(index: LexicalIndex, batches: list[list[LexicalDocument | str]]) -> None:
    for batch in batches:
        for change in batch:
            if isinstance(change, str):
                index.delete([change])
            else:
                index.upsert([change])
        index.commit()


@pytest.mark.servers
def test_it_holds_what_its_twin_holds_after_any_writes(opensearch_url: str, cluster: OpenSearch, alias: str) -> None:
    engine = opened(opensearch_url, alias)

    @AGAINST_A_SERVER
    @given(st.lists(st.lists(changes, max_size=8), max_size=4))
    def holds(batches: list[list[LexicalDocument | str]]) -> None:
        # What is deleted is written again with a later seq only: the one writer's seqs grow.
        seq = 0
        for batch in batches:
            for place, change in enumerate(batch):
                seq = seq + 10 if isinstance(change, str) else seq
                batch[place] = change if isinstance(change, str) else replace(change, seq=seq + change.seq)
        twin = MemoryLexicalIndex()
        engine.clear()
        written(engine, batches)
        written(twin, batches)
        assert sorted(engine.entries()) == sorted(twin.entries())

    holds()
    engine.close()


@pytest.mark.servers
def test_it_finds_what_its_twin_finds(opensearch_url: str, cluster: OpenSearch, alias: str) -> None:
    """Of documents written once: one that is replaced counts in Lucene's statistics until its segment is merged."""
    engine = opened(opensearch_url, alias)

    @AGAINST_A_SERVER
    @given(
        documents=st.lists(changes.filter(lambda each: not isinstance(each, str)), max_size=30),
        question=st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=5),
        within=filters,
        limit=st.integers(1, 10),
        boost=st.sampled_from([1.0, 0.3]),
    )
    def finds(documents: list[LexicalDocument], question: list[str], within: Filter, limit: int, boost: float) -> None:
        named = [replace(each, atom_id=f"{number:02}") for number, each in enumerate(documents)]
        twin = MemoryLexicalIndex()
        engine.clear()
        for index in (engine, twin):
            written(index, [list(named[:11]), list(named[11:])])
        assert_same(engine, twin, asked(" ".join(question), window=boost), limit, within)

    finds()
    engine.close()


@pytest.mark.servers
def test_half_an_answer_is_none(opensearch_url: str, cluster: OpenSearch, alias: str) -> None:
    """Of two shards the cluster has one: what is in the other would be missing without a word."""
    mappings = {**TEMPLATE["mappings"], "_meta": {"stamp": "of this test"}}
    one_shard_only = {"number_of_shards": 2, "number_of_replicas": 0, "routing.allocation.total_shards_per_node": 1}
    analysed = {"index": {**TEMPLATE["settings"]["index"], **one_shard_only}}
    body = {"settings": analysed, "mappings": mappings, "aliases": {alias: {}}}
    cluster.indices.create(index=f"{alias}-000001", body=body, params={"wait_for_active_shards": "0"})
    with closing(opened(opensearch_url, alias, shards=2, writes=False)) as reader:
        with pytest.raises(Unavailable, match="OpenSearch at"):
            reader.search(asked("coffee"), 5)
        with pytest.raises(Unavailable, match="OpenSearch at"):
            list(reader.entries())
        with pytest.raises(Unavailable, match="lacks a part of the index"):
            reader.ping()


@pytest.mark.servers
def test_an_index_that_is_not_made_yet_lacks_nothing(opensearch_url: str, alias: str) -> None:
    with closing(opened(opensearch_url, alias, writes=False)) as reader:
        reader.ping()


@pytest.mark.servers
def test_an_index_that_was_deleted_under_its_writer_is_noticed_and_made_anew(
    opensearch_url: str, cluster: OpenSearch, alias: str
) -> None:
    with closing(filled(opensearch_url, alias)) as index:
        cluster.indices.delete(index=f"{alias}-000001")
        index.upsert([document("late", "coffee", seq=10)])
        with pytest.raises(Unavailable):
            index.commit()  # the others are gone: whoever wrote them has to compare
        assert list(index.entries()) == []
        index.upsert([document("late", "coffee", seq=10)])
        index.commit()
        assert ids(index.search(asked("coffee"), 5)) == ["late"]


@pytest.mark.servers
def test_entries_are_of_one_moment_whatever_is_written_while_they_are_read(
    opensearch_url: str, cluster: OpenSearch, alias: str
) -> None:
    with closing(filled(opensearch_url, alias, page=7)) as index:
        held = sorted(index.entries())
        stream = index.entries()
        first = next(stream)
        index.upsert([document("later", "coffee", seq=10)])
        index.delete(["039"])
        index.commit()
        assert sorted([first, *stream]) == held
        assert len(held) == 40
        after = {atom_id for atom_id, _, _ in index.entries()}
        assert ("later" in after, "039" in after) == (True, False)
    assert cluster.cat.all_pit_segments(params={"format": "json"}) == [], "no point in time is left open"
