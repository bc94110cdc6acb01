"""A store in memory for recall's tests: atoms in, a `Recall` over them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.dense_index import MemoryDenseIndex
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.lexical_index import MemoryLexicalIndex
from lattice_common.composition.memory import NO_LANGUAGE_MODEL, InMemory, memory_engines, open_in_memory
from lattice_common.composition.models import Model
from lattice_common.domain.atom import Atom, Span, content_hash, normalized_content_hash
from lattice_common.domain.recall import Hit
from lattice_common.errors import Unavailable
from lattice_common.ingest.index_documents import dense_document, embedding_text, lexical_document
from lattice_common.ports.atoms import FileMark
from lattice_common.ports.language_model import LanguageModel
from lattice_common.recall.pipeline import Recall
from lattice_common.settings import Settings

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


class LexicalAway(MemoryLexicalIndex):
    """Cannot be asked."""

    def search(self, *_: object) -> list[Hit]:
        raise Unavailable("the index is away")

    def search_each(self, *_: object) -> list[list[Hit]]:
        raise Unavailable("the index is away")


class DenseAway(MemoryDenseIndex):
    """Cannot be asked."""

    def search(self, *_: object) -> list[Hit]:
        raise Unavailable("the index is away")


def remembered(product: InMemory, atoms: Sequence[Atom]) -> InMemory:
    """The product, with these atoms in its catalogue and engines; each was told by itself."""
    stores = product.stores
    stores.catalogue.put([(each, FileMark(f"{each.atom_id}.md", 0, 0)) for each in atoms])
    stores.lexical.upsert([lexical_document(each, [each.content]) for each in atoms])
    stores.lexical.commit()
    if stores.dense is not None and stores.embedder is not None and atoms:
        vectors = stores.embedder.embed([embedding_text(each) for each in atoms])
        stores.dense.upsert([dense_document(each, vector) for each, vector in zip(atoms, vectors, strict=True)])
        stores.dense.commit()
    return product


def recall_over(
    atoms: Sequence[Atom],
    *,
    words: bool = True,
    meaning: bool = True,
    writes: LanguageModel | None = None,
    model: Model | None = None,
    **settings: Any,
) -> Recall:
    """Recall over these atoms; `words` and `meaning` say whether that leg can be asked, `writes` is the model that writes
    answers."""
    model = model or Model(HashedEmbedder())
    engines = memory_engines(model.embedder)
    engines = engines if words else replace(engines, lexical=LexicalAway())
    engines = engines if meaning else replace(engines, dense=DenseAway())
    chosen = Settings(_env_file=None, embed_model="none", **settings)  # type: ignore[call-arg]  # pydantic-settings' own
    models = replace(NO_LANGUAGE_MODEL, synthesis=writes)
    product = open_in_memory(chosen, clock=FixedClock(), model=model, models=models, engines=engines)
    return remembered(product, atoms).recall
