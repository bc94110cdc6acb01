"""The capture made from what was read of a file, with the date on which it was written."""

from __future__ import annotations

import re
from dataclasses import replace

from lattice_common.domain.capture import Capture, JsonValue
from lattice_common.domain.reading import Reading
from lattice_common.language.dates.document import dated_by
from lattice_common.language.dates.notes import noted_on
from lattice_common.language.notes.properties import filed_as
from lattice_common.language.patterns import lazy_regex

# Frontmatter with the web address that a page was clipped from, as browsers' clippers write it.
_CLIPPED = lazy_regex(r"\A\ufeff?---[ \t]*\n(?:(?!---)[^\n]*\n)*?(?:url|source)[ \t]*:[ \t]*[\"']?https?://", re.IGNORECASE)


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
        capture = replace(capture, source="user", trust="user")
    return _as_dated(_filed(capture) if reading.source_type == "markdown" else capture)


def _filed(capture: Capture) -> Capture:
    """Return a note's capture with its tags and its other names, as its front matter or the lines below its title say."""
    said: dict[str, JsonValue] = {name: list[JsonValue](values) for name, values in filed_as(capture.text).items()}
    return replace(capture, metadata={**said, **capture.metadata}) if said else capture


def _as_dated(capture: Capture) -> Capture:
    """Return the capture with the date on which it was written, where it gives one: the owner's note among its properties."""
    if capture.trust == "user":
        name = capture.original.name if capture.original else ""
        noted = noted_on(capture.text, name, capture.received_at, capture.observed_at.tzinfo)
        return replace(capture, observed_at=noted) if noted else capture
    written = dated_by(capture.text, capture.source_type, capture.received_at)
    return replace(capture, observed_at=min(capture.observed_at, written)) if written else capture


CLIPPING_HEAD = 4000
"""Characters of a file that are searched for its frontmatter."""
