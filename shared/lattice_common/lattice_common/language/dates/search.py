"""Where in a text a time may be named: `PHRASE` is tried at few places only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.language.dates import romance
from lattice_common.language.dates.phrases import (
    BOUND_WEEKDAYS,
    BOUNDS,
    CUE,
    CUE_MONTHS,
    DAY_WORDS,
    GERMAN_UNITS,
    GERMAN_WHICH,
    NUMBERS,
    PHRASE,
    SEASONS,
    SHORT_WEEKDAYS,
    UNIT,
    VAGUE,
    WEEKDAY_NAMES,
)
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_MONTHS, MONTHS_IN_DATES

_CUES = vocabulary("ago last next this past coming previous upcoming back earlier now in morgen").union(
    ENGLISH_MONTHS, CUE_MONTHS, SEASONS, DAY_WORDS, WEEKDAY_NAMES, GERMAN_UNITS, romance.DAYS
)
"""Words of which each proves that `CUE` matches the text."""

_NAMES_OF_TIMES = frozenset(
    [
        *(f"{unit}{ending}" for unit in UNIT.split("|") for ending in ("", "s")),
        *(
            name
            for names in (MONTHS_IN_DATES, SEASONS, WEEKDAY_NAMES, BOUND_WEEKDAYS, GERMAN_UNITS, romance.DAYS)
            for name in names
        ),
        *(re.findall(r"\w+", name)[-1] for name in DAY_WORDS),
        "morgen",
    ]
)
_BEFORE_SPANS = ("the", "last", "past", "next", "coming")
_LEADS = vocabulary(
    "the a an in on of am im seit bis ab within over during for early late mid back around about circa dem den zum"
).union(BOUNDS, romance.LEADS)
_FIRST_WORDS = (_LEADS | vocabulary("past next previous coming upcoming") | frozenset(UNIT.split("|"))).union(
    re.match(r"\w+", name)[0]  # type: ignore[index]  # every name begins with a word
    for names in (MONTHS_IN_DATES, SEASONS, WEEKDAY_NAMES, SHORT_WEEKDAYS, DAY_WORDS, NUMBERS, VAGUE, GERMAN_WHICH, romance.DAYS)
    for name in names
) | {
    "beginning",
    "start",
    "middle",
    "end",
    "anfang",
    "mitte",
    "ende",
    "at",
    "morgen",
    *romance.NEXT,
    *(f"{over}{last}" for over in ("over", "during", "in", "for", "within") for last in _BEFORE_SPANS),
}
"""The words, other than numbers, that a match of `PHRASE` in an ASCII text may begin with; "in last 3 days" may lack its first
space."""
_MAY_BEGIN = lazy_regex(rf"(?<![\w@/.#-])(?<!\d:)(?:([a-z]+)|\d+| (?={'|'.join(_BEFORE_SPANS)}))")
"""Where a match of `PHRASE` may begin in lower-case ASCII; one of "the last 3 days" may begin with the space before it."""
_LED_TO = lazy_regex(rf"(?: ?(?:{'|'.join(_LEADS)})[ '-]+)+(?:([a-z]+)|\d)")
_NAMED_WORDS = (_FIRST_WORDS - _LEADS).union(
    ("beginning", "start", "middle", "end", "anfang", "mitte", "ende"), *((unit, f"{unit}s") for unit in UNIT.split("|"))
)
"""One of these, or a number, follows where a phrase begins with leading words: "in the ", "a "."""
_LETTERS = lazy_regex(r"[a-z]+")
_DIGIT = lazy_regex(r"\d")


def phrases_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `PHRASE` in a text with a `CUE`.

    Most sentences have neither a digit nor a name of a day, a month, a season or a unit of time, and without one `PHRASE` cannot
    match; in the others only the words that a phrase may begin with are tried. Only ASCII is quick: case folding is more
    complicated elsewhere.
    """
    if not text.isascii():
        if CUE.search(text):
            yield from PHRASE.finditer(text)
        return
    lowered = text.lower()
    cued = _DIGIT.search(text) is not None
    if not cued:
        words = _LETTERS.findall(lowered)
        if _NAMES_OF_TIMES.isdisjoint(words):
            return
        cued = "_" not in text and not _CUES.isdisjoint(words)
    end = 0
    for place in _MAY_BEGIN.finditer(lowered):
        word = place[1]
        if place.start() >= end and (word is None or word in _FIRST_WORDS):
            if word in _LEADS:
                led_to = _LED_TO.match(lowered, place.start())
                if led_to is None or (led_to[1] is not None and led_to[1] not in _NAMED_WORDS):
                    continue
            match = PHRASE.match(text, place.start())
            if match is not None:
                if not cued and not CUE.search(text):
                    return
                yield match
                cued, end = True, match.end()
