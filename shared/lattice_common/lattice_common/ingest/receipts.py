"""The stage that ends entries: their receipts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from lattice_common.domain.capture import Capture, Entry
from lattice_common.domain.receipt import FinalState, Receipt, Refused, seconds_since
from lattice_common.ingest.context import Context
from lattice_common.ingest.parts import Batch, Part
from lattice_common.ingest.reextraction import mark_again
from lattice_common.logs import logger
from lattice_common.ports.journal import Plan, Tally

log = logger(__name__)

KNOWN_ALREADY = "everything in it was known already"
NOT_PROVED = "nothing in it is proved by its own words"
NOTHING_TO_REMEMBER = "nothing to remember"


def write_receipts(context: Context, batch: Batch) -> None:
    """End the entries whose last part is done; the batch then holds only what is not decided yet."""
    receipts: list[Receipt] = []
    finished: list[tuple[Entry, Receipt]] = []
    for part in batch.decided:
        if isinstance(part.plan, Refused):
            receipts.append(refuse(context, part.entry, part.plan, part.attempt))
        elif part.plan is not None and part.is_last:
            receipts.append(_finished(context, part, part.plan))
            finished.append((part.said, receipts[-1]))
    if finished:
        context.hooks.finished(finished)
    end(context, receipts)
    batch.decided, batch.touched = [], set()


def end(context: Context, receipts: Sequence[Receipt]) -> None:
    """Write receipts, and drop the state kept for their entries."""
    if not receipts:
        return
    context.stores.worklog.end_each(receipts)
    for receipt in receipts:
        forget(context, receipt.capture_id)
        log.info(
            "capture_finished",
            capture_id=receipt.capture_id,
            state=receipt.state,
            atoms_new=receipt.atoms_new,
            atoms_updated=receipt.atoms_updated,
            rejected=receipt.rejected,
            seconds=round(seconds_since(receipt.capture_id, receipt.finished_at), 3),
        )
        context.hooks.ended(receipt)


def forget(context: Context, entry: str) -> None:
    """Drop the state kept for an entry that has its receipt."""
    context.attempts.forget(entry)
    context.readahead.forget(entry)
    context.progress.finished(entry)


def refuse(context: Context, entry: str, refused: Refused, attempt: int) -> Receipt:
    """Return the receipt of an entry that cannot be carried out."""
    return Receipt(
        capture_id=entry,
        state="rejected",
        finished_at=context.stores.clock.now(),
        reason=refused.reason,
        attempts=attempt,
        epoch=context.stores.lock.epoch,
        refused=refused.code,
    )


def dead(context: Context, entry: str, reason: str, attempt: int, plan: Plan | None) -> Receipt:
    """Return the receipt of an entry that failed too often. What its earlier parts stored stays, and is listed in the receipt, so
    that it can be undone."""
    log.warning("capture_dead", capture_id=entry, attempts=attempt)
    tally = plan.tally if plan else Tally()
    return Receipt(
        capture_id=entry,
        state="dead",
        finished_at=context.stores.clock.now(),
        atom_ids=tally.atom_ids,
        atoms_new=len(tally.atom_ids),
        atoms_updated=tally.atoms_updated,
        reason=reason,
        attempts=attempt,
        changes=tally.changes,
        epoch=context.stores.lock.epoch,
    )


def _finished(context: Context, part: Part, plan: Plan) -> Receipt:
    """Return the receipt of an entry whose last part is done. What is to be read again is marked first, because the receipt says
    so."""
    now = context.stores.clock.now
    mark_again(context.stores.worklog, plan.tally, part.said, now())
    notes = part.said.notes if isinstance(part.said, Capture) else ()
    return receipt_of(plan, attempts=part.attempt, finished_at=now(), notes=notes)


def receipt_of(plan: Plan, *, attempts: int, finished_at: datetime, notes: tuple[str, ...] = ()) -> Receipt:
    """Return the receipt of an entry whose last part is `plan`."""
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


def _state(tally: Tally) -> tuple[FinalState, str | None]:
    if tally.atom_ids or tally.atoms_updated or tally.trashed or tally.restored:
        return "stored", None
    if tally.duplicates_skipped:
        return "duplicate", KNOWN_ALREADY
    if tally.changes:
        return "stored", None
    if tally.rejected:
        return "rejected", NOT_PROVED
    # A text without facts ("ok", an emoji) is a valid capture: it stays in the journal.
    return "stored", NOTHING_TO_REMEMBER
