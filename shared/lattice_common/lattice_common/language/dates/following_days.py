"""Days of the week that follow on a day named before them: "dia 28 … no sábado seguinte", "on the 28th, and the following
Saturday"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lattice_common.language.dates.named_days import NUMBERS_OF_DAYS
from lattice_common.language.dates.phrases import WEEKDAY_NAMES
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.words import any_of

REACH = 120
"""Characters before such a day in which the one that it follows on is named."""
_OTHERS = any_of(NUMBERS_OF_DAYS)
_DAY = any_of(WEEKDAY_NAMES)
_CUE = lazy_regex(r"seguinte|siguiente|suivant|seguente|successiv|folgend|following|daarop|daarna|darauf|danach", re.IGNORECASE)
_PATTERN = lazy_regex(
    rf"(?<![\w-])(?:(?:na|no|o|a|el|le|il|la|de|op)\s)?(?P<other>{_OTHERS})(?:-feira)?\s"
    r"(?:seguinte|siguiente|suivante?|seguente|successiv[oa]|daarop|daarna)(?!\w)"
    rf"|(?<![\w-])(?:(?:on\s)?the\sfollowing|(?:am|den)\s(?:darauf)?folgenden)\s(?P<english>{_DAY})(?!\w)"
    rf"|(?<![\w-])(?:(?:am|den)\s)?(?P<german>{_DAY})\s(?:darauf|danach)(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FollowingDay:
    """Where it stands, and its day of the week, from 0, Monday."""

    start: int
    end: int
    weekday: int


def following_days_in(text: str) -> Iterator[FollowingDay]:
    """Yield those of a text, in order. Linear."""
    for match in _PATTERN.finditer(text) if _CUE.search(text) else ():
        name = uncased(match["other"] or match["english"] or match["german"])
        yield FollowingDay(match.start(), match.end(), NUMBERS_OF_DAYS[name] if match["other"] else WEEKDAY_NAMES[name])
