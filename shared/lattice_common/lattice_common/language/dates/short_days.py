"""Weekdays in short, as notes have them: "Lunch w Tom Tues 12.30", "Dentist 2pm Fri", "see you mon", and months without an "in":
"lease ends november".

Most of the short names are words, too ("the cat sat in the sun"), so that one counts only beside what shows it for a day: a word
that leads to one, a time, its capital, or the end of a clause. Those of every week are none of this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from datetime import datetime

from lattice_common.language.dates.compound import Compound
from lattice_common.language.dates.named_days import was_just
from lattice_common.language.dates.phrases import nearest_month, weekday_near
from lattice_common.language.dates.tense import is_born, is_routine, tense
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, months, short_months, short_weekdays

_SHORT = short_weekdays("en")
_ALSO_WORDS = frozenset(("sat", "sun", "wed"))
_LEAD = r"on|this|next|last|see you|coming|due|back|starts?|every"
_ANY_DAY = any_of((*_SHORT, *ENGLISH_WEEKDAYS))
_BOUND = lazy_regex(r"\b(?:by|until|til|till|from|since|after|before|starting) \Z", re.IGNORECASE)
"""What begins or ends with a day is read where its name is written out."""
_DAY = lazy_regex(rf"(?<![\w'’/&-])(?:(?P<lead>{_LEAD}) )?(?P<day>{any_of(_SHORT)})(?![\w'’/&-])", re.IGNORECASE)
_TIME = r"(?:[01]?\d|2[0-3])(?:[:.][0-5]\d(?: ?[ap]m)?| ?[ap]m)\b"
_TIME_BEFORE = lazy_regex(rf"\b{_TIME},? \Z", re.IGNORECASE)
_TIME_BEHIND = lazy_regex(
    rf",? (?:(?:at |@ ?|around )?{_TIME}|(?:am|pm|morning|afternoon|lunchtime|evening|night)\b)", re.IGNORECASE
)
_DATE_BEHIND = lazy_regex(
    rf"\.?,? (?:the )?\d{{1,2}}(?:(?:st|nd|rd|th)\b|\.?(?: of)? (?:{any_of(short_months('en'))}))"
    rf"|\.?(?:\s?(?:[-–,&/+]|and\b|or\b|to\b)\s?|\s)(?:{_ANY_DAY})s?\b",
    re.IGNORECASE,
)
"""A date of its own, which the weekday only goes with, or another weekday: several are when something is each week."""
_HOURS = lazy_regex(r":?,? (?:from )?\d{1,2}(?:[:.]\d\d)? ?(?:[ap]m)? ?(?:[-–—]|to|till|until) ?\d", re.IGNORECASE)
"""From when to when something is open, each week."""
_BESIDE = lazy_regex(rf"\b(?:{_ANY_DAY})s?\.?(?:\s?(?:[-–,&/+]|and|or|to)\s?|\s)\Z", re.IGNORECASE)


_ENDS = lazy_regex(r"[.,;!?]|\s*\Z")
_GOES_ON = lazy_regex(r"(?<!\b[Tt]h)[a-z\d] \Z")
"""What stands before a capital that begins no sentence."""

_NAMES = ("april", "june", "august", "jan", "jun")
"""Months that are names as well."""
_MONTHS = {
    name: number for name, number in (*months("en").items(), *short_months("en").items()) if name not in ("march", "may", "mar")
}
_MONTH = lazy_regex(
    rf"(?<=[a-z\d)] )(?P<month>{any_of(name for name in _MONTHS if name not in _NAMES)})(?=[.,;!?]|\s*$)"
    rf"|\b(?:due|ends?|ended|starts?|started|begins?|began|opens?|closes?|expires?|renews?|wedding|exams?|term|booked|planned) "
    rf"(?P<named>{any_of(_NAMES)})(?=[.,;!?]|\s*$)",
    re.IGNORECASE,
)
_NO_NOUN = lazy_regex(
    r"\b(?:in|of|since|until|till?|by|from|for|to|before|after|during|early|mid|late|last|next|this|every|each|and|or|the|an?|my|our|"
    r"is|was|now|it['’]?s|that['’]?s|through|via|end|start|beginning|middle|\d{1,2}(?:st|nd|rd|th)?) \Z",
    re.IGNORECASE,
)
"""What a month does not stand behind for itself: it is read with it, or is what is spoken of."""


_ENDS_CLAUSE = lazy_regex(r"[\w)] \Z")
_SET = lazy_regex(r"\b(?:booked|planned|ordered|due|done|again|my (?:appt|jab|scan|test)) \Z", re.IGNORECASE)
"""Before what would be another word elsewhere: "jab booked sat"."""


def may_have_short_day(words: Set[str]) -> bool:
    """Return whether a text of these words, in small letters, may have such a day."""
    return not _SHORT.keys().isdisjoint(words)


def short_days_in(text: str, moment: datetime) -> Iterator[Compound]:
    """Yield the days of a text, as seen from `moment`: the coming one or, told of what is past, the last. Linear."""
    for match in _DAY.finditer(text):
        if not _is_a_day(text, match) or uncased(match["lead"] or "") == "every" or is_routine(text, match.start(), match.end()):
            continue
        lead, name = uncased(match["lead"] or ""), ENGLISH_WEEKDAYS[_SHORT[uncased(match["day"])]]
        past = lead == "last" or (lead != "next" and tense(text, match.start(), match.end(), "", wide=True) == "past")
        way = "last" if past else "following" if lead == "next" else "after" if lead == "on" else "next"
        day = weekday_near(name, moment, way)
        if day is not None:
            yield Compound(match.start(), match.end(), day)


def may_have_bare_month(words: Set[str]) -> bool:
    """Return whether a text of these words, in small letters, may have such a month."""
    return not _MONTHS.keys().isdisjoint(words)


def bare_months_in(text: str, moment: datetime) -> Iterator[Compound]:
    """Yield the months of an English text that end a clause without a word that leads to them, as seen from `moment`. Linear."""
    if language_of(text) is not None:
        return
    for match in _MONTH.finditer(text):
        group = "month" if match["month"] else "named"
        if _NO_NOUN.search(text, max(0, match.start(group) - 12), match.start(group)):
            continue
        born = is_born(text, match.start(group), match.end())
        told = "past" if born else tense(text, match.start(group), match.end(), "", wide=True)
        number = _MONTHS[uncased(match[group])]
        period = nearest_month(number, moment, future=told == "future", past=told == "past")
        if period is not None and (not born or was_just(period, moment)):
            yield Compound(match.start(group), match.end(), period)


def _is_a_day(text: str, match: re.Match[str]) -> bool:
    start, end, day = match.start("day"), match.end("day"), match["day"]
    low = max(0, start - 16)
    if (
        any(each.search(text, low, start) for each in (_BESIDE, _BOUND))
        or _DATE_BEHIND.match(text, end)
        or _HOURS.match(text, end)
    ):
        return False
    is_capital, is_word = day[0].isupper(), uncased(day) in _ALSO_WORDS
    if match["lead"] and (not is_word or is_capital or uncased(match["lead"]) in ("on", "next", "see you")):
        return True
    if len(day) > 3 or _TIME_BEFORE.search(text, max(0, start - 12), start) or _TIME_BEHIND.match(text, end):
        return True
    if is_word and not is_capital:
        return _ENDS.match(text, end) is not None and _SET.search(text, low, start) is not None
    if is_word:
        return _ENDS.match(text, end) is not None and _GOES_ON.search(text, max(0, start - 2), start) is not None
    if is_capital and _GOES_ON.search(text, max(0, start - 2), start):
        return True
    if uncased(day) == "tue" and text[end:].strip(" .!"):
        return False  # "il tue, …" is French
    return _ENDS.match(text, end) is not None and _ENDS_CLAUSE.search(text, max(0, start - 2), start) is not None
