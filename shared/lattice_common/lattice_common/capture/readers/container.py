"""What a zip or an OLE file holds, by its list of contents alone: nothing is unpacked, whatever it promises to unfold to.

A zip's list is walked by hand, bounded: one of 65,000 entries takes a library half a second and tens of megabytes.
"""

from __future__ import annotations

import os
import struct
from typing import BinaryIO

from lattice_common.capture.readers.kind import READ, damaged, ending_of, promised
from lattice_common.capture.readers.ole2 import stream_names
from lattice_common.domain.formats import FORMATS, Kind
from lattice_common.domain.reading import Unreadable

MOST_ENTRIES = 2_000
"""Looked at: what an office file is, its first entries tell."""

_PARTS: tuple[tuple[str, Kind], ...] = tuple((each.part, each.kind) for each in FORMATS if each.part)
_BY_MIMETYPE: tuple[tuple[bytes, Kind], ...] = tuple((each.mimetype.encode(), each.kind) for each in FORMATS if each.mimetype)
"""What the first entry of these files says, uncompressed, at the very beginning (ODF 1.3 part 2, section 3.3; EPUB OCF)."""
_IN_ZIP = frozenset(each.kind for each in FORMATS if each.part or each.mimetype)
_OTHERS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("mimetype", "content.xml"),
        "an OpenDocument file of a kind that is not read (a drawing, a formula). Export it as PDF and put that in",
    ),
    (("FixedDocumentSequence.fdseq",), "an XPS document. Open it, print it to PDF and put that in"),
    (("FixedDocSeq.fdseq",), "an XPS document. Open it, print it to PDF and put that in"),
    (("META-INF/MANIFEST.MF",), "a Java program or an app; programs are not read"),
    (("AndroidManifest.xml",), "an app; programs are not read"),
)
_APPLE = {
    "pages": "a Pages document. In Pages choose File › Export To › Word or PDF, and put that in",
    "numbers": "a Numbers spreadsheet. In Numbers choose File › Export To › Excel, and put that in",
    "key": "a Keynote presentation. In Keynote choose File › Export To › PowerPoint or PDF, and put that in",
}
_APPLES_09 = frozenset(("index.xml", "index.xml.gz", "index.apxl", "index.apxl.gz"))
"""What documents of Apple's programs up to 2009 hold their text in."""
_IWORK = "a document of Pages, Numbers or Keynote. Export it as Word, Excel, PowerPoint or PDF, and put that in"
_VISIO = "a Visio drawing. In Visio choose File › Export › PDF, and put that in"
_ARCHIVE = Unreadable("unsupported", "This is an archive that cannot be opened. Unpack it and put in the files you want.")
_ENCRYPTED = Unreadable(
    "encrypted", "This file needs a password. Open it with the password, save it without one, and put it in again."
)


def kind_in_zip(file: BinaryIO, name: str) -> Kind | Unreadable:
    """Return which office file it is; every other archive is refused. One that is so damaged that nothing tells what it was is
    taken for what its name says."""
    file.seek(0)
    first = file.read(200)
    marked = next(
        (kind for mark, kind in _BY_MIMETYPE if first[38 : 38 + len(mark)] == mark and first[30:38] == b"mimetype"), None
    )
    names, encrypted = _zip_names(file)
    if names is None:
        # Cut short or damaged: the beginning still tells, and the reader of that kind says what is wrong.
        file.seek(0)
        start = file.read(65_536)
        lost = damaged(name) if promised(name) in _IN_ZIP else _ARCHIVE
        return next((kind for part, kind in _PARTS if b"[Content_Types].xml" in start and part.encode() in start), lost)
    if marked is not None or ("mimetype" in names and "META-INF/container.xml" in names):
        return marked or "epub"
    if names.issuperset(("mimetype", "content.xml")) and (kind := promised(name)) in ("odt", "ods", "odp"):
        return kind
    if (what := _drawn_up_by(names, name)) is not None:
        return Unreadable("unsupported", f"This is {what}.")
    if "xl/workbook.bin" in names:
        return "xlsb"
    if "[Content_Types].xml" in names:
        for part, kind in _PARTS:
            if any(name.startswith(part) for name in names):
                return kind
    if encrypted:
        return _ENCRYPTED
    for wanted, what in _OTHERS:
        if names.issuperset(wanted):
            return Unreadable("unsupported", f"This is {what}.")
    return _ARCHIVE if promised(name) not in (None, "zip") else "zip"


def _drawn_up_by(names: set[str], name: str) -> str | None:
    """Return the program whose file it is, and how to export it; None for files of others."""
    old = names & _APPLES_09 and (ending_of(name) in _APPLE or "buildVersionHistory.plist" in names)
    if old or "Index.zip" in names or any(each.startswith("Index/") or each == "index.apxl" for each in names):
        return _APPLE.get(ending_of(name), _IWORK)
    return _VISIO if any(each.startswith("visio/") for each in names) else None


def kind_in_ole(file: BinaryIO) -> Kind | Unreadable:
    """Return an Excel workbook of the old form, or why it is not read."""
    file.seek(0)
    names = stream_names(file.read())
    if "EncryptedPackage" in names:
        return _ENCRYPTED
    if names & {"Workbook", "Book", "WORKBOOK", "BOOK"}:
        return "xls"
    if "WordDocument" in names:
        return _old("Word document (.doc)", ".docx")
    if "PowerPoint Document" in names:
        return _old("PowerPoint presentation (.ppt)", ".pptx")
    if "__properties_version1.0" in names:
        return "msg"
    return Unreadable("unsupported", f"This is an OLE file of a kind that is not read. {READ}: save it as one of these.")


def _old(what: str, ending: str) -> Unreadable:
    return Unreadable(
        "unsupported", f"This is an old {what}, which is not read. Save it as {ending} or .pdf and put it in again."
    )


def _zip_names(file: BinaryIO) -> tuple[set[str] | None, bool]:
    """Return the names in the central directory, and whether an entry is encrypted; None where there is no directory."""
    size = file.seek(0, os.SEEK_END)
    tail_at = max(0, size - 65_557)
    file.seek(tail_at)
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < 22:
        return None, False
    listed, start = struct.unpack("<II", tail[at + 12 : at + 20])
    # Bytes may stand before the archive; the directory ends where its end mark is.
    file.seek(start if start + listed <= size else max(0, tail_at + at - listed))
    directory = file.read(min(listed, MOST_ENTRIES * 200))
    if not directory.startswith(b"PK\x01\x02"):
        return (set(), False) if not listed else (None, False)
    names: set[str] = set()
    encrypted, offset = False, 0
    while len(names) < MOST_ENTRIES and directory[offset : offset + 4] == b"PK\x01\x02" and offset + 46 <= len(directory):
        flags = struct.unpack("<H", directory[offset + 8 : offset + 10])[0]
        name, extra, comment = struct.unpack("<HHH", directory[offset + 28 : offset + 34])
        names.add(directory[offset + 46 : offset + 46 + name].decode("utf-8", "replace"))
        encrypted |= bool(flags & 1)
        offset += 46 + name + extra + comment
    return names, encrypted
