"""The days of the week that words speak of, English and German: "Mondays to Fridays", "Sat", "weekdays", "samstags"."""

from __future__ import annotations

from functools import lru_cache

from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.words import any_of, short_weekdays, weekdays

_LONG = weekdays("en", "de")
_SHORT = {name.capitalize(): day for name, day in short_weekdays("en", "de").items()}
_STRETCHES = {
    "weekday": range(5), "weekdays": range(5), "werktags": range(5), "wochentags": range(5), "weekend": range(5, 7),
    "weekends": range(5, 7), "wochenende": range(5, 7),
}  # fmt: skip
_DAY = rf"(?i:{any_of(_LONG)})s?|(?:{any_of(_SHORT)})(?![\w'’])"
_SAID = lazy_regex(
    rf"\b(?:(?P<first>{_DAY})\.?(?:\s*[-–]\s*|\s+(?:to|until|till|through|bis)\s+)(?P<last>{_DAY})|(?P<day>{_DAY})|"
    rf"(?P<stretch>(?i:{any_of(_STRETCHES)})))(?!\w)"
)


@lru_cache(maxsize=1_024)
def days_of_week(text: str) -> frozenset[int]:
    """Return the days that a text names, from 0, Monday, with those between two that are the ends of a span. Short names count
    with a capital only, for "sun" and "wed" are words."""
    found: set[int] = set()
    for said in _SAID.finditer(text):
        if said["stretch"]:
            found |= {*_STRETCHES[uncased(said["stretch"])]}
        elif said["day"]:
            found.add(_number(said["day"]))
        else:
            first, last = _number(said["first"]), _number(said["last"])
            found |= {day % 7 for day in range(first, first + (last - first) % 7 + 1)}
    return frozenset(found)


def _number(name: str) -> int:
    lowered = name.lower()
    return _LONG.get(lowered, _LONG.get(lowered.removesuffix("s"), _SHORT.get(name, 0)))
