"""The proving stages: extract what the next part of each capture says, with its words as proof.

The functions of values come first and can be used by themselves; the stages below apply them to the parts in hand. Nothing here
writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lattice_common.domain.atom import Atom, atom_id_for
from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Candidate, Rejection, Segment
from lattice_common.ingest.atoms import build_atoms
from lattice_common.ingest.context import Context
from lattice_common.ingest.extract.card import cards_of
from lattice_common.ingest.extract.extractor import Extracted, by_rules
from lattice_common.ingest.extract.meant_apart import gaps
from lattice_common.ingest.extract.status import with_status, with_statuses
from lattice_common.ingest.ground import ground
from lattice_common.ingest.index_documents import embed_atoms
from lattice_common.ingest.parts import Batch, Proved, parts_of
from lattice_common.ingest.reextraction import READ_BY, notes_on
from lattice_common.language.facts.about_owner import learned
from lattice_common.language.facts.worth import worth_remembering
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.judge import Judge


def prove(capture: Capture, part: Sequence[Segment], *, judge: Judge | None = None) -> Proved:
    """Extract one part by rules, ground it, and decide how each fact is meant, without the owner's names."""
    extracted: Sequence[Extracted] = [Extracted(by_rules(capture, piece)) for piece in part]
    if judge is not None:
        (extracted,) = _cut([(capture, part, extracted)], judge)
    proved = prove_quotes(capture, part, extracted)
    return replace(proved, grounded=with_status(capture, proved.grounded, judge))


def prove_quotes(
    capture: Capture,
    part: Sequence[Segment],
    extracted: Sequence[Extracted],
    *,
    again: bool = False,
    owner: Sequence[str] = (),
) -> Proved:
    """Ground what was extracted from each segment of a part, without deciding how the facts are meant. `again`: the capture is
    read again."""
    grounded: list[tuple[Segment, tuple[Candidate, ...]]] = []
    rejected: list[Rejection] = []
    for piece, each in zip(part, extracted, strict=True):
        proved, unproved = ground(capture, piece, each.candidates)
        known = [learned(capture, candidate, owner) for candidate in proved]
        grounded.append((piece, tuple(worth_remembering(capture, known))))
        rejected.extend(unproved)
    if part[0].ordinal == 0 if part else not again:
        grounded.extend((piece, (card,)) for piece, card in cards_of(capture))
    unread = tuple(span for each in extracted if each.again for span in each.unread)
    return Proved(tuple(grounded), tuple(rejected), notes_on(extracted, again=again), unread)


def atoms_of(capture: Capture, proved: Proved, *, ordinal: int, seq: int, read_by: str | None = None) -> list[Atom]:
    """Return the atoms of a part, numbered from `ordinal` and `seq`; their ids are made from the entry `read_by` where the
    capture was read again, and else from the capture."""
    atoms: list[Atom] = []
    for piece, candidates in proved.grounded:
        atoms += build_atoms(capture, piece, candidates, ordinal=ordinal + len(atoms), seq=seq + len(atoms))
    if read_by is None:
        return atoms
    return [
        replace(atom, atom_id=atom_id_for(read_by, ordinal + n), metadata={**atom.metadata, READ_BY: read_by})
        for n, atom in enumerate(atoms)
    ]


def read_through(capture: Capture, embedder: Embedder | None) -> None:
    """Read a capture as the rules do, up to its vectors, and discard the result: to see whether it can be read at all."""
    for part in parts_of(capture):
        embed_atoms(atoms_of(capture, prove(capture, part), ordinal=0, seq=1), embedder)


def take_segments(_context: Context, batch: Batch) -> None:
    """Take the segments of the next part of each capture, as they were cut when it was opened."""
    for part, work in batch.to_read():
        part.segments = work.parts[work.proved]


def extract(context: Context, batch: Batch) -> None:
    """Take what was extracted from each part, by the rules or, ahead of its turn, by a language model."""
    for part, work in batch.to_read():
        context.publish(work, "extract")
        part.extracted = context.readahead.reading(work).result()


def cut_apart(context: Context, batch: Batch) -> None:
    """Cut the statements of which one part is so and another is not; the judge is called once for all of them."""
    if context.judge is None:
        return
    read = list(batch.to_read())
    cut = _cut([(work.capture, part.segments, part.extracted) for part, work in read], context.judge)
    for (part, _), extracted in zip(read, cut, strict=True):
        part.extracted = extracted


def _cut(read: Sequence[tuple[Capture, Sequence[Segment], Sequence[Extracted]]], judge: Judge) -> list[Sequence[Extracted]]:
    """Return what was extracted from the segments of each capture, cut where it is meant differently: what the rules read for
    good, not what a language model read or will."""
    final = [
        (capture, [(piece, each.candidates) for piece, each in zip(part, extracted, strict=True) if _is_by_rules(each)])
        for capture, part, extracted in read
    ]
    return [
        [
            replace(each, candidates=by_rules(capture, piece, apart[piece.segment_id])) if piece.segment_id in apart else each
            for piece, each in zip(part, extracted, strict=True)
        ]
        for (capture, part, extracted), apart in zip(read, gaps(final, judge), strict=True)
    ]


def _is_by_rules(extracted: Extracted) -> bool:
    return not extracted.unread and all(each.extractor == "rules" for each in extracted.candidates)


def ground_quotes(context: Context, batch: Batch) -> None:
    """Keep the candidates that their quotes prove."""
    for part, work in batch.to_read():
        context.publish(work, "ground")
        owner = context.owner_of(work.capture)
        part.proved = prove_quotes(work.capture, part.segments, part.extracted, again=work.again, owner=owner)


def say_status(context: Context, batch: Batch) -> None:
    """Decide how each fact is meant; the judge is called once for all of them."""
    read = list(batch.to_read())
    meant = with_statuses([(work.capture, part.proved.grounded) for part, work in read], context.judge)
    for (part, _), grounded in zip(read, meant, strict=True):
        part.proved = replace(part.proved, grounded=grounded)


def number(context: Context, batch: Batch) -> None:
    """Make atoms of what may be remembered, and number them."""
    for part, work in batch.to_read():
        capture, part.proved = context.hooks.allowed(work.capture, part.proved)
        if capture is not work.capture:
            part.redacted(capture)
        read_by = work.entry if work.again else None
        first = context.numbers.take(part.proved.facts)
        part.atoms = atoms_of(work.capture, part.proved, ordinal=work.ordinal, seq=first, read_by=read_by)
        work.proved += 1
        work.ordinal += len(part.atoms)


def embed(context: Context, batch: Batch) -> None:
    """Start to make the vectors of all atoms; `Batch.vectors` waits for them."""
    if atoms := [atom for part in batch.parts for atom in part.atoms]:
        batch.embedded = context.embedding.submit(embed_atoms, atoms, context.stores.embedder)
