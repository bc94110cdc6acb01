"""Progress between processes: the worker publishes over Redis, and each reader keeps what it heard.

Never the record, and nobody depends on it: while Redis is away those who wait look at the journal more often.
"""

from __future__ import annotations

import contextlib
import dataclasses
import secrets
import threading
from typing import Any

import orjson
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from lattice_common.adapters.embedded.progress import InProcessProgress
from lattice_common.adapters.server.breaker import Breaker
from lattice_common.domain.receipt import Progress
from lattice_common.logs import carried

CHANNEL = "lattice:progress"
LONGEST_WAIT = 1.0
"""Seconds until whoever waits looks at the journal all the same: a message may have been lost."""
WAIT_WITHOUT_REDIS = 0.1
RECONNECT_SECONDS = 1.0


def redis_client(url: str) -> Redis:
    """Return a client that gives up soon: nobody's work may wait for news of it."""
    client: Redis = Redis.from_url(
        url, socket_connect_timeout=0.5, socket_timeout=2.0, health_check_interval=15, retry=Retry(NoBackoff(), 0)
    )
    return client


class RedisProgress:
    """A `ProgressBoard` over the board of this process, which hears of the other ones. Safe to use from several threads.

    `memory` is what a memory's indexes are called: of several on one server none hears of another's.
    """

    def __init__(self, redis: Redis, memory: str, *, listens: bool = True) -> None:
        self._redis = redis
        self._channel = f"{CHANNEL}:{memory}"
        self._breaker = Breaker()
        self._board = InProcessProgress()
        self._name = secrets.token_hex(8)
        """By which it knows what it told itself: heard again, it would stand above what it told since."""
        self._hears = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=carried(self._listen), name="lattice-progress", daemon=True)
        if listens:
            self._thread.start()

    def publish(self, progress: Progress) -> None:
        self._board.publish(progress)
        self._tell({"progress": dataclasses.asdict(progress)})

    def finished(self, entry_id: str) -> None:
        self._board.finished(entry_id)
        self._tell({"finished": entry_id})

    def latest(self, entry_id: str) -> Progress | None:
        return self._board.latest(entry_id)

    def wait(self, entry_id: str, seen: Progress | None, timeout: float) -> Progress | None:
        return self._board.wait(entry_id, seen, min(timeout, self._longest_wait()))

    def wait_until_finished(self, entry_id: str, timeout: float) -> None:
        self._board.wait_until_finished(entry_id, min(timeout, self._longest_wait()))

    def close(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(5)
        self._redis.close()

    def _longest_wait(self) -> float:
        return LONGEST_WAIT if self._hears.is_set() else WAIT_WITHOUT_REDIS

    def _tell(self, message: dict[str, Any]) -> None:
        if not self._breaker.lets_through():
            return
        try:
            self._redis.publish(self._channel, orjson.dumps({**message, "by": self._name}))
        except RedisError:
            self._breaker.failed()
            self._hears.clear()  # who waits here looks more often; the others notice by themselves
        else:
            self._breaker.succeeded()

    def _listen(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._redis.pubsub() as heard:  # type: ignore[no-untyped-call]  # redis-py has no type for it
                    heard.subscribe(self._channel)
                    while not self._stopping.is_set():
                        message = heard.get_message(timeout=0.5)
                        if message is None:
                            continue
                        self._hears.set()
                        if message["type"] == "message":
                            # What another version says may mean nothing here; who waits looks at the journal.
                            with contextlib.suppress(ValueError, TypeError, LookupError):
                                self._hear(orjson.loads(message["data"]))
            except RedisError:
                self._hears.clear()
                self._stopping.wait(RECONNECT_SECONDS)

    def _hear(self, message: dict[str, Any]) -> None:
        if "by" in message and message["by"] == self._name:
            return
        if "finished" in message:
            self._board.finished(message["finished"])
        else:
            self._board.publish(Progress(**message["progress"]))
