"""What a program exported, told by its content, and the things in it one by one: a file, a zip or a folder, however large.

Known by shape: ChatGPT, Claude, Gemini (Takeout), Telegram, mem0, the MCP memory server, Google Keep, Readwise, Pocket,
bookmarks, boxes of mails, Signal, Evernote, Day One, and any conversation that `importers.chat` reads (WhatsApp, JSON lines).
All else is read as files are: notes of Obsidian, Notion, basic-memory and Apple Notes, calendars, contacts, mails, PDFs.
"""

from __future__ import annotations

import csv
import re
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from lattice_common.capture.importers import assistants, day_one, evernote, gemini, meta, note_programs, notes, signal
from lattice_common.capture.importers.chat import read_chat
from lattice_common.capture.importers.items import Item, day_named, file_inside
from lattice_common.capture.importers.json_stream import Passed, elements, opened
from lattice_common.capture.importers.programs import (
    NAMELESS,
    NOTION_PAGE,
    NOTION_PART,
    program_named,
    program_of,
    source_of,
    whose,
)
from lattice_common.capture.importers.textbundle import LONGEST_INFO, ZIPPED, Bundled, Bundles, is_bundled
from lattice_common.capture.importers.twins import KEEP, Twins
from lattice_common.capture.importers.whatsapp import is_whatsapp, speakers, whatsapp_months
from lattice_common.domain.capture import Source
from lattice_common.errors import InvalidInput, LatticeError
from lattice_common.language.dates.notes import noted_on
from lattice_common.language.notes.properties import HEAD

LARGEST_FILE = 50_000_000
"""The most bytes of a file that is read whole."""
LOOKED_AT = 8_192
MOST_UNFOLDED = 200
"""The highest ratio of unpacked to packed size of a file within a zip, from a megabyte on."""

LARGEST_ZIP_INSIDE = 4_000_000_000
"""The most bytes of a zip within a zip: it is copied to the disk to be read."""
MOST_LOOKED_INTO = 500
"""How many files of a zip are probed."""
FIRST = 20
"""How many items of a file are parsed to recognise an export."""
UNREADABLE = (OSError, EOFError, BadZipFile, NotImplementedError, zlib.error)
"""What reading a file of an export may raise that the disk, or a damaged zip, does not give."""

_TOLD_BY_SHAPE = (".json", ".jsonl", ".csv", ".html", ".htm", ".txt", ".enex", ".canvas", "chat.md")
_ZIPS = (".zip", *ZIPPED)
_OWN = (".md", ".markdown", ".txt")
_LEFT = ("thumbs.db", "desktop.ini")
_PICTURES = (
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".mp4", ".mov", ".mp3", ".ogg", ".opus", ".m4a", ".wav", ".webm", ".css",
    ".js",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of an export: where it lies in it, its size in bytes, when it was written, and how it is opened."""

    name: str
    size: int
    written: str | None
    open: Callable[[], AbstractContextManager[IO[bytes]]]


def items(path: Path, *, own: bool | None = True, account: str | None = None) -> Iterator[Item]:
    """Yield everything in an export. `own`: its text and markdown are the owner's; None: as the memory's settings say. `account`
    tells it from another account's export of the same name. Raises `InvalidInput` where there is nothing at `path`."""
    if not path.exists():
        raise InvalidInput(f"There is no {path}.")
    export = source_of(path.resolve().name, account)
    if path.is_dir():
        source = source_of(export, _program_of_folder(path))
        yield from _brought(source, _of_entries(export, list(_below(path)), own=own))
        return
    with path.open("rb") as file:
        if file.read(4) == b"PK\x03\x04" and path.suffix.lower() in _ZIPS:
            source = source_of(export, _program_of_zip(file))
            yield from _brought(source, _of_zip(export, _from_start(file), own=own))
            return
    entry = _entry(path, path.name)
    yield from _of_one(export, entry, own=own)


def exported(name: str, file: IO[bytes], size: int, *, own: bool | None = None) -> Iterator[Item] | None:
    """Return everything in a file of `size` bytes that can be sought in, where it is sure to be a program's export; None for any
    other file, which is read as files are. `name` is what it is called, `own` as for `items`. The caller closes the file, once it
    is through."""
    if file.read(4) == b"PK\x03\x04" and name.lower().endswith(_ZIPS):
        if not _is_zipped_export(file):
            return None
        return _brought(source_of(name, _program_of_zip(file)), _of_zip(name, file, own=own))
    entry = Entry(name, size, None, lambda: nullcontext(_from_start(file)))
    if not _is_sure(name, entry):
        return None
    return _of_one(name, entry, own=own)


def _brought(source: str, found: Iterable[Item]) -> Iterator[Item]:
    return (item.brought_as(source) for item in found)


def _of_one(export: str, entry: Entry, *, own: bool | None) -> Iterator[Item]:
    """Return what a file holds that is an export by itself."""
    found = _brought(source_of(export, _program_of([entry])), _of_entry(export, entry, own=own))
    named = whose(_head(entry), entry.name)
    return _brought(source_of(export, named), found) if named else found


def _program_of(entries: Iterable[Entry]) -> str | None:
    """Return the program of the first of the files that has the shape of an export which is sure to be of one."""
    for entry in entries:
        with entry.open() as file:
            head = file.read(LOOKED_AT)
        if _shaped(head, entry.name.rpartition("/")[2].lower()) is not None and (program := program_of(head)) is not None:
            return program
    return None


def _program_of_folder(folder: Path) -> str | None:
    if (folder / ".obsidian").is_dir():
        return "Obsidian"
    told = (entry for entry in _below(folder) if entry.name.lower().endswith(_TOLD_BY_SHAPE))
    try:
        return program_named(entry.name for entry in _below(folder)) or _program_of(islice(told, MOST_LOOKED_INTO))
    except OSError:
        return None  # what cannot be read is told where it is read


def _program_of_zip(file: IO[bytes]) -> str | None:
    try:
        with ZipFile(_from_start(file)) as archive:
            inside = archive.infolist()
            told = (each for each in inside if each.filename.lower().endswith(_TOLD_BY_SHAPE) and not _refusal(each))
            entries = (_inside(archive, each) for each in islice(told, MOST_LOOKED_INTO))
            return program_named(each.filename for each in inside) or _program_of(entries)
    except UNREADABLE:
        return None  # a damaged one is told so by who reads it


def _from_start(file: IO[bytes]) -> IO[bytes]:
    file.seek(0)
    return file


def _is_zipped_export(file: IO[bytes]) -> bool:
    """Return whether a zip holds an export of some program, by the names and the beginnings of what is in it."""
    try:
        with ZipFile(_from_start(file)) as archive:
            inside = archive.infolist()
            names = [each.filename for each in inside]
            if any("/.obsidian/" in f"/{name}" or NOTION_PAGE.search(name) or name.startswith("Takeout/") for name in names):
                return True
            if any(NOTION_PART.search(name) or is_bundled(name) for name in names):
                return True
            told = [each for each in inside if each.filename.lower().endswith(_TOLD_BY_SHAPE) and not _refusal(each)]
            return any(_is_sure(each.filename, _inside(archive, each)) for each in told[:MOST_LOOKED_INTO])
    except UNREADABLE:
        return False  # a damaged one is told so by who reads it as a file


def _is_sure(name: str, entry: Entry) -> bool:
    """Return whether a file has the shape of a program's export, and its first things can be read as such. A box of mails is one
    where it is too long to be read as one file, whose text and time have limits."""
    shaped = _shape_of(entry)
    if isinstance(shaped, _Refused):
        return True
    if shaped is None or (shaped is notes.mailbox and entry.size <= notes.BOX_BYTES):
        return False
    with entry.open() as file:
        try:
            return any(item.skipped is None for item in islice(shaped(name, file), FIRST))
        except (LatticeError, ValueError, LookupError, TypeError, AttributeError, csv.Error):
            return False  # something else, of a like shape


def _below(folder: Path) -> Iterator[Entry]:
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if path.is_file() and not path.is_symlink() and not any(part.startswith(".") for part in inner.parts):
            yield _entry(path, str(inner))


def _entry(path: Path, name: str) -> Entry:
    found = path.stat()
    written = datetime.fromtimestamp(found.st_mtime, UTC).isoformat(timespec="seconds")
    return Entry(name, found.st_size, written, lambda: path.open("rb"))


def _of_zip(export: str, file: IO[bytes], *, own: bool | None, within: bool = False) -> Iterator[Item]:
    """Yield what a zip holds. One `within` another is opened where it is an export itself, and none within that."""
    try:
        with ZipFile(file) as archive:
            entries = []
            for inner in archive.infolist():
                if inner.is_dir() or inner.filename.startswith("__MACOSX/") or "/." in f"/{inner.filename}":
                    continue
                if refusal := _refusal(inner):
                    yield Item(inner.filename, skipped=refusal)
                elif not within and inner.filename.lower().endswith(_ZIPS):
                    yield from _of_zip_inside(export, archive, inner, own=own)
                else:
                    entries.append(_inside(archive, inner))
            yield from _of_entries(export, entries, own=own)
    except BadZipFile as error:
        raise InvalidInput(f"{export} is damaged ({error}). Export it anew.") from error


def _of_zip_inside(export: str, archive: ZipFile, inner: ZipInfo, *, own: bool | None) -> Iterator[Item]:
    """Yield what a zip within a zip holds where it is an export, as Notion's large ones are; else the zip as the file it is."""
    if inner.file_size > LARGEST_ZIP_INSIDE:
        yield Item(inner.filename, skipped=f"it has {inner.file_size:,} bytes, and {LARGEST_ZIP_INSIDE:,} is the limit")
        return
    with TemporaryFile() as copy:
        try:
            with archive.open(inner) as packed:
                shutil.copyfileobj(packed, copy)
            if _is_zipped_export(copy):
                yield from _of_zip(export, _from_start(copy), own=own, within=True)
                return
        except (*UNREADABLE, InvalidInput) as error:
            yield Item(inner.filename, skipped=f"it cannot be read: {error}")
            return
    yield from _of_entry(export, _inside(archive, inner), own=own)


def _refusal(inner: ZipInfo) -> str | None:
    if inner.flag_bits & 1:
        return "it needs a password"
    if inner.file_size > 1_000_000 and inner.file_size > MOST_UNFOLDED * max(1, inner.compress_size):
        return "it unfolds to far more than it is"
    return None


def _inside(archive: ZipFile, inner: ZipInfo) -> Entry:
    try:
        written = datetime(*inner.date_time).astimezone().isoformat(timespec="seconds") if inner.date_time[0] > 1980 else None
    except ValueError:
        written = None
    return Entry(inner.filename, inner.file_size, written, lambda: archive.open(inner))


def _of_entries(export: str, entries: Sequence[Entry], *, own: bool | None) -> Iterator[Item]:
    """Yield what the files of an export hold, each thing once."""
    named = {entry.name: entry for entry in entries}
    twins = Twins(named, lambda name: _head(named[name]))
    bundles = Bundles(named, lambda name: _head(named[name], LONGEST_INFO), export)
    for entry in entries:
        if reason := twins.reason(entry.name):
            yield Item(entry.name, skipped=reason)
        elif (bundled := bundles.words(entry.name)) is not None:
            yield _bundled(export, entry, bundled, own=own)
        elif not bundles.describes(entry.name):
            yield from _of_entry(export, entry, own=own)


def _bundled(export: str, entry: Entry, bundled: Bundled, *, own: bool | None) -> Item:
    """Return the note of a bundle. Earlier versions brought its words as a file called `text`, of the day it was packed."""
    if bundled.skipped:
        return Item(bundled.name, skipped=bundled.skipped)
    if entry.size > LARGEST_FILE:
        return Item(bundled.name, skipped=f"it has {entry.size:,} bytes, and {LARGEST_FILE:,} is the limit. Split it")
    try:
        with entry.open() as file:
            content = file.read(LARGEST_FILE + 1)
    except UNREADABLE as error:
        return Item(bundled.name, skipped=f"it cannot be read: {error}")
    former = _whole(export, entry, content, own=own)
    item = _whole(export, replace(entry, name=bundled.name, written=bundled.written or entry.written), content, own=own)
    return item if item.skipped or former.skipped else replace(item, former=former)


def _head(entry: Entry, most: int = LOOKED_AT) -> bytes:
    """Return the first bytes of a file; none of one that cannot be read, which is told when it is its turn."""
    try:
        with entry.open() as file:
            return file.read(most)
    except UNREADABLE:
        return b""


def _of_entry(export: str, entry: Entry, *, own: bool | None) -> Iterator[Item]:
    """Yield what one file of an export holds. One that cannot be read is told, and the others go on."""
    name = entry.name.rpartition("/")[2].lower()
    if name in _LEFT:
        return
    if name.endswith(_PICTURES):
        yield Item(entry.name, skipped="pictures, recordings and the like are not read")
        return
    try:
        shaped = _shape_of(entry)
        if shaped is not None:
            with entry.open() as file:
                yield from shaped(export, file)
        elif entry.size > LARGEST_FILE:
            yield Item(entry.name, skipped=f"it has {entry.size:,} bytes, and {LARGEST_FILE:,} is the limit. Split it")
        else:
            with entry.open() as file:
                yield _whole(export, entry, file.read(LARGEST_FILE + 1), own=own)
    except (*UNREADABLE, csv.Error, InvalidInput) as error:
        yield Item(entry.name, skipped=f"it cannot be read: {error}")


def _whole(export: str, entry: Entry, content: bytes, *, own: bool | None) -> Item:
    if entry.name.lower().endswith(".json") and re.fullmatch(rb"\s*(?:\[\s*\]|\{\s*\}|null)?\s*", content[:LOOKED_AT]):
        return Item(entry.name, skipped="it is empty")
    written = entry.name.lower().endswith(_OWN)
    if entry.name.lower().endswith(".md") and (noted := _of_note_program(export, entry, content)):
        return noted
    source: Source | None = None if own is None and written else "user" if own and written else "document"
    date = (day_named(entry.name) if written else None) or entry.written
    item = file_inside(export, entry.name, content, date=date, source=source)
    if not written or item.skipped:
        return item
    head = content[: 4 * HEAD].decode("utf-8", "replace")
    day = noted_on(head, entry.name, datetime.now(UTC), UTC)
    return replace(item, day=day.date().isoformat()) if day else item


def _of_note_program(export: str, entry: Entry, content: bytes) -> Item | None:
    """Return a note that has more in it than its words, which its program put there."""
    words = content.decode("utf-8-sig", "replace")
    if note_programs.is_template(words):
        return Item(entry.name, skipped=note_programs.TEMPLATE)
    return note_programs.joplin(export, entry.name, words)


Shape = Callable[[str, IO[bytes]], Iterator[Item]]


@dataclass(frozen=True, slots=True)
class _Refused:
    """Takes the place of a reader where a program's export is known and in a form that is not read."""

    label: str
    reason: str

    def __call__(self, _export: str, _file: IO[bytes]) -> Iterator[Item]:
        yield Item(self.label, skipped=self.reason)


def _shape_of(entry: Entry) -> Shape | None:
    """Return the reader of a file that has the shape of an export. A page of Google's begins with long styles: it is read on."""
    with entry.open() as file:
        head = file.read(LOOKED_AT)
    if entry.name.lower().endswith((".html", ".htm")) and (b"mdl-" in head or b"<style" in head):
        with entry.open() as file:
            if gemini.is_page(file):
                return gemini.page
    return _shaped(head, entry.name)


def _shaped(head: bytes, path: str) -> Shape | None:
    """Return the reader of a file whose beginning has the shape of an export. `path` is where it lies in the export."""
    *folders, name = re.split(r"[/\\]", path)
    chat = folders[-1] if folders else ""
    stem, name = name.rpartition(".")[0], name.lower()
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"From ") and b"\n" in start and (name.endswith((".mbox", ".mbx")) or b"\nReceived:" in start):
        return notes.mailbox
    if b"NETSCAPE-Bookmark" in start[:200] or b"<title>Pocket Export" in start[:500]:
        return lambda export, file: notes.bookmarks(export, file.read(LARGEST_FILE).decode("utf-8", "replace"))
    if b"<title>Exported Data</title>" in start and name.endswith(".html"):
        return _Refused(path, "Telegram's pages are not read. Export as JSON (machine-readable)")
    if evernote.MARK in start and start.startswith(b"<"):
        return evernote.evernote
    line = start.partition(b"\n")[0]
    if name.endswith(".csv") and b"Highlight" in line and b"Book Title" in line:
        return notes.readwise
    if name.endswith(".csv") and b"time_added" in line and b"url" in line:
        return notes.pocket
    if name.endswith(".txt") and is_whatsapp(text := start.decode("utf-8", "ignore")):
        who = stem if stem not in NAMELESS else chat or " and ".join(speakers(text))
        return lambda export, file: whatsapp_months(export, who, file)
    if name.endswith((".md", ".txt")) and (written := _signal_text(start, name)):
        title = chat if name == "chat.md" else stem
        return lambda export, file: written(export, title or export, file.read(LARGEST_FILE).decode("utf-8", "replace"))
    return (
        (_claude_json(start) or _json_shape(start, path) or _signal_json(start, chat, stem))
        if start[:1] in (b"{", b"[")
        else None
    )


def _signal_text(start: bytes, name: str) -> Callable[[str, str, str], Iterator[Item]] | None:
    text = start.decode("utf-8", "ignore")
    if name.endswith(".md"):
        return signal.markdown if signal.is_markdown(text) else None
    return signal.sigtop if signal.is_sigtop(text) else None


def _signal_json(start: bytes, chat: str, stem: str) -> Shape | None:
    """Return the shape of a chat of Signal. `chat` is the folder it lies in, `stem` its name without the ending: by one of them
    each tool names a chat."""
    if b'"conversationId"' in start and b'"sent_at"' in start:
        return lambda export, file: signal.sigtop_json(export, stem or export, _dicts(file, "conversationId"))
    if b'"sender"' in start and b'"body"' in start and b'"reactions"' in start:
        return lambda export, file: signal.lines_of_json(export, chat or export, _dicts(file, "sender"))
    if b'"backupTimeMs"' in start or (b'"chatItem"' in start and b'"authorId"' in start):
        return lambda export, file: signal.frames(export, _frames(file))
    return None


def _claude_json(start: bytes) -> Shape | None:
    if b'"chat_messages"' in start:
        return _all(assistants.claude, "chat_messages")
    if b'"conversations_memory"' in start:
        return _all(assistants.claude_memory, "conversations_memory")
    if b'"uuid"' in start and b'"is_private"' in start and (b'"prompt_template"' in start or b'"docs"' in start):
        return _all(assistants.claude_project, "is_private")
    if b'"uuid"' in start and b'"full_name"' in start and b'"email_address"' in start:
        return _each(assistants.claude_user, "full_name")
    return None


def _json_shape(start: bytes, path: str) -> Shape | None:
    if b'"mapping"' in start:
        return _all(assistants.ChatGPT(), "mapping")
    if b'"chatgpt_plus_user"' in start:
        return _Refused(path, "it says whose account it was")
    if gemini.IN_JSON.search(start):
        return _each(gemini.activity, "title")
    if b'"personal_information"' in start or (b'"chats"' in start and b'"list"' in start):
        return _telegram
    if b'"messages"' in start and b'"type"' in start and b'"from_id"' in start:
        return lambda export, file: _told(export, _chats(file), assistants.telegram)
    if b'"memory"' in start and (b'"results"' in start or b'"user_id"' in start or b'"hash"' in start):
        return _each(assistants.mem0, "memory", "results")
    if b'"entityType"' in start or b'"relationType"' in start:
        return _each(assistants.mcp_memory, "type")
    if all(mark in start for mark in meta.MARKS):
        return _all(meta.meta_chat, "messages")
    if shaped := _notes_json(start, path):
        return shaped
    if path.lower().endswith((".json", ".jsonl")) and b'"messages"' in start:
        return _chat
    return None


def _notes_json(start: bytes, path: str) -> Shape | None:
    """Return the shape of notes, journals and bookmarks."""
    if b'"text/x-moz-place-container"' in start:
        return _all(notes.firefox, "root")
    if b'"items"' in start and b'"content_type"' in start:
        return _each(note_programs.standard_note, "content_type", "items")
    if path.lower().endswith(".canvas"):
        return _all(note_programs.canvas, "nodes")
    if any(mark in start for mark in KEEP):
        return _each(notes.keep, "isTrashed")
    if b'"entries"' in start and any(mark in start for mark in day_one.MARKS):
        return _each(day_one.day_one, "creationDate", "entries")
    return None


_ACCOUNT = re.compile(rb'"personal_information"\s*:\s*\{\s*"user_id"\s*:\s*(\d+)')


def _telegram(export: str, file: IO[bytes]) -> Iterator[Item]:
    contacts = sum(1 for _ in elements(file, "contacts/list"))
    if contacts:
        yield Item(f"contacts: {contacts:,}", skipped="contacts are not read. Export them from your address book (.vcf)")
    account = _ACCOUNT.search(_from_start(file).read(LOOKED_AT))
    read = partial(assistants.telegram, owner=f"user{account[1].decode()}" if account else None)
    for chats in ("chats/list", "left_chats/list"):
        yield from _told(export, _chats(file, chats), read)


def _told(
    export: str, found: Iterator[dict[str, Any] | Passed], read: Callable[[str, dict[str, Any]], Iterable[Item]]
) -> Iterator[Item]:
    for each in found:
        if isinstance(each, Passed):
            yield Item(export, skipped=each.reason)
        else:
            yield from read(export, each)


def _each(read: Callable[[str, dict[str, Any]], Item], wanted: str, key: str | None = None) -> Shape:
    return _all(lambda export, each: (read(export, each),), wanted, key)


def _all(read: Callable[[str, dict[str, Any]], Iterable[Item]], wanted: str, key: str | None = None) -> Shape:
    return lambda export, file: _told(export, _dicts(file, wanted, key), read)


def _dicts(file: IO[bytes], wanted: str, key: str | None = None) -> Iterator[dict[str, Any] | Passed]:
    """Yield the objects of a file that have what is `wanted`."""
    for each in elements(file, _key_in(file, key)):
        if isinstance(each, Passed) or (isinstance(each, dict) and wanted in each):
            yield each


def _frames(file: IO[bytes]) -> Iterator[dict[str, Any] | Passed]:
    return (each for each in elements(file) if isinstance(each, (dict, Passed)))


def _chats(file: IO[bytes], key: str | None = None) -> Iterator[dict[str, Any] | Passed]:
    """Yield the chats of a file, however long: their messages one by one."""
    for each in opened(file, "messages", _key_in(file, key)):
        if isinstance(each, Passed) or "messages" in each:
            yield each


def _key_in(file: IO[bytes], key: str | None) -> str | None:
    """Return the key, and None where the file is an array itself; the file is read from its beginning next."""
    start = _from_start(file).read(LOOKED_AT)
    file.seek(0)
    return None if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[" else key


def _chat(export: str, file: IO[bytes]) -> Iterator[Item]:
    content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        yield Item(export, skipped=f"it has more than {LARGEST_FILE:,} bytes. Split it")
        return
    for each in read_chat(content, name=export):
        yield Item(each.request.metadata.title or export, each.request)
