"""The embedded queue: one thread that drains the journal.

A ring only wakes it. What is to be done is always read from the journal's work list: at the start, and every `SWEEP_SECONDS` in
case a ring was lost. Something said by hand goes before a bulk import, and waits for one part of it at most; of every
`BULK_EVERY` turns one is the import's, so that it goes on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest
from itertools import islice

from lattice_common.domain.capture import (
    Capture,
    Command,
    CountRecalls,
    Derive,
    Entry,
    ExtractAgain,
    Priority,
    SetStatuses,
    SettleJudged,
)
from lattice_common.errors import Corrupt, NotTheWriter, Unavailable
from lattice_common.ingest.pipeline import Ingest
from lattice_common.logs import logger
from lattice_common.ports.journal import WorkLog

log = logger(__name__)

SWEEP_SECONDS = 30.0
"""RELIABILITY section 0 (4)."""

BULK_EVERY = 20
"""Bulk work gets at least one turn beside nineteen entries that somebody waits for."""

BULK_BATCH = 32
"""Small bulk captures that go through together."""

TOGETHER = 64
"""Short things said by hand that go through together, with one commit of the engines: with fifty clients, a second of work."""

LOOKED_AHEAD = 64
"""Entries that a language model may read before their turn; it stops where it has enough to do."""

TRIES_AT_ONCE = 4
"""One more than the attempts after which an entry that was not decided yet is set aside as dead."""

FOLLOWED_AT_ONCE = 128
"""Files changed by hand that are followed before what is said comes in between again: about half a second of work."""

PAUSE_SECONDS = 5.0
"""After a failure of the disk or of an engine, before trying again: the work waits, no attempts are burnt in a hurry."""


@dataclass(frozen=True, slots=True)
class WriterState:
    """What the writer is doing: `waiting` entries, and why it is paused, if it is. `starting` until the start-up repair is done:
    what is derived may lag behind the files until then."""

    alive: bool
    waiting: int
    paused: str | None
    starting: bool
    turns: int = 0
    """Batches begun so far: one that works and does not count on hangs."""
    busy_seconds: float = 0.0
    """How long the batch in hand has taken so far."""


class WriterThread:
    """Implements `ports.queue.Queue`. In the thread, `before` runs once before the first entry (start-up repair), `follow` with
    files that a hand may have changed, `after_commit` after every batch, and `idle` when there is nothing left to do: again at
    once where it says that it has more to do itself."""

    def __init__(
        self,
        worklog: WorkLog,
        ingest: Ingest,
        *,
        before: Callable[[], None],
        follow: Callable[[Sequence[str]], None],
        after_commit: Callable[[], None],
        idle: Callable[[], bool],
    ) -> None:
        self._worklog = worklog
        self._ingest = ingest
        self._before = before
        self._follow = follow
        self._after_commit = after_commit
        self._idle = idle
        self._wake = threading.Condition()
        # Heaps: ids grow with time, so the oldest comes first in whatever order entries were rung for and found.
        self._interactive: list[str] = []
        self._bulk: list[str] = []
        self._again: list[str] = []
        self._queued: set[str] = set()
        """What is in one of the heaps, once each."""
        self._known: set[str] = set()
        self._urgent: set[str] = set()
        self._failures: dict[str, int] = {}
        self._touched: dict[str, None] = {}
        self._following = False
        self._followed_at_once = FOLLOWED_AT_ONCE
        self._more = False
        self._starting = True
        self._stopping = False
        self._paused: str | None = None
        self._turns = 0
        self._since_bulk = 0
        """Entries that went before bulk work since it had its last turn."""
        self._turn_began: float | None = None
        self._on_broken: Callable[[], None] = lambda: None
        self.broken = False
        """Whether something broke that a new start only mends."""
        self._sweep_at = 0.0
        self._thread = threading.Thread(target=self._run, name="lattice-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def when_broken(self, told: Callable[[], None]) -> None:
        """Call `told` when the thread ends for a defect: nothing is written any more then, until the process is started anew."""
        self._on_broken = told

    def stop(self, timeout: float = 30.0) -> None:
        """Finish the part in hand, then stop; what is left stays in the work list."""
        with self._wake:
            self._stopping = True
            self._wake.notify_all()
        self._ingest.stop_reading()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def join(self, timeout: float) -> bool:
        """Wait until the thread has ended, for whatever reason; whether it has."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def ring(self, entry_id: str, priority: Priority) -> bool:
        with self._wake:
            self._add(entry_id, priority)
            self._wake.notify_all()
        return self._thread.is_alive() and not self._stopping

    def resume(self, entry_id: str) -> None:
        """A file was read that the writer had passed over."""
        with self._wake:
            if entry_id in self._known:
                self._push(self._interactive if entry_id in self._urgent else self._bulk, entry_id)
                self._wake.notify_all()

    def touched(self, paths: Iterable[str]) -> None:
        """Files of atoms, by their paths relative to the data folder, that a hand may have changed."""
        with self._wake:
            self._touched |= dict.fromkeys(paths)
            self._wake.notify_all()

    def caught_up(self, timeout: float) -> bool:
        """Wait until all files that were touched before have been followed; whether they have."""
        with self._wake:
            return self._wake.wait_for(lambda: not (self._touched or self._following), timeout)

    def state(self) -> WriterState:
        with self._wake:
            busy = time.monotonic() - self._turn_began if self._turn_began is not None else 0.0
            return WriterState(self._thread.is_alive(), len(self._known), self._paused, self._starting, self._turns, busy)

    def _push(self, heap: list[str], entry_id: str) -> None:
        """With the lock held. What waits already keeps its place."""
        if entry_id not in self._queued:
            self._queued.add(entry_id)
            heappush(heap, entry_id)

    def _pop(self, heap: list[str]) -> str:
        entry_id = heappop(heap)
        self._queued.discard(entry_id)
        return entry_id

    def _add(self, entry_id: str, priority: Priority) -> None:
        if entry_id not in self._known:
            self._known.add(entry_id)
            if priority == "interactive":
                self._urgent.add(entry_id)
            self._push(self._interactive if priority == "interactive" else self._bulk, entry_id)

    def _run(self) -> None:
        steps = [self._before, self._sweep]
        try:
            while not self._stopping:
                if steps:
                    if self._done(steps[0]):
                        self._starting = self._starting and steps[0] is not self._before
                        del steps[0]
                    continue
                if self._touched:
                    self._done(self._follow_some)
                if not self._turn() and not self._touched:
                    self._more = False
                    self._done(self._idle_once)
                    with self._wake:
                        # What is known and not to be taken is a file that is being read: `resume` wakes for it.
                        if not (self._interactive or self._again or self._bulk or self._touched or self._stopping or self._more):
                            self._wake.wait(max(self._sweep_at - time.monotonic(), 0.0))
                # By the clock, not by how long it was quiet: a busy day must not put it off.
                if not steps and time.monotonic() >= self._sweep_at:
                    steps.append(self._sweep)
        except NotTheWriter as error:
            # Somebody else holds the lock: writing on would break the promise of one writer.
            self._paused = str(error)
            log.exception("writer_failed")
        except BaseException as error:
            # An engine written in Rust that panics raises no `Exception`, and may be left in any state: a new start mends it.
            self._paused = f"it broke ({type(error).__name__}, the log says where): start Lattice again; what is told is kept"
            log.exception("writer_failed")
            self.broken = True
            self._on_broken()

    def _done(self, step: Callable[[], None]) -> bool:
        """Whether a step beside the entries was done. What stops it (a full disk, a defect) must not end the thread: it is
        waited for, and the step tried again."""
        try:
            step()
        except NotTheWriter:
            raise
        except Unavailable as error:
            self._pause(str(error))
            return False
        except Exception as error:
            log.exception("writer_failed")
            self._pause(f"{type(error).__name__} at the start or between two captures: the log says where")
            return False
        self._paused = None
        return True

    def _idle_once(self) -> None:
        self._more = self._idle()

    def _follow_some(self) -> None:
        """A file that cannot be followed for a defect of ours is tried alone, and then left to the next start."""
        with self._wake:
            paths = list(islice(self._touched, self._followed_at_once))
            for path in paths:  # first: what is touched again meanwhile is followed again
                del self._touched[path]
            self._following = True
        try:
            self._follow(paths)
            self._after_commit()
        except Exception as error:
            if len(paths) == 1 and not isinstance(error, (NotTheWriter, Unavailable)):
                log.exception("writer_failed", path=paths[0])
                return
            self._followed_at_once = self._followed_at_once if isinstance(error, Unavailable) else 1
            self.touched(paths)
            raise
        finally:
            with self._wake:
                self._following = False
                self._wake.notify_all()
        if not self._touched:
            self._followed_at_once = FOLLOWED_AT_ONCE

    def _sweep(self) -> None:
        """Find unfinished entries that nobody rang for. Of an import, what was begun before goes on alone: should it be what
        stopped the process, it must not burn the attempts of others. What was said by hand goes alone anyway, and in its order:
        an edit and its undo must not change places."""
        self._sweep_at = time.monotonic() + SWEEP_SECONDS
        unfinished = self._worklog.open_ids()  # looks at every one of a long list: whoever rings must not wait for it
        lost = self._lost()
        with self._wake:
            missing = [entry_id for entry_id in unfinished if entry_id not in self._known]
        for entry_id in missing:
            try:
                status = self._worklog.status(entry_id)
                said = self._worklog.read(entry_id)
            except Corrupt:
                status = said = None  # its turn says what is the matter
            priority: Priority = _priority_of(said)
            with self._wake:
                if status is not None and status.attempts and priority == "bulk":
                    self._known.add(entry_id)
                    self._push(self._again, entry_id)
                else:
                    self._add(entry_id, priority)
        if missing:
            log.info("sweep", found=len(missing))
        if lost:
            log.warning("sweep", lost=lost)

    def _lost(self) -> int:
        """Queue again what is known, waits nowhere and is in nobody's hands, so that nothing stays at work for ever; how many."""
        with self._wake:
            idle = [entry_id for entry_id in self._known - self._queued if not self._ingest.is_in_hand(entry_id)]
            for entry_id in idle:
                self._push(self._interactive if entry_id in self._urgent else self._again, entry_id)
        return len(idle)

    def _turn(self) -> bool:
        """One batch; false when there was nothing to do."""
        batch = self._take()
        if not batch:
            return False
        failed = True
        self._turn_began = time.monotonic()
        try:
            unfinished = self._work(batch)
            failed = False
            self._after_commit()
            self._paused = None
        except NotTheWriter:
            raise
        except Unavailable as error:
            unfinished = batch
            self._pause(str(error))
        except Exception:
            # Each of a failed batch is tried again alone, so that one poison does not take others with it. The attempts in
            # the journal bound how often.
            log.exception("capture_failed", entries=len(batch), capture_id=batch[0])
            unfinished = self._worth_another_try(batch)
        finally:
            self._turn_began = None
        with self._wake:
            for entry_id in unfinished:
                if self._ingest.is_in_hand(entry_id):
                    continue  # `resume` brings it back
                # A long text lets others in between its parts; what failed keeps its place, and so does what was not begun.
                begun = len(batch) == 1 or self._ingest.is_begun(entry_id)
                if entry_id in self._urgent and (failed or not begun):
                    self._push(self._interactive, entry_id)
                    self._since_bulk -= 1
                else:
                    self._push(self._again if failed or begun else self._bulk, entry_id)
            left = set(batch) - set(unfinished)
            self._known -= left
            self._urgent -= left
            for entry_id in left:
                self._failures.pop(entry_id, None)
        return True

    def _worth_another_try(self, batch: list[str]) -> list[str]:
        """What fails again and again in one process (a plan that cannot be carried out) waits for the next sweep."""
        for entry_id in batch:
            self._failures[entry_id] = self._failures.get(entry_id, 0) + 1
        return [entry_id for entry_id in batch if self._failures[entry_id] % (TRIES_AT_ONCE + 1)]

    def _work(self, batch: list[str]) -> list[str]:
        """What is not finished: a long capture after one of its parts, a file that is being read."""
        self._ingest.look_ahead(self._coming, self._waited_for)
        if len(batch) == 1:
            return [] if self._ingest.next_part(batch[0]) else batch
        if batch[0] in self._urgent:
            return self._ingest.together(batch)
        left = self._ingest.run(batch, lambda: self._stopping or bool(self._interactive))
        return [*left, *(entry_id for entry_id in batch if self._ingest.is_being_read(entry_id))]

    def _coming(self) -> list[str]:
        """Whose turns come next, as far as it looks."""
        with self._wake:
            bulk = nsmallest(LOOKED_AHEAD, self._bulk)
            return [*sorted(self._interactive), *sorted(self._again), *bulk][:LOOKED_AHEAD]

    def _waited_for(self) -> list[str]:
        with self._wake:
            return sorted(self._interactive)

    def _take(self) -> list[str]:
        """Interactive first; then what is to be gone on with, alone; then bulk, in batches."""
        with self._wake:
            self._turns += 1
            later = bool(self._again or self._bulk)
            most = min(TOGETHER, BULK_EVERY - 1 - self._since_bulk) if later else TOGETHER
            if self._interactive and most > 0:
                batch = [self._pop(self._interactive) for _ in range(min(most, len(self._interactive)))]
                self._since_bulk += len(batch)
                return batch
            self._since_bulk = 0
            if self._again:
                return [self._pop(self._again)]
            return [self._pop(self._bulk) for _ in range(min(BULK_BATCH, len(self._bulk)))]

    def _pause(self, why: str) -> None:
        log.warning("writer_waits", seconds=PAUSE_SECONDS)
        with self._wake:
            self._paused = why
            self._wake.wait_for(lambda: self._stopping, PAUSE_SECONDS)


def _priority_of(said: Entry | None) -> Priority:
    """What somebody waits for goes first; what the product asks of itself, and an import, do not."""
    if isinstance(said, Capture):
        return said.priority
    asked_by_itself = (ExtractAgain, CountRecalls, Derive, SetStatuses, SettleJudged)
    return "bulk" if isinstance(said, Command) and isinstance(said.action, asked_by_itself) else "interactive"
