"""The contract of `ports.progress`, on every adapter, and what threads see of the one in the product."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from lattice_common.adapters.embedded.progress import REMEMBERED_FINISHED, InProcessProgress
from lattice_common.adapters.memory.progress import MemoryProgress
from lattice_common.adapters.server.redis_progress import CHANNEL, RedisProgress, redis_client
from lattice_common.domain.receipt import Progress
from lattice_common.ports.progress import ProgressBoard

from tests.working import until

EXTRACTING = Progress("a", "extract", 1, 3)
INDEXING = Progress("a", "index", 3, 3)


@pytest.fixture(params=[InProcessProgress, MemoryProgress, pytest.param(RedisProgress, marks=pytest.mark.servers)])
def board(request: pytest.FixtureRequest) -> Iterator[ProgressBoard]:
    if request.param is RedisProgress:
        with closing(RedisProgress(redis_client(request.getfixturevalue("redis_url")), "atoms")) as made:
            yield made
    else:
        yield request.param()


@pytest.mark.servers
def test_one_process_hears_of_another(redis_url: str) -> None:
    with (
        closing(RedisProgress(redis_client(redis_url), "atoms")) as reader,
        closing(RedisProgress(redis_client(redis_url), "atoms", listens=False)) as writer,
    ):
        deadline = time.monotonic() + 30
        while reader.latest("a") != INDEXING and time.monotonic() < deadline:
            writer.publish(INDEXING)
            reader.wait("a", None, 0.1)
        assert reader.latest("a") == INDEXING


@pytest.mark.servers
@pytest.mark.parametrize("said", [b"no json", b"[]", b"{}", b'{"progress": {"of": "another version"}}', b'{"progress": 3}'])
def test_what_another_version_says_stops_nobody_from_listening(redis_url: str, said: bytes) -> None:
    with (
        closing(redis_client(redis_url)) as other,
        closing(RedisProgress(redis_client(redis_url), "atoms")) as reader,
        closing(RedisProgress(redis_client(redis_url), "atoms", listens=False)) as writer,
    ):
        until("it to listen", lambda: other.publish(f"{CHANNEL}:atoms", said) > 0)
        until("it to go on", lambda: writer.publish(INDEXING) or reader.latest("a") == INDEXING, 30)


def test_without_redis_nobody_fails_and_nobody_waits_long() -> None:
    with closing(RedisProgress(redis_client("redis://127.0.0.1:1"), "atoms")) as board:
        board.publish(EXTRACTING)
        assert board.latest("a") == EXTRACTING
        began = time.monotonic()
        assert board.wait("b", None, timeout=60) is None
        assert time.monotonic() - began < 30


def test_the_latest_progress_of_each_entry_is_shown(board: ProgressBoard) -> None:
    board.publish(EXTRACTING)
    board.publish(INDEXING)
    board.publish(Progress("b", "segment", 0, 1))
    assert board.latest("a") == INDEXING
    assert board.latest("b") == Progress("b", "segment", 0, 1)
    assert board.latest("c") is None


def test_what_was_not_seen_yet_is_there_without_waiting(board: ProgressBoard) -> None:
    board.publish(EXTRACTING)
    assert board.wait("a", None, timeout=60) == EXTRACTING
    board.publish(INDEXING)
    assert board.wait("a", EXTRACTING, timeout=60) == INDEXING


def test_waiting_ends_with_the_timeout_when_nothing_happens(board: ProgressBoard) -> None:
    assert board.wait("a", None, timeout=0.001) is None
    board.publish(EXTRACTING)
    assert board.wait("a", EXTRACTING, timeout=0.001) == EXTRACTING


def test_nobody_waits_for_a_finished_entry(board: ProgressBoard) -> None:
    board.publish(INDEXING)
    board.finished("a")
    assert board.wait("a", INDEXING, timeout=60) == INDEXING
    board.finished("b")
    assert board.wait("b", None, timeout=60) is None


def test_who_waits_for_the_end_waits_no_longer_than_it_said(board: ProgressBoard) -> None:
    board.wait_until_finished("a", timeout=0.001)
    board.publish(EXTRACTING)
    board.wait_until_finished("a", timeout=0.001)
    board.finished("a")
    board.wait_until_finished("a", timeout=60)


def test_who_waits_for_the_end_is_woken_by_it_and_not_by_the_stages_before() -> None:
    """Fifty that wait would stop the writer at every stage of every capture."""
    board = InProcessProgress()
    waiter = threading.Thread(target=lambda: board.wait_until_finished("a", timeout=60))
    waiter.start()
    until("it to wait", lambda: "a" in board._ending)
    (ended,) = board._ending["a"]
    for stage in (EXTRACTING, INDEXING):
        board.publish(stage)
    assert waiter.is_alive()
    assert not ended.is_set()
    board.finished("a")
    waiter.join(timeout=30)
    assert not waiter.is_alive()
    assert not board._ending


@pytest.mark.parametrize("end", ["publish", "finished"])
def test_those_who_wait_are_woken(end: str) -> None:
    board = InProcessProgress()
    board.publish(EXTRACTING)
    seen: list[Progress | None] = []
    waiter = threading.Thread(target=lambda: seen.append(board.wait("a", EXTRACTING, timeout=60)))
    waiter.start()
    if end == "publish":
        board.publish(INDEXING)
    else:
        board.finished("a")
    waiter.join(timeout=30)
    assert seen == [INDEXING if end == "publish" else EXTRACTING]


def test_the_board_forgets_what_finished_long_ago() -> None:
    board = InProcessProgress()
    for number in range(REMEMBERED_FINISHED + 10):
        board.publish(Progress(str(number), "index", 1, 1))
        board.finished(str(number))
    assert board.latest("0") is None
    assert board.latest(str(REMEMBERED_FINISHED + 9)) is not None
