"""Mails as Outlook keeps them (.msg): the properties of [MS-OXMSG] in an OLE2 container, made into the mail that they were.

Read as any other mail then (`eml`): head, text, and what is attached. The text is the plain one where there is one, else the
web page.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path

import olefile

from lattice_common.capture.readers.eml import attachment_of, read_mail
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.zip_scan import broken
from lattice_common.domain.reading import ReadResult

DAMAGED = (OSError, struct.error, ValueError, IndexError, AttributeError, TypeError, KeyError, RecursionError)
"""What olefile raises for a damaged container."""
MOST_ATTACHED, MOST_PEOPLE, DEEPEST = 200, 200, 5

# Property ids ([MS-OXPROPS]).
_SUBJECT, _BODY, _HTML = 0x0037, 0x1000, 0x1013
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_SENT, _RECEIVED = 0x0039, 0x0E06
_NAME, _ADDRESS, _SMTP_ADDRESS, _ROLE = 0x3001, 0x3003, 0x39FE, 0x0C15
_CONTENT, _LONG_NAME, _SHORT_NAME, _SHOWN_NAME, _CODEPAGE = 0x3701, 0x3707, 0x3704, 0x3001, 0x3FDE
_UNICODE, _NARROW, _BINARY, _OBJECT = 0x001F, 0x001E, 0x0102, 0x000D
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return a mail with its places as of `eml`."""
    try:
        with olefile.OleFileIO(io.BytesIO(path.read_bytes())) as container:
            mail = _Message(container, []).mail()
    except DAMAGED:
        return broken()
    found = read_mail(mail.as_bytes(), name, limits)
    on_progress(1, 1)
    return found


def attachment_in(path: Path, noted: str) -> bytes | None:
    """Return what is attached to a mail, by its name in the notes of `read`; None where there is none."""
    try:
        with olefile.OleFileIO(io.BytesIO(path.read_bytes())) as container:
            return attachment_of(_Message(container, []).mail().as_bytes(), noted)
    except DAMAGED:
        return None


class _Message:
    """A message, or one within it, at a folder of the container."""

    def __init__(self, container: olefile.OleFileIO, folder: list[str]) -> None:
        self._container = container
        self._folder = folder
        self._fixed = self._entries(folder, 24 if folder else 32)  # bytes before the first; of anything else 8
        page = self._fixed.get(_CODEPAGE)
        self._page = f"cp{page}" if page and page not in (65001, 1200) else "utf-8"

    def mail(self) -> EmailMessage:
        mail = EmailMessage(policy=SMTP)
        self._head(mail)
        plain, page = self._text(self._folder, _BODY), self._bytes(self._folder, _HTML)
        if plain.strip():
            mail.set_content(plain)
        elif page:
            mail.set_content(page.decode(self._page, "replace"), subtype="html")
        else:
            mail.set_content(self._text(self._folder, _HTML) or "", subtype="html")
        for folder in self._folders("__attach_version1.0_#")[:MOST_ATTACHED]:
            self._attach(mail, folder)
        return mail

    def _head(self, mail: EmailMessage) -> None:
        people: dict[int, list[str]] = {1: [], 2: []}
        for folder in self._folders("__recip_version1.0_#")[:MOST_PEOPLE]:
            role = self._entries(folder, 8).get(_ROLE, 1)
            shown = _person(self._text(folder, _NAME), self._text(folder, _SMTP_ADDRESS) or self._text(folder, _ADDRESS))
            people.setdefault(role or 1, []).append(shown)
        here = self._folder
        sender = self._text(here, _SENDER_SMTP) or self._text(here, _SENDER_ADDRESS)
        sent = self._moment(_SENT) or self._moment(_RECEIVED)
        for label, value in (
            ("Subject", self._text(here, _SUBJECT)),
            ("From", _person(self._text(here, _SENDER), sender)),
            ("To", ", ".join(people[1])),
            ("Cc", ", ".join(people[2])),
            ("Date", format_datetime(sent) if sent else ""),
        ):
            if line := " ".join(value.split()):
                mail[label] = line

    def _attach(self, mail: EmailMessage, folder: list[str]) -> None:
        name = next((text for each in (_LONG_NAME, _SHORT_NAME, _SHOWN_NAME) if (text := self._text(folder, each))), "attachment")
        inner = [*folder, f"__substg1.0_{_CONTENT:04X}{_OBJECT:04X}"]
        if self._container.exists([*inner, "__properties_version1.0"]) and len(folder) <= DEEPEST:
            mail.add_attachment(_Message(self._container, inner).mail(), filename=name)
        elif content := self._bytes(folder, _CONTENT):
            mail.add_attachment(content, maintype="application", subtype="octet-stream", filename=" ".join(name.split()))

    def _folders(self, start: str) -> list[list[str]]:
        depth = len(self._folder)
        found = (each for each in self._container.listdir(streams=False, storages=True) if each[:depth] == self._folder)
        return sorted(each for each in found if len(each) == depth + 1 and each[depth].startswith(start))

    def _text(self, folder: list[str], tag: int) -> str:
        if (wide := self._stream([*folder, f"__substg1.0_{tag:04X}{_UNICODE:04X}"])) is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self._stream([*folder, f"__substg1.0_{tag:04X}{_NARROW:04X}"])
        return narrow.decode(self._page_or_western(), "replace").rstrip("\0") if narrow is not None else ""

    def _page_or_western(self) -> str:
        try:
            "".encode(self._page)
        except LookupError:
            return "cp1252"
        return self._page if self._page != "utf-8" else "cp1252"

    def _bytes(self, folder: list[str], tag: int) -> bytes:
        return self._stream([*folder, f"__substg1.0_{tag:04X}{_BINARY:04X}"]) or b""

    def _stream(self, path: list[str]) -> bytes | None:
        if not self._container.exists(path) or self._container.get_type(path) != olefile.STGTY_STREAM:
            return None
        content: bytes = self._container.openstream(path).read()
        return content

    def _moment(self, tag: int) -> datetime | None:
        ticks = self._fixed.get(tag)
        try:
            return _EPOCH + timedelta(microseconds=ticks // 10) if ticks else None
        except OverflowError:
            return None

    def _entries(self, folder: list[str], head: int) -> dict[int, int]:
        """Return the properties of fixed size: 16 bytes each, of which the last 8 are the value."""
        content = self._stream([*folder, "__properties_version1.0"]) or b""
        found: dict[int, int] = {}
        for at in range(head, len(content) - 15, 16):
            kind, tag, _, value = struct.unpack_from("<HHIQ", content, at)
            if kind in (0x0003, 0x0040):  # a number of 32 bits, a time
                found[tag] = value & 0xFFFFFFFF if kind == 0x0003 else value
        return found


def _person(name: str, address: str) -> str:
    name = name.replace('"', "").strip("' ")
    if not address or "@" not in address or name == address:
        return f'"{name}"' if name and "@" not in name else name or address
    return f'"{name}" <{address}>' if name else address
