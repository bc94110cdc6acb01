"""What is left of a stock: what there was or was added, less what was taken from it since.

A statement counts where it gives an amount in the unit asked for, and names what of, or names nothing else where memory knows
only one such stock. A later count ("8 jars left") begins anew. In doubt (several units, more taken than there was) nothing is
computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from lattice_common.domain.recall import Selected
from lattice_common.language.questions.matter import said_tokens
from lattice_common.language.stocks import AskedStock, Move, move_in
from lattice_common.recall.synthesize.reckoning import Reckoning, grouped, was_so

MOST_LEFT_OUT = 3
"""Other statements with such amounts that are named."""


def remaining(asked: AskedStock, pool: Sequence[Selected]) -> Reckoning | None:
    """Return how much is left, or None. `pool`: the candidates."""
    moves: list[tuple[Selected, Move]] = []
    for each in sorted(pool, key=lambda one: (one.atom.valid_from or one.atom.observed_at, one.atom.atom_id)):
        made = move_in(each.atom.content, asked) if was_so(each.atom) or each.atom.status == "planned" else None
        if made is not None:
            moves.append((each, made))
    named = {each.atom.atom_id: _names(each, asked) for each, _ in moves}
    only_one = all(named[each.atom.atom_id] for each, made in moves if made.way != "taken")
    about = [
        (each, made)
        for each, made in moves
        if named[each.atom.atom_id] or (only_one and asked.unit is not None and _names_none(each, asked))
    ]
    return _balance(about)


def not_of_another(asked: AskedStock, told: Sequence[Selected]) -> list[Selected]:
    """Return the statements without those that give an amount in the unit asked for, of something else."""
    return [each for each in told if _names(each, asked) or move_in(each.atom.content, asked) is None]


def _names(selected: Selected, asked: AskedStock) -> bool:
    """Return whether a statement says what of; "a jar of the quince" leaves out "jelly"."""
    said = said_tokens(selected.atom.content)
    wanted = asked.about[:-1] if len(asked.about) > 1 else asked.about
    return said.issuperset(wanted)


def _names_none(selected: Selected, asked: AskedStock) -> bool:
    return said_tokens(selected.atom.content).isdisjoint(asked.about)


def _balance(moves: Sequence[tuple[Selected, Move]]) -> Reckoning | None:
    ledger: list[tuple[Selected, Move]] = []
    left_out: list[Selected] = []
    for each, made in moves:
        if was_so(each.atom) and (made.way == "counted" or (made.way is None and not ledger)):
            ledger = [(each, made)]
        elif was_so(each.atom) and made.way is not None and (ledger or made.way == "added"):
            ledger.append((each, made))
        else:
            left_out.append(each)
    if len({made.unit for _, made in ledger}) > 1 or not any(made.way == "taken" for _, made in ledger):
        return None
    balance = sum((-made.value if made.way == "taken" else made.value for _, made in ledger), Decimal(0))
    if balance < 0:
        return None
    others = left_out[:MOST_LEFT_OUT]
    terms = [f"{grouped(made.value, cents=False)} [{n}]" for n, (_, made) in enumerate(ledger, start=1)]
    signs = ["", *(" − " if made.way == "taken" else " + " for _, made in ledger[1:])]
    shown = "".join(f"{sign}{term}" for sign, term in zip(signs, terms, strict=True))
    text = f"{grouped(balance, cents=False)} left: {shown}."
    if others:
        numbers = ", ".join(f"[{n}]" for n in range(len(ledger) + 1, len(ledger) + len(others) + 1))
        text += f" Not counted: {numbers}."
    return Reckoning(text, (*(each for each, _ in ledger), *others))
