"""The contract of `ports.line_log`, on every adapter, and what only files can show."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from lattice_common.adapters.files.line_log import BLOCK, FileLineLog
from lattice_common.adapters.memory.line_log import MemoryLineLog
from lattice_common.errors import Unavailable
from lattice_common.ports.line_log import LineLog

from tests.timed import processor_seconds

Reopen = Callable[[], LineLog]


@pytest.fixture(params=["files", "memory"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Reopen:
    """Opens the log; a second call opens what the first left (memory lives as long as its process)."""
    if request.param == "files":
        return lambda: FileLineLog(tmp_path, "chat")
    log = MemoryLineLog()
    return lambda: log


def numbers(log: LineLog) -> list[object]:
    return [line["n"] for line in log.newest()]


def test_what_was_appended_is_read_from_its_end(reopen: Reopen) -> None:
    log = reopen()
    log.append([{"n": 1, "said": "née\nSchröder — 東京"}, {"n": 2, "of": {"deep": [1, None]}}])
    reopen().append([{"n": 3}])
    assert list(log.newest()) == [{"n": 3}, {"n": 2, "of": {"deep": [1, None]}}, {"n": 1, "said": "née\nSchröder — 東京"}]


def test_nothing_is_nothing(reopen: Reopen) -> None:
    log = reopen()
    log.append([])
    assert list(log.newest()) == []
    assert log.since(0) == ([], 0)
    assert log.drop(lambda _: True) == 0


def test_many_lines_of_every_length_are_read_from_the_end(reopen: Reopen) -> None:
    log = reopen()
    log.append([{"n": n, "text": "x" * (n * 37 % 900)} for n in range(600)] + [{"n": 600, "text": "y" * 3 * BLOCK}])
    assert numbers(log) == list(range(600, -1, -1))
    assert [line["n"] for line in islice(log.newest(), 3)] == [600, 599, 598]


def test_reading_goes_on_from_a_position(reopen: Reopen) -> None:
    log = reopen()
    log.append([{"n": 1}, {"n": 2}])
    first, position = log.since(0)
    log.append([{"n": 3}])
    following, end = reopen().since(position)
    assert [line["n"] for line in first] == [1, 2]
    assert [line["n"] for line in following] == [3]
    assert log.since(end) == ([], end)


def test_from_its_end_on_there_is_what_comes(reopen: Reopen) -> None:
    log = reopen()
    assert log.end() == 0
    log.append([{"n": 1}, {"n": 2, "text": "x" * 2 * BLOCK}])
    end = log.end()
    assert end == log.since(0)[1]
    assert log.since(end) == ([], end)
    reopen().append([{"n": 3}])
    assert log.since(end)[0] == [{"n": 3}]


def test_the_end_is_before_half_a_line(tmp_path: Path) -> None:
    log = FileLineLog(tmp_path, "chat")
    log.append([{"n": 1}])
    end = log.end()
    path = tmp_path / "logs" / "chat.jsonl"
    path.write_bytes(path.read_bytes() + b'{"n": "' + b"y" * 2 * BLOCK)
    assert log.end() == end
    path.write_bytes(b"z" * BLOCK)
    assert log.end() == 0


def test_a_position_beyond_the_end_is_that_of_another_log(reopen: Reopen) -> None:
    log = reopen()
    log.append([{"n": 1}])
    assert log.since(10_000)[0] == [{"n": 1}]


def test_lines_are_taken_out_and_the_others_stay(reopen: Reopen) -> None:
    log = reopen()
    log.append([{"n": n} for n in range(6)])
    assert log.drop(lambda line: line["n"] in (1, 4)) == 2
    log.append([{"n": 6}])
    assert numbers(reopen()) == [6, 5, 3, 2, 0]
    assert log.drop(lambda line: line["n"] == 9) == 0


def test_what_no_line_is_takes_no_other_with_it(tmp_path: Path) -> None:
    log = FileLineLog(tmp_path, "chat")
    log.append([{"n": 1}])
    path = tmp_path / "logs" / "chat.jsonl"
    path.write_bytes(path.read_bytes() + b'[1]\nnull\n\xff\n\n{"n": "to')
    log.append([{"n": 2}])
    assert numbers(log) == [2, 1]
    assert [line["n"] for line in log.since(0)[0]] == [1, 2]
    assert log.drop(lambda line: line["n"] == 1) == 1
    assert numbers(log) == [2]


def test_half_a_line_is_read_when_it_is_whole(tmp_path: Path) -> None:
    log = FileLineLog(tmp_path, "chat")
    log.append([{"n": 1}])
    path = tmp_path / "logs" / "chat.jsonl"
    path.write_bytes(path.read_bytes() + b'{"n": ')
    lines, position = log.since(0)
    path.write_bytes(path.read_bytes() + b"2}\n")
    assert lines == [{"n": 1}]
    assert log.since(position)[0] == [{"n": 2}]


def append_many(root: Path, who: int) -> None:
    log = FileLineLog(root, "chat")
    for n in range(100):
        log.append([{"n": n, "who": who}])


def test_no_line_is_lost_while_others_are_taken_out(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    others = [context.Process(target=append_many, args=(tmp_path, who)) for who in (1, 2)]
    for each in others:
        each.start()
    log = FileLineLog(tmp_path, "chat")
    taken = 0
    while any(each.is_alive() for each in others):
        taken += log.drop(lambda line: line["who"] == 2)
    for each in others:
        each.join()
    taken += log.drop(lambda line: line["who"] == 2)
    assert taken == 100
    assert numbers(log) == list(range(99, -1, -1))


def test_the_log_is_for_its_owner_only(tmp_path: Path) -> None:
    FileLineLog(tmp_path, "chat").append([{"n": 1}])
    assert (tmp_path / "logs" / "chat.jsonl").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_what_is_no_file_in_its_place_holds_up_neither_who_writes_nor_who_reads(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    log = FileLineLog(tmp_path, "chat")
    (tmp_path / "logs").mkdir()
    make(tmp_path / "logs" / "chat.jsonl")
    for attempt in (lambda: log.append([{"n": 1}]), lambda: list(log.newest()), lambda: log.since(0), log.end):
        with pytest.raises(Unavailable, match=r"chat\.jsonl"):
            attempt()
    assert list(log.readable()) == []


def test_a_log_that_is_too_large_keeps_its_newest_lines_and_none_of_what_is_no_line(tmp_path: Path) -> None:
    log = FileLineLog(tmp_path, "chat")
    log.append([{"n": n} for n in range(1000)])
    log.shorten(1_000_000)
    assert numbers(log)[-1] == 0
    log.shorten(10_000)
    left = numbers(log)
    assert left == list(range(999, 999 - len(left), -1))
    assert 100 < len(left) < 500
    path = tmp_path / "logs" / "chat.jsonl"
    path.write_bytes(b"\0" * 10_001)
    log.append([{"n": 1}])
    log.shorten(10_000)
    assert (numbers(log), path.stat().st_size < 100) == ([1], True)


def test_a_line_of_many_blocks_is_read_in_one_go(tmp_path: Path) -> None:
    """Put together once, and not anew with each block: 50 MB took a minute and a half."""
    (tmp_path / "logs").mkdir()
    path = tmp_path / "logs" / "chat.jsonl"
    path.touch()
    os.truncate(path, 50_000_000)
    assert processor_seconds(lambda: list(FileLineLog(tmp_path, "chat").newest())) < 3.0
