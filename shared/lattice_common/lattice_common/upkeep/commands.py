"""The owner's changes through a door: edit, delete, keep, undo.

A command becomes a `Plan` like a capture's: decided once, journaled, carried out, and undone by the same means. What cannot be
done is `Refused`, with the kind of refusal for programs and a sentence for people.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import assert_never

from lattice_common.domain.atom import EDITS, Atom, Relation, atom_id_for, content_hash, etag_of, normalized_content_hash
from lattice_common.domain.capture import (
    ArchiveAtoms,
    Capture,
    Command,
    CorrectWho,
    CountRecalls,
    DeleteAtom,
    DeleteAtoms,
    Derive,
    EditAtom,
    Entry,
    ExtractAgain,
    ForgetAtoms,
    JsonValue,
    KeepBoth,
    KeepRejected,
    MergeAtoms,
    PreferAtom,
    RateAtoms,
    RemoveSource,
    SetStatuses,
    SettleJudged,
    Trust,
    UndoChange,
)
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.receipt import AtomChange, Receipt, Refused
from lattice_common.domain.replacement import quoted
from lattice_common.domain.segment import Candidate
from lattice_common.errors import Corrupt
from lattice_common.ingest.atoms import keep_candidate
from lattice_common.ingest.receipts import NOTHING_TO_REMEMBER
from lattice_common.ingest.reextraction import READ_BY
from lattice_common.ingest.stores import Stores
from lattice_common.language.facts.kinds import OWNERS_OWN
from lattice_common.ports.atoms import Unreadable
from lattice_common.ports.journal import Plan, Tally
from lattice_common.upkeep.count_recalls import recounted
from lattice_common.upkeep.feedback import rated
from lattice_common.upkeep.field_values import field_values
from lattice_common.upkeep.forget import erasing, going
from lattice_common.upkeep.late_judging import settled
from lattice_common.upkeep.merge import merged
from lattice_common.upkeep.reflection.atoms import conclusion_atom, leaning_on
from lattice_common.upkeep.status_pass import with_statuses
from lattice_common.upkeep.succession import without
from lattice_common.upkeep.who import corrected

EDITABLE = frozenset(
    {
        *("content", "subject", "kind", "category", "memory_type", "persistence"),
        *("entities", "valid_from", "valid_until", "importance", "confidence"),
    }
)
"""Fields that an edit may set: an atom's origin and its hashes cannot be changed."""

MOST_EDITS = 50
"""Earlier wordings of a memory that its file names; the journal keeps the others, too."""

LARGEST_CONTENT = 200_000
LARGEST_FIELDS = 20_000
"""Bytes that an edit may set: with the file's other content, less than a file may hold (256 KB, its fields 32 KB)."""

ASSISTANTS_DOOR = "mcp"
"""The channel of edits that an assistant words: they make no statement in the owner's name that the owner did not make."""

LONGEST_KEPT = 2000
"""Characters of a text without facts that may be kept as one memory: what is typed, not what is pasted."""


def plan_command(command: Command, stores: Stores, next_seq: int) -> Plan | Refused:
    """Decide on a command, from the current state. One that needs what the disk changed is refused: no second try reads it."""
    try:
        return _planned(command, stores, next_seq)
    except Corrupt as error:
        return Refused("conflict", f"{error}.")


def _planned(command: Command, stores: Stores, next_seq: int) -> Plan | Refused:
    match command.action:
        case EditAtom() as edit:
            return _edit(command, edit, stores)
        case UndoChange(change_id):
            return _undo(command, change_id, stores)
        case KeepRejected(rejected_id):
            return _keep(command, rejected_id, stores, next_seq)
        case ForgetAtoms() as forgetting:
            return _forget(command, forgetting, stores)
        case ArchiveAtoms() as archiving:
            return _archive(command, archiving, stores)
        case MergeAtoms() as merging:
            changes = merged(merging, stores.catalogue)
            return changes if isinstance(changes, Refused) else _plan(command, stores, changes=changes)
        case CorrectWho() as correcting:
            made = corrected(command, correcting, stores, next_seq)
            return made if isinstance(made, Refused) else _plan(command, stores, atoms=(made,))
        case DeleteAtom() | DeleteAtoms() | RemoveSource() as deleting:
            return _plan_deleting(command, deleting, stores)
        case PreferAtom() | KeepBoth() | RateAtoms() as judging:
            return _plan_judging(command, judging, stores)
        case CountRecalls() | SetStatuses() | Derive() | SettleJudged() | ExtractAgain() as upkeep:
            return _plan_upkeep(command, upkeep, stores, next_seq)
    assert_never(command.action)


def _plan_deleting(command: Command, deleting: DeleteAtom | DeleteAtoms | RemoveSource, stores: Stores) -> Plan | Refused:
    match deleting:
        case DeleteAtom(atom_id):
            return _delete(command, [atom_id], stores)
        case DeleteAtoms(atom_ids):
            return _delete(command, atom_ids, stores, named="these memories")
        case RemoveSource(source_id):
            return _delete(command, stores.catalogue.of_source(source_id), stores, named=f"the source {source_id}")
    assert_never(deleting)


def _plan_judging(command: Command, judging: PreferAtom | KeepBoth | RateAtoms, stores: Stores) -> Plan | Refused:
    """Return the plan of a verdict: which memory holds, that both do, how good an answer was."""
    match judging:
        case PreferAtom(atom_id, over):
            return _prefer(command, atom_id, over, stores)
        case KeepBoth(atom_id, beside):
            return _keep_both(command, atom_id, beside, stores)
        case RateAtoms(atom_ids) as rating:
            atoms = stores.catalogue.get(atom_ids)
            missing = "none of the memories of that answer is there any more."
            return _plan(command, stores, changes=rated(rating, atoms)) if atoms else Refused("not_found", missing)
    assert_never(judging)


def _plan_upkeep(
    command: Command, upkeep: CountRecalls | SetStatuses | Derive | SettleJudged | ExtractAgain, stores: Stores, next_seq: int
) -> Plan | Refused:
    """Return the plan of a command of the product itself."""
    match upkeep:
        case CountRecalls() as counting:
            return _plan(command, stores, changes=recounted(counting, stores.catalogue))
        case SetStatuses() as setting:
            return _plan(command, stores, changes=with_statuses(setting, stores.catalogue))
        case Derive() as conclusion:
            return _conclude(command, conclusion, stores, next_seq)
        case SettleJudged() as judged:
            return _plan(command, stores, changes=tuple(settled(judged, stores.catalogue)))
        case ExtractAgain(capture_id):
            # Ingest does it where there is something to read.
            return Refused("not_found", f"nothing of the capture {capture_id} is to be read again.")
    assert_never(upkeep)


_VOICES: dict[Trust, str] = {"user": "the owner", "assistant": "an assistant", "document": "a document", "web": "a web page"}


def _edit(command: Command, edit: EditAtom, stores: Stores) -> Plan | Refused:
    atom = stores.atoms.read(edit.atom_id)
    if atom is None or isinstance(atom, Unreadable):
        return Refused("not_found", f"there is no memory {edit.atom_id} that could be edited; it may be in the trash.")
    if edit.expected_hash is not None and edit.expected_hash != etag_of(atom):
        return Refused("changed", f"the memory {edit.atom_id} is not as it was when you read it. Read it again, then edit.")
    after: dict[str, JsonValue] = {name: value for name, value in edit.fields.items() if name in EDITABLE}
    by_assistant = command.channel == ASSISTANTS_DOOR
    made = {str(after[name]) for name in ("kind", "category") if name in after}
    if by_assistant and atom.trust != "user" and (own := sorted(made & OWNERS_OWN)):
        said = f"this is what {_VOICES[atom.trust]} says. Change it on the page, or say it yourself."
        return Refused("conflict", f"only the owner's own words make a {own[0]}, and {said}")
    size = len(json.dumps({name: value for name, value in after.items() if name != "content"}))
    if size > LARGEST_FIELDS or len(str(after.get("content", "")).encode("utf-8", "replace")) > LARGEST_CONTENT:
        too_large = "the edit is larger than the file of a memory can hold: keep it to a statement, and the rest in a note."
        return Refused("conflict", too_large)
    if isinstance(content := after.get("content"), str):
        after |= {"content_hash": content_hash(content), "normalized_content_hash": normalized_content_hash(content)}
        # The words are the owner's now, not the extractor's; the quote stays as what was said at first. A document that an
        # assistant rewords does not become the owner's statement.
        after |= {"extractor": "user"} if by_assistant else {"extractor": "user", "trust": "user"}
        if content != atom.content:
            edits: list[JsonValue] = [*atom.edits, command.command_id]
            after["metadata"] = {**atom.metadata, EDITS: edits[-MOST_EDITS:]}
    before = field_values(atom, list(after))
    changed = {name: value for name, value in after.items() if before[name] != value}
    if not changed:
        return Refused("conflict", "nothing to change: the memory has these values already.")
    change = AtomChange(edit.atom_id, {name: before[name] for name in changed}, changed)
    return _plan(command, stores, changes=(change,))


def _delete(command: Command, atom_ids: Sequence[str], stores: Stores, *, named: str | None = None) -> Plan | Refused:
    atoms = stores.catalogue.get(atom_ids)
    if not atoms:
        return Refused("not_found", f"there is nothing to delete for {named or atom_ids[0]}.")
    # Conclusions from them would go on telling it.
    atoms += leaning_on([atom.atom_id for atom in atoms], stores.catalogue)
    return _plan(command, stores, trashed=tuple(atom.atom_id for atom in atoms), changes=tuple(without(atoms, stores.catalogue)))


def _forget(command: Command, forgetting: ForgetAtoms, stores: Stores) -> Plan | Refused:
    """Return the plan that moves memories into the trash; with `now` it also erases them there and everywhere else, with what
    lies in the trash already."""
    deleted = _delete(command, forgetting.atom_ids, stores, named="these memories")
    if not forgetting.now:
        return deleted
    plan = deleted if isinstance(deleted, Plan) else _plan(command, stores)
    found = going(forgetting, plan.trashed, stores)
    if not found.every and not forgetting.stretches:
        return Refused("not_found", "there is nothing to forget: neither a memory nor the trash has any of these.")
    return erasing(plan, found, stores, barred=forgetting.barred, stretches=forgetting.stretches)


def _archive(command: Command, archiving: ArchiveAtoms, stores: Stores) -> Plan | Refused:
    there = stores.catalogue.get(list(dict.fromkeys(archiving.atom_ids)))
    if not there:
        return Refused("not_found", "none of these memories is there: `lattice archive list` shows what is archived.")
    moving = [atom for atom in there if atom.archived != archiving.archived]
    if not moving:
        so_far = "archived already" if archiving.archived else "not archived"
        return Refused("conflict", f"nothing to change: all of these are {so_far}.")
    changes = [AtomChange(atom.atom_id, {"archived": atom.archived}, {"archived": archiving.archived}) for atom in moving]
    return _plan(command, stores, changes=tuple(changes))


def _prefer(command: Command, atom_id: str, over: str, stores: Stores) -> Plan | Refused:
    """Return the plan that settles a contradiction, whoever said which: the owner's choice is above any trust."""
    atoms = {atom.atom_id: atom for atom in stores.catalogue.get([atom_id, over])}
    if atom_id == over or len(atoms) < 2:
        return Refused("not_found", f"there are not two memories {atom_id} and {over} of which one could be kept.")
    kept, other = atoms[atom_id], atoms[over]
    if kept.is_superseded or other.is_superseded:
        return Refused("conflict", "nothing to settle: one of the two is replaced already.")
    reason = f"you kept {quoted(kept.content)}"
    retired: dict[str, JsonValue] = {"is_superseded": True, "superseded_by": atom_id, "superseded_reason": reason}
    changes = (
        AtomChange(over, field_values(other, list(retired)), retired),
        AtomChange(atom_id, field_values(kept, ["supersedes"]), {"supersedes": [*kept.supersedes, over]}),
    )
    return _plan(command, stores, changes=changes)


def _keep_both(command: Command, atom_id: str, beside: str, stores: Stores) -> Plan | Refused:
    """Return the plan for a pair of which both statements hold: one only adds to the other, and the owner is not asked again."""
    atoms = {atom.atom_id: atom for atom in stores.catalogue.get([atom_id, beside])}
    both = ((atom_id, beside), (beside, atom_id))
    changes = tuple(
        AtomChange(one, field_values(atoms[one], ["relations"]), {"relations": _without_question(atoms[one], other)})
        for one, other in both
        if one in atoms and any(_questions(relation, other) for relation in atoms[one].relations)
    )
    if not changes:
        return Refused("not_found", f"it is not in question whether {atom_id} and {beside} both hold.")
    return _plan(command, stores, changes=changes)


def _questions(relation: Relation, other: str) -> bool:
    """Return whether a relation says that not both hold."""
    return relation.target == other and relation.type in ("may_update", "contradicts")


def _without_question(atom: Atom, other: str) -> JsonValue:
    return [
        {"type": "extends" if _questions(relation, other) else relation.type, "target": relation.target}
        for relation in atom.relations
    ]


def _conclude(command: Command, conclusion: Derive, stores: Stores, next_seq: int) -> Plan | Refused:
    made = conclusion_atom(command, conclusion, stores.catalogue, next_seq)
    if isinstance(made, Refused):
        return made
    there = stores.catalogue.get(conclusion.instead_of)
    return _plan(command, stores, atoms=(made,), trashed=tuple(before.atom_id for before in there if is_conclusion(before)))


def _keep(command: Command, rejected_id: str, stores: Stores, next_seq: int) -> Plan | Refused:
    rejected = stores.rejections.get(rejected_id)
    capture = stores.worklog.read(rejected.capture_id if rejected else rejected_id)
    candidate = rejected.candidate if rejected else _unfound(rejected_id, capture, stores)
    if candidate is None or not isinstance(capture, Capture):
        return Refused("not_found", f"nothing was set aside under {rejected_id}.")
    atom = keep_candidate(capture, candidate, atom_id_for(command.command_id, 0), command.received_at, next_seq)
    known = stores.catalogue.get(stores.catalogue.with_hash(exact=atom.content_hash))
    if same := next((other for other in known if not is_conclusion(other)), None):
        return Refused("conflict", f"known already: {same.atom_id} says the same.")
    stores.rejections.mark_kept(rejected_id, kept=True)
    return _plan(command, stores, atoms=(atom,))


def _unfound(capture_id: str, capture: Entry | None, stores: Stores) -> Candidate | None:
    """Return a candidate of all the words of a capture in which nothing was found to remember, such as a question; None where
    something was found."""
    receipt = stores.worklog.receipt(capture_id)
    if not isinstance(capture, Capture) or receipt is None or receipt.reason != NOTHING_TO_REMEMBER:
        return None
    words = capture.text.strip()
    if not 0 < len(words) <= LONGEST_KEPT:
        return None
    return Candidate(content=words, quote=words, kind="fact", subject="note", segment_id=f"{capture_id}-0")


def _undo(command: Command, change_id: str, stores: Stores) -> Plan | Refused:
    receipt = stores.worklog.receipt(change_id)
    if receipt is None:
        return Refused("not_found", f"there is no finished change {change_id}.")
    # What read the capture again is undone with it, and first: it replaced some of the capture's atoms.
    receipts = [*_read_again(change_id, stores), receipt]
    made = [atom_id for each in receipts for atom_id in (*each.atom_ids, *each.restored)]
    gone = [atom_id for each in receipts for atom_id in each.trashed if atom_id not in made]
    there = {atom.atom_id for atom in stores.catalogue.get([*made, *gone])}
    trashed = tuple(atom_id for atom_id in made if atom_id in there)
    trashed += tuple(atom.atom_id for atom in leaning_on(trashed, stores.catalogue))
    lying = stores.atoms.in_trash([atom_id for atom_id in gone if atom_id not in there])
    restored = tuple(atom_id for atom_id in gone if atom_id in lying)
    if not (trashed or restored) and any(atom_id not in there for atom_id in gone):
        return Refused(
            "not_found", f"what {change_id} deleted has left the trash (LATTICE_TRASH_DAYS). Say it again, or restore a backup."
        )
    reverted = _reverted([change for each in receipts for change in each.changes], stores)
    changes = tuple(without(stores.catalogue.get(trashed), stores.catalogue, reverted))
    if not (trashed or restored or changes):
        return Refused("conflict", "nothing to undo: it was undone already, or it changed nothing.")
    if (kept := _kept_by(change_id, stores)) is not None:
        stores.rejections.mark_kept(kept[0], kept=not kept[1])
    return _plan(command, stores, trashed=trashed, restored=restored, changes=changes)


def _kept_by(change_id: str, stores: Stores) -> tuple[str, bool] | None:
    """Return the candidate that a change kept (true), or gave back (an undo of keeping it: false)."""
    said = stores.worklog.read(change_id)
    match said.action if isinstance(said, Command) else None:
        case KeepRejected(rejected_id):
            return rejected_id, True
        case UndoChange(earlier):
            kept = _kept_by(earlier, stores)
            return kept and (kept[0], not kept[1])
    return None


def _read_again(change_id: str, stores: Stores) -> list[Receipt]:
    """Return the receipts of what read a capture again, the latest first."""
    atoms = stores.catalogue.get(stores.catalogue.of_capture(change_id))
    by = {name for atom in atoms if isinstance(name := atom.metadata.get(READ_BY), str)}
    found = [stores.worklog.receipt(name) for name in sorted(by, reverse=True)]
    return [receipt for receipt in found if receipt is not None]


def _reverted(made: Sequence[AtomChange], stores: Stores) -> list[AtomChange]:
    """Return the changes that set fields back to what they were, except those that have been changed again since. Of an atom that
    was changed twice, the later change comes first."""
    atoms = {atom.atom_id: atom for atom in stores.catalogue.get([change.atom_id for change in made])}
    before: dict[str, dict[str, JsonValue]] = {}
    after: dict[str, dict[str, JsonValue]] = {}
    for change in made:
        atom = atoms.get(change.atom_id)
        if atom is None:
            continue
        now = field_values(atom, list(change.after)) | after.get(change.atom_id, {})
        back = {name: change.before.get(name) for name, value in change.after.items() if _same(now[name], value)}
        if back:
            was = before.setdefault(change.atom_id, {})
            before[change.atom_id] = {name: now[name] for name in back} | was
            after.setdefault(change.atom_id, {}).update(back)
    return [AtomChange(atom_id, before[atom_id], after[atom_id]) for atom_id in after]


def _same(one: JsonValue, other: JsonValue) -> bool:
    """Return whether two values are equal in a file, where missing, None and an empty list are the same."""
    return (one or None) == (other or None)


def _plan(
    command: Command,
    stores: Stores,
    *,
    atoms: tuple[Atom, ...] = (),
    changes: tuple[AtomChange, ...] = (),
    trashed: tuple[str, ...] = (),
    restored: tuple[str, ...] = (),
) -> Plan:
    tally = Tally(
        atom_ids=tuple(atom.atom_id for atom in atoms),
        atoms_updated=len(changes),
        changes=changes,
        trashed=trashed,
        restored=restored,
        next_ordinal=len(atoms),
    )
    return Plan(command.command_id, 0, 1, stores.lock.epoch, atoms, changes, (), trashed, restored, tally)
