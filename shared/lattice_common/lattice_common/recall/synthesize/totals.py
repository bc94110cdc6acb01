"""The sum of amounts. Only amounts of one unit are added, from asserted statements about what was asked, and the answer says what
was added and what was left out, so that the reader sees what is missing. In doubt nothing is added."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Selected
from lattice_common.language.amounts import FIGURE, PAID, Amount, amounts_in
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.language.questions.asked_together import ANNOUNCES, GIVES_BACK, TAKES_IN, TOTAL
from lattice_common.language.questions.matter import Matter, matter_of
from lattice_common.language.text import stem
from lattice_common.recall.synthesize.reckoning import FEWEST, Reckoning, grouped, tells_anew, was_so
from lattice_common.recall.tools import sum_numbers

_MANY = re.compile(r"\bhow many (\w+)")
_MONEY = re.compile(r"\b(?:costs?|spen[dt]|paid|pay|money|charged?)\b")
_PLUS = re.compile(r"\bplus\b|\+")
_CLAUSE = re.compile(r"\s*[;,]\s+(?:and |but )?|\s+and\s+")
"""Where one clause of a statement ends: "The kitchen cost 4200 euros, and the bath cost 1800 euros"."""
_COSTS = re.compile(r"\w (?:costs?|came to|was|were|is|are) ")
"""A clause with its own subject. "Kitchen: 35 euros for hooks and 12 for a rail" has one subject for two amounts."""
MOST_LEFT_OUT = 3
"""Amounts left out that are named."""


def total(english: str, pool: Sequence[Selected], period: AskedPeriod | None) -> Reckoning | None:
    """Return a total, or None. `english`: the question as it is read; `pool`: the candidates. Amounts outside the time asked
    about do not count."""
    lowered = english.lower()
    many = _MANY.search(lowered)
    wanted = None if many is None else stem(many[1])
    matter = matter_of(english, {wanted} if wanted else ())
    if matter is None:
        return None
    bare = wanted is None and _MONEY.search(lowered) is not None
    spending = bare and TAKES_IN.search(lowered) is None
    by_id = {each.atom.atom_id: each.atom for each in pool}
    added: dict[str, list[tuple[Selected, Amount]]] = {}
    left_out: list[tuple[Selected, Sequence[Amount]]] = []
    for each in pool:
        content = each.atom.content
        if not was_so(each.atom) or not _lies_in(each, period) or not matter.is_in(content):
            continue
        amounts = list(amounts_in(content, wanted, bare=PAID if bare else None))
        if amounts and TOTAL.search(content.lower()):
            return None  # somebody has added it up already
        newer = by_id.get(each.outdated_by or each.atom.superseded_by or "")
        corrected = newer is not None and _corrects(
            newer, each.atom, matter, list(amounts_in(newer.content, wanted, bare=PAID if bare else None)), amounts
        )
        if corrected and each.atom.is_superseded:
            continue
        clear = amounts if len(amounts) == 1 or _PLUS.search(content) else _of_clauses(content, wanted, matter)
        if clear and not corrected and each.after is None and not _comes_in(content, spending=spending):
            added.setdefault(content.casefold(), [(each, amount) for amount in clear])
        elif amounts:
            left_out.append((each, amounts))
    return _reckoned(_each_once([each for found in added.values() for each in found]), left_out, cents=wanted is None)


def _comes_in(content: str, *, spending: bool) -> bool:
    """Return whether money comes back, or, where what was spent is asked for, comes in."""
    return bool(GIVES_BACK.search(content)) or (spending and bool(TAKES_IN.search(content)))


def _corrects(newer: Atom, older: Atom, matter: Matter, now: Sequence[Amount], then: Sequence[Amount]) -> bool:
    """Return whether a newer statement denies it, or gives another amount for the same thing."""
    if older.is_superseded and not was_so(newer):
        return True
    other = {each.value for each in now} - {each.value for each in then}
    return bool(other) and tells_anew(newer, older, matter)


def _of_clauses(content: str, wanted: str | None, matter: Matter) -> list[Amount]:
    """Return the amounts of a statement with several, of those of its clauses that are about what was asked; none where a clause
    does not say by itself what cost one amount."""
    found: list[Amount] = []
    for clause in _CLAUSE.split(content):
        amounts = list(amounts_in(clause, wanted))
        if len(amounts) != 1 or len(FIGURE.findall(clause)) != 1 or not _COSTS.search(clause):
            return []
        if matter.is_in(clause):
            found += amounts
    return found


def _reckoned(
    added: Sequence[tuple[Selected, Amount]], left_out: Sequence[tuple[Selected, Sequence[Amount]]], *, cents: bool
) -> Reckoning | None:
    units = {amount.unit for _, amount in added if amount.unit}
    if len(added) < FEWEST or len(units) > 1:
        return None
    unit = f" {units.pop()}" if units else ""
    named = left_out[:MOST_LEFT_OUT]
    used = list(dict.fromkeys(each.atom.atom_id for each, *_ in (*added, *named)))
    by_id = {each.atom.atom_id: each for each, *_ in (*added, *named)}
    numbers = [f"{amount.figure} [{used.index(each.atom.atom_id) + 1}]" for each, amount in added]
    rest = [f"{' and '.join(one.figure for one in found)} [{used.index(each.atom.atom_id) + 1}]" for each, found in named]
    text = f"In all {grouped(sum_numbers([amount.value for _, amount in added]), cents=cents)}{unit}: {' + '.join(numbers)}."
    if rest:
        text += f" Not added: {', '.join(rest)}."
    return Reckoning(text, tuple(by_id[each] for each in used))


def _each_once(added: Sequence[tuple[Selected, Amount]]) -> list[tuple[Selected, Amount]]:
    """Return the amounts without repetitions in one capture, and without bills of what was paid: that amount is there twice."""
    found: list[tuple[Selected, Amount]] = []
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
