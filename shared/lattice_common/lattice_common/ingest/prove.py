"""The stages of ingest that decide: segment -> extract -> ground -> reconcile, for one part of a capture.

Each stage is a function of values, tested by itself; nothing here writes. What comes out is a `Plan`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lattice_common.domain.atom import Atom, Span, atom_id_for
from lattice_common.domain.capture import Capture
from lattice_common.domain.receipt import Stage
from lattice_common.domain.segment import Candidate, Rejection, Segment
from lattice_common.ingest.atoms import build_atoms
from lattice_common.ingest.extract.about_owner import learned
from lattice_common.ingest.extract.card import cards_of
from lattice_common.ingest.extract.extractor import Extracted, PartReading, PartSize, by_rules
from lattice_common.ingest.extract.status import with_status
from lattice_common.ingest.extract.worth import worth_remembering
from lattice_common.ingest.ground import ground
from lattice_common.ingest.index_documents import embedding_text
from lattice_common.ingest.reconcile import Choose, Judging, Thresholds, reconcile
from lattice_common.ingest.reextraction import READ_BY, Former, Meanwhile, notes_on, replacing, with_links
from lattice_common.ingest.segment import segment
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.embedder import Embedder, Vectors
from lattice_common.ports.journal import Plan, Tally
from lattice_common.ports.judge import Judge


@dataclass(frozen=True, slots=True)
class Proved:
    """What one part of a capture says: grounded candidates beside the segment they are from, and what was not proved. `notes` say
    of what was not read as it should have been; the stretches `again` are worth reading again; `echoed` candidates were left out
    because an answer said them."""

    grounded: tuple[tuple[Segment, tuple[Candidate, ...]], ...]
    rejected: tuple[Rejection, ...]
    notes: tuple[str, ...] = ()
    again: tuple[Span, ...] = ()
    echoed: int = 0

    @property
    def facts(self) -> int:
        return sum(len(candidates) for _, candidates in self.grounded)


def parts_of(capture: Capture) -> list[tuple[Segment, ...]]:
    """The parts of a capture as the rules read it. The same capture gives the same parts."""
    return grouped(segment(capture), PartSize())


def grouped(segments: Iterable[Segment], most: PartSize) -> list[tuple[Segment, ...]]:
    """Segments in parts: what is planned and committed at once, so that something urgent can come between two parts of a long
    text. At least one, possibly empty."""
    parts: list[tuple[Segment, ...]] = []
    part: list[Segment] = []
    size = 0
    for piece in segments:
        if part and (size + len(piece.text) > most.characters or len(part) >= most.segments):
            parts.append(tuple(part))
            part, size = [], 0
        part.append(piece)
        size += len(piece.text)
    return [*parts, tuple(part)]


def prove(
    capture: Capture, part: Sequence[Segment], on_stage: Callable[[Stage], None], reading: PartReading | None = None,
    *, again: bool = False, owner: Sequence[str] = (), judge: Judge | None = None,
) -> Proved:  # fmt: skip
    """Extract and ground one part, and say how each fact is meant; by rules where no `reading` of it is given. `owner` are the
    names of whose memory it is."""
    proved = prove_quotes(capture, part, on_stage, reading, again=again, owner=owner)
    return replace(proved, grounded=with_status(capture, proved.grounded, judge))


def prove_quotes(
    capture: Capture, part: Sequence[Segment], on_stage: Callable[[Stage], None], reading: PartReading | None = None,
    *, again: bool = False, owner: Sequence[str] = (),
) -> Proved:  # fmt: skip
    """Likewise, without saying how the facts are meant: that may be asked for several parts at once."""
    on_stage("extract")
    extracted = reading.result() if reading else [Extracted(by_rules(capture, piece)) for piece in part]
    proposed = [(piece, each.candidates) for piece, each in zip(part, extracted, strict=True)]
    on_stage("ground")
    grounded: list[tuple[Segment, tuple[Candidate, ...]]] = []
    rejected: list[Rejection] = []
    for piece, candidates in proposed:
        proved, unproved = ground(capture, piece, candidates)
        known = [learned(capture, each, owner) for each in proved]
        grounded.append((piece, tuple(worth_remembering(capture, known))))
        rejected.extend(unproved)
    if part[0].ordinal == 0 if part else not again:
        grounded.extend((piece, (card,)) for piece, card in cards_of(capture))
    unread = tuple(span for each in extracted if each.again for span in each.unread)
    return Proved(tuple(grounded), tuple(rejected), notes_on(extracted, again=again), unread)


def atoms_of(capture: Capture, proved: Proved, *, ordinal: int, seq: int, read_by: str | None = None) -> list[Atom]:
    """The atoms of a part, numbered from `ordinal` and `seq`; their ids come from the entry `read_by`, where the capture was read
    again, and else from the capture."""
    atoms: list[Atom] = []
    for piece, candidates in proved.grounded:
        atoms += build_atoms(capture, piece, candidates, ordinal=ordinal + len(atoms), seq=seq + len(atoms))
    if read_by is None:
        return atoms
    return [
        replace(atom, atom_id=atom_id_for(read_by, ordinal + n), metadata={**atom.metadata, READ_BY: read_by})
        for n, atom in enumerate(atoms)
    ]


def embed_atoms(atoms: Sequence[Atom], embedder: Embedder | None) -> dict[str, Vectors]:
    """Vectors by atom id; empty without an embedder."""
    if embedder is None or not atoms:
        return {}
    texts = [embedding_text(atom) for atom in atoms]
    # What is said thousands of times in one text is embedded once.
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    vectors = embedder.embed(list(rows))
    return {atom.atom_id: vectors[rows[text]] for atom, text in zip(atoms, texts, strict=True)}


@dataclass(frozen=True, slots=True)
class Known:
    """What the store knows already, as reconcile asks it."""

    catalogue: KnownAtoms
    vectors_of: Callable[[Sequence[str]], Mapping[str, Vectors]]
    thresholds: Thresholds
    choose: Choose | None = None
    judging: Judging | None = None
    cited_lately: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """Which part of which entry a plan is for: the tally of the parts `before`, and how far in the text it has been `read_to`.
    Read again, `of` is the capture, and `former` its atoms of this part."""

    entry: str
    part: int
    parts: int
    epoch: int
    before: Tally
    read_to: int
    of: str | None = None
    former: Former | None = None


def plan_part(place: Place, proved: Proved, atoms: Sequence[Atom], vectors: Mapping[str, Vectors], known: Known) -> Plan:
    """Decide what one part comes to."""
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
        # By its words alone: what merely resembles a fact of another capture must not cost this one its own.
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
