"""The atoms as markdown files, `atoms/YYYY/MM/<atom_id>.md`; the year and month are those of the id (UTC).

Archived ones are below `archive/` instead, at the same path: only the location of a file says so. Only names of the form
`<ulid>.md` are atoms, wherever below the two the owner has moved them; hidden folders and a disk's `lost+found` are never entered
and links never followed. A folder that cannot be read is set aside, like a file. Of two files of one id, one in `atoms/` counts
before one in `archive/`, then the first in path order, and the other is listed as a conflict.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from lattice_common.adapters.files import durable, frontmatter
from lattice_common.adapters.files.atom_fields import time_of
from lattice_common.adapters.files.confirmed_age import confirmed
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.ids import ID
from lattice_common.errors import Conflict, Corrupt, InvalidInput
from lattice_common.ports.atoms import FileMark, Unreadable

MEMORIES, ARCHIVE, TRASH = "atoms", "archive", "trash"
"""Folders of memories: recalled ones, those recalled on request only, and deleted ones."""
FROM_ARCHIVE = "trash/from-archive"
"""Where archived memories are in the trash, so that they can be restored to the archive."""
TRASH_LOOK = "index/trash-look.json"
"""When it was looked at what is old enough to leave the trash."""

ATOM_ID = ID
NOT_ENTERED = "lost+found"
"""A file system's own folder at its root, which only root may read: no memories, also where a disk is mounted at `atoms/`."""

FOLDER_UNREADABLE = "folder-not-readable"
"""The reason of a folder among what is set aside."""

_ATTEMPTS = 5
_STALE = 0
"""A modification time that no file has: whoever compares this mark reads the file again."""


class AtomFiles:
    """Implements `ports.atoms.AtomWriter` on the data folder `root`. Paths in marks are relative to `root`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._elsewhere: dict[str, str] = {}
        self._second: dict[str, set[str]] = {}
        """Further files of an id besides the one that counts: one of them counts when that is gone."""
        self._conflicts: list[Unreadable] = []

    def read(self, atom_id: str) -> Atom | Unreadable | None:
        path = self._find(atom_id)
        return None if path is None else self._load(path, atom_id)

    def read_file(self, mark: FileMark) -> Atom | Unreadable:
        loaded = self.check_file(mark.path)
        return loaded if isinstance(loaded, Unreadable) else loaded.atom

    def notes(self, mark: FileMark) -> tuple[str, ...]:
        loaded = self.check_file(mark.path)
        return () if isinstance(loaded, Unreadable) else loaded.notes

    def check_file(self, path: str) -> frontmatter.Loaded | Unreadable:
        """Return the atom at a path relative to the data folder, with notes about what was read otherwise than it is written."""
        return self._check(path, path.rpartition("/")[2].removesuffix(".md"))

    def marks(self) -> Iterator[tuple[str, FileMark]]:
        winners, self._conflicts = _scan(self._root, MEMORIES, ARCHIVE)
        self._elsewhere = {atom_id: mark.path for atom_id, mark in winners.items() if mark.path != usual_place(atom_id)}
        self._second = {}
        for each in self._conflicts:
            if each.reason == "second-file":
                self._second.setdefault(each.path[-29:-3], set()).add(each.path)
        return iter(winners.items())

    def find(self, atom_id: str, places: Sequence[str]) -> FileMark | None:
        if ATOM_ID.fullmatch(atom_id) is None:
            return None
        usual, known = usual_place(atom_id), self._elsewhere.get(atom_id)
        aside = usual_place(atom_id, ARCHIVE)
        every = {*places, usual, aside, *([known] if known else ()), *self._second.get(atom_id, ())}
        possible = sorted((place for place in every if place[-29:-3] == atom_id), key=_rank)
        there = [mark for mark in map(self._regular, possible) if mark]
        self._elsewhere.pop(atom_id, None)
        self._second.pop(atom_id, None)
        if there and there[0].path != usual:
            self._elsewhere[atom_id] = there[0].path
        if there[1:]:
            self._second[atom_id] = {mark.path for mark in there[1:]}
        return there[0] if there else None

    def trashed(self) -> Iterator[tuple[str, FileMark]]:
        return iter(_scan(self._root, TRASH)[0].items())

    def lying(self, atom_id: str) -> FileMark | None:
        if ATOM_ID.fullmatch(atom_id) is None:
            return None
        for folder in (TRASH, FROM_ARCHIVE):
            place = usual_place(atom_id, folder)
            try:
                status = os.lstat(f"{self._root}/{place}")
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                return FileMark(place, _STALE, 0)
            if stat.S_ISREG(status.st_mode):
                return FileMark(place, status.st_mtime_ns, status.st_size)
        return None

    def is_hidden(self, path: str) -> bool:
        parent = self._root
        try:
            for part in path.split("/")[:-1]:
                parent /= part
                os.scandir(parent).close()
            os.lstat(self._root / path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True
        return False

    def conflicts(self) -> list[Unreadable]:
        self.marks()
        return list(self._conflicts)

    def put(self, atoms: Sequence[Atom]) -> list[FileMark]:
        marks: dict[str, FileMark] = {}
        written: list[tuple[Atom, bytes]] = []
        for atom in atoms:
            content = frontmatter.dump(atom)
            place = self._known_place(atom.atom_id)
            mark = self._kept(place, content) if place is not None else None
            if mark is None:
                written.append((atom, content))
            else:
                marks[atom.atom_id] = mark
        durable.write_many((f"{self._root}/{usual_place(atom.atom_id)}", content) for atom, content in written)
        for atom, _ in written:
            marks[atom.atom_id] = self._mark(usual_place(atom.atom_id))
        return [marks[atom.atom_id] for atom in atoms]

    def set_fields(self, atom_id: str, fields: Mapping[str, JsonValue]) -> tuple[Atom, FileMark] | None:
        written = {name: value for name, value in fields.items() if name != "archived"}
        for _ in range(_ATTEMPTS):
            place = self._find(atom_id)
            if place is None:
                return None
            path = durable.inside(self._root, place)
            try:
                seen = _look(path)
                former = durable.read(path, limit=frontmatter.MAX_FILE_BYTES + 1)
                edited = frontmatter.edit(former, atom_id, written)
                if edited != former:
                    durable.write(path, edited, before_rename=_Unchanged(path, seen, former))
                if "archived" in fields:
                    place = self._set_aside(atom_id, place, archived=bool(fields["archived"]))
            except (FileNotFoundError, _ChangedByHandError):
                continue
            return self._loaded(place, atom_id)
        raise Conflict(f"the file of atom {atom_id} keeps being changed by another program: close it there and try again")

    def trash(self, atom_id: str) -> bool:
        place = self._find(atom_id)
        if place is None:
            return False
        durable.move(self._root / place, self._root / trash_place(place))
        self._elsewhere.pop(atom_id, None)
        return True

    def trash_each(self, atom_ids: Sequence[str]) -> None:
        places = [place for atom_id in dict.fromkeys(atom_ids) if (place := self._find(atom_id)) is not None]
        durable.move_each([(self._root / place, self._root / trash_place(place)) for place in places])
        for atom_id in atom_ids:
            self._elsewhere.pop(atom_id, None)

    def expired(self, now: datetime, keep: timedelta) -> list[str]:
        before = confirmed(self._root / TRASH_LOOK, now, keep)
        if before is None:
            return []
        # Moving a file leaves its modification time alone, and sets the time of its inode. A copy of the folder has later ones:
        # then what is in the trash stays longer, never shorter.
        winners, _ = _scan(self._root, TRASH)
        return [atom_id for atom_id, mark in winners.items() if _moved_at(self._root / mark.path) < before]

    def empty_trash(self, atom_ids: Iterable[str]) -> int:
        winners = _scan(self._root, TRASH)[0]
        return sum(durable.remove(self._root / winners[each].path) for each in atom_ids if each in winners)

    def in_trash(self, atom_ids: Iterable[str]) -> set[str]:
        wanted = {atom_id for atom_id in atom_ids if ATOM_ID.fullmatch(atom_id)}
        found = {atom_id for atom_id in wanted if (self._root / usual_place(atom_id, TRASH)).is_file()}
        return found if found == wanted else wanted & _scan(self._root, TRASH)[0].keys()

    def restore(self, atom_id: str) -> tuple[Atom, FileMark] | None:
        if ATOM_ID.fullmatch(atom_id) is None:
            return None
        place = usual_place(atom_id, TRASH)
        if not (self._root / place).is_file():
            winners, _ = _scan(self._root, TRASH)
            if atom_id not in winners:
                return None
            place = winners[atom_id].path
        target = place_before(place)
        if not self._moved(place, target):
            raise Conflict(f"{target} is there again: move it away before restoring the one in the trash")
        if target != usual_place(atom_id):
            self._elsewhere[atom_id] = target
        return self._loaded(target, atom_id)

    def _known_place(self, atom_id: str) -> str | None:
        """Return the path of the last scan, or the usual one; None when the file is at neither."""
        for place in (self._elsewhere.get(atom_id), usual_place(atom_id), usual_place(atom_id, ARCHIVE)):
            if place is not None and os.path.lexists(f"{self._root}/{place}"):  # as text: a bulk import asks for every atom
                return place
        return None

    def _find(self, atom_id: str) -> str | None:
        if ATOM_ID.fullmatch(atom_id) is None:
            return None
        place = self._known_place(atom_id)
        if place is None:
            self.marks()
            place = self._elsewhere.get(atom_id)
        return place

    def _kept(self, place: str, content: bytes) -> FileMark | None:
        """Return the mark of a file that stays as it is; None when it is to be written.

        A hand's edit stays, whatever it changed, and so does what was archived since: the mark asks to be read again.
        """
        try:
            mark = self._mark(place)
            there = durable.read(self._root / place, limit=frontmatter.MAX_FILE_BYTES + 1)
        except FileNotFoundError:
            return None
        if there == content and not is_aside(place):
            return mark
        if not there.strip(b"\0"):
            return None  # torn by something else than us; nothing of anybody's is in it
        return FileMark(place, _STALE, mark.size)

    def _set_aside(self, atom_id: str, place: str, *, archived: bool) -> str:
        """Move a file into the archive or back; return where it is then."""
        (here, there), rest = (ARCHIVE, MEMORIES) if archived else (MEMORIES, ARCHIVE), place.partition("/")[2]
        target = f"{here}/{rest}"
        if archived == is_aside(place):
            # A move that a power cut took back in part left the file at both.
            if (self._root / there / rest).exists():
                self._moved(f"{there}/{rest}", target)
            return place
        if not self._moved(place, target):
            raise Corrupt(f"{place} cannot be moved, {target} has the same id: move one of the two away")
        self._elsewhere.pop(atom_id, None)
        if target != usual_place(atom_id):
            self._elsewhere[atom_id] = target
        return target

    def _moved(self, place: str, target: str) -> bool:
        """Move a file; return whether it could be: not onto another one. After a power cut it may have both names already."""
        source, to = self._root / place, self._root / target
        if to.exists() and not to.samefile(source):
            return False
        durable.move(source, to)
        return True

    def _loaded(self, place: str, atom_id: str) -> tuple[Atom, FileMark] | None:
        mark = self._mark(place)
        loaded = self._check(place, atom_id)
        if isinstance(loaded, Unreadable):
            raise Corrupt(f"{place} cannot be read, {loaded.detail}: mend it by hand")
        return loaded.atom, mark

    def _mark(self, place: str) -> FileMark:
        status = os.lstat(f"{self._root}/{place}")
        return FileMark(place, status.st_mtime_ns, status.st_size)

    def _regular(self, place: str) -> FileMark | None:
        """Return the mark of a file that a scan would come upon: no link, and in no hidden or linked folder."""
        parts = place.split("/")
        if parts[0] not in (MEMORIES, ARCHIVE) or any(part.startswith(".") for part in parts) or len(parts[-1]) != 29:
            return None
        at = str(self._root)
        try:
            for part in parts[:-1]:
                at = f"{at}/{part}"
                if not stat.S_ISDIR(os.lstat(at).st_mode):
                    return None
            status = os.lstat(f"{at}/{parts[-1]}")
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return None
        return FileMark(place, status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None

    def _load(self, place: str, atom_id: str) -> Atom | Unreadable:
        loaded = self._check(place, atom_id)
        return loaded if isinstance(loaded, Unreadable) else loaded.atom

    def _check(self, place: str, atom_id: str) -> frontmatter.Loaded | Unreadable:
        if ATOM_ID.fullmatch(atom_id) is None:
            return Unreadable(place, "no-atom-name", "the name is not `<atom id>.md`")
        try:
            content = durable.read(durable.inside(self._root, place), limit=frontmatter.MAX_FILE_BYTES + 1)
        except FileNotFoundError:
            return Unreadable(place, "gone", "the file is no longer there")
        except (Corrupt, InvalidInput) as error:
            by_disk = isinstance(error.__cause__, OSError) and error.__cause__.errno == errno.EIO
            return Unreadable(place, "not-readable" if by_disk else "not-regular", str(error))
        except OSError as error:
            return Unreadable(place, "not-readable", f"the file cannot be opened: {error.strerror}")
        loaded = frontmatter.load(content, atom_id)
        if isinstance(loaded, frontmatter.InvalidFile):
            return Unreadable(place, loaded.reason, loaded.detail)
        return replace(loaded, atom=replace(loaded.atom, archived=True)) if is_aside(place) else loaded


def _moved_at(path: Path) -> float:
    return os.lstat(path).st_ctime


class _ChangedByHandError(Exception):
    """The file is not the one that was read."""


class _Unchanged:
    """Raises when called after the file at `path` has changed since it was read."""

    def __init__(self, path: Path, seen: tuple[int, int, int], content: bytes) -> None:
        self._path, self._seen, self._content = path, seen, content

    def __call__(self) -> None:
        # Equal times do not prove an equal file (a clock tick may be 4 ms, and some tools set times back): the bytes do.
        if _look(self._path) != self._seen or durable.read(self._path, limit=len(self._content) + 1) != self._content:
            raise _ChangedByHandError


def _look(path: Path) -> tuple[int, int, int]:
    status = os.lstat(path)
    return status.st_mtime_ns, status.st_size, status.st_ino


def usual_place(atom_id: str, folder: str = MEMORIES) -> str:
    """Return the path of an atom's file, relative to the data folder, unless its owner moved it."""
    created = time_of(atom_id)
    return f"{folder}/{created.year:04}/{created.month:02}/{atom_id}.md"


def is_aside(place: str) -> bool:
    """Return whether a file lies in the archive."""
    return place.startswith(f"{ARCHIVE}/")


def _rank(place: str) -> tuple[bool, str]:
    """Return the sort key by which one of several files of an id counts."""
    return is_aside(place), place


def trash_place(place: str) -> str:
    """Return the path of a file after its deletion."""
    folder, _, rest = place.partition("/")
    return f"{FROM_ARCHIVE if folder == ARCHIVE else TRASH}/{rest}"


def place_before(place: str) -> str:
    """Return the path of a file in the trash before its deletion."""
    if place.startswith(f"{FROM_ARCHIVE}/"):
        return f"{ARCHIVE}/{place.removeprefix(f'{FROM_ARCHIVE}/')}"
    return f"{MEMORIES}/{place.removeprefix(f'{TRASH}/')}"


def _scan(root: Path, *folders: str) -> tuple[dict[str, FileMark], list[Unreadable]]:
    """Return the atom files below folders of `root`, in the order in which they count, and the files that are set aside."""
    found: list[FileMark] = []
    aside: list[Unreadable] = []
    pending = list(folders)
    while pending:
        place = pending.pop()
        try:
            with os.scandir(root / place) as entries:
                for entry in entries:
                    name = entry.name
                    if name.startswith(".") or name == NOT_ENTERED:
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(f"{place}/{name}")
                    elif ATOM_ID.match(name) and name.endswith(".md"):
                        _sort_in(entry, f"{place}/{name}", found, aside)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            # Its memories are not recalled, and not taken for deleted either; all others are recalled.
            aside.append(Unreadable(place, FOLDER_UNREADABLE, f"this folder cannot be read: {error.strerror}"))
    winners: dict[str, FileMark] = {}
    for mark in sorted(found, key=lambda mark: _rank(mark.path)):
        winner = winners.setdefault(mark.path[-29:-3], mark)
        if winner is not mark:
            aside.append(Unreadable(mark.path, "second-file", f"{winner.path} has the same id, and counts"))
    return winners, sorted(aside, key=lambda file: file.path)


def _sort_in(entry: os.DirEntry[str], path: str, found: list[FileMark], aside: list[Unreadable]) -> None:
    if len(entry.name) != 29:
        aside.append(Unreadable(path, "conflict-copy", "a copy that a sync program or a hand made beside an atom"))
    elif not entry.is_file(follow_symlinks=False):
        aside.append(Unreadable(path, "not-regular", "a link or a device, which is not opened"))
    else:
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        found.append(FileMark(path, status.st_mtime_ns, status.st_size))
