"""Whose the words of the mails of a capture are: the stretches that quote another mail, and who sent the others."""

from __future__ import annotations

from dataclasses import replace

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.mails import mails_in
from lattice_common.domain.segment import Segment
from lattice_common.domain.unit import Unit
from lattice_common.ingest.segment.infer import source_type_of
from lattice_common.language.facts.direct_speech import is_in_first_person
from lattice_common.language.letters.quoted import stretches_quoted, written_by


def quoted_in(capture: Capture) -> tuple[Span, ...]:
    """Return the stretches of the mails of a capture that quote others, in order; none of what is no mail."""
    return stretches_quoted(capture.text, mails_in(capture)) if source_type_of(capture) == "eml" else ()


def sent_by_name(capture: Capture, segment: Segment, unit: Unit, start: int, end: int) -> Unit:
    """Return the unit of a statement of a mail with who sent that before it, where the statement says something of them: "I" is
    whoever wrote it."""
    if segment.source_type != "eml" or unit.kind not in ("prose", "item") or unit.lead_in:
        return unit
    if not is_in_first_person(capture.text[start:end]):
        return unit
    return replace(unit, lead_in=written_by(capture.text, mails_in(capture), start) or "")
