"""The deciding stage: compares each part with what is known, and makes a `Plan` of it.

Parts are decided in their order, each from the state that those before it left: what was decided before is in the files by then,
or shown as if it were. Where the search engines have to follow first, the stage ends early, and continues once they have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Command
from lattice_common.ingest.commit import commit, vectors_of
from lattice_common.ingest.context import Context
from lattice_common.ingest.dated_ahead import DatedAhead
from lattice_common.ingest.group import JUDGED_LATER, named_in, touched_by
from lattice_common.ingest.neighbours import judging_beside
from lattice_common.ingest.parts import Batch, Part, Proved, Work
from lattice_common.ingest.pending import may_wait
from lattice_common.ingest.premises import with_premises
from lattice_common.ingest.reconcile import Choose, Judging, Thresholds, reconcile
from lattice_common.ingest.reextraction import Former, Meanwhile, former_atoms, replacing, with_links
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.journal import Plan, Tally


def decide(context: Context, batch: Batch) -> None:
    """Decide on the parts of a batch, up to the first that has to wait until the engines have followed those before it."""
    while batch.parts:
        part = batch.parts[0]
        if part.is_planned:
            # A plan is carried out however often the process died in the middle, and never decided twice.
            _decided(batch, part)
        elif part.work is not None:
            if not _decide_capture(context, batch, part, part.work):
                return
        elif isinstance(part.said, Command) and not _decide_command(context, batch, part, part.said):
            return
        batch.parts.popleft()


def _decided(batch: Batch, part: Part) -> None:
    batch.decided.append(part)
    if isinstance(part.plan, Plan):
        batch.touched.update(touched_by(part.plan))
        batch.unwritten.append(part)


def _decide_command(context: Context, batch: Batch, part: Part, command: Command) -> bool:
    """Decide on a command; return false where it touches an atom that the engines have to follow first."""
    if batch.pending:
        commit(context, batch)
    if not batch.touched.isdisjoint(named_in(command.action) or ()):
        return False
    planned = context.hooks.plan_command(command, context.stores, context.numbers.next_seq)
    if isinstance(planned, Plan) and not batch.touched.isdisjoint(touched_by(planned)):
        return False
    part.plan = planned
    _decided(batch, part)
    return True


def _decide_capture(context: Context, batch: Batch, part: Part, work: Work) -> bool:
    """Decide on a part of a capture; return false where the engines have to follow first."""
    vectors = batch.vectors()
    pace = context.pace
    are_many = batch.captures > pace.judged_at_once or batch.seconds_judging >= pace.judged_seconds
    judged_later = batch.waited_for and are_many
    if not (judged_later and batch.pending) or batch.pending.spells_nearly(part.atoms):
        commit(context, batch)
    if batch.waited_for and batch.written.reindex:  # what it meets is compared by vectors, and those are not in the engine yet
        return False
    began = monotonic()
    part.plan = plan = _planned(context, batch, part, work, vectors, judged_later=judged_later)
    batch.seconds_judging += monotonic() - began
    _decided(batch, part)
    if judged_later and may_wait(plan):
        batch.pending.add(plan.atoms)
    else:
        commit(context, batch)
    return True


def _planned(
    context: Context, batch: Batch, part: Part, work: Work, vectors: Mapping[str, Vectors], *, judged_later: bool
) -> Plan:
    """Return the plan of a part, given what is known and what is pending; it is in no file yet."""
    stores, waited_for = context.stores, work.capture.priority == "interactive"
    context.publish(work, "reconcile")
    dated = DatedAhead(batch.pending.beside(stores.catalogue), work.capture, stores.clock.now(), stores.worklog.read)
    # The catalogue still knows what this batch moves to the trash, until the engines have followed.
    catalogue: KnownAtoms = Meanwhile(dated, batch.written.trashed) if batch.written.trashed else dated
    known = StoreView(
        catalogue,
        partial(vectors_of, stores, vectors),
        context.thresholds,
        # An import does not wait for the judge: the rules alone decide there, and the judge follows a little later.
        choose=partial(context.extractor.choose, work.entry) if waited_for else None,
        judging=judging_beside(stores, context.judge, vectors) if waited_for and not judged_later else None,
        cited_lately=context.hooks.cited_lately(),
    )
    read_to = part.segments[-1].end if part.segments else 0
    place = PartInEntry(work.entry, work.done, len(work.parts), stores.lock.epoch, work.tally, read_to)
    if work.made is not None:
        former = former_atoms(work.capture, part.segments, work.made, stores, context.owner_of(work.capture))
        place = replace(place, of=work.capture.capture_id, former=former)
    proved = part.proved
    if judged_later and context.judge:
        proved = replace(proved, notes=(*proved.notes, JUDGED_LATER))
    own = {atom.atom_id: vectors[atom.atom_id] for atom in part.atoms if atom.atom_id in vectors}
    plan = replace(plan_part(place, proved, part.atoms, own, known), attempts=part.attempt)
    if waited_for:  # as with the judge, an import is not held up
        columns = stores.catalogue.columns()
        plan = replace(plan, atoms=with_premises(plan.atoms, catalogue, stores.catalogue.register(), columns.ended))
    context.publish(work, "commit")
    context.readahead.decided(work)
    return plan


@dataclass(frozen=True, slots=True)
class StoreView:
    """What the store knows, as reconcile queries it."""

    catalogue: KnownAtoms
    vectors_of: Callable[[Sequence[str]], Mapping[str, Vectors]]
    thresholds: Thresholds
    choose: Choose | None = None
    judging: Judging | None = None
    cited_lately: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PartInEntry:
    """The part of an entry that a plan is for: the tally of the parts before it, and the offset up to which the text has been
    read. For a capture that is read again, `of` is the capture, and `former` its atoms of this part."""

    entry: str
    part: int
    parts: int
    epoch: int
    before: Tally
    read_to: int
    of: str | None = None
    former: Former | None = None


def plan_part(
    place: PartInEntry, proved: Proved, atoms: Sequence[Atom], vectors: Mapping[str, Vectors], known: StoreView
) -> Plan:
    """Return the plan of one part."""
    before, catalogue = place.before, known.catalogue
    trashed: tuple[str, ...] = ()
    if place.former is None:
        decided = reconcile(
            atoms, vectors, catalogue, known.vectors_of, known.thresholds, known.choose, known.judging, known.cited_lately
        )
        changes = decided.changes
    else:
        replaced = replacing(atoms, place.former, catalogue)
        trashed = tuple(atom.atom_id for atom in replaced.gone)
        seen = Meanwhile(catalogue, trashed, {atom_id: after for atom_id, (_, after) in replaced.changed.items()})
        # By its words alone: what merely resembles a fact of another capture must not cost this capture its own.
        decided = reconcile(replaced.fresh, {}, seen, known.vectors_of, known.thresholds, known.choose, None, known.cited_lately)
        changes = with_links(decided, replaced)
    tally = replace(
        before,
        atom_ids=before.atom_ids + tuple(atom.atom_id for atom in decided.atoms),
        atoms_updated=before.atoms_updated + sum("is_superseded" in change.after for change in changes),
        duplicates_skipped=before.duplicates_skipped + len(decided.duplicates) + proved.echoed,
        rejected=before.rejected + len(proved.rejected),
        changes=before.changes + changes,
        trashed=before.trashed + trashed,
        next_ordinal=before.next_ordinal + len(atoms),
        notes=tuple(dict.fromkeys((*before.notes, *proved.notes))),
        again=before.again + proved.again,
    )
    return Plan(
        capture_id=place.entry,
        part=place.part,
        parts=place.parts,
        epoch=place.epoch,
        atoms=decided.atoms,
        changes=changes,
        rejected=proved.rejected,
        trashed=trashed,
        restored=(),
        tally=tally,
        read_to=place.read_to,
        of=place.of,
    )
