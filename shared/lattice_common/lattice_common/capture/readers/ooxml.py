"""Packages of Office files (docx, pptx, xlsx: OOXML, ECMA-376 part 2), looked through before any of their XML is parsed.

The pre-scan reads the directory and the first bytes of each part, some tens of milliseconds for the largest. It refuses what no
program that people write with makes: entries that unfold beyond the limits, stand on top of each other, come twice or have names
that lead elsewhere, and any XML with a DOCTYPE, which entities (bombs, files of this machine) would need. What passes is
parsed by lxml without entities, network or DTDs; a part's CRC is checked as it is read.
"""

from __future__ import annotations

import posixpath
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from lxml import etree

from lattice_common.capture.readers import ole2
from lattice_common.capture.readers.limits import MB, Limits
from lattice_common.domain.reading import ReadResult, Unreadable

SMALL = 1 * MB
"""Bytes that an entry may always unfold to: a blank sheet shrinks a thousandfold and harms nobody."""
LARGEST_TREE = 32 * MB
"""Bytes of a part that is parsed as a whole (a slide, styles); sheets and the body of a text are read as a stream."""

_HEAD = 1024
_LONGEST_PROLOG = 64 * 1024
_LOCAL = struct.Struct("<4s5HIIIHH")
_END = struct.Struct("<4s4H2IH")
_PROLOG = re.compile(r"\ufeff?\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*", re.DOTALL)
_DECLARED = re.compile(r"\ufeff?<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)[\"']")
_ENCODINGS = frozenset(("utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii", "iso-8859-1", "windows-1252"))
"""Encodings in which `<!DOCTYPE` is seen by the pre-scan as the parser will see it (UTF-7 would hide it)."""


class _Refused(Exception):
    """Ends the reading of a package; carries what its owner is told."""

    def __init__(self, verdict: Unreadable) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict


@dataclass(frozen=True, slots=True)
class Relation:
    """A part that another one names: `kind` is the last word of its type (`styles`, `slide`), `target` its name."""

    kind: str
    target: str


class Package:
    """An opened package. Names of parts are without the leading slash and compared without regard to case, as OPC says."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._parts = {info.filename.lower(): info for info in archive.infolist()}
        self.macros = any(part.endswith("vbaproject.bin") or "/macrosheets/" in part for part in self._parts)

    def has(self, part: str) -> bool:
        return part.lower() in self._parts

    def root(self, part: str) -> etree._Element | None:
        """The part parsed as a whole; None if the package has none of that name."""
        info = self._parts.get(part.lower())
        if info is None:
            return None
        if info.file_size > LARGEST_TREE:
            raise _too_large(f"its part {part} unfolds to {info.file_size // MB} MB")
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True)
        root = etree.fromstring(self._archive.read(info), parser)
        self._without_doctype(root)
        return root

    def elements(self, part: str, *names: str) -> Iterator[etree._Element]:
        """The elements of these local names, each as it ends; whoever reads them calls `forget` when done with one."""
        info = self._parts.get(part.lower())
        if info is None:
            return
        tags = [f"{{*}}{name}" for name in names]
        with self._archive.open(info) as stream:
            found = etree.iterparse(
                stream, tag=tags, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
            )
            for at, (_, element) in enumerate(found):
                if not at:
                    self._without_doctype(element)
                yield element

    def contains(self, part: str, words: bytes) -> bool:
        """Whether `words` stand in the bytes of a part, markup included."""
        info = self._parts.get(part.lower())
        if info is None:
            return False
        before = b""
        with self._archive.open(info) as stream:
            while held := stream.read(MB):
                if words in before + held:
                    return True
                before = held[-len(words) :]
        return False

    def relations(self, part: str = "") -> dict[str, Relation]:
        """The parts that `part` (or the package itself) names, by their ids; what lies outside the package is left out."""
        folder, base = posixpath.split(part)
        root = self.root(posixpath.join(folder, "_rels", f"{base}.rels"))
        found: dict[str, Relation] = {}
        for relation in root if root is not None else ():
            target = relation.get("Target", "")
            if relation.get("TargetMode") == "External" or not target:
                continue
            resolved = posixpath.normpath(target if target.startswith("/") else posixpath.join("/", folder, target)).lstrip("/")
            found[relation.get("Id", "")] = Relation(relation.get("Type", "").rpartition("/")[2], resolved)
        return found

    def main_part(self) -> str:
        """The part that holds the document itself."""
        for relation in self.relations().values():
            if relation.kind == "officeDocument" and self.has(relation.target):
                return relation.target
        raise _Refused(broken())

    def title(self) -> str | None:
        """What the document calls itself in its core properties."""
        for relation in self.relations().values():
            if relation.kind == "core-properties":
                root = self.root(relation.target)
                return root.findtext("{*}title") if root is not None else None
        return None

    def _without_doctype(self, element: etree._Element) -> None:
        if element.getroottree().docinfo.internalDTD is not None:
            raise _doctype()


def local(element: etree._Element) -> str:
    """An element's name without its namespace, which differs between strict and transitional files; "" for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element, name: str) -> str | None:
    """The value of an attribute of this local name, whatever its namespace."""
    for key, value in element.attrib.items():
        if key == name or key.endswith(f"}}{name}"):
            return str(value)
    return None


def forget(element: etree._Element) -> None:
    """Give back the memory of an element that is done with, and of those before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def read_package(path: Path, limits: Limits, body: Callable[[Package], ReadResult]) -> ReadResult:
    """What `body` makes of the package at `path`, or why it is not read."""
    try:
        with path.open("rb") as file:
            if file.read(len(ole2.SIGNATURE)) == ole2.SIGNATURE:
                file.seek(0)
                if "EncryptedPackage" in ole2.stream_names(file.read(limits.file_bytes)):
                    return encrypted()
                return broken()
            _count(file, limits)
            with ZipFile(file) as archive:
                prescan(archive, file, limits)
                return body(Package(archive))
    except _Refused as refused:
        return refused.verdict
    except (BadZipFile, etree.XMLSyntaxError, zlib.error, EOFError, struct.error, NotImplementedError, UnicodeDecodeError):
        return broken()


def encrypted() -> Unreadable:
    return Unreadable(
        "encrypted", "This file needs a password. Open it with the password, save it without one, and put it in again."
    )


def broken() -> Unreadable:
    return Unreadable(
        "broken", "This file is damaged. Open it in the program it was made with, save it as a new file, and put that in."
    )


def prescan(archive: ZipFile, file: IO[bytes], limits: Limits) -> None:
    """Look through the directory and the head of each entry. Raises what `read_package` turns into its answer."""
    entries = archive.infolist()
    # Each slide, sheet and text has a part of its own with its relations: they are not what people put in.
    if sum(not entry.filename.endswith(".rels") for entry in entries) > limits.zip_entries:
        raise _too_large(f"it holds more than {limits.zip_entries} parts")
    total = sum(entry.file_size for entry in entries)
    if total > limits.zip_bytes:
        raise _too_large(f"it unfolds to {total // MB} MB")
    seen: set[str] = set()
    for entry in entries:
        lowered = entry.filename.lower()
        if lowered in seen or "\\" in lowered or lowered.startswith("/") or ".." in lowered.split("/") or ":" in lowered[:3]:
            raise _suspicious("entries that come twice or whose names lead out of it")
        seen.add(lowered)
        if entry.flag_bits & 1:
            raise _Refused(encrypted())
        if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise _Refused(broken())
        if entry.file_size > SMALL and entry.file_size > limits.zip_ratio * max(1, entry.compress_size):
            raise _too_large(f"a part of it unfolds more than {limits.zip_ratio} times, to {entry.file_size // MB} MB")
    _heads(sorted(entries, key=lambda entry: entry.header_offset), archive.start_dir, file)


def _count(file: IO[bytes], limits: Limits) -> None:
    """Refuse a directory of too many entries before it is read: parsing 65,000 takes half a second."""
    size = file.seek(0, 2)
    file.seek(max(0, size - 65_557))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or at + _END.size > len(tail):
        raise _Refused(broken())
    *_, entries, directory, _, _ = _END.unpack_from(tail, at)
    if entries > 2 * limits.zip_entries or (directory != 0xFFFFFFFF and directory > 1024 * limits.zip_entries):
        raise _too_large(f"it holds more than {limits.zip_entries} parts")


def _heads(entries: list[ZipInfo], directory: int, file: IO[bytes]) -> None:
    """Read the local header and the first bytes of each entry, in the order they stand in the file."""
    end = 0
    for entry in entries:
        file.seek(entry.header_offset)
        header = file.read(_LOCAL.size)
        if len(header) < _LOCAL.size or not header.startswith(b"PK\x03\x04"):
            raise _Refused(broken())
        *_, name_length, extra_length = _LOCAL.unpack(header)
        start = entry.header_offset + _LOCAL.size + name_length + extra_length
        if entry.header_offset < end or start + entry.compress_size > directory:
            raise _suspicious("entries that stand on top of each other")
        end = start + entry.compress_size
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
            raise _Refused(broken())


def _unpacked(entry: ZipInfo, packed: bytes, most: int) -> bytes:
    if entry.compress_type == ZIP_STORED:
        return packed[:most]
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most)


def _prolog(head: bytes) -> bool | None:
    """True when the root element begins within `head`, None when it does not. Raises for a DOCTYPE before it."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in head[:4]:
        wide = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-16-be" if head[:1] == b"\x00" else "utf-16-le"
        text = head.decode(wide, "replace")
    else:
        text = head.decode("utf-8", "replace")
    declared = _DECLARED.match(text)
    if declared and declared[1].lower() not in _ENCODINGS:
        raise _Refused(broken())
    matched = _PROLOG.match(text)
    rest = text[matched.end() :] if matched else text
    if rest.startswith("<!") and not "<!--".startswith(rest[:4]):
        raise _doctype()
    return True if re.match(r"<[^!?]", rest) else None


def _too_large(what: str) -> _Refused:
    return _Refused(
        Unreadable("too-large", f"This file is too large to be read: {what}. Put it in in parts, or the text you need by itself.")
    )


def _suspicious(what: str) -> _Refused:
    return _Refused(
        Unreadable("broken", f"This file is not read, because it holds {what}. Open it, save it as a new file, and put that in.")
    )


def _doctype() -> _Refused:
    return _suspicious("XML with a document type declaration, which Office never writes and bombs need")
