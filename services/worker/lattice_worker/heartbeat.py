"""Writes every few seconds whether the writer makes progress.

The file is read by the container's health check and by the API, which has no other way to know the writer's state.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Protocol

import orjson
from lattice_common.capture.inbox import InboxState
from lattice_common.logs import RECENT
from lattice_common.periodic import Periodic

BEAT_SECONDS = 5.0
LOOK_SECONDS = 0.5
"""Seconds between two checks of what answers are missing; a change is written at once, so that nobody waits for what is over."""
RECENT_TOLD = 50
"""Lines of the log that are included, for the API's operations view."""
STUCK_SECONDS = 900.0
"""A writer with work to do and no finished turn for this long hangs: the longest turn is a part that a language model reads
(`LATTICE_LLM_CAPTURE_SECONDS`, five minutes)."""


class _WriterState(Protocol):
    """`adapters.embedded.writer_thread.WriterState`."""

    @property
    def alive(self) -> bool: ...

    @property
    def waiting(self) -> int: ...

    @property
    def paused(self) -> str | None: ...

    @property
    def starting(self) -> bool: ...

    @property
    def turns(self) -> int: ...


class _Writer(Protocol):
    def state(self) -> _WriterState: ...


class _Inbox(Protocol):
    def state(self) -> InboxState: ...


class Beating(Protocol):
    """The part of `composition.Embedded` that is read here."""

    @property
    def writer(self) -> _Writer: ...

    @property
    def inbox(self) -> _Inbox: ...

    def lacking(self) -> tuple[str, ...]: ...

    def unsearched(self) -> tuple[str, ...]: ...

    def judging_behind(self) -> int: ...

    @property
    def failed(self) -> Callable[[], dict[str, int]]: ...


class Heartbeat:
    """Writes `path` from `start` to `stop`."""

    def __init__(
        self,
        path: Path,
        beating: Beating,
        monotonic: Callable[[], float] = time.monotonic,
        every: float = BEAT_SECONDS,
        space: str = "",
    ) -> None:
        self._path = path
        self._beating = beating
        self._monotonic = monotonic
        self._every = every
        self._space = space
        self._turns = -1
        self._turned_at = monotonic()
        self._lacked: tuple[str, ...] = ()
        self._waited = every
        self._beats = Periodic("lattice-heartbeat", self._step)

    def start(self) -> None:
        self._beats.start()

    def stop(self) -> None:
        self._beats.stop()

    def beat(self) -> None:
        """Write it once."""
        state = self._beating.writer.state()
        if state.turns != self._turns or not state.waiting or state.paused:
            self._turns, self._turned_at = state.turns, self._monotonic()
        since = self._monotonic() - self._turned_at
        stuck = f"the writer got nothing done for {since:.0f} s" if since > STUCK_SECONDS else None
        if not state.alive:
            stuck = f"the writer ended: {state.paused or 'see the log'}"
        lacking = self._beating.lacking()
        told = {
            "at": time.time(),
            "state": "paused" if state.paused else "working" if state.waiting else "idle",
            "waiting": state.waiting,
            "paused": state.paused,
            "starting": state.starting,
            "stuck": stuck,
            "inbox": asdict(self._beating.inbox.state()),
            "lacking": lacking,
            "unsearched": self._beating.unsearched(),
            "judging_behind": self._beating.judging_behind(),
            "failures": self._beating.failed(),
            "recent": RECENT.lines(self._space)[:RECENT_TOLD],
        }
        # Replaced atomically, so that readers see a complete file. Not durable: after a power cut nothing runs anyway.
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        draft.write_bytes(orjson.dumps(told))
        draft.replace(self._path)
        self._lacked = lacking

    def _step(self) -> float:
        pause = min(LOOK_SECONDS, self._every)
        if self._waited >= self._every or self._beating.lacking() != self._lacked:
            # On a full disk the old one stays, and its age shows it; the next write may succeed.
            with contextlib.suppress(OSError):
                self.beat()
            self._waited = 0.0
        self._waited += pause
        return pause
