"""One atom with its origin: the words around its quote, its wording before edits, and what it superseded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from lattice_common.domain.atom import Atom, Span, etag_of
from lattice_common.domain.capture import Capture, place_at
from lattice_common.domain.forgetting import masked
from lattice_common.domain.passage import shown_as_atom
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.journal import Journal, whole_entry, whole_receipt
from lattice_common.ports.passages import PassageReader

EXCERPT_AROUND = 600
"""Characters shown on each side of a quote: some lines, not the whole of a long document."""

HISTORY_LONGEST = 50
"""Earlier versions of a fact that are followed; also ends a cycle made by hand."""


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """Some lines around an atom's quote; `start` and `end` are the quote's offsets into `text`. For a file, `original` is the
    owner's name for it, and `place` the location of the quote ("page 12")."""

    capture_id: str
    text: str
    start: int
    end: int
    original: str | None
    place: str | None


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of an atom until its owner edited it; `change_id` is that edit."""

    content: str
    until: datetime
    change_id: str


@dataclass(frozen=True, slots=True)
class AtomView:
    """`etag` goes into `If-Match`, unquoted here. `history` is what it superseded, newest first; `replaced_by` what superseded
    it; `edits` its earlier wordings, the last first. `source` is None when the capture is not in the journal any more."""

    atom: Atom
    etag: str
    source: SourceExcerpt | None
    history: tuple[Atom, ...]
    replaced_by: Atom | None
    edits: tuple[Wording, ...]


def atoms_by_id(ids: Sequence[str], catalogue: CatalogueReader, passages: PassageReader | None) -> list[Atom]:
    """Return memories, and passages of documents as such, in the order asked for; unknown ids are left out."""
    found = {atom.atom_id: atom for atom in catalogue.get(ids)}
    others = passages.passages([each for each in ids if each not in found]) if passages else ()
    found |= {each.passage_id: shown_as_atom(each) for each in others}
    return [found[each] for each in ids if each in found]


def view_of(
    atom_id: str,
    catalogue: CatalogueReader,
    journal: Journal,
    passages: PassageReader,
    deleted: Callable[[str], Sequence[Span]],
) -> AtomView | None:
    """Return the view of an atom; None when there is none. A passage of a document is shown like one. `deleted` returns the
    stretches of a capture that its owner deleted, though they may still be brought back: they are shown as erased."""
    found = atoms_by_id([atom_id], catalogue, passages)
    if not found:
        return None
    atom = found[0]
    newer = catalogue.get([atom.superseded_by]) if atom.superseded_by else []
    return AtomView(
        atom,
        etag_of(atom),
        _excerpt(atom, catalogue, journal, deleted),
        _history(atom, catalogue),
        newer[0] if newer else None,
        tuple(_edits(atom, journal)),
    )


def _edits(atom: Atom, journal: Journal) -> Iterator[Wording]:
    """Return earlier wordings from the receipts of edits. Forgotten ones are missing, and those that a backup left out."""
    for change_id in reversed(atom.edits):
        receipt = whole_receipt(journal, change_id)
        for change in receipt.changes if receipt else ():
            before = change.before.get("content")
            if receipt and change.atom_id == atom.atom_id and isinstance(before, str) and before != atom.content:
                yield Wording(before, receipt.finished_at, change_id)


def _excerpt(
    atom: Atom, catalogue: CatalogueReader, journal: Journal, deleted: Callable[[str], Sequence[Span]]
) -> SourceExcerpt | None:
    capture = whole_entry(journal, atom.capture_id)
    if not isinstance(capture, Capture):
        return None
    span, text = atom.source_span, capture.text
    if gone := deleted(atom.capture_id):
        there = catalogue.get(catalogue.of_capture(atom.capture_id))
        text = masked(text, gone, [span, *(each.source_span for each in there)])
    first = max(span.start - EXCERPT_AROUND, 0)
    last = min(span.end + EXCERPT_AROUND, len(text))
    # Whole lines, where a line begins or ends within reach.
    first = max(text.find("\n", first, span.start) + 1, first) if first else 0
    last = ending if last < len(text) and (ending := text.rfind("\n", span.end, last)) > 0 else last
    return SourceExcerpt(
        atom.capture_id,
        text[first:last],
        span.start - first,
        span.end - first,
        capture.original.name if capture.original else None,
        place_at(capture.places, span.start),
    )


def _history(atom: Atom, catalogue: CatalogueReader) -> tuple[Atom, ...]:
    seen = {atom.atom_id}
    history: list[Atom] = []
    wave = catalogue.get(atom.supersedes)
    while wave and len(history) < HISTORY_LONGEST:
        fresh = [old for old in wave if old.atom_id not in seen]
        seen.update(old.atom_id for old in fresh)
        history += fresh
        wave = catalogue.get([older for old in fresh for older in old.supersedes])
    return tuple(sorted(history, key=lambda old: old.observed_at, reverse=True))
