"""What a process remembers of the trash (`ports.trash_index.TrashIndex`)."""

from __future__ import annotations

import gc
import tracemalloc

import pytest
from lattice_common.adapters.embedded.temporary_trash_index import TemporaryTrashIndex
from lattice_common.adapters.memory.trash_index import MemoryTrashIndex
from lattice_common.errors import Unavailable
from lattice_common.ports.trash_index import TrashIndex
from ulid import ULID

ONE, TWO = "01m000000000000000000000aa", "01m000000000000000000000bb"


def new_id() -> str:
    return str(ULID()).lower()


@pytest.fixture(params=[TemporaryTrashIndex, MemoryTrashIndex])
def index(request: pytest.FixtureRequest) -> TrashIndex:
    made: TrashIndex = request.param()
    return made


def test_a_memory_is_found_by_its_capture_until_its_deletion_is_let_go(index: TrashIndex) -> None:
    for _ in range(2):
        index.add(ONE, [("capture", "first"), ("capture", "second"), ("other", "third")], whole=True)
    assert index.known() == {ONE}
    assert (index.of_capture("capture"), index.of_capture("other")) == (["first", "second"], ["third"])
    index.let_go([ONE])
    index.let_go([ONE])
    assert (index.known(), index.of_capture("capture")) == (set(), [])


def test_what_was_deleted_first_comes_first(index: TrashIndex) -> None:
    index.add(TWO, [("capture", "first")], whole=True)
    index.add(ONE, [("capture", "second")], whole=True)
    assert index.of_capture("capture") == ["second", "first"]


def test_what_is_not_whole_is_found_and_stays_unknown(index: TrashIndex) -> None:
    index.add(ONE, [("capture", "first")], whole=False)
    assert (index.known(), index.of_capture("capture")) == (set(), ["first"])
    index.add(ONE, [("capture", "first"), ("capture", "second")], whole=True)
    assert (index.known(), index.of_capture("capture")) == ({ONE}, ["first", "second"])


def test_what_two_deletions_moved_is_found_once_and_stays_with_the_second(index: TrashIndex) -> None:
    index.add(ONE, [("capture", "first")], whole=True)
    index.add(TWO, [("capture", "first")], whole=True)
    assert index.of_capture("capture") == ["first"]
    index.let_go([ONE])
    assert index.of_capture("capture") == ["first"]


def test_what_went_back_is_not_found_until_it_is_deleted_again(index: TrashIndex) -> None:
    index.add(ONE, [("capture", "first"), ("capture", "second")], whole=True)
    index.went_back("capture", ["first"])
    assert (index.of_capture("capture"), index.known()) == (["second"], {ONE})
    index.add(TWO, [("capture", "first")], whole=True)
    assert index.of_capture("capture") == ["second", "first"]


def test_thousands_of_deletions_leave_no_objects_in_memory() -> None:
    index = TemporaryTrashIndex()
    index.add(new_id(), [(new_id(), new_id())], whole=True)
    gc.freeze()  # what other tests left is not looked at
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(4_000):
            index.add(new_id(), [(new_id(), new_id())], whole=True)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.unfreeze()
    assert len(index.known()) == 4_001
    assert after - before < 50_000, "an object for each would be 200,000 bytes and more"


def test_without_room_for_temporary_files_it_is_said_to_be_away() -> None:
    index = TemporaryTrashIndex(most_pages=8)
    many = [("capture", new_id()) for _ in range(10_000)]
    with pytest.raises(Unavailable, match="make room for temporary files"):
        index.add(ONE, many, whole=True)
    assert index.known() == set()
