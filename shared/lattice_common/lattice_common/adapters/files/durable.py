"""Durable writes: when a function here returns, what it wrote survives a power cut.

The protocol is: temporary file in the same folder, write, fsync, rename, fsync of the folder. Without any one step, simulated
power cuts tear or lose files (docs/guarantees.md, G2). Folders are made with mode 0700, files with 0600. Temporary files have
`.tmp-` in their name, and whoever writes one holds its lock; readers ignore them, and `clean_temporary` removes those that a
crash left behind, which nobody holds.

A disk that is full, read-only or broken raises `Unavailable` with status 507; nothing half-written is left under a final name. On
macOS fsync does not reach the platter, so F_FULLFSYNC is used. POSIX only: Windows has neither flock nor fsync of folders.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import itertools
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from pathlib import Path, PurePosixPath

from lattice_common.errors import Corrupt, InvalidInput, Unavailable

FOLDER_MODE = 0o700
FILE_MODE = 0o600
TEMPORARY_MARK = ".tmp-"

_NEVER_FOLLOW = os.O_NOFOLLOW | os.O_CLOEXEC
_counter = itertools.count()

_CHUNK = 256
"""Files that are open at once: a quarter of the usual limit of 1,024."""

_STORAGE_TROUBLE = {
    errno.ENOSPC: "the disk is full: make room, then try again",
    errno.EDQUOT: "the disk quota is used up: make room, then try again",
    errno.EROFS: "the disk is read-only: mount it for writing",
    errno.EIO: "the disk reports an error: check it before writing on",
    errno.EACCES: "this user may not write there: check who owns the data folder",
    errno.EPERM: "this user may not write there: check who owns the data folder",
    errno.EMFILE: "too many files are open: raise the limit (`ulimit -n`)",
    errno.ENFILE: "too many files are open on this machine: close some",
    errno.ESTALE: "the network disk was mounted anew: mount it again here, too",
    errno.ETIMEDOUT: "the network disk does not answer: look at its server",
}

_NO_LOCKS = frozenset((errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS))

_COMING_IN = Path("the file that is coming in")

LEAST_ROOM = 1024 * 1024
"""Free bytes below which a disk counts as full: the journal entry of a short text, its marks and its atoms take a tenth of it."""

Failpoint = Callable[[str], None]
_failpoint: Failpoint | None = None


def set_failpoint(hook: Failpoint | None) -> None:
    """Call `hook`, for crash tests, with the name of each step; it may raise, or end the process. None removes it."""
    global _failpoint
    _failpoint = hook


def failpoint(name: str) -> None:
    """Mark a named step at which a crash test may strike; do nothing otherwise."""
    if _failpoint is not None:
        _failpoint(name)


def write(path: Path, content: bytes, *, before_rename: Callable[[], None] | None = None) -> None:
    """Put `content` at `path`, replacing what is there; make missing folders.

    `before_rename` is called when everything but the name is on disk: it may raise, and then nothing has changed.
    """
    _write_chunk([(str(path), content)], before_rename)


def write_many(items: Iterable[tuple[str, bytes]]) -> None:
    """Write many files, by their paths, with one fsync per file and one per folder. Not one transaction: a crash may leave
    some."""
    rest = iter(items)
    while chunk := list(itertools.islice(rest, _CHUNK)):
        _write_chunk(chunk, None)


def create(path: Path) -> int:
    """Return a new file, open for writing, for what comes in pieces; its folder is made when missing. Its lock is held until it
    is closed: see `remove_unheld`."""
    with _storage(path):
        return _create_held(path)


def extend(descriptor: int, content: bytes) -> None:
    """Write on at the end of what `create` opened; not durable before `flush`."""
    with _storage(_COMING_IN):
        _write_all(descriptor, content)


def flush(descriptor: int) -> None:
    """Make the content of an open file durable."""
    with _storage(_COMING_IN):
        failpoint("durable.flush.before_fsync")
        _fsync(descriptor)


def append(target: Path | int, content: bytes) -> None:
    """Append to a file (a path, which is made when missing, or an open descriptor); on failure restore its former length."""
    if isinstance(target, int):
        with _storage(Path("a log of the graph")):
            _append(target, content)
        return
    with _storage(target):
        existed = target.exists()
        if not existed:
            make_folder(target.parent)
        descriptor = open_to_append(target)
        try:
            _append(descriptor, content)
        finally:
            os.close(descriptor)
        if not existed:
            fsync_dir(target.parent)


def open_to_append(path: Path) -> int:
    """Return a regular file, open at its end for writing and for reading what is there; made when missing. Never follows a link,
    never waits for who reads a pipe. Raise `OSError`."""
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | _NEVER_FOLLOW, FILE_MODE)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return descriptor


def append_each(paths: Sequence[Path], content: bytes) -> None:
    """Append the same bytes to existing files, with one fsync each, several at a time; on failure restore their lengths."""
    opened: list[tuple[int, int]] = []
    try:
        with _storage(paths[0] if paths else Path()):
            for path in paths:
                descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | _NEVER_FOLLOW)
                opened.append((descriptor, os.fstat(descriptor).st_size))
            try:
                for descriptor, _ in opened:
                    _write_all(descriptor, content)
                failpoint("durable.append.before_fsync")
                _fsync_all([descriptor for descriptor, _ in opened])
            except OSError:
                for descriptor, length in opened:
                    os.ftruncate(descriptor, length)
                raise
    finally:
        for descriptor, _ in opened:
            os.close(descriptor)


def touch(path: Path) -> None:
    """Make an empty file when there is none: its name is all there is to make durable."""
    with _storage(path):
        flags = os.O_WRONLY | os.O_CREAT | _NEVER_FOLLOW
        try:
            descriptor = os.open(path, flags, FILE_MODE)
        except FileNotFoundError:
            make_folder(path.parent)
            descriptor = os.open(path, flags, FILE_MODE)
        os.close(descriptor)
        failpoint("durable.touch.before_fsync_dir")
        fsync_dir(path.parent)


def remove(path: Path) -> bool:
    """Remove a file; false when it was not there."""
    with _storage(path):
        failpoint("durable.remove.before")
        try:
            path.unlink()
        except FileNotFoundError:
            return False
        fsync_dir(path.parent)
        failpoint("durable.remove.done")
        return True


def remove_each(paths: Sequence[Path]) -> None:
    """Remove those that are there, with one fsync for each of their folders."""
    with _storage(paths[0] if paths else Path()):
        failpoint("durable.remove.before")
        folders: dict[Path, None] = {}
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
                folders[path.parent] = None
        for folder in folders:
            fsync_dir(folder)
        failpoint("durable.remove.done")


def move_each(moves: Sequence[tuple[Path, Path]]) -> None:
    """Move files within the data folder, each to a path with nothing or an older file, with one fsync for each folder."""
    with _storage(moves[0][1] if moves else Path()):
        for _, target in moves:
            make_folder(target.parent)
        failpoint("durable.move.before_rename")
        for source, target in moves:
            _rename(source, target)
        appeared = dict.fromkeys(target.parent for _, target in moves)
        # First the target's folder, as in `move`.
        for folder in [*appeared, *dict.fromkeys(source.parent for source, _ in moves if source.parent not in appeared)]:
            fsync_dir(folder)
        failpoint("durable.move.done")


def move(source: Path, target: Path) -> None:
    """Move a file within the data folder, replacing what is there. Raise `FileNotFoundError` when `source` is gone."""
    with _storage(target):
        make_folder(target.parent)
        failpoint("durable.move.before_rename")
        _rename(source, target)
        fsync_dir(target.parent)  # first where it appears: a crash in between shows it twice rather than not at all
        if source.parent != target.parent:
            fsync_dir(source.parent)
        failpoint("durable.move.done")


def place(source: Path, target: Path) -> None:
    """Move a file to its final path, durably there; after a crash it may still be seen at its old path."""
    with _storage(target):
        make_folder(target.parent)
        failpoint("durable.place.before_rename")
        _rename(source, target)
        fsync_dir(target.parent)
        failpoint("durable.place.done")


def _rename(source: Path, target: Path) -> None:
    """Rename a file, also where a power cut left both names of it: to rename one name of a file to another does nothing."""
    source.rename(target)
    with contextlib.suppress(FileNotFoundError):
        if source.samefile(target):
            source.unlink()


def make_folder(path: Path) -> None:
    """Make a folder and its missing parents, durably."""
    with _storage(path):
        if path.is_dir():
            return
        if not path.parent.is_dir():
            make_folder(path.parent)
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=FOLDER_MODE)
        fsync_dir(path.parent)


def keep_private(path: Path) -> None:
    """Remove the permissions of others from a folder of this user's: a hand-made one lets them read."""
    found = path.stat()
    if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) & ~FOLDER_MODE:
        with _storage(path):
            path.chmod(stat.S_IMODE(found.st_mode) & FOLDER_MODE)


def fsync_dir(path: Path) -> None:
    """Make the names in a folder durable."""
    with _storage(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _fsync(descriptor)
        finally:
            os.close(descriptor)


def read(path: Path, *, limit: int | None = None) -> bytes:
    """Return the content of a regular file, or its first `limit` bytes. Raise as `open_regular` does, and `Corrupt` where the
    disk does not give it."""
    with open_regular(path) as file, whole(path):
        if limit is None:
            return file.read()
        return file.read(limit) or b""


def read_derived(path: Path) -> bytes:
    """Return the content of a file that can be made anew. Raise `OSError`, also where it is no regular file: a pipe is not waited
    for."""
    try:
        return read(path)
    except Corrupt as error:
        raise OSError(errno.EINVAL, str(error)) from error


@contextlib.contextmanager
def whole(path: Path) -> Iterator[None]:
    """Raise `Corrupt` where the disk does not give what is read within: then it is as if other bytes were there."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        message = f"{path.name} cannot be read, its disk reports an error: look at the disk, or restore it from a backup"
        raise Corrupt(message) from error


def open_regular(path: Path) -> io.FileIO:
    """Return a regular file, open for reading. Never follows a link, never opens a device or a pipe.

    Raise `FileNotFoundError` when it is not there, `Corrupt` when it is no regular file.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | _NEVER_FOLLOW)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENXIO, errno.EISDIR}:
            raise Corrupt(f"{path} is no regular file and is not opened: move it out of the data folder") from error
        raise
    file = io.FileIO(descriptor)  # which the caller closes
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise Corrupt(f"{path} is no regular file and is not opened: move it out of the data folder")
    return file


def trouble_in(folder: Path) -> str | None:
    """Return why nothing can be written in `folder` (or in the nearest existing one above it), as far as the system knows without
    a try; None where it knows of nothing."""
    while not folder.is_dir():
        folder = folder.parent
    figures = os.statvfs(folder)
    if figures.f_flag & os.ST_RDONLY:
        return _STORAGE_TROUBLE[errno.EROFS]
    if figures.f_bavail * figures.f_frsize < LEAST_ROOM or (figures.f_files and not figures.f_favail):
        return _STORAGE_TROUBLE[errno.ENOSPC]
    return None if os.access(folder, os.W_OK) else _STORAGE_TROUBLE[errno.EACCES]


def clean_temporary(folder: Path, *, deep: bool = True) -> int:
    """Remove the temporary files below `folder` that a crash left (only those right in it, unless `deep`); return their number.

    Those that a process is writing just now stay: it holds their locks.
    """
    removed = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if deep and not name.startswith(".")]
        removed += sum(remove_unheld(Path(parent, name)) for name in names if name.startswith(".") and TEMPORARY_MARK in name)
    return removed


def remove_unheld(path: Path, *, if_still: Callable[[], bool] = lambda: True) -> bool:
    """Remove a file whose lock nobody holds: whoever was writing it is gone. Return whether it was removed. `if_still` is asked
    once the lock is had: whoever held it before may have finished meanwhile."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | _NEVER_FOLLOW)
    except OSError:
        return False  # renamed or removed meanwhile, or no file of ours
    try:
        with _storage(path):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not if_still() or not _is_still_at(descriptor, path):
                return False
            path.unlink(missing_ok=True)
    except OSError as error:
        if isinstance(error, BlockingIOError) or error.errno in _NO_LOCKS:
            return False
        raise
    finally:
        os.close(descriptor)
    return True


def _is_still_at(descriptor: int, path: Path) -> bool:
    """Return whether a name is still that of an open file. Whoever finds a file removed in the moment before it is held makes
    another one under the same name, which is not abandoned."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False


def inside(root: Path, relative: str) -> Path:
    """Return `root / relative`, when that is in `root` with links resolved. Raise `InvalidInput` otherwise."""
    parts = PurePosixPath(relative).parts
    if not parts or relative.startswith("/") or ".." in parts or "\\" in relative or "\0" in relative:
        raise InvalidInput(f"{relative!r} is no path inside the data folder: give a relative one without `..`", field="path")
    path = root.joinpath(*parts)
    linked = any(map(os.path.islink, path.parents[: len(parts) - 1]))  # three looks for an atom; resolving it takes a dozen
    if linked and not path.parent.resolve().is_relative_to(root.resolve()):
        raise InvalidInput(f"{relative!r} leads out of the data folder through a link: remove the link", field="path")
    return path


@contextlib.contextmanager
def _storage(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        trouble = _STORAGE_TROUBLE.get(error.errno or 0)
        if trouble is None:
            raise
        named = error.filename if isinstance(error.filename, str) else path
        # Only its name: the message goes to everybody who tells something, and must not disclose folders.
        raise Unavailable(f"cannot write {_final_name(named)}: {trouble}", status=507) from error


def _final_name(path: str | Path) -> str:
    """Return the final name of a temporary file."""
    name = Path(path).name
    return name.partition(TEMPORARY_MARK)[0].removeprefix(".") if TEMPORARY_MARK in name else name


def _write_chunk(items: list[tuple[str, bytes]], before_rename: Callable[[], None] | None) -> None:
    # Paths as text: an import writes a thousand files a second, and to take each apart costs as much as to make it.
    temporaries: list[str] = []
    opened: list[int] = []
    try:
        with _storage(Path(items[0][0])):
            own = f"{TEMPORARY_MARK}{os.getpid()}-"
            for path, content in items:
                folder, _, name = path.rpartition("/")
                temporary = f"{folder}/.{name}{own}{next(_counter)}"
                temporaries.append(temporary)
                opened.append(_create_held(temporary))
                _write_all(opened[-1], content)
            failpoint("durable.write.before_fsync")
            _fsync_all(opened)
            failpoint("durable.write.before_rename")
            if before_rename is not None:
                before_rename()
            for temporary, (path, _) in zip(temporaries, items, strict=True):
                os.rename(temporary, path)  # noqa: PTH104 - see above
            failpoint("durable.write.before_fsync_dir")
            for folder in dict.fromkeys([path.rpartition("/")[0] for path, _ in items]):
                fsync_dir(Path(folder))
            failpoint("durable.write.done")
    except Exception:
        for temporary in temporaries:
            # Those renamed already are gone; one that cannot be removed is cleaned at the next start.
            with contextlib.suppress(OSError):
                os.unlink(temporary)  # noqa: PTH108 - see above
        raise
    finally:
        for descriptor in opened:
            os.close(descriptor)


def _create_held(path: Path | str) -> int:
    """Return a new file with its lock, which ends with the process."""
    while True:
        descriptor = _create(path)
        try:
            _hold(descriptor)
            if os.fstat(descriptor).st_nlink:
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # taken for abandoned, in the moment before it was held


def _hold(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError as error:
        # A share without locks: what a crash leaves there stays, for nobody can tell that it was left.
        if error.errno not in _NO_LOCKS:
            raise


def _create(path: Path | str) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NEVER_FOLLOW
    try:
        return os.open(path, flags, FILE_MODE)
    except FileNotFoundError:
        make_folder(Path(path).parent)
        return os.open(path, flags, FILE_MODE)


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _append(descriptor: int, content: bytes) -> None:
    length = os.fstat(descriptor).st_size
    try:
        _write_all(descriptor, content)
        failpoint("durable.append.before_fsync")
        _fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, length)
        raise


def _fsync(descriptor: int) -> None:
    if sys.platform == "darwin":
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def _fsync_all(descriptors: list[int]) -> None:
    # On a disk whose fsync takes milliseconds, four at a time share its flushes; where it takes 0.2 ms (virtual disks) there is
    # no difference: 20 files of 1.5 KB took 3.9 ms one by one, and 4.3 ms so.
    if len(descriptors) < 4:
        _fsync_each(descriptors)
        return
    # A quarter for each thread: to hand over every file by itself cost more than its fsync. The first is this thread's.
    handed_over = [_flushers().submit(_fsync_each, descriptors[at::4]) for at in range(1, 4)]
    try:
        _fsync_each(descriptors[::4])
    finally:
        wait(handed_over)  # the descriptors are closed next, whatever happened
    for each in handed_over:
        each.result()


@cache
def _flushers() -> ThreadPoolExecutor:
    """Return the threads that wait for the disk. Kept: starting them anew for every part cost more than their work."""
    return ThreadPoolExecutor(max_workers=6, thread_name_prefix="fsync")


os.register_at_fork(after_in_child=_flushers.cache_clear)  # threads don't come along


def _fsync_each(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        _fsync(descriptor)
