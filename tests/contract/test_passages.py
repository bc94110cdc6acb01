"""What every store of passages promises, on every adapter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.embedded.sqlite_passages import SqlitePassages
from lattice_common.adapters.memory.passages import MemoryPassages
from lattice_common.domain.passage import Passage
from lattice_common.ports.passages import PassageStore

ONE, OTHER = "01jd0000000000000000000001", "01jd0000000000000000000002"
DAY = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


def passage(capture_id: str, ordinal: int, content: str, **fields: object) -> Passage:
    made = Passage(capture_id, ordinal, ordinal * 10, ordinal * 10 + 9, content, DAY, DAY, title="Lease", name="lease.pdf")
    return replace(made, **fields)  # type: ignore[arg-type]  # named by the tests


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PassageStore]:
    made: PassageStore = MemoryPassages() if request.param == "memory" else SqlitePassages(tmp_path / "passages.sqlite")
    with closing(made):
        yield made


def test_passages_come_back_as_they_were_put_in_the_order_asked_for(store: PassageStore) -> None:
    first = passage(ONE, 0, "The rent is 950 euros.", headings=("§ 1", "Rent"), place="page 1", table_head="| a | b |")
    second = passage(ONE, 1, "Notice is three months.", place="page 2")
    store.put_passages([(ONE, [second, first])])
    assert store.passages([second.passage_id, "nothing", first.passage_id]) == [second, first]
    assert store.of_capture(ONE) == [first, second]


def test_a_store_knows_whether_there_are_any(store: PassageStore) -> None:
    assert not store.any_passages()
    store.put_passages([(ONE, [passage(ONE, 0, "x")])])
    assert store.any_passages()
    store.put_passages([(ONE, [])])
    assert not store.any_passages()


def test_passages_of_a_capture_take_the_place_of_those_before_and_of_no_others(store: PassageStore) -> None:
    old, new, beside = passage(ONE, 0, "old"), passage(ONE, 1, "new"), passage(OTHER, 0, "beside", title="Other")
    store.put_passages([(ONE, [old]), (OTHER, [beside])])
    store.put_passages([(ONE, [new])])
    assert store.passages([old.passage_id, new.passage_id, beside.passage_id]) == [new, beside]


def test_hashes_are_of_all_and_change_with_what_is_found(store: PassageStore) -> None:
    one, other = passage(ONE, 0, "x"), passage(OTHER, 0, "x", title="Another title")
    store.put_passages([(ONE, [one]), (OTHER, [other])])
    assert dict(store.passage_hashes()) == {one.passage_id: one.content_hash, other.passage_id: other.content_hash}
    assert one.content_hash != other.content_hash


def test_how_far_it_was_made_is_kept_and_a_cleared_store_begins_anew(store: PassageStore) -> None:
    assert store.made_up_to() == 0
    store.note_made(12)
    assert store.made_up_to() == 12
    store.note_made(None)
    assert store.made_up_to() is None
    store.put_passages([(ONE, [passage(ONE, 0, "x")])])
    store.clear()
    assert store.made_up_to() == 0
    assert not store.any_passages()
    assert store.of_capture(ONE) == []


def test_what_was_removed_is_in_no_file_after_a_purge(tmp_path: Path) -> None:
    with closing(SqlitePassages(tmp_path / "passages.sqlite")) as store:
        store.put_passages([(ONE, [passage(ONE, 0, "zwieback " * 40)])])
        store.put_passages([(ONE, [])])
        store.purge()
        assert all(b"zwieback" not in path.read_bytes() for path in tmp_path.iterdir())


def test_another_process_sees_what_is_committed_and_an_empty_store_before(tmp_path: Path) -> None:
    path = tmp_path / "passages.sqlite"
    with closing(SqlitePassages(path, follows=True)) as reader:
        assert not reader.any_passages()
        assert reader.made_up_to() == 0
        with closing(SqlitePassages(path)) as writer:
            assert reader.passages(["x"]) == []
            one = passage(ONE, 0, "x")
            writer.put_passages([(ONE, [one])])
            assert reader.passages([one.passage_id]) == [one]
        assert reader.of_capture(ONE) == [one]


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b""])
def test_a_file_that_cannot_be_read_is_thrown_away(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "passages.sqlite"
    path.write_bytes(damage)
    with closing(SqlitePassages(path)) as store:
        assert not store.any_passages()
        assert store.made_up_to() == 0
