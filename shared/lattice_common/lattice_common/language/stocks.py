"""What there is of something: which stock a question asks what is left of, and what a statement adds to it or takes from it.

"14 jars of quince jelly" and "the 3 jars that we opened" are amounts in one unit; "how much flour is left?" asks in the unit in
which the flour was bought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from lattice_common.language.amounts import CURRENCY_WORDS
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.text import fold, stem
from lattice_common.language.words import number_words

SOUGHT = "bought, had, made, used, gave, opened, left"
"""Words that statements about a stock have, beside those of a question."""
WITHIN = 4
"""Words within which what is counted follows its number: "two of the big jars"."""

Way: TypeAlias = Literal["added", "taken", "counted"]

_TIMES = "second|minute|hour|day|night|week|weekend|month|year|time|money|cash"
_ASKED = lazy_regex(
    rf"^how (?P<how>many|much)(?: of (?:the|my|our))? (?!(?:{_TIMES})s?\b)(?P<what>[^?]+?) "
    r"(?:(?:is|are|have|has|do|does)(?: i| we| there)?(?: still| yet)?(?: have| got| own)?(?: still)? (?:left|remaining|unused)\b"
    r"|(?:do|have) (?:i|we) still (?:have|got|own)\b|(?:still )?remains?\b|are there still\b|is there still\b)",
    re.IGNORECASE,
)
_TAKEN = lazy_regex(
    r"\b(?:used|using up|gave|given|giving|opened|ate|eaten|drank|drunk|sold|broke|broken|threw|thrown|went|gone|spent|lost|"
    r"donated|planted|burnt|burned|finished|emptied|took|taken|passed|handed|posted|sent|shared|served|swapped|lent|cracked|spoilt|spoiled|"
    r"fed|wore|needed|cooked|smashed|dropped)\b",
    re.IGNORECASE,
)
_CAME = lazy_regex(r"\b(?:gave|given|sent|handed|passed|lent|sold|brought) (?:me|us)\b|\bback\b", re.IGNORECASE)
_ADDED = lazy_regex(
    r"\b(?:bought|got|have|had|made|put up|put by|baked|harvested|picked|received|found|collected|bottled|preserved|canned|"
    r"brewed|laid|delivered|arrived|came|stocked|added|there (?:is|are|were)|filled|froze|stacked)\b",
    re.IGNORECASE,
)
_WORD = lazy_regex(r"\d{1,3}(?:[.,]\d{3})+(?![\d])|\d+(?:[.,]\d{1,2})?|[^\W\d_][\w'’-]*|[.,;:!?()]")
_STOPS = frozenset(".,;:!?()")
_NUMBERS = {**number_words(1, 50), "a": 1, "an": 1, "another": 1, "couple": 2, "dozen": 12}
_SAME_UNIT = {
    "kg": "kilo",
    "kilogram": "kilo",
    "gram": "g",
    "l": "litr",
    "liter": "litr",
    "litre": "litr",
    "m": "metr",
    "meter": "metr",
}
_IN_ALL = ("all", "total")
_LEFT = frozenset(("left", "remain", "remaining", "over"))
_CURRENCIES = frozenset(map(stem, CURRENCY_WORDS))


@dataclass(frozen=True, slots=True)
class AskedStock:
    """`unit`: the stem of what is counted, None where the question says "how much"; `about`: stems of the words that say what of
    ("quince jelly"), in their order."""

    unit: str | None
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """What a statement says of a stock: an amount in a unit that was added, taken, or counted then; None: it does
    not say which."""

    way: Way | None
    value: Decimal
    unit: str


def asked_stock(bare: str) -> AskedStock | None:
    """Return what stock a question, in English and without "?", asks what is left of."""
    match = _ASKED.search(bare)
    if match is None:
        return None
    head, _, of = match["what"].partition(" of ")
    words = [stem(fold(each)) for each in head.split()]
    rest = [stem(fold(each)) for each in of.split() if each.lower() not in ("the", "my", "our", "a")]
    if match["how"].lower() == "much":
        return AskedStock(None, (*words, *rest))
    return AskedStock(words[-1], (*words[:-1], *rest))


def move_in(content: str, asked: AskedStock) -> Move | None:
    """Return what a statement says of a stock; None where it gives no amount of it, or several in different units."""
    found = list(_amounts(content, asked))
    units_of = {unit for _, unit, _ in found}
    if not found or len(units_of) > 1:
        return None
    unit = units_of.pop()
    left = [value for value, _, is_left in found if is_left]
    if left:
        return Move("counted", left[-1], unit)
    return Move(_way(content), sum((value for value, *_ in found), Decimal(0)), unit)


def _way(content: str) -> Way | None:
    if _CAME.search(content):
        return "added"
    return "taken" if _TAKEN.search(content) else "added" if _ADDED.search(content) else None


def _amounts(content: str, asked: AskedStock) -> Iterator[tuple[Decimal, str, bool]]:
    """Yield each amount, its unit, and whether it is what is left; of "a jar each, four in all" the four."""
    lowered = [fold(each) for each in _WORD.findall(content)]
    found: list[tuple[Decimal, str, bool]] = []
    for at, word in enumerate(lowered):
        value = _value(word)
        following = lowered[at + 1 : at + 1 + WITHIN]
        if value is None:
            continue
        if at and lowered[at - 1] == "half":
            value /= 2
        if following[:1] and following[0] in _LEFT and found:  # "used 3 jars, 11 left"
            found.append((value, found[0][1], True))
            continue
        if following[:1] == ["in"] and following[1:2] and following[1] in _IN_ALL and found:
            yield value, found[0][1], False
            return
        unit = _unit(following, asked)
        if unit is not None:
            found.append((value, unit, not _LEFT.isdisjoint(lowered[at + 1 : at + 1 + 2 * WITHIN])))
    yield from found


def _value(word: str) -> Decimal | None:
    if word in _NUMBERS:
        return Decimal(_NUMBERS[word])
    if not word[0].isdigit():
        return None
    whole, _, rest = word.replace(",", ".").rpartition(".")
    if whole and len(rest) == 3:
        return Decimal(word.replace(",", "").replace(".", ""))
    return Decimal(word.replace(",", "."))


def _unit(following: list[str], asked: AskedStock) -> str | None:
    """Return the unit of a number by the words behind it."""
    for place, word in enumerate(following):
        root = stem(word)
        if word in _STOPS or (_value(word) is not None and word not in ("a", "an")):
            return None
        if asked.unit is None:
            return None if root in _CURRENCIES or place else _SAME_UNIT.get(root, root)
        if root == asked.unit or (root in asked.about and following[0] == "of"):
            return asked.unit
    return None
