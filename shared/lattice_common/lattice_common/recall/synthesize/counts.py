"""Counts of events, lists, and the first and last of them: the statements about them, each event once.

A count is what memory holds, by day, so that the reader sees what is missing. Where a statement gives the number itself nothing
is counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Selected
from lattice_common.language.dates.mentions import in_words, resolve
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.language.questions.asked_together import asked_count, asked_doing, asked_occasion, bases
from lattice_common.language.questions.matter import Matter, matter_of, said_tokens
from lattice_common.language.questions.of_the_other_one import speaks_of_the_other_one
from lattice_common.language.text import stem
from lattice_common.language.words import any_of, number_words
from lattice_common.recall.synthesize.reckoning import FEWEST, Reckoning, happened, happened_on, tells_anew, was_so

MOST_NAMED = 12
"""Days that a count names."""
MOST_LISTED = 10
"""Statements of a list, one of each capture."""
LIKELY_LISTED, LIKELY_COUNTED = 0.03, 0.15
"""Chance by the judge from which a statement that has the verb of a question is about what it asks for, though it lacks the word
for that: "Finished reading Middlemarch" about "Which books did I read?", and not "Saw Tom" about "Which films did I see?". A
count is wrong with one too many; of a list the judge gives each of several statements little."""
FAR_LESS = 0.05
"""Of the chance of the likeliest, below which a statement tells of no such occasion."""
_NUMBER = rf"(?:\d+|{any_of(number_words(2, 90))})"
_KINDS = ("event", "fact", "habit", "count")
"""Kinds of statements about what happened; not what somebody would like, or decided."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question for a count or a list is about: all its words; or one of its verbs and what else it says, where the judge
    gives a statement `likely`. `chances`: the judge's, by id."""

    matter: Matter
    verbs: frozenset[str] = frozenset()
    rest: Matter | None = None
    chances: Mapping[str, float] = field(default_factory=dict)
    likely: float = 1.0

    def is_in(self, atom: Atom) -> bool:
        if self.matter.is_in(atom.content, whole=True):
            return True
        if self.chances.get(atom.atom_id, 0.0) < self.likely:
            return False
        return not self.verbs.isdisjoint(said_tokens(atom.content)) and (self.rest is None or self.rest.is_in(atom.content))


def _asked(english: str, chances: Mapping[str, float], likely: float) -> _Asked | None:
    matter = matter_of(english)
    if matter is None:
        return None
    doing = asked_doing(english.lower())
    return _Asked(matter, doing.verbs, matter_of(doing.rest), chances, likely) if doing else _Asked(matter)


def count(
    english: str, pool: Sequence[Selected], now: datetime, period: AskedPeriod | None, chances: Mapping[str, float]
) -> Reckoning | None:
    """Return a count, or None. `english`: the question as it is read; `pool`: the candidates; `chances`: the judge's, by id. Only
    what has happened by `now` counts."""
    _, what = asked_count(english.lower())
    asked = _asked(english, chances, LIKELY_COUNTED)
    if asked is None:
        return None
    told = [each for each in pool if _tells(each.atom, asked, now, period)]
    by_id = {each.atom.atom_id: each.atom for each in pool}
    told = [each for each in told if not _told_anew(each.atom, by_id, asked.matter)]
    if any(_names_number(each.atom.content, what) for each in told):
        return None
    groups = _each_once(sorted(told, key=lambda each: _moment(each.atom)), asked)
    if len(groups) < FEWEST:
        return None
    named = groups[-MOST_NAMED:]
    days = ", ".join(f"{_when(each.atom)} [{n}]" for n, each in enumerate(named, start=1))
    latest = "" if len(named) == len(groups) else " The latest:"
    return Reckoning(f"I count {len(groups)}{':' if not latest else '.'}{latest} {days}.", tuple(named))


def occasion(
    english: str,
    pool: Sequence[Selected],
    now: datetime,
    period: AskedPeriod | None,
    chances: Mapping[str, float],
    *,
    first: bool,
) -> Reckoning | None:
    """Return the day of the first or the last time that something happened, as far as memory has it, or None. Arguments as those
    of `count`. Of what the judge has read, what it finds far less likely than the likeliest to answer is left out."""
    asked = _asked(asked_occasion(english), chances, LIKELY_COUNTED)
    if asked is None:
        return None
    told = [
        each
        for each in pool
        if _tells(each.atom, asked, now, period)
        and (day := happened_on(each.atom)) is not None
        and day <= now.date()
        and not speaks_of_the_other_one(english, each.atom.content)
    ]
    surest = max((chances.get(each.atom.atom_id, 0.0) for each in told), default=0.0)
    told = [each for each in told if chances.get(each.atom.atom_id, 0.0) >= FAR_LESS * surest]
    if not told:
        return None
    best = (min if first else max)(told, key=lambda each: _moment(each.atom))
    return Reckoning(f"The {'first' if first else 'last'} time that I know of: {_when(best.atom)} [1].", (best,))


def listed(
    english: str,
    pool: Sequence[Selected],
    told: Sequence[Selected],
    period: AskedPeriod | None,
    chances: Mapping[str, float],
) -> list[Selected]:
    """Return the statements of a list, in order of time: those about the whole subject of the question, and those `told`, which
    answer best, where they tell of the same."""
    asked = _asked(english, chances, LIKELY_LISTED)
    if asked is None:
        return list(told)
    about = [each for each in pool if happened(each.atom) and _lies_in(each.atom, period) and asked.is_in(each.atom)]
    if len(about) >= FEWEST and asked.verbs:
        told = [each for each in told if asked.is_in(each.atom)]
    found: dict[str, Selected] = {}
    for each in (*told, *about):
        found.setdefault(each.atom.capture_id, each)
    return sorted(list(found.values())[:MOST_LISTED], key=lambda each: _moment(each.atom))


def _tells(atom: Atom, asked: _Asked, now: datetime, period: AskedPeriod | None) -> bool:
    return was_so(atom) and atom.kind in _KINDS and _moment(atom) <= now and _lies_in(atom, period) and asked.is_in(atom)


def _told_anew(atom: Atom, by_id: Mapping[str, Atom], matter: Matter) -> bool:
    """Return whether what replaced a statement denies it or tells of the same event; what a later one only ended has happened."""
    newer = by_id.get(atom.superseded_by or "")
    return newer is not None and (not was_so(newer) or tells_anew(newer, atom, matter))


def _lies_in(atom: Atom, period: AskedPeriod | None) -> bool:
    return period is None or period.first <= _moment(atom).timestamp() < period.last


def _moment(atom: Atom) -> datetime:
    return atom.valid_from or atom.observed_at


def _names_number(content: str, what: str | None) -> bool:
    if what is None:
        return False
    noun = stem(what.split()[-1])
    behind = re.finditer(rf"\b{_NUMBER} (?:[\w'-]+ )?([\w'-]+)", content.lower())
    return any(noun in bases(match[0]) for match in behind)


def _each_once(told: Sequence[Selected], asked: _Asked) -> list[Selected]:
    """Return one statement of each capture; announcements and repetitions of an event count once."""
    found: list[Selected] = []
    for each in told:
        if not any(_same(each.atom, other.atom, asked) for other in found):
            found.append(each)
    return found


def _same(one: Atom, other: Atom, asked: _Asked) -> bool:
    if one.capture_id == other.capture_id:
        return True
    apart = (said_tokens(one.content) & said_tokens(other.content)) - asked.matter.tokens
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
