"""Looks through a zip before anything unpacks it: the directory, and the first bytes of each entry. Tens of milliseconds.

Refuses what no program that people write with makes: entries that unfold beyond the limits, stand on top of each other, come
twice or have names that lead elsewhere, and XML with a DOCTYPE, which entities (bombs, files of this machine) would need.
"""

from __future__ import annotations

import re
import struct
import zlib
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from lattice_common.capture.readers.limits import MB, Limits
from lattice_common.domain.reading import Unreadable

SMALL = 1 * MB
"""Bytes that an entry may always unfold to: a blank sheet shrinks a thousandfold and harms nobody."""
_HEAD = 1024
_LONGEST_PROLOG = 64 * 1024
_LOCAL = struct.Struct("<4s5HIIIHH")
_END = struct.Struct("<4s4H2IH")
_PROLOG = re.compile(r"\ufeff?\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*", re.DOTALL)
_DECLARED = re.compile(r"\ufeff?<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)[\"']")
_ENCODINGS = frozenset(("utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii", "iso-8859-1", "windows-1252"))
"""Encodings in which `<!DOCTYPE` is seen by the pre-scan as the parser will see it (UTF-7 would hide it)."""


class PackageRefused(Exception):
    """Ends the reading of a package; carries what its owner is told."""

    def __init__(self, verdict: Unreadable) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict


def encrypted() -> Unreadable:
    return Unreadable(
        "encrypted", "This file needs a password. Open it with the password, save it without one, and put it in again."
    )


def broken() -> Unreadable:
    return Unreadable(
        "broken", "This file is damaged. Open it in the program it was made with, save it as a new file, and put that in."
    )


def prescan(archive: ZipFile, file: IO[bytes], limits: Limits, *, office: bool = True) -> None:
    """Look through the directory and the head of each entry; of an archive of documents, which is no `office` file, entries may
    begin as they like. Raise what `read_package` turns into its answer."""
    entries = archive.infolist()
    # Each slide, sheet and text has a part of its own with its relations: they are not what people put in.
    if sum(not entry.filename.endswith(".rels") for entry in entries) > limits.zip_entries:
        raise too_large(f"it holds more than {limits.zip_entries} parts")
    total = sum(entry.file_size for entry in entries)
    if total > limits.zip_bytes:
        raise too_large(f"it unfolds to {total // MB} MB")
    seen: set[str] = set()
    for entry in entries:
        lowered = entry.filename.lower()
        if lowered in seen or "\\" in lowered or lowered.startswith("/") or ".." in lowered.split("/") or ":" in lowered[:3]:
            raise _suspicious("entries that come twice or whose names lead out of it")
        seen.add(lowered)
        if entry.flag_bits & 1:
            raise PackageRefused(encrypted())
        if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise PackageRefused(broken())
        if entry.file_size > SMALL and entry.file_size > limits.zip_ratio * max(1, entry.compress_size):
            raise too_large(f"a part of it unfolds more than {limits.zip_ratio} times, to {entry.file_size // MB} MB")
    _heads(sorted(entries, key=lambda entry: entry.header_offset), archive.start_dir, file, office=office)


def refuse_too_many(file: IO[bytes], limits: Limits) -> None:
    """Refuse a directory of too many entries before it is read: parsing 65,000 takes half a second."""
    size = file.seek(0, 2)
    file.seek(max(0, size - 65_557))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or at + _END.size > len(tail):
        raise PackageRefused(broken())
    *_, entries, directory, _, _ = _END.unpack_from(tail, at)
    if entries > 2 * limits.zip_entries or (directory != 0xFFFFFFFF and directory > 1024 * limits.zip_entries):
        raise too_large(f"it holds more than {limits.zip_entries} parts")


_PAGES = (".xhtml", ".html", ".htm", ".ncx", ".svg")
"""Of a book: its chapters begin with a DOCTYPE, and are read as a stream of tags, never by a parser of XML."""


def _heads(entries: list[ZipInfo], directory: int, file: IO[bytes], *, office: bool) -> None:
    """Read the local header and the first bytes of each entry, in the order they stand in the file."""
    end = 0
    pages = _PAGES if entries and entries[0].filename == "mimetype" else ()
    for entry in entries:
        if entry.header_offset < end:
            raise _suspicious("entries that stand on top of each other")
        file.seek(entry.header_offset)
        header = file.read(_LOCAL.size)
        if len(header) < _LOCAL.size or not header.startswith(b"PK\x03\x04"):
            raise PackageRefused(broken())
        *_, name_length, extra_length = _LOCAL.unpack(header)
        start = entry.header_offset + _LOCAL.size + name_length + extra_length
        if start + entry.compress_size > directory:
            raise _suspicious("entries that stand on top of each other")
        end = start + entry.compress_size
        if not office or entry.filename.lower().endswith(pages):
            continue
        file.seek(start)
        packed = file.read(min(entry.compress_size, _HEAD))
        head = _unpacked(entry, packed, _HEAD)
        if not head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\x00").startswith(b"<"):
            continue
        verdict = _prolog(head)
        if verdict is None and entry.file_size > len(head):
            file.seek(start)
            verdict = _prolog(_unpacked(entry, file.read(min(entry.compress_size, _LONGEST_PROLOG)), _LONGEST_PROLOG))
        if verdict is None:
            raise PackageRefused(broken())


def _unpacked(entry: ZipInfo, packed: bytes, most: int) -> bytes:
    if entry.compress_type == ZIP_STORED:
        return packed[:most]
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most)


def _prolog(head: bytes) -> bool | None:
    """Return True when the root element begins within `head`, None when it does not. Raise for a DOCTYPE before it."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in head[:4]:
        wide = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-16-be" if head[:1] == b"\x00" else "utf-16-le"
        text = head.decode(wide, "replace")
    else:
        text = head.decode("utf-8", "replace")
    declared = _DECLARED.match(text)
    if declared and declared[1].lower() not in _ENCODINGS:
        raise PackageRefused(broken())
    matched = _PROLOG.match(text)
    rest = text[matched.end() :] if matched else text
    if rest.startswith("<!") and not "<!--".startswith(rest[:4]):
        raise doctype()
    return True if re.match(r"<[^!?]", rest) else None


def too_large(what: str) -> PackageRefused:
    return PackageRefused(
        Unreadable("too-large", f"This file is too large to be read: {what}. Put it in in parts, or the text you need by itself.")
    )


def _suspicious(what: str) -> PackageRefused:
    return PackageRefused(
        Unreadable("broken", f"This file is not read, because it holds {what}. Open it, save it as a new file, and put that in.")
    )


def doctype() -> PackageRefused:
    return _suspicious("XML with a document type declaration, which Office never writes and bombs need")
