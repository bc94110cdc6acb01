"""Pairs about which the rules are unsure, offered to a language model: which older statements does a new one make outdated?

It chooses among the offered pairs, and none is offered that trust, time or authorship forbid: a document never retires what a
person said, whatever a model thinks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeAlias

from lattice_common.domain.atom import Atom
from lattice_common.domain.last_said import said_at
from lattice_common.domain.replacement import replaced_by
from lattice_common.ingest.extract.extractor import Offer
from lattice_common.ingest.reconcile.ledger import Ledger
from lattice_common.ingest.reconcile.supersession import is_newer, rank
from lattice_common.language.slots import author_of

MOST_PAIRS = 12
"""Pairs offered in one call: a part has few such pairs, and a small model cannot keep more apart."""

LONGEST = 300
"""Characters of a statement that is offered; longer ones are passages."""

_NOT_STATES = frozenset(("question", "goal", "recommendation", "reminder", "event", "insight", "synthesis"))
"""Kinds that do not end because something else is said later: what happened has happened."""

Choose: TypeAlias = Callable[[Sequence[Offer]], frozenset[tuple[str, str]]]
"""Returns those of the offered pairs (new id, older id) in which the older is outdated."""


class Unsure:
    """The pairs of one call that the rules left open."""

    def __init__(self) -> None:
        self._pairs: list[tuple[Atom, Atom]] = []

    def add(self, new: Atom, older: Atom, *, judged: bool = False) -> None:
        """Keep a pair to ask about, if it may be asked about at all; a `judged` one may be of any kind: events are put off,
        too."""
        if len(self._pairs) < MOST_PAIRS and (judged or _may_retire(new, older)):
            self._pairs.append((new, older))

    def settle(self, ledger: Ledger, choose: Choose) -> None:
        """Ask once, if there is anything to ask, and retire what was chosen."""
        open_pairs = [
            (new, older)
            for new, older in self._pairs
            if not ledger.now(new).is_superseded and not ledger.now(older).is_superseded
        ]
        if not open_pairs:
            return
        chosen = choose(_offers(open_pairs))
        for new, older in open_pairs:
            if (new.atom_id, older.atom_id) in chosen:
                ledger.supersede(older, new, f"{replaced_by(new.content)} (found outdated by the language model)")


def _may_retire(new: Atom, older: Atom) -> bool:
    if new.capture_id == older.capture_id:
        return False  # what is said in one breath is meant to stand side by side
    if rank(new) > rank(older) or author_of(new) != author_of(older) or not is_newer(new, older):
        return False
    if len(new.content) > LONGEST or len(older.content) > LONGEST:
        return False
    return new.kind not in _NOT_STATES and older.kind not in _NOT_STATES


def _offers(pairs: Sequence[tuple[Atom, Atom]]) -> list[Offer]:
    by_new: dict[str, tuple[Atom, dict[str, tuple[str, datetime]]]] = {}
    for new, older in pairs:
        by_new.setdefault(new.atom_id, (new, {}))[1][older.atom_id] = (older.content, said_at(older))
    return [Offer(new.atom_id, new.content, said_at(new), older) for new, older in by_new.values()]
