"""The journal: canonical, append-only, what makes a 202 a promise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Protocol

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import Entry
from lattice_common.domain.forgetting import Erasure
from lattice_common.domain.reading import Reading
from lattice_common.domain.receipt import AtomChange, CaptureStatus, Receipt, State
from lattice_common.domain.segment import Rejection


@dataclass(frozen=True, slots=True)
class Tally:
    """What the parts of a capture came to so far: kept in each plan, so that a redo can go on from it."""

    atom_ids: tuple[str, ...] = ()
    atoms_updated: int = 0
    duplicates_skipped: int = 0
    rejected: int = 0
    changes: tuple[AtomChange, ...] = ()
    trashed: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    next_ordinal: int = 0
    notes: tuple[str, ...] = ()
    again: tuple[Span, ...] = ()
    """Stretches of the text that were not read as they should have been, and are worth reading again."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What ingest decided for one part of a capture: a redo log. Its rename is the commit point.

    `atoms` are written with exactly these ids and contents; `changes` are set on atoms that are there already; `tally` holds
    the sums with this part included. A capture whose last part (`part == parts − 1`) is applied gets its receipt.
    """

    capture_id: str
    part: int
    parts: int
    epoch: int
    atoms: tuple[Atom, ...]
    changes: tuple[AtomChange, ...]
    rejected: tuple[Rejection, ...]
    trashed: tuple[str, ...]
    restored: tuple[str, ...]
    tally: Tally
    attempts: int = 0
    """Attempts that were counted when this was decided: only those since then say that the entry cannot be got through."""
    read_to: int = 0
    """Up to where in the capture's text its parts have been read, this one included; 0 in plans that do not say so. Parts may be
    cut in another way when the rest is read."""
    of: str | None = None
    """The capture that is read again, where it is that."""
    erasure: Erasure | None = None
    """What is taken out for good once all else is carried out. It is here as long as the plan is: until the checkpoint."""


@dataclass(frozen=True, slots=True)
class AgainMark:
    """A finished capture of which `spans` are to be read again once the language model can.

    `rounds` were in vain because its answers could not be used, `outages` because it was away in the middle; before `not_before`
    nothing is tried.
    """

    capture_id: str
    spans: tuple[Span, ...]
    rounds: int = 0
    outages: int = 0
    not_before: datetime | None = None


class Upload(Protocol):
    """The bytes of a file on their way into the journal: on its disk as they come, and never all of them in memory.

    Close it in any case: what was not appended is removed then.
    """

    @property
    def size(self) -> int:
        """Bytes so far."""
        ...

    def write(self, chunk: bytes) -> None:
        """Raise `Unavailable` (507) when the disk is full."""
        ...

    def sha256(self) -> str:
        """Of the bytes so far, in lower-case hex."""
        ...

    def opened(self) -> IO[bytes]:
        """Return the bytes so far, to be read from their beginning and sought in; the caller closes it."""
        ...

    def close(self) -> None: ...


class Journal(Protocol):
    """What everybody may do: append and look. `append` is durable when it returns."""

    def upload(self) -> Upload:
        """Return a place for the bytes of a file that comes in pieces. Raise `Unavailable` (507) when the disk is full."""
        ...

    def append(self, entry: Entry, upload: Upload | None = None) -> tuple[str, bool]:
        """Return the entry's id and true; with an idempotency key seen before and the same body hash, the old id and false.

        `upload` holds the bytes of a capture's `original`: they are there for good before the entry is. Raise `Conflict` for the
        same key with another body, `Unavailable` (507) when the disk is full.
        """
        ...

    def read(self, entry_id: str) -> Entry | None:
        """Return the entry as it was appended; a file that was read, with what the reader made of it. Raise `Corrupt`."""
        ...

    def original_path(self, entry_id: str) -> Path | None:
        """Where the bytes of a capture's original are, for reading only; None when it has none, or they are gone."""
        ...

    def status(self, entry_id: str) -> CaptureStatus | None: ...

    def receipt(self, entry_id: str) -> Receipt | None: ...

    def open_ids(self) -> list[str]:
        """Unfinished entries, oldest first."""
        ...

    def entries(self, *, newest_first: bool = True) -> Iterator[str]:
        """Return ids of all entries."""
        ...

    def listing(self, *, state: State | None, limit: int, cursor: str | None) -> tuple[list[CaptureStatus], str | None]:
        """Return a page of captures, newest first, and the cursor to go on with; None at the end."""
        ...

    def retry(self, entry_id: str) -> bool:
        """Open a dead entry again with its attempts reset; false when it is not dead."""
        ...


class WorkLog(Journal, Protocol):
    """What only the writer may do. Every method is durable when it returns."""

    def begin(self, entry_id: str) -> int:
        """Count an attempt, before any work; returns its number, from 1."""
        ...

    def begin_each(self, entry_ids: Sequence[str]) -> list[int]:
        """Count an attempt of each, before any work on them; their numbers."""
        ...

    def absolve(self, entry_id: str) -> None:
        """Forget the attempts of an unfinished entry: what stopped them was not the entry."""
        ...

    def write_reading(self, entry_id: str, reading: Reading) -> None:
        """Keep what a file says; one that is there already stays as it is, so that spans stay true. May be called from any
        thread."""
        ...

    def read_reading(self, entry_id: str) -> Reading | None: ...

    def write_plan(self, plan: Plan) -> None: ...

    def write_plans(self, plans: Sequence[Plan]) -> None:
        """Of several entries, all durable together. Not one transaction: a crash may leave some."""
        ...

    def read_plan(self, entry_id: str) -> Plan | None: ...

    def mark_again(self, mark: AgainMark) -> None:
        """Remember that a capture is to be read again; takes the place of an earlier mark of it."""
        ...

    def again(self, capture_id: str) -> AgainMark | None: ...

    def again_ids(self) -> list[str]:
        """Return captures that are to be read again, oldest first."""
        ...

    def clear_again(self, capture_id: str) -> None:
        """May be repeated."""
        ...

    def mark_deleted(self, commands: Mapping[str, bool]) -> None:
        """Remember that what commands moved to the trash is to be forgotten when it leaves that; with True barred for ever."""
        ...

    def deleted(self) -> dict[str, bool]:
        """Commands of which this is remembered, oldest first, and whether it is barred."""
        ...

    def deleted_ids(self) -> list[str]:
        """Return the same commands by their names alone: nothing is opened."""
        ...

    def clear_deleted(self, command_id: str) -> None:
        """May be repeated."""
        ...

    def finish(self, receipt: Receipt) -> None:
        """Write the receipt; one that is there already stays as it is. The entry stays open until `close_entry`."""
        ...

    def close_entry(self, entry_id: str) -> None:
        """The checkpoint: remove the plan, then the mark in the work list. May be repeated.

        A dead entry keeps its plan: what it says is committed, and a retry goes on from there. Raise `Conflict` for an entry
        without receipt.
        """
        ...

    def end_each(self, receipts: Sequence[Receipt]) -> None:
        """`finish` and `close_entry` for several entries; none is closed before all of their receipts are durable."""
        ...

    def recover(self) -> list[str]:
        """Once, at the writer's start: clean up after a crash, and open entries that have neither mark nor receipt (a backup made
        by copying the folder in use may lack the mark). Return the ids that were opened again."""
        ...
