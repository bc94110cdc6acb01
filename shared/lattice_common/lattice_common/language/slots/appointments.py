"""Times of day, days and rooms, as sentences about appointments give them."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.slots.claim import Stems
from lattice_common.language.text import fold
from lattice_common.language.words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS

_TIME = lazy_regex(
    r"\b(?P<h>\d{1,2})(?:[:.](?P<m>\d\d))?\s?(?P<half>am|pm|a\.m\.|p\.m\.)(?!\w)|"
    r"\b(?P<h2>\d{1,2}):(?P<m2>\d\d)\b|\b(?P<word>noon|midnight)\b",
    re.IGNORECASE,
)
_BARE_HOUR = lazy_regex(
    r"(?:\bat|\bto|\bfrom|\bnot|\bby) (?P<h>\d{1,2})(?: o'clock)?(?=$|[.,!;]|\s(?:now|instead|not|"
    r"on|sharp|today|tomorrow|this|from|rather)\b)",
    re.IGNORECASE,
)
_WEEKDAY = lazy_regex(r"\b(" + "|".join(ENGLISH_WEEKDAYS) + r")s?\b", re.IGNORECASE)
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in ENGLISH_MONTHS)
_DATE = lazy_regex(
    rf"\b(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b"
    rf"|\b(?:the )?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month2>{_MONTH})\b"
    r"|\b(?P<iso>\d{4}-\d\d-\d\d)\b|\bthe (?P<day3>\d{1,2})(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_ROOM = lazy_regex(
    r"\b(?P<kind>room|hall|building|floor|platform|gate|terminal|studio|table|suite|court|track|"
    r"office)\s+(?P<name>[A-Z]?\d+\w*|[A-Z]\w*)\b"
)


def points(phrase: str) -> dict[str, Stems]:
    """Return what a phrase gives for each facet ("time", "weekday", "date", "room"); the first of each."""
    found: dict[str, Stems] = {}
    if time := _time(phrase):
        found["time"] = frozenset((time,))
    if day := _WEEKDAY.search(phrase):
        found["weekday"] = frozenset((fold(day.group(1)),))
    if date := _DATE.search(phrase):
        month = date.group("month") or date.group("month2") or ""
        number = date.group("day") or date.group("day2") or date.group("day3") or ""
        found["date"] = frozenset((date.group("iso") or f"{fold(month)[:3]} {number}".strip(),))
    if room := _ROOM.search(phrase):
        found["room"] = frozenset((fold(room.group("kind")) + " " + fold(room.group("name")),))
    return found


def _time(phrase: str) -> str:
    match = _TIME.search(phrase)
    if match is None:
        bare = _BARE_HOUR.search(phrase)
        return f"{int(bare.group('h')) % 12}:00" if bare and int(bare.group("h")) <= 24 else ""
    if match.group("word"):
        return "0:00"
    hour = int(match.group("h") or match.group("h2"))
    # Twelve hours are enough: nobody moves a meeting by twelve, and "at 3" often means 15:00.
    return f"{hour % 12}:{match.group('m') or match.group('m2') or '00'}"
