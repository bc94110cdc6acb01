"""Moving files of the inbox that are done with: folders are opened and made without following a link.

A path is resolved anew each time it is used, and whoever can write into the inbox can replace it by a link meanwhile: a link from
`processed` to the folder of memories turned a dropped file into one of the owner's. So each folder is opened from the one above
it, and files are moved between open folders.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lattice_common.adapters.files import durable

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PIECE = 1 << 20


@contextlib.contextmanager
def opened(root: Path, parts: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """Open a descriptor of the folder `parts` below `root`, making it where it is missing if so asked.

    Raise `NotADirectoryError`, in words for the owner, where one of them is a link or a file; `FileNotFoundError`.
    """
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            below = _below(descriptor, part, make=make)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def _below(folder: int, name: str, *, make: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    except OSError as error:
        if error.errno in {errno.ENOTDIR, errno.ELOOP}:
            message = f"{name} in the inbox is a link or a file, and has to be a folder: rename it"
            raise NotADirectoryError(errno.ENOTDIR, message) from error
        raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, durable.FOLDER_MODE, dir_fd=folder)
        os.fsync(folder)
    return os.open(name, _FOLDER, dir_fd=folder)


def claim(folder: int, name: str) -> str:
    """Return a name like this that nobody has in `folder`, held by an empty file which a move then replaces."""
    plain = Path(name)
    number = 1
    while True:
        free = f"{plain.stem}{f' ({number})' if number > 1 else ''}{plain.suffix}"
        if len(os.fsencode(free)) > 255:
            free = f"{plain.stem[:40]}-{number}{plain.suffix[:20]}"
        try:
            os.close(os.open(free, _NEW, durable.FILE_MODE, dir_fd=folder))
            return free
        except FileExistsError:
            number += 1


def move(source: int, name: str, target: int, to: str, is_it: Callable[[os.stat_result], bool]) -> bool:
    """Move a file between two open folders, over the empty file that holds the name; return false when it is gone, or not what
    `is_it` expects. Between two disks it is copied, and then removed where it was."""
    try:
        os.rename(name, to, src_dir_fd=source, dst_dir_fd=target)
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        return _carry(source, name, target, to, is_it)
    os.fsync(target)  # first where it appears: a crash in between shows it twice rather than not at all
    os.fsync(source)
    return True


def _carry(source: int, name: str, target: int, to: str, is_it: Callable[[os.stat_result], bool]) -> bool:
    try:
        coming = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=source)
    except FileNotFoundError:
        return False
    with open(coming, "rb", buffering=0) as file:  # noqa: PTH123 - a descriptor, not a path
        found = os.fstat(coming)
        if not is_it(found):
            return False
        going = os.open(to, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=target)
        with open(going, "wb", buffering=0) as out:  # noqa: PTH123 - a descriptor, not a path
            while chunk := file.read(_PIECE):
                rest = memoryview(chunk)
                while rest:
                    rest = rest[out.write(rest) :]
            os.utime(going, ns=(found.st_mtime_ns, found.st_mtime_ns))
            durable.flush(going)
        os.fsync(target)
        if not is_it(os.fstat(coming)):
            return False  # written on meanwhile: a later look takes it as it is then
    os.unlink(name, dir_fd=source)
    os.fsync(source)
    return True


def write(folder: int, name: str, content: bytes) -> None:
    """Write over the empty file that holds a name."""
    descriptor = os.open(name, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        durable.extend(descriptor, content)
        durable.flush(descriptor)
    finally:
        os.close(descriptor)


def status(folder: int, name: str) -> os.stat_result | None:
    """Return the status of a regular file; None for anything else."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None
