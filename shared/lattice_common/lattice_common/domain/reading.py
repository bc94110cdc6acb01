"""The result of reading a file, and the capture made from it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TypeAlias

from lattice_common.domain.capture import Capture, Place, SourceType
from lattice_common.domain.document_date import dated_by


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a document, as markdown where it has a structure (titles as headings, tables as tables), and the place of each
    stretch in the original.

    `notes` are short codes of observations (`partial:2000 of 5000 pages`, `macros`, `hidden-text`, `encoding:cp1252`, `lossy`,
    `type-mismatch:html`, `attachments:2`, `javascript`, `empty`); `title` is the document's own title.
    """

    source_type: SourceType
    text: str
    places: tuple[Place, ...] = ()
    notes: tuple[str, ...] = ()
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file gives no text: a sentence for its owner with the cause and the next step. `code` is one of `encrypted`,
    `broken`, `too-large`, `unsupported`, `no-text`."""

    code: str
    reason: str


ReadResult: TypeAlias = Reading | Unreadable

# Frontmatter with the web address that a page was clipped from, as browsers' clippers write it.
_CLIPPED = re.compile(r"\A\ufeff?---[ \t]*\n(?:(?!---)[^\n]*\n)*?(?:url|source)[ \t]*:[ \t]*[\"']?https?://", re.IGNORECASE)


def with_reading(capture: Capture, reading: Reading) -> Capture:
    """Return a file's capture as it is ingested: with its text, its places, and its trust.

    What the caller said about the source stays. Where nothing was said, plain text and markdown may be the owner's notes, except
    a page that gives its web address. What others wrote counts as said when it was written, and a mail when it was sent, not when
    it was saved: "tomorrow" is the day after that.
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
    """Return the capture with the date on which it was written, where it gives one."""
    written = None if capture.trust == "user" else dated_by(capture.text, capture.source_type, capture.received_at)
    return replace(capture, observed_at=min(capture.observed_at, written)) if written else capture


CLIPPING_HEAD = 4000
"""Characters of a file that are searched for its frontmatter."""
