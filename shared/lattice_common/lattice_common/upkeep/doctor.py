"""What is wrong with a store, said in sentences. Looks at everything, changes nothing.

Canonical first: every atom file, also those in the trash, its quote against the journal's words, the links between atoms, the
journal itself with the bytes of each file that was told. Then what is derived: the catalogue and the engines against the files,
the graph against the atoms. `upkeep.deep_doctor` looks further.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ingest.dated_ahead import is_ahead
from lattice_common.ingest.link import edges_of
from lattice_common.language.people import ties_by
from lattice_common.ports.atoms import AtomReader, Unreadable
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.dense_index import DenseIndex
from lattice_common.ports.graph import Graph
from lattice_common.ports.journal import Journal
from lattice_common.ports.lexical_index import LexicalIndex
from lattice_common.ports.line_log import LineLog
from lattice_common.ports.passages import PassageStore

Area: TypeAlias = Literal[
    "file", "quote", "link", "journal", "log", "catalogue", "lexical", "dense", "graph", "who",
    "passages", "orphan", "waiting", "echo", "duplicate", "contradiction",
]  # fmt: skip
"""Those of the second line are looked at by the deep look only."""

EMPTY: dict[Area, str] = {"catalogue": "the file", "lexical": "the index", "dense": "the index"}
"""What stands for a whole area in a finding."""

REBUILD = "`lattice rebuild` makes it anew"
COMPARED_AT_ONCE = 500
FORMER = "it is there as it was before its last change"
OTHER_FIELD = "a field of it is not as its file has it: edited by hand while Lattice was away, or changed by the disk"
START = "start it, or mend its address, and look again"
EDITED = "content_hash:content-changed"
"""The note of a file whose words are not those that were written there."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: `thing` is an id or a path, `problem` what is the matter, `next_step` what mends it."""

    area: Area
    thing: str
    problem: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Examined:
    """What was looked at, and what was found. `looked_at` counts the things of each area, of a deep look."""

    atoms: int
    captures: int
    findings: tuple[Finding, ...]
    looked_at: Mapping[Area, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opened:
    """What was found wrong while a folder was opened, and how many sealed records beside the journal's entries were looked at for
    it."""

    damaged: tuple[Finding, ...] = ()
    records: int = 0


@dataclass(frozen=True, slots=True)
class Shelved:
    """The passages of documents, and their index of words, where there is one."""

    passages: PassageStore
    words: LexicalIndex | None


@dataclass(frozen=True, slots=True)
class Patient:
    """What the doctor looks at; `dense` is None where there is no dense search, the derived parts where they are not there.
    `service` is a graph on a server, which should know what `graph`, read from the sidecars, does."""

    atoms: AtomReader
    journal: Journal
    catalogue: CatalogueReader
    lexical: LexicalIndex
    dense: DenseIndex | None
    graph: Graph
    service: Graph | None = None
    now: datetime | None = None
    """The time; without it dates are not looked at."""
    shelf: Shelved | None = None
    chat: LineLog | None = None
    """What was asked and answered; this and the passages are for the deep look."""
    opened: Opened = Opened()
    differing: Callable[[Sequence[Atom]], list[str]] = lambda _: []
    """Which of these atoms have other rows in the catalogue than they make of it."""


Further: TypeAlias = Callable[[Mapping[str, Atom], Callable[[str, int, int], None]], Iterator[Finding]]
"""What else is looked at once the atoms are read."""


def examine(patient: Patient, on_progress: Callable[[str, int, int], None], further: Further = lambda *_: iter(())) -> Examined:
    """Read every atom and every capture that an atom is from: about a minute at 100,000 atoms."""
    findings: list[Finding] = [*patient.opened.damaged]
    edited: set[str] = set()
    unreadable: set[str] = set()
    atoms: dict[str, Atom] = {}
    marks = list(patient.atoms.marks())
    for done, (atom_id, mark) in enumerate(marks, start=1):
        match patient.atoms.read_file(mark):
            case Unreadable(path, reason, detail):
                findings.append(Finding("file", path, f"cannot be read ({reason}): {detail}", "mend it by hand, or delete it"))
                unreadable.add(atom_id)
            case Atom() as atom:
                atoms[atom_id] = atom
                notes = patient.atoms.notes(mark)
                findings += [_noted(mark.path, note) for note in notes]
                edited |= {atom_id} if EDITED in notes else set()
        if done % 500 == 0 or done == len(marks):
            on_progress("reading memories", done, len(marks))
    findings += [Finding("file", each.path, each.detail, _aside_step(each)) for each in patient.atoms.conflicts()]
    captures = 0
    for captures, found in enumerate(_quotes(atoms, patient.journal), start=1):
        findings += found
        if captures % 500 == 0:
            on_progress("reading the journal", captures, captures)
    trashed: set[str] = set()
    findings += _trash(patient.atoms)
    findings += _dated_ahead(atoms, patient.now)
    in_journal = list(_journal(patient.journal, trashed))
    findings += _links(atoms, trashed)
    findings += in_journal
    # That the catalogue has not followed an edit yet is no second finding: the one of the file says what it is.
    derived = _as_far_as_it_can_be_read(_derived(atoms, unreadable, patient))
    findings += [each for each in derived if not (each.problem in (FORMER, OTHER_FIELD) and each.thing in edited)]
    findings += _as_far_as_it_can_be_read(further(atoms, on_progress))
    return Examined(len(atoms), captures, tuple(findings))


def _as_far_as_it_can_be_read(found: Iterator[Finding]) -> Iterator[Finding]:
    try:
        yield from found
    except Corrupt as error:
        problem, _ = parted(str(error), REBUILD)
        yield Finding("catalogue", "the file", problem, REBUILD)


def parted(sentence: str, otherwise: str) -> tuple[str, str]:
    """Return what is wrong and the next step, of a sentence that says both with a colon between them; where it says only the
    first, the step is `otherwise`."""
    problem, colon, step = sentence.rpartition(": ")
    return (problem, step) if colon else (sentence, otherwise)


def _aside_step(aside: Unreadable) -> str:
    if aside.reason == "folder-not-readable":
        return "let the user that Lattice runs as read it, or move it out of `atoms/`"
    return "keep one of them"


def _noted(path: str, note: str) -> Finding:
    """Return the finding for a note of a file. An edit by hand is no mistake, but a disk that changes bytes leaves the same sign:
    only the owner knows which it was."""
    if note == EDITED:
        return Finding("file", path, f"says something else than when it was written ({note})", "nothing to do, if you edited it")
    return Finding("file", path, f"is not read as it stands: {note}", "mend it by hand, where it is not meant so")


def _quotes(atoms: Mapping[str, Atom], journal: Journal) -> Iterator[list[Finding]]:
    """Look whether each quote stands in its capture, at its offsets; yield a list of findings for each capture."""
    of_capture: dict[str, list[Atom]] = {}
    for atom in atoms.values():
        of_capture.setdefault(atom.capture_id, []).append(atom)
    for capture_id, from_it in of_capture.items():
        found: list[Finding] = []
        try:
            capture = journal.read(capture_id)
        except Corrupt:
            # Found where the journal is looked through.
            yield found
            continue
        for atom in from_it:
            span = atom.source_span
            if isinstance(capture, Capture) and capture.text[span.start : span.end] != atom.source_quote:
                found.append(
                    Finding("quote", atom.atom_id, "its quote does not stand at its place in the journal", "correct the quote")
                )
        yield found


def _links(atoms: Mapping[str, Atom], trashed: Set[str]) -> Iterator[Finding]:
    """Find links to what is not there. A link to what the owner deleted through Lattice is no defect: an undo would make it whole
    again."""
    for atom in atoms.values():
        for target in (*atom.supersedes, *(relation.target for relation in atom.relations)):
            if target not in atoms and target not in trashed:
                yield Finding(
                    "link", atom.atom_id, f"it refers to {target}, which is not there", "take the id out, or restore the file"
                )
        by = atom.superseded_by
        if by is not None and by not in atoms and by not in trashed:
            yield Finding("link", atom.atom_id, f"{by}, which replaced it, is not there", "clear is_superseded and superseded_by")
        elif by is not None and _in_cycle(atom, atoms):
            yield Finding("link", atom.atom_id, "it replaces, in the end, itself", "clear superseded_by in one of them")


def _in_cycle(atom: Atom, atoms: Mapping[str, Atom]) -> bool:
    seen = set()
    at: Atom | None = atom
    while at is not None and at.superseded_by is not None and at.atom_id not in seen:
        seen.add(at.atom_id)
        if at.superseded_by == atom.atom_id:
            return True
        at = atoms.get(at.superseded_by)
    return False


def _trash(files: AtomReader) -> Iterator[Finding]:
    """Look at the trash: what lies there can be brought back, and is to come back as it was."""
    for _, mark in files.trashed():
        match files.read_file(mark):
            case Unreadable(path, reason, detail) if reason != "gone":
                yield Finding("file", path, f"cannot be read ({reason}): {detail}", "it cannot be brought back as it is: mend it")
            case Atom() if EDITED in files.notes(mark):
                yield Finding(
                    "file", mark.path, "says something else than when it was deleted", "restore it from a backup, before an undo"
                )


def _dated_ahead(atoms: Mapping[str, Atom], now: datetime | None) -> Iterator[Finding]:
    for atom in atoms.values() if now is not None else ():
        if is_ahead(atom, now or atom.ingested_at):
            yield Finding(
                "file",
                atom.atom_id,
                f"is dated {atom.observed_at:%Y-%m-%d}, which is to come: this machine's clock was ahead",
                "correct its `observed_at` and `ingested_at`",
            )


def _original(journal: Journal, capture: Capture) -> Iterator[Finding]:
    """Look whether its bytes are those that came."""
    path, original = journal.original_path(capture.capture_id), capture.original
    if original is None:
        return
    step = "restore it from a backup"
    if path is None:
        yield Finding("journal", capture.capture_id, "the file it came as is not there", step)
        return
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        yield Finding("journal", capture.capture_id, f"the file it came as cannot be read: {error.strerror}", step)
        return
    if found != original.sha256:
        yield Finding("journal", capture.capture_id, "the file it came as is not what it was: its bytes have changed", step)


def _journal(journal: Journal, trashed: set[str]) -> Iterator[Finding]:
    """Add to `trashed` what entries moved to the trash."""
    unfinished = set(journal.open_ids())
    for entry_id in journal.entries():
        try:
            status = journal.status(entry_id)
            said = journal.read(entry_id)
        except Corrupt as error:
            yield Finding("journal", entry_id, *parted(str(error), "restore it from a backup"))
            continue
        if isinstance(said, Capture):
            yield from _original(journal, said)
        if status and status.receipt:
            trashed.update(status.receipt.trashed)
        if status is None or (status.receipt is None and entry_id not in unfinished):
            yield Finding(
                "journal", entry_id, "it has no receipt and is not in the work list", "start Lattice: it is taken up again"
            )
        elif status.state == "dead":
            yield Finding("journal", entry_id, f"it is dead: {status.reason}", f"`lattice retry {entry_id}`")


def _derived(atoms: Mapping[str, Atom], unreadable: Set[str], patient: Patient) -> Iterator[Finding]:
    catalogue = {atom_id: known for atom_id, (_, known) in patient.catalogue.marks().items()}
    yield from _as_indexed(atoms, unreadable, patient, catalogue)
    register = patient.catalogue.register()
    for atom_id, atom in atoms.items():
        if atom_id in catalogue and catalogue[atom_id] == atom.content_hash and register.said_by(atom_id) != ties_by(atom):
            yield Finding("who", atom_id, "what it says of who is who is not what the register has of it", REBUILD)
    yield from _as_catalogued(atoms, patient, catalogue)
    if patient.graph.trouble is not None:
        problem, _ = parted(patient.graph.trouble, REBUILD)
        yield Finding("graph", "the graph", problem, REBUILD)
    for atom_id in catalogue if patient.graph.trouble is None else ():
        # One of nobody's subject, from no capture that is known, is tied to nothing, and so is in no graph.
        if not patient.graph.neighbours(atom_id) and edges_of(patient.catalogue.get([atom_id]), patient.catalogue).edges:
            yield Finding("graph", atom_id, "it is not in the graph", REBUILD)
    if patient.service is not None:
        yield from _as_served(patient.graph, patient.service)


def _as_indexed(
    atoms: Mapping[str, Atom], unreadable: Set[str], patient: Patient, catalogue: Mapping[str, str]
) -> Iterator[Finding]:
    """Compare what the catalogue and the engines hold with what they should. Of one that holds nothing that is one finding, and
    what the catalogue alone lacks is none of the engines'."""
    engines: list[tuple[Area, Callable[[], Mapping[str, str]]]] = [
        ("catalogue", lambda: catalogue),
        ("lexical", _held(patient.lexical)),
    ]
    if patient.dense is not None:
        engines.append(("dense", _held(patient.dense)))
    for area, held in engines:
        try:
            known = held()
        except Unavailable as error:
            yield Finding(area, "the index", str(error), START)
            continue
        # What a hand changed is read at the next start; until then the engines hold what the catalogue holds.
        files = {atom_id: atom.content_hash for atom_id, atom in atoms.items()}
        right = files if area == "catalogue" else catalogue
        if right and not known:
            yield Finding(area, EMPTY[area], f"it is empty: none of {len(right):,} memories is in it", REBUILD)
            continue
        for atom_id in right.keys() - known.keys():
            yield Finding(area, atom_id, "it is missing there", REBUILD)
        for atom_id in known.keys() - right.keys():
            if known[atom_id] != files.get(atom_id):
                lacks = "cannot be read" if atom_id in unreadable else "is not"
                yield Finding(area, atom_id, f"it is there, but its file {lacks}", REBUILD)
        for atom_id in right.keys() & known.keys():
            if right[atom_id] != known[atom_id]:
                yield Finding(area, atom_id, FORMER, REBUILD)


def _as_served(graph: Graph, service: Graph) -> Iterator[Finding]:
    """Compare the graph of a deployment's service with that of the sidecars."""
    try:
        service.refresh()
        told = service.stats()
    except Unavailable as error:
        yield Finding("graph", "the service", str(error), START)
        return
    graph.refresh()
    if told.state_hash != graph.stats().state_hash:
        yield Finding("graph", "the service", "it knows another graph than the sidecars hold", "restart it")


def _as_catalogued(atoms: Mapping[str, Atom], patient: Patient, catalogue: Mapping[str, str]) -> Iterator[Finding]:
    """Check that what the catalogue says of an atom is what its file says: answers are made of the one, and the other is what is
    kept."""
    same = [atom_id for atom_id, atom in atoms.items() if catalogue.get(atom_id) == atom.content_hash]
    for start in range(0, len(same), COMPARED_AT_ONCE):
        chunk = same[start : start + COMPARED_AT_ONCE]
        try:
            known = {atom.atom_id: atom for atom in patient.catalogue.get(chunk)}
        except Corrupt as error:
            yield Finding("catalogue", "the file", str(error), REBUILD)
            return
        alike: list[Atom] = []
        for atom_id in chunk:
            if atom_id not in known:
                yield Finding("catalogue", atom_id, "what it has of it is not what was written there", REBUILD)
            elif known[atom_id] == atoms[atom_id]:
                alike.append(atoms[atom_id])
            else:
                yield Finding("catalogue", atom_id, OTHER_FIELD, "look at the file; the next start takes it as it is")
        for atom_id in patient.differing(alike):
            yield Finding("catalogue", atom_id, "its row there is not what its file makes of it", REBUILD)


def _held(index: LexicalIndex | DenseIndex) -> Callable[[], dict[str, str]]:
    return lambda: {atom_id: known for atom_id, known, _ in index.entries()}
