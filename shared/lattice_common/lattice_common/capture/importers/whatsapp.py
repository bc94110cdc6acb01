"""Messages from WhatsApp's text export, of Android and of iOS, in any of the ways that they write days and hours.

What WhatsApp wrote itself (that messages are encrypted, who came into a group, what was left out of the export) is nobody's
words: on Android such a line has no name before it, on iOS its words begin with a mark of direction.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from itertools import islice
from typing import IO

from lattice_common.capture.importers.items import Item
from lattice_common.capture.importers.months import Months
from lattice_common.capture.request import Message
from lattice_common.errors import InvalidInput

MOST_SPEAKERS = 3
"""By how many of those who speak first a chat is called that has no other name."""
LEFT_OUT = "pictures, recordings and what WhatsApp says itself are not read"
LONGEST_LINE = 1_000_000
"""The most characters of a message, and of a line."""

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
_FILE = re.compile(
    r"^[ \t]*\u200e?[^\s()][^\n()]{0,200}\.\w{2,5} \([^()\n]{3,40}\)(?:\n|\Z)|\u200e<[^<>\n]{1,200}>", re.MULTILINE
)
"""A file that came with a message: "IMG-20260512-WA0001.jpg (file attached)", "<attached: 0001-PHOTO.jpg>". The first is a line
of its own: looked for at each letter, a message of a thousand took two milliseconds."""
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
    day_first = _is_day_first(_lines(text))
    return [said for line in _lines(text) if (said := _message(line, day_first=day_first)) is not None]


def whatsapp_months(export: str, chat: str, file: IO[bytes]) -> Iterator[Item]:
    """Yield the months of an export of any length, which is gone through twice. Raise `InvalidInput` for what is not UTF-8."""
    day_first = _is_day_first(_lines_of(file))
    file.seek(0)
    held = Months(export, LEFT_OUT)
    for line in _lines_of(file):
        said = _message(line, day_first=day_first)
        if said is None:
            held.leave(chat)
        else:
            yield from held.take(chat, said)
    yield from held.rest()


def speakers(text: str) -> list[str]:
    """Return the first who speak in an export, in the order in which they do."""
    return list(islice(dict.fromkeys(line.name for line in _lines(text) if line.name), MOST_SPEAKERS))


def _message(line: _Line, *, day_first: bool) -> Message | None:
    words = _said("\n".join(line.lines)) if line.name else ""
    if not words:
        return None
    return Message(name=line.name, content=words, observed_at=_moment(line.day, line.clock, day_first=day_first))


def _lines(text: str) -> Iterator[_Line]:
    return _joined(text.split("\n"))


def _lines_of(file: IO[bytes]) -> Iterator[_Line]:
    text = io.TextIOWrapper(file, "utf-8-sig", newline="\n")
    try:
        yield from _joined(iter(partial(text.readline, LONGEST_LINE), ""))
    except UnicodeDecodeError as error:
        raise InvalidInput("it is not UTF-8: save it as UTF-8 and import it again") from error
    finally:
        text.detach()  # the file is the caller's to close


def _joined(lines: Iterable[str]) -> Iterator[_Line]:
    """Yield each stamped line with those that belong to it."""
    held: _Line | None = None
    length = 0
    for raw in lines:
        line = raw.removesuffix("\n").removesuffix("\r")
        length += len(line)
        if stamp := _STAMP.match(line):
            if held:
                yield held
            rest = line[stamp.end() :]
            speaker = _SPEAKER.match(rest)
            name = _name(speaker["name"]) if speaker else None
            held = _Line(stamp["day"], stamp["clock"], name, [rest[speaker.end() :] if speaker else rest])
            length = len(line)
        elif held and length <= LONGEST_LINE:
            held.lines.append(line)
        elif held:
            raise InvalidInput(f"a message in it has more than {LONGEST_LINE:,} characters. Split it")
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


def _is_day_first(lines: Iterable[_Line]) -> bool:
    """Return whether 12/05 is the 12th of May. Told by a day that can be read in one way only; else by the order of the lines,
    which is that of time; else by the clock, as only where months come first it has "PM" in capitals and a year two digits."""
    before: tuple[int, int, int] | None = None
    backwards = {True: 0, False: 0}
    month_first = day_first = american = False
    for line in lines:
        parts = first, second, year = _parts(line.day)
        month_first = month_first or first <= 12 < second
        day_first = day_first or second <= 12 < first <= 31
        american = american or ("/" in line.day and line.day[-3:-2] == "/" and line.clock.endswith(("AM", "PM")))
        if before is not None:
            backwards[True] += (year, second, first) < (before[2], before[1], before[0])
            backwards[False] += (year, first, second) < (before[2], before[0], before[1])
        before = parts
    if month_first or day_first:
        return not month_first
    return backwards[True] < backwards[False] if backwards[True] != backwards[False] else not american


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
