"""Notes and marks as programs export them (Google Keep, Readwise, Pocket, bookmarks of browsers), and the mails of a box."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import unescape
from typing import IO, Any

from lattice_common.capture.importers.items import Item, file_inside, moment, note
from lattice_common.errors import InvalidInput

BOX_BYTES = 8_000_000
"""The most bytes of mails that are read at once, so that answers in a thread know what they quote; a longer mail is alone."""
LARGEST_MAIL = 45_000_000
LONGEST_FIELD = 131_072
"""The most characters of a field of a table. The limit of `csv` is one for the whole process, set wherever a table is read."""
_LINE_BYTES = 1 << 16

# Linear in the page, whatever stands in it: an open tag reaches to the next one, and a name is tried from its beginning only.
_LINK = re.compile(r"<A\s([^<>]*+)>((?:[^<]|<(?!/?A\b))*+)</A>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?<![A-Za-z_])([A-Za-z_]++)\s*+=\s*+\"([^\"]*)\"")
_TAG = re.compile(r"<[^<>]*+>")
_FOLDER = re.compile(r"<H3\b(?:[^<>]*+)>(?P<folder>(?:[^<]|<(?!/?H3\b))*+)</H3>|<(?P<list>/?)DL\b[^<>]*+>", re.IGNORECASE)
"""What a folder is called, and where the list of what is in one begins and ends."""


def keep(export: str, found: Mapping[str, Any]) -> Item:
    """Return a note of Google Keep; what lies in its trash is left there."""
    title = str(found.get("title") or "").strip()
    lines = [str(found.get("textContent") or "").strip()]
    listed = [entry for entry in found.get("listContent") or () if isinstance(entry, dict)]
    lines += [f"- [{'x' if each.get('isChecked') else ' '}] {str(each.get('text') or '').strip()}" for each in listed]
    words = "\n".join(line for line in lines if line)
    if found.get("isTrashed"):
        return Item(title or words[:60] or "a note", skipped="it lies in Keep's trash")
    date = moment(found.get("userEditedTimestampUsec") or found.get("createdTimestampUsec"))
    labels = [str(each.get("name")) for each in found.get("labels") or () if isinstance(each, dict) and each.get("name")]
    text = f"# {title}\n\n{words}" if title and words else words or title
    item = note(export, title, text, date=date, source_type="markdown", tags=labels or None)
    pages = [each for each in found.get("annotations") or () if isinstance(each, dict)]
    links = [f"Link: “{each['title']}” ({each['url']})" for each in pages if each.get("title") and each.get("url")]
    if not links:
        return item
    linked = note(export, title, "\n\n".join((text, *links)), date=date, source_type="markdown", tags=labels or None)
    return replace(linked, former=item if text.strip() else None)


def readwise(export: str, file: IO[bytes]) -> Iterator[Item]:
    """Yield the highlights of Readwise's CSV: each is what its book says, with the note that was made on it."""
    for row in _rows(file):
        words, title = (row.get("Highlight") or "").strip(), (row.get("Book Title") or "").strip()
        author, remark = (row.get("Book Author") or "").strip(), (row.get("Note") or "").strip()
        by = f"“{title}”{f' by {author}' if author else ''}" if title else ""
        text = f"{by}: {words}" if by else words
        date = (row.get("Highlighted at") or "").strip().replace(" ", "T", 1) or None
        item, former = (
            note(export, title, f"{text}{made}" if words else "", date=date, source="document")
            for made in ((f"\n\nNote on {by}: {remark}", f"\n\nNote: {remark}") if remark else ("", ""))
        )
        yield replace(item, former=former) if words and by and remark else former


def pocket(export: str, file: IO[bytes]) -> Iterator[Item]:
    """Yield pages of Pocket's CSV."""
    for row in _rows(file):
        tags = (row.get("tags") or "").replace("|", ", ")
        yield _page(export, row.get("title") or "", row.get("url") or "", moment(row.get("time_added")), tags)


def _rows(file: IO[bytes]) -> Iterator[dict[str, str | None]]:
    text = io.TextIOWrapper(file, "utf-8-sig", errors="replace", newline="")
    try:
        for row in csv.DictReader(text):
            if any(len(value or "") > LONGEST_FIELD for value in row.values()):
                raise InvalidInput(f"a field has more than {LONGEST_FIELD:,} characters")
            yield row
    finally:
        text.detach()  # the file is the caller's to close


def bookmarks(export: str, page: str) -> Iterator[Item]:
    """Yield the links of the page that browsers and Pocket export, with their folders."""
    folders = _folders(page)
    folder, latest, ahead = "", "", next(folders, None)
    for match in _LINK.finditer(page):
        while ahead is not None and ahead[0] < match.start():
            folder, latest, ahead = ahead[1], ahead[2], next(folders, None)
        about = {name.lower(): unescape(value) for name, value in _ATTRIBUTE.findall(match[1])}
        title = unescape(_TAG.sub("", match[2])).strip()
        date = moment(about.get("add_date") or about.get("time_added"))
        item, former = (
            _page(export, title, about.get("href", ""), date, ", ".join(each for each in (filed, about.get("tags", "")) if each))
            for filed in (folder, latest)
        )
        # Earlier versions filed a link under the last folder that was named before it.
        yield item if folder == latest else replace(item, former=former)


def _folders(page: str) -> Iterator[tuple[int, str, str]]:
    """Yield from where on what stands in the page lies in which folder, that whose list is open, and which was named last. A page
    without lists, as Pocket's, has headings alone."""
    around: list[str] = []
    named = latest = ""
    for match in _FOLDER.finditer(page):
        if match["folder"] is not None:
            named, latest = unescape(_TAG.sub("", match["folder"])).strip(), unescape(match["folder"]).strip()
        elif not match["list"]:
            around.append(named)
            named = ""
        elif around:
            around.pop()
            named = ""
        yield match.start(), around[-1] if around else named, latest


def firefox(export: str, found: Mapping[str, Any]) -> Iterator[Item]:
    """Yield the links of a backup of Firefox's bookmarks (JSON), with their folders."""
    inside: list[tuple[Mapping[str, Any], str]] = [(found, "")]
    while inside:
        each, folder = inside.pop()
        title = str(each.get("title") or "").strip()
        if "children" in each:
            children = [(child, title) for child in each["children"] if isinstance(child, dict)]
            inside += reversed(children)
        elif address := str(each.get("uri") or ""):
            tags = ", ".join(filter(None, (folder, str(each.get("tags") or ""))))
            yield _page(export, title, address, moment(each.get("dateAdded")), tags)


def _page(export: str, title: str, address: str, date: str | None, tags: str) -> Item:
    if not address.startswith(("http://", "https://")):
        return Item(title or address or "a link", skipped="it is no page on the web")
    words = f"Saved page: “{title}” ({address})" if title and title != address else f"Saved page: {address}"
    return note(export, title or address, f"{words}{f', filed under {tags}' if tags else ''}.", date=date, source="document")


def mailbox(export: str, file: IO[bytes]) -> Iterator[Item]:
    """Yield the mails of a box (RFC 4155) in boxes of some megabytes: as much as is read at once."""
    held: list[bytes] = []
    size = first = number = 0
    for mail in _mails(file):
        number += 1
        if held and size + len(mail) > BOX_BYTES:
            yield _box(export, held, first, number - 1)
            held, size = [], 0
        if len(mail) > LARGEST_MAIL:
            yield Item(f"mail {number}", skipped=f"it has more than {LARGEST_MAIL // 1_000_000} MB")
            continue
        first = first if held else number
        held.append(mail)
        size += len(mail)
    if held:
        yield _box(export, held, first, number)


def _box(export: str, mails: list[bytes], first: int, last: int) -> Item:
    label = f"mail {first}" if first == last else f"mails {first} to {last}"
    stem = export.removesuffix(".mbox")
    return replace(
        file_inside(export, f"{stem}, {label}.mbox", b"".join(mails), source="document"), label=label, things=len(mails)
    )


def _mails(file: IO[bytes]) -> Iterator[bytes]:
    """Yield each mail with its "From " line; a mail that is too long is cut, and marked as cut."""
    lines: list[bytes] = []
    size, blank = 0, True
    while line := file.readline(_LINE_BYTES):
        if blank and line.startswith(b"From ") and lines:
            yield b"".join(lines)
            lines, size = [], 0
        if size <= LARGEST_MAIL:
            lines.append(line)
            size += len(line)
        blank = line in (b"\n", b"\r\n")
    if lines:
        yield b"".join(lines)
