"""The markdown files of atoms: canonical, and the owner's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue


@dataclass(frozen=True, slots=True)
class FileMark:
    """Where an atom's file is (relative, `/`-separated) and how it looked when it was read; a file with an equal mark need not be
    read again."""

    path: str
    mtime_ns: int
    size: int


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file in the atoms' folder that is no valid atom: it is left alone, and listed. `reason` is a short code, `detail` a
    sentence."""

    path: str
    reason: str
    detail: str


class AtomReader(Protocol):
    """Reads atoms. A broken file never keeps the others from being read."""

    def read(self, atom_id: str) -> Atom | Unreadable | None: ...

    def marks(self) -> Iterator[tuple[str, FileMark]]:
        """Yield (atom id, mark) of every atom file, archived ones included, without opening it. Of two files with one id the one
        that is not archived wins, then the first in path order."""
        ...

    def find(self, atom_id: str, places: Sequence[str]) -> FileMark | None:
        """Return the mark of the file that counts for an id, looked for at `places`, at its usual path and where it was last
        seen; None when it is at none of them. Costs a look at each path, and never a scan."""
        ...

    def read_file(self, mark: FileMark) -> Atom | Unreadable: ...

    def notes(self, mark: FileMark) -> tuple[str, ...]:
        """Return what in a readable file is read otherwise than it is written, as short codes (`supersedes:itself`), for the
        doctor."""
        ...

    def is_hidden(self, path: str) -> bool:
        """Return whether a file may exist at this path though it is not seen, because a folder above it cannot be read: then
        nobody deleted it."""
        ...

    def trashed(self) -> Iterator[tuple[str, FileMark]]:
        """Yield (atom id, mark) of every file in the trash, without opening it."""
        ...

    def lying(self, atom_id: str) -> FileMark | None:
        """Return the mark of a file that lies in the trash where deleting it put it; None where it is not there. Costs a look at
        two paths, and never a scan: what a hand moved within the trash is not found. Of what cannot be seen now, as in a folder
        that cannot be read, there is a mark too, and reading it says that."""
        ...

    def conflicts(self) -> list[Unreadable]:
        """Return files that are set aside without being opened: second files of one id and conflict copies of a sync program; and
        folders that cannot be read (`folder-not-readable`)."""
        ...


class AtomWriter(AtomReader, Protocol):
    """Writes atoms; only the one writer has it. Every method is durable when it returns, and may be repeated."""

    def put(self, atoms: Sequence[Atom]) -> list[FileMark]:
        """Write new atoms, one file each; return their marks. A file that is there with the same content hash is left as it
        is."""
        ...

    def set_fields(self, atom_id: str, fields: Mapping[str, JsonValue]) -> tuple[Atom, FileMark] | None:
        """Change some fields of a file and nothing else: unknown keys, comments and a hand's formatting of other fields stay.

        Return the atom and its mark; None when the file is gone. Raise `Corrupt` when it cannot be read. `content` is the body;
        `archived` is no field of the file: the file is moved into the archive, or back.
        """
        ...

    def trash(self, atom_id: str) -> bool:
        """Move the file to the trash; return false when it was not there."""
        ...

    def trash_each(self, atom_ids: Sequence[str]) -> None:
        """Move those of the files that are there to the trash, durable together."""
        ...

    def expired(self, now: datetime, keep: timedelta) -> list[str]:
        """Return the ids of files that were moved to the trash longer than `keep` ago, as an earlier call, at least a day before
        `now`, already saw. So a clock that is ahead for less than a day expires nothing; one that is ahead at several calls in a
        row, and ever further, by no more than a quarter of `keep`, or two days, for each (`domain.trusted_time`)."""
        ...

    def empty_trash(self, atom_ids: Iterable[str]) -> int:
        """Remove these from the trash for good; return how many were there."""
        ...

    def in_trash(self, atom_ids: Iterable[str]) -> set[str]:
        """Return those of the ids whose files are in the trash and could be moved back."""
        ...

    def restore(self, atom_id: str) -> tuple[Atom, FileMark] | None:
        """Move a file back from the trash to where it was; return the atom and its mark, None when it was not there."""
        ...
