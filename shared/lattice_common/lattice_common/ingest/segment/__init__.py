"""Segment: a capture in parts that are read at once, with exact spans.

Guarantees, proved in `tests/property/test_spans.py`: segments are in order, do not overlap, leave out nothing but white space
and names before turns, `capture.text[start:end] == text`, none is longer than `LONGEST_SEGMENT`; linear; never raises.
"""

from __future__ import annotations

from dataclasses import replace

from lattice_common.domain.capture import Capture, Turn
from lattice_common.domain.formats import STRUCTURED
from lattice_common.domain.segment import Segment
from lattice_common.ingest.segment.chat import transcript, windows, with_an_assistant
from lattice_common.ingest.segment.code import chunks
from lattice_common.ingest.segment.infer import source_type_of
from lattice_common.ingest.segment.markdown import sections
from lattice_common.ingest.segment.pieces import LONGEST_SEGMENT, segments_of
from lattice_common.ingest.segment.plain import paragraphs
from lattice_common.language.note_titles import title_by_name

__all__ = ["LONGEST_SEGMENT", "segment"]


def segment(capture: Capture, longest: int = LONGEST_SEGMENT) -> list[Segment]:
    """Return the parts of a capture by its source type: given, or inferred from turns, title and text; none is longer than
    `longest` (at most `LONGEST_SEGMENT`) characters."""
    return _after_what_was_said(capture, _parts(capture, longest))


def _parts(capture: Capture, longest: int) -> list[Segment]:
    text = capture.text
    if turns := turns_of(capture):
        return segments_of(capture, "chat", windows(text, turns), longest)
    source_type = source_type_of(capture)
    if source_type in STRUCTURED:
        title = _called(capture) if source_type == "markdown" else None
        return segments_of(capture, source_type, sections(text, title), longest)
    return segments_of(capture, source_type, chunks(text) if source_type == "code" else paragraphs(text), longest)


def _called(capture: Capture) -> str | None:
    """Return what a note of an import is about by the name of its file; None for any other capture."""
    if capture.channel != "import" or capture.original is None:
        return None
    return title_by_name(capture.original.name, capture.text)


def turns_of(capture: Capture) -> tuple[Turn, ...]:
    """Return the turns of a conversation, those of one that was pasted as text, too; none of any other capture."""
    return capture.turns or _pasted(capture)


def _pasted(capture: Capture) -> tuple[Turn, ...]:
    match capture.source_type:
        case None | "chat":
            return transcript(capture.text, capture.observed_at)
        case "plain" | "markdown":
            return with_an_assistant(capture.text, capture.observed_at)
    return ()


def _after_what_was_said(capture: Capture, parts: list[Segment]) -> list[Segment]:
    """Return the segments with the words of the turns before (`metadata.context`) before the first part."""
    context = capture.metadata.get("context")
    if not parts or not isinstance(context, str):
        return parts
    return [replace(parts[0], context=f"{context}\n{parts[0].context}".strip()), *parts[1:]]
