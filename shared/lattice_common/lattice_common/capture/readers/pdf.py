"""PDF files, page by page. What they could run, open or hold besides (scripts, attachments) is noted and left alone.

Bombs, loops and endless lists end at pypdf's limits; a page that cannot be read is noted, and the others are read.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pypdf.filters  # noqa: F401 - pypdf loads it with the first file, and here it is loaded once for all
from pypdf import PageObject, PdfReader, apply_configuration
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.page_text import write_pages
from lattice_common.capture.readers.pdf_boxes import with_pairs
from lattice_common.capture.readers.pdf_form import with_fields
from lattice_common.capture.readers.pdf_lines import Line, layout_of, outline_key, with_late_marks
from lattice_common.capture.readers.pdf_page import PageText, decoded_lines
from lattice_common.capture.readers.ranges import ranges
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.domain.reading import ReadResult, Unreadable
from lattice_common.language.note_titles import without_number

ENOUGH_HIDDEN = 10
"""Characters that are white or tiny, from which on it is said."""

MOST_TIME = 0.8
"""Of the processor time that is allowed: then the pages read so far are what is read."""

MOST_OUTLINE = 2_000
DEEPEST = 20

_PROGRAMS_TITLE = re.compile(
    r"\A(?:Microsoft (?:Word|PowerPoint|Excel) - )|\.(?:docx?|pptx?|xlsx?|pdf|html?|indd|tex|dvi|rtf|odt)\Z", re.I
)
_ADDRESS = re.compile(r"about:|(?:https?|file|data):", re.I)
"""What a browser calls a page that has no title."""
_TOO_LARGE = "{} unfolds to more than is allowed, or goes in circles. Print it to a new PDF, or split it."
_BROKEN = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, AssertionError)
"""What pypdf raises about a broken file."""
_NO_TITLE = frozenset(
    (
        "untitled",
        "unknown",
        "anonymous",
        "(anonymous)",
        "(unspecified)",
        "unspecified",
        "document",
        "document1",
        "dokument",
        "unbenannt",
        "sans titre",
        "sin título",
        "senza titolo",
        "sem título",
        "presentation",
        "präsentation",
        "new document",
        "slide 1",
        "powerpoint presentation",
        "title",
        "",
    )
)


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return the text of a PDF; its places are pages (`page 12`). One without any text is `no-text`, one with a password
    `encrypted`."""
    with apply_configuration(
        disable_legacy_handling=True,
        stream_parsing_work_maximum_count=limits.operations,
        stream_decoding_work_maximum_length=2 * limits.stream_bytes,
        zlib_maximum_output_length=limits.stream_bytes,
        lzw_maximum_output_length=limits.stream_bytes,
        run_length_maximum_output_length=limits.stream_bytes,
    ):
        try:
            with path.open("rb") as file:
                reader = PdfReader(file)
                if reader.is_encrypted and not _opens_without_password(reader):
                    return Unreadable(
                        "encrypted", f"{name} is protected. Open it with its password, save it without one, and put it in again."
                    )
                return _read(reader, name, limits, on_progress)
        except LimitReachedError:
            return Unreadable("too-large", _TOO_LARGE.format(name))
        except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, AssertionError):
            return Unreadable(
                "broken",
                f"{name} is damaged: its pages cannot be found. Print it to a new PDF and put that in.",
            )


def _opens_without_password(reader: PdfReader) -> bool:
    """Return many files only forbid printing: their password is empty."""
    try:
        return bool(reader.decrypt(""))
    except (DependencyError, NotImplementedError):
        return False


@dataclass(slots=True)
class _Pages:
    """What was made of the pages so far, and the numbers of those of which something could not be read."""

    lines: list[list[Line]] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    scanned: list[int] = field(default_factory=list)
    undecoded: list[int] = field(default_factory=list)
    refused: bool = False
    hidden: int = 0
    size: int = 0

    def add(self, page: PageObject) -> None:
        number = len(self.lines) + 1
        lines: list[Line] = []
        seen = PageText()
        try:
            lines = with_fields(decoded_lines(seen.read(page)), page)
        except LimitReachedError:
            self.failed.append(number)
            self.refused = True
        except _BROKEN:
            self.failed.append(number)
        else:
            if len(lines) < len(seen.lines):
                self.undecoded.append(number)
            elif not lines and _has_pictures(page):
                self.scanned.append(number)
        self.lines.append(with_pairs(with_late_marks(lines)))
        self.hidden += seen.hidden
        self.size += sum(len(line.text) for line in lines)

    def note(self, builder: TextBuilder, total: int) -> None:
        """Say what of them could not be read."""
        if len(self.lines) < total:
            builder.note(f"partial:the first {len(self.lines)} of {total} pages")
        for what, numbers in (
            ("partial:unreadable ", self.failed),
            ("scanned:", self.scanned),
            ("undecodable:", self.undecoded),
        ):
            if numbers:
                builder.note(f"{what}pages {ranges(numbers)}")
        if self.hidden >= ENOUGH_HIDDEN:
            builder.note("hidden-text")


def _read(reader: PdfReader, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    total = len(reader.pages)
    pages = _Pages()
    began = time.process_time()
    for number in range(1, min(total, limits.pages) + 1):
        pages.add(reader.pages[number - 1])
        on_progress(number, min(total, limits.pages))
        if time.process_time() - began > MOST_TIME * limits.cpu_seconds or pages.size > limits.text_bytes:
            break
    if not pages.size:
        return _without_text(name, pages)
    builder = TextBuilder(limits)
    write_pages(builder, pages.lines, layout_of(pages.lines, _outline(reader)), lambda number, _: f"page {number}")
    pages.note(builder, total)
    _note_what_else(reader, builder)
    return builder.build("pdf", title=_title(reader))


def _without_text(name: str, pages: _Pages) -> Unreadable:
    if pages.refused:
        return Unreadable("too-large", _TOO_LARGE.format(name))
    if pages.failed:
        return Unreadable("broken", f"{name} is damaged: none of its pages can be read. Print it to a new PDF and put that in.")
    what = "Its pages are empty."
    if pages.undecoded:
        what = "Its fonts do not say which letters they draw: run OCR over it (e.g. ocrmypdf --force-ocr) and put it in again."
    elif pages.scanned:
        what = "It seems to be scanned: run OCR over it (e.g. ocrmypdf) and put it in again."
    return Unreadable("no-text", f"No text was found in {name}. {what}")


def _has_pictures(page: Any) -> bool:
    """Return whether anything is drawn that may be a scan."""
    try:
        resources = page.get("/Resources")
        held = resources.get_object().get("/XObject") if resources is not None else None
        return bool(held is not None and held.get_object())
    except (PyPdfError, AttributeError, TypeError, ValueError, KeyError):
        return False


def _outline(reader: PdfReader) -> dict[str, int]:
    """Return the titles of the table of contents with their depth, 1 to 6."""
    found: dict[str, int] = {}

    def walk(entries: Sequence[Any], depth: int) -> None:
        for entry in entries:
            if len(found) >= MOST_OUTLINE or depth > DEEPEST:
                return
            if isinstance(entry, list):
                walk(entry, depth + 1)
            elif (title := outline_key(str(getattr(entry, "title", "") or ""))) and len(title) > 1:
                found.setdefault(title, min(depth, 6))

    try:
        walk(reader.outline, 1)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return found  # a broken table of contents says nothing about the pages
    return found


def _title(reader: PdfReader) -> str | None:
    try:
        stated = reader.metadata.title if reader.metadata is not None else None
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError):
        return None
    title = _PROGRAMS_TITLE.sub("", str(stated or "")).strip()
    says_nothing = title.lower() in _NO_TITLE or without_number(title).lower() in _NO_TITLE
    return None if says_nothing or _ADDRESS.match(title) else title


def _note_what_else(reader: PdfReader, builder: TextBuilder) -> None:
    """Note scripts, programs to launch, and attachments that the catalogue lists."""
    try:
        catalogue = reader.root_object
        names = _object(catalogue.get("/Names")) or {}
        action = _object(catalogue.get("/OpenAction"))
        kind = action.get("/S") if isinstance(action, dict) else None
        if "/JavaScript" in names or kind == "/JavaScript" or "/AA" in catalogue:
            builder.note("javascript")
        if kind == "/Launch":
            builder.note("launch")
        attached = _count(_object(names.get("/EmbeddedFiles")), 0)
        if attached:
            builder.note(f"attachments:{attached}")
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        builder.note("broken-catalogue")


def _count(node: Any, depth: int) -> int:
    """Return entries of a tree of names."""
    if not isinstance(node, dict) or depth > DEEPEST:
        return 0
    here = len(_object(node.get("/Names")) or ()) // 2
    return here + sum(_count(_object(kid), depth + 1) for kid in (_object(node.get("/Kids")) or ())[:MOST_OUTLINE])


def _object(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value
