"""The stages that carry out what is decided: files, catalogue, graph, then the search engines and passages.

Everything here may be repeated: a plan that was carried out in part, or wholly, gives the same state when it is carried out
again. Canonical state comes first; the engines come last, and whatever they miss is repaired at the next start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lattice_common.domain.atom import Atom, atom_id_for
from lattice_common.domain.capture import Capture, Command, DeleteAtom, DeleteAtoms, ForgetAtoms, RemoveSource
from lattice_common.domain.receipt import AtomChange
from lattice_common.errors import Conflict, Corrupt, InvalidInput
from lattice_common.ingest.context import Context
from lattice_common.ingest.index_documents import dense_document, embed_atoms, lexical_document
from lattice_common.ingest.link import link, linked_to
from lattice_common.ingest.parts import Batch
from lattice_common.ingest.passages.shelve import EMBEDDED_AT_ONCE
from lattice_common.ingest.stores import Stores, Written
from lattice_common.ingest.window import window_of
from lattice_common.logs import logger
from lattice_common.ports.atoms import FileMark
from lattice_common.ports.clock import Clock
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.journal import Plan, whole_entry
from lattice_common.ports.rejection_log import RejectedCandidate

log = logger(__name__)

REJECTED_ORDINAL = 1_000_000
"""First ordinal of quarantined candidates, so that their ids never equal an atom's."""

FILTERED_BY = ("source_id", "session_id")

INDEXED_FIELDS = frozenset(
    {"content", "subject", "kind", "entities", "observed_at", "valid_from", "valid_until", "date_phrase", *FILTERED_BY}
)
"""Fields that the engines hold; a change of any other field (a supersession, a count) does not concern them."""

LINKED_FIELDS = frozenset({"content", "status", "subject", "entities", "kind", "supersedes", "relations"})
"""Fields that determine an atom's place in the graph: whom it mentions depends on its words, where it is valid."""


def commit(context: Context, batch: Batch) -> None:
    """Make what was decided durable, then carry it out in the files: once its plan is renamed, it is only carried out."""
    parts, batch.unwritten = batch.unwritten, []
    batch.pending.clear()
    planned = [(part, part.plan) for part in parts if isinstance(part.plan, Plan)]
    if not planned:
        return
    context.stores.lock.check()
    context.stores.worklog.write_plans([plan for part, plan in planned if not part.is_planned])
    for _, plan in planned:
        context.numbers.taken_by(plan)
    with context.attempts.carrying_out([part.entry for part, _ in planned]):
        write_plans(context.stores, [plan for _, plan in planned], batch.written)


def index(context: Context, batch: Batch) -> None:
    """Update the graph and the engines from what was written, before any receipt: what a receipt names can be found."""
    planned = list(batch.planned())
    for part, _ in planned:
        if part.work is not None:
            context.publish(part.work, "index")
    if not planned:
        return
    captures = {part.capture.capture_id: part.capture for part, _ in planned if part.capture is not None}
    with context.attempts.carrying_out([part.entry for part, _ in planned]):
        index_seq = context.numbers.next_index_seq()
        follow(context.stores, batch.written, captures, batch.vectors(), index_seq=index_seq)
        context.hooks.followed()
        for _, plan in planned:
            if plan.erasure is not None:
                context.hooks.erase(plan)
                context.hooks.followed()
    batch.written = Written()
    for part, plan in planned:
        if part.work is not None:
            part.work.done, part.work.tally = part.work.done + 1, plan.tally


def shelve(context: Context, batch: Batch) -> None:
    """Update the passages of captures that are done, before their receipts. For captures that somebody waits for, the first
    passages get their vectors at once; the rest a little later."""
    shelf = context.stores.shelf
    captures = [part.capture for part, _ in batch.planned() if part.is_last and part.capture is not None]
    if shelf is not None and captures:
        waited_for = any(capture.priority == "interactive" for capture in captures)
        shelf.shelve(captures, context.numbers.next_index_seq(), at_once=EMBEDDED_AT_ONCE if waited_for else 0)


def write_plans(stores: Stores, plans: Sequence[Plan], written: Written) -> None:
    """Write plans into the atoms' files and the catalogue, and add to `written` what was changed. No two of the plans touch one
    atom."""
    stores.lock.check()
    entries = _put(stores, [atom for plan in plans for atom in plan.atoms])
    written.new += [atom for atom, _ in entries]
    entries += _changed(stores, [change for plan in plans for change in plan.changes], written)
    for atom_id in (atom_id for plan in plans for atom_id in plan.restored):
        try:
            # Where the process died after the move, the file is there already, and the graph may not know it yet.
            restored = stores.atoms.restore(atom_id) or stores.atoms.set_fields(atom_id, {})
        except (Conflict, Corrupt):
            # A hand was quicker, or broke what lies in the trash: the file there stays, and is read at the next start.
            log.warning("atom_unreadable", atom_id=atom_id)
            continue
        if restored is not None:
            entries.append(restored)
            written.reindex.append(restored[0])
            written.moved.append(restored[0])
            written.restored.append(restored[0])
    trashed = [atom_id for plan in plans for atom_id in plan.trashed]
    stores.atoms.trash_each(trashed)
    written.trashed += trashed
    written.deleted += [atom_id for plan in plans if plan.trashed and _deletes(stores, plan) for atom_id in plan.trashed]
    rejected = [each for plan in plans for each in rejected_of(plan, stores.clock)]
    stores.rejections.append(rejected)
    for (capture_id, reason), count in Counter((each.capture_id, each.reason) for each in rejected).items():
        log.info("candidates_rejected", capture_id=capture_id, reason=reason, count=count)
    stores.catalogue.put(entries)


def _changed(stores: Stores, changes: Sequence[AtomChange], written: Written) -> list[tuple[Atom, FileMark]]:
    """Return the atoms that changes were applied to, as they are now."""
    entries: list[tuple[Atom, FileMark]] = []
    known = {atom.atom_id: atom for atom in stores.catalogue.get([change.atom_id for change in changes])}
    for change in changes:
        try:
            changed = stores.atoms.set_fields(change.atom_id, change.after)
        except (Corrupt, InvalidInput):
            # The owner broke this file by hand, or filled it so far that no more fits in. It stays as it is, and the plan
            # continues: it is decided, and would otherwise be retried in vain for ever.
            log.warning("atom_unreadable", atom_id=change.atom_id)
            continue
        if changed is None:
            continue
        entries.append(changed)
        before = known.get(change.atom_id)
        known[change.atom_id] = changed[0]
        if before is not None and not _only(change, before, changed[0]):
            # A hand changed it as well, and that was not followed yet: what is derived follows both at once.
            written.beside += linked_to([before], stores.catalogue)
            written.reindex.append(changed[0])
            written.gone.append(before)
            written.moved.append(changed[0])
            continue
        if not INDEXED_FIELDS.isdisjoint(change.after):
            written.reindex.append(changed[0])
        if not LINKED_FIELDS.isdisjoint(change.after):
            written.gone.append(_as_before(changed[0], change))
            written.moved.append(changed[0])
    return entries


def follow(
    stores: Stores, written: Written, captures: Mapping[str, Capture], vectors: Mapping[str, Vectors], *, index_seq: int
) -> None:
    """Update the graph and the search engines from what was written, and commit them.

    `captures` holds captures at hand (others are read from the journal, for the words around a quote); `vectors` are used where
    they exist, and made where not. Raise `Unavailable` when an engine is away that may not be (`index_lag`).
    """
    trashed = stores.catalogue.get(written.trashed)
    link(
        stores,
        there=[*written.new, *written.moved],
        gone=[*written.gone, *trashed],
        moved=written.moved,
        without=frozenset(written.trashed),
        beside=written.beside,
    )
    stores.catalogue.remove(written.trashed)
    index_atoms(stores, [*written.new, *written.reindex], captures, vectors, index_seq=index_seq, trashed=written.trashed)
    if stores.shelf is not None:
        deleted = frozenset(written.deleted)
        for hide in (True, False):
            stores.shelf.take_out([each for each in trashed if (each.atom_id in deleted) is hide], index_seq, hide=hide)
        # The passages of a capture in hand are updated when it is done; those of others here, where a memory came back or was
        # kept.
        known = [*written.restored, *(atom for atom in written.new if atom.capture_id not in captures)]
        stores.shelf.shelve_again(dict.fromkeys(atom.capture_id for atom in known), index_seq)


def _deletes(stores: Stores, plan: Plan) -> bool:
    said = stores.worklog.read(plan.capture_id)
    return isinstance(said, Command) and isinstance(said.action, (DeleteAtom, DeleteAtoms, RemoveSource, ForgetAtoms))


def index_atoms(
    stores: Stores,
    atoms: Sequence[Atom],
    captures: Mapping[str, Capture],
    vectors: Mapping[str, Vectors],
    *,
    index_seq: int,
    trashed: Sequence[str] = (),
) -> None:
    """Upsert atoms into the engines, delete those in the trash, and commit."""
    at_hand = dict(captures)
    for atom in atoms:
        if atom.capture_id in at_hand:
            continue
        if isinstance(capture := whole_entry(stores.worklog, atom.capture_id), Capture):
            at_hand[atom.capture_id] = capture
    windows = {
        atom.atom_id: window_of(at_hand[atom.capture_id], atom.source_span) for atom in atoms if atom.capture_id in at_hand
    }
    with stores.behind.tolerated("lexical"):
        if trashed:
            stores.lexical.delete(trashed)
        stores.lexical.upsert([lexical_document(atom, windows.get(atom.atom_id, ()), index_seq) for atom in atoms])
        stores.lexical.commit()
    if stores.dense is not None:
        missing = embed_atoms([atom for atom in atoms if atom.atom_id not in vectors], stores.embedder)
        with stores.behind.tolerated("dense"):
            if trashed:
                stores.dense.delete(trashed)
            every = {**vectors, **missing}
            stores.dense.upsert([dense_document(atom, every[atom.atom_id], index_seq) for atom in atoms])
            stores.dense.commit()


def vectors_of(stores: Stores, fresh: Mapping[str, Vectors], atom_ids: Sequence[str]) -> Mapping[str, Vectors]:
    """Return the vectors of known atoms, including the `fresh` ones of a batch in hand, which are not in the index yet."""
    at_hand = {atom_id: fresh[atom_id] for atom_id in atom_ids if atom_id in fresh}
    elsewhere = [atom_id for atom_id in atom_ids if atom_id not in fresh]
    if stores.dense is None or not elsewhere:
        return at_hand
    known: Mapping[str, Vectors] = {}
    with stores.behind.tolerated("dense"):
        known = stores.dense.vectors(elsewhere)
    return {**known, **at_hand}


def as_far_as_done(stores: Stores, plan: Plan) -> Plan:
    """Return a plan that was not carried out to its end, with only those of its atoms that were stored."""
    there = tuple(atom_id for atom_id in plan.tally.atom_ids if stores.atoms.find(atom_id, ()) is not None)
    return replace(plan, tally=replace(plan.tally, atom_ids=there))


def _put(stores: Stores, atoms: Sequence[Atom]) -> list[tuple[Atom, FileMark]]:
    """Write a plan's atoms and return them. Where a hand has changed an atom since it was written, the changed one is
    returned."""
    entries: list[tuple[Atom, FileMark]] = []
    for atom, mark in zip(atoms, stores.atoms.put(atoms), strict=True):
        try:
            entry = (atom, mark) if mark.mtime_ns else stores.atoms.set_fields(atom.atom_id, {})
        except Corrupt:
            log.warning("atom_unreadable", atom_id=atom.atom_id)
            continue
        if entry is not None:
            entries.append(entry)
    return entries


def _only(change: AtomChange, before: Atom, after: Atom) -> bool:
    """Return whether an atom differs from what was known of it by no more than a change."""
    named = {*change.after, *(("content_hash", "normalized_content_hash") if "content" in change.after else ())}
    same = {name: getattr(after, name) for name in named if hasattr(after, name)}
    return replace(before, **same) == after


def _as_before(atom: Atom, change: AtomChange) -> Atom:
    """Return the atom with the subject and the kind that it had before a change."""
    subject, kind = change.before.get("subject"), change.before.get("kind")
    before = replace(atom, subject=subject) if isinstance(subject, str) else atom
    return replace(before, kind=kind) if isinstance(kind, str) else before


def rejected_of(plan: Plan, clock: Clock) -> list[RejectedCandidate]:
    """Return the quarantine entries of a plan."""
    first = REJECTED_ORDINAL + plan.tally.rejected - len(plan.rejected)
    return [
        RejectedCandidate(
            rejected_id=atom_id_for(plan.capture_id, first + n),
            capture_id=plan.of or plan.capture_id,
            at=clock.now(),
            candidate=rejection.candidate,
            reason=rejection.reason,
            detail=rejection.detail,
        )
        for n, rejection in enumerate(plan.rejected)
    ]
