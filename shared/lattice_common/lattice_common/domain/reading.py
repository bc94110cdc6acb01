"""What a reader makes of a file, and the capture that comes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TypeAlias

from lattice_common.domain.capture import Capture, Place, SourceType
from lattice_common.domain.document_date import dated_by


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


def with_reading(capture: Capture, reading: Reading) -> Capture:
    """Return a file's capture as it is ingested: with its text, its places, and whose words they are.

    What the caller said about the source stays. Where nothing was said, plain text and markdown may be the owner's notes, but
    never a page that says where on the web it is from. What others wrote was said when it was written, and a mail when it was
    sent, not when it was saved: "tomorrow" is the day after that.
    """
    capture = replace(
        capture,
        text=reading.text,
        places=reading.places,
        source_type=reading.source_type,
        title=capture.title or reading.title or (capture.original.name if capture.original else None),
        notes=(*capture.notes, *reading.notes),
    )
    if reading.source_type == "markdown" and capture.trust == "document" and _CLIPPED.match(reading.text[:CLIPPING_HEAD]):
        return _as_dated(replace(capture, trust="web"))
    if capture.original is not None and capture.original.note and reading.source_type in ("plain", "markdown"):
        return replace(capture, source="user", trust="user")
    return _as_dated(capture)


def _as_dated(capture: Capture) -> Capture:
    """Said when it was written, where it says when."""
    written = None if capture.trust == "user" else dated_by(capture.text, capture.source_type, capture.received_at)
    return replace(capture, observed_at=min(capture.observed_at, written)) if written else capture


CLIPPING_HEAD = 4000
"""Characters of a file in which its frontmatter is looked for."""
