"""The spans of the mails in a file's text, one or those of a whole mailbox, without their attachments.

The reader of mails marks each mail of a mailbox as a place "mail 3", and what is attached as "attachment lease.pdf".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import datetime
from functools import lru_cache

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, Place

_MAIL = re.compile(r"mail (\d+)(?:, |\Z)")
_ATTACHED = re.compile(r"(?:mail \d+, )?attachment ")
HEAD = 4000
"""Characters of a mail that contain its head."""
# The form in which the reader of mails writes it below the subject.
_SENT = re.compile(r"^Date: (\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d [+-]\d{4})$", re.MULTILINE)


def sent_at(text: str) -> datetime | None:
    """Return when a mail was sent, by its head; None where it does not say."""
    stated = _SENT.search("\n\n".join(text[:HEAD].split("\n\n", 2)[:2]))
    if stated is None:
        return None
    try:
        return datetime.strptime(stated[1], "%d %B %Y, %H:%M %z")
    except ValueError:  # a day that no calendar has
        return None


def mails_in(capture: Capture) -> tuple[Span, ...]:
    """Return the span of each mail's text, in order."""
    return _mails(capture.places, len(capture.text))


def sent_near(capture: Capture, offset: int) -> datetime | None:
    """Return when the mail at `offset`, or the mail whose attachment is there, was sent; None where a file holds one mail only,
    and where the mail does not say."""
    starts, moments = _sent(capture.places, capture.text)
    return moments[max(0, bisect_right(starts, offset) - 1)] if len(starts) > 1 else None


@lru_cache(maxsize=4)
def _sent(places: tuple[Place, ...], text: str) -> tuple[tuple[int, ...], tuple[datetime | None, ...]]:
    found = _mails(places, len(text))
    return tuple(span.start for span in found), tuple(sent_at(text[span.start : span.end]) for span in found)


@lru_cache(maxsize=4)
def _mails(places: tuple[Place, ...], length: int) -> tuple[Span, ...]:
    found: dict[str, Span] = {}
    for place in places:
        if (named := _MAIL.match(place.label)) and not _ATTACHED.match(place.label):
            began = found.get(named[1])
            found[named[1]] = Span(began.start if began else place.start, place.end)
    if found:
        return tuple(found.values())
    return (Span(0, next((place.start for place in places if _ATTACHED.match(place.label)), length)),)
