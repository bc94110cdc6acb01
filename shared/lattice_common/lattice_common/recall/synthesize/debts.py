"""What somebody owes the owner, or the owner them: what was lent or borrowed, less what was paid back since.

Money that changed hands counts where it says that it is of the debt, or is for the same thing ("for the shoes"); other money is
named as not counted. In doubt (several amounts, several currencies, more paid back than was owed) nothing is computed.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from decimal import Decimal

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Meant, Selected
from lattice_common.language.amounts import MOVED, Amount, amounts_in
from lattice_common.language.debts import AskedDebt, Moved, moved
from lattice_common.language.questions.matter import said_tokens
from lattice_common.language.text import analyze
from lattice_common.recall.synthesize.reckoning import Reckoning, grouped, was_so

MOST_LEFT_OUT = 2
"""Other payments that are named."""
_OF_DEBTS = frozenset(
    analyze("lent loaned borrowed owes owe owed paid back gave sent transferred returned pounds euros dollars today")
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One statement about money. `value`: what it adds to the debt, negative where it lessens it; `figure`: how it is written."""

    selected: Selected
    said: Moved
    value: Decimal
    figure: str
    unit: str


def debt(asked: AskedDebt, pool: Sequence[Selected], meant: Sequence[Meant]) -> Reckoning | None:
    """Return the balance with whom the question asks about, or with everybody; None where none can be told."""
    wanted = _tokens_of(asked.who, meant)
    parties: dict[str, list[tuple[Selected, Moved]]] = {}
    for selected in sorted(pool, key=lambda each: (each.atom.observed_at, each.atom.atom_id)):
        said = moved(selected.atom.content) if _counts(selected.atom) else None
        if said is None or (wanted and wanted.isdisjoint(analyze(said.who))):
            continue
        parties.setdefault("" if wanted else " ".join(analyze(said.who)), []).append((selected, said))
    sentences: list[str] = []
    used: list[Selected] = []
    for found in parties.values():
        made = _sentence(asked, found, len(used))
        if made is not None:
            sentences.append(made.text)
            used += made.used
    return Reckoning(" ".join(sentences), tuple(used)) if sentences else None


def _counts(atom: Atom) -> bool:
    """Return whether it happened; who says "I'll give it back" plans that, and has what was paid."""
    return was_so(atom) or atom.status == "planned"


def _tokens_of(who: str | None, meant: Sequence[Meant]) -> set[str]:
    if who is None:
        return set()
    tokens = set(analyze(who))
    return tokens.union(*(analyze(name) for each in meant if tokens & set(analyze(each.asked)) for name in each.names))


def _sentence(asked: AskedDebt, found: Sequence[tuple[Selected, Moved]], before: int) -> Reckoning | None:
    """Return the sentence on one party, its citations counted behind `before` others."""
    ledger, left_out = _ledger(found, mine=asked.mine)
    if not ledger or len({each.unit for each in ledger if each.unit}) > 1:
        return None
    if asked.repaid:
        ledger = [each for each in ledger if not each.said.debt]
    balance = sum((each.value for each in ledger), Decimal(0))
    if asked.repaid:
        balance = -balance
    if not ledger or balance < 0 or (asked.who is None and not balance):
        return None
    unit = next((f" {each.unit}" for each in ledger if each.unit), "")
    others = left_out[:MOST_LEFT_OUT]
    cited = [*(each.selected for each in ledger), *others]
    first = "" if len(ledger) == 1 else ":"
    terms = [f"{each.figure} [{n}]" for n, each in enumerate(ledger, start=before + 1)]
    signs = [" + " if each.value >= 0 or asked.repaid else " − " for each in ledger[1:]]
    shown = "".join(part for pair in zip(["", *signs], terms, strict=True) for part in pair)
    text = f"{_lead(asked, _name(ledger[0].said.who), balance, unit)}{first} {shown if first else terms[0].split(' ', 1)[-1]}."
    if others:
        numbers = ", ".join(f"[{n}]" for n in range(before + len(ledger) + 1, before + len(cited) + 1))
        text += f" Not counted: {numbers}."
    return Reckoning(text, tuple(cited))


def _name(who: str) -> str:
    """Return a name as it is told to the owner: "my brother" is theirs."""
    role = who.split(" ", 1)
    return f"your {role[1]}" if role[0].lower() in ("my", "our") else who


def _lead(asked: AskedDebt, who: str, balance: Decimal, unit: str) -> str:
    amount = f"{grouped(balance, cents=True)}{unit}"
    subject = who[:1].upper() + who[1:]
    if asked.repaid:
        return f"You have paid {who} back {amount}" if asked.mine else f"{subject} has paid back {amount}"
    if not balance:
        return f"You owe {who} nothing any more" if asked.mine else f"{subject} owes you nothing any more"
    return f"You owe {who} {amount}" if asked.mine else f"{subject} owes you {amount}"


def _ledger(found: Sequence[tuple[Selected, Moved]], *, mine: bool) -> tuple[list[_Entry], list[Selected]]:
    """Return what makes up the debt, in order of time, and what else was paid since. `mine`: it is the owner's."""
    ledger: list[_Entry] = []
    left_out: list[Selected] = []
    for selected, said in found:
        amounts = list(amounts_in(selected.atom.content, None, bare=MOVED))
        owing = sum((each.value for each in ledger), Decimal(0))
        of_it = said.back or _of_the_same(selected.atom, said, ledger)
        if said.settled and not amounts and said.to_them == mine and owing > 0:
            ledger.append(_Entry(selected, said, -owing, "all of it", ""))
        elif len(amounts) > 1 and (said.debt or of_it):
            return [], []
        elif amounts:
            entry = _entry(selected, said, amounts[0], mine=mine)
            if said.left and entry.value > 0:
                ledger = [entry]
            elif said.owed and any(each.value == entry.value for each in ledger):
                continue
            elif said.debt or (owing > 0 and of_it):
                ledger.append(entry)
            elif owing > 0:
                left_out.append(selected)
    return ledger, left_out


def _entry(selected: Selected, said: Moved, amount: Amount, *, mine: bool) -> _Entry:
    return _Entry(selected, said, amount.value if said.to_them != mine else -amount.value, amount.figure, amount.unit)


def _of_the_same(atom: Atom, said: Moved, ledger: Sequence[_Entry]) -> bool:
    """Return whether a payment is for what a debt was made for: "for the car thing", of "for his car repair"."""
    own = _matter(atom, said)
    return any(not own.isdisjoint(_matter(each.selected.atom, each.said)) for each in ledger if each.said.debt)


def _matter(atom: Atom, said: Moved) -> Set[str]:
    return {each for each in said_tokens(atom.content) if not each[0].isdigit()} - set(analyze(said.who)) - _OF_DEBTS
