"""A power cut at any moment: what was acknowledged is there, nothing is torn, nothing twice (docs/guarantees.md, G2, G3).

What the product does to the disk is recorded at the operating system's door (create, write, fsync, rename, unlink, mkdir). A
power cut is a prefix of that record of which everything not yet covered by an fsync may be missing. Each state is put on a disk,
the product is started on it, and sends again what was not acknowledged. The mutants at the end show that the harness can see.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Capture
from lattice_common.errors import Corrupt

from tests.pipeline.living import atoms_of, finished, open_store, say, send, send_file

SAID = ("I live in Berlin. My sister keeps two goats.", "I moved from Berlin to Lisbon. I bought a kayak for 420 euros.")
FILED = "My bike is green. The lock of my bike opens with 4471."
"""What a file says that is given after these."""

CANONICAL = ("journal", "atoms", "graph", ".writer.epoch")


@dataclass
class Disk:
    """What happened to the canonical files, in order. Every write fsyncs its file and its folder when all is well."""

    root: Path
    operations: list[tuple[str, str, bytes]] = field(default_factory=list)
    """(what, path, content): `create`/`write` with content, `fsync`, `fsync-dir`, `rename` (content: the new path), `unlink`,
    `mkdir`, and `ack`."""
    names: dict[int, str] = field(default_factory=dict)

    def note(self, what: str, path: str | os.PathLike[str] | int, content: bytes = b"") -> None:
        name = self.names.get(path, "") if isinstance(path, int) else os.fspath(path)
        relative = os.path.relpath(name, self.root) if name else ""
        if relative.split("/")[0] in CANONICAL or what == "ack":
            self.operations.append((what, relative, content))


@contextlib.contextmanager
def recorded(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything that goes through `durable` is noted."""
    real_open, real_write, real_fsync, real_close = os.open, os.write, os.fsync, os.close
    real_rename, real_unlink, real_mkdir, real_truncate = os.rename, os.unlink, os.mkdir, os.ftruncate

    def open_(path: str, flags: int, mode: int = 0o777, **rest: int) -> int:
        made = bool(flags & os.O_CREAT) and not os.path.lexists(path)
        descriptor = real_open(path, flags, mode, **rest)
        disk.names[descriptor] = os.fspath(path)
        if made:
            disk.note("create", descriptor)
        return descriptor

    def write(descriptor: int, content: bytes) -> int:
        written = real_write(descriptor, content)
        disk.note("write", descriptor, bytes(content[:written]))
        return written

    def fsync(descriptor: int) -> None:
        real_fsync(descriptor)
        name = disk.names.get(descriptor, "")
        disk.note("fsync-dir" if name and os.path.isdir(name) else "fsync", descriptor)  # noqa: PTH112

    def close(descriptor: int) -> None:
        disk.names.pop(descriptor, None)
        real_close(descriptor)

    def ftruncate(descriptor: int, length: int) -> None:
        disk.note("truncate", descriptor, b"%d" % length)
        real_truncate(descriptor, length)

    def rename(source: str | Path, target: str | Path, **rest: int) -> None:
        real_rename(source, target, **rest)
        disk.note("rename", source, os.path.relpath(target, disk.root).encode())
        disk.names |= {number: os.fspath(target) for number, name in disk.names.items() if name == os.fspath(source)}

    def unlink(path: str | Path, **rest: int) -> None:
        real_unlink(path, **rest)
        disk.note("unlink", path)

    def mkdir(path: str | Path, mode: int = 0o777, **rest: int) -> None:
        real_mkdir(path, mode, **rest)
        disk.note("mkdir", path)

    with monkeypatch.context() as patch:
        for function in (open_, write, fsync, close, ftruncate, rename, unlink, mkdir):  # pathlib calls these, too
            patch.setattr(os, function.__name__.rstrip("_"), function)
        yield


@dataclass
class Platter:
    """What a disk holds while operations reach it. Content reaches it by the file's fsync, a name (made, renamed, removed) by its
    folder's."""

    inodes: list[bytearray] = field(default_factory=list)
    synced: list[bytes] = field(default_factory=list)
    now: dict[str, int] = field(default_factory=dict)
    on_disk: dict[str, int] = field(default_factory=dict)
    pending: list[tuple[str, str, int | None]] = field(default_factory=list)

    def take(self, what: str, path: str, content: bytes) -> None:
        match what:
            case "create":
                self._create(path)
            case "write" if path in self.now:
                self.inodes[self.now[path]] += content
            case "truncate" if path in self.now:
                del self.inodes[self.now[path]][int(content) :]
            case "fsync" if path in self.now:
                self.synced[self.now[path]] = bytes(self.inodes[self.now[path]])
            case "rename" if path in self.now:
                target = content.decode()
                self.now[target] = self.now.pop(path)
                self.pending += [(folder_of(target), target, self.now[target]), (folder_of(path), path, None)]
            case "unlink":
                self.now.pop(path, None)
                self.pending.append((folder_of(path), path, None))
            case "fsync-dir":
                for folder, name, inode in self.pending:
                    if folder == path:
                        self.name(name, inode)
                self.pending = [each for each in self.pending if each[0] != path]

    def name(self, name: str, inode: int | None) -> None:
        if inode is None:
            self.on_disk.pop(name, None)
        else:
            self.on_disk[name] = inode

    def _create(self, path: str) -> None:
        self.now[path] = len(self.inodes)
        self.inodes.append(bytearray())
        self.synced.append(b"")
        self.pending.append((folder_of(path), path, self.now[path]))


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def after_the_cut(operations: list[tuple[str, str, bytes]], keep: Callable[[], bool]) -> tuple[dict[str, bytes], set[str]]:
    """The files and folders that a disk may show after a cut: what was fsynced is there, of the rest what `keep` says."""
    platter = Platter()
    for operation in operations:
        platter.take(*operation)
    for _, name, inode in platter.pending:
        if keep():
            platter.name(name, inode)
    shown = {name: bytes(platter.inodes[inode]) if keep() else platter.synced[inode] for name, inode in platter.on_disk.items()}
    return shown, {path for what, path, _ in operations if what == "mkdir"}


def record(root: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Two captures and a file taken to their receipts; `ack` after each acknowledgement."""
    disk = Disk(root)
    with recorded(disk, monkeypatch), open_store(root) as store:
        store.start()
        for number, text in enumerate(SAID):
            capture_id = send(store, IngestRequest(text=text), f"said:{number}")
            disk.note("ack", root / f"journal/{number}", capture_id.encode())
            finished(store, capture_id)
        capture_id = give(store)
        disk.note("ack", root / "journal/file", capture_id.encode())
        finished(store, capture_id)
    return disk


def give(store: Embedded) -> str:
    return send_file(store, "bike.txt", FILED.encode(), key="said:file")


def put(root: Path, shown: dict[str, bytes], folders: set[str]) -> None:
    shutil.rmtree(root, ignore_errors=True)
    for folder in sorted(folders):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for name, content in shown.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


def troubles_of(root: Path, acked: list[str]) -> list[str]:
    """What is broken of the promises in a folder as it is found after a cut, and after the product has started on it."""
    journal = FileJournal(root)
    lost = [capture_id for capture_id in acked if not _is_there(journal, capture_id)]
    torn = [path.name for path in (root / "atoms").rglob("*.md") if not path.name.startswith(".") and not _whole(path)]
    if lost or torn:
        return [f"lost {each}" for each in lost] + [f"torn {each}" for each in torn]
    try:
        contents = contents_after_a_start(root)
    except Corrupt as error:
        return [f"torn {error}"]
    return [] if len(contents) == len(set(contents)) == 6 else [f"wrong atoms {contents}"]


def contents_after_a_start(root: Path) -> list[str]:
    """What is remembered once all is said again."""
    with open_store(root) as store:
        store.start()
        for number, text in enumerate(SAID):
            finished(store, send(store, IngestRequest(text=text), f"said:{number}"))
        finished(store, give(store))
        say(store, "ok")  # what has its receipt already waits for nothing; this waits for the repair
        return sorted(atom.content for atom in atoms_of(store).values())


def _is_there(journal: FileJournal, capture_id: str) -> bool:
    try:
        said = journal.read(capture_id)
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it is lost
        return False
    if not isinstance(said, Capture):
        return False
    path = journal.original_path(capture_id)
    return said.original is None or (path is not None and path.read_bytes() == FILED.encode())


def _whole(path: Path) -> bool:
    text = path.read_bytes()
    return text.startswith(b"---\n") and text.count(b"---\n") >= 2 and text.endswith(b"\n")


def found_in_states(disk: Disk, work: Path, *, states: int, seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    found: list[str] = []
    for _ in range(states):
        cut = chance.randint(1, len(disk.operations))
        share = chance.choice((0.0, 0.0, 0.5, 1.0))
        prefix = disk.operations[:cut]
        put(work, *after_the_cut(prefix, lambda share=share: chance.random() < share))
        found += troubles_of(work, [content.decode() for what, _, content in prefix if what == "ack"])
        if found:
            break
    return found


@pytest.mark.slow
def test_no_power_cut_loses_tears_or_doubles_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = record(tmp_path / "disk", monkeypatch)
    assert len(disk.operations) > 80
    assert found_in_states(disk, tmp_path / "cut", states=40) == []


def _without(disk: Disk, dropped: str) -> Disk:
    return Disk(disk.root, [each for each in disk.operations if each[0] != dropped])


@pytest.mark.slow
@pytest.mark.parametrize("dropped", ["fsync", "fsync-dir"])
def test_a_missing_fsync_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dropped: str) -> None:
    disk = _without(record(tmp_path / "disk", monkeypatch), dropped)
    assert found_in_states(disk, tmp_path / "cut", states=80) != []
