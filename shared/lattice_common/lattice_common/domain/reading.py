"""What a reader makes of a file, and the capture that comes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from lattice_common.domain.capture import Capture, Place, SourceType


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a document, in markdown where it has a structure (titles as headings, tables as tables), and where each
    stretch of it stands in the original.

    `notes` are short codes of what was noticed (`partial:2000 of 5000 pages`, `macros`, `hidden-text`, `encoding:cp1252`,
    `lossy`, `type-mismatch:html`, `attachments:2`, `javascript`, `empty`); `title` is what the document calls itself.
    """

    source_type: SourceType
    text: str
    places: tuple[Place, ...] = ()
    notes: tuple[str, ...] = ()
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file gives no text: a sentence for its owner that names the cause and the next step. `code` is one of `encrypted`,
    `broken`, `too-large`, `unsupported`, `no-text`."""

    code: str
    reason: str


ReadResult: TypeAlias = Reading | Unreadable

# Frontmatter that says where on the web a page was clipped from, as browsers' clippers write it.
_CLIPPED = re.compile(r"\A\ufeff?---[ \t]*\n(?:(?!---)[^\n]*\n)*?(?:url|source)[ \t]*:[ \t]*[\"']?https?://", re.IGNORECASE)


# As the reader of mails writes it below the subject.
_SENT = re.compile(r"^Date: (\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d [+-]\d{4})$", re.MULTILINE)


def with_reading(capture: Capture, reading: Reading) -> Capture:
    """A file's capture as it is ingested: with its text, its places, and whose words they are.

    What the caller said about the source stays. Where nothing was said, plain text and markdown may be the owner's notes, but
    never a page that says where on the web it is from. A mail was said when it was sent, and not when it was saved: "tomorrow"
    is the day after that.
    """
    capture = replace(
        capture,
        text=reading.text,
        places=reading.places,
        source_type=reading.source_type,
        title=capture.title or reading.title or (capture.original.name if capture.original else None),
        notes=(*capture.notes, *reading.notes),
        observed_at=min(capture.observed_at, _sent_at(reading) or capture.observed_at),
    )
    if reading.source_type == "markdown" and capture.trust == "document" and _CLIPPED.match(reading.text[:CLIPPING_HEAD]):
        return replace(capture, trust="web")
    if capture.original is not None and capture.original.note and reading.source_type in ("plain", "markdown"):
        return replace(capture, source="user", trust="user")
    return capture


CLIPPING_HEAD = 4000
"""Characters of a file in which its frontmatter, or the head of a mail, is looked for."""


def _sent_at(reading: Reading) -> datetime | None:
    """When a mail was sent, by its head."""
    head = "\n\n".join(reading.text[:CLIPPING_HEAD].split("\n\n", 2)[:2]) if reading.source_type == "eml" else ""
    stated = _SENT.search(head)
    if stated is None:
        return None
    try:
        return datetime.strptime(stated[1], "%d %B %Y, %H:%M %z")
    except ValueError:  # a day that no calendar has
        return None
