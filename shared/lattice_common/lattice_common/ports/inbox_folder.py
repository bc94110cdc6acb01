"""The inbox as a folder of files that anybody may write into, at any time, with any name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Literal, Protocol, TypeAlias

Place: TypeAlias = Literal["processed", "failed"]


@dataclass(frozen=True, slots=True)
class Seen:
    """A regular file as it was when looked at. `path` is relative to the inbox, with `/`; it changes when the file does."""

    path: str
    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Strange:
    """Something that is no regular file (a link, a pipe, a device, a socket), or a folder that cannot be read: never opened."""

    path: str
    reason: str


class InboxFolder(Protocol):
    """Never follows a link out of the folder, and never opens what is no regular file."""

    def scan(self) -> Iterator[Seen | Strange]:
        """Return everything below the inbox but `processed/`, `failed/` and what begins with a dot, in a stable order."""
        ...

    def read(self, seen: Seen, limit: int) -> bytes | None:
        """Return the bytes, `limit + 1` of them at most; None when the file is gone, or is not what was seen any more.

        Raise `PermissionError`.
        """
        ...

    def copy(self, seen: Seen, into: Callable[[bytes], object]) -> bool:
        """Hand all bytes to `into`, piece by piece; false when the file is gone, or is not what was seen any more: then what came
        is worthless. Raise `PermissionError`, and whatever `into` raises."""
        ...

    def open(self, seen: Seen) -> IO[bytes] | None:
        """Return the file, to be read piece by piece and sought in; None when it is gone, or is not what was seen any more. The
        caller closes it. Raise `PermissionError`."""
        ...

    def settle(self, seen: Seen, place: Place, day: str, why: str | None = None) -> bool:
        """Move it to `<place>/<day>/`, overwriting nothing, with a `.why.txt` beside it where there is something to say.

        Never through a link. False when it is gone, or was replaced since. Raise `OSError` with words that tell the owner why it
        cannot be moved, or `Unavailable` when the disk is full.
        """
        ...
