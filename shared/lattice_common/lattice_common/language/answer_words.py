"""In which language an answer speaks, and what it says there around what it quotes: in that of the question, where it is one of
`tables/answer_words.py`, else in English."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from lattice_common.language.dates.mentions import in_words
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.answer_words import ANSWER_WORDS, CONTRACTED, DAYS, MONTHS, SEASONS, WEEKDAYS, WEEKS
from lattice_common.language.words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS, any_of

ENGLISH = "en"
_MONTH = any_of(ENGLISH_MONTHS)
_DAY = lazy_regex(rf"(?P<day>\d{{1,2}}(?: to \d{{1,2}})?) (?P<month>(?i:{_MONTH})) (?P<year>\d{{4}})")
_WHOLE_MONTH = lazy_regex(rf"(?P<month>(?i:{_MONTH})) (?P<year>\d{{4}})")
_SEASON = lazy_regex(r"(?P<season>spring|summer|autumn|winter) (?P<year>\d{4})")
_WEEK = "week of "
_BRACKETED_TIME = lazy_regex(
    rf"\((?P<time>(?:week of )?(?:\d{{1,2}}(?: to \d{{1,2}})? )?(?:{_MONTH}) \d{{4}}|(?:spring|summer|autumn|winter) \d{{4}})\)",
    re.IGNORECASE,
)
"""How a memory has the time that its words name."""
_TIME = "\0"
"""Before a time, so that its article is drawn together with the words before it, and nothing that is quoted changes."""
_SEASONS = ("spring", "summer", "autumn", "winter")
_OF = ("es", "pt")


@lru_cache(maxsize=256)
def answered_in(question: str) -> str:
    """Return the language that an answer to a question speaks."""
    language = language_of(question)
    return language if language is not None and language in ANSWER_WORDS else ENGLISH


def say(question: str, key: str, *values: str) -> str:
    """Return the words of this key in the language of a question, with the values in them: times are as `dates.mentions.written`
    has them, and are told in that language, too."""
    language = answered_in(question)
    times = ((time_in(language, value), value) for value in values)
    told = ANSWER_WORDS[language][key].format(*(f"{_TIME}{time}" if time != value else value for time, value in times))
    for apart, together in CONTRACTED.get(language, {}).items():
        told = told.replace(apart.format(_TIME), together)
    return told.replace(_TIME, "")


def time_in(language: str, time: str) -> str:
    """Return a time that is written in English in another language; unchanged what is no time."""
    if language == ENGLISH:
        return time
    if time.startswith(_WEEK):
        return WEEKS[language].format(_bare(time_in(language, time.removeprefix(_WEEK))))
    if day := _DAY.fullmatch(time):
        return DAYS[language].format(day=day["day"].replace(" to ", "–"), month=_month(language, day["month"]), year=day["year"])
    if month := _WHOLE_MONTH.fullmatch(time):
        return f"{_month(language, month['month'])} {'de ' if language in _OF else ''}{month['year']}"
    if season := _SEASON.fullmatch(time):
        return f"{SEASONS[language].split()[_SEASONS.index(season['season'])]} {season['year']}"
    return time


def with_its_dates(content: str) -> str:
    """Return a statement with the times that stand in brackets behind its own words ("am 12. (12 March 2026)") in the language of
    these words; unchanged where that has none in `ANSWER_WORDS`."""
    if _BRACKETED_TIME.search(content) is None:
        return content
    language = answered_in(_BRACKETED_TIME.sub("", content))
    return _BRACKETED_TIME.sub(lambda found: f"({_bare(time_in(language, found['time']))})", content)


def _bare(time: str) -> str:
    return time.removeprefix("le ").removeprefix("el ")


def weekday_in(question: str, day: date) -> str:
    """Return a day with its weekday in the language of a question: "Tuesday 1 December 2026", "mardi 1 décembre 2026"."""
    language = answered_in(question)
    if language == ENGLISH:
        return f"{ENGLISH_WEEKDAYS[day.weekday()].capitalize()} {in_words(day)}"
    time = _bare(time_in(language, in_words(day)))
    return f"{WEEKDAYS[language].split()[day.weekday()]} {time}"


def _month(language: str, name: str) -> str:
    return MONTHS[language].split()[ENGLISH_MONTHS.index(name.lower())]
