"""A sentence that an answer computes from statements, and what all of its kinds share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Selected
from lattice_common.language.dates.mentions import DateMention, resolve
from lattice_common.language.dates.yearly import yearly_day
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.questions.asked_together import NOT_OF_THE_MATTER
from lattice_common.language.questions.matter import Matter, said_tokens
from lattice_common.language.words import any_of, ordinals, weekdays
from lattice_common.recall.tools import date_diff, plain

EXACT = ("day", "hour", "minute")
"""Precisions of a time that names a day."""
FEWEST = 2
"""Least number of statements to add or count."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A first sentence, with the positions of its sources from 1 in `used`."""

    text: str
    used: tuple[Selected, ...]


def is_so(selected: Selected) -> bool:
    """Return whether it says what is or was so, nothing newer may have ended it, and it holds already."""
    return happened(selected.atom) and selected.outdated_by is None and selected.after is None


def happened(atom: Atom) -> bool:
    """Return whether it says what is or was so. What happened stays so, whatever was said later."""
    return was_so(atom) and not atom.is_superseded


def was_so(atom: Atom) -> bool:
    return atom.status in ("asserted", "past")


_ANOTHER = lazy_regex(
    r"\b(?:another|again|this time|more|extra|next|also|too|"
    rf"(?:{any_of(ordinals(2, 20))})|\d+(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)


def tells_anew(newer: Atom, older: Atom, matter: Matter) -> bool:
    """Return whether a statement tells what an older one told, and not of the next such thing: beside the matter and numbers it
    says all that the older one says."""
    if _ANOTHER.search(newer.content):
        return False
    besides = said_tokens(older.content) - matter.tokens - NOT_OF_THE_MATTER
    return {each for each in besides if not each[0].isdigit()} <= said_tokens(newer.content)


def day_of(atom: Atom) -> DateMention | None:
    """Return the only time that an atom names."""
    mentions = resolve(atom.content, atom.observed_at)
    if len({mention.whole[0].date() for mention in mentions}) != 1:  # "3 December (3 December 2026) at 9" is one
        return None
    return next((mention for mention in mentions if mention.precision in (*EXACT, "month", "year")), None)


def happened_on(atom: Atom) -> date | None:
    """Return the day that it names, or on which it was told, where it names no time; None where that is no day, or one that comes
    back every year, or where it is done again and again."""
    if not resolve(atom.content, atom.observed_at):
        return None if yearly_day(atom.content) or _RECURS.search(atom.content) else atom.observed_at.date()
    mention = day_of(atom)
    return mention.whole[0].date() if mention is not None and mention.precision in EXACT else None


_RECURS = lazy_regex(
    r"\b(?:(?:every|each) (?:other |second |third |few |couple of )?(?:\d+ )?(?:day|night|week|weekend|month|year|morning|"
    rf"evening|{any_of(weekdays('en'))})s?|always|usually|normally|daily|weekly|monthly|yearly|annually)\b",
    re.IGNORECASE,
)


def counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"


def years_and_months(early: date, late: date) -> list[str]:
    apart = date_diff(early, late)
    return [counted(count, unit) for count, unit in ((apart["years"], "year"), (apart["months"] % 12, "month")) if count]


def grouped(number: Decimal, *, cents: bool) -> str:
    """Return a number with thousands apart; `cents`: what is behind the point has two digits."""
    whole, _, rest = plain(number).partition(".")
    return f"{int(whole):,}" + (f".{rest.ljust(2, '0') if cents else rest}" if rest else "")
