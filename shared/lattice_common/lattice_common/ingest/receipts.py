"""How an entry ends: its receipt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from lattice_common.domain.receipt import FinalState, Receipt
from lattice_common.ports.journal import Plan, Tally

KNOWN_ALREADY = "everything in it was known already"
NOT_PROVED = "nothing in it is proved by its own words"
NOTHING_TO_REMEMBER = "nothing to remember"


@dataclass(frozen=True, slots=True)
class Refused:
    """A command that was not carried out, and why."""

    reason: str


def receipt_of(plan: Plan, *, attempts: int, finished_at: datetime, notes: tuple[str, ...] = ()) -> Receipt:
    """The receipt of an entry whose last part is `plan`."""
    tally = plan.tally
    state, reason = _state(tally)
    return Receipt(
        capture_id=plan.capture_id,
        state=state,
        finished_at=finished_at,
        atom_ids=tally.atom_ids,
        atoms_new=len(tally.atom_ids),
        atoms_updated=tally.atoms_updated,
        duplicates_skipped=tally.duplicates_skipped,
        rejected=tally.rejected,
        reason=reason,
        attempts=attempts,
        changes=tally.changes,
        trashed=tally.trashed,
        restored=tally.restored,
        notes=tuple(dict.fromkeys((*notes, *tally.notes))),
        epoch=plan.epoch,
        seq=max((atom.seq for atom in plan.atoms), default=0),
    )


def refusal(entry_id: str, reason: str, *, attempts: int, finished_at: datetime, epoch: int, dead: bool = False) -> Receipt:
    """The receipt of an entry that cannot be carried out (`rejected`), or failed too often (`dead`)."""
    return Receipt(
        capture_id=entry_id,
        state="dead" if dead else "rejected",
        finished_at=finished_at,
        reason=reason,
        attempts=attempts,
        epoch=epoch,
    )


def cut_short(receipt: Receipt, tally: Tally) -> Receipt:
    """The receipt of an entry that is dead after some of its parts were done."""
    return replace(
        receipt,
        state="dead",
        atom_ids=tally.atom_ids,
        atoms_new=len(tally.atom_ids),
        atoms_updated=tally.atoms_updated,
        changes=tally.changes,
    )


def _state(tally: Tally) -> tuple[FinalState, str | None]:
    if tally.atom_ids or tally.atoms_updated or tally.trashed or tally.restored:
        return "stored", None
    if tally.duplicates_skipped:
        return "duplicate", KNOWN_ALREADY
    if tally.changes:
        return "stored", None
    if tally.rejected:
        return "rejected", NOT_PROVED
    # Words that hold no fact ("ok", an emoji) are a valid capture: they stay in the journal.
    return "stored", NOTHING_TO_REMEMBER
