"""Atoms' files in memory: the same bytes as on disk, in a dictionary."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from lattice_common.adapters.files import frontmatter
from lattice_common.adapters.files.atom_files import (
    ARCHIVE,
    ATOM_ID,
    FROM_ARCHIVE,
    MEMORIES,
    TRASH,
    is_aside,
    place_before,
    trash_place,
    usual_place,
)
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.trusted_time import believed
from lattice_common.errors import Conflict, Corrupt
from lattice_common.ports.atoms import FileMark, Unreadable

_STALE = 0


class MemoryAtoms:
    """Implements `ports.atoms.AtomWriter`. `edit_by_hand` is what an owner does with an editor or a file manager."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[bytes, int]] = {}
        self._times = itertools.count(1)
        self._trashed_at: dict[str, datetime] = {}
        self._looked: datetime | None = None
        self._believed: datetime | None = None

    def edit_by_hand(self, path: str, content: bytes | None) -> None:
        """Write a file at a path such as `atoms/2026/11/<atom_id>.md`; None deletes it."""
        if content is None:
            self._files.pop(path, None)
        else:
            self._files[path] = (content, next(self._times))

    def content_of(self, path: str) -> bytes | None:
        """Return the bytes of a file."""
        file = self._files.get(path)
        return None if file is None else file[0]

    def read(self, atom_id: str) -> Atom | Unreadable | None:
        mark = dict(self.marks()).get(atom_id)
        return None if mark is None else self.read_file(mark)

    def marks(self) -> Iterator[tuple[str, FileMark]]:
        winners: dict[str, FileMark] = {}
        for path in (*self._paths(MEMORIES), *self._paths(ARCHIVE)):
            if ATOM_ID.fullmatch(path[-29:-3]) and len(path.rpartition("/")[2]) == 29:
                winners.setdefault(path[-29:-3], self._mark(path))
        return iter(winners.items())

    def find(self, atom_id: str, places: Sequence[str]) -> FileMark | None:  # noqa: ARG002 - all are at hand
        return dict(self.marks()).get(atom_id)

    def read_file(self, mark: FileMark) -> Atom | Unreadable:
        loaded = self.check_file(mark.path)
        return loaded if isinstance(loaded, Unreadable) else loaded.atom

    def notes(self, mark: FileMark) -> tuple[str, ...]:
        loaded = self.check_file(mark.path)
        return () if isinstance(loaded, Unreadable) else loaded.notes

    def check_file(self, path: str) -> frontmatter.Loaded | Unreadable:
        """Return the atom at a path, with notes about what in it was read otherwise than it stands."""
        atom_id = path.rpartition("/")[2].removesuffix(".md")
        if ATOM_ID.fullmatch(atom_id) is None:
            return Unreadable(path, "no-atom-name", "the name is not `<atom id>.md`")
        content = self.content_of(path)
        if content is None:
            return Unreadable(path, "gone", "the file is no longer there")
        loaded = frontmatter.load(content, atom_id)
        if isinstance(loaded, frontmatter.InvalidFile):
            return Unreadable(path, loaded.reason, loaded.detail)
        return replace(loaded, atom=replace(loaded.atom, archived=True)) if is_aside(path) else loaded

    def trashed(self) -> Iterator[tuple[str, FileMark]]:
        return iter({path[-29:-3]: self._mark(path) for path in self._paths("trash")}.items())

    def lying(self, atom_id: str) -> FileMark | None:
        if ATOM_ID.fullmatch(atom_id) is None:
            return None
        places = (usual_place(atom_id, folder) for folder in (TRASH, FROM_ARCHIVE))
        return next((self._mark(place) for place in places if place in self._files), None)

    def is_hidden(self, path: str) -> bool:  # noqa: ARG002 - all is at hand
        return False

    def conflicts(self) -> list[Unreadable]:
        winners = {mark.path for _, mark in self.marks()}
        aside: list[Unreadable] = []
        for path in (*self._paths(MEMORIES), *self._paths(ARCHIVE)):
            name = path.rpartition("/")[2]
            if path in winners or not ATOM_ID.match(name):
                continue
            reason = "second-file" if len(name) == 29 else "conflict-copy"
            aside.append(Unreadable(path, reason, "another file of the same id counts"))
        return aside

    def put(self, atoms: Sequence[Atom]) -> list[FileMark]:
        known = dict(self.marks())
        marks: list[FileMark] = []
        for atom in atoms:
            content = frontmatter.dump(atom)
            place = known[atom.atom_id].path if atom.atom_id in known else usual_place(atom.atom_id)
            there = self.content_of(place)
            if there is None or not there.strip(b"\0"):
                self.edit_by_hand(place, content)
                there = content
            marks.append(self._mark(place) if there == content and not is_aside(place) else FileMark(place, _STALE, len(there)))
        return marks

    def set_fields(self, atom_id: str, fields: Mapping[str, JsonValue]) -> tuple[Atom, FileMark] | None:
        mark = dict(self.marks()).get(atom_id)
        if mark is None:
            return None
        former = self._files[mark.path][0]
        edited = frontmatter.edit(former, atom_id, {name: value for name, value in fields.items() if name != "archived"})
        if edited != former:
            self.edit_by_hand(mark.path, edited)
        place = mark.path
        if "archived" in fields and bool(fields["archived"]) != is_aside(place):
            place = f"{MEMORIES if is_aside(place) else ARCHIVE}/{place.partition('/')[2]}"
            if place in self._files:
                raise Corrupt(f"{mark.path} cannot be moved, {place} has the same id: move one of the two away")
            self._files[place] = self._files.pop(mark.path)
        return self._loaded(place)

    def trash(self, atom_id: str) -> bool:
        mark = dict(self.marks()).get(atom_id)
        if mark is None:
            return False
        place = trash_place(mark.path)
        self._files[place] = self._files.pop(mark.path)
        self._trashed_at[place] = datetime.now(UTC)
        return True

    def trash_each(self, atom_ids: Sequence[str]) -> None:
        for atom_id in atom_ids:
            self.trash(atom_id)

    def expired(self, now: datetime, keep: timedelta) -> list[str]:
        looked, self._looked = self._looked, now
        self._believed = self._believed or now
        if looked is None or now < looked:
            return []
        if now - looked < timedelta(days=1):
            self._looked = looked
            return []
        self._believed = believed(self._believed, looked, keep)
        before = min(looked, self._believed) - keep
        return [path[-29:-3] for path in self._paths("trash") if self._trashed_at.get(path, before) < before]

    def empty_trash(self, atom_ids: Iterable[str]) -> int:
        wanted = set(atom_ids)
        old = [path for path in self._paths("trash") if path[-29:-3] in wanted]
        for path in old:
            del self._files[path]
        return len(old)

    def in_trash(self, atom_ids: Iterable[str]) -> set[str]:
        return {path.rpartition("/")[2].removesuffix(".md") for path in self._paths("trash")} & set(atom_ids)

    def restore(self, atom_id: str) -> tuple[Atom, FileMark] | None:
        place = next((path for path in self._paths("trash") if path.endswith(f"/{atom_id}.md")), None)
        if place is None:
            return None
        target = place_before(place)
        if target in self._files:
            raise Conflict(f"{target} is there again: move it away before restoring the one in the trash")
        self._files[target] = self._files.pop(place)
        return self._loaded(target)

    def _paths(self, folder: str) -> list[str]:
        return sorted(path for path in self._files if path.startswith(f"{folder}/") and "/." not in path and path.endswith(".md"))

    def _mark(self, path: str) -> FileMark:
        content, time = self._files[path]
        return FileMark(path, time, len(content))

    def _loaded(self, path: str) -> tuple[Atom, FileMark]:
        loaded = self.check_file(path)
        if isinstance(loaded, Unreadable):
            raise Corrupt(f"{path} cannot be read, {loaded.detail}: mend it by hand")
        return loaded.atom, self._mark(path)
