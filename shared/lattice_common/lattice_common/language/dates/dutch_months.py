"""Months as Dutch names them, and days behind what bounds them: "in mei", "vanaf april", "tot zondag"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from datetime import datetime

from lattice_common.language.dates.compound import Compound
from lattice_common.language.dates.named_days import tense_of_date
from lattice_common.language.dates.phrases import nearest_month, weekday_near
from lattice_common.language.dates.telling import dated_language_of, sentence_around
from lattice_common.language.dates.tense import Tense
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.tables.dutch import MONTHS, WEEKDAYS
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of

_MONTHS = {name: number for number, name in enumerate(MONTHS, start=1)}
_PART = "(?:begin|half|midden|eind|medio) "
_PATTERN = lazy_regex(
    rf"(?<!\w)(?:(?P<until>tot(?: en met)?|t/m) |(?P<since>vanaf|sinds) |in |(?={_PART})|(?P<ahead>naar |voor ))"
    rf"(?:{_PART})?(?:(?P<month>{any_of(_MONTHS)})(?! \d)|(?P<day>{any_of(WEEKDAYS)})(?=\W|\Z))(?!\w)",
    re.IGNORECASE,
)


def may_name_a_dutch_month(words: Set[str]) -> bool:
    """Return whether a text of these words, in small letters, may name such a month or day."""
    return not words.isdisjoint(_MONTHS) or not words.isdisjoint(WEEKDAYS)


def dutch_months_in(text: str, moment: datetime) -> Iterator[Compound]:
    """Yield the months, and the days behind a bound, that a text which `may_name_a_dutch_month` names, as seen from `moment`.
    Linear."""
    if dated_language_of(text) != "nl":
        return
    for match in _PATTERN.finditer(text):
        bound = "until" if match["until"] else "since" if match["since"] else ""
        begins, ends = sentence_around(text, match.start(), match.end())
        if _EACH_YEAR.search(text, begins, ends):
            continue
        told = _tense(text, match, text[begins:ends])
        if match["month"]:
            number = _MONTHS[uncased(match["month"])]
            period = nearest_month(number, moment, future=told == "future", past=told == "past")
        elif bound and not _ANOTHER_DAY.search(text, max(begins, match.start() - 12), match.start()):
            day = ENGLISH_WEEKDAYS[WEEKDAYS.index(uncased(match["day"]))]
            period = weekday_near(day, moment, "last" if match["since"] and told == "past" else "after")
        else:
            continue
        if period is not None:
            yield Compound(match.start(), match.end(), period, bound)


def _tense(text: str, match: re.Match[str], sentence: str) -> Tense:
    if match["ahead"] or match["until"]:
        return "future"
    if match["since"] and uncased(match["since"]) == "sinds":
        return "past"
    told = tense_of_date(text, match.start(), match.end(), "nl")
    return "past" if not told and _DONE.search(sentence) and not _WILL_BE.search(sentence) else told


_ANOTHER_DAY = lazy_regex(rf"\b(?:{any_of(WEEKDAYS)}) \Z", re.IGNORECASE)
_EACH_YEAR = lazy_regex(r"\b(?:elke?|ieder|iedere) (?:jaar|jaor|zomer|winter)\b|\bjaarlijks\w*|\baltijd\b", re.IGNORECASE)
_DONE = lazy_regex(r"\b(?:\w{0,5}ge\w{3,}(?:en|t|d)|verkocht|verhuisd|begonnen)\b", re.IGNORECASE)
"""A participle alone, as notes have it: "pols gebroken in november"."""
_WILL_BE = lazy_regex(
    r"\b(?:word(?:t|en)?|moet|moeten|zal|zullen|ga|gaat|gaan|wil|willen|kan|mag|is|zijn|heb|hebben|heeft)\b", re.IGNORECASE
)
