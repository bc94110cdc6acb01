"""One writer: `flock` on `.writer.lock`, and a fence that a writer which lost it cannot pass.

`flock`, not `lockf`: its lock belongs to the open file, so it is inherited by children (an orphan of a killed writer still
holds it) and is not dropped when some other descriptor of the file is closed. It is given back by closing, never by LOCK_UN,
which would unlock for the children too. What flock cannot see, a lock file that was deleted and made anew, `check` does: it
compares the file's inode and the epoch on disk, which each holder raises by one.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from pathlib import Path

from lattice_common.adapters.files import durable
from lattice_common.errors import Conflict, Corrupt, NotConfigured, NotTheWriter

LOCK_NAME = ".writer.lock"
EPOCH_NAME = ".writer.epoch"

_NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


class FileWriterLock:
    """Held from `acquire` until `release`, or until the process and all its forked children are gone."""

    def __init__(self, root: Path, descriptor: int, epoch: int) -> None:
        self._root = root
        self._descriptor: int | None = descriptor
        self._epoch = epoch

    @classmethod
    def acquire(cls, root: Path) -> FileWriterLock:
        """Take the lock of the data folder `root`, at once or not at all.

        Raise `Conflict` when another process holds it, `NotConfigured` when this file system has no working flock, `Corrupt` when
        the epoch cannot be read.
        """
        durable.make_folder(root)
        descriptor = _lock(root / LOCK_NAME)
        try:
            _prove_that_it_excludes(root / LOCK_NAME)
            epoch = read_epoch(root) + 1
            durable.write(root / EPOCH_NAME, b"%d\n" % epoch)
            _sign(descriptor, epoch)
        except BaseException:
            os.close(descriptor)
            raise
        return cls(root, descriptor, epoch)

    @property
    def epoch(self) -> int:
        return self._epoch

    def check(self) -> None:
        """Raise `NotTheWriter` unless this is still the writer; about 20 µs."""
        if self._descriptor is None:
            raise NotTheWriter("the writer lock was released: nothing may be written any more")
        if not _is_file_at(self._descriptor, self._root / LOCK_NAME):
            raise NotTheWriter(f"{LOCK_NAME} was replaced: this writer stops, start it again")
        on_disk = read_epoch(self._root)
        if on_disk != self._epoch:
            raise NotTheWriter(f"another writer took over (epoch {on_disk}, this one is {self._epoch}): this writer stops")

    def renew(self) -> None:
        """Become another holder of the same lock, with the next epoch: for a child that continues for one that died."""
        if self._descriptor is None or not _is_file_at(self._descriptor, self._root / LOCK_NAME):
            raise NotTheWriter(f"{LOCK_NAME} was replaced: this writer stops, start it again")
        self._take(self._descriptor, read_epoch(self._root) + 1)

    def raise_above(self, epoch: int) -> None:
        self.check()
        if self._descriptor is not None and self._epoch <= epoch:
            self._take(self._descriptor, epoch + 1)

    def _take(self, descriptor: int, epoch: int) -> None:
        durable.write(self._root / EPOCH_NAME, b"%d\n" % epoch)
        self._epoch = epoch
        _sign(descriptor, epoch)

    def release(self) -> None:
        """Release the lock; may be repeated."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class HeldAgainstWriters:
    """Keeps writers out of a folder that is read because its disk cannot be written; other readers come in. Nothing is written
    for it, so it works on a read-only disk, too."""

    def __init__(self, root: Path) -> None:
        """Raise `Conflict` when there is a writer."""
        self._descriptor: int | None = None
        path = root / LOCK_NAME
        try:
            descriptor = _opened(path, os.O_RDONLY)
        except FileNotFoundError:
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise _held_by_another(descriptor, path) from error
        except OSError as error:
            os.close(descriptor)
            if error.errno not in _NO_LOCKS:
                raise
            return
        self._descriptor = descriptor

    def release(self) -> None:
        """Let writers in; may be repeated."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def read_epoch(root: Path) -> int:
    """Return the epoch of the last holder; 0 before the first. Raise `Corrupt` when it is no number."""
    try:
        content = durable.read(root / EPOCH_NAME)
    except FileNotFoundError:
        return 0
    try:
        return int(content)
    except ValueError as error:
        message = f"{root / EPOCH_NAME} holds no number: write one into it that is larger than every `epoch` in the journal"
        raise Corrupt(message) from error


def _lock(path: Path) -> int:
    """Return an open, locked descriptor of the file that is at `path` now."""
    while True:
        descriptor = _opened(path, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise _held_by_another(descriptor, path) from error
        except OSError as error:
            os.close(descriptor)
            if error.errno in _NO_LOCKS:
                raise _no_flock(path) from error
            raise
        if _is_file_at(descriptor, path):
            return descriptor
        os.close(descriptor)  # deleted between opening and locking: that lock would guard nothing


def _opened(path: Path, flags: int) -> int:
    """Return an open descriptor of the lock's file. Never waits for a pipe; raise `Corrupt` where it is no regular file."""
    try:
        descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, durable.FILE_MODE)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENXIO, errno.EISDIR}:
            raise _no_regular_file(path) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _no_regular_file(path)
    return descriptor


def _no_regular_file(path: Path) -> Corrupt:
    return Corrupt(f"{path} is no regular file and is not opened: remove it, it is made anew")


def _held_by_another(descriptor: int, path: Path) -> Conflict:
    holder = os.pread(descriptor, 200, 0).decode(errors="replace").strip() or "unknown"
    os.close(descriptor)
    return Conflict(f"another process writes to {path.parent} ({holder}): stop it first, or use another LATTICE_DIR")


def _prove_that_it_excludes(path: Path) -> None:
    """Raise unless a second open file of the same path is refused the lock.

    A flock belongs to an open file description, not to a process: a second `open` here behaves as one in another process would,
    so no child is needed to detect a flock that does nothing. What no test on this machine can detect is a network mount that
    locks among its own processes only (NFS `nolock`); there the epoch check remains.
    """
    second = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    finally:
        os.close(second)
    raise _no_flock(path)


def _no_flock(path: Path) -> NotConfigured:
    message = (
        f"file locks do not work on the file system of {path.parent}, so two writers could not be told apart: use a local one"
    )
    return NotConfigured(message, env_line="LATTICE_DIR=/a/folder/on/a/local/disk")


def _is_file_at(descriptor: int, path: Path) -> bool:
    held = os.fstat(descriptor)
    try:
        there = path.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return (held.st_dev, held.st_ino) == (there.st_dev, there.st_ino)


def _sign(descriptor: int, epoch: int) -> None:
    """Write who holds the lock, for the message to the next one that tries; not needed after a crash, so not fsynced."""
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"pid {os.getpid()} on {os.uname().nodename}, epoch {epoch}\n".encode(), 0)
