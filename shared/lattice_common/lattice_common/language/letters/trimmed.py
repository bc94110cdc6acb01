"""What is no fact in mails and letters that came as files: the envelope, greetings, signatures, what they answer, running heads.

Who signed is kept, as one remark; in a mail only with a number to call, for the memory that stands for it names its sender, with
the address. That it has a recipient says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.mails import mails_in, sent_near
from lattice_common.domain.segment import Segment
from lattice_common.domain.unit import Unit
from lattice_common.language.letters.furniture import is_furniture
from lattice_common.language.letters.letter import CLOSING, GREETING, LINE, QUOTED
from lattice_common.language.letters.quoted import ABOVE_ORIGINAL, HEAD, QUOTED_BELOW
from lattice_common.language.patterns import lazy_regex

SIGNERS = 5
"""Lines after a closing that may say who signs."""
SIGNER = 60
"""Characters of such a line; a longer one, or one that ends a sentence, says something else."""
SALUTED = 2000
"""Characters from the beginning of a letter in which its greeting stands: above it are the sender, the date and the subject."""

MOST_ADDRESS = 8
"""Lines of an address with all that stands above and below it."""
_BLOCK = lazy_regex(r"(?:[^\n]+\n?)+")
_ENVELOPE = lazy_regex(r"(?:From|To|Cc|Date): ")
_DELIMITER = lazy_regex(r"--\s*$|_{5,}\s*$")
_GOES_ON = lazy_regex(r"-{3,} ?(?:original|forwarded|ursprüng|weitergeleitet)|Attachments: ", re.IGNORECASE)
_RE = "re|aw|antw|sv|rv|res|odp|rép|ynt"
_ANSWERS = lazy_regex(rf"# (?:{_RE})(?:\[\d+\])? ?:", re.IGNORECASE)
"""Subjects of answers."""
_PREFIX = lazy_regex(rf"\A(?:(?:{_RE}|fwd?|wg|tr|enc|i)(?:\[\d+\])? ?:\s*)+", re.IGNORECASE)
"""What mail programs put before a subject: the same thing is spoken of."""
_ORIGINAL = lazy_regex(r"-{3,} ?(?:original|ursprüng)", re.IGNORECASE)
_HEADED = lazy_regex(rf"\*?(?:From|Von|De|Da|Van|Od|{HEAD[3:]} ?:")
_PHONE = lazy_regex(r"\+?\d[\d /().-]{5,}\d")
_RUNNING = ("header", "footer")


@dataclass(frozen=True, slots=True)
class _Trim:
    """What is left out, and who signed, in order."""

    out: tuple[Span, ...]
    signed: tuple[Span, ...]


def trimmed(capture: Capture, segment: Segment, units: Iterable[Unit]) -> Iterator[Unit]:
    """Yield the units of a document without what is no fact of it; a unit that holds some of it is parted."""
    trim = _mails(capture) if segment.source_type == "eml" else _letter(capture.text)
    if segment.source_type == "html":
        trim = _Trim((*trim.out, *_furniture(capture.text)), trim.signed)
    running = tuple(Span(place.start, place.end) for place in capture.places if place.label in _RUNNING)
    out = sorted((*trim.out, *trim.signed, *running), key=lambda span: span.start)
    waiting = [span for span in trim.signed if segment.start <= span.start < segment.end]
    for unit in units:
        if segment.source_type == "eml":
            headings = tuple(_PREFIX.sub("", title) or title for title in unit.headings)
            unit = replace(unit, headings=headings, observed_at=sent_near(capture, unit.start) or unit.observed_at)
        while waiting and waiting[0].start < unit.end:
            yield _signature(capture, segment, waiting.pop(0), unit)
        yield from _without(capture.text, unit, out)


def _signature(capture: Capture, segment: Segment, span: Span, beside: Unit) -> Unit:
    end = min(span.end, segment.end)
    return Unit(span.start, end, beside.role, capture.observed_at, headings=beside.headings, kind="list")


def _without(text: str, unit: Unit, out: list[Span]) -> Iterator[Unit]:
    at = unit.start
    for span in out:
        if span.end <= at or span.start >= unit.end:
            continue
        if text[at : span.start].strip():
            yield _stripped(text, replace(unit, start=at, end=span.start))
        at = max(at, span.end)
    if at == unit.start:
        yield unit
    elif text[at : unit.end].strip():
        yield _stripped(text, replace(unit, start=at))


def _stripped(text: str, unit: Unit) -> Unit:
    words = text[unit.start : unit.end]
    start = unit.start + len(words) - len(words.lstrip())
    return replace(unit, start=start, end=start + len(words.strip()))


@lru_cache(maxsize=4)
def _furniture(text: str) -> tuple[Span, ...]:
    return tuple(Span(start, start + len(line)) for line, start in _lines(text) if is_furniture(line))


def _mails(capture: Capture) -> _Trim:
    """Trim each mail, wherever it stands in the text; leave what is attached as it is."""
    return _trimmed_mails(capture.text, mails_in(capture))


@lru_cache(maxsize=4)
def _trimmed_mails(text: str, mails: tuple[Span, ...]) -> _Trim:
    out: list[Span] = []
    signed: list[Span] = []
    for mail in mails:
        trim = _mail(text[mail.start : mail.end])
        out += [Span(span.start + mail.start, span.end + mail.start) for span in trim.out]
        signed += [Span(span.start + mail.start, span.end + mail.start) for span in trim.signed]
    return _Trim(tuple(out), tuple(signed))


def _mail(text: str) -> _Trim:
    scan = _MailScan(text)
    for line, start in _lines(text):
        scan.read(line, start)
    return scan.trim()


class _MailScan:
    """One pass over the lines of a mail: what of it is no fact, and who signed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._answers = _ANSWERS.match(text) is not None
        self._out: list[Span] = []
        self._signers: list[list[Span]] = []
        self._closing = 0  # lines that may still name who signs
        self._headed = 0  # up to where the head of a mail that was passed on goes
        self._signature = self._envelope_over = self._answered = False

    def trim(self) -> _Trim:
        """Return what was found. A number to call is worth remembering, with whose it is."""
        told = [lines for lines in self._signers if lines and _PHONE.search(self._text, lines[0].start, lines[-1].end)]
        out = [*self._out, *(span for lines in self._signers if lines not in told for span in lines)]
        return _Trim(
            tuple(sorted(out, key=lambda span: span.start)), tuple(Span(lines[0].start, lines[-1].end) for lines in told)
        )

    def read(self, line: str, start: int) -> None:
        """Take the line whose words begin at `start`."""
        whole = Span(start, start + len(line))
        if self._is_answered(line, start):
            if line:
                self._out.append(whole)
            return
        if self._envelope_over and (above := ABOVE_ORIGINAL.match(self._text, start)):
            self._headed, self._signature, self._closing = above.end(), False, 0
        if (start < self._headed and _HEADED.match(line)) or is_furniture(line):
            self._out.append(whole)
        elif wrote := QUOTED_BELOW.match(self._text, start):
            self._out.append(Span(start, wrote.end()))
        elif _GOES_ON.match(line):
            self._signature, self._closing = False, 0
        elif self._is_envelope(line):
            self._out.append(whole)
        else:
            self._read_words(line, whole)

    def _is_answered(self, line: str, start: int) -> bool:
        """Return whether the line is of the mail that this one answers, which is remembered by itself."""
        if line.startswith("Attachments: "):
            self._answered = False
        elif self._envelope_over and self._answers and (_ORIGINAL.match(line) or ABOVE_ORIGINAL.match(self._text, start)):
            self._answered = True
        return self._answered

    def _is_envelope(self, line: str) -> bool:
        """Return whether the line is of the mail's head: who sent it is told by the memory that stands for the mail."""
        if self._envelope_over or not line or line.startswith("#"):
            return False
        self._envelope_over = _ENVELOPE.match(line) is None
        return not self._envelope_over

    def _read_words(self, line: str, whole: Span) -> None:
        self._signature = self._signature or _DELIMITER.match(line) is not None
        signs = self._closing > 0 and len(line) <= SIGNER and line[-1:] not in (".", "!", "?", ":")
        if not signs:
            self._closing = 0
        elif line:
            self._closing -= 1
        if line and signs and not self._signature and not QUOTED.match(line):
            self._signers[-1].append(whole)
        elif line and (self._signature or QUOTED.match(line) or GREETING.match(line)):
            self._out.append(whole)
        elif CLOSING.match(line):
            self._out.append(whole)
            self._signers.append([])
            self._closing = SIGNERS


@lru_cache(maxsize=4)
def _letter(text: str) -> _Trim:
    """Trim a text that greets near its beginning, and closes on a line of its own later."""
    greeted = next((Span(at, at + len(line)) for line, at in _lines(text[:SALUTED]) if _salutes(line)), None)
    if greeted is None:
        return _Trim((), ())
    start = end = left = 0
    for line, at in _lines(text, greeted.end):
        if not line:
            continue
        if left and len(line) <= SIGNER and line[-1:] not in (".", "!", "?", ":") and not line.startswith("#"):
            end, left = at + len(line), left - 1
        elif left:
            break
        elif CLOSING.match(line):
            start, end, left = at, at + len(line), SIGNERS
    if not end:
        return _Trim((), ())
    whole = Span(start, end)
    above = tuple(_addresses(text[: greeted.start]))
    return _Trim((greeted,), (*above, whole)) if "\n" in text[start:end] else _Trim((greeted, whole), above)


def _addresses(head: str) -> Iterator[Span]:
    """Return of whom a letter is, and to whom: blocks of short lines above its greeting, each to be read as one."""
    for found in _BLOCK.finditer(head):
        lines = found[0].splitlines()
        if 2 <= len(lines) <= MOST_ADDRESS and all(len(line) <= SIGNER and line[:1] not in "#|->" for line in lines):
            yield Span(found.start(), found.start() + len(found[0].rstrip()))


def _salutes(line: str) -> bool:
    return line.endswith((",", "!", ":")) and GREETING.match(line) is not None


def _lines(text: str, start: int = 0) -> Iterator[tuple[str, int]]:
    """Yield lines without the white space around them, and where their words begin."""
    for match in LINE.finditer(text, start):
        bare = match[0].strip()
        yield bare, match.start() + (match[0].index(bare) if bare else 0)
