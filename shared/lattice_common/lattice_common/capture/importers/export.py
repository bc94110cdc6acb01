"""What a program exported, told by its content, and the things in it one by one: a file, a zip or a folder, however large.

Known by shape: ChatGPT, Claude, Gemini (Takeout), Telegram, mem0, the MCP memory server, Google Keep, Readwise, Pocket,
bookmarks, boxes of mails, and any conversation that `importers.chat` reads (WhatsApp, Signal, JSON lines). All else is read as
files are: notes of Obsidian, Notion, basic-memory and Apple Notes, calendars, contacts, mails, PDFs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from lattice_common.capture.importers import assistants, notes
from lattice_common.capture.importers.chat import read_chat
from lattice_common.capture.importers.items import Item, file_inside
from lattice_common.capture.importers.json_stream import elements
from lattice_common.domain.capture import Source
from lattice_common.errors import InvalidInput

LARGEST_FILE = 50_000_000
"""Bytes of a file that is read whole."""
LOOKED_AT = 8_192
MOST_UNFOLDED = 200
"""Times its size that a file within a zip may unfold to, from a megabyte on."""

_OWN = (".md", ".markdown", ".txt")
_LEFT = ("thumbs.db", "desktop.ini")
_PICTURES = (
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".mp4", ".mov", ".mp3", ".ogg", ".opus", ".m4a", ".wav", ".webm", ".css",
    ".js",
)  # fmt: skip

_WHATSAPP = re.compile(
    rb"(?:\xe2\x80\x8e)?\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d\d[^\n]{0,20}?(?:\] ?| - )[^\n:]{1,60}: "
)
"""How the lines of WhatsApp's export begin."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of an export: where it lies in it, its size in bytes, when it was written, and how it is opened."""

    name: str
    size: int
    written: str | None
    open: Callable[[], IO[bytes]]


def items(path: Path, *, own: bool = True) -> Iterator[Item]:
    """Everything in an export. `own`: its text and markdown are the owner's. Raises `InvalidInput` where there is nothing at
    `path`."""
    if not path.exists():
        raise InvalidInput(f"There is no {path}.")
    export = path.resolve().name
    if path.is_dir():
        for entry in _below(path):
            yield from _of_entry(export, entry, own=own)
        return
    with path.open("rb") as file:
        if file.read(4) == b"PK\x03\x04" and path.suffix.lower() == ".zip":
            yield from _of_zip(export, path, own=own)
            return
    yield from _of_entry(export, _entry(path, path.name), own=own)


def _below(folder: Path) -> Iterator[Entry]:
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if path.is_file() and not path.is_symlink() and not any(part.startswith(".") for part in inner.parts):
            yield _entry(path, str(inner))


def _entry(path: Path, name: str) -> Entry:
    found = path.stat()
    written = datetime.fromtimestamp(found.st_mtime, UTC).isoformat(timespec="seconds")
    return Entry(name, found.st_size, written, lambda: path.open("rb"))


def _of_zip(export: str, path: Path, *, own: bool) -> Iterator[Item]:
    try:
        with ZipFile(path) as archive:
            for inner in archive.infolist():
                if inner.is_dir() or inner.filename.startswith("__MACOSX/") or "/." in f"/{inner.filename}":
                    continue
                if inner.flag_bits & 1:
                    yield Item(inner.filename, skipped="it needs a password")
                elif inner.file_size > 1_000_000 and inner.file_size > MOST_UNFOLDED * max(1, inner.compress_size):
                    yield Item(inner.filename, skipped="it unfolds to far more than it is")
                else:
                    yield from _of_entry(export, _inside(archive, inner), own=own)
    except BadZipFile as error:
        raise InvalidInput(f"{path} is damaged ({error}). Export it anew.") from error


def _inside(archive: ZipFile, inner: ZipInfo) -> Entry:
    try:
        written = datetime(*inner.date_time).astimezone().isoformat(timespec="seconds") if inner.date_time[0] > 1980 else None
    except ValueError:
        written = None
    return Entry(inner.filename, inner.file_size, written, lambda: archive.open(inner))


def _of_entry(export: str, entry: Entry, *, own: bool) -> Iterator[Item]:
    """What one file of an export holds. One that cannot be read is told, and the others go on."""
    name = entry.name.rpartition("/")[2].lower()
    if name in _LEFT:
        return
    if name.endswith(_PICTURES):
        yield Item(entry.name, skipped="pictures, recordings and the like are not read")
        return
    try:
        with entry.open() as file:
            head = file.read(LOOKED_AT)
        shaped = _shaped(head, name)
        if shaped is not None:
            with entry.open() as file:
                yield from shaped(export, file)
        elif entry.size > LARGEST_FILE:
            yield Item(entry.name, skipped=f"it has {entry.size:,} bytes, and {LARGEST_FILE:,} is the limit. Split it")
        else:
            with entry.open() as file:
                yield _whole(export, entry, file.read(LARGEST_FILE + 1), own=own)
    except (OSError, EOFError, BadZipFile, InvalidInput) as error:
        yield Item(entry.name, skipped=f"it cannot be read: {error}")


def _whole(export: str, entry: Entry, content: bytes, *, own: bool) -> Item:
    source: Source = "user" if own and entry.name.lower().endswith(_OWN) else "document"
    return file_inside(export, entry.name, content, date=entry.written, source=source)


Shape = Callable[[str, IO[bytes]], Iterator[Item]]


def _shaped(head: bytes, name: str) -> Shape | None:
    """The reader of a file whose beginning has the shape of an export."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"From ") and b"\n" in start and (name.endswith((".mbox", ".mbx")) or b"\nReceived:" in start):
        return notes.mailbox
    if b"NETSCAPE-Bookmark" in start[:200] or b"<title>Pocket Export" in start[:500]:
        return lambda export, file: notes.bookmarks(export, file.read(LARGEST_FILE).decode("utf-8", "replace"))
    line = start.partition(b"\n")[0]
    if name.endswith(".csv") and b"Highlight" in line and b"Book Title" in line:
        return notes.readwise
    if name.endswith(".csv") and b"time_added" in line and b"url" in line:
        return notes.pocket
    if name.endswith(".txt") and _WHATSAPP.match(start):
        return _chat
    return _json_shape(start, name) if start[:1] in (b"{", b"[") else None


def _json_shape(start: bytes, name: str) -> Shape | None:
    if b'"chat_messages"' in start:
        return _each(assistants.claude, "chat_messages")
    if b'"mapping"' in start:
        return lambda export, file: (item for found in _dicts(file, "mapping") for item in assistants.chatgpt(export, found))
    if b'"Gemini Apps"' in start or b'"Bard"' in start:
        return _each(assistants.gemini, "title")
    if b'"personal_information"' in start or (b'"chats"' in start and b'"list"' in start):
        return lambda export, file: _chats(export, _dicts(file, "messages", "chats/list"))
    if b'"messages"' in start and b'"type"' in start and b'"from_id"' in start:
        return lambda export, file: _chats(export, _dicts(file, "messages"))
    if b'"memory"' in start and (b'"results"' in start or b'"user_id"' in start or b'"hash"' in start):
        return _each(assistants.mem0, "memory", "results")
    if b'"entityType"' in start or b'"relationType"' in start:
        return _each(assistants.mcp_memory, "type")
    if b'"textContent"' in start or b'"listContent"' in start or b'"isTrashed"' in start:
        return _each(notes.keep, "isTrashed")
    if name.endswith((".json", ".jsonl")) and b'"messages"' in start:
        return _chat
    return None


def _chats(export: str, chats: Iterator[dict[str, Any]]) -> Iterator[Item]:
    for chat in chats:
        yield from assistants.telegram(export, chat)


def _each(read: Callable[[str, dict[str, Any]], Item], wanted: str, key: str | None = None) -> Shape:
    def found(export: str, file: IO[bytes]) -> Iterator[Item]:
        for each in _dicts(file, wanted, key):
            yield read(export, each)

    return found


def _dicts(file: IO[bytes], wanted: str, key: str | None = None) -> Iterator[dict[str, Any]]:
    """The objects of a file that have what is `wanted`."""
    start = file.read(LOOKED_AT)
    bare = start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["
    for each in elements(_Joined(start, file), None if bare else key):
        if isinstance(each, dict) and wanted in each:
            yield each


class _Joined:
    """What was read of a file already, and then the rest of it."""

    def __init__(self, start: bytes, rest: IO[bytes]) -> None:
        self._start, self._rest = start, rest

    def read(self, size: int, /) -> bytes:
        if self._start:
            start, self._start = self._start, b""
            return start
        return self._rest.read(size)


def _chat(export: str, file: IO[bytes]) -> Iterator[Item]:
    content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        yield Item(export, skipped=f"it has more than {LARGEST_FILE:,} bytes. Split it")
        return
    for each in read_chat(content, name=export):
        yield Item(each.request.metadata.title or export, each.request)
