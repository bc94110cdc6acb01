"""The stretches of mails that quote another mail: lines behind ">", and all below a line or head that mail programs write."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from lattice_common.domain.atom import Span
from lattice_common.language.letters.letter import LINE, ON, QUOTED, WROTE
from lattice_common.language.patterns import lazy_regex

SHORTEST = 80
"""Characters of a stretch that is told apart: a line that is answered stays with its answer."""

_ENVELOPE = lazy_regex(r"# |(?:From|To|Cc|Date): ")
_ATTACHED = "Attachments: "
_ORIGINAL = lazy_regex(
    r"-{3,} ?(?:original|ursprüng|weitergeleitet|forwarded|message d.origine|mensaje original|messaggio original)", re.IGNORECASE
)
"""The line above a mail that is answered or passed on, in Outlook and others."""
HEAD = (
    "(?:Sent|Gesendet|Date|Datum|To|An|Cc|Subject|Betreff|Envoyé(?: le)?|À|Objet|Enviado(?: el| em)?|Fecha|Para|Asunto|Assunto|"
    "Inviato|A|"
    "Oggetto|Verzonden|Aan|Onderwerp|Wysłano|Do|Temat)"
)
ABOVE_ORIGINAL = lazy_regex(rf"\*?(?:From|Von|De|Da|Van|Od) ?:\*? [^\n]+\n(?:\*?{HEAD} ?:\*?[^\n]*(?:\n|\Z)){{2,}}")
"""What Outlook writes above the mail that is answered or passed on."""
QUOTED_BELOW = lazy_regex(rf"{ON} [^\n]{{5,120}}\n[^\n]{{0,80}}{WROTE}[^\n]{{0,80}}:\s*$", re.MULTILINE)
"""The line above a quotation, where it was wrapped."""


_SENDER = lazy_regex(r"^From: (?P<name>[^\W\d_][^<>@\n]{0,80}?) <[^<>\n]+>$", re.MULTILINE)
"""Who sent a mail by name, as the reader of mails writes it in its head."""


def written_by(text: str, mails: tuple[Span, ...], offset: int) -> str | None:
    """Return who wrote the words of a mail at `offset`, by name; None where the mail does not say, in what is attached to it, and
    below where it answers another or passes it on."""
    senders = _senders(text, mails)
    at = bisect_right(mails, offset, key=lambda mail: mail.start) - 1
    return senders[at][0] if at >= 0 and offset < senders[at][1] else None


@lru_cache(maxsize=4)
def _senders(text: str, mails: tuple[Span, ...]) -> tuple[tuple[str | None, int], ...]:
    """Return for each mail who sent it, and where their words end."""
    return tuple(_sender(text, mail) for mail in mails)


def _sender(text: str, mail: Span) -> tuple[str | None, int]:
    name, enveloped = None, True
    for line in LINE.finditer(text, mail.start, mail.end):
        bare = line[0].strip()
        enveloped = enveloped and (not bare or _ENVELOPE.match(bare) is not None)
        if enveloped:
            found = _SENDER.match(bare)
            name = found["name"].strip(" \"'") if found else name
        elif (
            _ORIGINAL.match(bare)
            or ABOVE_ORIGINAL.match(text, line.start(), mail.end)
            or QUOTED_BELOW.match(text, line.start(), mail.end)
            or (QUOTED.match(bare) and not bare.startswith(">"))
        ):
            return name or None, line.start()
    return name or None, mail.end


@lru_cache(maxsize=4)
def stretches_quoted(text: str, mails: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the stretches of the `mails` of a text that quote others, in order."""
    found: list[Span] = []
    for mail in mails:
        found += (span for span in _of_mail(text, mail) if span.end - span.start >= SHORTEST)
    return tuple(found)


def _of_mail(text: str, mail: Span) -> Iterator[Span]:
    start: int | None = None
    end = until = 0
    enveloped, below = True, False
    for line in LINE.finditer(text, mail.start, mail.end):
        bare = line[0].strip()
        enveloped = enveloped and (not bare or _ENVELOPE.match(bare) is not None)
        if bare.startswith(_ATTACHED):
            below = False
        elif not enveloped:
            below = below or _ORIGINAL.match(bare) is not None or ABOVE_ORIGINAL.match(text, line.start(), mail.end) is not None
        if wrote := QUOTED_BELOW.match(text, line.start(), mail.end):
            until = wrote.end()
        if below or line.start() < until or QUOTED.match(bare):
            start = line.start() if start is None else start
            end = line.end()
        elif bare and start is not None:  # an empty line between two that quote goes with them
            yield Span(start, end)
            start = None
    if start is not None:
        yield Span(start, end)
