"""The loop: each new atom against the few known ones it could touch, in the order it was said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lattice_common.domain.atom import Atom, Relation
from lattice_common.domain.slots import slot_keys, sought_keys
from lattice_common.domain.slots.clause import without_speaker
from lattice_common.domain.text import analyze
from lattice_common.ingest.reconcile.candidates import Candidates
from lattice_common.ingest.reconcile.choice import Choose, Unsure
from lattice_common.ingest.reconcile.ledger import Ledger
from lattice_common.ingest.reconcile.outcome import Duplicate, Reconciled, Thresholds
from lattice_common.ingest.reconcile.sameness import same_meaning, same_words_same_fact
from lattice_common.ingest.reconcile.supersession import RANK, is_newer, rule
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.embedder import Vectors

MAX_LINKS = 4
"""Relations a new atom gets by similarity: the nearest ones say what it extends, more would only repeat the subject."""


LEAST_WORDS = 3
"""Words that carry meaning, without which a turn of a conversation is compared with no other by similarity."""


def reconcile(
    atoms: Sequence[Atom],
    vectors: Mapping[str, Vectors],
    known: KnownAtoms,
    vectors_of: Callable[[Sequence[str]], Mapping[str, Vectors]],
    thresholds: Thresholds,
    choose: Choose | None = None,
) -> Reconciled:
    """Decide what becomes of the new, grounded atoms of one capture, in order, with ids, hashes and `observed_at` set.

    `vectors` are theirs by id (empty without an embedder: then words alone decide), `vectors_of` gives those of known atoms. An
    atom that is among the known already (the same id: a capture done again) is compared with the others only. Costs a bounded
    number of look-ups for each atom, whatever is known. `choose` is asked at most once, about pairs that the rules are unsure of.
    """
    ledger = Ledger()
    unsure = Unsure()
    candidates = Candidates(known, vectors_of)
    own = {atom.atom_id for atom in atoms}
    fresh: dict[str, Vectors] = dict(vectors)
    duplicates: list[Duplicate] = []
    for atom in atoms:
        twin = _twin(atom, [ledger.now(other) for other in candidates.with_hash(atom) if other.atom_id != atom.atom_id])
        near = [] if twin else _near(atom, candidates, fresh, ledger, thresholds)
        if twin is None:
            twin = next((other for other, cosine in near if cosine > thresholds.duplicate and same_meaning(atom, other)), None)
        if twin is not None:
            # What a less trusted source repeats does not become newer by it.
            if ledger.reinforce(twin, atom, keep_time=twin.trust == atom.trust and bool(slot_keys(twin))):
                _settle_slots(ledger.now(twin), candidates, ledger)
            duplicates.append(Duplicate(atom, twin.atom_id))
            continue
        ledger.add(atom)
        _settle_same_words(atom, candidates, ledger)
        touched = _settle_slots(atom, candidates, ledger, unsure)
        for other, cosine in near:
            if cosine > thresholds.updates and other.atom_id not in touched:
                unsure.add(atom, other)
        for other, _ in [pair for pair in near if pair[0].atom_id not in touched][:MAX_LINKS]:
            ledger.relate(atom, Relation("extends", other.atom_id))
        candidates.add(atom)
    if choose is not None:
        unsure.settle(ledger, choose)
    stored = tuple(ledger.new_atoms())
    changes = tuple(change for change in ledger.changes() if change.atom_id not in own)
    return Reconciled(stored, changes, tuple(duplicates))


def _twin(atom: Atom, same_words: Sequence[Atom]) -> Atom | None:
    """The known atom that says just this, and is trusted no less."""
    for other in same_words:
        if not other.is_superseded and RANK[other.trust] <= RANK[atom.trust] and same_words_same_fact(atom, other):
            return other
    return None


def _settle_same_words(atom: Atom, candidates: Candidates, ledger: Ledger) -> None:
    """What somebody less trusted said before is now the word of somebody more trusted."""
    for other in [ledger.now(known) for known in candidates.with_hash(atom)]:
        if RANK[other.trust] > RANK[atom.trust] and same_words_same_fact(atom, other):
            ledger.supersede(other, atom, f"confirmed: the same was said by the {atom.trust}")


def _settle_slots(atom: Atom, candidates: Candidates, ledger: Ledger, unsure: Unsure | None = None) -> set[str]:
    """Retire and link over slots, in both directions of time; the ids of all that were touched. Pairs that are only linked are
    added to `unsure`."""
    touched: set[str] = set()
    keys = sought_keys(atom)
    if not keys:
        return touched
    retired_by: list[tuple[Atom, str]] = []
    for other in candidates.with_slot(keys):
        if other.atom_id == atom.atom_id:
            continue
        other = ledger.now(other)
        newer, older = (atom, other) if is_newer(atom, other) else (other, atom)
        if not is_newer(newer, older):
            continue
        ruling = rule(newer, older)
        if ruling is None:
            continue
        touched.add(other.atom_id)
        if ruling.verdict == "oppose":
            if not other.is_superseded and ledger.is_new(atom):
                ledger.relate(atom, Relation("contradicts", other.atom_id))
        elif ruling.verdict == "link":
            if unsure is not None and newer is atom and not other.is_superseded:
                unsure.add(atom, other)
            if not other.is_superseded and ledger.is_new(atom):
                ledger.relate(atom, Relation("updates" if newer is atom else "extends", other.atom_id))
        elif newer is atom:
            ledger.supersede(other, atom, ruling.reason)
        else:
            retired_by.append((other, ruling.reason))
    if retired_by and ledger.is_new(atom):
        by, reason = min(retired_by, key=lambda pair: (pair[0].observed_at, pair[0].atom_id))
        ledger.supersede(atom, by, reason)
    return touched


def _says_little(atom: Atom) -> bool:
    """Courtesies in a conversation ("No worries!") are alike without telling of the same thing."""
    return atom.speaker is not None and len(analyze(without_speaker(atom.content, atom.speaker))) < LEAST_WORDS


def _near(
    atom: Atom, candidates: Candidates, vectors: dict[str, Vectors], ledger: Ledger, thresholds: Thresholds
) -> list[tuple[Atom, float]]:
    """Current atoms of the same subject that are related by cosine, nearest first."""
    own = vectors.get(atom.atom_id)
    if own is None or atom.kind == "question" or _says_little(atom):
        return []
    others = [ledger.now(other) for other in candidates.about(atom.subject, thresholds.subject)]
    others = [other for other in others if not other.is_superseded and other.atom_id != atom.atom_id and other.kind != "question"]
    known = candidates.vectors([other for other in others if other.atom_id not in vectors])
    found = []
    for other in others:
        theirs = vectors.get(other.atom_id)
        if theirs is None:
            theirs = known.get(other.atom_id)
        if theirs is not None:
            cosine = float(own @ theirs)
            # Last, since it is the dearest to find out, and few come so far.
            if cosine > thresholds.related and not _says_little(other):
                found.append((other, cosine))
    found.sort(key=lambda pair: -pair[1])
    return found
