"""A deeper look at a store than `upkeep.doctor` takes: what each engine finds and not only what it lists, every edge of the
graph, passages, and what is not as a memory should be: orphans, what waits too long, echoes, duplicates, contradictions.

Everything goes through the ports, so that it is one look for engines in the process and on servers. It changes nothing;
`upkeep.mending` mends what is derived.
"""

from __future__ import annotations

import contextlib
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations
from typing import TypeVar

import numpy as np

from lattice_common.domain.atom import Atom, atom_id_for, normalized_content_hash
from lattice_common.domain.capture import Capture, Command
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.graph import Edge
from lattice_common.domain.status import comparable
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ingest.echoes import LATELY, Said, said_in, sentence_hash
from lattice_common.ingest.index_documents import lexical_document
from lattice_common.ingest.link import edges_of
from lattice_common.ingest.reconcile.supersession import is_newer, rule
from lattice_common.language.claims.sameness import same_words_same_fact
from lattice_common.language.slots import slot_keys
from lattice_common.ports.journal import Journal
from lattice_common.ports.lexical_index import LexicalIndex, LexicalQuery
from lattice_common.upkeep.doctor import COMPARED_AT_ONCE, START, Area, Examined, Finding, Patient, examine
from lattice_common.upkeep.rebuild import OnProgress

MEND = "`lattice doctor --repair` makes it anew"
WAITS_TOO_LONG = timedelta(minutes=10)
"""What was accepted is remembered within seconds, a large file within minutes."""

ASKED_AT_ONCE = 64
FIRST_LOOK = 20
"""Statements that a search by an atom's own words is asked for at first; it is among them but where many say nearly the same."""

UNIT = 1e-2
"""How far the length of a vector may be from 1: engines keep 32 or 16 bits of each number."""

MOST_ORDINALS = 10_000
"""Numbers of an atom within its capture that are tried to tell whether its id was made of the capture's."""

SLOT_LIMIT = 64
"""Statements of one slot that are compared with each other, the newest."""


T = TypeVar("T")


def examine_deeply(patient: Patient, on_progress: OnProgress) -> Examined:
    """Look at everything. At 100,000 atoms some minutes, most of it a search for each."""
    examined = examine(patient, on_progress, lambda atoms, progress: _further(atoms, patient, progress))
    return replace(examined, looked_at=_looked_at(examined, patient))


def _looked_at(examined: Examined, patient: Patient) -> dict[Area, int]:
    """Return how many things of each area there are."""
    entries = sum(1 for _ in patient.journal.entries())
    of_atoms: tuple[Area, ...] = ("file", "quote", "link", "catalogue", "lexical", "graph", "who")
    counts: dict[Area, int] = dict.fromkeys(of_atoms, examined.atoms)
    if patient.dense is not None or any(each.area == "dense" for each in patient.opened.damaged):
        counts["dense"] = examined.atoms
    if patient.shelf is not None:
        with contextlib.suppress(Unavailable, Corrupt):  # the look has said it
            counts["passages"] = sum(1 for _ in patient.shelf.passages.passage_hashes())
    counts |= {"journal": entries, "waiting": entries, "log": patient.opened.records}
    others: tuple[Area, ...] = ("orphan", "echo", "duplicate", "contradiction")
    return counts | dict.fromkeys(others, examined.atoms)


def _further(atoms: Mapping[str, Atom], patient: Patient, on_progress: OnProgress) -> Iterator[Finding]:
    yield from _found_by_words(atoms, patient, on_progress)
    yield from _vectors(atoms, patient)
    yield from _graph(atoms, patient, on_progress)
    try:
        yield from _passages(patient)
    except (Unavailable, Corrupt) as error:
        yield Finding("passages", "the file", str(error), MEND)
    yield from _orphans(atoms, patient.journal)
    yield from _waiting(patient.journal, patient.now)
    on_progress("comparing memories", 0, len(atoms))
    held = [atom for atom in atoms.values() if not (atom.is_superseded or atom.archived or is_conclusion(atom))]
    yield from _echoes(held, atoms, patient)
    yield from _duplicates(held)
    yield from _contradictions(held)
    on_progress("comparing memories", len(atoms), len(atoms))


def _found_by_words(atoms: Mapping[str, Atom], patient: Patient, on_progress: OnProgress) -> Iterator[Finding]:
    """Check that each is found by its own words: an index may list what it does not find any more. What it lists with other words
    (an edit that nobody has followed yet) is the doctor's to say."""
    try:
        listed = {atom_id: known for atom_id, known, _ in patient.lexical.entries()}
    except Unavailable:
        return  # the doctor has said it
    known = {atom_id: atom for atom_id, atom in atoms.items() if listed.get(atom_id) == atom.content_hash}
    done = 0
    for chunk in _chunks(list(known.values()), ASKED_AT_ONCE):
        asked = [LexicalQuery({"text": sorted(set(lexical_document(atom, ()).tokens["text"]))}) for atom in chunk]
        try:
            found = patient.lexical.search_each([(each, FIRST_LOOK) for each in asked])
            for atom, query, hits in zip(chunk, asked, found, strict=True):
                missing = bool(query.tokens["text"]) and all(hit.atom_id != atom.atom_id for hit in hits)
                if missing and all(hit.atom_id != atom.atom_id for hit in patient.lexical.search(query, len(listed))):
                    yield Finding("lexical", atom.atom_id, "a search by its own words does not find it", MEND)
        except Unavailable as error:
            yield Finding("lexical", "the index", str(error), START)
            return
        done += len(chunk)
        on_progress("searching by words", done, len(known))


def _vectors(atoms: Mapping[str, Atom], patient: Patient) -> Iterator[Finding]:
    """Look whether cosines can be taken of each vector."""
    if patient.dense is None:
        return
    found = {each.thing for each in patient.opened.damaged if each.area == "dense"}
    for chunk in _chunks([each for each in atoms if each not in found], COMPARED_AT_ONCE):
        try:
            vectors = patient.dense.vectors(chunk)
        except Unavailable:
            return
        for atom_id, vector in vectors.items():
            length = float(np.linalg.norm(vector.astype(np.float64)))
            if not math.isfinite(length) or abs(length - 1.0) > UNIT:
                yield Finding("dense", atom_id, "its vector is damaged: it has not the length 1", MEND)


def _graph(atoms: Mapping[str, Atom], patient: Patient, on_progress: OnProgress) -> Iterator[Finding]:
    """Look whether every edge that an atom should have is there, and no other."""
    catalogue = patient.catalogue
    known = catalogue.marks().keys()
    wanted: defaultdict[str, set[Edge]] = defaultdict(set)
    try:
        for chunk in _chunks(list(known), COMPARED_AT_ONCE):
            for edge in edges_of(catalogue.get(chunk), catalogue).edges:
                ends = [end.removeprefix("atom:") for end in (edge.source, edge.target) if end.startswith("atom:")]
                if all(end in known for end in ends):
                    for end in ends:
                        wanted[end].add(edge)
    except Corrupt:
        return  # the doctor has said it of the catalogue
    if patient.graph.trouble is not None:
        return  # the same
    files = {f"atom:{each}" for each in atoms.keys() - known}
    for done, atom_id in enumerate(known, start=1):
        held = set(patient.graph.neighbours(atom_id))
        missing = wanted[atom_id] - held
        # What it shares with one that only the catalogue lacks is right.
        extra = {edge for edge in held - wanted[atom_id] if not {edge.source, edge.target} & files}
        if held and missing:
            yield Finding("graph", atom_id, f"{len(missing)} of its {len(wanted[atom_id])} edges are not in the graph", MEND)
        if extra:
            yield Finding("graph", atom_id, f"{len(extra)} edges of it in the graph are of nothing that a memory says", MEND)
        if done % COMPARED_AT_ONCE == 0:
            on_progress("following edges", done, len(known))


def _passages(patient: Patient) -> Iterator[Finding]:
    """Check that passages are of captures that are there and in the words that were put there, and the index has just them."""
    if patient.shelf is None:
        return
    held = dict(patient.shelf.passages.passage_hashes())
    whole: set[str] = set()
    for capture_id in patient.shelf.passages.captures():
        for passage in patient.shelf.passages.of_capture(capture_id):
            if held.get(passage.passage_id) == passage.content_hash:
                whole.add(passage.passage_id)
        try:
            there = isinstance(patient.journal.read(capture_id), Capture)
        except Corrupt:
            continue  # found where the journal is looked through
        if not there:
            yield Finding("passages", capture_id, "its passages are there, but it is not in the journal", MEND)
    for passage_id in held.keys() - whole:
        yield Finding("passages", passage_id, "its words are not those that were put there", MEND)
    if patient.shelf.words is not None:
        yield from _passages_indexed(held, patient.shelf.words)


def _passages_indexed(held: Mapping[str, str], words: LexicalIndex) -> Iterator[Finding]:
    try:
        indexed = {passage_id: known for passage_id, known, _ in words.entries()}
    except Unavailable as error:
        yield Finding("passages", "the index", str(error), START)
        return
    for passage_id in held.keys() - indexed.keys():
        yield Finding("passages", passage_id, "it is missing in the index", MEND)
    for passage_id in indexed.keys() - held.keys():
        yield Finding("passages", passage_id, "it is in the index, but its text is not there", MEND)
    for passage_id in held.keys() & indexed.keys():
        if held[passage_id] != indexed[passage_id]:
            yield Finding("passages", passage_id, "it is in the index with other words", MEND)


def _orphans(atoms: Mapping[str, Atom], journal: Journal) -> Iterator[Finding]:
    """Find what was made of a capture or a command that is not in the journal. A file that its owner wrote may name anything."""
    of_entry: defaultdict[str, list[Atom]] = defaultdict(list)
    for atom in atoms.values():
        of_entry[atom.capture_id].append(atom)
    for entry_id, made in of_entry.items():
        try:
            if not entry_id or journal.read(entry_id) is not None:
                continue
        except Corrupt:
            continue  # found where the journal is looked through
        for atom in made:
            if _is_made_of(entry_id, atom):
                problem = f"the capture {entry_id}, which it was made of, is not in the journal"
                yield Finding("orphan", atom.atom_id, problem, "restore the journal from a backup")


def _is_made_of(entry_id: str, atom: Atom) -> bool:
    """Return whether the atom's id was made of the entry's: only the product does that."""
    try:
        return any(atom_id_for(entry_id, ordinal) == atom.atom_id for ordinal in range(MOST_ORDINALS))
    except ValueError:
        return False


def _waiting(journal: Journal, now: datetime | None) -> Iterator[Finding]:
    """Find what was accepted and has not been remembered for too long."""
    for entry_id in journal.open_ids() if now is not None else ():
        try:
            said, status = journal.read(entry_id), journal.status(entry_id)
        except Corrupt:
            continue
        if not isinstance(said, (Capture, Command)) or status is None or status.state == "dead" or now is None:
            continue
        waited = now - said.received_at
        if status.receipt is None and waited > WAITS_TOO_LONG:
            minutes = int(waited.total_seconds() // 60)
            problem = f"it was accepted {minutes:,} minutes ago and is not done yet, after {status.attempts} attempts"
            yield Finding("waiting", entry_id, problem, "start Lattice, or look at `lattice status`")


def _echoes(held: Sequence[Atom], atoms: Mapping[str, Atom], patient: Patient) -> Iterator[Finding]:
    """Find a sentence of an answer that was told back, and became a memory beside what the answer was made of."""
    if patient.chat is None:
        return
    try:
        lines = list(patient.chat.newest())
    except Unavailable:
        return  # which is a finding of its own
    answers: defaultdict[int, list[Said]] = defaultdict(list)
    for line in lines:
        if (said := said_in(line)) is not None and said.cited:
            for sentence in said.sentences:
                answers[sentence].append(said)
    of_words: defaultdict[str, list[Atom]] = defaultdict(list)
    for atom in atoms.values():
        of_words[normalized_content_hash(atom.content)].append(atom)
    for atom in held:
        if atom.trust != "user" or atom.speaker:
            continue
        for said in answers.get(sentence_hash(atom.content), ()):
            first = min(each.ingested_at for each in of_words[atom.normalized_content_hash])
            heard = timedelta(0) <= atom.ingested_at - said.at <= LATELY and first >= said.at
            source = next((each for each in said.cited if each in atoms and not atoms[each].is_superseded), None)
            if heard and source is not None and atom.atom_id not in said.cited:
                problem = f"it repeats an answer that was made of {source}: nobody said it of themselves"
                yield Finding("echo", atom.atom_id, problem, f"`lattice forget {atom.atom_id}`, if you did not mean it")
                break


def _duplicates(held: Sequence[Atom]) -> Iterator[Finding]:
    """Find two that hold, in the same words, the same fact."""
    of_words: defaultdict[str, list[Atom]] = defaultdict(list)
    for atom in sorted(held, key=lambda each: (each.seq, each.atom_id)):
        first = next((each for each in of_words[atom.normalized_content_hash] if same_words_same_fact(atom, each)), None)
        of_words[atom.normalized_content_hash].append(atom)
        if first is not None and first.trust == atom.trust:
            yield Finding(
                "duplicate",
                atom.atom_id,
                f"it says the same as {first.atom_id}",
                f"`lattice merge {first.atom_id} {atom.atom_id}`",
            )


def _contradictions(held: Sequence[Atom]) -> Iterator[Finding]:
    """Find two that hold and cannot both be true: known to be so and not settled, or filling one slot with two values."""
    by_id = {atom.atom_id: atom for atom in held}
    named: set[frozenset[str]] = set()
    for atom in held:
        for relation in atom.relations:
            pair = frozenset((atom.atom_id, relation.target))
            named.add(pair)
            if relation.type in ("contradicts", "may_update") and relation.target in by_id:
                problem = f"it and {relation.target} cannot both be true, and you have not said which is"
                yield Finding("contradiction", atom.atom_id, problem, "`lattice review` asks you")
    of_slot: defaultdict[str, list[Atom]] = defaultdict(list)
    for atom in held:
        for key in slot_keys(atom):
            of_slot[key].append(atom)
    for filling in of_slot.values():
        newest = sorted(filling, key=lambda each: (each.seq, each.atom_id))[-SLOT_LIMIT:]
        for one, other in combinations(newest, 2):
            pair = frozenset((one.atom_id, other.atom_id))
            if pair in named or not comparable(one.status, other.status):
                continue
            newer, older = (one, other) if is_newer(one, other) else (other, one)
            ruling = rule(newer, older) if is_newer(newer, older) else None
            if ruling is not None and ruling.verdict == "retire":
                named.add(pair)
                problem = f"it says otherwise than {older.atom_id}, and neither replaced the other"
                yield Finding("contradiction", newer.atom_id, problem, "say which is true, or delete the other")


def _chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
