"""The journal: canonical and append-only. An entry in it is what makes a 202 a promise."""

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
from lattice_common.errors import Corrupt


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums over the parts of a capture so far; each plan holds them, so that a redo can go on from there."""

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
    """Stretches of the text that were not read properly, and are worth reading again."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What ingest decided for one part of a capture: a redo log. Its rename is the commit point.

    `atoms` are written with exactly these ids and contents; `changes` are applied to existing atoms; `tally` holds the sums with
    this part included. A capture whose last part (`part == parts − 1`) is applied gets its receipt.
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
    """The number of attempts when this was decided: only later ones show that the entry cannot be processed."""
    read_to: int = 0
    """Offset into the capture's text up to which its parts were read, this one included; 0 in older plans. The rest may be cut
    into parts in another way."""
    of: str | None = None
    """The capture that is read again, where the plan is for that."""
    erasure: Erasure | None = None
    """What is erased once everything else is carried out. It is kept as long as the plan: until the checkpoint."""


@dataclass(frozen=True, slots=True)
class AgainMark:
    """A finished capture of which `spans` are to be read again once the language model can.

    `rounds` failed because its answers could not be used, `outages` because it became unavailable meanwhile; nothing is tried
    before `not_before`.
    """

    capture_id: str
    spans: tuple[Span, ...]
    rounds: int = 0
    outages: int = 0
    not_before: datetime | None = None


class Upload(Protocol):
    """The bytes of a file on their way into the journal: written to its disk as they come, and never all in memory.

    Close it in any case: what was not appended is then removed.
    """

    @property
    def size(self) -> int:
        """Return the number of bytes so far."""
        ...

    def write(self, chunk: bytes) -> None:
        """Append bytes. Raise `Unavailable` (507) when the disk is full."""
        ...

    def sha256(self) -> str:
        """Return the SHA-256 of the bytes so far, in lower-case hex."""
        ...

    def opened(self) -> IO[bytes]:
        """Return the bytes so far, open for reading from their beginning and seeking; the caller closes it."""
        ...

    def close(self) -> None: ...


class Journal(Protocol):
    """What every process may do: append and read. `append` is durable when it returns."""

    def upload(self) -> Upload:
        """Return an upload for the bytes of a file that comes in pieces. Raise `Unavailable` (507) when the disk is full."""
        ...

    def append(self, entry: Entry, upload: Upload | None = None) -> tuple[str, bool]:
        """Return the new entry's id and true; or the old id and false for an idempotency key seen before with the same body hash.

        `upload` holds the bytes of a capture's `original`: they are durable before the entry is. Raise `Conflict` for the same
        key with another body, `Unavailable` (507) when the disk is full.
        """
        ...

    def read(self, entry_id: str) -> Entry | None:
        """Return the entry as it was appended, with the text of a file that was read; None where there is none. Raise
        `Corrupt`."""
        ...

    def original_path(self, entry_id: str) -> Path | None:
        """Return the path of a capture's original, for reading only; None when it has none, or it is gone."""
        ...

    def status(self, entry_id: str) -> CaptureStatus | None: ...

    def receipt(self, entry_id: str) -> Receipt | None: ...

    def open_ids(self) -> list[str]:
        """Return the ids of unfinished entries, oldest first."""
        ...

    def entries(self, *, newest_first: bool = True) -> Iterator[str]:
        """Yield the ids of all entries."""
        ...

    def listing(self, *, state: State | None, limit: int, cursor: str | None) -> tuple[list[CaptureStatus], str | None]:
        """Return a page of captures, newest first, and the cursor to go on with; None at the end."""
        ...

    def retry(self, entry_id: str) -> bool:
        """Open a dead entry again with its attempts reset; return false when it is not dead."""
        ...


class WorkLog(Journal, Protocol):
    """What only the writer may do. Every method is durable when it returns."""

    def begin(self, entry_id: str) -> int:
        """Count an attempt, before any work; return its number, from 1."""
        ...

    def begin_each(self, entry_ids: Sequence[str]) -> list[int]:
        """Count an attempt at each entry, before any work on them; return their numbers."""
        ...

    def absolve(self, entry_id: str) -> None:
        """Reset the attempts at an unfinished entry: what stopped them was not the entry's fault."""
        ...

    def write_reading(self, entry_id: str, reading: Reading) -> None:
        """Keep the text of a file; one that is there already stays as it is, so that spans stay valid. May be called from any
        thread."""
        ...

    def read_reading(self, entry_id: str) -> Reading | None: ...

    def write_plan(self, plan: Plan) -> None: ...

    def write_plans(self, plans: Sequence[Plan]) -> None:
        """Write the plans of several entries, all durable together. Not one transaction: a crash may leave some."""
        ...

    def read_plan(self, entry_id: str) -> Plan | None: ...

    def mark_again(self, mark: AgainMark) -> None:
        """Mark a capture to be read again; replaces an earlier mark of it."""
        ...

    def again(self, capture_id: str) -> AgainMark | None: ...

    def again_ids(self) -> list[str]:
        """Return the ids of captures that are to be read again, oldest first."""
        ...

    def clear_again(self, capture_id: str) -> None:
        """Remove such a mark. May be repeated."""
        ...

    def mark_deleted(self, commands: Mapping[str, bool]) -> None:
        """Mark commands whose deletions are to be forgotten when they leave the trash; with True their words are also barred for
        ever."""
        ...

    def deleted(self) -> dict[str, bool]:
        """Return the marked commands, oldest first, and whether their words are barred."""
        ...

    def deleted_ids(self) -> list[str]:
        """Return the ids of the marked commands, oldest first; opens no file."""
        ...

    def each_deleted(self) -> Iterator[str]:
        """Yield the ids of the marked commands in no order, one at a time, however many they are; opens no file."""
        ...

    def deletions_version(self) -> int | None:
        """Return a number that is another one when such a mark has come or gone since, at the cost of one look; None for a moment
        after a change, while a further one could not be told from it."""
        ...

    def clear_deleted(self, command_id: str) -> None:
        """Remove such a mark. May be repeated."""
        ...

    def finish(self, receipt: Receipt) -> None:
        """Write the receipt; one that is there already stays as it is. The entry stays open until `close_entry`."""
        ...

    def close_entry(self, entry_id: str) -> None:
        """Remove the plan, then the mark in the work list: the checkpoint. May be repeated.

        A dead entry keeps its plan: what the plan says is committed, and a retry goes on from there. Raise `Conflict` for an
        entry without a receipt.
        """
        ...

    def end_each(self, receipts: Sequence[Receipt]) -> None:
        """Call `finish` and `close_entry` for several entries; none is closed before all of their receipts are durable."""
        ...

    def recover(self) -> list[str]:
        """Clean up after a crash, once at the writer's start, and open entries that have neither mark nor receipt (a backup
        copied from a folder in use may lack the mark). Return the ids that were opened again."""
        ...


def whole_entry(journal: Journal, entry_id: str) -> Entry | None:
    """Return an entry; None where the disk changed it, too. For what goes on without it: the doctor says what is damaged, and the
    memories that were made of it are there."""
    try:
        return journal.read(entry_id)
    except Corrupt:
        return None


def whole_receipt(journal: Journal, entry_id: str) -> Receipt | None:
    """Return a receipt; None where the disk changed it, too."""
    try:
        return journal.receipt(entry_id)
    except Corrupt:
        return None
