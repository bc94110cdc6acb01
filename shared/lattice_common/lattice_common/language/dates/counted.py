"""Times counted from today in languages other than English, by `tables/counted_times.py`.

A text is read so only where its language is recognised: "in", "fa" and "over" are words of others. What lies ahead is none where
the sentence tells of what is past: "in zwei Wochen gelesen" says how long it took.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from lattice_common.language.dates import periods
from lattice_common.language.dates.compound import Compound
from lattice_common.language.dates.periods import Period
from lattice_common.language.dates.telling import dated_language_of
from lattice_common.language.dates.tense import tense
from lattice_common.language.patterns import uncased
from lattice_common.language.tables.counted_times import COUNTED_TIMES
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of

_STEPS = {"ago": -1, "ahead": 1, "last": -1, "this": 0, "next": 1}


@dataclass(frozen=True, slots=True)
class _Words:
    """Of one language: a pattern for each way of counting, by its place in `_STEPS`, and what numbers and units mean."""

    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    numbers: dict[str, int]
    units: dict[str, str]
    days: dict[str, int]
    day: re.Pattern[str]
    named: dict[str, tuple[str, int]]
    unit: re.Pattern[str]


@cache
def _words(language: str) -> _Words:
    table = COUNTED_TIMES[language]
    numbers = {form: number for number, forms in enumerate(table.numbers.split(", "), start=1) for form in forms.split()}
    units = {form: unit for unit, forms in table.units.items() for form in forms.split()}
    number, unit = rf"(?P<n>\d{{1,3}}|{any_of(numbers)})", rf"(?P<u>{any_of(units)})"
    return _Words(
        tuple(
            (way, re.compile(rf"\b{_around(each, number, unit)}\b", re.IGNORECASE))
            for way, around in (
                ("ago", table.ago),
                ("ahead", table.ahead),
                ("last", table.last),
                ("this", table.this),
                ("next", table.next),
            )
            for each in around
        ),
        {uncased(form): number for form, number in numbers.items()},
        {uncased(form): unit for form, unit in units.items()},
        {uncased(word): distance for word, distance in table.days.items()},
        re.compile(rf"\b(?:{any_of(table.days) or '(?!)'})\b", re.IGNORECASE),
        {uncased(word): period for word, period in table.named.items()},
        re.compile(rf"\b(?:(?P<since>seit) )?(?P<named>{any_of(table.named) or '(?!)'})\b", re.IGNORECASE),
    )


def _around(words: str, number: str, unit: str) -> str:
    return re.escape(words).replace(r"\{n\}", number).replace(r"\{u\}", unit).replace("'", "['’]").replace(r"\ ", r"\s+")


_CUES = vocabulary("il dans een vorige volgende komende afgelopen") | {
    re.findall(r"\w+", word)[-1]
    for table in COUNTED_TIMES.values()
    for word in (*table.days, *table.named, *(form for forms in table.units.values() for form in forms.split()))
} - {"an", "week"}
"""Words of which one stands in every text that has such a time; two that are English, too, are left to those beside them."""


SISTERS = {"pt": "es", "es": "pt"}
"""Languages of which a short text is easily taken for the other one."""


def may_count(words: Set[str]) -> bool:
    """Return whether a text of these words, in small letters, may have such a time."""
    return not _CUES.isdisjoint(words)


def counted_in(text: str, moment: datetime) -> Iterator[Compound]:
    """Yield the times of a text that `may_count`, as seen from `moment`. Linear."""
    language = dated_language_of(text)
    if language is not None and language in COUNTED_TIMES:
        found = list(_counted(text, moment, _words(language)))
        sister = SISTERS.get(language)
        yield from found or (_counted(text, moment, _words(sister)) if sister else ())


def _counted(text: str, moment: datetime, words: _Words) -> Iterator[Compound]:
    taken = 0
    for match, way in sorted(((each, way) for way, pattern in words.patterns for each in pattern.finditer(text)), key=_place):
        if match.start() < taken:
            continue
        taken = match.end()
        if way == "this" and words.units[uncased(match["u"])] == "day":
            continue  # "nesse dia" is that day
        if way == "ahead" and tense(text, match.start(), match.end(), "", wide=True) == "past":
            yield Compound(match.start(), match.end(), None)
        elif (period := _period(match, way, words, moment)) is not None:
            yield Compound(match.start(), match.end(), period)
    for match in words.day.finditer(text):
        if (day := periods.day_of(moment, words.days[uncased(match[0])])) is not None:
            yield Compound(match.start(), match.end(), day)
    for match in words.unit.finditer(text):
        if _counts(text[max(0, match.start() - 16) : match.start()], words.numbers):
            continue  # "iki haftaya" is in two weeks
        unit, distance = words.named[uncased(match["named"])]
        if (named := periods.around(moment, unit, distance, exact=True)) is not None:
            yield Compound(match.start(), match.end(), named, "since" if match["since"] else "")


def _counts(before: str, numbers: dict[str, int]) -> bool:
    """Return whether a number stands right before what follows."""
    *_, last = before.split() or [""]
    return uncased(last) in numbers or last.isdigit()


def _place(found: tuple[re.Match[str], str]) -> tuple[int, int]:
    """Return where it is in the order of the text; of two that begin at one place the longer one comes first."""
    return found[0].start(), -found[0].end()


def _period(match: re.Match[str], way: str, words: _Words, moment: datetime) -> Period | None:
    said = match.groupdict().get("n")
    count = 1 if said is None else int(said) if said.isdigit() else words.numbers[uncased(said)]
    try:
        return periods.around(moment, words.units[uncased(match["u"])], _STEPS[way] * count, exact=True)
    except (OverflowError, ValueError):  # a number that leads out of the calendar means nothing
        return None
