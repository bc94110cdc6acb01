"""Messages from WhatsApp's text export, of Android and of iOS, in any of the ways that they write days and hours.

What WhatsApp wrote itself (that messages are encrypted, who came into a group, what was left out of the export) is nobody's
words: on Android such a line has no name before it, on iOS its words begin with a mark of direction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise

from lattice_common.capture.request import Message

_STAMP = re.compile(
    r"[\u200e\u200f\ufeff]*(?P<bracket>\[)?(?P<day>\d{1,4}[./-]\d{1,2}[./-]\d{1,4}),?\s(?:\w{1,3}\s)?"
    r"(?P<clock>\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[APap]\.?\s?[Mm]\.?)?)(?(bracket)\]\s?|\s[-–]\s)"
)
"""How a line begins: "12/05/2026, 09:14 - " on Android, "[12.05.26, 09:14:33] " on iOS; the space before AM may be narrow."""
_SPEAKER = re.compile(r"(?P<name>[^:\n“”\"«»„]{1,60}):(?:\s|\Z)")
"""Who speaks. What has quotation marks is no name, and WhatsApp says it of a group ("You created group “Family: us”")."""
_DIRECTION = "\u200e\u200f\u202a\u202c\u2068\u2069"
_ITSELF = ("\u200e", "\u200f")
_LEFT_OUT = re.compile(
    r"<[^<>\n]{3,60}>|null|(?:This message was deleted(?: by [^\n]*)?|You deleted this message|"
    r"Diese Nachricht wurde gelöscht|Du hast diese Nachricht gelöscht)\.?"
)
"""What stands in the place of a message, on Android: "<Media omitted>", in the language of the telephone."""
_FILE = re.compile(r"\u200e?[^\s()][^\n()]{0,200}\.\w{2,5} \([^()\n]{3,40}\)(?:\n|\Z)|\u200e<[^<>\n]{1,200}>")
"""A file that came with a message: "IMG-20260512-WA0001.jpg (file attached)", "<attached: 0001-PHOTO.jpg>"."""
_EDITED = re.compile(r"\u200e?<(?:This message was edited|Diese Nachricht wurde bearbeitet)>\s*\Z")


@dataclass(slots=True)
class _Line:
    """A stamped line and those that belong to it; without a `name`, what WhatsApp says itself."""

    day: str
    clock: str
    name: str | None
    lines: list[str]


def is_whatsapp(text: str) -> bool:
    """Return whether a text, or the beginning of one, is such an export: its first line has a stamp, and somebody speaks."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return _STAMP.match(first) is not None and any(line.name for line in _lines(text))


def whatsapp_messages(text: str) -> list[Message]:
    """Return what people said, in order."""
    lines = list(_lines(text))
    day_first = _is_day_first([(line.day, line.clock) for line in lines])
    return [
        Message(name=line.name, content=words, observed_at=_moment(line.day, line.clock, day_first=day_first))
        for line in lines
        if line.name and (words := _said("\n".join(line.lines)))
    ]


def _lines(text: str) -> Iterator[_Line]:
    held: _Line | None = None
    for line in text.split("\n"):
        line = line.removesuffix("\r")
        if stamp := _STAMP.match(line):
            if held:
                yield held
            rest = line[stamp.end() :]
            speaker = _SPEAKER.match(rest)
            name = _name(speaker["name"]) if speaker else None
            held = _Line(stamp["day"], stamp["clock"], name, [rest[speaker.end() :] if speaker else rest])
        elif held:
            held.lines.append(line)
    if held:
        yield held


def _name(written: str) -> str | None:
    """Return a name without the marks around it; a tilde says that it is of nobody in the owner's contacts."""
    return written.strip(_DIRECTION + " \u202f\u00a0~") or None


def _said(written: str) -> str:
    """Return the words of a message; none where it is something that WhatsApp wrote, or left out."""
    words = _FILE.sub("", _EDITED.sub("", written)).strip(" \n\t")
    if words.startswith(_ITSELF) or _LEFT_OUT.fullmatch(words):
        return ""
    return "\n".join(line.strip() for line in words.strip(_DIRECTION).splitlines() if line.strip())


def _is_day_first(stamps: Sequence[tuple[str, str]]) -> bool:
    """Return whether 12/05 is the 12th of May. Told by a day that can be read in one way only; else by the order of the lines,
    which is that of time; else by the clock, as only where months come first it has "PM" in capitals and a year two digits."""
    parts = [_parts(day) for day, _ in stamps]
    if any(first <= 12 < second for first, second, _ in parts):
        return False
    if any(second <= 12 < first <= 31 for first, second, _ in parts):
        return True
    backwards = {order: _backwards(parts, day_first=order) for order in (True, False)}
    if backwards[True] != backwards[False]:
        return backwards[True] < backwards[False]
    return not any("/" in day and day[-3:-2] == "/" and clock.endswith(("AM", "PM")) for day, clock in stamps)


def _backwards(parts: Sequence[tuple[int, int, int]], *, day_first: bool) -> int:
    days = [(year, second, first) if day_first else (year, first, second) for first, second, year in parts]
    return sum(later < earlier for earlier, later in pairwise(days))


def _parts(day: str) -> tuple[int, int, int]:
    first, second, third = (int(part) for part in re.split(r"[./-]", day))
    return first, second, third


def _moment(day: str, clock: str, *, day_first: bool) -> str | None:
    """Return a day and a clock as RFC 3339, in the local time zone; None for a day or time that does not exist."""
    first, second, third = _parts(day)
    if first > 31:
        year, month, number = first, second, third
    else:
        number, month, year = (first, second, third) if day_first else (second, first, third)
    half = "".join(each for each in clock.upper() if each.isalpha())
    hour, minute, second, *_ = (*(int(each) for each in re.findall(r"\d+", clock)), 0)
    if half:
        hour = hour % 12 + (12 if half == "PM" else 0)
    try:
        on = date(year + 2000 if year < 100 else year, month, number)
        return datetime(on.year, on.month, on.day, hour, minute, second).astimezone().isoformat()
    except (ValueError, OverflowError):
        return None
