"""Days of the week and of a month in Spanish, French, Italian, Portuguese, Dutch, Polish, Russian and Turkish, by
`tables/named_days.py`: "El jueves tengo dentista", "Samedi on est allés au cinéma", "14 grudnia".

A day is one of this week or the next where the words before it say that it is one, and not every such day; it is the coming one,
or the last one where its clause tells of what is past. What the words of `dates/romance.py` bind, or tell to be the last or the
next, is read there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from lattice_common.language.dates import periods
from lattice_common.language.dates.compound import Compound
from lattice_common.language.dates.periods import Period
from lattice_common.language.dates.phrases import nearest_day, on_weekday, weekday_near
from lattice_common.language.dates.romance import BOUND, NOT
from lattice_common.language.dates.telling import Telling, compiled, dated_language_of, phrases, sentence_around, telling
from lattice_common.language.dates.tense import Tense
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.tables.named_days import NAMED_DAYS, DayNames
from lattice_common.language.words import ENGLISH_WEEKDAYS, MONTHS_IN_DATES, any_of

_NOT_OR_UNTIL = "".join(
    rf"(?<!\b{words}\s)"
    for words in ("niet", "niet op", "nie w", "nie we", "tot", "hasta el", "jusqu'à", "fino a", "até", "até a", "até o", "do")
)
"""What takes a day out of those that make another one come back: "Mama komt zaterdag en blijft tot dinsdag"."""
_FIGURES = (
    r"(?P<number>[0-3]?\d)/(?P<figure>1[0-2]|0?[1-9])(?:/(?P<year>(?:20)?\d\d))?(?![\w/])"
    r"(?!\s(?:de|del|du|des|dei|della|degli|do|da|van)\b|\sd['’])"
)
"""A day and its month, and no fraction: "el 3/4 de la población"."""


@dataclass(frozen=True, slots=True)
class _Moves:
    """Patterns of what is put on another day: `to` follows the day, `thing` is what is each week, `verb` says that it was put."""

    to: re.Pattern[str]
    thing: re.Pattern[str]
    verb: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Reader:
    """The patterns of one language, and what its names mean."""

    bare: bool
    days: dict[str, int]
    months: dict[str, int]
    day: re.Pattern[str]
    dates: tuple[re.Pattern[str], ...]
    tomorrow: re.Pattern[str] | None
    leads: tuple[tuple[str, re.Pattern[str]], ...]
    not_it: re.Pattern[str]
    each: re.Pattern[str]
    another: re.Pattern[str]
    moves: _Moves
    telling: Telling


@cache
def _reader(language: str) -> _Reader:
    table, before = NAMED_DAYS[language].names, NAMED_DAYS[language].before
    days, short, months = (_numbered(each, first) for each, first in ((table.days, 0), (table.short_days, 0), (table.months, 1)))
    leads = [(way, getattr(before, way)) for way in ("each", "last", "next", "to", "this", "on")]
    names, short_behind = any_of(days), rf"\s(?:{phrases(table.short_behind)})\b"
    return _Reader(
        bare=table.bare,
        days={uncased(name): number for name, number in (*days.items(), *short.items())},
        months={uncased(name): number for name, number in months.items()},
        day=compiled(
            rf"(?<![\w'’/-])(?P<day>{names}|(?P<short>{any_of(short) or '(?!)'})(?=\s*(?:[.,;!?]|\Z)|{short_behind}))"
            rf"(?:{phrases(table.joined)}|\s(?:{phrases(table.behind)}))?(?![\w/-]|['’]\w)"
        ),
        dates=tuple(_dates(table, any_of(months), before.to_endings)),
        tomorrow=compiled(rf"\b(?:(?P<morning>{phrases(table.morning)})\s)?{table.tomorrow}\b") if table.tomorrow else None,
        leads=tuple((way, compiled(rf"(?<!\w)(?:{phrases(words)})\s\Z")) for way, words in leads if words),
        not_it=compiled(rf"\s(?:{phrases(table.not_it)})\b|\s\d+(?!\s?[:.h]|\d)"),
        each=compiled(rf"\b(?:{any_of(table.usually.split())})\b"),
        another=compiled(rf"{NOT}{_NOT_OR_UNTIL}\b(?:{names})(?:{phrases(table.joined)})?\b"),
        moves=_moves(language, names, any_of(months)),
        telling=telling(language),
    )


def _dates(table: DayNames, months: str, endings: str) -> Iterator[re.Pattern[str]]:
    """Yield the patterns of a day and its month, in words and in figures."""
    if table.months:
        behind = rf"['’]\w+|{any_of((*endings.split(), *_THERE.split()))}" if endings else r"['’]\w+"
        yield compiled(
            rf"(?<![\w.,/-])(?P<number>[0-3]?\d)\s(?P<month>{months})(?:{behind})?(?:\s(?P<year>(?:19|20)\d\d))?(?!\w)"
        )
    if table.dated:
        yield compiled(rf"\b(?:{phrases(table.dated)})\s{_FIGURES}")


def _moves(language: str, names: str, months: str) -> _Moves:
    before, weekly = NAMED_DAYS[language].before, NAMED_DAYS[language].weekly
    endings = any_of(before.to_endings.split())
    to = rf"(?:(?:{months})['’]?(?:{endings})\Z|\s(?:{names})(?:{endings})\b|\s(?:{names})\s(?:{phrases(before.to_behind)})\b)"
    thing, verb = (rf"\b(?:{any_of(words.split())})\b" for words in (weekly.things, weekly.moved))
    return _Moves(compiled(to if before.to_endings else r"(?!)"), compiled(thing), compiled(verb))


def _numbered(forms: str, first: int) -> dict[str, int]:
    return {form: number for number, each in enumerate(forms.split(", "), start=first) for form in each.split()}


_TURKISH = frozenset(_numbered(NAMED_DAYS["tr"].names.days, 0))
"""They have endings of their own: "24 kasım salıya"."""
ALL_MONTHS = frozenset(name for table in NAMED_DAYS.values() for name in _numbered(table.names.months, 1))
NAMES = frozenset(
    uncased(name) for table in NAMED_DAYS.values() for name in _numbered(f"{table.names.days}, {table.names.short_days}", 0)
)


_THERE = "da de ta te dan den tan ten"
"""Endings of a Turkish day on which, or from which, something is: "24 kasımda"."""


def _languages_of_words() -> dict[str, tuple[str, ...]]:
    """Return for each word that such a day begins with the languages that have it."""
    found: dict[str, dict[str, None]] = {}
    for language, table in NAMED_DAYS.items():
        names = table.names
        days = _numbered(names.days, 0)
        joined = [f"{day}{part}" for day in days for part in names.joined.split(", ") if part]
        months, endings = _numbered(names.months, 1), table.before.to_endings and f"{table.before.to_endings} {_THERE}"
        ended = [f"{month}{ending}" for month in months for ending in endings.split()]
        for name in (*days, *joined, *_numbered(names.short_days, 0), *months, *ended, names.tomorrow):
            for word in re.findall(r"\A\w+", name):
                found.setdefault(word, {})[language] = None
    return {word: tuple(languages) for word, languages in found.items()}


_LANGUAGES_OF = _languages_of_words()


def may_name_a_day(text: str, words: Set[str]) -> bool:
    """Return whether a text of these words, in small letters, may name such a day."""
    return not _LANGUAGES_OF.keys().isdisjoint(words) or ("/" in text and _IN_FIGURES.search(text) is not None)


_IN_FIGURES = lazy_regex(r"\s[0-3]?\d/[01]?\d")


def named_days_in(text: str, moment: datetime, words: Set[str]) -> Iterator[Compound]:
    """Yield the days that a text of these words names, as seen from `moment`. Linear."""
    languages = sorted({language for word in words for language in _LANGUAGES_OF.get(word, ())})
    recognised = dated_language_of(text)
    if recognised is not None and recognised in NAMED_DAYS and (recognised in languages or _IN_FIGURES.search(text)):
        languages = [recognised]
    for language in languages:
        found = list(_named(text, moment, _reader(language), is_sure=recognised in (language, None)))
        yield from found
        if found:
            return  # "sábado" is Spanish and Portuguese


def _named(text: str, moment: datetime, reader: _Reader, *, is_sure: bool) -> Iterator[Compound]:
    for match in reader.day.finditer(text):
        if (found := _weekday(text, match, moment, reader)) is not None:
            yield found
    for pattern in reader.dates:
        for match in pattern.finditer(text) if is_sure else ():
            if (day := _date(text, match, moment, reader)) is not None:
                yield Compound(match.start(), match.end(), day, bound_before(text, match.start()))
    for match in reader.tomorrow.finditer(text) if is_sure and reader.tomorrow else ():
        yield Compound(match.start(), match.end(), None if match["morning"] else periods.day_of(moment, 1))


def _weekday(text: str, match: re.Match[str], moment: datetime, reader: _Reader) -> Compound | None:
    start, end = match.start(), match.end()
    before = text[max(0, start - 24) : start]
    way, lead = next(((way, found) for way, pattern in reader.leads if (found := pattern.search(before))), ("", None))
    may_be_bare = _BEGINS.search(before) is not None or (reader.bare and match["day"].islower())
    is_one = may_be_bare and not match["short"] if lead is None else way != "each"
    clause, sentence = _around(text, start, end, reader)
    if (
        not is_one
        or _BOUND.search(before)
        or not (match["short"] or reader.another.match(text, match.start("day")))
        or reader.not_it.match(text, end)
        or _HOURS.match(text, end)
        or _DATED_BEFORE.search(text, max(0, start - 30), start)
        or reader.each.search(sentence)
        or len(reader.another.findall(sentence)) > 1
    ):
        return None
    if way == "to" and reader.moves.thing.search(sentence) and reader.moves.verb.search(sentence):
        return None  # a class or a club was put on another day of each week
    said = len((lead[0] if lead else "").split()) + len(match[0].split())
    back = way == "last" or (way in ("this", "on", "") and _is_past(clause, sentence, reader, said))
    near = "last" if back else "following" if way == "next" else "next" if way == "this" else "after"
    day = weekday_near(ENGLISH_WEEKDAYS[reader.days[uncased(match["day"])]], moment, near)
    return None if day is None else Compound(start - len(lead[0]) if lead else start, end, day)


_HOURS = lazy_regex(
    r"\s?:?\s?(?:de |das |dalle |van |od |с )?\d{1,2}(?:[:.h]\d{0,2})?\s?(?:h|uur|uhr)?\s?(?:[-–—]|a|à|às|alle|tot|do|до)\s?\d",
    re.IGNORECASE,
)
"""From when to when something is open, each week."""
_BEGINS = lazy_regex(r"(?:\A|[.!?;:\n]\s*|[-–•*]\s)\Z")
_BOUND = lazy_regex(
    rf"(?:{BOUND.replace(chr(92) + ' ', ' ')}|van|vanaf|sinds|tot|tussen|od|do|avant|antes|prima|przed|önce)\s\Z", re.IGNORECASE
)


def _around(text: str, start: int, end: int, reader: _Reader) -> tuple[str, str]:
    """Return the clause and the sentence around a day."""
    first, last = sentence_around(text, start, end)
    begins = max((each.end() for each in reader.telling.clause.finditer(text, first, start)), default=first)
    behind = reader.telling.clause.search(text, end, last)
    return text[begins : behind.start() if behind else last], text[first:last]


def _is_past(clause: str, sentence: str, reader: _Reader, said: int) -> bool:
    """Return whether a day of so many words is told of as past by its clause; by its sentence where that is all of the clause."""
    return reader.telling.is_past(clause if len(clause.split()) > said else sentence)


_WHOLE_YEAR, _CENTURY = 4, 2000


def _date(text: str, match: re.Match[str], moment: datetime, reader: _Reader) -> Period | None:
    said = match.groupdict()
    month = reader.months[uncased(said["month"])] if "month" in said else int(said["figure"])
    number, year = int(said["number"]), said["year"]
    if year:
        return periods.day(int(year) if len(year) == _WHOLE_YEAR else _CENTURY + int(year), month, number, moment.tzinfo)
    near = nearest_day(month, number, moment, future=False, past=False)
    told = _tense_of_date(text, match.start(), match.end(), reader)
    if told and not (told == "future" and near is not None and was_just(near, moment)):
        near = nearest_day(month, number, moment, future=told == "future", past=told == "past")
    if (
        not told
        and near is not None
        and near.start - moment > SOON
        and _SINCE_OR_FROM.search(text, max(0, match.start() - 6), match.start())
    ):
        near = nearest_day(month, number, moment, future=False, past=True)
    weekday = weekday_beside(text, match.start(), match.end())
    return near if near is None or weekday is None else on_weekday(near, weekday, moment)


NUMBERS_OF_DAYS = {
    uncased(name): number
    for table in NAMED_DAYS.values()
    for names in (table.names.days, table.names.short_days)
    for name, number in _numbered(names, 0).items()
}
_A_DAY = any_of(NUMBERS_OF_DAYS)
_BEFORE_A_DATE = lazy_regex(rf"(?<![\w-])(?P<day>{_A_DAY}),?\s(?:(?:el|le|il|op|dia|día|de|,)\s)?\Z", re.IGNORECASE)
_BEHIND_A_DATE = lazy_regex(rf",?\s\(?(?P<day>{_A_DAY})(?P<ending>\w{{0,4}})(?!\w)", re.IGNORECASE)
_DATED_BEFORE = lazy_regex(
    rf"(?<!\d)[0-3]?\d(?:\.|er|º)?\s(?:del?\s|di\s)?(?:{any_of((*ALL_MONTHS, *MONTHS_IN_DATES))})(?:['’]\w+)?,?\s\(?\Z",
    re.IGNORECASE,
)
"""A date with which a day of the week goes: "24 kasım salı"."""


def weekday_beside(text: str, start: int, end: int) -> int | None:
    """Return the day of the week, from 0, Monday, that is named with the date `text[start:end]`: "wtorek 24 listopada", "24 kasım
    salı"; None without one."""
    found = _BEFORE_A_DATE.search(text, max(0, start - 30), start) or _BEHIND_A_DATE.match(text, end)
    if found is None:
        return None
    name = uncased(found["day"])
    if found.start() == end and name not in _TURKISH and (found["ending"] or text[end] not in ",("):
        return None  # another day: "la feria 16 de Julio jueves y domingo"
    return NUMBERS_OF_DAYS[name]


JUST = timedelta(days=45)
SOON = timedelta(days=100)
"""What is so "od" a day without a year in the present tense began on the last one, unless the next one is so near."""


def was_just(day: Period, moment: datetime) -> bool:
    """Return whether a day is so little back that it is meant where no verb tells of the past: "¡Nació Mateo! El 7 de agosto, 3,2
    kilos."."""
    return timedelta(0) < moment - day.start < JUST


def tense_of_date(text: str, start: int, end: int, language: str) -> Tense:
    """Return the tense of the clause around a day and month without a year, `text[start:end]`, in one of these languages; ""
    where it may be either, and of others."""
    return _tense_of_date(text, start, end, _reader(language)) if language in NAMED_DAYS else ""


def _tense_of_date(text: str, start: int, end: int, reader: _Reader) -> Tense:
    day = _BEFORE_A_DATE.search(text, max(0, start - 30), start)
    lead = start if day is None else day.start()
    before = text[max(0, lead - 24) : lead]
    if _SINCE.search(before):
        return "past"
    if any(way == "to" and pattern.search(before) for way, pattern in reader.leads) or _FOR.search(before):
        return "future"
    if reader.moves.to.match(text, end) or reader.moves.to.search(text, start, end):
        return "future"
    said = text[start:end].rstrip(".")
    if _is_past(*_around(text, start, start + len(said), reader), reader, len(said.split())):
        return "past"
    return "" if _SINCE_OR_FROM.search(before) or _WRITTEN.search(before) or reader.telling.was_done.search(before) else "future"


def bound_before(text: str, start: int) -> str:
    """Return whether something is so "since" or "until" the day at `start`, by the word before it; else ""."""
    before = text[max(0, start - 24) : start]
    return "until" if _UNTIL.search(before) else "since" if _SINCE.search(before) or _SINCE_OR_FROM.search(before) else ""


_UNTIL = lazy_regex(r"(?<!\d )\b(?:tot|tot en met|t/m|do|до) \Z", re.IGNORECASE)
_SINCE = lazy_regex(r"\bsinds \Z", re.IGNORECASE)
_SINCE_OR_FROM = lazy_regex(r"\b(?:od|с|со) \Z", re.IGNORECASE)
"""Before the day from which something is so, which is the nearest where no verb tells of the past: "od 1 stycznia pracuję" said
in November is of the coming January."""
_FOR = lazy_regex(r"\b(?:para(?: el| o)?|pour(?: le)?|per(?: il)?|voor|vanaf|naar|dès le|na) \Z", re.IGNORECASE)
_WRITTEN = lazy_regex(r"\b(?:del?|du|do|da|van|z|od|от|за) \Z", re.IGNORECASE)
"""Before the day of what was written on it, as a rule: "la factura del 3 de mayo"."""
