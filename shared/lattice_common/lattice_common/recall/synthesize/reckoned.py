"""Computed answers without a language model: debts, what is left, totals, counts, spans between two things, and the distance of
a day from today. They say what they were computed from; in doubt nothing is computed, and the statements answer for
themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime

from lattice_common.domain.recall import Selected
from lattice_common.language.dates.mentions import in_words
from lattice_common.language.dates.yearly import last_yearly, next_yearly
from lattice_common.language.debts import asked_debt
from lattice_common.language.questions.asked_together import asked_count, asked_together
from lattice_common.language.words import MONTHS_IN_DATES, any_of
from lattice_common.recall.answerable import named_in
from lattice_common.recall.gather import Part
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.counts import count, occasion
from lattice_common.recall.synthesize.debts import debt
from lattice_common.recall.synthesize.reckoning import (
    EXACT,
    Reckoning,
    counted,
    day_of,
    is_so,
    years_and_months,
)
from lattice_common.recall.synthesize.remaining import remaining
from lattice_common.recall.synthesize.spans import span
from lattice_common.recall.synthesize.totals import total
from lattice_common.recall.tools import date_diff

GROWN = 3
"""Years from which an age is given without months."""
_UNTIL = re.compile(
    r"\bhow (?:long|soon|many (?:days|weeks|months))\b(?! (?:may|can|could|must|should|might|did)\b)"
    r".*\b(?:until|till|before|left|to go)\b|\bhow soon (?:is|are)\b"
)
_AGO = re.compile(r"\bhow (?:long|many (?:days|weeks|months|years)) ago\b|\bhow long (?:is it|has it been) since\b")
_LASTING = re.compile(r"\b(?:for )?how (?:long|many (?:months|years)) (?:have|has) (?:i|we|he|she|they|[a-z]+)\b(?! to\b)")
_AGE = re.compile(r"\bhow old (?:is|am|are|'s)\b")
_BIRTH = (
    r"\b{name}\b(?!['’]s)[^.;]{{0,40}}\b(?:(?:was|is|were|are) born|geboren)\b|\b{name}['’]s (?:date of birth|birthday)\b|"
    r"\bborn[:,] [^.;]*\b{name}\b|\bgave birth to\b[^.;]{{0,40}}\b{name}\b|"
    r"\bhad (?:an?|the|their|her|our|his) (?:\w+ ){{0,3}}(?:baby|girl|boy|son|daughter|twins)\b[^.;]{{0,40}}\b{name}\b"
)
"""Tells the birth of somebody, and not of a child of theirs."""
_MONTH_NAMED = re.compile(rf"\b(?:{any_of(MONTHS_IN_DATES)})\b", re.IGNORECASE)
_BORN = re.compile(r"\b(?:born|birthday|geboren)\b")


def reckoned(
    question: Question,
    told: Sequence[Selected],
    pool: Sequence[Selected],
    now: datetime,
    parts: Sequence[Part] = (),
    chances: Mapping[str, float] | None = None,
) -> Reckoning | None:
    """Return what can be computed from the results, or None. `told` is what the answer would say, the best first; `pool` the
    candidates for a total or a count; `parts` the results for the two ends of a span; `chances` the judge's, by id."""
    together = asked_together(question.text)
    if together.span is not None:
        near = _distance(together.english.lower(), told, now) if together.span.ago else None
        made = near or (span(together.span, parts, now.date()) if parts else None)
        if made is not None:
            return made
    match together.gathering:
        case "debt":
            asked = asked_debt(together.english)
            return debt(asked, pool, question.meant) if asked else None
        case "left":
            return remaining(together.stock, pool) if together.stock else None
        case "total":
            # "How many books did I read so far?": amounts of that unit, or else how often it was.
            made = total(together.english, pool, question.period)
            asks_count = made is None and asked_count(together.english.lower())[0]
            return count(together.english, pool, now, question.period, chances or {}) if asks_count else made
        case "count":
            # "How many metres did I swim?": how often it was, or else what the statements give in that unit.
            often = count(together.english, pool, now, question.period, chances or {})
            return often or total(together.english, pool, question.period)
        case "first" | "latest":
            return occasion(together.english, pool, now, question.period, chances or {}, first=together.gathering == "first")
        case _:
            lowered = together.english.lower()
            of_somebody = _AGE.search(lowered) and named_in(question)
            return _age(question, pool, now) if of_somebody else _distance(lowered, told, now)


def _age(question: Question, pool: Sequence[Selected], now: datetime) -> Reckoning | None:
    """Return how old somebody is whose birth a statement tells with its day."""
    for name in named_in(question):
        told = re.compile(_BIRTH.format(name=re.escape(name)), re.IGNORECASE)
        for each in pool:
            mention = day_of(each.atom) if is_so(each) and told.search(each.atom.content) else None
            if mention is None or mention.precision not in EXACT:
                continue
            day = mention.whole[0].date()
            if day > now.date() or (_MONTH_NAMED.search(mention.phrase) and not mention.phrase[-4:].isdigit()):
                continue  # "on 3 May" may be of any year
            return Reckoning(f"{_old(day, now.date())} old: born on {in_words(day)} [1].", (each,))
    return None


def _old(day: date, today: date) -> str:
    apart = date_diff(day, today)
    if apart["years"] >= GROWN:
        return counted(apart["years"], "year")
    if apart["months"]:
        return " and ".join(years_and_months(day, today))
    return counted(apart["weeks"], "week") if apart["weeks"] > 1 else counted(apart["days"], "day")


def _distance(lowered: str, told: Sequence[Selected], now: datetime) -> Reckoning | None:
    if not told or not _is_near(told[0]):
        return None
    best, today = told[0], now.date()
    if _UNTIL.search(lowered) and (coming := next_yearly(best.atom.content, today)):
        return Reckoning(f"{_ahead(coming, today)}, on {in_words(coming)} [1].", (best,))
    mention = day_of(best.atom)
    if mention is None:
        gone = last_yearly(best.atom.content, today) if _AGO.search(lowered) else None
        return Reckoning(f"{_apart(gone, today, exact=True)} ago, on {in_words(gone)} [1].", (best,)) if gone else None
    day = mention.whole[0].date()
    exact = mention.precision in EXACT
    said = in_words(day) if exact else f"{day:%B %Y}" if mention.precision == "month" else f"{day.year}"
    if _AGE.search(lowered):
        years = date_diff(day, today)["years"]
        sure = exact and _BORN.search(best.atom.content.lower()) and mention.phrase[-4:].isdigit() and years >= 0
        return Reckoning(f"{years} year{'s' if years != 1 else ''} old: born on {said} [1].", (best,)) if sure else None
    if exact and _UNTIL.search(lowered) and day >= today:
        return Reckoning(f"{_ahead(day, today)}, on {said} [1].", (best,))
    if day >= today:
        return None
    if _AGO.search(lowered):
        return Reckoning(f"{_apart(day, today, exact)} ago, {'on' if exact else 'in'} {said} [1].", (best,))
    if _LASTING.search(lowered) and mention.valid_until is None:
        return Reckoning(f"{_apart(day, today, exact)}, since {said} [1].", (best,))
    return None


def _ahead(day: date, today: date) -> str:
    days = (day - today).days
    return "Today" if days == 0 else "Tomorrow" if days == 1 else f"In {days} days"


def _is_near(selected: Selected) -> bool:
    return is_so(selected) or (selected.atom.status == "planned" and not selected.atom.is_superseded)


def _apart(early: date, late: date, exact: bool) -> str:
    apart = date_diff(early, late)
    days = apart["days"]
    if exact and days < 14:
        return counted(days, "day")
    if exact and not apart["months"]:
        return counted(apart["weeks"], "week")
    parts = years_and_months(early, late)
    about = " and ".join(parts) or "less than a month"
    return about if exact else f"About {about}" if parts else about.capitalize()
