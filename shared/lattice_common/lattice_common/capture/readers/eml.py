"""Mails: who wrote what to whom and when; what is attached is named, not opened (bad-input row 57)."""

from __future__ import annotations

import contextlib
import email
import email.policy
import re
from collections.abc import Callable, Iterator
from datetime import UTC
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from pathlib import Path

from lattice_common.capture.readers.html import page_text
from lattice_common.capture.readers.html_page import add_html
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.text import decoded
from lattice_common.capture.readers.text_builder import LINE, TextBuilder
from lattice_common.domain.reading import ReadResult, Unreadable

MOST_PARTS = 1000
DEEPEST = 20
MOST_PEOPLE = 50
"""Of one header: the members of a mailing list are no memory."""

_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_UNDECODABLE = (MessageError, LookupError, UnicodeError, ValueError)
_HTML = re.compile(rb"<[a-zA-Z!/]")


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """A mail that is encrypted as a whole is `encrypted`. Its subject is the title."""
    message = email.message_from_bytes(path.read_bytes().lstrip(b"\r\n"), policy=email.policy.compat32)
    if message.get_content_type() in _ENCRYPTED and message.get_param("smime-type") != "signed-data":
        return Unreadable(
            "encrypted", f"{name} is encrypted. Open it in your mail program, save it decrypted, and put it in again."
        )
    builder = TextBuilder(limits)
    subject = _header(message, "Subject")
    if subject:
        builder.add(f"# {subject}")
    _add_heads(builder, message)
    attached: list[str] = []
    title = None
    for part in _parts(message, attached):
        title = _add_part(builder, part) or title
        if builder.full:
            break
    if attached:
        builder.add(f"Attachments: {', '.join(attached[:MOST_PARTS])}")
        builder.note(f"attachments:{len(attached)}")
    if builder.empty:
        return Unreadable("no-text", f"{name} is a mail without words. Put in what is attached to it.")
    on_progress(1, 1)
    return builder.build("eml", title=subject or title)


def _add_heads(builder: TextBuilder, message: Message) -> None:
    """`From`, `To`, `Cc` and `Date` as lines of words."""
    lines = [(label, _people(message, label)) for label in ("From", "To", "Cc")]
    lines.append(("Date", _date(message)))
    first = True
    for label, value in lines:
        if value:
            builder.add(f"{label}: {value}", between="\n\n" if first else LINE)
            first = False


def _people(message: Message, label: str) -> str:
    found = getaddresses([_header(message, label)])[: MOST_PEOPLE + 1]
    named = [f"{name} <{address}>" if name and address else address or name for name, address in found[:MOST_PEOPLE]]
    return ", ".join(each for each in named if each) + (" and others" if len(found) > MOST_PEOPLE else "")


def _date(message: Message) -> str:
    """In words that every reader understands: 3 March 2026, 20:15 +0200."""
    stated = _header(message, "Date")
    try:
        moment = parsedate_to_datetime(stated)
        moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)  # "-0000": UTC, wherever it was written
        return f"{moment.day} {moment:%B} {moment.year}, {moment:%H:%M %z}".strip()
    except (ValueError, TypeError, OverflowError):
        return stated


def _header(message: Message, name: str) -> str:
    """One line; what cannot be decoded stays as it is."""
    raw = str(message.get(name) or "")[:10_000]
    with contextlib.suppress(*_UNDECODABLE):
        raw = str(make_header(decode_header(raw)))
    return " ".join(raw.split())


def _parts(message: Message, attached: list[str], depth: int = 0) -> Iterator[Message]:
    """The parts that are the mail's text, of two that say the same the plain one; names of the others go to `attached`."""
    kind = message.get_content_type()
    if depth > DEEPEST or len(attached) >= MOST_PARTS:
        return
    if kind == "message/rfc822" or not message.is_multipart():
        if kind in ("text/plain", "text/html") and message.get_content_disposition() != "attachment":
            yield message
        elif kind not in ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"):
            attached.append(_name_of(message))
        return
    inside = [each for each in message.get_payload() if isinstance(each, Message)]
    if kind == "multipart/alternative":
        plain = [each for each in inside if each.get_content_type() == "text/plain" and _content(each).strip()]
        if plain:
            yield plain[0]
            return
        # The richest stands last.
        for each in reversed(inside):
            texts = list(_parts(each, attached, depth + 1))
            if texts:
                yield from texts
                return
        return
    for each in inside[:MOST_PARTS]:
        yield from _parts(each, attached, depth + 1)


def _name_of(message: Message) -> str:
    try:
        name = message.get_filename()
    except _UNDECODABLE:
        name = None
    if not name and message.get_content_type() == "message/rfc822":
        inside = message.get_payload()
        name = _header(inside[0], "Subject") if isinstance(inside, list) and isinstance(inside[0], Message) else None
    with contextlib.suppress(*_UNDECODABLE):
        name = str(make_header(decode_header(name))) if name else None
    return " ".join((name or message.get_content_type()).split())[:200]


def _content(part: Message) -> bytes:
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""


def _add_part(builder: TextBuilder, part: Message) -> str | None:
    """The title of a part that is a web page."""
    content = _content(part)
    text, notes = _text(content, part.get_content_charset())
    if part.get_content_type() == "text/html" and _HTML.search(content):
        if part.get_content_charset() is None:
            text, notes = page_text(content)
        for note in notes:
            builder.note(note)
        return add_html(builder, text)
    for note in notes:
        builder.note(note)
    text = text.replace("\r\n", "\n")
    if str(part.get_param("format", "")).lower() == "flowed":
        text = _unwrapped(text)
    builder.add(text)
    return None


def _text(content: bytes, charset: str | None) -> tuple[str, tuple[str, ...]]:
    """By the encoding that the mail states, where the bytes agree."""
    if charset and charset not in ("us-ascii", "ascii", "utf-8", "unknown-8bit"):
        try:
            encoding = "cp1252" if charset == "iso-8859-1" else charset
            return content.decode(encoding), (f"encoding:{charset}",)
        except (LookupError, UnicodeError):
            pass
    return decoded(content)


def _unwrapped(text: str) -> str:
    """Lines that end with a space go on in the next (RFC 3676), unless it is quoted otherwise."""
    lines: list[str] = []
    for line in text.split("\n"):
        before = lines[-1] if lines else ""
        if before.endswith(" ") and before != "-- " and line and (before.startswith(">") == line.startswith(">")):
            lines[-1] = before + line.lstrip("> ") if line.startswith(">") else before + line
        else:
            lines.append(line)
    return "\n".join(lines)
