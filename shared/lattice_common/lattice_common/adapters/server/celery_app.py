"""Celery as a doorbell over Redis: the configuration that loses least, by measurement, and the queue that rings.

A message is one capture id, and the memory that it belongs to. Losing it loses nothing: the journal is the record, and the worker
finds entries in it that nobody rang for.
"""

from __future__ import annotations

import queue
import threading

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from lattice_common.domain.capture import Priority
from lattice_common.logs import carried, logger

log = logger(__name__)

INGEST = "lattice.ingest"
QUEUES: tuple[Priority, ...] = ("interactive", "bulk")
VISIBILITY_SECONDS = 43_200
"""Far longer than any task: a shorter one would redeliver a task while it runs, for ever."""
WAITING_AT_MOST = 10_000
"""Rings that wait for Redis. More are dropped: the worker's sweep finds their entries."""
AGAIN_SECONDS = 1.0
"""Seconds between two tries to reach Redis."""


def celery_app(redis_url: str) -> Celery:
    """Return the app of both sides. The broker's address may carry a password, and is never logged."""
    app = Celery("lattice", broker=redis_url, set_as_current=False)
    app.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        result_backend=None,
        task_acks_late=True,
        task_retry_on_worker_lost=True,
        task_reject_on_worker_lost=False,
        task_soft_time_limit=900,
        task_time_limit=1200,
        task_default_queue="bulk",
        worker_prefetch_multiplier=1,
        worker_concurrency=1,
        worker_pool="prefork",
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        # The child opens the whole store: half a minute at a million atoms.
        worker_proc_alive_timeout=180,
        worker_send_task_events=False,
        worker_soft_shutdown_timeout=20,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        visibility_timeout=VISIBILITY_SECONDS,
        result_backend_transport_options={"visibility_timeout": VISIBILITY_SECONDS},
        broker_transport_options={
            "visibility_timeout": VISIBILITY_SECONDS,
            "unacked_restore_interval": 10,
            "unacked_restore_throttle": 1,
            "queue_order_strategy": "priority",
            "socket_keepalive": True,
            "health_check_interval": 15,
            "socket_timeout": 30,
            "socket_connect_timeout": 5,
        },
    )
    return app


class CeleryQueue:
    """Implements `ports.queue.Queue`: its own thread talks to Redis, so that ringing never waits. `memory` is the name of the
    memory's indexes, by which a worker of several identifies it."""

    def __init__(self, app: Celery, memory: str) -> None:
        # Of its own accord kombu tries for seconds, in which nobody would hear that Redis is away.
        app.conf.broker_transport_options = {**app.conf.broker_transport_options, "max_retries": 0}
        self._app = app
        self._memory = memory
        self._rings: queue.SimpleQueue[tuple[str, Priority] | None] = queue.SimpleQueue()
        self._reached = True
        self._closing = threading.Event()
        self._thread = threading.Thread(target=carried(self._run), name="lattice-doorbell", daemon=True)
        self._thread.start()

    def ring(self, entry_id: str, priority: Priority) -> bool:
        """Return whether the last ring got through, as far as is known: this one has not been sent yet."""
        if self._rings.qsize() >= WAITING_AT_MOST:
            return False
        self._rings.put((entry_id, priority))
        return self._reached

    @property
    def reached(self) -> bool:
        """Return whether the last ring got through."""
        return self._reached

    def close(self) -> None:
        """Stop the thread; the sweep finds what was not sent."""
        self._closing.set()
        self._rings.put(None)
        self._thread.join(10)
        self._app.close()

    def _run(self) -> None:
        while (ring := self._rings.get()) is not None:
            while not self._sent(*ring):
                if self._closing.wait(AGAIN_SECONDS):
                    return

    def _sent(self, entry_id: str, priority: Priority) -> bool:
        try:
            self._app.send_task(INGEST, (entry_id, priority, self._memory), queue=priority, retry=False, ignore_result=True)
        except (OperationalError, OSError, RedisError):
            if self._reached:
                log.warning("queue_away")
            self._reached = False
            return False
        self._reached = True
        return True
