"""The loop of reconcile: compares each new atom with the few known ones that it may affect, in the order in which they were
said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lattice_common.domain.atom import Atom, Relation, RelationType, is_ahead
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.document_card import DOCUMENT, TEXT_HASH
from lattice_common.domain.status import comparable
from lattice_common.ingest.reconcile.candidates import Candidates
from lattice_common.ingest.reconcile.choice import Choose, Unsure
from lattice_common.ingest.reconcile.judging import FEWEST_JUDGED, MOST_PAIRS, Judging, Read, settle_judged
from lattice_common.ingest.reconcile.ledger import Ledger
from lattice_common.ingest.reconcile.outcome import Duplicate, Reconciled, Thresholds
from lattice_common.ingest.reconcile.supersession import RANK, Ruling, is_newer, rule
from lattice_common.language.claims.carried_out import carried_out
from lattice_common.language.claims.correction import corrects
from lattice_common.language.claims.repeated import says_no_more
from lattice_common.language.claims.sameness import is_repeated, same_meaning, same_words_same_fact
from lattice_common.language.slots import slot_keys, sought_keys
from lattice_common.language.slots.clause import without_speaker
from lattice_common.language.text import analyze
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.embedder import Vectors

MAX_LINKS = 4
"""Relations that a new atom gets by similarity: the nearest ones say what it extends; more would only repeat the subject."""


_APART = ("question", DOCUMENT)
"""Kinds with which no fact is compared by similarity."""

LEAST_WORDS = 3
"""Least number of meaningful words of a turn that is compared by similarity."""


def reconcile(
    atoms: Sequence[Atom],
    vectors: Mapping[str, Vectors],
    known: KnownAtoms,
    vectors_of: Callable[[Sequence[str]], Mapping[str, Vectors]],
    thresholds: Thresholds,
    choose: Choose | None = None,
    judging: Judging | None = None,
    cited_lately: frozenset[str] = frozenset(),
) -> Reconciled:
    """Decide what becomes of the new, grounded atoms of one capture, in order, with ids, hashes and `observed_at` set.

    `vectors` are theirs by id (empty without an embedder: then words alone decide); `vectors_of` returns those of known atoms. An
    atom with a known id (a capture done again) is compared with the others only. Costs a bounded number of look-ups for each
    atom, whatever is known. `choose` is called at most once, about pairs that the rules, or the judge where there is one, are
    unsure of. `judging` costs about a millisecond a pair, for at most `judging.MOST_JUDGED` pairs an atom. An atom whose
    statement answers have `cited_lately` does not make the known one surer.
    """
    ledger = Ledger()
    unsure = Unsure()
    candidates = Candidates(known, vectors_of)
    own = {atom.atom_id for atom in atoms}
    fresh: dict[str, Vectors] = dict(vectors)
    duplicates: list[Duplicate] = []
    judged = _judged(atoms, fresh, known, judging) if judging else {}
    for atom in atoms:
        found = judged.get(atom.atom_id, [])
        twin = _twin(atom, [ledger.now(other) for other in candidates.with_hash(atom) if other.atom_id != atom.atom_id])
        near = [] if twin or atom.kind == DOCUMENT else _near(atom, candidates, fresh, ledger, thresholds)
        if twin is None:
            twin = next((other for other, cosine in near if cosine > thresholds.duplicate and _is_one(atom, other)), None)
        if twin is None:
            twin = _said_again(atom, found, ledger)
        if twin is not None:
            # A repetition by a less trusted source does not make a fact newer.
            keep_time = twin.trust == atom.trust and bool(slot_keys(twin))
            if ledger.reinforce(twin, atom, keep_time=keep_time, echo=twin.atom_id in cited_lately):
                _settle_slots(ledger.now(twin), candidates, ledger)
            duplicates.append(Duplicate(atom, twin.atom_id))
            continue
        ledger.add(atom)
        if atom.kind == DOCUMENT:
            candidates.add(atom)
            continue
        _settle_same_words(atom, candidates, ledger)
        touched = _settle_slots(atom, candidates, ledger, unsure if judging is None else None, judging)
        _doubt_until_carried_out(atom, candidates, ledger, judging)
        others = [(other, cosine) for other, cosine in near if other.atom_id not in touched]
        if judging is not None:
            for newer, older in settle_judged(atom, found, judging, ledger):
                ledger.doubt(newer, older)
                unsure.add(newer, older, judged=True)
        else:
            _doubt_near(atom, others, unsure, thresholds)
        for other, _ in others[:MAX_LINKS]:
            ledger.relate(atom, Relation("extends", other.atom_id))
        candidates.add(atom)
    if choose is not None:
        unsure.settle(ledger, choose)
    stored = tuple(ledger.new_atoms())
    changes = tuple(change for change in ledger.changes() if change.atom_id not in own)
    return Reconciled(stored, changes, tuple(duplicates))


SAID_AGAIN = 0.75
"""Probability of `same` from which a statement without a word of its own is a duplicate: of 480 made-up pairs, from here on 24 %
of those that repeat are kept once, and none of the 260 that only look alike is lost (from 0.7: 26 %, and one)."""


def _judged(atoms: Sequence[Atom], vectors: Mapping[str, Vectors], known: KnownAtoms, judging: Judging) -> dict[str, list[Read]]:
    """Return each new atom beside the known ones that it may touch."""
    beside: dict[str, list[tuple[Atom, Atom]]] = {}
    most = max(FEWEST_JUDGED, MOST_PAIRS // max(len(atoms), 1))
    for atom in atoms:
        near = known.get(list(judging.near(atom, vectors.get(atom.atom_id)))) if atom.kind != DOCUMENT else []
        others = [each for each in near if not is_conclusion(each) and each.kind != DOCUMENT]
        beside[atom.atom_id] = judging.shown(atom, others)[:most]
    found: dict[str, list[Read]] = {}
    for row in judging.read(beside, atoms):
        found.setdefault(row.newer.atom_id if row.newer.atom_id in beside else row.older.atom_id, []).append(row)
    return found


def _is_one(atom: Atom, other: Atom) -> bool:
    """Return whether an atom that an embedding takes for a known one says nothing else."""
    return same_meaning(atom, other) and says_no_more(atom.content, other.content)


def _said_again(atom: Atom, read: Sequence[Read], ledger: Ledger) -> Atom | None:
    """Return the known atom that says this in other words."""
    for row in sorted(read, key=lambda each: -each.found.same):
        other = ledger.now(row.older if row.newer.atom_id == atom.atom_id else row.newer)
        if row.found.same < SAID_AGAIN or other.is_superseded or corrects(row.newer.content, row.older.content):
            continue
        if is_repeated(atom, other):
            return other
    return None


def _twin(atom: Atom, same_words: Sequence[Atom]) -> Atom | None:
    """Return the known atom that says just this, and is trusted no less."""
    for other in same_words:
        if (
            not other.is_superseded
            and RANK[other.trust] <= RANK[atom.trust]
            and same_words_same_fact(atom, other)
            and _of_same_text(atom, other)
        ):
            return other
    return None


def _of_same_text(atom: Atom, other: Atom) -> bool:
    """Return whether two atoms stand for the same text: two documents may have the same name."""
    return atom.kind != DOCUMENT or atom.metadata.get(TEXT_HASH) == other.metadata.get(TEXT_HASH)


def _settle_same_words(atom: Atom, candidates: Candidates, ledger: Ledger) -> None:
    """Supersede what somebody less trusted said before, where it is now the word of somebody more trusted."""
    for other in [ledger.now(known) for known in candidates.with_hash(atom)]:
        if RANK[other.trust] > RANK[atom.trust] and same_words_same_fact(atom, other):
            ledger.supersede(other, atom, f"confirmed: the same was said by the {atom.trust}")


def _settle_slots(
    atom: Atom, candidates: Candidates, ledger: Ledger, unsure: Unsure | None = None, judging: Judging | None = None
) -> set[str]:
    """Retire and relate atoms of the same slots, in both directions of time; return the ids of all that were affected. Pairs that
    are only related are added to `unsure`. A retirement that the judge refutes becomes a relation, and one by what is only going
    to hold a doubt."""
    touched: set[str] = set()
    keys = sought_keys(atom)
    if not keys:
        return touched
    retired_by: list[tuple[Atom, str]] = []
    others = [ledger.now(each) for each in candidates.with_slot(keys) if each.atom_id != atom.atom_id]
    pairs = [
        (atom, other) if is_newer(atom, other) else (other, atom) for other in others if comparable(atom.status, other.status)
    ]
    for newer, older, ruling in _rulings(atom, pairs, judging):
        other = older if newer is atom else newer
        touched.add(other.atom_id)
        if ruling.verdict == "retire" and is_ahead(newer, older, newer.observed_at):
            if not other.is_superseded:
                ledger.doubt(newer, older)
        elif ruling.verdict == "retire":
            if newer is atom:
                ledger.supersede(other, atom, ruling.reason)
            else:
                retired_by.append((other, ruling.reason))
        elif not other.is_superseded:
            if ruling.verdict == "link" and unsure is not None and newer is atom:
                unsure.add(atom, other)
            if ledger.is_new(atom):
                tie: RelationType = "updates" if newer is atom else "extends"
                ledger.relate(atom, Relation("contradicts" if ruling.verdict == "oppose" else tie, other.atom_id))
    if retired_by and ledger.is_new(atom):
        by, reason = min(retired_by, key=lambda pair: (pair[0].observed_at, pair[0].atom_id))
        ledger.supersede(atom, by, reason)
    return touched


def _doubt_until_carried_out(atom: Atom, candidates: Candidates, ledger: Ledger, judging: Judging | None) -> None:
    """Doubt what a plan ends once it is carried out, which rules find by the words that it has then."""
    done = carried_out(atom.content) if atom.status == "planned" else None
    if done is None:
        return
    then = replace(atom, content=done)
    others = [ledger.now(each) for each in candidates.with_slot(sought_keys(then)) if each.atom_id != atom.atom_id]
    pairs = [(then, other) for other in others if not other.is_superseded and is_ahead(atom, other, atom.observed_at)]
    for _, older, ruling in _rulings(then, pairs, judging):
        if ruling.verdict == "retire":
            ledger.doubt(atom, older)


def _rulings(atom: Atom, pairs: Sequence[tuple[Atom, Atom]], judging: Judging | None) -> list[tuple[Atom, Atom, Ruling]]:
    """Return what the rules say about pairs (newer, older) with `atom`, unless the judge refutes it: it is asked once, about all
    that would be retired and holds. Without those where neither is newer, or that do not concern each other."""
    found = [(newer, older, rule(newer, older)) for newer, older in pairs if is_newer(newer, older)]
    ruled = [(newer, older, ruling) for newer, older, ruling in found if ruling is not None]
    if judging is None:
        return ruled
    open_ = [
        (newer, older)
        for newer, older, ruling in ruled
        if ruling.verdict == "retire" and not (newer is atom and older.is_superseded)
    ]
    refuted = {(newer.atom_id, older.atom_id) for newer, older in judging.refuted(open_)}
    return [
        (newer, older, Ruling("link", "") if (newer.atom_id, older.atom_id) in refuted else ruling)
        for newer, older, ruling in ruled
    ]


def _doubt_near(atom: Atom, near: Sequence[tuple[Atom, float]], unsure: Unsure, thresholds: Thresholds) -> None:
    """Doubt, without a judge, statements so near that the new atom may be an update of them."""
    for other, cosine in near:
        if cosine > thresholds.updates and comparable(atom.status, other.status):
            unsure.add(atom, other)


def _says_little(atom: Atom) -> bool:
    """Return whether an atom is a courtesy of a conversation ("No worries!"): those are alike without being about the same
    thing."""
    return atom.speaker is not None and len(analyze(without_speaker(atom.content, atom.speaker))) < LEAST_WORDS


def _near(
    atom: Atom, candidates: Candidates, vectors: dict[str, Vectors], ledger: Ledger, thresholds: Thresholds
) -> list[tuple[Atom, float]]:
    """Return current atoms of the same subject that are related by cosine, nearest first."""
    own = vectors.get(atom.atom_id)
    if own is None or atom.kind == "question" or _says_little(atom):
        return []
    others = [ledger.now(other) for other in candidates.about(atom.subject, thresholds.subject)]
    others = [other for other in others if not other.is_superseded and other.atom_id != atom.atom_id and other.kind not in _APART]
    known = candidates.vectors([other for other in others if other.atom_id not in vectors])
    found = []
    for other in others:
        theirs = vectors.get(other.atom_id)
        if theirs is None:
            theirs = known.get(other.atom_id)
        if theirs is not None:
            cosine = float(own @ theirs)
            # Checked last, because it costs most and few pairs come this far.
            if cosine > thresholds.related and not _says_little(other):
                found.append((other, cosine))
    found.sort(key=lambda pair: -pair[1])
    return found
