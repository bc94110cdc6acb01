"""The worker: Celery around the one writer, or one writer for each memory where there are several owners.

The holder of the data folder's lock is the writer; a second worker stands by without taking a message, and takes over within
seconds when the first is gone. The locks of further memories are taken after it, by the same worker.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from functools import partial

from celery.exceptions import SecurityWarning
from celery.signals import worker_process_init, worker_process_shutdown
from lattice_common.adapters.server.celery_app import INGEST, QUEUES, celery_app
from lattice_common.composition import HeldLock, keep_first, take_lock
from lattice_common.errors import Conflict, LatticeError
from lattice_common.logs import configure, logger
from lattice_common.settings import Settings
from lattice_common.spaces import spaces_of

from lattice_worker.writer_process import WriterProcess

log = logger(__name__)

LOOK_SECONDS = 2.0
"""Seconds between two tries of the lock by a standby worker: docs/guarantees.md, G11, allows five for taking over."""
SAY_EVERY = 15
"""Tries between two log lines of a standby worker."""


def stand_by(take: Callable[[], HeldLock]) -> HeldLock:
    """Return the lock, as soon as it is free. Raise what is no question of waiting (`NotConfigured`, `Corrupt`)."""
    tries = 0
    while True:
        try:
            return take()
        except Conflict:
            if tries % SAY_EVERY == 0:
                log.info("writer_stands_by")
            tries += 1
            time.sleep(LOOK_SECONDS)


def memories_of(settings: Settings) -> list[Settings]:
    """Return the settings of each memory of the deployment, the first owner's first. Raise as `spaces_of` and `keep_first` do."""
    spaces = spaces_of(settings)
    if spaces:
        keep_first(settings, spaces[0].name)
    return [space.settings for space in spaces] or [settings]


def main() -> None:
    """Run the worker until it is told to stop."""
    try:
        settings = Settings(mode="server")
        configure(settings.log_level, json=settings.log_json)
        memories = {each.index_name: (each, stand_by(partial(take_lock, each))) for each in memories_of(settings)}
    except LatticeError as error:
        sys.exit(str(error))
    # Celery takes a container's user, whose group has no name, for a superuser.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    writers = WriterProcess(memories)
    app = celery_app(settings.redis_address())
    app.task(name=INGEST, ignore_result=True, max_retries=3)(writers.ring)

    # Celery keeps weak references to receivers unless it is told otherwise.
    worker_process_init.connect(lambda **_: writers.start(), weak=False)
    worker_process_shutdown.connect(lambda **_: writers.stop(), weak=False)
    arguments = ["--quiet", "worker", "-Q", ",".join(QUEUES), "-n", "writer@%h", "--loglevel", "WARNING"]
    app.worker_main([*arguments, "--without-gossip", "--without-mingle"])
