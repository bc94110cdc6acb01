"""A log as a file of JSON lines: `logs/chat.jsonl` and others.

Appending and erasing hold the lock of a file beside it, so that an appended line is never lost to a file that is being replaced,
also when the API and the worker are two containers on one disk.

Each line is sealed (`domain.seal`): one that the disk changed is passed over, as is one that a crash cut off, and the doctor says
so.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import orjson

from lattice_common.adapters.files import durable
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.seal import CRC, is_damaged, sealed
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.logs import logger

log = logger(__name__)

BLOCK = 65_536
"""Bytes that are read at once from the end; some hundred turns."""


class FileLineLog:
    """`logs/<name>.jsonl` in the data folder `root`."""

    def __init__(self, root: Path, name: str) -> None:
        self._path = root / "logs" / f"{name}.jsonl"
        self._lock_path = root / "logs" / f".{name}.lock"

    def append(self, lines: Sequence[Mapping[str, JsonValue]]) -> None:
        if not lines:
            return
        content = b"".join(_line(line) + b"\n" for line in lines)
        try:
            with self._held():
                descriptor = durable.open_to_append(self._path)
                try:
                    size = os.fstat(descriptor).st_size
                    torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
                    os.write(descriptor, b"\n" + content if torn else content)
                finally:
                    os.close(descriptor)
        except OSError as error:
            raise Unavailable(f"{self._path.name} takes no line ({error.strerror}): look at the disk.", status=507) from error

    def keep(self) -> None:
        """Have the lines on disk before anything that they speak of. Raises `Unavailable`."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                durable.flush(descriptor)
            finally:
                os.close(descriptor)
            durable.fsync_dir(self._path.parent)
        except OSError as error:
            raise Unavailable(f"{self._path.name} takes no line ({error.strerror}): look at the disk.", status=507) from error

    def newest(self) -> Iterator[dict[str, JsonValue]]:
        with self._opened() as file, self._as_far_as_it_can_be_read():
            end = file.seek(0, os.SEEK_END)
            rest: list[bytes] = []  # the pieces, last first, of a line whose beginning is not read yet
            while end > 0:
                start = max(0, end - BLOCK)
                file.seek(start)
                block, end = file.read(end - start), start
                begun, newline, whole = block.partition(b"\n") if start > 0 else (b"", b"\n", block)
                if not newline:
                    rest.append(block)
                    continue
                read = b"".join([whole, *reversed(rest)])
                rest = [begun]
                yield from filter(None, map(_object, reversed(read.split(b"\n"))))

    def readable(self) -> Iterator[dict[str, JsonValue]]:
        """Yield the same; nothing where the log cannot be read, which is logged: for those who look for what is wrong."""
        try:
            yield from self.newest()
        except Unavailable:
            log.warning("log_not_read", log=self._path.stem)

    def since(self, position: int) -> tuple[list[dict[str, JsonValue]], int]:
        whole = newline = b""
        with self._opened() as file, self._as_far_as_it_can_be_read():
            if position > file.seek(0, os.SEEK_END):
                position = 0
            file.seek(position)
            whole, newline, _ = file.read().rpartition(b"\n")
        return [line for line in map(_object, whole.split(b"\n")) if line], position + len(whole) + len(newline)

    def end(self) -> int:
        end = 0
        with self._opened() as file, self._as_far_as_it_can_be_read():
            end = file.seek(0, os.SEEK_END)
            while end > 0:
                start = max(0, end - BLOCK)
                file.seek(start)
                if newline := file.read(end - start).rfind(b"\n") + 1:
                    return start + newline
                end = start  # half a line, longer than a block
        return end

    def drop(self, unwanted: Callable[[Mapping[str, JsonValue]], bool]) -> int:
        with self._held():
            lines = self._lines()
            kept = [line for line in lines if not ((fields := _fields(line)) and unwanted(fields))]
            if len(kept) < len(lines):
                durable.write(self._path, b"\n".join(kept))
            return len(lines) - len(kept)

    def shorten(self, most: int) -> None:
        """Keep the newest lines, of half as many bytes, where there are more than `most`."""
        with self._held():
            with self._opened() as file:
                size = file.seek(0, os.SEEK_END)
                if size <= most:
                    return
                file.seek(size - most // 2)
                _, _, kept = file.read().partition(b"\n")
            self._clean()
            durable.write(self._path, kept)

    def rewrite(self, change: Callable[[dict[str, JsonValue]], dict[str, JsonValue] | None]) -> int:
        """Replace each line by the result of `change`, removing it for None; return how many lines changed. A line that cannot be
        read is removed: nobody could say what it holds."""
        with self._held():
            lines = self._lines()
            left = [_changed(line, change) for line in lines]
            changed = sum(new is not old for new, old in zip(left, lines, strict=True))
            if changed:
                durable.write(self._path, b"\n".join(line for line in left if line is not None))
            return changed

    def blank(self, unwanted: Callable[[Mapping[str, JsonValue]], bool]) -> int:
        """Overwrite lines with as much white space, so that all others keep their position; return how many there were."""
        with self._held():
            lines = self._lines()
            left = [b" " * len(line) if (fields := _fields(line)) and unwanted(fields) else line for line in lines]
            blanked = sum(new is not old for new, old in zip(left, lines, strict=True))
            if blanked:
                durable.write(self._path, b"\n".join(left))
            return blanked

    def _lines(self) -> list[bytes]:
        """Return the lines for the one who has the lock."""
        self._clean()
        try:
            return durable.read(self._path).split(b"\n")
        except FileNotFoundError:
            return []

    def _clean(self) -> None:
        """Remove what a rewriting that was killed left, for the one who has the lock."""
        for path in self._path.parent.glob(f".{self._path.name}{durable.TEMPORARY_MARK}*"):
            path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _as_far_as_it_can_be_read(self) -> Iterator[None]:
        """Pass over what the disk does not give, as a damaged line is, and log it."""
        try:
            yield
        except OSError as error:
            log.warning("log_not_read", log=self._path.stem, error=errno.errorcode.get(error.errno or 0, "OSError"))

    def _opened(self) -> BinaryIO:
        """Return the file; an empty one while there is none."""
        try:
            return io.BufferedReader(durable.open_regular(self._path), BLOCK)
        except FileNotFoundError:
            return io.BytesIO()
        except OSError as error:
            raise Unavailable(f"{self._path.name} cannot be read ({error.strerror}): look at it.") from error
        except Corrupt as error:
            raise Unavailable(f"{self._path.name} cannot be read (it is no regular file): look at it.") from error

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        durable.make_folder(self._path.parent)
        descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, durable.FILE_MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def _changed(line: bytes, change: Callable[[dict[str, JsonValue]], dict[str, JsonValue] | None]) -> bytes | None:
    if not line.strip():
        return line
    fields = _object(line)
    if fields is None:
        return None
    changed = change(dict(fields))
    return line if changed == fields else None if changed is None else _line(changed)


def _line(fields: Mapping[str, JsonValue]) -> bytes:
    """Return the line of an object, without its newline. An empty one has no seal, for it says nothing."""
    plain = orjson.dumps(dict(fields))
    return sealed(plain) if fields else plain


def _object(line: bytes) -> dict[str, JsonValue] | None:
    """Return the JSON object in a line; None where there is none, or it is not the one that was written."""
    return None if is_damaged(line) else _fields(line)


def _fields(line: bytes) -> dict[str, JsonValue] | None:
    """Return the same, whether or not it is what was written: for who looks for what has to go."""
    if not line:
        return None
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(fields, dict):
        return None
    fields.pop(CRC, None)
    return fields
