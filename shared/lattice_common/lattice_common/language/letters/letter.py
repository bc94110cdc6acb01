"""The units of an e-mail pasted as text: what was written, without the envelope, greetings, signature and what it answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Segment
from lattice_common.domain.unit import Unit
from lattice_common.language.patterns import lazy_regex

_HEADER = r"(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Von|An|Betreff|Datum|Gesendet)"
_FIELD = r"(?:[A-Za-z]+(?:-[A-Za-z0-9]+)+|Received|Sender|Organization|Precedence|Importance)"
"""What else stands in a header that was copied whole: names in parts (`Message-ID`, `X-Spam-Score`), and a few in one."""
_HEAD = lazy_regex(
    rf"\s*(?:(?:{_FIELD}:[^\n]*\r?\n(?:[ \t]+\S[^\n]*\n)*+)*+{_HEADER}:[^\n]*\r?\n){{2,}}"
    rf"(?:{_FIELD}:[^\n]*\r?\n(?:[ \t]+\S[^\n]*\n)*+)*+"
)
_SUBJECT = lazy_regex(r"(?m)^(?:Subject|Betreff):[ \t]*(?:(?:re|fwd?|aw|wg):[ \t]*)*(?P<subject>\S[^\n\r]*)", re.IGNORECASE)
_SENDER = lazy_regex(r"(?m)^(?:From|Von):[^\n]*@[^\n]*")
LINE = lazy_regex(r"[^\n]*\n|[^\n]+")
SALUTATION = r"dear|hi|hello|hallo|liebe[rs]?|sehr geehrte[rs]?|guten tag"
"""How letters in English and German begin, as alternatives of a pattern."""
GREETING = lazy_regex(
    rf"(?:{SALUTATION}|hey|bonjour|chers?|chère|hola|estimad[oa]s?|querid[oa]s?|"
    r"olá|prezad[oa]s?|gentile|egregi[oa]|buongiorno|geachte|szanown[yai]|dzień dobry|kære)\b[^.!?]{0,40}$",
    re.IGNORECASE,
)
ON = r"(?:On|Am|Le|El|Il|Op|Em|W dniu)"
WROTE = r"\b(?:wrote|schrieb|écrit|escribió|scritto|schreef|escreveu|pisze|napisał\w*)\b"
"""The words around the date and the sender above a quotation: "On 3 May Ada wrote:"."""
QUOTED = lazy_regex(rf">|{ON} .{{5,120}}{WROTE}.*:$")
CLOSING = lazy_regex(
    r"(?:(?:(?:best|kind|warm|many) )?(?:regards|wishes|thanks)|cheers|sincerely|yours(?: \w+)?|best|love|take care|"
    r"(?:(?:best|kind|warm|many) (?:regards|wishes)|(?:lots of )?love|hugs|cheers|yours|see you(?: soon)?)"
    r"(?:,? (?-i:[A-ZÀ-Þ])[\w-]{1,20})?\W*$|"
    r"mit freundlichen grüßen|(?:viele|liebe|beste|herzliche) grüße|lg|mfg|(?:bien )?cordialement|bien à vous|atentamente|"
    r"(?:un )?(?:cordial )?saludos?(?: cordial(?:es)?)?|(?:cordiali|distinti) saluti|atenciosamente|abraços?|"
    r"(?:met )?vriendelijke groet(?:en)?|groeten|pozdrawiam|z poważaniem|(?:med )?venlig hilsen)\W*$|"
    r"--\s*$|-{3,} ?(?:original|forwarded|ursprüng).*",
    re.IGNORECASE,
)


@lru_cache(maxsize=8)
def is_letter(text: str) -> bool:
    """Return whether a text begins with the header of an e-mail (two of its lines at least, one of them who or about what), or is
    one without it: a greeting first, and a closing on a line of its own."""
    head = _HEAD.match(text[:4000])
    if head is not None:
        return bool(_SUBJECT.search(head[0]) or _SENDER.search(head[0]))
    first = text[:200].strip().partition("\n")[0].strip()
    return first.endswith((",", "!")) and bool(GREETING.match(first)) and _closing(text, 0) < len(text)


def letter_of(capture: Capture, segment: Segment) -> Iterator[Unit]:
    """Yield the sender's line, then the paragraphs of what was written, under the letter's subject; nothing after its closing."""
    text = capture.text
    body, closing = _bounds(text)
    if body and segment.start < body and (sender := _SENDER.search(text, segment.start, min(body, segment.end))):
        yield Unit(sender.start(), sender.end(), "user", capture.observed_at, headings=segment.headings, kind="item")
    titled = _SUBJECT.search(text, 0, body)
    lead_in = titled["subject"].strip() if titled else ""
    start: int | None = None
    end = 0
    for line in LINE.finditer(text, max(body, segment.start), max(body, min(segment.end, closing))):
        bare = line[0].strip()
        if not bare or QUOTED.match(bare) or GREETING.match(bare):
            if start is not None:
                yield _paragraph(capture, segment, start, end, lead_in)
            start = None
            continue
        start = line.start() if start is None else start
        end = line.start() + len(line[0].rstrip())
    if start is not None:
        yield _paragraph(capture, segment, start, end, lead_in)


@lru_cache(maxsize=8)
def _bounds(text: str) -> tuple[int, int]:
    """Return where the header of a letter ends (0 without one) and its closing begins: once, not for each of its segments."""
    head = _HEAD.match(text)
    body = head.end() if head else 0
    return body, _closing(text, body)


def _paragraph(capture: Capture, segment: Segment, start: int, end: int, lead_in: str) -> Unit:
    return Unit(start, end, "user", capture.observed_at, headings=segment.headings, lead_in=lead_in)


def _closing(text: str, body: int) -> int:
    for line in LINE.finditer(text, body):
        if CLOSING.match(line[0].strip()):
            return line.start()
    signed = _SIGNED.search(text, body)
    return signed.start("name") if signed else len(text)


_SIGNED = lazy_regex(r"[.!?…][ \t]*\n[ \t]*\n(?P<name>[A-ZÀ-Þ][\w-]{1,20})\s*\Z", 0)
"""A name on the last line, below a gap."""


LONGEST_LEAVE = 40
"""Characters of a closing alone; with who signs it says who wrote."""


def takes_leave(words: str) -> bool:
    """Return whether these are the closing of a letter and nothing else: "With kind regards,"."""
    bare = " ".join(words.split())
    return len(bare) <= LONGEST_LEAVE and CLOSING.match(bare.removeprefix("With ").removeprefix("with ")) is not None
