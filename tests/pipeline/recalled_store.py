"""A store in memory for recall's tests: atoms in, a `Recall` over them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from lattice_common.adapters.memory.catalogue import MemoryCatalogue
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.dense_index import MemoryDenseIndex
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.lexical_index import MemoryLexicalIndex
from lattice_common.domain.atom import Atom, Span, content_hash, normalized_content_hash
from lattice_common.errors import Unavailable
from lattice_common.ingest.index_documents import dense_document, embedding_text, lexical_document
from lattice_common.ports.atoms import FileMark
from lattice_common.recall.answering import Writer
from lattice_common.recall.pipeline import Recall, RecallOptions
from lattice_common.recall.weights import load_weights

CAPTURE = "01jd0000000000000000000000"


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def atom(content: str, number: int, on: str = "2026-03-01", **fields: object) -> Atom:
    """An atom whose quote is its content; `speaker` goes into its metadata."""
    speaker = fields.pop("speaker", None)
    made = Atom(
        atom_id=f"atom{number:04d}",
        content=content,
        kind="fact",
        subject="",
        capture_id=f"capture{number:04d}",
        source_quote=content,
        source_span=Span(0, len(content)),
        observed_at=day(on),
        ingested_at=day(on),
        content_hash=content_hash(content),
        normalized_content_hash=normalized_content_hash(content),
        metadata={"speaker": speaker} if isinstance(speaker, str) else {},
        seq=number,
    )
    return replace(made, **fields)  # type: ignore[arg-type]  # named by the tests


class Away:
    """An index that cannot be asked."""

    def search(self, *_: object) -> list[object]:
        raise Unavailable("the index is away")

    search_each = search


def recall_over(
    atoms: Sequence[Atom],
    *,
    options: RecallOptions | None = None,
    words: bool = True,
    meaning: bool = True,
    writer: Writer | None = None,
) -> Recall:
    """Recall over these atoms; `words` and `meaning` say whether that leg can be asked, `writer` who writes answers."""
    catalogue, lexical, dense, embedder = MemoryCatalogue(), MemoryLexicalIndex(), MemoryDenseIndex(), HashedEmbedder()
    catalogue.put([(each, FileMark(f"{each.atom_id}.md", 0, 0)) for each in atoms])
    lexical.upsert([lexical_document(each, [each.content]) for each in atoms])
    lexical.commit()
    vectors = embedder.embed([embedding_text(each) for each in atoms]) if atoms else []
    dense.upsert([dense_document(each, vector) for each, vector in zip(atoms, vectors, strict=True)])
    dense.commit()
    return Recall(
        catalogue,
        lexical if words else Away(),  # type: ignore[arg-type]  # stands in for an engine that is away
        dense if meaning else Away(),  # type: ignore[arg-type]
        embedder,
        None,
        FixedClock(),
        options or RecallOptions(),
        load_weights(),
        writer,
    )
