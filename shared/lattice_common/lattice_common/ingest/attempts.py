"""How often an entry was tried, and when it is given up.

Two things are counted. An *attempt* is counted in the journal before any work, so that an entry which stops the process is not
tried for ever; one that ended because something was away or lacking goes on as the same attempt. A *plan* that cannot be carried
out (a defect, or a file system that refuses for another reason than being full or read-only) is decided, so it is tried again;
but what fails in the same way each time must end, and say why. A kill does not count as a failure of a plan: only what was raised
in this process counts, so a power cut leaves no plan half done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from lattice_common.errors import NotTheWriter, Unavailable
from lattice_common.ingest.shortage import shortage_of
from lattice_common.ports.journal import Plan, WorkLog

Survives: TypeAlias = Callable[[str], bool]
"""Reads an entry in a process of its own and returns whether that process survived: an entry that kills its reader harms nothing
else there."""


class Attempts:
    """For the writer's thread. At most `most` attempts are made at an entry, and at carrying out its plan."""

    def __init__(self, worklog: WorkLog, most: int, survives: Survives) -> None:
        self._worklog = worklog
        self._most = most
        self._survives = survives
        self._under_way: dict[str, int] = {}
        self._tried_here: set[str] = set()
        self._failures: dict[str, list[str]] = {}
        self.await_file: set[str] = set()
        """Entries that were skipped while their file is read; their attempt continues when it is read."""

    def count(self, entry: str, plan: Plan | None) -> int:
        """Return the number of the attempt that is under way for an entry; a new one is counted in the journal."""
        if entry not in self._under_way:
            if self._is_last_after_crashes(entry, plan) and self._survives(entry):
                self._worklog.absolve(entry)
            self._under_way[entry] = self._worklog.begin(entry)
        return self._under_way[entry]

    def count_each(self, entries: Sequence[str]) -> Sequence[int]:
        """Count a new attempt for each of several entries; return their numbers."""
        attempts = self._worklog.begin_each(entries)
        self._under_way.update(zip(entries, attempts, strict=True))
        return attempts

    def work_begins(self, entry: str) -> None:
        """Record that this process works on an entry: a failure from here on is the entry's fault."""
        self._tried_here.add(entry)

    def given_up(self, entry: str, attempt: int, plan: Plan | None) -> str | None:
        """Return why an entry is given up, for its receipt; None while it is tried. What it needed up to its last plan does not
        count against it."""
        if attempt - _attempts_then(plan) <= self._most:
            return None
        return f"failed {self._most} times; look at the log for its id, then `lattice retry {entry}`"

    def plan_given_up(self, entry: str) -> str | None:
        """Return why the plan of an entry is given up, for its receipt; None while it is carried out."""
        failures = self._failures.get(entry, [])
        if len(failures) < self._most:
            return None
        return (
            f"what was decided could not be written {len(failures)} times{failures[-1]}; look at the log for its id, mend the "
            f"cause, then `lattice retry {entry}`"
        )

    @contextmanager
    def carrying_out(self, entries: Iterable[str]) -> Iterator[None]:
        """Count an exception raised inside against the plan of each entry, unless it says that something is away or lacking for
        now."""
        try:
            yield
        except (Unavailable, NotTheWriter):
            raise
        except Exception as error:
            if (lacking := shortage_of(error)) is not None:
                raise Unavailable(f"What was decided is not written yet: {lacking}.", status=507) from error
            for entry in entries:
                self._failures.setdefault(entry, []).append(_in_short(error))
            raise

    def failed(self, entries: Iterable[str]) -> None:
        """Close the attempts at these entries: the next time, another attempt is counted."""
        for entry in entries:
            self._under_way.pop(entry, None)

    def failed_all(self) -> None:
        """Close every attempt except those that wait for a file."""
        self.failed([entry for entry in self._under_way if entry not in self.await_file])

    def forget(self, entry: str) -> None:
        """Let go of an entry that has its receipt."""
        self._tried_here.discard(entry)
        self._under_way.pop(entry, None)
        self._failures.pop(entry, None)

    def _is_last_after_crashes(self, entry: str, plan: Plan | None) -> bool:
        """Return whether an entry is before its last attempt because the process died in the ones before: by the entry's fault, a
        kill -9, or a power cut. An attempt that failed in this process was the entry's fault."""
        if entry in self._tried_here:
            return False
        status = self._worklog.status(entry)
        return status is not None and status.attempts - _attempts_then(plan) >= self._most - 1


def _attempts_then(plan: Plan | None) -> int:
    """Return the number of attempts at the time of the last plan."""
    return plan.attempts if plan else 0


def _in_short(error: Exception) -> str:
    """Return what the system says of an error, in brackets; nothing of others, which may hold words of the capture or paths."""
    return f" ({error.strerror})" if isinstance(error, OSError) and error.strerror else ""
