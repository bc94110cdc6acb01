"""The markdown: canonical, the owner's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue


@dataclass(frozen=True, slots=True)
class FileMark:
    """Where an atom's file is (relative, `/`-separated) and how it looked when it was read; equal marks need no second read."""

    path: str
    mtime_ns: int
    size: int


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file among the atoms that is none: it is left alone, and listed. `reason` is a short code, `detail` a sentence."""

    path: str
    reason: str
    detail: str


class AtomReader(Protocol):
    """Reads atoms. A broken file never stops the others."""

    def read(self, atom_id: str) -> Atom | Unreadable | None: ...

    def marks(self) -> Iterator[tuple[str, FileMark]]:
        """(atom id, mark) of every atom file, archived ones too, without opening it. Of two files with one id one that is not
        archived wins, then the first in path order."""
        ...

    def find(self, atom_id: str, places: Sequence[str]) -> FileMark | None:
        """Return the mark of the file that counts for an id, looked for at these paths, at its usual one and where it was seen
        before; None when it is at none of them. Costs a look at each, and never a scan."""
        ...

    def read_file(self, mark: FileMark) -> Atom | Unreadable: ...

    def notes(self, mark: FileMark) -> tuple[str, ...]:
        """Return what in a readable file is read otherwise than it stands, as short codes (`supersedes:itself`); for the
        doctor."""
        ...

    def is_hidden(self, path: str) -> bool:
        """Return whether a file may be at this path though it is not seen, because a folder on the way cannot be read: then
        nobody deleted it."""
        ...

    def trashed(self) -> Iterator[tuple[str, FileMark]]:
        """(atom id, mark) of every file in the trash, without opening it."""
        ...

    def conflicts(self) -> list[Unreadable]:
        """Return files that are set aside without being opened: second files of one id, conflict copies of a sync program; and
        folders that cannot be read (`folder-not-readable`)."""
        ...


class AtomWriter(AtomReader, Protocol):
    """Writes atoms; only the one writer has it. Every method is durable when it returns and may be repeated."""

    def put(self, atoms: Sequence[Atom]) -> list[FileMark]:
        """Write new atoms, one file each. An id that is there with the same content hash is left as it is."""
        ...

    def set_fields(self, atom_id: str, fields: Mapping[str, JsonValue]) -> tuple[Atom, FileMark] | None:
        """Change some fields of a file and nothing else: unknown keys, comments and a hand's formatting of others stay.

        Return None when the file is gone; raises `Corrupt` when it cannot be read. `content` is the body; `archived` is no field
        of the file: it is moved into the archive, or back.
        """
        ...

    def trash(self, atom_id: str) -> bool:
        """Move the file to the trash; false when it was not there."""
        ...

    def trash_each(self, atom_ids: Sequence[str]) -> None:
        """Move the files that are there to the trash, durable together."""
        ...

    def expired(self, now: datetime, keep: timedelta) -> list[str]:
        """Return ids of what was moved to the trash longer than `keep` ago, as a look of a day before `now` or earlier already
        saw it. A clock that is ahead for less than a day makes nothing old enough."""
        ...

    def empty_trash(self, atom_ids: Iterable[str]) -> int:
        """Remove these from the trash for good; how many were there."""
        ...

    def in_trash(self, atom_ids: Iterable[str]) -> set[str]:
        """Return those of them that could be moved back."""
        ...

    def restore(self, atom_id: str) -> tuple[Atom, FileMark] | None:
        """Move it back from the trash, to where it was."""
        ...
