"""The contract of `ports.queue`, on every adapter, and what the one in memory adds for tests."""

from __future__ import annotations

import base64
import socket
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import orjson
import pytest
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.queue import ImmediateQueue
from lattice_common.adapters.server.celery_app import WAITING_AT_MOST, CeleryQueue, celery_app
from lattice_common.adapters.server.redis_progress import redis_client
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.domain.capture import Command, RemoveSource
from lattice_common.errors import Unavailable
from lattice_common.ingest.pace import Pace
from lattice_common.ports.queue import Queue
from lattice_common.settings import Settings

from tests.forwarding import forwarding
from tests.working import PATIENCE, Worker, own_redis, until

NOWHERE = "redis://127.0.0.1:1/0"
BEFORE_THE_SWEEP = Pace().sweep_seconds * 2 / 3
"""Which finds an entry without a ring, so that a doorbell that is broken would not be noticed."""


class Doorbell(Protocol):
    """A doorbell, and whoever may answer it."""

    @property
    def bell(self) -> Queue: ...

    def start_worker(self) -> None: ...

    def work(self) -> str:
        """The id of something to be done."""
        ...

    def is_done(self, entry_id: str) -> bool:
        """Whether it was done, waiting for it."""
        ...


class MemoryDoorbell:
    def __init__(self) -> None:
        self.bell = ImmediateQueue()
        self._clock = FixedClock()
        self._done: set[str] = set()

    def start_worker(self) -> None:
        self.bell.answer = self._done.add

    def work(self) -> str:
        return self._clock.new_id()

    def is_done(self, entry_id: str) -> bool:
        return entry_id in self._done


@dataclass
class ThreadDoorbell:
    """The writer's thread of the product."""

    embedded: Embedded

    @property
    def bell(self) -> Queue:
        return self.embedded.writer.queue

    def start_worker(self) -> None:
        self.embedded.start()

    def work(self) -> str:
        clock = self.embedded.stores.clock
        entry_id, _ = self.embedded.stores.worklog.append(Command(clock.new_id(), clock.now(), RemoveSource("nothing")))
        return entry_id

    def is_done(self, entry_id: str) -> bool:
        return self.embedded.lattice.wait_for(entry_id, PATIENCE).receipt is not None


class CeleryDoorbell:
    """A real worker process behind a real Redis; the doorbell has no wire until somebody is at home."""

    def __init__(self, root: Path, redis_url: str, opensearch_url: str) -> None:
        self.bell = CeleryQueue(celery_app(NOWHERE), "atoms")
        self._redis = own_redis(redis_url)
        self._clock = FixedClock()
        self._journal = FileJournal(root)
        self._worker = Worker(
            root,
            {
                "LATTICE_REDIS_URL": self._redis,
                "LATTICE_OPENSEARCH_URL": opensearch_url,
                "LATTICE_EMBED_MODEL": "none",
                "LATTICE_INDEX_NAME": f"test-{uuid.uuid4().hex}",
            },
        )

    def start_worker(self) -> None:
        self.bell.close()
        self.bell = CeleryQueue(celery_app(self._redis), "atoms")
        self._worker.start()
        self._worker.wait_until_idle()

    def work(self) -> str:
        entry_id, _ = self._journal.append(Command(self._clock.new_id(), self._clock.now(), RemoveSource("nothing")))
        return entry_id

    def is_done(self, entry_id: str) -> bool:
        until("the entry's receipt", lambda: self._has_receipt(entry_id), BEFORE_THE_SWEEP)
        return True

    def _has_receipt(self, entry_id: str) -> bool:
        status = self._journal.status(entry_id)
        return status is not None and status.receipt is not None

    def ended(self) -> None:
        self.bell.close()
        self._worker.end()


@pytest.fixture(params=["memory", "writer thread", pytest.param("celery", marks=pytest.mark.servers)])
def doorbell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Doorbell]:
    if request.param == "memory":
        yield MemoryDoorbell()
        return
    if request.param == "celery":
        celery = CeleryDoorbell(
            tmp_path / "data", request.getfixturevalue("redis_url"), request.getfixturevalue("opensearch_url")
        )
        yield celery
        celery.ended()
        return
    with open_embedded(Settings(data_dir=tmp_path, embed_model="none"), clock=FixedClock(), model=Model(None)) as embedded:
        yield ThreadDoorbell(embedded)


def test_what_is_rung_for_is_done(doorbell: Doorbell) -> None:
    doorbell.start_worker()
    entry_id = doorbell.work()
    assert doorbell.bell.ring(entry_id, "interactive")
    assert doorbell.is_done(entry_id)


def test_a_doorbell_that_nobody_hears_says_so(doorbell: Doorbell) -> None:
    """At once where that is known, and else as soon as it is."""
    until("the doorbell to say so", lambda: not doorbell.bell.ring(doorbell.work(), "bulk"))


def test_ringing_twice_is_no_trouble(doorbell: Doorbell) -> None:
    doorbell.start_worker()
    entry_id = doorbell.work()
    assert [doorbell.bell.ring(entry_id, priority) for priority in ("interactive", "bulk")] == [True, True]
    assert doorbell.is_done(entry_id)


def test_a_ring_for_what_is_not_there_stops_nobody(doorbell: Doorbell) -> None:
    doorbell.start_worker()
    doorbell.bell.ring("01jd5k0000abcdefghjkmnpqrs", "interactive")
    doorbell.bell.ring("no id at all", "bulk")
    entry_id = doorbell.work()
    assert doorbell.bell.ring(entry_id, "interactive")
    assert doorbell.is_done(entry_id)


def test_whoever_rings_while_redis_is_away_does_not_wait_and_can_leave_at_once() -> None:
    bell = CeleryQueue(celery_app(NOWHERE), "atoms")
    began = time.monotonic()
    answers = [bell.ring(f"entry {number}", "bulk") for number in range(WAITING_AT_MOST + 100)]
    until("it to be known that Redis is away", lambda: not bell.reached)
    assert not bell.ring("entry", "interactive")
    assert not answers[-1], "more than can wait is refused"
    bell.close()
    assert time.monotonic() - began < PATIENCE


@pytest.mark.servers
def test_rings_wait_for_redis_and_are_heard_when_it_is_back(redis_url: str) -> None:
    """Between the bell and Redis is a door that is shut at first."""
    address = urlsplit(redis_url)
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    database = own_redis(redis_url).rpartition("/")[2]
    bell = CeleryQueue(celery_app(f"redis://127.0.0.1:{port}/{database}"), "atoms")
    bell.ring("rung too early", "bulk")
    until("it to be known that Redis is away", lambda: not bell.reached)
    with forwarding(port, (str(address.hostname), address.port or 6379)):
        until("the ring to get through", lambda: bell.reached)
        waiting = redis_client(f"{redis_url}/{database}").lrange("bulk", 0, -1)
    assert any(b"rung too early" in base64.b64decode(orjson.loads(each)["body"]) for each in waiting)
    bell.close()


def test_a_ring_is_answered_before_it_returns() -> None:
    done: list[str] = []
    queue = ImmediateQueue(done.append)
    assert queue.ring("a", "interactive")
    assert done == ["a"]


def test_what_nobody_heard_is_remembered() -> None:
    queue = ImmediateQueue()
    queue.ring("a", "bulk")
    assert queue.rung == [("a", "bulk")]


def test_a_doorbell_never_raises_and_rings_again_after_a_failure() -> None:
    done: list[str] = []

    def work(entry_id: str) -> None:
        if entry_id == "bad":
            raise Unavailable("the disk is full")
        done.append(entry_id)

    queue = ImmediateQueue(work)
    queue.ring("bad", "interactive")
    queue.ring("good", "interactive")
    assert done == ["good"]
    assert [str(failure) for failure in queue.failures] == ["the disk is full"]


def test_work_that_rings_is_answered_after_it_and_not_inside_it() -> None:
    order: list[str] = []

    def work(entry_id: str) -> None:
        order.append(f"begin {entry_id}")
        if entry_id == "a":
            queue.ring("b", "interactive")
        order.append(f"end {entry_id}")

    queue = ImmediateQueue(work)
    queue.ring("a", "interactive")
    assert order == ["begin a", "end a", "begin b", "end b"]
