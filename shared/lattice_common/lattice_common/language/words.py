"""Gives out the words of the tables, of one language or of several together."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lattice_common.language.table import Language
from lattice_common.language.tables import TABLES
from lattice_common.language.tables.german import AUSTRIAN_MONTHS


def months(*languages: Language) -> dict[str, int]:
    """Return names of months, by their numbers."""
    return {name: number for each in languages for name, number in TABLES[each].months.items()}


def short_months(*languages: Language) -> dict[str, int]:
    """Return their abbreviations, without a full stop."""
    return {name: number for each in languages for name, number in TABLES[each].short_months.items()}


def weekdays(*languages: Language) -> dict[str, int]:
    """Return names of weekdays, from 0, Monday."""
    return {name: number for each in languages for name, number in TABLES[each].weekdays.items()}


def short_weekdays(*languages: Language) -> dict[str, int]:
    """Return their abbreviations."""
    return {name: number for each in languages for name, number in TABLES[each].short_weekdays.items()}


def seasons(*languages: Language) -> dict[str, int]:
    """Return names of seasons, by the months in which they begin."""
    return {name: number for each in languages for name, number in TABLES[each].seasons.items()}


def days(*languages: Language) -> dict[str, int]:
    """Return words for days by their distance from today."""
    return {name: distance for each in languages for name, distance in TABLES[each].days.items()}


def stretches(*languages: Language) -> dict[str, tuple[str, int]]:
    """Return words for other units of the calendar, and days among them, by unit and distance."""
    return {name: meant for each in languages for name, meant in TABLES[each].stretches.items()}


def units(*languages: Language) -> dict[str, str]:
    """Return units of the calendar, by their English names."""
    return {name: unit for each in languages for name, unit in TABLES[each].units.items()}


def number_words(first: int, last: int, language: Language = "en") -> dict[str, int]:
    """Return the cardinals of one word from `first` to `last`, in order."""
    return {word: number for word, number in TABLES[language].numbers.items() if first <= number <= last}


def ordinals(first: int, last: int, language: Language = "en") -> dict[str, int]:
    """Return the ordinals from `first` to `last`, in order."""
    return {word: number for word, number in TABLES[language].ordinals.items() if first <= number <= last}


def times(first: int, last: int, language: Language = "en") -> dict[str, int]:
    """Return how often, from `first` to `last`."""
    return {word: number for word, number in TABLES[language].times.items() if first <= number <= last}


def scales(language: Language = "en") -> dict[str, int]:
    """Return what a number is multiplied by."""
    return dict(TABLES[language].scales)


def about(language: Language = "en") -> dict[str, int]:
    """Return numbers that are a guess by their own words."""
    return dict(TABLES[language].about)


def irregular(*languages: Language) -> dict[str, str]:
    """Return irregular forms by the word that they are forms of."""
    return {form: word for each in languages for form, word in TABLES[each].irregular.items()}


def past(language: Language = "en") -> frozenset[str]:
    """Return irregular pasts of verbs; some are other words as well ("read", "rose")."""
    return TABLES[language].past


def people_by_role(language: Language = "en", *, one: bool = False, several: bool = False) -> frozenset[str]:
    """Return words for people by what they are to somebody: with `one` those of whom there is one at a time, with `several`
    plurals."""
    roles = TABLES[language].roles.items()
    return frozenset(word for word, role in roles if role.kind == "person" and role.one == one and role.several == several)


def yearly(*languages: Language) -> tuple[str, ...]:
    """Return beginnings of words for days that come back every year."""
    return tuple(dict.fromkeys(word for each in languages for word in TABLES[each].yearly))


def any_of(words: Iterable[str]) -> str:
    """Return the alternatives of a regular expression, the longest first: none hides another that goes on."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


ENGLISH_MONTHS = tuple(months("en"))
ENGLISH_WEEKDAYS = tuple(weekdays("en"))
MONTHS_IN_DATES = {
    **months("en"), **short_months("en"), **months("de"), **AUSTRIAN_MONTHS, **months("fr", "es", "it", "pt", "ru"),
}  # fmt: skip
"""As they are written beside a day, in all languages."""
CAPITALISED_TIMES = frozenset(
    (*months("en", "de"), *AUSTRIAN_MONTHS, *weekdays("en", "de"), *(f"{day}s" for day in ENGLISH_WEEKDAYS))
)
"""Words for times that are written with a capital as names are, in small letters."""
UNMISTAKABLE_MONTHS = tuple(month for month in ENGLISH_MONTHS if month not in ("march", "may"))
"""Without those that are other words as well."""
