"""The writer's queue: entries of the journal and files that a hand touched, and whose turn is next.

Interactive entries go before a bulk import, and wait for one part of it at most; one of every `BULK_EVERY` turns is the import's,
so that it goes on. The queue exists before the writer's thread does, so that everything that rings can be given it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush, nsmallest
from itertools import islice

from lattice_common.domain.capture import Priority

BULK_EVERY = 20
"""Bulk work gets at least one turn for nineteen interactive entries."""

BULK_BATCH = 32
"""Small bulk captures that are processed together."""

LOOKED_AHEAD = 64
"""Entries that a language model may read before their turn; it stops where it has enough to do."""


class WriterQueue:
    """Implements `ports.queue.Queue`. Any thread may ring; one thread, the writer's, takes."""

    def __init__(self) -> None:
        self._wake = threading.Condition()
        # Heaps: ids grow with time, so the oldest comes first in whatever order entries were rung for and found.
        self._interactive: list[str] = []
        self._bulk: list[str] = []
        self._again: list[str] = []
        self._queued: set[str] = set()
        """The entries in the heaps."""
        self._known: set[str] = set()
        self._urgent: set[str] = set()
        self._touched: dict[str, None] = {}
        self._following = False
        self._since_bulk = 0
        """Entries processed since bulk work had its last turn."""
        self._is_served = False
        self.is_closed = False

    def ring(self, entry_id: str, priority: Priority) -> bool:
        with self._wake:
            self._add(entry_id, priority)
            self._wake.notify_all()
            return self._is_served and not self.is_closed

    def ring_bulk(self, entry_id: str) -> None:
        """Ring for the product's own work: nobody waits for it."""
        self.ring(entry_id, "bulk")

    def resume(self, entry_id: str) -> None:
        """Queue a file again that the writer had skipped: it has been read."""
        with self._wake:
            if entry_id in self._known:
                self._push(self._interactive if entry_id in self._urgent else self._bulk, entry_id)
                self._wake.notify_all()

    def touched(self, paths: Iterable[str]) -> None:
        """Queue files of atoms that a hand may have changed, by their paths relative to the data folder."""
        with self._wake:
            self._touched |= dict.fromkeys(paths)
            self._wake.notify_all()

    def caught_up(self, timeout: float) -> bool:
        """Wait until all files touched so far have been followed; return whether they have."""
        with self._wake:
            return self._wake.wait_for(lambda: not (self._touched or self._following), timeout)

    def serve(self, *, by_thread: bool) -> None:
        """Say whether a thread serves the queue."""
        with self._wake:
            self._is_served = by_thread

    def close(self) -> None:
        """End every wait; what is left stays in the work list."""
        with self._wake:
            self.is_closed = True
            self._wake.notify_all()

    @property
    def count(self) -> int:
        """Return how many entries are known and not finished, those in work included."""
        with self._wake:
            return len(self._known)

    def wait(self, timeout: float) -> None:
        """Wait until there is something to take, or the queue is closed."""
        with self._wake:
            if not (self._interactive or self._again or self._bulk or self._touched or self.is_closed):
                self._wake.wait(max(timeout, 0.0))

    def wait_closed(self, seconds: float) -> None:
        """Wait so long, unless the queue is closed."""
        with self._wake:
            self._wake.wait_for(lambda: self.is_closed, seconds)

    def take(self, together: int) -> list[str]:
        """Take a batch: interactive entries first, `together` at most; then one to be continued, alone; then bulk ones, in
        batches."""
        with self._wake:
            later = bool(self._again or self._bulk)
            most = min(together, BULK_EVERY - 1 - self._since_bulk) if later else together
            if self._interactive and most > 0:
                batch = [self._pop(self._interactive) for _ in range(min(most, len(self._interactive)))]
                self._since_bulk += len(batch)
                return batch
            self._since_bulk = 0
            if self._again:
                return [self._pop(self._again)]
            return [self._pop(self._bulk) for _ in range(min(BULK_BATCH, len(self._bulk)))]

    def finish(self, entry_ids: Iterable[str]) -> None:
        """Drop entries that are finished, or left to the next sweep."""
        done = set(entry_ids)
        with self._wake:
            self._known -= done
            self._urgent -= done

    def put_back(self, entry_id: str, *, begun: bool, failed: bool) -> None:
        """Queue an unfinished entry. A long text lets others in between its parts; a failed entry keeps its position, and so does
        one that was not begun."""
        with self._wake:
            if entry_id in self._urgent and (failed or not begun):
                self._push(self._interactive, entry_id)
                self._since_bulk -= 1
            else:
                self._push(self._again if failed or begun else self._bulk, entry_id)

    def is_urgent(self, entry_id: str) -> bool:
        return entry_id in self._urgent

    @property
    def has_urgent(self) -> bool:
        """Return whether something waits that goes before an import."""
        return bool(self._interactive)

    def coming(self) -> list[str]:
        """Return the entries whose turns come next, as far as a language model looks ahead."""
        with self._wake:
            bulk = nsmallest(LOOKED_AHEAD, self._bulk)
            return [*sorted(self._interactive), *sorted(self._again), *bulk][:LOOKED_AHEAD]

    def waited_for(self) -> list[str]:
        """Return the entries that somebody waits for."""
        with self._wake:
            return sorted(self._interactive)

    def unknown(self, entry_ids: Sequence[str]) -> list[str]:
        """Return those entries that nobody rang for."""
        with self._wake:
            return [entry_id for entry_id in entry_ids if entry_id not in self._known]

    def add(self, entry_id: str, priority: Priority, *, alone: bool = False) -> None:
        """Queue an entry that a sweep found; `alone` for one that must not be processed together with others."""
        with self._wake:
            if alone:
                self._known.add(entry_id)
                self._push(self._again, entry_id)
            else:
                self._add(entry_id, priority)

    def requeue_lost(self, is_in_hand: Callable[[str], bool]) -> int:
        """Queue again known entries that wait nowhere and are not in work, so that none stays unfinished for ever; return how
        many."""
        with self._wake:
            lost = [entry_id for entry_id in self._known - self._queued if not is_in_hand(entry_id)]
            for entry_id in lost:
                self._push(self._interactive if entry_id in self._urgent else self._again, entry_id)
        return len(lost)

    @property
    def has_touched(self) -> bool:
        return bool(self._touched)

    def take_touched(self, most: int) -> list[str]:
        """Take files to follow; `followed` says when that is done."""
        with self._wake:
            paths = list(islice(self._touched, most))
            for path in paths:  # first: what is touched again meanwhile is followed again
                del self._touched[path]
            self._following = True
            return paths

    def followed(self) -> None:
        with self._wake:
            self._following = False
            self._wake.notify_all()

    def _push(self, heap: list[str], entry_id: str) -> None:
        """Push an entry, with the lock held. One that waits already keeps its position."""
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
