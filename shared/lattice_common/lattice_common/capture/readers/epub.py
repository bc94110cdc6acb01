"""Books (EPUB 2 and 3): the chapters in the order of the spine, each read as the web page that it is."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

from lattice_common.capture.readers.html import page_text
from lattice_common.capture.readers.html_page import add_html
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.ooxml import Package, local, read_package
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.capture.readers.zip_scan import PackageRefused, broken
from lattice_common.domain.reading import Reading, ReadResult, Unreadable

_PAGES = ("application/xhtml+xml", "text/html")


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return the text of a book; its places are "chapter 3" with their headings. One whose chapters are encrypted (DRM) is
    `encrypted`."""
    return read_package(path, limits, lambda package: _book(package, name, limits, on_progress))


def _book(package: Package, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    if package.has("META-INF/rights.xml") or package.has("META-INF/sinf.xml"):
        return Unreadable(
            "encrypted", f"{name} is protected by its shop (DRM). Put in a copy without protection, or what you noted of it."
        )
    container = package.root("META-INF/container.xml")
    listed = container.find(".//{*}rootfile") if container is not None else None
    opf = listed.get("full-path", "") if listed is not None else ""
    root = package.root(opf)
    if root is None:
        raise PackageRefused(broken())
    folder = posixpath.dirname(opf)
    items = {each.get("id", ""): each for each in root.iter("{*}item")}
    spine = [items[each.get("idref", "")] for each in root.iter("{*}itemref") if each.get("idref", "") in items]
    chapters = [
        each.get("href", "") for each in spine if each.get("media-type") in _PAGES and "nav" not in each.get("properties", "")
    ]
    builder = TextBuilder(limits)
    for number, href in enumerate(chapters[: limits.pages], 1):
        content = package.content(posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0]))))
        if content and not builder.include(_chapter(content, limits), f"chapter {number}"):
            break
        on_progress(number, len(chapters))
    if builder.empty:
        return Unreadable("no-text", f"{name} has no words: its pages are pictures. Run OCR over a PDF of it and put that in.")
    title = next((each.text for each in root.iter("{*}title") if local(each) == "title" and each.text), None)
    return builder.build("epub", title=title)


def _chapter(content: bytes, limits: Limits) -> Reading:
    page, notes = page_text(content)
    builder = TextBuilder(limits)
    add_html(builder, page)
    return builder.build("html", notes)
