"""The sum of amounts. Only amounts of one unit are added, from asserted statements about what was asked, and the answer says what
was added and what was left out, so that the reader sees what is missing. In doubt nothing is added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from lattice_common.domain.recall import Selected
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.language.questions.asked_together import ANNOUNCES, GIVES_BACK, TOTAL
from lattice_common.language.questions.matter import Matter, matter_of
from lattice_common.language.text import stem
from lattice_common.recall.synthesize.reckoning import FEWEST, Reckoning, happened
from lattice_common.recall.tools import plain, sum_numbers

_MANY = re.compile(r"\bhow many (\w+)")
_SIGNS = {"€": "euros", "$": "dollars", "£": "pounds"}
_CURRENCIES = {
    "euro": "euros", "euros": "euros", "eur": "euros", "dollar": "dollars", "dollars": "dollars", "usd": "dollars",
    "pound": "pounds", "pounds": "pounds", "quid": "pounds", "gbp": "pounds", "franc": "francs", "francs": "francs",
    "chf": "francs", "zloty": "zloty", "pln": "zloty",
}  # fmt: skip
_FIGURE = r"\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_AMOUNT = re.compile(
    rf"(?P<sign>[€$£]) ?(?P<after>{_FIGURE})(?![\d.,]*\d)|(?<![\d.,])(?P<before>{_FIGURE}) ?(?P<unit>[€$£]|[a-z]+)"
)
_FIGURES = re.compile(_FIGURE)
_CLAUSE = re.compile(r"\s*[;,]\s+(?:and |but )?|\s+and\s+")
"""Where one clause of a statement ends: "The kitchen cost 4200 euros, and the bath cost 1800 euros"."""
_COSTS = re.compile(r"\w (?:costs?|came to|was|were|is|are) ")
"""A clause with its own subject. "Kitchen: 35 euros for hooks and 12 for a rail" has one subject for two amounts."""
_RATE = re.compile(r"^ ?(?:a|an|per|each|every|/) ?(?:hour|day|night|week|month|quarter|year|piece|person|head|kilo|litre|metre)")
MOST_LEFT_OUT = 3
"""Amounts left out that are named."""


@dataclass(frozen=True, slots=True)
class _Amount:
    figure: str
    value: Decimal
    unit: str


def total(english: str, pool: Sequence[Selected], period: AskedPeriod | None) -> Reckoning | None:
    """Return a total, or None. `english`: the question as it is read; `pool`: the candidates. Amounts outside the time asked
    about do not count."""
    lowered = english.lower()
    many = _MANY.search(lowered)
    wanted = None if many is None else stem(many[1])
    matter = matter_of(english, {wanted} if wanted else ())
    if matter is None:
        return None
    corrections = {
        each.atom.atom_id for each in pool if matter.is_in(each.atom.content) and any(_amounts(each.atom.content, wanted))
    }
    added: dict[str, list[tuple[Selected, _Amount]]] = {}
    left_out: list[tuple[Selected, Sequence[_Amount]]] = []
    for each in pool:
        content = each.atom.content
        if not happened(each.atom) or not _lies_in(each, period) or not matter.is_in(content):
            continue
        amounts = list(_amounts(content, wanted))
        if amounts and TOTAL.search(content.lower()):
            return None  # somebody has added it up already
        clear = amounts if len(amounts) == 1 else _of_clauses(content, wanted, matter)
        # A payment stays one, unless a newer statement gives another amount.
        if clear and (each.still or each.outdated_by not in corrections) and not GIVES_BACK.search(content):
            added.setdefault(content.casefold(), [(each, amount) for amount in clear])
        elif amounts:
            left_out.append((each, amounts))
    return _reckoned(_each_once([each for found in added.values() for each in found]), left_out, cents=wanted is None)


def _of_clauses(content: str, wanted: str | None, matter: Matter) -> list[_Amount]:
    """Return the amounts of a statement with several, of those of its clauses that are about what was asked; none where a clause
    does not say by itself what cost one amount."""
    found: list[_Amount] = []
    for clause in _CLAUSE.split(content):
        amounts = list(_amounts(clause, wanted))
        if len(amounts) != 1 or len(_FIGURES.findall(clause)) != 1 or not _COSTS.search(clause):
            return []
        if matter.is_in(clause):
            found += amounts
    return found


def _reckoned(
    added: Sequence[tuple[Selected, _Amount]], left_out: Sequence[tuple[Selected, Sequence[_Amount]]], *, cents: bool
) -> Reckoning | None:
    units = {amount.unit for _, amount in added}
    if len(added) < FEWEST or len(units) != 1:
        return None
    unit = units.pop()
    named = left_out[:MOST_LEFT_OUT]
    used = list(dict.fromkeys(each.atom.atom_id for each, *_ in (*added, *named)))
    by_id = {each.atom.atom_id: each for each, *_ in (*added, *named)}
    numbers = [f"{amount.figure} [{used.index(each.atom.atom_id) + 1}]" for each, amount in added]
    rest = [f"{' and '.join(one.figure for one in found)} [{used.index(each.atom.atom_id) + 1}]" for each, found in named]
    text = f"In all {_grouped(sum_numbers([amount.value for _, amount in added]), cents=cents)} {unit}: {' + '.join(numbers)}."
    if rest:
        text += f" Not added: {', '.join(rest)}."
    return Reckoning(text, tuple(by_id[each] for each in used))


def _each_once(added: Sequence[tuple[Selected, _Amount]]) -> list[tuple[Selected, _Amount]]:
    """Return the amounts without repetitions in one capture, and without bills of what was paid: that amount is there twice."""
    found: list[tuple[Selected, _Amount]] = []
    for each, amount in added:
        others = [other for other, same in added if same.value == amount.value and other is not each]
        told = [other for other, same in found if same.value == amount.value and other is not each]
        again = any(other.atom.capture_id == each.atom.capture_id for other in told)
        billed = ANNOUNCES.search(each.atom.content) and any(not ANNOUNCES.search(other.atom.content) for other in others)
        if not again and not billed:
            found.append((each, amount))
    return found


def _lies_in(selected: Selected, period: AskedPeriod | None) -> bool:
    moment = (selected.atom.valid_from or selected.atom.observed_at).timestamp()
    return period is None or period.first <= moment < period.last


def _amounts(content: str, wanted: str | None) -> Iterator[_Amount]:
    """Yield each amount of money, or of what is wanted; a rate is none."""
    lowered = content.lower()
    for match in _AMOUNT.finditer(lowered):
        figure = match["after"] or match["before"]
        word = match["sign"] or match["unit"]
        currency = _SIGNS.get(word) or _CURRENCIES.get(word)
        unit = currency if wanted is None else word if stem(word) == wanted else None
        if unit and not _RATE.match(lowered[match.end() :]):
            yield _Amount(figure, _number(figure), unit)


def _number(figure: str) -> Decimal:
    """Return the value of a number as people write it: 1,200 and 1.200 and 1 200 are thousands, 12,50 and 12.50 are not."""
    groups = re.split(r"[.,' ]", figure)
    if len(groups) > 1 and len(groups[-1]) < 3:
        return Decimal(f"{''.join(groups[:-1])}.{groups[-1]}")
    return Decimal("".join(groups))


def _grouped(number: Decimal, *, cents: bool) -> str:
    whole, _, rest = plain(number).partition(".")
    return f"{int(whole):,}" + (f".{rest.ljust(2, '0') if cents else rest}" if rest else "")
