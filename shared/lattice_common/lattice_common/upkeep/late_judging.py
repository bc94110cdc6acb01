"""Judging imported statements a little later: the judge takes milliseconds for each, too long to hold an import up.

Called by the writer in idle time, in the order in which the statements were stored: how each is meant, where the import did not
ask, and then what it ends. Both become commands of the product's own, so they are journaled; each retirement has a reason, and
can be undone like any other. A statement that was told by hand was judged when it came, and is skipped, unless very many were
told at once: the receipts of those that were put off have the note `judged_later`. `index/judged.json` holds the progress; a
store without that file is not judged from the beginning, so that what its owner has settled or undone stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from lattice_common.domain.atom import Atom, Relation
from lattice_common.domain.capture import Action, Capture, Command, JsonValue, SetStatuses, SettleJudged
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.receipt import AtomChange
from lattice_common.domain.replacement import replaced_by
from lattice_common.errors import Unavailable
from lattice_common.ingest.commit import vectors_of
from lattice_common.ingest.group import JUDGED_LATER
from lattice_common.ingest.neighbours import judging_beside
from lattice_common.ingest.reconcile.judging import Verdict, decide
from lattice_common.ingest.reconcile.ledger import STRONGER
from lattice_common.ingest.stores import Stores
from lattice_common.logs import logger
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import whole_entry, whole_receipt
from lattice_common.ports.judge import Judge
from lattice_common.upkeep.progress_note import read_note, write_note
from lattice_common.upkeep.status_reading import StatusReading, as_meant

log = logger(__name__)

AT_ONCE = 16
"""Statements judged in one idle moment: half a second on two cores, after which the writer looks for work again."""


class LateJudging:
    """One thread, the writer's, calls `look`. Any may call `behind`."""

    def __init__(self, path: Path, stores: Stores, judge: Judge | None, clock: Clock, ring: Callable[[str], object]) -> None:
        self._path = path
        self._stores = stores
        self._judge = judge
        self._clock = clock
        self._ring = ring
        self._statuses = StatusReading(stores.worklog, judge, late=True)
        self._up_to: int | None = None
        self._bulk: dict[str, bool] = {}

    def begin(self) -> None:
        """Prepare before anything is stored in this process: the contents of a store that was never judged are left alone, and
        everything stored from now on is judged, also an import that begins before the writer was ever idle."""
        self._up_to = self._read()

    def behind(self) -> int:
        """Return how many stored statements have not been looked at yet."""
        if self._judge is None or self._up_to is None:
            return 0
        return max(0, self._stores.catalogue.last_seq() - self._up_to)

    def look(self) -> bool:
        """Judge the next few statements, if any wait; return whether more may wait, so that another call makes sense."""
        if self._judge is None:
            return False
        if self._up_to is None:
            self._up_to = self._read()
        waiting = self._stores.catalogue.following(self._up_to, limit=AT_ONCE)
        if not waiting:
            self._statuses.let_go()
            return False
        bulk = [atom for atom in waiting if self._is_bulk(atom)]
        statuses = self._statuses.not_simply_so(bulk)
        found = self._judged([as_meant(atom, statuses) for atom in bulk])
        if found is None:
            return False
        up_to = max(atom.seq for atom in waiting)
        if statuses:
            self._give(SetStatuses(statuses))
        if any(found.values()):
            self._give(SettleJudged(found["retire"], found["ask"], up_to, found["precede"]))
        self._up_to = up_to
        self._write(up_to)
        return len(waiting) == AT_ONCE

    def _give(self, action: Action) -> None:
        command = Command(self._clock.new_id(), self._clock.now(), action)
        self._stores.worklog.append(command)
        self._ring(command.command_id)

    def _is_bulk(self, atom: Atom) -> bool:
        """Return whether it came with an import; the origin of a file that a hand wrote is unknown, so it is left alone."""
        known = self._bulk.get(atom.capture_id)
        if known is None:
            if len(self._bulk) > 4096:
                self._bulk.clear()
            said = whole_entry(self._stores.worklog, atom.capture_id)
            known = self._bulk[atom.capture_id] = isinstance(said, Capture) and (
                said.priority == "bulk" or self._was_put_off(atom.capture_id)
            )
        return known and not atom.is_superseded and not is_conclusion(atom)

    def _was_put_off(self, capture_id: str) -> bool:
        receipt = whole_receipt(self._stores.worklog, capture_id)
        return receipt is not None and JUDGED_LATER in receipt.notes

    def _judged(self, atoms: list[Atom]) -> dict[Verdict, dict[str, JsonValue]] | None:
        """Return older → newer, for each verdict, the strongest one only; None where an engine is away for now."""
        judging = judging_beside(self._stores, self._judge, {})
        assert judging is not None  # noqa: S101 - narrows: there is a judge
        found: dict[Verdict, dict[str, JsonValue]] = {"retire": {}, "ask": {}, "precede": {}}
        try:
            vectors = vectors_of(self._stores, {}, [atom.atom_id for atom in atoms])
            beside: dict[str, list[tuple[Atom, Atom]]] = {}
            for atom in atoms:
                others = self._stores.catalogue.get(judging.near(atom, vectors.get(atom.atom_id)))
                # In both directions of time, because an import tells of old days; what was stored after it compares itself with
                # it.
                earlier = [each for each in others if each.seq < atom.seq and not is_conclusion(each)]
                beside[atom.atom_id] = judging.shown(atom, earlier)
            for each in decide(judging.read(beside, atoms), judging):
                found[each.verdict].setdefault(each.older.atom_id, each.newer.atom_id)
        except Unavailable:
            return None
        stronger: set[str] = set()
        for verdict, ended in found.items():
            found[verdict] = {older: newer for older, newer in ended.items() if older not in stronger}
            stronger |= ended.keys()
        return found

    def _read(self) -> int:
        try:
            return int(read_note(self._path)["up_to"])
        except FileNotFoundError:
            newest = self._stores.catalogue.last_seq()
            self._write(newest)
            return newest
        except (ValueError, KeyError, TypeError):
            return 0  # at worst some are judged once more

    def _write(self, up_to: int) -> None:
        try:
            write_note(self._path, {"up_to": up_to})
        except OSError:
            # Derived state: at worst some are judged once more.
            log.warning("log_not_written", log="judged")


def settled(judged: SettleJudged, catalogue: KnownAtoms) -> Iterator[AtomChange]:
    """Yield the changes for a verdict, given the current state: none where one of both statements is gone or superseded."""
    wanted: Mapping[str, JsonValue] = {**judged.precede, **judged.ask, **judged.retire}
    atoms = {atom.atom_id: atom for atom in catalogue.get([*wanted, *map(str, wanted.values())])}
    supersedes: dict[str, list[str]] = {}
    relations: dict[str, list[Relation]] = {}
    for old_id, new_id in wanted.items():
        older, newer = atoms.get(old_id), atoms.get(str(new_id))
        if older is None or newer is None or older.is_superseded or newer.is_superseded:
            continue
        if old_id in judged.retire:
            before: dict[str, JsonValue] = {"is_superseded": False, "superseded_by": None, "superseded_reason": None}
            reason = replaced_by(newer.content)
            yield AtomChange(old_id, before, {"is_superseded": True, "superseded_by": newer.atom_id, "superseded_reason": reason})
            supersedes.setdefault(newer.atom_id, list(newer.supersedes)).append(old_id)
        elif all(each.target != old_id or each.type not in STRONGER for each in newer.relations):
            kept = relations.setdefault(newer.atom_id, list(newer.relations))
            tie = Relation("may_update" if old_id in judged.ask else "updates", old_id)
            relations[newer.atom_id] = [each for each in kept if each.target != old_id] + [tie]
    for atom_id in dict.fromkeys([*supersedes, *relations]):
        atom = atoms[atom_id]
        was: dict[str, JsonValue] = {}
        after: dict[str, JsonValue] = {}
        if atom_id in supersedes:
            was["supersedes"], after["supersedes"] = list(atom.supersedes), list(supersedes[atom_id])
        if atom_id in relations:
            was["relations"], after["relations"] = _plain(atom.relations), _plain(relations[atom_id])
        yield AtomChange(atom_id, was, after)


def _plain(relations: tuple[Relation, ...] | list[Relation]) -> list[JsonValue]:
    return [{"type": relation.type, "target": relation.target} for relation in relations]
