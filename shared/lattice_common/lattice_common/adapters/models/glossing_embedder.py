"""An embedder that knows English only, given texts in other languages by their English glosses.

Measured in `bench/languages.py`: the gloss alone finds more than the text, than both in one text, and than the mean of the two
vectors. English is embedded as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from lattice_common.language.glosses.gloss import in_english
from lattice_common.ports.embedder import Embedder, Vectors


class GlossingEmbedder:
    """An `Embedder` over another. Its `model_id` is that one's: vectors of English texts are the same, and which version of the
    glosses the others were made with is recorded apart (`upkeep.glossing_anew`)."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.embed([in_english(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        return self._embedder.embed_query(in_english(text))
