"""Packages of Office files (docx, pptx, xlsx: OOXML, ECMA-376 part 2), looked through (`zip_scan`) before any XML is parsed.

What passes is parsed by lxml without entities, network or DTDs; a part's CRC is checked as it is read.
"""

from __future__ import annotations

import posixpath
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from lxml import etree

from lattice_common.capture.readers import ole2
from lattice_common.capture.readers.limits import MB, Limits
from lattice_common.capture.readers.zip_scan import (
    PackageRefused,
    broken,
    doctype,
    encrypted,
    prescan,
    refuse_too_many,
    too_large,
)
from lattice_common.domain.reading import ReadResult

LARGEST_TREE = 32 * MB
"""Bytes of a part that is parsed as a whole (a slide, styles); sheets and the body of a text are read as a stream."""


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
        """Return the part parsed as a whole; None if the package has none of that name."""
        content = self.content(part)
        if content is None:
            return None
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True)
        root = etree.fromstring(content, parser)
        self._without_doctype(root)
        return root

    def content(self, part: str) -> bytes | None:
        """Return the bytes of a part; None if the package has none of that name."""
        info = self._parts.get(part.lower())
        if info is None:
            return None
        if info.file_size > LARGEST_TREE:
            raise too_large(f"its part {part} unfolds to {info.file_size // MB} MB")
        return self._archive.read(info)

    def elements(self, part: str, *names: str) -> Iterator[etree._Element]:
        """Yield the elements of these local names, each as it ends; whoever reads them calls `forget` when done with one."""
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
        """Return whether `words` stand in the bytes of a part, markup included."""
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
        """Return the parts that `part` (or the package itself) names, by their ids; what lies outside the package is left out."""
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
        """Return the part that holds the document itself."""
        for relation in self.relations().values():
            if relation.kind == "officeDocument" and self.has(relation.target):
                return relation.target
        raise PackageRefused(broken())

    def title(self) -> str | None:
        """Return what the document calls itself in its core properties."""
        for relation in self.relations().values():
            if relation.kind == "core-properties":
                root = self.root(relation.target)
                return root.findtext("{*}title") if root is not None else None
        return None

    def _without_doctype(self, element: etree._Element) -> None:
        if element.getroottree().docinfo.internalDTD is not None:
            raise doctype()


def local(element: etree._Element) -> str:
    """Return an element's name without its namespace, which differs between strict and transitional files; "" for what is no
    element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element, name: str) -> str | None:
    """Return the value of an attribute of this local name, whatever its namespace."""
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
    """Return what `body` makes of the package at `path`, or why it is not read."""
    try:
        with path.open("rb") as file:
            if file.read(len(ole2.SIGNATURE)) == ole2.SIGNATURE:
                file.seek(0)
                if "EncryptedPackage" in ole2.stream_names(file.read(limits.file_bytes)):
                    return encrypted()
                return broken()
            refuse_too_many(file, limits)
            with ZipFile(file) as archive:
                prescan(archive, file, limits)
                return body(Package(archive))
    except PackageRefused as refused:
        return refused.verdict
    except (BadZipFile, etree.XMLSyntaxError, zlib.error, EOFError, struct.error, NotImplementedError, UnicodeDecodeError):
        return broken()
