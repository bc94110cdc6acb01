"""On which day a note was written, as it says itself: by a date in its name, its front matter, or the lines below its title."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

from lattice_common.language.dates.mentions import resolve
from lattice_common.language.notes.properties import CREATED, UPDATED, properties
from lattice_common.language.patterns import lazy_regex

_DAY_NAMED = lazy_regex(r"(?:\A|[/\\ _])(\d{4})[-_]?([01]\d)[-_]?([0-3]\d)(?=[ _.-]|\Z)")
_MARKS = lazy_regex(r"[\[\]@\"']+")
_NOON = 12
_SLACK = timedelta(days=1)
"""The noon of today, and time zones."""


def day_in_name(name: str) -> tuple[int, int, int] | None:
    """Return year, month and day in the name of a daily note ("2026-03-02.md", "2026_03_02.md", "2026-03-02 Lunch.md")."""
    found = _DAY_NAMED.search(re.split(r"[/\\]", name)[-1])
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def is_called_by_a_day(name: str) -> bool:
    """Return whether a file is called by a day and nothing else."""
    return day_in_name(name) is not None and not any(map(str.isalpha, name.rpartition(".")[0] or name))


def noted_on(text: str, name: str, latest: datetime, zone: tzinfo | None) -> datetime | None:
    """Return when a note says that it was written: `date`, or when it was created, or else changed; the last two only where its
    name tells no day. A time without an offset is in `zone`, a day is its noon; one that lies ahead of `latest` does not
    count."""
    known = properties(text)
    of_the_note = ("date",) if day_in_name(name) else ("date", *CREATED, *UPDATED)
    for each in of_the_note:
        for value in known.get(each, ())[:1]:
            if (found := _moment(value, zone)) is not None and found <= latest + _SLACK:
                return min(found, latest)
    return None


def _moment(value: str, zone: tzinfo | None) -> datetime | None:
    value = _MARKS.sub("", value).strip()
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return _day(value, zone)
    if len(value) <= len("2026-03-02"):
        return at.replace(hour=_NOON, tzinfo=zone)
    return at if at.tzinfo else at.replace(tzinfo=zone)


def _day(value: str, zone: tzinfo | None) -> datetime | None:
    mentions = resolve(value, datetime(2000, 1, 1, tzinfo=UTC))
    if not mentions or mentions[0].relative or mentions[0].precision not in ("day", "minute"):
        return None
    day = mentions[0].whole[0]
    return None if value[: mentions[0].start].strip() else datetime(day.year, day.month, day.day, _NOON, tzinfo=zone)
