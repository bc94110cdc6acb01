"""The text of a capture, with the sentences marked that memories were made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture, Place, Turn
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.journal import Journal, whole_entry

MOST_PLACES = 2_000
"""Pages, slides or rows of a document that can be jumped to."""

MOST_CAPTURES = 200
"""Captures of one source that are listed."""

OPENING = 200
"""Characters of a capture's text that it is listed with: some two lines."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory and the span of its quote: `[start, end)` in characters of the whole text."""

    atom: Atom
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Imported:
    """What came from one named source: the number of `captures`, `memories` in all and `current` ones; `first` and `last` are
    when it came."""

    source_id: str
    captures: int
    memories: int
    current: int
    first: datetime
    last: datetime


def imports(catalogue: CatalogueReader, limit: int) -> list[Imported]:
    """Return named sources, the latest first."""
    counted = sorted(catalogue.sources(), key=lambda each: each.last, reverse=True)[:limit]
    came = {atom.atom_id: atom.ingested_at for atom in catalogue.get([each for of in counted for each in (of.first, of.last)])}
    found = [
        Imported(each.source_id, each.captures, each.atoms, each.current, came[each.first], came[each.last])
        for each in counted
        if each.first in came and each.last in came  # what was removed between the two calls is not
    ]
    return sorted(found, key=lambda each: (-each.last.timestamp(), each.source_id))


@dataclass(frozen=True, slots=True)
class SourceText:
    """`text` is a stretch of the capture's text, beginning at the character `start` of `total`. `remembered`, `turns` and
    `places` have offsets into the whole; the first two are those within the stretch, in order; `memories` counts all."""

    capture: Capture
    text: str
    start: int
    total: int
    remembered: tuple[Remembered, ...]
    memories: int
    turns: tuple[Turn, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class CaptureOfSource:
    """One of the captures that came from a source; `opening` is how its text begins, in one line."""

    capture_id: str
    title: str
    observed_at: datetime
    memories: int
    opening: str


def source_text(capture_id: str, catalogue: CatalogueReader, journal: Journal, *, start: int, limit: int) -> SourceText | None:
    """Return a stretch of a capture; None when there is no such capture. It ends with a line, where one ends in its second
    half."""
    capture = journal.read(capture_id)
    if not isinstance(capture, Capture):
        return None
    total = len(capture.text)
    start = min(start, total)
    end = min(start + limit, total)
    if end < total and (line := capture.text.rfind("\n", start + limit // 2, end)) > 0:
        end = line + 1
    atoms = [atom for atom in catalogue.get(catalogue.of_capture(capture_id)) if not is_conclusion(atom)]
    spans = sorted(
        (Remembered(atom, atom.source_span.start, atom.source_span.end) for atom in atoms),
        key=lambda each: (each.start, each.end),
    )
    return SourceText(
        capture,
        capture.text[start:end],
        start,
        total,
        tuple(each for each in spans if each.start < end and each.end > start),
        len(spans),
        tuple(turn for turn in capture.turns if turn.start < end and turn.end > start),
        capture.places[:MOST_PLACES],
    )


def captures_of(source_id: str, catalogue: CatalogueReader, journal: Journal) -> list[CaptureOfSource]:
    """Return the captures of one source, newest first, given the id of a source, or of a capture. Empty where no memory came from
    it."""
    atoms = catalogue.get([*catalogue.of_source(source_id), *catalogue.of_capture(source_id)])
    counted = Counter(atom.capture_id for atom in atoms if not is_conclusion(atom))
    latest = {atom.capture_id: atom for atom in sorted(atoms, key=lambda atom: atom.observed_at)}
    newest = sorted(counted, key=lambda each: (latest[each].observed_at, each), reverse=True)[:MOST_CAPTURES]
    found = []
    for capture_id in newest:
        capture = whole_entry(journal, capture_id)
        title, text = (title_of(capture), capture.text) if isinstance(capture, Capture) else ("", "")
        opening = " ".join(text[:OPENING].split())
        found.append(CaptureOfSource(capture_id, title, latest[capture_id].observed_at, counted[capture_id], opening))
    return found


def title_of(capture: Capture) -> str:
    """Return the owner's name for a capture: its title or its file's name; empty where it has none."""
    return capture.title or (capture.original.name if capture.original else "")
