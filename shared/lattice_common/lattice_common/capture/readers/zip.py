"""Archives (.zip) of documents: each is read as by itself, and stands below its own name ("file papers/lease.pdf, page 2").

The list of contents is looked through before anything is unpacked; entries unfold in memory, one at a time, and never to more
than the limits allow. Archives within stay closed, and pictures, programs and what systems leave behind are named only.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

from lattice_common.capture.readers.held_bytes import held
from lattice_common.capture.readers.limits import MB, Limits
from lattice_common.capture.readers.read import kind_of
from lattice_common.capture.readers.read import read as read_any
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.capture.readers.zip_scan import PackageRefused, broken, prescan, refuse_too_many
from lattice_common.domain.reading import Reading, ReadResult, Unreadable

MOST_TIME = 0.8
"""Of the processor time that is allowed: then the files read so far are what is read."""
MOST_READ = 2_000
NOTED = 80
"""Characters of a name in a note."""
MOST_NAMED = 50
"""Files that are not read and are told by name; of more their number is told."""

_LEFT_BY_SYSTEMS = ("__macosx/", "thumbs.db", "desktop.ini")


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return what is in it; an archive of nothing that is read is `unsupported`, one whose files have a password `encrypted`."""
    with path.open("rb") as file:
        try:
            refuse_too_many(file, limits)
            file.seek(0)
            with ZipFile(file) as archive:
                prescan(archive, file, limits, office=False)
                return _read(archive, name, limits, on_progress)
        except PackageRefused as refused:
            return refused.verdict
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError):
            return broken()


def _read(archive: ZipFile, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    builder = TextBuilder(limits)
    entries = _entries(archive)
    began, read, left = time.process_time(), 0, []
    for number, entry in enumerate(entries, 1):
        if time.process_time() - began > MOST_TIME * limits.cpu_seconds or number > MOST_READ or builder.full:
            builder.note(f"partial:the first {number - 1} of {len(entries)} files")
            break
        if (found := _entry(archive, entry, limits)) is None:
            left.append(entry.filename)
        else:
            label = f"file {entry.filename}"
            builder.add(f"# {entry.filename}", label)
            builder.include(found, label)
            read += 1
        on_progress(number, len(entries))
    if not read:
        return Unreadable(
            "unsupported",
            f"{name} is an archive, and nothing in it is a document that can be read. Unpack it and put in the files you want.",
        )
    builder.note(f"files:{read}")
    for each in left[:MOST_NAMED]:
        builder.note(f"file-not-read:{each[-NOTED:]}")
    if len(left) > MOST_NAMED:
        builder.note(f"files-not-read:{len(left)}")
    return builder.build("zip")


def names_in(path: Path, limits: Limits) -> list[str]:
    """Return the names of the first files of an archive, as `read` notes them."""
    with path.open("rb") as file:
        refuse_too_many(file, limits)
        file.seek(0)
        with ZipFile(file) as archive:
            return [entry.filename[-NOTED:] for entry in _entries(archive)[:MOST_NAMED]]


def file_in(path: Path, noted: str, limits: Limits) -> bytes | None:
    """Return a file of an archive by its name in the notes of `read`; None where there is none, or it is too large."""
    with path.open("rb") as file:
        refuse_too_many(file, limits)
        file.seek(0)
        with ZipFile(file) as archive:
            prescan(archive, file, limits, office=False)
            for entry in _entries(archive)[:MOST_READ]:
                if entry.filename[-NOTED:] == noted and entry.file_size <= min(limits.file_bytes, limits.zip_bytes):
                    with archive.open(entry) as held_in:
                        return held_in.read(entry.file_size + 1 * MB)
    return None


def _entries(archive: ZipFile) -> list[ZipInfo]:
    return [entry for entry in archive.infolist() if not entry.is_dir() and not _is_left_behind(entry.filename)]


def _entry(archive: ZipFile, entry: ZipInfo, limits: Limits) -> Reading | None:
    """Return None for what is no document, or a damaged one: the others are read all the same."""
    if entry.file_size > min(limits.file_bytes, limits.zip_bytes):
        return None
    try:
        with archive.open(entry) as file:
            content = held(file.read(entry.file_size + 1 * MB))
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        return None
    kind = kind_of(content, entry.filename)
    if isinstance(kind, Unreadable) or kind.kind == "zip" or "type-mismatch:plain" in kind.notes:
        return None
    try:
        found = read_any(content, entry.filename, limits, lambda _done, _total: None)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever a library makes of a broken file: the others are read all the same
        return None
    return found if isinstance(found, Reading) and found.text.strip() else None


def _is_left_behind(name: str) -> bool:
    lowered = name.lower()
    return lowered.startswith(_LEFT_BY_SYSTEMS[0]) or lowered.rpartition("/")[2] in _LEFT_BY_SYSTEMS or "/." in f"/{lowered}"
