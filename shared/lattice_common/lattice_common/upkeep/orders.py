"""Requests in words: "undo that", "forget what I said about Tom", "export my notes", "what can you do?".

They use the existing verbs. What destroys is previewed and carried out by a token; what is in the trash, or undone, can be
restored. A token is valid for ten minutes, in the process that issued it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import assert_never

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import (
    Action,
    Capture,
    Command,
    CorrectWho,
    DeleteAtom,
    DeleteAtoms,
    EditAtom,
    Entry,
    ForgetAtoms,
    KeepBoth,
    KeepRejected,
    PreferAtom,
    RemoveSource,
    UndoChange,
)
from lattice_common.domain.intent import Explain, Export, Forget, OrderOutcome, Report, TakeBack
from lattice_common.domain.recall import Query, Selection
from lattice_common.domain.receipt import Receipt
from lattice_common.errors import NotFound
from lattice_common.language.intents.commands import order_in
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import Journal, whole_entry, whole_receipt
from lattice_common.upkeep.forget_selection import found_with_all
from lattice_common.upkeep.status import Status

MOST = 100
"""Memories that one request moves to the trash, and shows; it says so where there are more, and can be repeated."""
AT_ONCE = 5
"""Memories that an undo takes back without asking; more of them may be an import."""
LATELY = timedelta(hours=1)
"""How old the last change may be that "that" refers to without asking."""
LOOKED_AT = 200
"""Entries of the journal that are searched for the last change."""
GOOD_FOR = timedelta(minutes=10)
MOST_TOKENS = 64
EXPORT = "/api/export"

HELP = """\
Tell me anything, in your own words: “The spare key is with Ines.” I keep it, and what it replaces is marked as replaced.
Ask for it: “Who has the spare key?” I answer from what you told me, and show where it comes from.
Have something done:
· “Undo that.” takes back the last thing you told or changed.
· “Forget what I said about Tom.” shows what would go into the trash, and moves it there when you confirm.
· “Export my notes.” gives you everything as a file.
· “How much do you remember?” says how it is."""

UNCLEAR = (
    "I did not understand what to do. I can undo the last thing, forget what you said about something, export everything, say "
    "how it is, and say what I can do. To change something, tell me how it is now: “Ines's birthday is on 4 June.” Shall I "
    "remember your words instead, or answer them?"
)


@dataclass(frozen=True, slots=True)
class _Pending:
    action: Action
    reply: OrderOutcome
    until: datetime


class Orders:
    """Safe to call from several threads."""

    def __init__(
        self,
        catalogue: CatalogueReader,
        journal: Journal,
        clock: Clock,
        select: Callable[[Query], Selection],
        status: Callable[[], Status],
    ) -> None:
        self._catalogue = catalogue
        self._journal = journal
        self._clock = clock
        self._select = select
        self._status = status
        self._pending: dict[str, _Pending] = {}
        self._lock = threading.Lock()

    def carry_out(self, text: str, change: Callable[[Action], str]) -> OrderOutcome:
        """Do what words request, or preview it. `change` journals a command and waits for it; its errors are raised."""
        order = order_in(text, meant=True)
        match order:
            case None:
                return OrderOutcome("unclear", "unclear", UNCLEAR)
            case Explain():
                return OrderOutcome("help", "done", HELP)
            case Export():
                return OrderOutcome("export", "done", "Everything that is remembered, one memory a line, as JSON.", href=EXPORT)
            case Report():
                return OrderOutcome("status", "done", _report(self._status()))
            case TakeBack():
                return self._take_back(change)
            case Forget(about):
                return self._forget(about)
        assert_never(order)

    def confirm(self, token: str, change: Callable[[Action], str]) -> OrderOutcome:
        """Carry out what was previewed. Raise `NotFound` for a token that has expired, or was used."""
        with self._lock:
            pending = self._pending.pop(token, None)
        if pending is None or pending.until < self._clock.now():
            raise NotFound("There is nothing to confirm: it was shown too long ago, or is done. Say again what is to be done.")
        change_id = change(pending.action)
        words = "Taken back" if isinstance(pending.action, UndoChange) else "In the trash"
        shown = pending.reply
        return OrderOutcome(
            shown.action, "done", f"{words}: {_count(shown.found)}.", shown.atoms, shown.found, change_id=change_id
        )

    def _take_back(self, change: Callable[[Action], str]) -> OrderOutcome:
        last = self._last_change()
        if last is None:
            return OrderOutcome("undo", "done", "There is nothing to take back.")
        entry_id, said, receipt = last
        ids = list(dict.fromkeys((*receipt.atom_ids, *receipt.trashed, *(each.atom_id for each in receipt.changes))))
        atoms = tuple(self._catalogue.get(ids))
        action = UndoChange(entry_id)
        if len(receipt.atom_ids) > AT_ONCE or self._clock.now() - said.received_at > LATELY:
            when = f"{said.received_at.day} {said.received_at:%B %Y, %H:%M}"
            return self._ask(action, "undo", f"The last change was on {when}. Take it back?", atoms, len(ids))
        change_id = change(action)
        shown = f": “{_short(atoms[0].content)}”" if len(atoms) == 1 else f": {_count(len(atoms))}" if atoms else ""
        return OrderOutcome("undo", "done", f"Taken back{shown}.", atoms[:MOST], len(ids), change_id=change_id)

    def _forget(self, about: str) -> OrderOutcome:
        atoms = found_with_all(about, MOST, self._select)
        if not atoms:
            return OrderOutcome("forget", "done", f"Nothing that I remember is about “{about}”. Nothing was forgotten.")
        going = atoms[:MOST]
        more = f" There are more; these are the first {MOST}." if len(atoms) > MOST else ""
        words = f"This would go into the trash: {_count(len(going))} about “{about}”.{more} It can be brought back."
        return self._ask(ForgetAtoms(tuple(atom.atom_id for atom in going)), "forget", words, tuple(going), len(going))

    def _ask(self, action: Action, name: str, message: str, atoms: tuple[Atom, ...], found: int) -> OrderOutcome:
        token = self._clock.new_id()
        reply = OrderOutcome("undo" if name == "undo" else "forget", "confirm", message, atoms[:MOST], found, token)
        with self._lock:
            while len(self._pending) >= MOST_TOKENS:
                del self._pending[next(iter(self._pending))]
            self._pending[token] = _Pending(action, reply, self._clock.now() + GOOD_FOR)
        return reply

    def _last_change(self) -> tuple[str, Entry, Receipt] | None:
        """Return the owner's last capture or change that is not undone; the product's own commands are skipped."""
        undone: set[str] = set()
        for entry_id in islice(self._journal.entries(newest_first=True), LOOKED_AT):
            said = whole_entry(self._journal, entry_id)
            if isinstance(said, Command) and isinstance(said.action, UndoChange):
                if entry_id not in undone:
                    undone.add(said.action.change_id)
                continue
            if said is None or entry_id in undone or not _is_owners(said):
                continue
            receipt = whole_receipt(self._journal, entry_id)
            if receipt is not None and (receipt.atom_ids or receipt.changes or receipt.trashed):
                return entry_id, said, receipt
        return None


_BY_HAND = (CorrectWho, EditAtom, DeleteAtom, DeleteAtoms, KeepBoth, KeepRejected, PreferAtom, RemoveSource)


def _is_owners(said: Entry) -> bool:
    """Return whether an entry was told, or changed by hand."""
    if isinstance(said, Capture):
        return True
    if isinstance(said.action, ForgetAtoms):
        return not said.action.now  # what is forgotten cannot be taken back
    return isinstance(said.action, _BY_HAND)


def _report(status: Status) -> str:
    waiting = status.captures.get("waiting", 0)
    said = [f"I remember {_count(status.atoms)}."]
    if status.subjects:
        said.append(f"Mostly about: {', '.join(list(status.subjects)[:5])}.")
    if waiting:
        said.append(f"{waiting} of what you told is still being read.")
    said += [f"Without {each}." for each in status.degraded]
    return " ".join(said)


def _count(number: int) -> str:
    return "one memory" if number == 1 else f"{number} memories"


def _short(content: str) -> str:
    return content if len(content) <= 120 else content[:119].rstrip() + "…"
