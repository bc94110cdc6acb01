"""What every lexical index promises, on every adapter; `MemoryLexicalIndex` is the twin the engines are compared with."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from filter_cases import DAY, KEPT, filters
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from lattice_common.adapters.memory.lexical_index import MemoryLexicalIndex
from lattice_common.adapters.server.opensearch_connection import Connection, OpenSearchAddress
from lattice_common.adapters.server.opensearch_lexical import OpenSearchLexicalIndex
from lattice_common.domain.recall import Filter, Hit
from lattice_common.errors import Unavailable
from lattice_common.language.text import analyze, query_tokens
from lattice_common.ports.lexical_index import FilterFields, LexicalDocument, LexicalIndex, LexicalQuery


def document(
    atom_id: str, text: str, *, window: str = "", seq: int = 1, day: int = 0, kind: str = "fact", session_id: str | None = None,
    source_id: str | None = None,
) -> LexicalDocument:  # fmt: skip
    fields = FilterFields(kind=kind, observed_at=DAY + timedelta(days=day), session_id=session_id, source_id=source_id)
    return LexicalDocument(atom_id, f"hash of {text}", seq, {"text": analyze(text), "window": analyze(window)}, fields)


def asked(question: str, **boosts: float) -> LexicalQuery:
    tokens = query_tokens(question)
    return LexicalQuery({"text": tokens, "window": tokens}, boosts)


def ids(hits: list[Hit]) -> list[str]:
    return [hit.atom_id for hit in hits]


@pytest.fixture(params=["memory", "tantivy", pytest.param("opensearch", marks=pytest.mark.servers)])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LexicalIndex]:
    match request.param:
        case "memory":
            made: LexicalIndex = MemoryLexicalIndex()
        case "tantivy":
            made = TantivyLexicalIndex(tmp_path / "lexical")
        case _:
            made = opensearch_index(request.getfixturevalue("opensearch_url"))
    with closing(made):
        yield made


def opensearch_index(url: str) -> OpenSearchLexicalIndex:
    """One of its own for each test, behind an alias that no other test has."""
    return OpenSearchLexicalIndex(Connection(OpenSearchAddress([url])), alias=f"test-{uuid.uuid4().hex}")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("*:*", []),
        ("*:* OR harbour", ["a"]),
        ("NOT harbour", ["a"]),
        ("-harbour +text:lighthouse", ["a", "b"]),
        ("text:[* TO *]", []),
        ("_exists_:text", []),
        ("/.*/", []),
        ("harb* OR lighth?use", []),
        ("harbor~2 lighthouze~", []),
        ('"harbour', ["a"]),
        ("(((harbour", ["a"]),
        ("harbour^99999 {!lucene}", ["a"]),
        ('{"match_all": {}}', []),
        ('{"script": {"source": "harbour"}}', ["a"]),
    ],
)
def test_what_is_a_query_language_elsewhere_is_words_here(index: LexicalIndex, question: str, found: list[str]) -> None:
    index.upsert([document("a", "The harbour was closed."), document("b", "A lighthouse stood there.")])
    index.commit()
    assert sorted(ids(index.search(asked(question), 10))) == found


def test_a_document_is_found_by_a_word_in_another_form(index: LexicalIndex) -> None:
    index.upsert([document("a", "Anna's sister was painting"), document("b", "Ben plays the piano")])
    index.commit()
    assert ids(index.search(asked("Who paints?"), 10)) == ["a"]
    assert sorted(ids(index.search(asked("What do Anna and Ben do?"), 10))) == ["a", "b"]


def test_nothing_is_seen_before_commit_and_all_of_it_at_once_after(index: LexicalIndex) -> None:
    index.upsert([document("a", "coffee")])
    assert index.search(asked("coffee"), 10) == []
    assert list(index.entries()) == []
    index.commit()
    assert ids(index.search(asked("coffee"), 10)) == ["a"]
    index.delete(["a"])
    assert ids(index.search(asked("coffee"), 10)) == ["a"]
    index.commit()
    assert index.search(asked("coffee"), 10) == []


def test_a_query_without_tokens_finds_nothing(index: LexicalIndex) -> None:
    index.upsert([document("a", "coffee")])
    index.commit()
    assert index.search(LexicalQuery({}), 10) == []
    assert index.search(LexicalQuery({"text": []}), 10) == []
    assert index.search(asked("coffee"), 0) == []


def test_an_empty_index_finds_nothing(index: LexicalIndex) -> None:
    assert index.search(asked("coffee"), 10) == []
    index.commit()
    assert index.search(asked("coffee"), 10) == []
    assert list(index.entries()) == []


def test_a_newer_write_replaces_and_an_older_one_is_ignored(index: LexicalIndex) -> None:
    index.upsert([document("a", "tea", seq=5)])
    index.commit()
    index.upsert([document("a", "coffee", seq=4)])
    index.commit()
    assert ids(index.search(asked("tea"), 10)) == ["a"]
    assert index.search(asked("coffee"), 10) == []
    index.upsert([document("a", "milk", seq=6)])
    index.commit()
    assert ids(index.search(asked("milk"), 10)) == ["a"]
    assert index.search(asked("tea"), 10) == []
    assert list(index.entries()) == [("a", "hash of milk", 6)]


def test_the_same_seq_writes_again_because_the_window_may_have_changed(index: LexicalIndex) -> None:
    index.upsert([document("a", "tea", window="Lisbon"), document("a", "tea", window="Porto")])
    index.commit()
    index.upsert([document("a", "tea", window="Faro")])
    index.commit()
    assert ids(index.search(asked("Faro"), 10)) == ["a"]
    assert index.search(asked("Porto Lisbon"), 10) == []
    assert len(list(index.entries())) == 1


def test_scores_are_lucenes_with_k1_plus_1_dropped(index: LexicalIndex) -> None:
    """idf ln(1 + 1.5/1.5) times 1 / (1 + 1.2 × (0.25 + 0.75 × 2/1.5)) for one of two documents, two tokens long."""
    index.upsert([document("a", "coffee milk"), document("b", "tea")])
    index.commit()
    (hit,) = index.search(LexicalQuery({"text": ["coffe"]}), 10)
    assert hit.score == pytest.approx(0.693147 / (1 + 1.2 * (0.25 + 0.75 * 2 / 1.5)), abs=1e-5)


def test_a_score_is_the_sum_of_its_fields_with_their_boosts(index: LexicalIndex) -> None:
    index.upsert([document("a", "coffee milk", window="tea"), document("b", "tea", window="coffee sugar bread")])
    index.commit()
    text = {hit.atom_id: hit.score for hit in index.search(LexicalQuery({"text": ["coffe", "tea"]}), 10)}
    window = {hit.atom_id: hit.score for hit in index.search(LexicalQuery({"window": ["coffe", "tea"]}), 10)}
    both = index.search(asked("coffee tea", text=2.0, window=0.5), 10)
    assert {hit.atom_id: hit.score for hit in both} == {
        atom_id: pytest.approx(2 * text[atom_id] + 0.5 * window[atom_id], abs=1e-5) for atom_id in ("a", "b")
    }
    assert ids(index.search(asked("sugar", window=0.0), 10)) == []


def test_a_token_given_twice_counts_once(index: LexicalIndex) -> None:
    index.upsert([document("a", "coffee")])
    index.commit()
    assert index.search(LexicalQuery({"text": ["coffe", "coffe"]}), 10) == index.search(LexicalQuery({"text": ["coffe"]}), 10)


def test_several_queries_at_once_are_answered_in_their_order_each_with_its_limit(index: LexicalIndex) -> None:
    index.upsert([document("a", "coffee milk"), document("b", "coffee", window="tea"), document("c", "bread", kind="goal")])
    index.commit()
    queries = [
        (asked("bread"), 5),
        (LexicalQuery({"text": []}), 5),
        (asked("coffee"), 1),
        (asked("nobody said that"), 5),
        (LexicalQuery({"window": ["tea"]}), 5),
        (asked("coffee"), 0),
    ]
    for within in (None, Filter(kind=("fact",))):
        assert index.search_each(queries, within) == [index.search(query, limit, within) for query, limit in queries]
    assert [ids(found) for found in index.search_each(queries)] == [["c"], [], ["b"], [], ["b"], []]
    assert index.search_each([]) == []


def test_which_few_documents_have_a_token_is_told_without_their_order(index: LexicalIndex) -> None:
    index.upsert([document("a", "coffee milk"), document("b", "coffee"), document("c", "coffee bread", kind="goal")])
    index.commit()
    anyhow = LexicalQuery({"text": ["coffe"]}, ranked=False)
    assert sorted(ids(index.search(anyhow, 4))) == ["a", "b", "c"]
    assert len(set(ids(index.search(anyhow, 2)))) == 2, "of more than the limit any will do"
    assert sorted(ids(index.search(anyhow, 4, Filter(kind=("fact",))))) == ["a", "b"]
    assert [len(found) for found in index.search_each([(anyhow, 1), (asked("coffee"), 3), (anyhow, 0)])] == [1, 3, 0]


def test_ties_are_broken_by_atom_id_at_the_cut_too(index: LexicalIndex) -> None:
    names = [f"{number:03}" for number in range(150)]
    random.Random(5).shuffle(names)
    index.upsert([document(name, "coffee") for name in names])
    index.commit()
    assert ids(index.search(asked("coffee"), 7)) == sorted(names)[:7]


@pytest.mark.parametrize(("within", "expected"), KEPT)
def test_a_filter_restricts_and_leaves_scores_alone(index: LexicalIndex, within: Filter, expected: list[str]) -> None:
    index.upsert(
        [
            document("a", "coffee", session_id="s1"),
            document("b", "coffee", session_id="s1", kind="event", day=1),
            document("c", "coffee", source_id="demo", kind="goal", day=2),
        ]
    )
    index.commit()
    scores = {hit.atom_id: hit.score for hit in index.search(asked("coffee"), 10)}
    found = index.search(asked("coffee"), 10, within)
    assert ids(found) == expected
    assert all(hit.score == pytest.approx(scores[hit.atom_id]) for hit in found)


def test_a_cleared_index_is_empty_at_once_and_takes_new_documents(index: LexicalIndex) -> None:
    index.upsert([document("a", "coffee", seq=9)])
    index.commit()
    index.upsert([document("c", "coffee")])
    index.clear()
    assert index.search(asked("coffee"), 10) == []
    index.upsert([document("b", "coffee"), document("a", "coffee", seq=1)])
    index.commit()
    assert sorted(index.entries()) == [("a", "hash of coffee", 1), ("b", "hash of coffee", 1)]


def test_what_is_filled_anew_takes_the_place_of_what_was_there(index: LexicalIndex) -> None:
    index.upsert([document("a", "coffee", seq=9), document("b", "coffee", seq=9)])
    index.commit()
    with index.anew():
        for atom_id in ("b", "c"):
            index.upsert([document(atom_id, "tea", seq=1)])
            index.commit()
    assert sorted(index.entries()) == [("b", "hash of tea", 1), ("c", "hash of tea", 1)]
    assert index.search(asked("coffee"), 10) == []
    index.upsert([document("b", "milk", seq=2)])
    index.commit()
    assert ids(index.search(asked("milk"), 10)) == ["b"]


def test_any_id_and_any_token_will_do(index: LexicalIndex) -> None:
    odd = 'my "note"\n\t/ü*'
    index.upsert([document(odd, "我喜欢咖啡 C++ anna@example.com", session_id="a b:c", kind="")])
    index.commit()
    for question in ("咖啡", "C++", "anna@example.com"):
        assert ids(index.search(asked(question), 10, Filter(session_id=("a b:c",), kind=("",)))) == [odd]


VOCABULARY = [f"word{n}" for n in range(12)]
texts = st.lists(st.sampled_from(VOCABULARY), max_size=60).map(" ".join)
changes = st.one_of(
    st.builds(
        lambda atom_id, text, window, seq, day, kind, session: document(
            atom_id, text, window=window, seq=seq, day=day, kind=kind, session_id=session
        ),
        st.sampled_from("abcdefgh"), texts, texts, st.integers(0, 4), st.integers(0, 3), st.sampled_from(["fact", "event"]),
        st.sampled_from([None, "s1", "s2"]),
    ),
    st.sampled_from("abcdefgh"),
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    batches=st.lists(st.lists(changes, max_size=8), max_size=5),
    question=st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=5),
    within=filters,
    limit=st.integers(1, 10),
    boost=st.sampled_from([1.0, 0.3]),
)
def test_tantivy_agrees_with_its_twin_after_any_writes(
    tmp_path_factory: pytest.TempPathFactory,
    batches: list[list[LexicalDocument | str]], question: list[str], within: Filter, limit: int, boost: float,
) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("lexical")
    # Compacting at every commit makes tantivy's statistics those of the live documents, and so its scores exact.
    twin = MemoryLexicalIndex()
    query = asked(" ".join(question), window=boost)
    with closing(TantivyLexicalIndex(folder, compact_share=0, compact_from=1)) as engine:
        for batch in batches:
            for index in (engine, twin):
                for change in batch:
                    if isinstance(change, str):
                        index.delete([change])
                    else:
                        index.upsert([change])
                index.commit()
        assert_same(engine, twin, query, limit, within)
    with closing(TantivyLexicalIndex(folder)) as reopened:
        assert reopened.emptied is None
        assert_same(reopened, twin, query, limit, within)


def assert_same(engine: LexicalIndex, twin: LexicalIndex, query: LexicalQuery, limit: int, within: Filter) -> None:
    expected = twin.search(query, 100, within)
    assert sorted(engine.entries()) == sorted(twin.entries())
    assert as_scores(engine.search(query, 100, within)) == pytest.approx(as_scores(expected), abs=1e-4)
    assert [hit.score for hit in engine.search(query, limit, within)] == pytest.approx(
        [hit.score for hit in expected[:limit]], abs=1e-4
    )


def as_scores(hits: list[Hit]) -> dict[str, float]:
    return {hit.atom_id: hit.score for hit in hits}


def test_tantivy_and_its_twin_give_the_same_top_20_on_many_documents(tmp_path: Path) -> None:
    chance = random.Random(11)
    vocabulary = [f"term{n}" for n in range(2000)]
    weights = [1 / (n + 1) for n in range(2000)]
    engine, twin = TantivyLexicalIndex(tmp_path), MemoryLexicalIndex()
    for batch in range(10):
        documents = []
        for number in range(60):
            words = chance.choices(vocabulary, weights, k=chance.randint(3, 120))
            documents.append(document(f"{batch}-{number}", " ".join(words[:40]), window=" ".join(words)))
        for index in (engine, twin):
            index.upsert(documents)
            index.commit()
    for _ in range(40):
        query = asked(" ".join(chance.choices(vocabulary[:600], weights[:600], k=8)), window=0.5)
        mine, theirs = engine.search(query, 20), twin.search(query, 20)
        assert [hit.score for hit in mine] == pytest.approx([hit.score for hit in theirs], abs=1e-4)
        assert ids(mine) == ids(theirs)
    engine.close()


class OnAFailingDisk:
    """The engine's writer, whose commit meets an error of the disk, as tantivy says it."""

    def rollback(self) -> None:
        """Nothing is staged."""

    def delete_all_documents(self) -> None:
        """With the next commit."""

    def commit(self) -> None:
        raise ValueError("An IO error occurred: 'Input/output error (os error 5)'")


def test_emptying_on_a_disk_that_fails_is_refused_in_words_and_may_be_tried_again(tmp_path: Path) -> None:
    with closing(TantivyLexicalIndex(tmp_path)) as engine:
        engine.upsert([document("a", "The boiler is in the cellar.")])
        engine.commit()
        engine._writer = OnAFailingDisk()  # type: ignore[assignment]  # in place of the engine's own
        with pytest.raises(Unavailable, match="Input/output error"):
            engine.clear()
        assert ids(engine.search(asked("boiler"), 10)) == ["a"]
        engine.clear()
        assert ids(engine.search(asked("boiler"), 10)) == []
