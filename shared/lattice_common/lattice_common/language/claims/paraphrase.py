"""Paraphrases of numbers: half past two in the afternoon for 14:30, a phone number without spaces, "about 1,250".

And differences in spite of equal numbers: dollars for euros, a month for a year, "until 2019" for "since 2019".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lattice_common.language.claims.numbers import numbers
from lattice_common.language.patterns import lazy_regex

_CLOCK = lazy_regex(
    r"\b(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?\s?(?P<half>[ap])\.?m\b\.?|\b(?P<h>\d{1,2})[:h](?P<m>\d{2})\b(?!:\d)",
    re.IGNORECASE,
)
_NOON = 12 * 60
_TOKEN = lazy_regex(r"(?<![\w-])[A-Za-z\d][\w-]{4,40}(?![\w-])")
_MIXED = lazy_regex(r"[A-Za-z][-_]*\d+[-_]*[A-Za-z]|\d[-_]*[A-Za-z]+[-_]*\d")
"""Letters and digits mixed: a password, the number of an order. Nobody paraphrases those."""
_MEASURED = lazy_regex(r"(?<![\d.,])(\d[\d.,]*)\s?([^\W\d_]{1,12})\b")
_SHORT_UNITS = frozenset(("kg", "km", "cm", "mm", "lb", "lbs", "mg", "ml", "min", "eur", "usd", "gbp", "chf", "g", "m", "l", "h"))
_LONG = lazy_regex(r"\+?\d(?:[ ()/.-]{0,3}\d){6,24}")
_ABOUT = lazy_regex(
    r"\b(?:about|around|roughly|approximately|nearly|almost|some|over|more than|just under|circa|etwa|rund|environ)\s"
    r"(?:[€$£]\s?)?(\d[\d.,]*\d|\d)",
    re.IGNORECASE,
)
NEAR = 0.05
"""How far "about" may be from a number, as a share of it."""

_CURRENCIES = {
    "euros": lazy_regex(r"€|\b(?:eur|euros?)\b", re.IGNORECASE),
    "dollars": lazy_regex(r"\$|\b(?:usd|dollars?|bucks)\b", re.IGNORECASE),
    "pounds": lazy_regex(r"£|\b(?:gbp|pounds?|quid)\b", re.IGNORECASE),
    "francs": lazy_regex(r"\b(?:chf|francs?|franken)\b", re.IGNORECASE),
    "yen": lazy_regex(r"¥|\b(?:jpy|yen)\b", re.IGNORECASE),
    "roubles": lazy_regex(r"₽|\b(?:rub|rou?bles?|руб\w*)\b", re.IGNORECASE),
}
_PERIOD = lazy_regex(
    r"\b(?P<often>hourly|daily|nightly|weekly|monthly|yearly|annual(?:ly)?)\b"
    r"|(?:\bper\s|\beach\s|\bevery\s|/\s?|(?:\d|€|\$|£|\beuros?|\bdollars?|\bpounds?|\btimes|\bonce|\btwice)\s+an?\s)"
    r"(?P<unit>hour|day|night|week|month|year)\b(?!\s(?:ago|later|before|after|earlier))",
    re.IGNORECASE,
)
_OFTEN = {"daily": "day", "nightly": "night", "annual": "year", "annually": "year"}
_BOUND = lazy_regex(
    r"\b(?:(?P<start>since|from|seit|ab|depuis|desde|dal)|(?P<end>until|till|up to|bis|jusqu['’]en|hasta|fino al))"
    r"\s(?:[\w.]+\s){0,2}?(?P<year>\d{4})\b",
    re.IGNORECASE,
)
_NO_MORE = lazy_regex(r"\b(?:used to|formerly|früher)\b", re.IGNORECASE)
_PAST = lazy_regex(
    r"\b(?:used to|was|were|had|did|until|till|before|former\w*|ex|no longer|any ?more|left|lost|sold|quit|went|gave|früher|war|"
    r"hatte|bis|\w{2,}ed)\b",
    re.IGNORECASE,
)


def without_the_same(claim: str, content: str) -> str:
    """Return `claim` without the numbers that `content` has as well, in other forms."""
    times = list(_CLOCK.finditer(content))
    claim = _CLOCK.sub(lambda match: " " if _is_one_of(match, times) else match[0], claim)
    long = {_digits(match[0]) for match in _LONG.finditer(content)}
    claim = _LONG.sub(lambda match: " " if _ends_with_any(_digits(match[0]), long) else match[0], claim)
    held = numbers(content)[1]
    return _ABOUT.sub(lambda match: " " if _near(match[1], held) else match[0], claim)


def other_measure(claim: str, content: str) -> str | None:
    """Return the words of a claim that measure differently from its source: a time of day, a currency, a period, another unit; or
    a code that differs."""
    for ours, theirs in ((_currencies(claim), _currencies(content)), (_periods(claim), _periods(content))):
        if theirs and (other := sorted(ours - theirs)):
            return other[0]
    if (times := list(_CLOCK.finditer(content))) and (
        time := next((match[0] for match in _CLOCK.finditer(claim) if not _is_one_of(match, times)), None)
    ):
        return time
    lowered = content.lower()
    if code := next((word for word in _codes(claim) if word.lower() not in lowered), None):
        return code
    return _exchanged(_measured(claim), _measured(content))


def other_bound(claim: str, content: str) -> str | None:
    """Return the bound of a claim that differs from its source: "Until 2019" where that says "since 2019"."""
    theirs = {(bool(match["start"]), match["year"]) for match in _BOUND.finditer(content)}
    for match in _BOUND.finditer(claim):
        starts, year = bool(match["start"]), match["year"]
        if (not starts, year) in theirs and (starts, year) not in theirs:
            return match[0]
    return None


def no_longer(claim: str, content: str) -> str | None:
    """Return the words by which a claim calls past what its source says of today."""
    found = _NO_MORE.search(claim)
    return found[0] if found and not _PAST.search(content) else None


def _is_one_of(time: re.Match[str], known: Sequence[re.Match[str]]) -> bool:
    return any(_same_time(time, other) for other in known)


def _same_time(ours: re.Match[str], theirs: re.Match[str]) -> bool:
    """Return whether two times agree: "2:30 pm" for half past two, and "2:30" for 14:30; but not 14:30 for half past two."""
    apart = abs(_minute(ours) - _minute(theirs))
    if apart != _NOON:
        return apart == 0
    return (_half_unsaid(theirs) and bool(ours["half"])) or (_half_unsaid(ours) and not _half_unsaid(theirs))


def _minute(time: re.Match[str]) -> int:
    hour, minute = int(time["hour"] or time["h"]), int(time["minute"] or time["m"] or 0)
    if time["half"]:
        hour = hour % 12 + (12 if time["half"].lower() == "p" else 0)
    return hour * 60 + minute


def _half_unsaid(time: re.Match[str]) -> bool:
    return not time["half"] and int(time["h"]) <= 12


def _codes(text: str) -> list[str]:
    return [word for word in _TOKEN.findall(text) if _MIXED.search(word)]


def _measured(text: str) -> set[tuple[str, str]]:
    return {
        (match[1].rstrip(".,"), match[2])
        for match in _MEASURED.finditer(text.lower())
        if len(match[2]) > 3 or match[2] in _SHORT_UNITS
    }


def _exchanged(ours: set[tuple[str, str]], theirs: set[tuple[str, str]]) -> str | None:
    """Return a number with the unit of another: "7 kg and 23 years" for "23 kg and 7 years"."""
    for number, unit in sorted(ours - theirs):
        if {unit} & {other for _, other in theirs} and {number} & {other for other, _ in theirs}:
            return f"{number} {unit}"
    return None


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text).lstrip("0")


def _ends_with_any(digits: str, known: set[str]) -> bool:
    """Return whether the digits end with a known number: a country's prefix may be there or not."""
    return len(digits) >= 7 and any(other.endswith(digits) or (len(other) >= 7 and digits.endswith(other)) for other in known)


def _near(written: str, held: set[float]) -> bool:
    return any(abs(ours - theirs) <= NEAR * theirs for ours in numbers(written)[0] for theirs in held)


def _currencies(text: str) -> set[str]:
    return {name for name, pattern in _CURRENCIES.items() if pattern.search(text)}


def _periods(text: str) -> set[str]:
    return {
        _OFTEN.get(often, often.removesuffix("ly")) if (often := (match["often"] or "").lower()) else match["unit"].lower()
        for match in _PERIOD.finditer(text)
    }
