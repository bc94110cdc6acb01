"""The inbox: a folder into which anybody may write files of any name, at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Literal, Protocol, TypeAlias

Destination: TypeAlias = Literal["processed", "failed"]


@dataclass(frozen=True, slots=True)
class Seen:
    """A regular file as it was at a scan. `path` is relative to the inbox, with `/`; the value changes when the file does."""

    path: str
    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Strange:
    """A link, pipe, device or socket, or a folder that cannot be read: never opened."""

    path: str
    reason: str


class InboxFolder(Protocol):
    """Never follows a link out of the folder, and opens regular files only."""

    def scan(self) -> Iterator[Seen | Strange]:
        """Yield everything below the inbox except `processed/`, `failed/` and names that begin with a dot, in a stable order."""
        ...

    def read(self, seen: Seen, limit: int) -> bytes | None:
        """Return at most `limit + 1` bytes of a file; None when it is gone or has changed.

        Raise `PermissionError`.
        """
        ...

    def copy(self, seen: Seen, into: Callable[[bytes], object]) -> bool:
        """Pass all bytes to `into`, piece by piece; return false when the file is gone or has changed: then the pieces are
        worthless. Raise `PermissionError`, and whatever `into` raises."""
        ...

    def open(self, seen: Seen) -> IO[bytes] | None:
        """Return the file, open for reading and seeking; None when it is gone or has changed. The caller closes it. Raise
        `PermissionError`."""
        ...

    def settle(self, seen: Seen, place: Destination, day: str, why: str | None = None) -> bool:
        """Move a file to `<place>/<day>/`, overwriting nothing, and write `why` into a `.why.txt` beside it where it is given.

        Links are never followed. Return false when the file is gone, or was replaced since. Raise `OSError` with words that tell
        the owner why it cannot be moved, or `Unavailable` when the disk is full.
        """
        ...
