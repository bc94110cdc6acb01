"""The stretches of the mails of a capture that quote another mail."""

from __future__ import annotations

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.mails import mails_in
from lattice_common.ingest.segment.infer import source_type_of
from lattice_common.language.letters.quoted import stretches_quoted


def quoted_in(capture: Capture) -> tuple[Span, ...]:
    """Return the stretches of the mails of a capture that quote others, in order; none of what is no mail."""
    return stretches_quoted(capture.text, mails_in(capture)) if source_type_of(capture) == "eml" else ()
