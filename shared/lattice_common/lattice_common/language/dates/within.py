"""Days of the week that mean one of the days that a document is about: "The coach leaves on Monday at 8.45" of a trip from 10 to
14 May means 10 May, and not the Monday after the letter was written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from lattice_common.language.dates.mentions import DateMention, resolve
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, days

LONGEST_STRETCH = timedelta(days=7)
"""Of a longer one a day of the week may be two."""
LONGEST_TEXT = 20_000
"""Characters of a document that is about one thing: a letter, a programme. Books and logs name many stretches."""

_DAY = lazy_regex(rf"(?:on |am )?(?:{any_of(name.capitalize() for name in (*ENGLISH_WEEKDAYS, *days('en')))})\b")
_DIGIT = lazy_regex(r"\d")


def days_within(text: str, words: str, start: int, found: Sequence[DateMention], seen_from: datetime) -> list[DateMention]:
    """Return the mentions of `words`, which stand at `start` of the text, each day of the week as the one of the stretch that the
    text named last before it, where that has such a day. What is due "by Monday", or is "next Monday", stays. Linear in the text,
    which is read once."""
    if len(text) > LONGEST_TEXT or not any(_is_bare(each) for each in found):
        return list(found)
    before = [each for each in _stretches(text, seen_from) if each.start < start and each.whole[0] >= seen_from]
    if not before:
        return list(found)
    stretch = before[-1]
    there = {each.start: each for each in resolve(words, stretch.whole[0] - timedelta(hours=12))}
    return [_within(stretch, there.get(each.start), each) if _is_bare(each) else each for each in found]


def _within(stretch: DateMention, there: DateMention | None, each: DateMention) -> DateMention:
    begins, ends = stretch.whole
    return there if there is not None and begins <= there.whole[0] < ends else each


def _is_bare(mention: DateMention) -> bool:
    """Return whether it names a day of the week alone, or with a time, and no bound: "Monday at 8.45", not "by Monday"."""
    return mention.relative and mention.valid_from is not None and _DAY.match(mention.phrase) is not None


@lru_cache(maxsize=4)
def _stretches(text: str, seen_from: datetime) -> tuple[DateMention, ...]:
    """Return the stretches of days that a text names, at most a week each."""
    found = (each for each in resolve(text, seen_from) if each.precision == "days" and _DIGIT.search(each.phrase))
    return tuple(each for each in found if each.valid_from is not None and each.whole[1] - each.whole[0] <= LONGEST_STRETCH)
