"""The writer's thread: it processes the journal.

A ring only wakes it. What is to be done is always read from the journal's work list: at the start, and every
`Pace.sweep_seconds` in case a ring was lost. The `WriterQueue` decides whose turn is next.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lattice_common.adapters.embedded.quiet_time import QuietTime
from lattice_common.adapters.embedded.writer_queue import WriterQueue
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
from lattice_common.ingest.pace import Pace
from lattice_common.ingest.pipeline import Ingest
from lattice_common.logs import carried, logger
from lattice_common.ports.journal import WorkLog

log = logger(__name__)

TRIES_AT_ONCE = 4
"""One more than the attempts after which an undecided entry is dead."""

FOLLOWED_AT_ONCE = 128
"""Files changed by hand that are followed before interactive entries have a turn again: about half a second of work."""


@dataclass(frozen=True, slots=True)
class WriterState:
    """The state of the writer: `waiting` entries, and why it is paused, if it is. `starting` until the start-up repair is done:
    derived state may lag behind the files until then."""

    alive: bool
    waiting: int
    paused: str | None
    starting: bool
    turns: int = 0
    """Batches begun so far: a writer at work whose number stands still hangs."""
    busy_seconds: float = 0.0
    """How long the current batch has taken so far."""


@dataclass(frozen=True, slots=True)
class WriterSteps:
    """The steps of the thread beside the entries: `before` once before the first one (start-up repair), `follow` with files that
    a hand may have changed, `after_commit` after every batch, and `idle` when there is nothing left to do: again at once where it
    returns that it has more to do."""

    before: Callable[[], None]
    follow: Callable[[Sequence[str]], None]
    after_commit: Callable[[], None]
    idle: Callable[[], bool]


@dataclass(slots=True)
class _Doing:
    """The thread's current activity. Other threads read it while it changes."""

    starting: bool = True
    paused: str | None = None
    turns: int = 0
    turn_began: float | None = None
    sweep_at: float = 0.0


class WriterThread:
    """Processes the `queue`; the `steps` run in the same thread."""

    def __init__(self, queue: WriterQueue, worklog: WorkLog, ingest: Ingest, steps: WriterSteps, pace: Pace) -> None:
        self.queue = queue
        self._pace = pace
        self._worklog = worklog
        self._ingest = ingest
        self.steps = steps
        self._doing = _Doing()
        self._failures: dict[str, int] = {}
        self._followed_at_once = FOLLOWED_AT_ONCE
        self._on_broken: Callable[[], None] = lambda: None
        self.broken = False
        """Whether something broke that a new start only mends."""
        self._quiet = QuietTime(time.monotonic, pace.quiet_seconds)
        self._thread = threading.Thread(target=carried(self._run), name="lattice-writer", daemon=True)

    def start(self) -> None:
        self.queue.serve(by_thread=True)
        self._thread.start()

    def when_broken(self, told: Callable[[], None]) -> None:
        """Call `told` when the thread ends for a defect: nothing is written any more then, until the process is restarted."""
        self._on_broken = told

    def stop(self, timeout: float = 30.0) -> None:
        """Finish the part in hand, then stop; what is left stays in the work list."""
        self.queue.close()
        self._ingest.stop_reading()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def join(self, timeout: float) -> bool:
        """Wait until the thread has ended, for whatever reason; whether it has."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def state(self) -> WriterState:
        began = self._doing.turn_began
        busy = time.monotonic() - began if began is not None else 0.0
        return WriterState(
            self._thread.is_alive(), self.queue.count, self._doing.paused, self._doing.starting, self._doing.turns, busy
        )

    def _run(self) -> None:
        steps = [self.steps.before, self._sweep]
        try:
            while not self.queue.is_closed:
                if steps:
                    if self._done(steps[0]):
                        self._doing.starting = self._doing.starting and steps[0] is not self.steps.before
                        del steps[0]
                    continue
                if self.queue.has_touched:
                    self._done(self._follow_some)
                if not self._turn() and not self.queue.has_touched:
                    self._rest()
                # By the clock, not by idle time: a busy day must not put it off.
                if not steps and time.monotonic() >= self._doing.sweep_at:
                    steps.append(self._sweep)
        except NotTheWriter as error:
            # Another process holds the lock: writing on would break the promise of one writer.
            self._doing.paused = str(error)
            log.exception("writer_failed")
        except BaseException:
            # An engine written in Rust that panics raises no `Exception`, and may be left in any state: a new start mends it.
            self._doing.paused = "it broke (the log says where): start Lattice again; what is told is kept"
            log.exception("writer_failed")
            self.broken = True
            self._on_broken()
        finally:
            self.queue.serve(by_thread=False)

    def _done(self, step: Callable[[], None]) -> bool:
        """Return whether a step beside the entries was done. A failure (a full disk, a defect) must not end the thread: it
        pauses, and tries the step again."""
        try:
            step()
        except NotTheWriter:
            raise
        except Unavailable as error:
            self._pause(str(error))
            return False
        except Exception:
            log.exception("writer_failed")
            self._pause("a step at the start or between two captures failed (the log says where); it is tried again")
            return False
        self._doing.paused = None
        return True

    def _rest(self) -> None:
        """Do a piece of the writer's own work, once it may, and wait for entries."""
        more = False

        def idle_once() -> None:
            nonlocal more
            self._quiet.worked()
            more = self.steps.idle()

        left = self._quiet.left()
        if not left:
            self._done(idle_once)
        if not more:
            # What is known and not to be taken is a file that is being read: `resume` wakes for it.
            sweep = self._doing.sweep_at - time.monotonic()
            self.queue.wait(min(left, sweep) if left else sweep)

    def _follow_some(self) -> None:
        """Follow some changed files. One that cannot be followed for a defect of ours is tried alone, and then left to the next
        start."""
        paths = self.queue.take_touched(self._followed_at_once)
        try:
            self.steps.follow(paths)
            self.steps.after_commit()
        except Exception as error:
            if len(paths) == 1 and not isinstance(error, (NotTheWriter, Unavailable)):
                log.exception("writer_failed", path=paths[0])
                return
            self._followed_at_once = self._followed_at_once if isinstance(error, Unavailable) else 1
            self.queue.touched(paths)
            raise
        finally:
            self.queue.followed()
        if not self.queue.has_touched:
            self._followed_at_once = FOLLOWED_AT_ONCE

    def _sweep(self) -> None:
        """Find unfinished entries that nobody rang for. Begun entries of an import continue alone: should one have stopped the
        process, it must not use up the attempts of others. Interactive entries are processed alone anyway, and in order: an edit
        and its undo must not change places."""
        self._doing.sweep_at = time.monotonic() + self._pace.sweep_seconds
        unfinished = self._worklog.open_ids()  # looks at every one of a long list: whoever rings must not wait for it
        lost = self.queue.requeue_lost(self._ingest.is_in_hand)
        missing = self.queue.unknown(unfinished)
        for entry_id in missing:
            try:
                status = self._worklog.status(entry_id)
                said = self._worklog.read(entry_id)
            except Corrupt:
                status = said = None  # its turn says what is the matter
            priority: Priority = _priority_of(said)
            tried = status is not None and status.attempts > 0
            self.queue.add(entry_id, priority, alone=tried and priority == "bulk")
        if missing:
            log.info("sweep", found=len(missing))
        if lost:
            log.warning("sweep", lost=lost)

    def _turn(self) -> bool:
        """Process one batch; return false when there was nothing to do."""
        self._doing.turns += 1
        batch = self.queue.take(self._pace.together)
        if not batch:
            return False
        failed = True
        self._doing.turn_began = time.monotonic()
        try:
            unfinished = self._work(batch)
            failed = False
            self.steps.after_commit()
            self._doing.paused = None
        except NotTheWriter:
            raise
        except Unavailable as error:
            unfinished = batch
            self._pause(str(error))
        except Exception:
            # Each entry of a failed batch is tried again alone, so that one bad entry does not affect others. The attempts in the
            # journal limit how often.
            log.exception("capture_failed", entries=len(batch), capture_id=batch[0])
            unfinished = self._worth_another_try(batch)
        finally:
            self._doing.turn_began = None
        if self.queue.is_urgent(batch[0]):
            self._quiet.served(len(batch))
        for entry_id in unfinished:
            if not self._ingest.is_in_hand(entry_id):  # else `resume` brings it back
                begun = len(batch) == 1 or self._ingest.is_begun(entry_id)
                self.queue.put_back(entry_id, begun=begun, failed=failed)
        left = set(batch) - set(unfinished)
        self.queue.finish(left)
        for entry_id in left:
            self._failures.pop(entry_id, None)
        return True

    def _worth_another_try(self, batch: list[str]) -> list[str]:
        """Return the entries of a batch to try again at once. What fails again and again in one process (a plan that cannot be
        carried out) waits for the next sweep."""
        for entry_id in batch:
            self._failures[entry_id] = self._failures.get(entry_id, 0) + 1
        return [entry_id for entry_id in batch if self._failures[entry_id] % (TRIES_AT_ONCE + 1)]

    def _work(self, batch: list[str]) -> list[str]:
        """Process a batch; return what is unfinished: a long capture after one of its parts, a file that is being read."""
        self._ingest.look_ahead(self.queue.coming, self.queue.waited_for)
        if len(batch) == 1:
            return [] if self._ingest.next_part(batch[0]) else batch
        if self.queue.is_urgent(batch[0]):
            return self._ingest.together(batch)
        left = self._ingest.run(batch, lambda: self.queue.is_closed or self.queue.has_urgent)
        return [*left, *(entry_id for entry_id in batch if self._ingest.is_being_read(entry_id))]

    def _pause(self, why: str) -> None:
        log.warning("writer_waits", seconds=self._pace.pause_seconds)
        self._doing.paused = why
        self.queue.wait_closed(self._pace.pause_seconds)


def _priority_of(said: Entry | None) -> Priority:
    """Return the priority of an entry: what somebody waits for goes first, an import and what the product asks of itself do
    not."""
    if isinstance(said, Capture):
        return said.priority
    asked_by_itself = (ExtractAgain, CountRecalls, Derive, SetStatuses, SettleJudged)
    return "bulk" if isinstance(said, Command) and isinstance(said.action, asked_by_itself) else "interactive"
