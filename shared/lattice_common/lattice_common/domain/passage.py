"""A passage: a stretch of a document, or of a long note, mail or conversation, as it is searched beside the memories.

It is what a document says and nobody's statement: it is derived from the journal, and is never counted as a memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from lattice_common.domain.atom import Atom, Span, atom_id_for
from lattice_common.domain.capture import JsonValue, Source, SourceType, Trust

PASSAGE = "passage"
"""The kind by which results show passages and filters ask for them."""

FIRST_ORDINAL = 2_000_000
"""Higher than the ordinals of memories and of quarantined candidates, so that ids never collide."""


@lru_cache(maxsize=1_024)
def passage_id_for(capture_id: str, ordinal: int) -> str:
    """Return the id of a passage. Cached: a question asks for the same few again and again. Each capture has one, too, so that as
    many as are kept in mind are filled by telling alone."""
    return atom_id_for(capture_id, FIRST_ORDINAL + ordinal)


@dataclass(frozen=True, slots=True)
class Passage:
    """`content` is `[start, end)` of the capture's text as it is shown; where the passage begins within a table, `table_head` is
    the table's head. `place` is its location in the original ("page 3"), `name` the name of the file."""

    capture_id: str
    ordinal: int
    start: int
    end: int
    content: str
    observed_at: datetime
    received_at: datetime
    headings: tuple[str, ...] = ()
    table_head: str = ""
    place: str | None = None
    title: str | None = None
    name: str | None = None
    source: Source = "document"
    trust: Trust = "document"
    source_type: SourceType = "plain"
    source_id: str | None = None
    session_id: str | None = None

    @property
    def passage_id(self) -> str:
        return passage_id_for(self.capture_id, self.ordinal)

    @property
    def text(self) -> str:
        """Return the words of the passage, below the head of its table."""
        return f"{self.table_head}\n{self.content}" if self.table_head else self.content

    @property
    def about(self) -> tuple[str, ...]:
        """Return the words by which it is found besides its own."""
        named = (self.title, self.name, *self.headings)
        return tuple(dict.fromkeys(each for each in named if each))

    @property
    def content_hash(self) -> str:
        """Return the hash of all that is indexed of it."""
        return hashlib.sha256("\n".join((*self.about, self.text)).encode()).hexdigest()


def shown_as_atom(passage: Passage) -> Atom:
    """Return a passage in the form of a result, so that it can be shown like a memory. Its kind says that it is none."""
    metadata: dict[str, JsonValue] = {"passage": True}
    named = {"title": passage.title, "file": passage.name, "place": passage.place}
    metadata.update({key: value for key, value in named.items() if value is not None})
    if passage.headings:
        metadata["headings"] = list(passage.headings)
    return Atom(
        atom_id=passage.passage_id,
        content=passage.text,
        kind=PASSAGE,
        subject=passage.title or passage.name or "",
        capture_id=passage.capture_id,
        source_quote=passage.content,
        source_span=Span(passage.start, passage.end),
        observed_at=passage.observed_at,
        ingested_at=passage.received_at,
        category="context",
        source=passage.source,
        trust=passage.trust,
        source_type=passage.source_type,
        source_id=passage.source_id,
        session_id=passage.session_id,
        extractor="passage",
        metadata=metadata,
        content_hash=passage.content_hash,
    )


def is_passage(atom: Atom) -> bool:
    """Return whether a result is a passage, and no memory: a hand may give a memory of its own this kind."""
    return atom.kind == PASSAGE and atom.extractor == PASSAGE


def passage_of(atom: Atom) -> str:
    """Return the document that a passage is of, and its place in it: "lease.pdf, page 3"."""
    known = [atom.metadata.get("file") or atom.metadata.get("title"), atom.metadata.get("place")]
    return ", ".join(each for each in known if isinstance(each, str) and each)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Stretches that the owner deleted, by capture: no passage shows them."""

    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)

    def overlaps(self, passage: Passage) -> bool:
        return any(span.start < passage.end and passage.start < span.end for span in self.spans.get(passage.capture_id, ()))
