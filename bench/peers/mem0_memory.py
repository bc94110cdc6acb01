"""mem0, as a library: `infer=False`, so that no language model is asked; a local Qdrant and SQLite in the folder.

Its embedder is replaced by the packaged model, which its own adapters would fetch from a hub. Its keyword score needs fastembed's
BM25, whose word list comes from a hub too: it gets the same class with the stop words of Snowball's English list below. What it
would do with spaCy's models (lemmas, entities) is off, as in a plain `pip install mem0ai`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lattice_common.ports.embedder import Embedder

from bench.peers.system import Told, embedder, made, versions

OWNER = "owner"
_STOP_WORDS = """
    a about above after again against all am an and any are as at be because been before being below between both but by could
    did do does doing down during each few for from further had has have having he her here hers herself him himself his how i
    if in into is it its itself me more most my myself no nor not of off on once only or other ought our ours ourselves out
    over own same she should so some such than that the their theirs them themselves then there these they this those through
    to too under until up very was we were what when where which while who whom why with would you your yours yourself
    yourselves
"""


class Mem0:
    """One memory of one user."""

    def __init__(self, folder: Path) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(made(folder / "home")), "OPENAI_API_KEY": "not used"}
        # Read from the environment when it is imported.
        from mem0 import Memory

        store = {"path": str(folder / "qdrant"), "embedding_model_dims": 384, "on_disk": True}
        self._memory: Any = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = _embedding(embedder())
        self._memory.vector_store._bm25_encoder = _keywords(made(folder / "no files"))

    def version(self) -> str:
        return versions("mem0ai", "qdrant-client", "fastembed")

    def tell(self, texts: Sequence[Told]) -> None:
        for each in texts:
            metadata = {"text_id": each.id} | ({"said_at": each.at} if each.at else {})
            self._memory.add(each.text, user_id=OWNER, metadata=metadata, infer=False)

    def settle(self) -> None:
        """Nothing is left."""

    def find(self, question: str, limit: int) -> list[str]:
        found = self._memory.search(question, top_k=limit, filters={"user_id": OWNER}, threshold=0.0)
        return [each["metadata"]["text_id"] for each in found["results"]]

    def close(self) -> None:
        self._memory.vector_store.client.close()


def _embedding(model: Embedder) -> Any:
    from mem0.embeddings.base import EmbeddingBase

    class Packaged(EmbeddingBase):  # type: ignore[misc]  # mem0 ships no types
        def embed(self, text: str, memory_action: str | None = None) -> list[float]:
            return (model.embed_query(text) if memory_action == "search" else model.embed([text])[0]).tolist()

    return Packaged()


def _keywords(folder: Path) -> Any:
    from fastembed import SparseTextEmbedding

    return SparseTextEmbedding("Qdrant/bm25", specific_model_path=str(folder), stopwords=set(_STOP_WORDS.split()))
