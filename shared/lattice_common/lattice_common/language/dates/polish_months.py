"""Months and days as Polish names them behind what leads to them: "w lutym od 6 do 13", "od listopada", "od poniedziałku"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from datetime import datetime

from lattice_common.language.dates import periods
from lattice_common.language.dates.compound import Compound
from lattice_common.language.dates.named_days import SOON, tense_of_date, was_just
from lattice_common.language.dates.periods import Period
from lattice_common.language.dates.phrases import nearest_day, nearest_month, weekday_near
from lattice_common.language.dates.telling import dated_language_of, sentence_around
from lattice_common.language.dates.tense import Tense
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.tables.polish import MONTHS_IN, MONTHS_OF, WEEKDAYS_OF
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of

_MONTHS = {name: number for names in (MONTHS_IN, MONTHS_OF) for number, name in enumerate(names, start=1)}
_YEAR = r"(?:\s(?P<year{0}>(?:19|20)\d\d))?"
_NUMBER = r"[12]\d|3[01]|0?[1-9]"
_PATTERN = lazy_regex(
    rf"(?<!\w)(?:"
    rf"(?P<stretch>(?:od\s)?(?P<a>{_NUMBER})\.?\s?(?:do|[-–—])\s?(?P<b>{_NUMBER})\.?\s(?P<of>{any_of(MONTHS_OF)}){_YEAR.format(1)})"
    rf"|(?P<there>od\s(?P<c>{_NUMBER})\.?\sdo\s(?P<d>{_NUMBER})(?![\w:.]\d|\s?(?:\w*godz|rano|wiecz|lat)))"
    rf"|we?\s(?P<month>{any_of(MONTHS_IN)}){_YEAR.format(2)}"
    rf"|(?<!\d\s)(?:(?P<since>od)|(?P<until>do))\s(?:(?P<bound>{any_of(MONTHS_OF)}){_YEAR.format(3)}|(?P<day>{any_of(WEEKDAYS_OF)}))"
    rf")(?!\w)",
    re.IGNORECASE,
)
_EACH = lazy_regex(
    rf"\b(?:zawsze|zwykle|zazwyczaj|co roku|każd\w+|corocznie)\b|\bod\s(?:{any_of(WEEKDAYS_OF)})\sdo\s(?:{any_of(WEEKDAYS_OF)})\b"
    rf"|\bod\s(?:{any_of(MONTHS_OF)})\sdo\s(?:{any_of(MONTHS_OF)})\b(?!\s\d)",
    re.IGNORECASE,
)
"""In a sentence of what is so each week or each year: "od poniedziałku do piątku"."""


def may_name_a_polish_month(words: Set[str]) -> bool:
    """Return whether a text of these words, in small letters, may name such a month or day."""
    return not words.isdisjoint(_MONTHS) or not words.isdisjoint(WEEKDAYS_OF)


def polish_months_in(text: str, moment: datetime) -> Iterator[Compound]:
    """Yield the months and days of a text which `may_name_a_polish_month`, as seen from `moment`. Linear."""
    if dated_language_of(text) != "pl":
        return
    named: tuple[int, Period] | None = None
    for match in _PATTERN.finditer(text):
        begins, ends = sentence_around(text, match.start(), match.end())
        if _EACH.search(text, begins, ends):
            continue
        if match["there"]:
            month = named[1] if named and named[0] >= begins else None
            period = None if month is None else _days(month.start.year, month.start.month, match["c"], match["d"], moment)
        else:
            period = _period(text, match, moment)
        if period is not None:
            named = (match.start(), period) if match["month"] else named
            yield Compound(match.start(), match.end(), period, "since" if match["since"] else "until" if match["until"] else "")


def _period(text: str, match: re.Match[str], moment: datetime) -> Period | None:
    told = _tense(text, match)
    future, past = told == "future", told == "past"
    if match["day"]:
        day = ENGLISH_WEEKDAYS[WEEKDAYS_OF.index(uncased(match["day"]))]
        return weekday_near(day, moment, "last" if past else "after")
    number = _MONTHS[uncased(match["month"] or match["bound"] or match["of"])]
    year = match["year1"] or match["year2"] or match["year3"]
    if match["stretch"]:
        last = nearest_day(number, int(match["b"]), moment, future=False, past=False)
        if last is not None and not was_just(last, moment):
            last = nearest_day(number, int(match["b"]), moment, future=future, past=past)
        of_year = int(year) if year else last.start.year if last else moment.year
        return _days(of_year, number, match["a"], match["b"], moment)
    begins, ends = sentence_around(text, match.start(), match.end())
    if year or _THIS_YEAR.search(text, begins, ends):
        return periods.month(int(year or moment.year), number, moment.tzinfo)
    if match["since"] and not past:
        near = nearest_month(number, moment, future=False, past=False)
        return near if near is None or near.start - moment < SOON else nearest_month(number, moment, future=False, past=True)
    return nearest_month(number, moment, future=future, past=past)


def _tense(text: str, match: re.Match[str]) -> Tense:
    if match["since"] and _IS_SO.search(text, max(0, match.start() - 40), match.start()):
        return "past"
    begins, ends = sentence_around(text, match.start(), match.end())
    told = "future" if _SUPPOSED.search(text, begins, ends) else tense_of_date(text, match.start(), match.end(), "pl")
    return "future" if match["until"] and told != "past" else told


_THIS_YEAR = lazy_regex(r"\bw tym roku\b", re.IGNORECASE)
_SUPPOSED = lazy_regex(r"\b(?:gdyby\w*|jeśliby|jeżeliby)\b", re.IGNORECASE)
"""Verbs behind these look like pasts."""
_IS_SO = lazy_regex(
    r"\b(?!(?:będę|będziemy|zaczyn|rusz|przechodz|wrac|start|id|jad|wyjeżdż|przeprowadz)\w*)\w{2,}(?:am|em|ę|amy|emy|imy|ymy)\b"
    r"[^.!?;,:]*\Z",
    re.IGNORECASE,
)
"""Before "od" it says what has been so: "mieszkam tu od stycznia", and not "od stycznia pracuję w Opolu"."""


def _days(year: int, month: int, first: str, last: str, moment: datetime) -> Period | None:
    begins, ends = (periods.day(year, month, int(number), moment.tzinfo) for number in (first, last))
    return Period(begins.start, ends.end, "days") if begins and ends and begins.start < ends.start else None
