"""What the names in folders say, read anew where a folder changed.

A folder changes when a name comes or goes, whoever did it: its own time of change, which nobody can set, and its inode tell. So
what is remembered is right after a crash, a restart, a restored backup and changes by hand, with no file of its own to keep.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar, overload

from lattice_common.adapters.files.journal_days import ID_LENGTH, names_in

Read = TypeVar("Read")

FOLDER_TIME_NS = 100_000_000
"""For so long after a change a folder may be changed again without a later time: a kernel's clock for files moves in steps."""


class FolderNames(Generic[Read]):
    """Remembers what `read` made of the names in the last `most` folders that were asked for. Thread-safe.

    A folder that did not change since costs one look at it; one that did, a listing of its names. No file is opened.
    """

    def __init__(self, read: Callable[[list[str]], Read], most: int) -> None:
        self._read = read
        self._most = most
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[tuple[int, int], Read]] = {}

    def of(self, folder: Path) -> Read:
        """Return what the names in a folder say; that of no names where it is not there."""
        try:
            found = folder.stat()
        except (FileNotFoundError, NotADirectoryError):
            return self._read([])
        mark = found.st_ino, found.st_ctime_ns
        with self._lock:
            known = self._known.pop(folder, None)
            if known is not None and known[0] == mark:
                self._known[folder] = known  # behind all others: the first one was not asked for the longest
                return known[1]
        read = self._read(names_in(folder))
        # The time is from before the names were read: what changed the folder meanwhile gave it a later one.
        if abs(time.time_ns() - found.st_ctime_ns) > FOLDER_TIME_NS:
            with self._lock:
                self._known[folder] = mark, read
                while len(self._known) > self._most:
                    del self._known[next(iter(self._known))]
        return read


class PackedIds(Sequence[str]):
    """Ids in order, in 26 bytes each: as a list they take three times as much."""

    __slots__ = ("_text",)

    def __init__(self, ids: Sequence[str]) -> None:
        self._text = "".join(ids)

    def __len__(self) -> int:
        return len(self._text) // ID_LENGTH

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        place = range(len(self))[index] * ID_LENGTH
        return self._text[place : place + ID_LENGTH]

    def __iter__(self) -> Iterator[str]:
        return (self._text[place : place + ID_LENGTH] for place in range(0, len(self._text), ID_LENGTH))
