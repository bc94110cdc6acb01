"""What is remembered of the names in a folder is right after each change, whoever made it (`adapters.files.folder_names`)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_common.adapters.files.folder_names import FOLDER_TIME_NS, FolderNames, PackedIds
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.journal_days import folder_of, ids_with
from lattice_common.adapters.memory.clock import FixedClock

from tests.contract.test_journal import said, through
from tests.working import until

IDS = ["01jd00000000000000000000aa", "01jd00000000000000000000bb", "01jd00000000000000000000cc"]


def at_rest(folder: Path) -> None:
    until("a later time for files", lambda: time.time_ns() - folder.stat().st_ctime_ns > FOLDER_TIME_NS)


def reading() -> tuple[FolderNames[list[str]], list[int]]:
    read: list[int] = []

    def noted(names: list[str]) -> list[str]:
        read.append(len(names))
        return sorted(names)

    return FolderNames(noted, 2), read


def test_a_folder_at_rest_is_read_once_and_again_after_a_change(tmp_path: Path) -> None:
    names, read = reading()
    (tmp_path / "one").touch()
    at_rest(tmp_path)
    assert [names.of(tmp_path) for _ in range(3)] == [["one"]] * 3
    assert read == [1]
    (tmp_path / "two").touch()
    assert names.of(tmp_path) == ["one", "two"]
    (tmp_path / "one").unlink()
    assert names.of(tmp_path) == ["two"]


def test_a_change_right_after_a_look_is_seen_though_the_clock_for_files_moves_in_steps(tmp_path: Path) -> None:
    names, _ = reading()
    for number in range(200):
        (tmp_path / f"{number:03}").touch()
        assert len(names.of(tmp_path)) == number + 1


def test_a_folder_put_back_with_its_former_time_is_read_again(tmp_path: Path) -> None:
    names, _ = reading()
    folder, aside = tmp_path / "day", tmp_path / "backup"
    for each, name in ((folder, "now"), (aside, "then")):
        each.mkdir()
        (each / name).touch()
        os.utime(each, ns=(10**18, 10**18))
    at_rest(folder)
    assert names.of(folder) == ["now"]
    folder.rename(tmp_path / "former")
    assert names.of(folder) == []
    aside.rename(folder)
    assert names.of(folder) == ["then"]


def test_only_the_folders_that_were_asked_for_last_are_remembered(tmp_path: Path) -> None:
    names, read = reading()
    folders = [tmp_path / name for name in "abc"]
    for each in folders:
        each.mkdir()
    at_rest(folders[-1])
    for each in (0, 1, 0, 2, 0, 1):
        names.of(folders[each])
    assert len(read) == 4, "the second of them was let go for the third, and read again"


@pytest.mark.parametrize("change", [lambda ids: ids, lambda ids: ids[:1], lambda ids: []], ids=["three", "one", "none"])
def test_packed_ids_are_a_sequence_like_the_list_of_them(change: Callable[[list[str]], list[str]]) -> None:
    ids = change(IDS)
    packed = PackedIds(ids)
    assert (list(packed), len(packed), packed[:2], packed[::-1]) == (ids, len(ids), ids[:2], ids[::-1])
    with pytest.raises(IndexError):
        packed[len(ids)]


def test_names_by_hand_are_no_ids_and_hide_none() -> None:
    names = [f"{each}.json" for each in reversed(IDS)]
    strange = [
        "z" * 26 + ".json",
        "A" * 26 + ".json",
        f"{IDS[0]}.receipt.json",
        f"{IDS[0]}.jsn~",
        "notes.json",
        "é" * 26 + ".json",
    ]
    assert ids_with([*strange, *names], ".json") == IDS
    assert ids_with(strange, ".receipt.json") == IDS[:1]


def test_a_listing_follows_what_another_process_and_a_hand_change(tmp_path: Path) -> None:
    clock = FixedClock()
    looking, writing = FileJournal(tmp_path), FileJournal(tmp_path)
    told = [writing.append(said(text, clock=clock))[0] for text in "abcde"]
    for each in told:
        through(writing, each)
    day = Path(folder_of(tmp_path / "journal", told[0]))

    def shown(cursor: str | None = None) -> list[str]:
        return [each.capture_id for each in looking.listing(state=None, limit=3, cursor=cursor)[0]]

    at_rest(day)
    assert shown() == shown() == told[:1:-1]
    assert shown(told[2]) == [told[1], told[0]]
    (day / f"{told[4]}.json").unlink()
    (day / f"{told[4]}.receipt.json").unlink()
    assert shown() == [told[3], told[2], told[1]]
    later = writing.append(said("f", clock=clock))[0]
    assert shown() == [later, told[3], told[2]]
