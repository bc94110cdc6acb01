"""Addresses that were written line by line, each line a paragraph of its own: their lines belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

LONGEST = 60
"""Characters of a line."""
ABOVE, BELOW = 5, 3
"""Lines of an address above the one with its town, and below it."""

_TOWN = re.compile(
    r"(?:[A-Z]{1,2}-)?\d{4,6} [^\W\d][^\d,]{1,40}|\d{3} \d{2} [^\W\d][^\d,]{1,40}|\d{2}-\d{3} [^\W\d][^\d,]{1,40}|"
    r"(?:[^\d]{2,40} )?[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[^\d]{2,40},? [A-Z]{2} \d{5}(?:-\d{4})?"
)
"""A line with a postal code: "99423 Weimar", "114 55 Stockholm", "Lewes BN7 2QT", "Austin, TX 78701"."""
_STREET = re.compile(
    r"[^\W\d][^\d]{2,40} \d{1,4} ?[a-z]?(?:[-/]\d{1,4})?,?|\d{1,5}[a-z]?,? [^\W\d][^\d]{2,40},?|"
    r"P\.? ?O\.? Box \d+|Postfach [\d ]+"
)
_REACHED = re.compile(
    r"(?:tel|phone|telephone|telefon|fax|mobile|mobil|e-?mail|www\.|https?:)\b.*|\S+@\S+|\+?\d[\d /().-]{6,}", re.IGNORECASE
)
_LAND = re.compile(r"[^\W\d_]{2,}(?: [^\W\d_]{2,}){0,2}")


def may_belong(line: str) -> bool:
    """Return whether a paragraph may be a line of an address: short, on one line, and no sentence."""
    return 0 < len(line) <= LONGEST and "\n" not in line and "\t" not in line and line[-1] not in ".!?:;"


def parted(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where each address among some lines begins and ends, in their order: a town below a street, what stands above these,
    and how to reach somebody below."""
    taken = 0
    for at, line in enumerate(lines):
        if at < taken + 1 or _TOWN.fullmatch(line) is None or not any(map(_STREET.fullmatch, lines[max(taken, at - 2) : at])):
            continue
        end = at + 1
        while end < len(lines) and end - at <= BELOW and _goes_on(lines, end):
            end += 1
        yield max(taken, at - ABOVE), end
        taken = end


def _goes_on(lines: Sequence[str], at: int) -> bool:
    """Return whether a line below the town still belongs to it: how to reach somebody, or a country in capitals at the end."""
    if _REACHED.fullmatch(lines[at]):
        return True
    return at + 1 == len(lines) and _LAND.fullmatch(lines[at]) is not None and lines[at].isupper()
