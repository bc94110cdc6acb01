"""Counts of events, and lists: the statements about them, each event once.

A count is what memory holds, by day, so that the reader sees what is missing. Where a statement gives the number itself nothing
is counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Selected
from lattice_common.language.dates.mentions import in_words, resolve
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.language.questions.asked_together import asked_count, bases
from lattice_common.language.questions.matter import Matter, matter_of, said_tokens
from lattice_common.language.text import stem
from lattice_common.language.words import any_of, number_words
from lattice_common.recall.synthesize.reckoning import FEWEST, Reckoning, happened, happened_on

MOST_NAMED = 12
"""Days that a count names."""
MOST_LISTED = 10
"""Statements of a list, one of each capture."""
_NUMBER = rf"(?:\d+|{any_of(number_words(2, 90))})"
_KINDS = ("event", "fact", "habit", "count")
"""Kinds of statements about what happened; not what somebody would like, or decided."""


def count(english: str, pool: Sequence[Selected], now: datetime, period: AskedPeriod | None) -> Reckoning | None:
    """Return a count, or None. `english`: the question as it is read; `pool`: the candidates. Only what has happened by `now`
    counts."""
    _, what = asked_count(english.lower())
    matter = matter_of(english)
    if matter is None:
        return None
    told = [each for each in pool if _tells(each.atom, matter, now, period)]
    if any(_names_number(each.atom.content, what) for each in told):
        return None
    groups = _each_once(sorted(told, key=lambda each: _moment(each.atom)), matter)
    if len(groups) < FEWEST:
        return None
    named = groups[-MOST_NAMED:]
    days = ", ".join(f"{_when(each.atom)} [{n}]" for n, each in enumerate(named, start=1))
    latest = "" if len(named) == len(groups) else " The latest:"
    return Reckoning(f"I count {len(groups)}{':' if not latest else '.'}{latest} {days}.", tuple(named))


def listed(english: str, pool: Sequence[Selected], told: Sequence[Selected]) -> list[Selected]:
    """Return the statements of a list, in order of time: those about the whole subject of the question, and those `told`, which
    answer best."""
    matter = matter_of(english)
    if matter is None:
        return list(told)
    about = [each for each in pool if happened(each.atom) and matter.is_in(each.atom.content, whole=True)]
    found: dict[str, Selected] = {}
    for each in (*told, *about):
        found.setdefault(each.atom.capture_id, each)
    return sorted(list(found.values())[:MOST_LISTED], key=lambda each: _moment(each.atom))


def _tells(atom: Atom, matter: Matter, now: datetime, period: AskedPeriod | None) -> bool:
    moment = _moment(atom)
    inside = period is None or period.first <= moment.timestamp() < period.last
    return happened(atom) and atom.kind in _KINDS and moment <= now and inside and matter.is_in(atom.content, whole=True)


def _moment(atom: Atom) -> datetime:
    return atom.valid_from or atom.observed_at


def _names_number(content: str, what: str | None) -> bool:
    if what is None:
        return False
    noun = stem(what.split()[-1])
    behind = re.finditer(rf"\b{_NUMBER} (?:[\w'-]+ )?([\w'-]+)", content.lower())
    return any(noun in bases(match[0]) for match in behind)


def _each_once(told: Sequence[Selected], matter: Matter) -> list[Selected]:
    """Return one statement of each capture; announcements and repetitions of an event count once."""
    found: list[Selected] = []
    for each in told:
        if not any(_same(each.atom, other.atom, matter) for other in found):
            found.append(each)
    return found


def _same(one: Atom, other: Atom, matter: Matter) -> bool:
    if one.capture_id == other.capture_id:
        return True
    apart = (said_tokens(one.content) & said_tokens(other.content)) - matter.tokens
    return bool(apart) and any(_within(early, late) for early, late in ((one, other), (other, one)))


def _within(wide: Atom, narrow: Atom) -> bool:
    """Return whether the time that one names holds the day of the other."""
    day = happened_on(narrow)
    mentions = resolve(wide.content, wide.observed_at)
    return day is not None and any(
        mention.precision != "year" and mention.whole[0].date() <= day < mention.whole[1].date() for mention in mentions
    )


def _when(atom: Atom) -> str:
    day = happened_on(atom)
    return in_words(day if day is not None else atom.observed_at)
