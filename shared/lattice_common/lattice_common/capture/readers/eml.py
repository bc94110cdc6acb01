"""Mails, one or a whole box of them: who wrote what to whom and when, and what is attached, read as documents are.

An attachment is named first, and stands below its mail with places of its own ("attachment lease.pdf,
page 2"); one that is not read is named only. Of a box, each mail is "mail 3", without what it quotes of those before it.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import quopri
import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from itertools import pairwise
from pathlib import Path

from lattice_common.capture.readers.aligned_rows import with_aligned_rows
from lattice_common.capture.readers.held_bytes import held
from lattice_common.capture.readers.html import page_text
from lattice_common.capture.readers.html_page import add_html
from lattice_common.capture.readers.kind import as_utf8
from lattice_common.capture.readers.leaders import with_pairs_of_leaders
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import read as read_any
from lattice_common.capture.readers.text import decoded
from lattice_common.capture.readers.text_builder import LINE, TextBuilder
from lattice_common.domain.reading import ReadResult, Unreadable
from lattice_common.language.letters.quoted import ABOVE_ORIGINAL

MOST_PARTS = 1000
DEEPEST = 20
MOST_PEOPLE = 50
"""Of one header: the members of a mailing list are no memory."""

MOST_READ = 50
"""Attachments of one mail that are read."""
MOST_NOTED = 100
"""Attachments of a box that were not read, and are noted."""
NOTED = 80
"""Characters of a name in a note."""
MOST_TIME = 0.8
"""Of the processor time that is allowed: then the mails read so far are what is read."""
SHORTEST_QUOTED = 12
"""Characters of a line that is known again where it is quoted: shorter ones stand in many mails."""

OF_BOX = re.compile(r"mail (\d{1,9}), ")
"""How the note on an attachment begins that is of a mail in a box."""
_NEXT = re.compile(rb"(?:\A|\r?\n\r?\n)From [^\n]{3,300}\n(?=[A-Za-z][A-Za-z0-9-]{1,60}:|>From )")
_FIRST = re.compile(rb"\AFrom [^\n]{3,300}\n")
_ESCAPED = re.compile(rb"(?m)^>(>*From )")
_FROM_DATE = re.compile(rb"([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d)(?: [A-Z]{3,4}| [+-]\d{4})? (\d{4})")
_HAS_DATE = re.compile(rb"(?mi)^date:")
_UNDECLARED = re.compile(rb"=[0-9A-F]{2}[^\n]{0,80}=\r?\n|=C3=[89AB][0-9A-F]|=E2=80=")
_ORIGINAL = re.compile(
    r"-{3,} ?(?:original|ursprüng|forwarded|weitergeleitet|message d.origine|mensaje original)|_{10,}\s*$", re.IGNORECASE
)
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_UNDECODABLE = (MessageError, LookupError, UnicodeError, ValueError)
_HTML = re.compile(rb"<[a-zA-Z!/]")
LEAST_SAID = 4
"""Times as much as the plain part says that the other of two may say; from there on the plain one says something else."""
_DATA_TABLE = re.compile(rb"<th[\s>]", re.IGNORECASE)
_UNSEEN = re.compile(rb"<(?:style|script)\b[^<]*+(?:<(?!/(?:style|script))[^<]*+)*+", re.IGNORECASE)
_TAG = re.compile(rb"<[^<>]{0,4000}>")
_BLANK = re.compile(rb"(?:\s|&nbsp;|=20)+")


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return a mail that is encrypted as a whole is `encrypted`. Its subject is the title."""
    content = as_utf8(path.read_bytes()).lstrip(b"\r\n")
    mails = _split(content)
    if len(mails) > 1:
        return _box(mails, name, limits, on_progress)
    read = _mail(mails[0], name, limits, set())
    on_progress(1, 1)
    return read


def read_mail(content: bytes, name: str, limits: Limits) -> ReadResult:
    """Return one mail, from the bytes that it would be sent as."""
    return _mail(content, name, limits, set())


def attachment_in(path: Path, noted: str) -> bytes | None:
    """Return what is attached to a mail, or to one of a box, by its name in the notes of `read`; None where there is none."""
    mails = _split(as_utf8(path.read_bytes()).lstrip(b"\r\n"))
    if len(mails) == 1:
        return attachment_of(mails[0], noted)
    of_box = OF_BOX.match(noted)
    if of_box is None or not 0 < int(of_box[1]) <= len(mails):
        return None
    return attachment_of(_dated(mails[int(of_box[1]) - 1]), noted[of_box.end() :])


def attachment_of(content: bytes, noted: str) -> bytes | None:
    """Return what is attached to a mail, by its name in the notes."""
    attached: list[Message] = []
    for _ in _parts(email.message_from_bytes(content, policy=email.policy.compat32), attached):
        continue
    named = (part for part in attached[:MOST_READ] if _name_of(part)[:NOTED] == noted and _passed_on(part) is None)
    return next((_content(part) for part in named), None)


def _split(content: bytes) -> list[bytes]:
    """Return the mails of a box (RFC 4155): each begins with a "From " line behind an empty one."""
    starts = [found.start() for found in _NEXT.finditer(content)] if content.startswith(b"From ") else []
    if len(starts) < 2:
        return [_FIRST.sub(b"", content)]
    parts = [content[start:end] for start, end in pairwise((*starts, len(content)))]
    return [_ESCAPED.sub(rb"\1", part.lstrip(b"\r\n")) for part in parts]


def _box(mails: list[bytes], name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    builder, known = TextBuilder(limits), set[str]()
    began, left, unread = time.process_time(), 0, list[str]()
    for number, content in enumerate(mails, 1):
        read = _mail(_dated(content), name, limits, known)
        if isinstance(read, Unreadable):
            left += 1
        elif builder.include(read, f"mail {number}"):
            unread += [each for note in read.notes if (each := _in_box(note, number)) is not None]
        else:
            break
        on_progress(number, len(mails))
        if time.process_time() - began > MOST_TIME * limits.cpu_seconds:
            builder.note(f"partial:the first {number} of {len(mails)} mails")
            break
    builder.note(f"mails:{len(mails)}")
    for note in unread[:MOST_NOTED]:
        builder.note(note)
    if left:
        builder.note(f"partial:{left} mails that are encrypted or without words")
    if builder.empty:
        return Unreadable("no-text", f"{name} holds {len(mails)} mails, and none of them has words that can be read.")
    return builder.build("eml")


def _in_box(note: str, number: int) -> str | None:
    """Return the note on an attachment that was not read as that of a box, which says of which mail; None for another note."""
    code, _, name = note.partition(":")
    return f"{code}:mail {number}, {name}" if code.startswith("attachment-") else None


def _dated(content: bytes) -> bytes:
    """Return a mail of a box without its "From " line, whose date is taken where the mail has none."""
    line, _, rest = content.partition(b"\n")
    head = rest.partition(b"\n\n")[0]
    stated = _FROM_DATE.search(line)
    if stated is None or _HAS_DATE.search(head):
        return rest
    month, day, moment, year = stated.groups()
    return b"Date: %s %s %s %s +0000\n" % (day, month, year, moment) + rest


def _mail(content: bytes, name: str, limits: Limits, known: set[str]) -> ReadResult:
    """Return one mail, without the lines that it quotes of those `known`, to which its own are added."""
    message = email.message_from_bytes(content, policy=email.policy.compat32)
    if message.get_content_type() in _ENCRYPTED and message.get_param("smime-type") != "signed-data":
        return Unreadable(
            "encrypted", f"{name} is encrypted. Open it in your mail program, save it decrypted, and put it in again."
        )
    builder = TextBuilder(limits)
    subject = _header(message, "Subject")
    if subject:
        builder.add(f"# {subject}")
    _add_heads(builder, message)
    attached: list[Message] = []
    title = None
    for part in _parts(message, attached):
        title = _add_part(builder, part, known) or title
        if builder.full:
            break
    if attached:
        builder.add(f"Attachments: {', '.join(_name_of(part) for part in attached[:MOST_PARTS])}")
        builder.note(f"attachments:{len(attached)}")
    if builder.empty:
        return Unreadable("no-text", f"{name} is a mail without words. Put in what is attached to it.")
    _add_attached(builder, attached, limits)
    return builder.build("eml", title=subject or title)


def _add_attached(builder: TextBuilder, attached: list[Message], limits: Limits) -> None:
    """Add the attachments that can be read; programs, pictures and archives cannot."""
    for part in attached[:MOST_READ]:
        passed_on = _passed_on(part)
        content = _content(part) if passed_on is None else passed_on.as_bytes()
        name = _name_of(part)
        if not content or len(content) > limits.file_bytes:
            continue
        named = name if passed_on is None else f"{name}.eml"
        try:
            read = read_any(held(content), named, limits, lambda _done, _total: None)
        except Exception:  # noqa: BLE001 - whatever a library makes of a broken file: the mail is read all the same
            builder.note(f"attachment-broken:{name[:NOTED]}")
            continue
        if isinstance(read, Unreadable) or "type-mismatch:plain" in read.notes:
            builder.note(f"attachment-{read.code if isinstance(read, Unreadable) else 'unsupported'}:{name[:NOTED]}")
            continue
        if passed_on is None:
            builder.add(f"# {name}", f"attachment {name}")
        if not builder.include(read, f"attachment {name}"):
            return


def _passed_on(part: Message) -> Message | None:
    """Return the mail that is attached as a whole."""
    inside = part.get_payload() if part.get_content_type() == "message/rfc822" else None
    return inside[0] if isinstance(inside, list) and inside and isinstance(inside[0], Message) else None


def _add_heads(builder: TextBuilder, message: Message) -> None:
    """Add `From`, `To`, `Cc` and `Date` as lines of text."""
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
    """Return the date in words that every reader understands: 3 March 2026, 20:15 +0200."""
    stated = _header(message, "Date")
    try:
        moment = parsedate_to_datetime(stated)
        moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)  # "-0000": UTC, wherever it was written
        return f"{moment.day} {moment:%B} {moment.year}, {moment:%H:%M %z}".strip()
    except (ValueError, TypeError, OverflowError):
        return stated


def _header(message: Message, name: str) -> str:
    """Return one line; what cannot be decoded stays as it is."""
    raw = str(message.get(name) or "")[:10_000]
    with contextlib.suppress(*_UNDECODABLE):
        raw = str(make_header(decode_header(raw)))
    return " ".join(raw.split())


def _parts(message: Message, attached: list[Message], depth: int = 0) -> Iterator[Message]:
    """Yield the parts that are the mail's text, of two that say the same the plain one, unless it only says that there is
    another; the others go to `attached`."""
    kind = message.get_content_type()
    if depth > DEEPEST or len(attached) >= MOST_PARTS:
        return
    if kind == "message/rfc822" or not message.is_multipart():
        if kind in ("text/plain", "text/html") and message.get_content_disposition() != "attachment":
            yield message
        elif kind not in ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"):
            attached.append(message)
        return
    inside = [each for each in message.get_payload() if isinstance(each, Message)]
    if kind == "multipart/alternative":
        plain = [each for each in inside if each.get_content_type() == "text/plain" and _content(each).strip()]
        if plain and not _stands_in(plain[0], inside):
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


def _stands_in(plain: Message, inside: Sequence[Message]) -> bool:
    """Return whether the plain part of two holds next to nothing of what the other says, as "Please look at this in a browser."
    does, or the other has a table, whose rows the plain one has lost."""
    pages = [_content(each) for each in inside if each.get_content_type() == "text/html"]
    if not pages:
        return False
    page = max(pages, key=len)
    if _DATA_TABLE.search(page) and b"<blockquote" not in page.lower():
        return True
    said = len(_BLANK.sub(b"", _content(plain)))
    return said * LEAST_SAID < len(_BLANK.sub(b"", _TAG.sub(b"", _UNSEEN.sub(b"", page))))


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
    stated = str(part.get("Content-Transfer-Encoding") or "")
    if stated and (bare := stated.split(";")[0].split("(")[0].strip().lower()) != stated:
        part.replace_header("Content-Transfer-Encoding", bare)
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""


def _add_part(builder: TextBuilder, part: Message, known: set[str]) -> str | None:
    """Return the title of a part that is a web page."""
    content = _content(part)
    if not part.get("Content-Transfer-Encoding") and _UNDECLARED.search(content):
        content = quopri.decodestring(content)
    text, notes = _text(content, part.get_content_charset())
    quotes = _Quotes(known)
    if part.get_content_type() == "text/html" and _HTML.search(content):
        if part.get_content_charset() is None:
            text, notes = page_text(content)
        for note in notes:
            builder.note(note)
        title = add_html(builder, text, words=quotes.left_out)
        known |= quotes.own
        return title
    for note in notes:
        builder.note(note)
    text = text.replace("\r\n", "\n")
    if str(part.get_param("format", "")).lower() == "flowed":
        text = _unwrapped(text)
    builder.add(with_aligned_rows(quotes.left_out(with_pairs_of_leaders(text))))
    known |= quotes.own
    return None


class _Quotes:
    """The lines of one part of a mail without those that it quotes of mails that were read before; `own` are the others."""

    def __init__(self, known: set[str]) -> None:
        self._known = known
        self._quoting = False
        self.own: set[str] = set()

    def left_out(self, text: str) -> str:
        """Return the next lines without the quoted ones."""
        lines = []
        head = ABOVE_ORIGINAL.search(text)
        at = 0
        for line in text.split("\n"):
            bare = line.lstrip("> \t").rstrip()
            begins = _ORIGINAL.match(line) is not None or (head is not None and at >= head.start())
            self._quoting = self._quoting or begins
            at += len(line) + 1
            if bare in self._known and (line.lstrip().startswith(">") or self._quoting):
                continue
            if len(bare) >= SHORTEST_QUOTED:
                self.own.add(bare)
            lines.append(line)
        return "\n".join(lines)


def _text(content: bytes, charset: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the text by the encoding that the mail states, where the bytes agree."""
    if charset and charset not in ("us-ascii", "ascii", "utf-8", "unknown-8bit"):
        try:
            encoding = "cp1252" if charset == "iso-8859-1" else charset
            return content.decode(encoding), (f"encoding:{charset}",)
        except (LookupError, UnicodeError):
            pass
    return decoded(content)


def _unwrapped(text: str) -> str:
    """Return the text with flowed lines joined: one that ends with a space goes on in the next (RFC 3676), unless the next is
    quoted at another depth."""
    lines: list[str] = []
    for line in text.split("\n"):
        before = lines[-1] if lines else ""
        if before.endswith(" ") and before != "-- " and line and (before.startswith(">") == line.startswith(">")):
            lines[-1] = before + line.lstrip("> ") if line.startswith(">") else before + line
        else:
            lines.append(line)
    return "\n".join(lines)
