"""Messages from the text of a conversation: `Ada: …`, `[10:02] Ada: …`, WhatsApp's export, and what is copied from an
assistant's page."""

from __future__ import annotations

import re
from datetime import datetime

from lattice_common.capture.request import Message
from lattice_common.language.role_labels import labelled_turns

# "12/05/2026, 09:14 - Ada: Hello" and "[12.05.26, 09:14:33] Ada: Hello" (WhatsApp on Android and iOS)
_WHATSAPP = re.compile(
    r"^\u200e?\[?(?P<date>\d{1,4}[./-]\d{1,2}[./-]\d{1,4}),?\s+(?P<time>\d{1,2}:\d{2}(?::\d{2})?(?:[\s\u202f]?[APap]\.?[Mm]\.?)?)\]?"
    r"\s*(?:-\s*)?(?P<name>[^:\n]{1,60}): (?P<words>.*)$"
)
_LINE = re.compile(r"^(?:\[[^\]\n]{1,30}\]\s*)?(?P<name>[^\W\d_][\w .'’-]{0,40}):\s+(?P<words>\S.*)$")


def messages_of_text(text: str) -> list[Message]:
    """Return the messages in order; a line that begins no message belongs to the one before. Return none when no line begins with
    a name."""
    if turns := labelled_turns(text):
        return [Message(role=turn.role, content=text[turn.start : turn.end]) for turn in turns if turn.start < turn.end]
    messages: list[Message] = []
    day_first = _day_first(text)
    for line in text.splitlines():
        stamped = _WHATSAPP.match(line)
        begins = stamped or _LINE.match(line)
        if begins:
            said_at = _date(stamped["date"], stamped["time"], day_first=day_first) if stamped else None
            messages.append(Message(name=begins["name"].strip(), content=begins["words"].strip(), observed_at=said_at))
        elif messages and line.strip():
            messages[-1].content += f"\n{line.strip()}"
    return messages


def _day_first(text: str) -> bool:
    """Return whether 12/05 is the 12th of May: it is, unless some date in the file can only be read the other way round."""
    dates = [
        tuple(int(part) for part in re.split(r"[./-]", found["date"]))
        for line in text.splitlines()
        if (found := _WHATSAPP.match(line))
    ]
    return not any(len(date) == 3 and date[0] <= 12 < date[1] for date in dates)


def _date(date: str, time: str, *, day_first: bool) -> str | None:
    parts = [int(part) for part in re.split(r"[./-]", date)]
    if parts[0] > 31:
        year, month, day = parts
    else:
        day, month, year = parts if day_first else (parts[1], parts[0], parts[2])
    year += 2000 if year < 100 else 0
    clock = re.sub(r"[\s\u202f.]", "", time).upper()
    shape = "%I:%M:%S%p" if clock.endswith("M") and clock.count(":") == 2 else "%I:%M%p" if clock.endswith("M") else None
    shape = shape or ("%H:%M:%S" if clock.count(":") == 2 else "%H:%M")
    try:
        return datetime.strptime(f"{year:04}-{month:02}-{day:02} {clock}", f"%Y-%m-%d {shape}").astimezone().isoformat()
    except ValueError:
        return None
