"""The inbox on disk. Its content is untrusted: names, links, pipes and swapped files lead nowhere.

Files are opened without following links and without blocking, and checked again through the open descriptor before and after
reading; folders are walked without following links, and a path is used only while its folder is in the inbox.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from lattice_common.adapters.files import inbox_filing
from lattice_common.ports.inbox_folder import Destination, Seen, Strange

DONE = frozenset({"processed", "failed"})
WHY = ".why.txt"

DEEPEST = 30
"""Folders within folders; deeper is a mistake or an attack."""

_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_PIECE = 1 << 20
"""Bytes that are held in memory at once."""

_GONE = {errno.ENOENT, errno.ELOOP, errno.ENXIO, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG}


class FileInboxFolder:
    """`InboxFolder` over the folder `root`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def scan(self) -> Iterator[Seen | Strange]:
        yield from self._scan(self._root, "", 0)

    def read(self, seen: Seen, limit: int) -> bytes | None:
        content = bytearray()
        return bytes(content) if self._copy(seen, content.extend, limit + 1) else None

    def copy(self, seen: Seen, into: Callable[[bytes], object]) -> bool:
        # One byte more than before shows that a file has grown.
        return self._copy(seen, into, seen.size + 1)

    def _copy(self, seen: Seen, into: Callable[[bytes], object], most: int) -> bool:
        descriptor = self._descriptor(seen)
        if descriptor is None:
            return False
        with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123 - a descriptor, not a path
            while most and (chunk := file.read(min(most, _PIECE))):
                into(chunk)
                most -= len(chunk)
            return _seen(seen.path, os.fstat(descriptor)) == seen

    def open(self, seen: Seen) -> IO[bytes] | None:
        descriptor = self._descriptor(seen)
        return None if descriptor is None else open(descriptor, "rb")  # noqa: PTH123 - a descriptor, which the caller closes

    def _descriptor(self, seen: Seen) -> int | None:
        """Return a descriptor of the file, opened for reading; None where it is another one by now."""
        path = self._path(seen.path)
        if path is None:
            return None
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError as error:
            if error.errno in _GONE:
                return None
            raise
        if _seen(seen.path, os.fstat(descriptor)) != seen:
            os.close(descriptor)
            return None
        return descriptor

    def settle(self, seen: Seen, place: Destination, day: str, why: str | None = None) -> bool:
        *folders, name = seen.path.split("/")
        with contextlib.ExitStack() as opened:
            try:
                source = opened.enter_context(inbox_filing.opened(self._root, folders))
            except (FileNotFoundError, NotADirectoryError):
                return False
            if not _is(seen, inbox_filing.status(source, name)):
                return False
            target = opened.enter_context(inbox_filing.opened(self._root, (place, day, *folders), make=True))
            return _filed(seen, (source, name), target, why)

    def _scan(self, folder: Path, prefix: str, depth: int) -> Iterator[Seen | Strange]:
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except FileNotFoundError:
            return
        except OSError:  # no permission, a broken disk, or a link in its place meanwhile: the others are looked at
            yield Strange(prefix or ".", "a folder that cannot be read")
            return
        for entry in entries:
            path = f"{prefix}/{entry.name}" if prefix else entry.name
            if entry.name.startswith(".") or (not prefix and entry.name in DONE):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            except OSError:
                yield Strange(path, "what cannot be looked at")
                continue
            if stat.S_ISREG(status.st_mode):
                yield _seen(path, status)
            elif not stat.S_ISDIR(status.st_mode):
                yield Strange(path, _KINDS.get(stat.S_IFMT(status.st_mode), "no regular file"))
            elif depth < DEEPEST:
                yield from self._scan(Path(entry.path), path, depth + 1)
            else:
                yield Strange(path, "a folder too deep")

    def _path(self, relative: str) -> Path | None:
        """Return the path, unless its folder leads out of the inbox (it may have been replaced by a link)."""
        path = self._root.joinpath(*relative.split("/"))
        return path if path.parent.resolve() == self._root.resolve().joinpath(*relative.split("/")[:-1]) else None


def _seen(path: str, status: os.stat_result) -> Seen:
    return Seen(path, status.st_size, status.st_mtime_ns, status.st_ino)


def _is(seen: Seen, status: os.stat_result | None) -> bool:
    return status is not None and _seen(seen.path, status) == seen


def _filed(seen: Seen, source: tuple[int, str], target: int, why: str | None) -> bool:
    """Move a file into an open folder, and write the reason beside it; a file that cannot be moved leaves no empty file there."""
    to = inbox_filing.claim(target, source[1])
    moved = False
    try:
        moved = inbox_filing.move(*source, target, to, lambda status: _is(seen, status))
    finally:
        if not moved:
            os.unlink(to, dir_fd=target)
    if moved and why is not None:
        beside = inbox_filing.claim(target, f"{to}{WHY}")
        inbox_filing.write(target, beside, f"{why}\n".encode("utf-8", "replace"))
    return moved
