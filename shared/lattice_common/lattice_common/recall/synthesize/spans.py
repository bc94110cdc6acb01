"""The time between two things, or the duration of one: from the days that statements name, or on which they were told. In doubt
which statement is meant, nothing is computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from lattice_common.domain.recall import Selected
from lattice_common.language.dates.mentions import in_words
from lattice_common.language.dates.yearly import next_yearly
from lattice_common.language.questions.asked_together import BEGINS, ENDS, LEANS, Span
from lattice_common.language.questions.matter import matter_of
from lattice_common.recall.gather import Part
from lattice_common.recall.synthesize.reckoning import Reckoning, counted, happened_on, years_and_months
from lattice_common.recall.tools import date_diff

LOOKED_AT = 8
"""Best statements of each of the two things that are considered."""
HELD = 0.6
"""Share of the words for a thing that its statement must contain."""
WEEKS_UP_TO = 91
"""Days up to which a span is given in days and weeks; beyond, in months and years."""
_BEGIN_OR_END = (BEGINS, ENDS)


def span(asked: Span, parts: Sequence[Part], today: date) -> Reckoning | None:
    """Return a span, or None. `parts`: the results for each of the two things, or for the one that lasted."""
    found = [each for part in parts for each in part.chosen[:LOOKED_AT]]
    if asked.second is None:
        begin, end = _ends_of(asked.first, found, today)
    else:
        both = ((asked.first, asked.second), (asked.second, asked.first))
        begin, end = (_best(*texts, part.chosen[:LOOKED_AT], today) for texts, part in zip(both, parts, strict=True))
    if begin is None or end is None or begin[0].atom.atom_id == end[0].atom.atom_id:
        return None
    (first, early), (second, late) = sorted((begin, end), key=lambda each: each[1])
    if early == late:
        return None
    text = f"{_apart(early, late, asked.unit)}: from {in_words(early)} [1] to {in_words(late)} [2]."
    return Reckoning(text, (first, second))


def _best(text: str, other: str, found: Sequence[Selected], today: date) -> tuple[Selected, date] | None:
    """Return the statement with most of the words, with its day; of equals the one that says more about the other thing, where
    the text refers to that ("its oil change"), else the first."""
    turned = next((pattern for pattern in _BEGIN_OR_END if pattern.search(text)), None)
    matter = matter_of(turned.sub(" ", text) if turned else text)
    if matter is None:
        return None
    leant_on = matter_of(other) if LEANS.search(text) else None
    fitting = [
        (matter.share(each.atom.content), leant_on.share(each.atom.content) if leant_on else 0.0, -place, each, day)
        for place, (each, day) in enumerate(_dated(found, today))
        if turned is None or turned.search(each.atom.content)
    ]
    share, _, _, selected, day = max(fitting, key=lambda each: each[:3], default=(0.0, 0.0, 0, None, None))
    return (selected, day) if selected is not None and day is not None and share >= HELD else None


def _ends_of(
    text: str, found: Sequence[Selected], today: date
) -> tuple[tuple[Selected, date] | None, tuple[Selected, date] | None]:
    """Return the beginning and the end of what lasted; none where there are several of either."""
    matter = matter_of(text)
    if matter is None:
        return None, None
    about = [(each, day) for each, day in _dated(found, today) if matter.is_in(each.atom.content)]
    return _only(about, BEGINS, ENDS), _only(about, ENDS, BEGINS)


def _only(
    about: Sequence[tuple[Selected, date]], pattern: re.Pattern[str], other: re.Pattern[str]
) -> tuple[Selected, date] | None:
    fitting = {
        day: (each, day) for each, day in about if pattern.search(each.atom.content) and not other.search(each.atom.content)
    }
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def _dated(found: Sequence[Selected], today: date) -> Iterator[tuple[Selected, date]]:
    """Yield each with its day; of a yearly one without a year, the next."""
    for each in found:
        if each.atom.status not in ("asserted", "past", "planned"):
            continue
        day = happened_on(each.atom) or next_yearly(each.atom.content, today)
        if day is not None:
            yield each, day


def _apart(early: date, late: date, unit: str | None) -> str:
    apart = date_diff(early, late)
    days, weeks = apart["days"], apart["weeks"]
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
            return " and ".join(years_and_months(early, late))
