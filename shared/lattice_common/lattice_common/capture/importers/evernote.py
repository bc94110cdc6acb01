"""Notes of Evernote, as it exports a notebook (`.enex`), one by one: of attachments, most of such a file, few are held."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO
from xml.parsers import expat

from lattice_common.capture.importers.items import Item, file_inside, note
from lattice_common.capture.readers.html_text import Block, PageWords
from lattice_common.errors import InvalidInput

MARK = b"<en-export"
LARGEST_CONTENT = 25_000_000
LARGEST_ATTACHMENT = 70_000_000
"""The most characters of a note, and of an attachment, which is written with four for three bytes."""
_CHUNK = 1 << 18
_NO_XML = bytes(each for each in range(32) if each not in b"\t\n\r")
_FIELDS = frozenset(("title", "content", "created", "updated", "tag", "source", "source-url", "data", "mime", "file-name"))
_MEDIA = ("image/", "audio/", "video/")

_SECRET = re.compile(r"<en-crypt\b[^<>]*>[^<>]*</en-crypt>")
_TICK = re.compile(r"<en-todo\b([^<>]*)>(?:\s*</en-todo>)?")
_TASK = re.compile(r"<li\b[^<>]*--en-checked:\s*(\w+)[^<>]*>(?:\s*<div>)?")
_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z")


@dataclass(slots=True)
class _Read:
    """What was read of the note, and of the attachment, in which the parser is."""

    found: dict[str, str] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    attachment: dict[str, str] | None = None
    too_long: bool = False


class _Notebook:
    """Takes what the parser finds, and keeps the items that are whole in `done`."""

    def __init__(self, export: str) -> None:
        self.done: list[Item] = []
        self._export = export
        self._note = _Read()
        self._name = ""
        self._pieces: list[str] = []
        self._length = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._words
        self.parser.EntityDeclHandler = _refuse_entity

    def _start(self, name: str, _: dict[str, str]) -> None:
        if name == "note":
            self._note = _Read()
        elif name == "resource":
            self._note.attachment, self._note.too_long = {}, False
        self._name = name if name in _FIELDS else ""
        self._pieces, self._length = [], 0

    def _words(self, words: str) -> None:
        if not self._name:
            return
        self._length += len(words)
        if self._length > (LARGEST_ATTACHMENT if self._name == "data" else LARGEST_CONTENT):
            self._note.too_long, self._pieces = True, []
        else:
            self._pieces.append(words)

    def _end(self, name: str) -> None:
        read = self._note
        if name == self._name:
            words = "".join(self._pieces).strip()
            if name == "tag":
                read.tags.append(words)
            else:
                (read.found if read.attachment is None else read.attachment).setdefault(name, words)
        self._name, self._pieces = "", []
        if name == "resource" and read.attachment is not None:
            self.done.append(_attachment(self._export, read))
            read.attachment, read.too_long = None, False
        elif name == "note":
            self.done += _note(self._export, read)


def evernote(export: str, file: IO[bytes]) -> Iterator[Item]:
    """Yield the notes of a notebook, each behind what is attached to it. Raise `InvalidInput` from where on it is no XML."""
    notebook = _Notebook(export)
    try:
        while chunk := file.read(_CHUNK):
            notebook.parser.Parse(chunk.translate(None, _NO_XML))
            yield from notebook.done
            notebook.done = []
        notebook.parser.Parse(b"", True)
    except expat.ExpatError as error:
        yield from notebook.done
        raise InvalidInput(f"from line {error.lineno:,} on it is damaged. Export the notebook anew") from error


def _refuse_entity(*_: object) -> None:
    raise InvalidInput("it declares entities, which no notebook of Evernote does")


def _note(export: str, read: _Read) -> Iterator[Item]:
    """Yield a note: the owner's words, and somebody else's where it was clipped from the web."""
    title, content = read.found.get("title", ""), read.found.get("content", "")
    if read.too_long:
        yield Item(title or "a note", skipped=f"it has more than {LARGEST_CONTENT:,} characters. Split it")
        return
    clear = _SECRET.sub("", content)
    if clear != content:
        yield Item(f"{title or 'a note'}: what is encrypted in it", skipped="it needs a password")
    clear = _TICK.sub(lambda found: "- [x] " if 'checked="true"' in found[1] else "- [ ] ", clear)
    clear = _TASK.sub(lambda found: f"<li>[{'x' if found[1] == 'true' else ' '}] ", clear)
    words = _markdown(clear)
    head = title if title and title not in words.partition("\n")[0] else ""
    address = read.found.get("source-url", "")
    is_clipped = read.found.get("source", "").startswith("web.clip")
    link = f"\n\nSource: {address}" if address else ""
    yield note(
        export,
        title,
        f"{f'# {head}' if head else ''}\n\n{words}{link}".strip() if words.strip() else title,
        date=_moment(read),
        source="document" if is_clipped else "user",
        source_type="markdown",
        tags=read.tags or None,
    )


def _markdown(page: str) -> str:
    """Return the words of a note's page."""
    words = PageWords()
    words.feed(page)
    words.close()
    return "\n".join(filter(None, map(_lines, words.finished())))


def _lines(block: Block) -> str:
    if block.kind == "table":
        return "\n".join(" | ".join(cell.text for cell in row.cells) for row in block.rows)
    return f"\n{'#' * block.level} {block.text}\n" if block.level else block.text


def _attachment(export: str, read: _Read) -> Item:
    """Return what is attached to a note: a document, whoever wrote it."""
    told = read.attachment or {}
    title = read.found.get("title") or "a note"
    kind = told.get("mime", "")
    name = re.split(r"[/\\]", told.get("file-name", ""))[-1] or f"attachment.{kind.rpartition('/')[2] or 'bin'}"
    label = f"{name}, attached to “{title}”"
    if kind.startswith(_MEDIA):
        return Item(label, skipped="pictures, recordings and the like are not read")
    if read.too_long:
        return Item(label, skipped=f"it has more than {LARGEST_ATTACHMENT * 3 // 4:,} bytes. Split it")
    try:
        content = binascii.a2b_base64(told.get("data", ""))
    except ValueError:
        return Item(label, skipped="it is damaged. Export the notebook anew")
    return file_inside(export, name, content, date=_moment(read), source="document")


def _moment(read: _Read) -> str | None:
    found = _DATE.fullmatch(read.found.get("created") or read.found.get("updated", ""))
    return "{}-{}-{}T{}:{}:{}+00:00".format(*found.groups()) if found else None
