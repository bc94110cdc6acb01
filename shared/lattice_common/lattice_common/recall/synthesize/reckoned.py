"""What an answer reckons itself, without a language model: totals that are asked for as such, and how far a day is from today.

It adds only amounts of one unit that stand in statements which are so and share what the question is about, and says what it
added: whoever reads it sees what is missing. In doubt it reckons nothing, and the statements answer for themselves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from lattice_common.domain.atom import Atom
from lattice_common.domain.dates import DateMention, resolve
from lattice_common.domain.recall import Selected
from lattice_common.domain.text import analyze, stem
from lattice_common.recall.question import Question
from lattice_common.recall.tools import date_diff, plain, sum_numbers

_TOTAL = re.compile(r"\b(?:in all|all in all|altogether|in total|total|so far|adds? up|added up|sum)\b")
_MONEY_ASKED = re.compile(r"\b(?:how much|costs?|paid|pay|spent|spend|owed?|earned?|money|price)\b")
_MANY = re.compile(r"\bhow many (\w+)")
_SIGNS = {"€": "euros", "$": "dollars", "£": "pounds"}
_CURRENCIES = {
    "euro": "euros", "euros": "euros", "eur": "euros", "dollar": "dollars", "dollars": "dollars", "usd": "dollars",
    "pound": "pounds", "pounds": "pounds", "quid": "pounds", "gbp": "pounds", "franc": "francs", "francs": "francs",
    "chf": "francs", "zloty": "zloty", "pln": "zloty",
}  # fmt: skip
_FIGURE = r"\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_AMOUNT = re.compile(
    rf"(?P<sign>[€$£]) ?(?P<after>{_FIGURE})(?![\d.,]*\d)|(?<![\d.,])(?P<before>{_FIGURE}) ?(?P<unit>[€$£]|[a-z]+)"
)
_RATE = re.compile(r"^ ?(?:a|an|per|each|every|/) ?(?:hour|day|night|week|month|quarter|year|piece|person|head|kilo|litre|metre)")
_AROUND_AMOUNTS = """
    cost costs pay paid spend spent total much many all altogether so far money price sum add adds added up euro owe owed
    earn earned
"""
_NOT_OF_THE_MATTER = frozenset(map(stem, _AROUND_AMOUNTS.split()))
"""Stems of what a question for a total says beside what it is about."""
FEWEST = 2
"""Amounts that are worth adding."""

_UNTIL = re.compile(
    r"\bhow (?:long|soon|many (?:days|weeks|months))\b.*\b(?:until|till|before|left|to go)\b|\bhow soon (?:is|are)\b"
)
_AGO = re.compile(r"\bhow (?:long|many (?:days|weeks|months|years)) ago\b|\bhow long (?:is it|has it been) since\b")
_LASTING = re.compile(r"\b(?:for )?how (?:long|many (?:months|years)) (?:have|has) (?:i|we|he|she|they|[a-z]+)\b(?! to\b)")
_AGE = re.compile(r"\bhow old (?:is|am|are|'s)\b")
_BORN = re.compile(r"\b(?:born|birthday|geboren)\b")


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A first sentence, with the places of its sources from 1 in `used`."""

    text: str
    used: tuple[Selected, ...]


def reckoned(question: Question, told: Sequence[Selected], chosen: Sequence[Selected], now: datetime) -> Reckoning | None:
    """What can be reckoned from what was found, or None. `told` is what the answer would say, the best first."""
    lowered = question.text.lower()
    if _TOTAL.search(lowered):
        return _total(question, lowered, chosen)
    return _distance(lowered, told, now)


def _total(question: Question, lowered: str, chosen: Sequence[Selected]) -> Reckoning | None:
    many = _MANY.search(lowered)
    if many is None and not _MONEY_ASKED.search(lowered):
        return None
    wanted = None if many is None else stem(many[1])
    matter = {token for token in question.tokens if token not in _NOT_OF_THE_MATTER} - {wanted}
    if not matter:
        return None
    found: dict[str, tuple[Selected, str, Decimal, str]] = {}
    for each in chosen:
        content = each.atom.content
        if not _is_so(each) or len(matter & set(analyze(content))) < math.ceil(len(matter) / 2):
            continue
        amounts = list(_amounts(content, wanted))
        if _TOTAL.search(content.lower()) and amounts:
            return None  # somebody has added it up already
        if len(amounts) == 1:
            found.setdefault(content.casefold(), (each, *amounts[0]))
    units = {unit for *_, unit in found.values()}
    if len(found) < FEWEST or len(units) != 1:
        return None
    total = sum_numbers([amount for _, _, amount, _ in found.values()])
    parts = " + ".join(f"{figure} [{n}]" for n, (_, figure, _, _) in enumerate(found.values(), start=1))
    return Reckoning(
        f"In all {_grouped(total, cents=wanted is None)} {units.pop()}: {parts}.", tuple(each for each, *_ in found.values())
    )


def _is_so(selected: Selected) -> bool:
    atom = selected.atom
    return atom.status in ("asserted", "past") and not atom.is_superseded and selected.outdated_by is None


def _amounts(content: str, wanted: str | None) -> Iterator[tuple[str, Decimal, str]]:
    """Figure, amount and unit of each amount of money, or of what is wanted; a rate is none."""
    lowered = content.lower()
    for match in _AMOUNT.finditer(lowered):
        figure = match["after"] or match["before"]
        word = match["sign"] or match["unit"]
        currency = _SIGNS.get(word) or _CURRENCIES.get(word)
        unit = currency if wanted is None else word if stem(word) == wanted else None
        if unit and not _RATE.match(lowered[match.end() :]):
            yield figure, _number(figure), unit


def _number(figure: str) -> Decimal:
    """Of a figure as people write it: 1,200 and 1.200 and 1 200 are thousands, 12,50 and 12.50 are not."""
    groups = re.split(r"[.,' ]", figure)
    if len(groups) > 1 and len(groups[-1]) < 3:
        return Decimal(f"{''.join(groups[:-1])}.{groups[-1]}")
    return Decimal("".join(groups))


def _grouped(number: Decimal, *, cents: bool) -> str:
    whole, _, rest = plain(number).partition(".")
    return f"{int(whole):,}" + (f".{rest.ljust(2, '0') if cents else rest}" if rest else "")


def _distance(lowered: str, told: Sequence[Selected], now: datetime) -> Reckoning | None:
    if not told or not _is_near(told[0]):
        return None
    best, today = told[0], now.date()
    mention = _day_of(best.atom)
    if mention is None:
        return None
    day = mention.whole[0].date()
    exact = mention.precision in ("day", "hour", "minute")
    said = f"{day.day} {day:%B %Y}" if exact else f"{day:%B %Y}" if mention.precision == "month" else f"{day.year}"
    if _AGE.search(lowered):
        years = date_diff(day, today)["years"]
        sure = exact and _BORN.search(best.atom.content.lower()) and mention.phrase[-4:].isdigit() and years >= 0
        return Reckoning(f"{years} years old: born on {said} [1].", (best,)) if sure else None
    if exact and _UNTIL.search(lowered) and day >= today:
        days = (day - today).days
        lead = "Today" if days == 0 else "Tomorrow" if days == 1 else f"In {days} days"
        return Reckoning(f"{lead}, on {said} [1].", (best,))
    if day >= today:
        return None
    if _AGO.search(lowered):
        return Reckoning(f"{_apart(day, today, exact)} ago, {'on' if exact else 'in'} {said} [1].", (best,))
    if _LASTING.search(lowered) and mention.valid_until is None:
        return Reckoning(f"{_apart(day, today, exact)}, since {said} [1].", (best,))
    return None


def _is_near(selected: Selected) -> bool:
    return _is_so(selected) or (selected.atom.status == "planned" and not selected.atom.is_superseded)


def _day_of(atom: Atom) -> DateMention | None:
    """The only time that an atom names."""
    mentions = resolve(atom.content, atom.observed_at)
    if len({mention.whole[0].date() for mention in mentions}) != 1:  # "3 December (3 December 2026) at 9" is one
        return None
    return next((mention for mention in mentions if mention.precision in ("minute", "hour", "day", "month", "year")), None)


def _apart(early: date, late: date, exact: bool) -> str:
    apart = date_diff(early, late)
    years, months, days = apart["years"], apart["months"] % 12, apart["days"]
    if exact and days < 14:
        return _counted(days, "day")
    if exact and not years and not apart["months"]:
        return _counted(apart["weeks"], "week")
    parts = [_counted(count, unit) for count, unit in ((years, "year"), (months, "month")) if count]
    about = " and ".join(parts) or "less than a month"
    return about if exact else f"About {about}" if parts else about.capitalize()


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"
