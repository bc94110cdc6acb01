"""What a folder holds while something is done to it, and what a cut of the power would leave: kept by content, each state once.

A process under `faults.watch` waits at every call. Whoever watches reads the folder, takes back in memory what a power cut would
take back on disk (as `cut_power` of faults.c does, in the same order), and keeps what is left, to be looked at later.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path

MADE, GONE, MADE_FOLDER, GONE_FOLDER, MOVED_FOLDER = range(5)
"""Changes of a name, numbered as in `faults.c`."""


@dataclass(frozen=True, slots=True)
class File:
    """Its content by hash, its mode, and when it was written."""

    content: str
    mode: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class State:
    """Names below a folder, each of an inode or, with its mode, of a folder; and the files by inode."""

    names: dict[str, int]
    folders: dict[str, int]
    files: dict[int, File]


@dataclass(frozen=True, slots=True)
class Undone:
    """What a power cut takes back: contents by inode, and changes of names, the newest first."""

    contents: tuple[tuple[int, str], ...]
    names: tuple[tuple[int, str, str, str], ...]


class States:
    """The states that were kept, in a folder of their contents and of their lists."""

    def __init__(self, folder: Path) -> None:
        self._contents, self._lists = folder / "contents", folder / "lists"
        for each in (self._contents, self._lists):
            each.mkdir(parents=True, exist_ok=True)

    def read(self, root: Path) -> State:
        """Return what the folder holds now."""
        names: dict[str, int] = {}
        folders: dict[str, int] = {}
        files: dict[int, File] = {}
        waiting = [""]
        while waiting:
            below = waiting.pop()
            with os.scandir(root / below) as listed:
                for each in listed:
                    path = f"{below}/{each.name}" if below else each.name
                    found = each.stat(follow_symlinks=False)
                    if stat.S_ISDIR(found.st_mode):
                        folders[path] = stat.S_IMODE(found.st_mode)
                        waiting.append(path)
                    else:
                        names[path] = found.st_ino
                        if found.st_ino not in files:
                            files[found.st_ino] = self._file(root / path, found)
        return State(names, folders, files)

    def cut(self, state: State, undone: Undone, root: Path, *, names_too: bool) -> State:
        """Return what a cut of the power would leave of a state of the folder `root`."""
        files = dict(state.files)
        saved = {place: self._known(place, files) for _, _, _, place in undone.names if place}
        for inode, place in undone.contents:
            if inode in files:
                before = self._file(Path(place), Path(place).stat())
                files[inode] = replace(files[inode], content=before.content, mtime_ns=before.mtime_ns)
        if not names_too:
            return State(state.names, state.folders, files)
        left = State(dict(state.names), dict(state.folders), files)
        for change, path, other, place in undone.names:
            _take_back(left, change, _below(root, path), _below(root, other), saved.get(place))
        return left

    def keep(self, state: State) -> str:
        """Return the name of a state: the same for the same names, contents, modes, times and links."""
        links: dict[int, int] = {}
        rows: list[list[object]] = [[path, mode] for path, mode in sorted(state.folders.items())]
        for path, inode in sorted(state.names.items()):
            file = state.files[inode]
            rows.append([path, file.mode, links.setdefault(inode, len(links)), file.content, file.mtime_ns])
        told = json.dumps(rows).encode()
        name = hashlib.sha256(told).hexdigest()
        if not (self._lists / name).exists():
            self._put(self._lists / name, told)
        return name

    def write_out(self, name: str, root: Path) -> None:
        """Make the folder `root` anew as a state had it."""
        root.mkdir(parents=True)
        links: dict[int, Path] = {}
        rows = json.loads((self._lists / name).read_bytes())
        for path, _ in (row for row in rows if len(row) == 2):
            (root / path).mkdir()
        for path, mode, link, content, mtime_ns in (row for row in rows if len(row) > 2):
            if link in links:
                (root / path).hardlink_to(links[link])
                continue
            links[link] = root / path
            (root / path).write_bytes((self._contents / content).read_bytes())
            (root / path).chmod(mode)
            os.utime(root / path, ns=(mtime_ns, mtime_ns))
        for path, mode in (row for row in rows if len(row) == 2):
            (root / path).chmod(mode)

    def _known(self, place: str, files: dict[int, File]) -> int:
        """The inode of a file that lost its name and was saved by another."""
        found = Path(place).stat()
        if found.st_ino not in files:
            files[found.st_ino] = self._file(Path(place), found)
        return found.st_ino

    def _file(self, path: Path, found: os.stat_result) -> File:
        content = path.read_bytes()
        name = hashlib.sha256(content).hexdigest()
        if not (self._contents / name).exists():
            self._put(self._contents / name, content)
        return File(name, stat.S_IMODE(found.st_mode), found.st_mtime_ns)

    def _put(self, place: Path, content: bytes) -> None:
        """Several processes keep states in one folder: what is there is whole."""
        coming = place.with_name(f"{place.name}.{os.getpid()}")
        coming.write_bytes(content)
        coming.rename(place)


def told_undone(beside: Path) -> Undone:
    """Return what a process that waits has told of what a power cut would take back."""
    fields = (beside / "undone").read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1]
    contents: list[tuple[int, str]] = []
    names: list[tuple[int, str, str, str]] = []
    at = 0
    while at < len(fields):
        if fields[at] == "content":
            contents.append((int(fields[at + 1]), fields[at + 2]))
            at += 3
        else:
            names.append((int(fields[at + 1]), fields[at + 2], fields[at + 3], fields[at + 4]))
            at += 5
    return Undone(tuple(contents), tuple(names))


def _below(root: Path, path: str) -> str:
    return os.path.relpath(path, root) if path else ""


def _take_back(left: State, change: int, path: str, other: str, saved: int | None) -> None:
    """As the calls of `cut_power` do, each of which does nothing where the disk would refuse it."""
    folder = path.rpartition("/")[0]
    if change == MADE:
        left.names.pop(path, None)
    if change in (MADE, GONE):
        if saved is not None and path not in left.names and path not in left.folders and (not folder or folder in left.folders):
            left.names[path] = saved
    elif change == GONE_FOLDER:
        if path not in left.folders and path not in left.names and (not folder or folder in left.folders):
            left.folders[path] = 0o700
    elif path in left.folders:
        _moved(left, path, other if change == MOVED_FOLDER else None)


def _moved(left: State, path: str, to: str | None) -> None:
    """A folder with all that is in it has another name, or none."""
    for table in (left.names, left.folders):
        for each in [each for each in table if each == path or each.startswith(f"{path}/")]:
            value = table.pop(each)
            if to is not None:
                table[to + each[len(path) :]] = value
