"""What the folders of atoms and of the archive hold, remembered from look to look: finds what changed there whether or not the
system said so.

A file that comes, goes, or is replaced by another (most editors, git and sync programs write a new file and rename it) changes
its folder's time: only such folders are listed again, and compared by name and inode. Where the system told of a few changes it
is listening: then a minute later is soon enough, once for all changes of that minute, and by name alone. What is written in place
does not change that time; so some files are compared with the catalogue at every look, all of them in turn, which also finds what
was replaced unheard. `bench/hand_edits.py` measures it.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from lattice_common.adapters.files.atom_files import ARCHIVE, ATOM_ID, MEMORIES, NOT_ENTERED
from lattice_common.logs import logger
from lattice_common.ports.atoms import FileMark
from lattice_common.ports.catalogue import CatalogueReader

log = logger(__name__)

FILES_PER_LOOK = 5_000
"""Compared with the catalogue at each look: all of a store of 5,000, a twentieth of one of 100,000."""

RECENT_NS = 2_000_000_000
"""Folders that changed so shortly before a look are listed by the next one: times are that coarse on some file systems."""

MOST_TOLD = 1_000
"""Notices of one folder between two looks, from which on some may have been lost: the system keeps 16,384 of all folders."""

TOLD_SECONDS = 60.0
"""After which a folder is listed though the system told of its changes."""

_UNSETTLED = -1
_NAME_LENGTH = 29
"""Of `<ulid>.md`."""


@dataclass(slots=True)
class _Folder:
    """As it was listed: its time, its folders, and the inodes of its atoms' files by name."""

    mtime_ns: int
    folders: tuple[str, ...]
    inodes: dict[str, int]


@dataclass(slots=True)
class _Told:
    """A folder that changed, of which the system told: its time when it last did, the names, and when it is to be listed."""

    mtime_ns: int
    names: set[str]
    due: float


class AtomsListing:
    """For one thread. Paths are relative to the data folder `root`. A folder of which the system told is listed `told_seconds`
    later."""

    def __init__(
        self,
        root: Path,
        catalogue: CatalogueReader,
        *,
        told_seconds: float = TOLD_SECONDS,
        files_per_look: int = FILES_PER_LOOK,
        recent_ns: int = RECENT_NS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._catalogue = catalogue
        self._told_seconds = told_seconds
        self._files_per_look = files_per_look
        self._recent_ns = recent_ns
        self._monotonic = monotonic
        self._folders: dict[str, _Folder] = {}
        self._told: dict[str, _Told] = {}
        self._round: Iterator[str] = iter(())
        self._first = True
        self._unreadable: frozenset[str] = frozenset()

    def unreadable(self) -> frozenset[str]:
        """Return the folders that could not be read at the last look. Safe to call from any thread."""
        return self._unreadable

    def look(self, told: Mapping[str, Collection[str]] | None = None) -> list[str]:
        """Return paths of files that may have changed since the last look; the first one compares with the catalogue's ids.
        `told` are names in folders of which the system told since then: those files are looked at by whoever was told."""
        changed = self._listed(told or {})
        if self._first:
            changed = self._strangers()
            self._first = False
        return [*changed, *self._in_turn()]

    def is_folder(self, place: str) -> bool:
        """Return whether a path was a folder at the last look."""
        return place in self._folders

    def _listed(self, told: Mapping[str, Collection[str]]) -> list[str]:
        """Return what differs in the folders that changed."""
        changed: list[str] = []
        before, self._folders = self._folders, {}
        pending = [MEMORIES, ARCHIVE]
        unreadable: set[str] = set()
        while pending:
            place = pending.pop()
            known = before.pop(place, None)
            try:
                mtime_ns = os.lstat(self._root / place).st_mtime_ns
                if known is None or known.mtime_ns != mtime_ns:
                    known = self._looked(place, mtime_ns, known, told.get(place, ()), changed)
            except (FileNotFoundError, NotADirectoryError):
                if known is not None:
                    before[place] = known
                continue
            except OSError:
                # What is in it is not gone, and may be read again any time: it is listed anew at each look until then.
                unreadable.add(place)
                if known is None:
                    continue
                known.mtime_ns = _UNSETTLED
            self._folders[place] = known
            pending += [f"{place}/{name}" for name in known.folders]
        for place in unreadable - self._unreadable:
            log.warning("atom_unreadable", path=place, reason="folder-not-readable")
        self._unreadable = frozenset(unreadable)
        # Whole folders that went, or were moved.
        return changed + [f"{place}/{name}" for place, gone in before.items() for name in gone.inodes]

    def _list(self, place: str, mtime_ns: int) -> _Folder:
        folders: list[str] = []
        inodes: dict[str, int] = {}
        with os.scandir(self._root / place) as entries:
            for entry in entries:
                name = entry.name
                # First what nearly all are: there may be 100,000.
                if len(name) == _NAME_LENGTH and name.endswith(".md"):
                    inodes[name] = entry.inode()
                elif not name.startswith(".") and name != NOT_ENTERED and entry.is_dir(follow_symlinks=False):
                    folders.append(name)
        recent = time.time_ns() - mtime_ns < self._recent_ns
        return _Folder(_UNSETTLED if recent else mtime_ns, tuple(folders), inodes)

    def _looked(self, place: str, mtime_ns: int, known: _Folder | None, told: Collection[str], changed: list[str]) -> _Folder:
        """Return a folder that is new, or changed since it was listed: as it is now, with what differs added to `changed`; or as
        it was, when it is listed later."""
        heard = self._told.get(place)
        if known is not None and told:
            heard = heard or _Told(mtime_ns, set(), self._monotonic() + self._told_seconds)
            self._told[place] = heard
            heard.mtime_ns = mtime_ns
            heard.names.update(told)
            if any(self._is_folder_at(place, name, known) for name in told):
                heard.due = 0.0  # of what lies in a folder that came or went nothing is said
        if known is not None and heard is not None and heard.mtime_ns == mtime_ns and len(heard.names) <= MOST_TOLD:
            if self._monotonic() >= heard.due:
                del self._told[place]
                changed += self._update(place, mtime_ns, known, heard.names)
            return known
        if known is not None and not told and time.time_ns() - mtime_ns < self._recent_ns:
            return known  # the system may tell of it yet, and times are coarse: the next look sees all of it
        self._told.pop(place, None)
        now = self._list(place, mtime_ns)
        changed += _differences(place, known.inodes if known else {}, now.inodes)
        return now

    def _is_folder_at(self, place: str, name: str, known: _Folder) -> bool:
        if name.endswith(".md") or name.startswith("."):
            return False
        return name in known.folders or (self._root / place / name).is_dir()

    def _update(self, place: str, mtime_ns: int, known: _Folder, told: Collection[str]) -> list[str]:
        """Look at a folder by its names alone, which costs half as much; of those `told` and of new ones the inode is looked up.
        Later changes are told too, so that the time it has now needs no doubt. Return what differs."""
        there = set(os.listdir(self._root / place))  # noqa: PTH208 - names, and not 100,000 paths
        fresh = there - known.inodes.keys()
        gone = known.inodes.keys() - there
        for name in gone:
            del known.inodes[name]
        changed = list(gone)
        folders = [name for name in known.folders if name in there]
        for name in fresh.union(there.intersection(told)).difference(folders):
            status = _status(f"{self._root}/{place}/{name}")
            if len(name) == _NAME_LENGTH and name.endswith(".md"):
                if status is not None and known.inodes.get(name) != status.st_ino:
                    known.inodes[name] = status.st_ino
                    changed.append(name)
            elif status is not None and not name.startswith(".") and name != NOT_ENTERED and stat.S_ISDIR(status.st_mode):
                folders.append(name)
        known.mtime_ns, known.folders = mtime_ns, tuple(folders)
        return [f"{place}/{name}" for name in changed if is_atom_name(name)]

    def _strangers(self) -> list[str]:
        """Return files whose atoms the catalogue does not know, and of atoms that it knows and that have no file."""
        columns = self._catalogue.columns()
        known = {f"{columns.atom_ids[row]}.md" for row in range(columns.count) if columns.alive[row]}
        there = {name: place for place, folder in self._folders.items() for name in folder.inodes}
        return [
            *(f"{place}/{name}" for name, place in there.items() if name not in known),
            *(f"atoms/{name}" for name in known if name not in there),
        ]

    def _in_turn(self) -> list[str]:
        """Return those of the next files that are not as the catalogue knows them."""
        paths = list(islice(self._round, self._files_per_look))
        if len(paths) < self._files_per_look:
            self._round = iter([f"{place}/{name}" for place, folder in self._folders.items() for name in folder.inodes])
            paths += islice(self._round, self._files_per_look - len(paths))
        known = self._catalogue.marks([path[-29:-3] for path in paths])
        return [path for path in paths if path[-29:-3] not in known or _mark(self._root, path) != known[path[-29:-3]][0]]


def is_atom_name(name: str) -> bool:
    """Return whether a file of that name is an atom's."""
    return len(name) == _NAME_LENGTH and name.endswith(".md") and ATOM_ID.match(name) is not None


def _differences(place: str, before: dict[str, int], now: dict[str, int]) -> list[str]:
    changed = [name for name, inode in now.items() if before.get(name) != inode]
    if len(now) - len(changed) < len(before):  # what was there is there no more, or is another file
        changed += before.keys() - now.keys()
    return [f"{place}/{name}" for name in changed if is_atom_name(name)]


def _mark(root: Path, path: str) -> FileMark | None:
    status = _status(f"{root}/{path}")
    return FileMark(path, status.st_mtime_ns, status.st_size) if status is not None and stat.S_ISREG(status.st_mode) else None


def _status(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
