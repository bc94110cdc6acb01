"""The time between two things, since one, or the duration of one: from the days that statements name, or on which they were told,
which is said then. In doubt which statement is meant, nothing is computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Selected
from lattice_common.language.dates.mentions import DateMention, in_words, resolve, written
from lattice_common.language.dates.yearly import next_yearly, yearly_day
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.names import names_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.questions.asked_together import BEGINS, ENDS, LEANS, Span
from lattice_common.language.questions.happenings import IS_OVER, Happening, happenings_in
from lattice_common.language.questions.matter import Matter, matter_of, said_tokens
from lattice_common.language.text import analyze, stem
from lattice_common.language.vocabulary import vocabulary
from lattice_common.recall.gather import Part
from lattice_common.recall.synthesize.reckoning import EXACT, Reckoning, counted, is_so, years_and_months
from lattice_common.recall.tools import date_diff

LOOKED_AT = 8
"""Best statements of each of the two things that are considered."""
HELD = 0.6
"""Share of the words for a thing that its statement must contain."""
ONLY_NAMED = 0.5
"""What the noun for a happening counts ("a gift for the wedding") in a statement that neither tells it nor names its day."""
WEEKS_UP_TO = 91
"""Days up to which a span is given in days and weeks; beyond, in months and years."""
_ABOUT = {"week": 7, "weekend": 3, "month": 31}
"""Precisions of a time of which "about" so many days, weeks or months can be said."""
FEWEST_LETTERS = 4
"""Letters of a clause before the time that it names."""
_STATES = frozenset(map(stem, vocabulary("stay work live last visit rent wear keep own")))
"""What somebody did for a time is seldom said where it begins or ends."""
_BEGIN_OR_END = (BEGINS, ENDS)
_CLAUSE = lazy_regex(r"[,;:]\s+|\s+(?:and|but|so)\s+")


@dataclass(frozen=True, slots=True)
class _When:
    """A day, as precise as `precision`, and how it is told; `told`: it is the one on which it was told."""

    day: date
    words: str
    precision: str = "day"
    told: bool = False


@dataclass(frozen=True, slots=True)
class _Thing:
    """One end of a span: the happenings in it, and the rest of its words."""

    happenings: tuple[Happening, ...]
    rest: Matter | None

    def share(self, content: str, *, dated: bool) -> float:
        """Return the part of it that a statement says, 0 to 1."""
        lowered = in_english(content).lower()
        held = 0.0
        for each in self.happenings:
            if each.told.search(lowered):
                held += 1
            elif each.named.search(lowered):
                held += 1 if dated else ONLY_NAMED
        if self.rest is not None:
            held += len(self.rest.tokens & said_tokens(content))
        return held / (len(self.happenings) + (len(self.rest.tokens) if self.rest else 0))

    def tells(self, content: str) -> bool:
        lowered = in_english(content).lower()
        return all(each.told.search(lowered) for each in self.happenings)


def span(asked: Span, parts: Sequence[Part], today: date) -> Reckoning | None:
    """Return a span, or None. `parts`: the results for each of the two things, or for the one that lasted."""
    found = [each for part in parts for each in part.chosen[:LOOKED_AT]]
    if asked.until_now:
        return _since(asked, [each for each in found if is_so(each)], today)
    if asked.second is None:
        begin, end = _ends_of(asked.first, found, today)
    else:
        both = ((asked.first, asked.second), (asked.second, asked.first))
        begin, end = (_best(*texts, part.chosen[:LOOKED_AT], today) for texts, part in zip(both, parts, strict=True))
    if begin is None or end is None or begin[0].atom.atom_id == end[0].atom.atom_id:
        return None
    (first, early), (second, late) = sorted((begin, end), key=lambda each: each[1].day)
    apart = _apart(early, late, asked.unit)
    if apart is None:
        return None
    return Reckoning(f"{apart}: from {early.words} [1] to {late.words} [2]{_told_then(early, late)}.", (first, second))


def _since(asked: Span, found: Sequence[Selected], today: date) -> Reckoning | None:
    best = _best(asked.first, "", found, today)
    if best is None or best[1].day >= today:
        return None
    selected, when = best
    of_it = {token for name in names_of(selected.atom.content) for token in analyze(name.word)}
    if any(_ends_it(each.atom, of_it, when.day) for each in found):
        return None
    apart = _apart(when, _When(today, ""), asked.unit)
    if apart is None:
        return None
    at = f"ago, {'in' if when.precision == 'month' else 'on'}" if asked.ago and when.precision in (*EXACT, "month") else ", since"
    return Reckoning(f"{apart}{'' if at[0] == ',' else ' '}{at} {when.words} [1]{_told_then(when)}.", (selected,))


def _ends_it(atom: Atom, names: Set[str], since: date) -> bool:
    """Return whether a later statement tells the end of what has one of these names: "Stoof died"."""
    return atom.observed_at.date() > since and not names.isdisjoint(analyze(atom.content)) and bool(IS_OVER.search(atom.content))


def _told_then(*both: _When) -> str:
    """Return how it is said that a day is the one on which something was told."""
    told = [n for n, each in enumerate(both, start=1) if each.told]
    if not told:
        return ""
    return ", by when it was told" if len(told) == len(both) else f", [{told[0]}] by when it was told"


def _thing(text: str) -> _Thing | None:
    happenings = happenings_in(text)
    rest = text
    for each in happenings:
        rest = each.without(rest)
    matter = matter_of(rest)
    return _Thing(happenings, matter) if happenings or matter else None


def _best(text: str, other: str, found: Sequence[Selected], today: date) -> tuple[Selected, _When] | None:
    """Return the statement with most of the words, with its day; of equals the one that says more about the other thing, where
    the text refers to that ("its oil change"), then one that tells what happened and names its day, else the first."""
    turned = next((pattern for pattern in _BEGIN_OR_END if pattern.search(text)), None)
    thing = _thing(text) or (_thing(turned.sub(" ", text)) if turned else None)
    bare = thing if turned is None or thing is None or thing.happenings else _thing(turned.sub(" ", text))
    if bare is None:
        return None
    leant_on = matter_of(other) if LEANS.search(text) else None
    fitting = [
        (
            bare.share(each.atom.content, dated=not when.told),
            leant_on.share(each.atom.content) if leant_on else 0.0,
            bare.tells(each.atom.content) + (not when.told),
            -place,
            each,
            when,
        )
        for place, (each, when) in enumerate(_dated(found, today, bare))
        if turned is None or bare.happenings or turned.search(each.atom.content)
    ]
    share, *_, selected, when = max(fitting, key=lambda each: each[:4], default=(0.0, None, None))
    return (selected, when) if selected is not None and when is not None and share >= HELD else None


def _ends_of(
    text: str, found: Sequence[Selected], today: date
) -> tuple[tuple[Selected, _When] | None, tuple[Selected, _When] | None]:
    """Return the beginning and the end of what lasted; none where there are several of either."""
    matter, lasted = matter_of(text), matter_of(text, _STATES)
    if matter is None:
        return None, None
    about = [
        (each, when)
        for each, when in _dated(found, today, None)
        if matter.is_in(each.atom.content) or (lasted is not None and lasted.is_in(each.atom.content, whole=True))
    ]
    return _only(about, BEGINS, ENDS), _only(about, ENDS, BEGINS)


def _only(
    about: Sequence[tuple[Selected, _When]], pattern: re.Pattern[str], other: re.Pattern[str]
) -> tuple[Selected, _When] | None:
    fitting = {
        when.day: (each, when)
        for each, when in about
        if pattern.search(each.atom.content) and not other.search(each.atom.content)
    }
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def _dated(found: Sequence[Selected], today: date, thing: _Thing | None) -> Iterator[tuple[Selected, _When]]:
    """Yield each with its time; of a yearly one without a year, the next."""
    for each in found:
        if each.atom.status not in ("asserted", "past", "planned"):
            continue
        when = _when(each.atom, thing)
        coming = None if when else next_yearly(each.atom.content, today)
        if coming is not None:
            when = _When(coming, in_words(coming))
        if when is not None:
            yield each, when


def _when(atom: Atom, thing: _Thing | None) -> _When | None:
    """Return the time that an atom names for a thing, else that of its telling; None where what it names is no such time."""
    mentions: Sequence[DateMention] = resolve(atom.content, atom.observed_at)
    if not mentions and yearly_day(atom.content):
        return None
    if not mentions or (thing is not None and _is_of_later(atom, mentions, thing)):
        day = atom.observed_at.date()
        return _When(day, in_words(day), told=True)
    if thing is not None:
        mentions = _of_its_clause(atom.content, mentions, thing)
    starts = {each.whole[0].date() for each in mentions}
    exact = next((each for each in mentions if each.precision in EXACT), mentions[0])
    mention = exact if len(starts) == 1 else None
    if mention is None or mention.precision not in (*EXACT, *_ABOUT):
        return None
    day = mention.whole[0].date()
    if mention.precision in EXACT:
        return _When(day, in_words(day))
    return _When(day, f"{'' if mention.precision == 'month' else 'the '}{written(mention)}", mention.precision)


def _of_its_clause(content: str, mentions: Sequence[DateMention], thing: _Thing) -> Sequence[DateMention]:
    """Return the times in the clause that says most of a thing, where there are several times and it names one."""
    if len({each.whole[0].date() for each in mentions}) < 2:
        return mentions
    edges = [0, *(match.end() for match in _CLAUSE.finditer(content)), len(content)]
    start, end = max(pairwise(edges), key=lambda each: thing.share(content[each[0] : each[1]], dated=True))
    return [each for each in mentions if start <= each.start < end] or mentions


def _is_of_later(atom: Atom, mentions: Sequence[DateMention], thing: _Thing) -> bool:
    """Return whether the first clause tells the thing, and names no time, and one behind it names one that was still to come:
    "Oven ordered, delivery in March"."""
    end = _CLAUSE.search(atom.content)
    if end is None or atom.status == "planned" or mentions[0].whole[0] <= atom.observed_at:
        return False
    clause = atom.content[: end.start()]
    has_words = mentions[0].start - end.end() >= FEWEST_LETTERS
    return has_words and thing.tells(clause) and thing.share(clause, dated=True) >= HELD


def _apart(early: _When, late: _When, unit: str | None) -> str | None:
    """Return how long it was in words; None where it cannot be told, or nothing lies between."""
    rough = max((_ABOUT.get(each.precision, 0) for each in (early, late)), default=0)
    apart = date_diff(early.day, late.day)
    days, weeks = apart["days"], apart["weeks"]
    if days <= rough:
        return None
    if rough >= _ABOUT["month"]:
        months = (late.day.year - early.day.year) * 12 + late.day.month - early.day.month
        return f"About {counted(months, 'month')}" if months < 24 else f"About {counted(months // 12, 'year')}"
    if rough:
        return (
            f"About {counted(round(days / 7), 'week')}"
            if days <= WEEKS_UP_TO
            else f"About {' and '.join(years_and_months(early.day, late.day))}"
        )
    match unit:
        case "days" | "nights":
            return counted(days, unit[:-1])
        case "weeks" if days % 7:
            return f"{counted(weeks, 'week')} and {counted(days % 7, 'day')}"
        case "weeks":
            return counted(weeks, "week")
        case _ if days <= WEEKS_UP_TO:
            return counted(days, "day") if days < 14 or days % 7 else f"{counted(days, 'day')} ({counted(weeks, 'week')})"
        case _:
            return " and ".join(years_and_months(early.day, late.day))
