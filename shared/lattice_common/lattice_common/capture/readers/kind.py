"""What a file is, by what it holds. Its name decides only among texts: which are markdown, code, a table, a web page without a
doctype.

The first kilobytes tell; for a container (zip, OLE) its list of contents does (`container.py`). Nothing is unpacked.
"""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from lattice_common.capture.plain_text import LOOKED_AT, is_text
from lattice_common.domain.formats import BY_ENDING, BY_KIND, FORMATS, Kind
from lattice_common.domain.reading import Unreadable

_DOCUMENTS = ", ".join(each.kind for each in FORMATS if each.module not in ("text", "zip"))
READ = f"Lattice reads {_DOCUMENTS}, mbox, zip of these, and text of every kind"
_NOT_TEXT = frozenset("tar gz 7z rar png jpg jpeg gif webp bmp mp3 wav mp4 mov exe dll doc ppt".split())
"""Further endings that promise something else than text."""

_PDF = re.compile(rb"%PDF-\d")
_WEB_PAGE = re.compile(
    rb"(?i)\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?><!--.*?-->\s*)*+<(?:!doctype\s+html|html)\b", re.S
)
_TAG = re.compile(rb"<[a-zA-Z!/][^<>]{0,500}>")
_HEADER = re.compile(rb"([A-Za-z][A-Za-z0-9-]{1,60}):[ \t]?")
_MAIL = frozenset(
    (b"to", b"cc", b"subject", b"date", b"message-id", b"received", b"mime-version", b"reply-to", b"return-path", b"delivered-to",
     b"dkim-signature", b"arc-seal", b"arc-message-signature", b"arc-authentication-results",
     b"authentication-results", b"x-received")
)  # fmt: skip
_FROM_LINE = re.compile(rb"\AFrom [^\n]{3,200}\n")

_NOT_READ: tuple[tuple[bytes, str], ...] = ((b"%!PS", "a PostScript file. Save it as .pdf and put it in again"),)


@dataclass(frozen=True, slots=True)
class DetectedKind:
    """What a file is, and a note where its name says otherwise (`type-mismatch:html`)."""

    kind: Kind
    notes: tuple[str, ...] = ()


def known(kind: Kind, name: str) -> DetectedKind:
    """Return a kind that the content told; the note says when the name promises another."""
    ending = ending_of(name)
    said = BY_ENDING.get(ending)
    both_texts = said is not None and said.is_text and BY_KIND[kind].is_text
    if ending in _NOT_TEXT or (said is not None and said.kind != kind and not both_texts):
        return DetectedKind(kind, (f"type-mismatch:{kind}",))
    return DetectedKind(kind)


def kind_of_text(head: bytes, name: str) -> DetectedKind | Unreadable | None:
    """Return the kind of a text by the first `LOOKED_AT` bytes of a file; None when they are not of a text."""
    if head.startswith(b"PK\x03\x04") or _PDF.match(head.lstrip()) or not looks_like_text(head):
        return None
    for start, what in _NOT_READ:
        if head.startswith(start):
            return Unreadable("unsupported", f"This is {what}.")
    plain = as_utf8(head).lstrip(b"\xef\xbb\xbf \t\r\n")
    for each in FORMATS:
        if each.begins is not None and each.begins.match(plain):
            return known(each.kind, name)
    said = BY_ENDING.get(ending_of(name))
    kind = "" if said is None else said.kind
    if _is_mail(as_utf8(head), named_so=kind == "eml"):
        return known("eml", name)
    if kind != "code" and (_WEB_PAGE.match(head) or (kind == "html" and _TAG.search(head))):
        return known("html", name)
    if said is None:
        return DetectedKind("plain", ("type-mismatch:plain",) if ending_of(name) in _NOT_TEXT else ())
    if said.is_text:
        return DetectedKind(said.kind)
    # Words in a file of a marked text are words without its mark; of any other they are not what its name says.
    return DetectedKind("plain") if said.begins or kind in ("html", "eml") else DetectedKind("plain", ("type-mismatch:plain",))


def promised(name: str) -> Kind | None:
    """Return what a file is by its name."""
    said = BY_ENDING.get(ending_of(name))
    return None if said is None else said.kind


def damaged(name: str) -> Unreadable:
    """Return the refusal of a file whose name promises a readable kind, and whose content has none."""
    return Unreadable(
        "broken",
        f"This file is called .{ending_of(name)}, but holds none: it is damaged, or has a wrong name. "
        "Save it anew in the program it was made with, and put it in again.",
    )


def is_pdf(head: bytes) -> bool:
    """Return whether the mark of a PDF stands anywhere in the first kilobyte: some programs write words before it."""
    return _PDF.search(head[:1024]) is not None


def ending_of(name: str) -> str:
    """Return the ending in lower case, without the dot; a name without one (`Makefile`) is its own ending."""
    return name.rpartition("/")[2].rpartition(".")[2].lower()


def looks_like_text(head: bytes) -> bool:
    """Return whether it is text, text with a few control characters that can be left out, or UTF-16 without its mark."""
    if is_text(head) or utf16_without_mark(head):
        return True
    sample = head[:LOOKED_AT]
    control = sum(sample.count(byte) for byte in _CONTROL)
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 3:  # a character cut at the end of the sample is none of the file's making
            return False
    return control * 50 <= len(sample)


_CONTROL = tuple(bytes([byte]) for byte in (*range(7), 11, *range(14, 27), *range(28, 32)))


def as_utf8(content: bytes) -> bytes:
    """Return the same in UTF-8 where it is in UTF-16; programs on Windows save mails so."""
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    encoding = "utf-16" if marked else utf16_without_mark(content)
    return content.decode(encoding, "replace").encode("utf-8", "replace") if encoding else content


def utf16_without_mark(head: bytes) -> Literal["utf-16-le", "utf-16-be"] | None:
    """Return the byte order of UTF-16 without a mark, None for other bytes. Text of mostly Latin letters has a zero in every
    other byte, and none in the others."""
    sample = head[: min(len(head), 2048) // 2 * 2]
    if len(sample) < 8:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd * 10 >= len(sample) * 4 and not even:
        return "utf-16-le"
    return "utf-16-be" if even * 10 >= len(sample) * 4 and not odd else None


def _is_mail(head: bytes, *, named_so: bool) -> bool:
    """Return whether it begins with header lines, a sender among them and another field that mails have."""
    block = _FROM_LINE.sub(b"", head.lstrip(b"\r\n")).replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    names: set[bytes] = set()
    lines = block.split(b"\n")
    cut = len(block) >= len(head) - 200 and len(head) >= LOOKED_AT - 2
    for line in lines[:-1] if cut and len(lines) > 1 else lines:
        if line[:1] in (b" ", b"\t") and names:
            continue
        header = _HEADER.match(line)
        if header is None:
            return False
        names.add(header[1].lower())
    sent = b"from" in names or cut  # servers write pages of lines above who it is from
    if cut and named_so:
        return True
    return sent and len(names & _MAIL) >= (1 if named_so or (cut and b"received" in names) else 2)
