"""What every dense index promises, on every adapter; `MemoryDenseIndex` is the twin the engines are compared with."""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from filter_cases import DAY, KEPT, filters
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from index_writer import DIMENSION, vector
from lattice_common.adapters.embedded.dense_by_size import DenseIndexBySize
from lattice_common.adapters.embedded.numpy_dense import NumpyDenseIndex
from lattice_common.adapters.embedded.qdrant_edge_dense import QdrantEdgeDenseIndex
from lattice_common.adapters.memory.dense_index import MemoryDenseIndex
from lattice_common.adapters.server.qdrant_dense import QdrantAddress, QdrantDenseIndex
from lattice_common.domain.recall import Filter, Hit
from lattice_common.errors import Unavailable
from lattice_common.ports.dense_index import DenseDocument, DenseIndex
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.lexical_index import FilterFields

Opened: TypeAlias = Callable[[Path], DenseIndex]

DURABLE: dict[str, Opened] = {
    "numpy": lambda folder: NumpyDenseIndex(folder, "model", DIMENSION),
    "edge": lambda folder: QdrantEdgeDenseIndex(folder, "model", DIMENSION),
    "by size, below the limit": lambda folder: DenseIndexBySize(folder, "model", DIMENSION, 1000),
    "by size, crossing the limit": lambda folder: DenseIndexBySize(folder, "model", DIMENSION, 2),
}


def document(
    atom_id: str, seed: int, *, seq: int = 1, day: int = 0, kind: str = "fact", session_id: str | None = None,
    source_id: str | None = None,
) -> DenseDocument:  # fmt: skip
    fields = FilterFields(kind=kind, observed_at=DAY + timedelta(days=day), session_id=session_id, source_id=source_id)
    return DenseDocument(atom_id, f"hash {seed}", seq, vector(seed), fields)


def ids(hits: list[Hit]) -> list[str]:
    return [hit.atom_id for hit in hits]


@pytest.fixture(params=["memory", *DURABLE, pytest.param("qdrant", marks=pytest.mark.servers)])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DenseIndex]:
    match request.param:
        case "memory":
            made: DenseIndex = MemoryDenseIndex()
        case "qdrant":
            made = qdrant_index(request.getfixturevalue("qdrant_url"), request.getfixturevalue("qdrant_key"))
        case durable:
            made = DURABLE[durable](tmp_path / "dense")
    with closing(made):
        yield made


def qdrant_index(url: str, key: str) -> QdrantDenseIndex:
    """One of its own for each test, behind an alias that no other test has."""
    return QdrantDenseIndex(QdrantAddress(url, key), "model", DIMENSION, alias=f"test-{uuid.uuid4().hex}")


@pytest.fixture(params=list(DURABLE))
def opened(request: pytest.FixtureRequest) -> Opened:
    return DURABLE[request.param]


def test_the_nearest_come_first_with_their_cosines(index: DenseIndex) -> None:
    index.upsert([document(str(seed), seed) for seed in range(20)])
    index.commit()
    found = index.search(vector(7), 5)
    cosines = {str(seed): float(vector(seed) @ vector(7)) for seed in range(20)}
    assert ids(found) == sorted(cosines, key=lambda atom_id: -cosines[atom_id])[:5]
    assert [hit.score for hit in found] == pytest.approx([cosines[hit.atom_id] for hit in found], abs=1e-3)


def test_nothing_is_seen_before_commit_and_all_of_it_at_once_after(index: DenseIndex) -> None:
    index.upsert([document("a", 1)])
    assert index.search(vector(1), 10) == []
    assert index.vectors(["a"]) == {}
    index.commit()
    assert ids(index.search(vector(1), 10)) == ["a"]
    index.delete(["a"])
    assert ids(index.search(vector(1), 10)) == ["a"]
    index.commit()
    assert index.search(vector(1), 10) == []
    assert list(index.entries()) == []


def test_an_empty_index_finds_nothing(index: DenseIndex) -> None:
    assert index.search(vector(1), 10) == []
    index.commit()
    index.delete(["unheard of"])
    index.commit()
    assert index.search(vector(1), 10) == []
    assert index.vectors(["unheard of"]) == {}
    assert list(index.entries()) == []


def test_no_limit_no_hits(index: DenseIndex) -> None:
    index.upsert([document("a", 1)])
    index.commit()
    assert index.search(vector(1), 0) == []


def test_a_newer_write_replaces_and_an_older_one_is_ignored(index: DenseIndex) -> None:
    index.upsert([document("a", 1, seq=5)])
    index.commit()
    index.upsert([document("a", 2, seq=4)])
    index.commit()
    assert index.search(vector(1), 1)[0].score == pytest.approx(1, abs=1e-3)
    index.upsert([document("a", 3, seq=6)])
    index.commit()
    assert index.search(vector(3), 1)[0].score == pytest.approx(1, abs=1e-3)
    assert list(index.entries()) == [("a", "hash 3", 6)]
    assert len(index.search(vector(3), 10)) == 1


def test_within_a_batch_the_newest_write_counts(index: DenseIndex) -> None:
    index.upsert([document("a", 1, seq=5), document("a", 2, seq=7), document("a", 3, seq=6)])
    index.upsert([document("b", 4)])
    index.delete(["b"])
    index.commit()
    assert list(index.entries()) == [("a", "hash 2", 7)]


def test_vectors_are_given_back(index: DenseIndex) -> None:
    index.upsert([document("a", 1), document("b", 2)])
    index.commit()
    found = index.vectors(["b", "c", "a"])
    assert set(found) == {"a", "b"}
    np.testing.assert_allclose(found["a"], vector(1), atol=1e-6)
    np.testing.assert_allclose(found["b"], vector(2), atol=1e-6)


@pytest.mark.parametrize(("within", "expected"), KEPT)
def test_a_filter_restricts_and_leaves_scores_alone(index: DenseIndex, within: Filter, expected: list[str]) -> None:
    index.upsert(
        [
            document("a", 1, session_id="s1"),
            document("b", 2, session_id="s1", kind="event", day=1),
            document("c", 3, source_id="demo", kind="goal", day=2),
        ]
    )
    index.commit()
    scores = {hit.atom_id: hit.score for hit in index.search(vector(9), 10)}
    found = index.search(vector(9), 10, within)
    assert sorted(ids(found)) == expected
    assert all(hit.score == pytest.approx(scores[hit.atom_id], abs=1e-6) for hit in found)


def test_ties_are_broken_by_atom_id(index: DenseIndex) -> None:
    index.upsert([document(atom_id, 1) for atom_id in ("d", "b", "a", "c")])
    index.commit()
    assert ids(index.search(vector(1), 4)) == ["a", "b", "c", "d"]


def test_a_cleared_index_is_empty_at_once_and_takes_new_documents(index: DenseIndex) -> None:
    index.upsert([document("a", 1, seq=9), document("b", 2), document("c", 3)])
    index.commit()
    index.upsert([document("d", 4)])
    index.clear()
    assert index.search(vector(1), 10) == []
    index.upsert([document("a", 1, seq=1)])
    index.commit()
    assert list(index.entries()) == [("a", "hash 1", 1)]


def test_what_is_filled_anew_takes_the_place_of_what_was_there(index: DenseIndex) -> None:
    index.upsert([document("a", 1, seq=9), document("b", 2, seq=9)])
    index.commit()
    with index.anew():
        for atom_id in ("b", "c"):
            index.upsert([document(atom_id, 3, seq=1)])
            index.commit()
    assert sorted(index.entries()) == [("b", "hash 3", 1), ("c", "hash 3", 1)]
    index.upsert([document("b", 4, seq=2)])
    index.commit()
    assert ids(index.search(vector(4), 1)) == ["b"]


def test_any_id_will_do(index: DenseIndex) -> None:
    odd = 'my "note"\n\t/ü*'
    index.upsert([document(odd, 1, session_id="a b:c", kind="")])
    index.commit()
    assert ids(index.search(vector(1), 3, Filter(session_id=("a b:c",), kind=("",)))) == [odd]


def test_what_is_committed_is_there_after_reopening(opened: Opened, tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as index:
        index.upsert([document("a", 1), document("b", 2, session_id="s1", day=1), document("c", 3)])
        index.commit()
        index.delete(["a"])
        index.commit()
        index.upsert([document("d", 4)])
    with closing(opened(tmp_path)) as index:
        assert sorted(index.entries()) == [("b", "hash 2", 1), ("c", "hash 3", 1)]
        assert ids(index.search(vector(2), 5, Filter(session_id=("s1",), after=DAY + timedelta(hours=1)))) == ["b"]
        index.upsert([document("c", 9, seq=0)])
        index.commit()
        assert sorted(index.entries()) == [("b", "hash 2", 1), ("c", "hash 3", 1)]


@pytest.mark.parametrize(
    "reopened",
    [
        lambda folder: NumpyDenseIndex(folder, "another model", DIMENSION),
        lambda folder: NumpyDenseIndex(folder, "model", 4),
        lambda folder: QdrantEdgeDenseIndex(folder, "another model", DIMENSION),
        lambda folder: DenseIndexBySize(folder, "another model", DIMENSION, 2),
    ],
)
def test_an_index_made_by_another_model_or_dimension_empties_itself(reopened: Opened, tmp_path: Path) -> None:
    kind = type(reopened(tmp_path / "probe"))
    first = next(made for made in DURABLE.values() if type(made(tmp_path / f"probe of {id(made)}")) is kind)
    with closing(first(tmp_path / "dense")) as index:
        index.upsert([document("a", 1), document("b", 2), document("c", 3)])
        index.commit()
    with closing(reopened(tmp_path / "dense")) as index:
        assert list(index.entries()) == []


changes = st.one_of(
    st.builds(
        lambda atom_id, seed, seq, day, kind, session: document(atom_id, seed, seq=seq, day=day, kind=kind, session_id=session),
        st.sampled_from("abcdefgh"), st.integers(0, 30), st.integers(0, 4), st.integers(0, 3),
        st.sampled_from(["fact", "event"]), st.sampled_from([None, "s1", "s2"]),
    ),
    st.sampled_from("abcdefgh"),
)  # fmt: skip


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(changes, max_size=8), max_size=5), asked=st.integers(0, 30), within=filters)
def test_engines_agree_with_their_twin_after_any_writes(
    opened: Opened,
    tmp_path_factory: pytest.TempPathFactory,
    batches: list[list[DenseDocument | str]],
    asked: int,
    within: Filter,
) -> None:
    folder = tmp_path_factory.mktemp("dense")
    twin = MemoryDenseIndex()
    with closing(opened(folder)) as engine:
        for batch in batches:
            for index in (engine, twin):
                for change in batch:
                    if isinstance(change, str):
                        index.delete([change])
                    else:
                        index.upsert([change])
                index.commit()
        assert_same(engine, twin, vector(asked), within)
    with closing(opened(folder)) as reopened:
        assert_same(reopened, twin, vector(asked), within)


def assert_same(engine: DenseIndex, twin: DenseIndex, asked: Vectors, within: Filter) -> None:
    assert sorted(engine.entries()) == sorted(twin.entries())
    found, expected = engine.search(asked, 100, within), twin.search(asked, 100, within)
    assert {hit.atom_id: hit.score for hit in found} == pytest.approx({hit.atom_id: hit.score for hit in expected}, abs=1e-3)
    assert [hit.score for hit in engine.search(asked, 3, within)] == pytest.approx([hit.score for hit in expected[:3]], abs=1e-3)


def test_a_deletion_whose_sync_failed_is_done_by_the_next_try_and_leaves_what_can_be_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What had been written of it was left, and told one row twice to die: forgetting failed for good (found: `KeyError`)."""

    def failing(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with closing(NumpyDenseIndex(tmp_path / "dense", "model", DIMENSION)) as index:
        index.upsert([document(str(seed), seed) for seed in range(3)])
        index.commit()
        index.delete(["1"])
        with monkeypatch.context() as patch:
            patch.setattr(os, "fdatasync", failing)
            with pytest.raises(Unavailable):
                index.commit()
        index.delete(["1"])
        index.commit()
        index.purge()
        assert sorted(atom_id for atom_id, *_ in index.entries()) == ["0", "2"]
