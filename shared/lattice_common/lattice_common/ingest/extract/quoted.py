"""Whose the words of the mails of a capture are: the stretches that quote another mail, and who sent the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.mails import mails_in
from lattice_common.domain.unit import Unit
from lattice_common.ingest.segment.infer import source_type_of
from lattice_common.language.facts.direct_speech import is_in_first_person
from lattice_common.language.letters.quoted import stretches_quoted, written_by


def quoted_in(capture: Capture) -> tuple[Span, ...]:
    """Return the stretches of the mails of a capture that quote others, in order; none of what is no mail."""
    return stretches_quoted(capture.text, mails_in(capture)) if source_type_of(capture) == "eml" else ()


def sent_by_name(capture: Capture, units: Iterable[Unit]) -> Iterator[Unit]:
    """Yield the units of mails, those that say something of their sender with the name of that before them: "I" is whoever wrote
    it."""
    for unit in units:
        if unit.kind not in ("prose", "item") or unit.lead_in or not is_in_first_person(capture.text[unit.start : unit.end]):
            yield unit
        else:
            yield replace(unit, lead_in=written_by(capture.text, mails_in(capture), unit.start) or "")
