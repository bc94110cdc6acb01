"""Reading a capture again: what the language model finds replaces what the rules found while it was away.

Of the rules' atoms in the stretches that were read again, those that the model states in the same words stay; the others go to
the trash, and their supersessions and relations are passed on. What the owner edited, kept or deleted is not touched, and its
words make no second atom. All of it is one change, and undone as one.

The mark of a capture says whether and when to read it again: soon after an outage, later after answers that could not be used,
and not for ever.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from lattice_common.domain.atom import Atom, Span, content_hash
from lattice_common.domain.capture import Capture, Entry, ExtractAgain, JsonValue
from lattice_common.domain.receipt import AtomChange
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.succession import predecessors, successor
from lattice_common.ingest.extract.extractor import Extracted, by_rules
from lattice_common.ingest.ground import ground
from lattice_common.ingest.reconcile import Reconciled
from lattice_common.ingest.stores import Stores
from lattice_common.language.facts.about_owner import learned
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.journal import AgainMark, Tally, WorkLog

READ_BY = "read_by"
"""Metadata key: the entry that read an atom's capture again and made the atom."""

SAME_WORDS = 0.5
"""Share of the shorter of two quotes that both must contain to be about the same words."""

MOST_ROUNDS = 3
"""Rounds in which a model's answers could not be used, after which the rules' reading is final."""

AFTER_RUBBISH = timedelta(minutes=1)
"""Pause after a round in vain; the next pause is six times as long. A model that could not read a text reads it no better at
once, nor while it reads nothing else either."""

AFTER_OUTAGE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
"""Upper limit of the pause, which doubles with each outage during a round."""

_FIRST = "read-by-rules: "
_AGAIN = "not-read-again: "


@dataclass(frozen=True, slots=True)
class Former:
    """The earlier atoms of the stretches that were read again: those that the rules made and nobody changed, and the stretches
    that the owner changed."""

    untouched: tuple[Atom, ...]
    kept: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Replacing:
    """`fresh` atoms replace those that are `gone`; `changed` are other atoms as they are once the gone ones are out of their
    links."""

    fresh: tuple[Atom, ...]
    gone: tuple[Atom, ...]
    changed: Mapping[str, tuple[Atom, Atom]]


def former_atoms(
    capture: Capture, part: Sequence[Segment], made: Sequence[str], stores: Stores, owner: Sequence[str] = ()
) -> Former:
    """Return the earlier atoms of a part. `made` are the atoms that the capture had at first, as its receipt names them: one that
    no longer exists was deleted, also where the catalogue has not followed the hand that did it yet. `owner` are the owner's
    names."""
    known = stores.catalogue.of_capture(capture.capture_id)
    marks = stores.catalogue.marks(known).items()
    catalogue = Meanwhile(
        stores.catalogue, [atom_id for atom_id, (mark, _) in marks if stores.atoms.find(atom_id, [mark.path]) is None]
    )
    there = catalogue.get(known)
    inside = [atom for atom in there if any(piece.start <= atom.source_span.start < piece.end for piece in part)]
    found = [
        learned(capture, candidate, owner) for piece in part for candidate in ground(capture, piece, by_rules(capture, piece))[0]
    ]
    prints = {_print(candidate) for candidate in found}
    untouched = tuple(atom for atom in inside if atom.extractor == "rules" and _print_of(atom) in prints)
    ids = {atom.atom_id for atom in untouched}
    edited = [atom.source_span for atom in inside if atom.atom_id in set(made) - ids]
    return Former(untouched, (*edited, *_deleted(found, there, made, catalogue)))


def replacing(fresh: Sequence[Atom], former: Former, catalogue: KnownAtoms) -> Replacing:
    """Return which of the fresh atoms are stored, and which of the former ones go."""
    agreed = {atom.normalized_content_hash for atom in former.untouched}
    coming = [
        atom
        for atom in fresh
        if atom.normalized_content_hash not in agreed and not any(_overlap(atom.source_span, span) for span in former.kept)
    ]
    said = {atom.normalized_content_hash for atom in fresh}
    followed = {
        old.atom_id: [new for new in coming if _overlap(new.source_span, old.source_span)]
        for old in former.untouched
        if old.normalized_content_hash not in said
    }
    gone = tuple(old for old in former.untouched if followed.get(old.atom_id))
    heirs = {old.atom_id: followed[old.atom_id][0].atom_id for old in gone if len(followed[old.atom_id]) == 1}
    return Replacing(_inherited(coming, gone, heirs), gone, dict(_relinked(gone, heirs, catalogue)))


def replaces_only(fresh: Atom, gone: Sequence[Atom], deleted: Container[str]) -> bool:
    """Return whether an atom that a capture was read again for comes in the place of `deleted` ones alone. `gone` are the atoms
    that it and those beside it replace."""
    if READ_BY not in fresh.metadata:
        return False
    replaced = [old.atom_id for old in gone if _overlap(old.source_span, fresh.source_span)]
    return bool(replaced) and all(atom_id in deleted for atom_id in replaced)


def with_links(decided: Reconciled, replaced: Replacing) -> tuple[AtomChange, ...]:
    """Return the changes of what was decided and of what the gone atoms left behind, at most one for each atom."""
    # A known statement is not stored again: then the known atom is the heir.
    known = {duplicate.atom.atom_id: duplicate.of for duplicate in decided.duplicates}
    merged: dict[str, AtomChange] = {}
    for atom_id, (before, after) in replaced.changed.items():
        old, new = _links(before), _links(after)
        names = [name for name in old if old[name] != new[name]]
        merged[atom_id] = AtomChange(
            atom_id, {name: old[name] for name in names}, {name: _renamed(new[name], known) for name in names}
        )
    for change in decided.changes:
        first = merged.get(change.atom_id)
        merged[change.atom_id] = (
            AtomChange(change.atom_id, {**change.before, **first.before}, {**first.after, **change.after}) if first else change
        )
    return tuple(merged.values())


class Meanwhile:
    """Implements `ports.catalogue.KnownAtoms`: the atoms as they will be once some are `gone` and others `changed`."""

    def __init__(self, catalogue: KnownAtoms, gone: Iterable[str], changed: Mapping[str, Atom] | None = None) -> None:
        self._catalogue = catalogue
        self._gone = frozenset(gone)
        self._changed = changed or {}

    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        return self._now(self._catalogue.get(atom_ids))

    def with_hash(self, *, exact: str | None = None, normalized: str | None = None) -> list[str]:
        return [each for each in self._catalogue.with_hash(exact=exact, normalized=normalized) if each not in self._gone]

    def with_subject(self, subject: str, *, limit: int) -> list[Atom]:
        return self._now(self._catalogue.with_subject(subject, limit=limit))

    def similar_subjects(self, subject: str, *, ratio: float, limit: int) -> list[str]:
        return self._catalogue.similar_subjects(subject, ratio=ratio, limit=limit)

    def with_slot(self, key: str, *, limit: int) -> list[Atom]:
        return self._now(self._catalogue.with_slot(key, limit=limit))

    def referrers(self, atom_id: str) -> list[str]:
        return [each for each in self._catalogue.referrers(atom_id) if each not in self._gone]

    def _now(self, atoms: Iterable[Atom]) -> list[Atom]:
        return [self._changed.get(atom.atom_id, atom) for atom in atoms if atom.atom_id not in self._gone]


def _deleted(found: Sequence[Candidate], there: Sequence[Atom], made: Sequence[str], catalogue: KnownAtoms) -> Iterator[Span]:
    """Yield the spans of atoms that no longer exist. Statements that were known already when they were told look the same, and
    are not made again either."""
    if set(made) <= {atom.atom_id for atom in there}:
        return
    contents = {atom.content for atom in there}
    for candidate in found:
        if candidate.content in contents or candidate.start is None or candidate.end is None:
            continue
        if not catalogue.with_hash(exact=content_hash(candidate.content)):
            yield Span(candidate.start, candidate.end)


def _print(candidate: Candidate) -> tuple[object, ...]:
    """Return the fields of a candidate that an owner may set: an atom that differs in them was edited."""
    return (
        Span(candidate.start or 0, candidate.end or 0),
        candidate.content.strip(),
        candidate.kind,
        candidate.subject.strip(),
        candidate.entities,
        candidate.persistence,
        candidate.importance,
    )


def _print_of(atom: Atom) -> tuple[object, ...]:
    return (
        atom.source_span,
        atom.content.strip(),
        atom.kind,
        atom.subject.strip(),
        atom.entities,
        atom.persistence,
        atom.importance,
    )


def _overlap(one: Span, other: Span) -> bool:
    common = min(one.end, other.end) - max(one.start, other.start)
    return common > SAME_WORDS * min(one.end - one.start, other.end - other.start)


def _inherited(coming: Sequence[Atom], gone: Sequence[Atom], heirs: Mapping[str, str]) -> tuple[Atom, ...]:
    """Return the new atoms, each with the supersessions of the atoms of which it is the only successor."""
    found = {atom.atom_id: atom for atom in coming}
    for old in gone:
        heir = found.get(heirs.get(old.atom_id, ""))
        if heir is None:
            continue
        heir = replace(heir, supersedes=tuple(dict.fromkeys((*heir.supersedes, *old.supersedes))))
        if old.is_superseded and not heir.is_superseded:
            heir = replace(heir, is_superseded=True, superseded_by=old.superseded_by, superseded_reason=old.superseded_reason)
        found[heir.atom_id] = heir
    return tuple(found.values())


def _relinked(gone: Sequence[Atom], heirs: Mapping[str, str], catalogue: KnownAtoms) -> Iterator[tuple[str, tuple[Atom, Atom]]]:
    """Yield every other atom that names one of the gone ones, before and after: with the heir in its place; without an heir, what
    superseded it and what it superseded are linked to each other, where there are such."""
    ids = {atom.atom_id for atom in gone}
    childless = {atom.atom_id: atom for atom in gone if atom.atom_id not in heirs}
    names = [
        *(old for atom in gone for old in atom.supersedes),
        *(each for atom in gone for each in catalogue.referrers(atom.atom_id)),
    ]
    for atom in catalogue.get([name for name in dict.fromkeys(names) if name not in ids]):
        after = replace(
            atom,
            supersedes=tuple(
                dict.fromkeys(heirs.get(each, each) for each in predecessors(atom.supersedes, childless) if each != atom.atom_id)
            ),
            relations=tuple(
                replace(relation, target=heirs.get(relation.target, relation.target))
                for relation in atom.relations
                if relation.target not in ids or relation.target in heirs
            ),
        )
        if atom.superseded_by in ids:
            by = successor(atom, childless)
            heir = heirs.get(by, by) if by is not None else None
            after = (
                replace(after, superseded_by=heir)
                if heir
                else replace(after, is_superseded=False, superseded_by=None, superseded_reason=None)
            )
        yield atom.atom_id, (atom, after)


def _links(atom: Atom) -> dict[str, JsonValue]:
    return {
        "is_superseded": atom.is_superseded,
        "superseded_by": atom.superseded_by,
        "superseded_reason": atom.superseded_reason,
        "supersedes": list(atom.supersedes),
        "relations": [{"type": relation.type, "target": relation.target} for relation in atom.relations],
    }


def _renamed(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    match value:
        case str():
            return names.get(value, value)
        case list():
            return [_renamed(each, names) for each in value]
        case dict():
            return {key: _renamed(each, names) for key, each in value.items()}
        case _:
            return value


def notes_on(extracted: Sequence[Extracted], *, again: bool) -> tuple[str, ...]:
    """Return why something was read by rules, or not at all, as notes for the receipt; each once."""
    reasons = dict.fromkeys(each.instead for each in extracted if each.instead)
    return tuple(f"{_AGAIN if again else _FIRST}{reason}" for reason in reasons)


def mark_again(worklog: WorkLog, tally: Tally, said: Entry, now: datetime) -> None:
    """Update the mark of a capture before its entry gets its receipt: whether it is to be read again, or that it was."""
    if isinstance(said, Capture):
        mark = mark_after_first(said.capture_id, tally, now)
    elif not isinstance(said.action, ExtractAgain) or (before := worklog.again(said.action.capture_id)) is None:
        return
    else:
        mark = mark_after_round(before, tally, now)
        if mark is None:
            worklog.clear_again(before.capture_id)
    if mark is not None:
        worklog.mark_again(mark)


def mark_after_first(capture_id: str, tally: Tally, now: datetime) -> AgainMark | None:
    """Return the mark of a capture that was read for the first time; None when there is nothing to read again."""
    if not tally.again:
        return None
    return AgainMark(capture_id, joined(tally.again), not_before=now + AFTER_RUBBISH if _only_rubbish(tally) else None)


def mark_after_round(mark: AgainMark, tally: Tally, now: datetime) -> AgainMark | None:
    """Return the mark after another round; None when all was read, or it is not worth another."""
    if not tally.again:
        return None
    spans = joined(tally.again)
    if _only_rubbish(tally):
        rounds = mark.rounds + 1
        return AgainMark(mark.capture_id, spans, rounds, 0, now + AFTER_RUBBISH * 6**rounds) if rounds < MOST_ROUNDS else None
    pause = min(AFTER_OUTAGE * 2 ** min(mark.outages, 16), LONGEST_PAUSE)
    return AgainMark(mark.capture_id, spans, mark.rounds, mark.outages + 1, now + pause)


def was_rubbish(mark: AgainMark) -> bool:
    """Return whether the model's last answer could not be used at all: then it is asked about this capture again only after it
    has read something else well. So a model that never answers usefully costs no further call."""
    return mark.not_before is not None and not mark.outages


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the same stretches in order, those that touch as one."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


def _only_rubbish(tally: Tally) -> bool:
    return all(note in (f"{_FIRST}unusable", f"{_AGAIN}unusable") for note in tally.notes if note.startswith((_FIRST, _AGAIN)))
