"""The engines of both sizes: in the process, or on servers. Part of the composition root.

`writer`, `reader` and `product` are the same for both, which is what gives both the same behaviour.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pydantic import SecretStr

from lattice_common.adapters.embedded.dense_by_size import DenseIndexBySize
from lattice_common.adapters.embedded.progress import InProcessProgress
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from lattice_common.adapters.files.embedding_record import place_of
from lattice_common.composition.models import Model
from lattice_common.errors import NotConfigured
from lattice_common.ingest.vector_spaces import VectorSpaces
from lattice_common.logs import logger
from lattice_common.ports.dense_index import DenseIndex, VectorSpace
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.graph import Graph
from lattice_common.ports.lexical_index import LexicalIndex
from lattice_common.ports.passages import PassageIndexes
from lattice_common.ports.progress import ProgressBoard
from lattice_common.settings import Settings

if TYPE_CHECKING:
    from lattice_common.adapters.server.opensearch_lexical import OpenSearchLexicalIndex
    from lattice_common.adapters.server.qdrant_dense import QdrantDenseIndex

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Engines:
    """The search engines, the graph and their names. `names` is what the status calls them. `graph` is the graph service's
    client, or None where the graph of the process is the only one. `remote` engines may be away for a while; what they missed is
    repaired."""

    lexical: LexicalIndex
    dense: DenseIndex | None
    graph: Graph | None
    progress: ProgressBoard
    names: Mapping[str, str]
    remote: bool
    pings: Mapping[str, Callable[[], None]]
    """For each engine that may be away, a call that raises `Unavailable` while it is."""
    open_dense: Callable[[Embedder, str], DenseIndex]
    """Opens the index of a model's vectors in its own place (`EmbeddingRecord.place`); it is closed with the others."""
    drop_dense: Callable[[DenseIndex, str], None]
    """Closes such an index, and removes all that is in its place."""
    close: Callable[[], None]
    passages: PassageIndexes
    """The indexes of documents' passages, beside those of memories. Their vectors are always those of the wanted model: after a
    change of model they are made anew, not carried over."""


PASSAGES = "passages"
"""Suffix that makes the name of the passages' indexes from that of the memories'. No place of a model's vectors has this name."""

PLACEHOLDERS = frozenset(("changeme", "change-me", "secret", "password", "token", "example", "placeholder", "admin", "xxx"))


def _refuse_placeholders(settings: Settings) -> None:
    """Raise `NotConfigured` for a password that is still the placeholder of the examples: everybody knows it."""
    for name in ("redis_password", "opensearch_password", "qdrant_api_key", "graph_token"):
        secret: SecretStr | None = getattr(settings, name)
        if secret is not None and secret.get_secret_value().strip().lower() in PLACEHOLDERS:
            setting = f"LATTICE_{name.upper()}"
            message = f"{setting} is a placeholder. Give the server a password of its own, and put it into .env: {setting}=…"
            raise NotConfigured(message, env_line=f"{setting}=")


def dense_folder(root: Path, place: str) -> Path:
    """Return the folder of the embedded product's vectors of a place."""
    return root / "index" / (f"dense-{place}" if place else "dense")


def sweep_dense(root: Path, kept: Collection[str]) -> None:
    """Remove vectors of places that are not in `kept`: they were begun for a model that is no longer wanted."""
    folders = {dense_folder(root, place) for place in kept}
    for left in (root / "index").glob("dense*"):
        if left not in folders:
            shutil.rmtree(left)


class _Closable(Protocol):
    def close(self) -> None: ...


def _close_each(parts: Iterable[_Closable]) -> None:
    for each in parts:
        each.close()


class OwnDense:
    """The dense indexes of a data folder, each in its own place."""

    def __init__(self, root: Path, exact_limit: int) -> None:
        self._root = root
        self._exact_limit = exact_limit
        self._opened: list[DenseIndex] = []

    def open(self, embedder: Embedder, place: str) -> DenseIndex:
        return self.open_in(dense_folder(self._root, place), embedder)

    def open_in(self, folder: Path, embedder: Embedder) -> DenseIndex:
        self._opened.append(DenseIndexBySize(folder, embedder.model_id, embedder.dimension, self._exact_limit))
        return self._opened[-1]

    def drop(self, dense: DenseIndex, place: str) -> None:
        self._opened.remove(dense)
        dense.close()
        shutil.rmtree(dense_folder(self._root, place), ignore_errors=True)  # what is left of it goes with the next start

    def close(self) -> None:
        _close_each(self._opened)


def own_engines(settings: Settings, embedder: Embedder | None, place: str = "", wanted: Embedder | None = None) -> Engines:
    """Return tantivy, and numpy or Qdrant Edge, for the one writer of the folder. `place` is that of the vectors that are
    searched; `wanted` is the model of the passages' vectors (default: the same)."""
    root = settings.data_dir
    lexical = TantivyLexicalIndex(root / "index" / "lexical")
    if lexical.emptied:
        log.warning("index_emptied", index="lexical", reason=lexical.emptied)
    indexes = OwnDense(root, settings.dense_exact_limit)
    dense = indexes.open(embedder, place) if embedder else None
    passages, of_passages = TantivyLexicalIndex(root / "index" / "passages" / "lexical"), wanted or embedder
    folder = root / "index" / "passages" / "dense"
    space = VectorSpace(of_passages, indexes.open_in(folder, of_passages)) if of_passages else None
    return Engines(
        lexical=lexical,
        dense=dense,
        graph=None,
        progress=InProcessProgress(),
        names={"lexical": "tantivy", "dense": "numpy or Qdrant Edge" if dense else "none", "graph": "in process"},
        remote=False,
        pings={},
        open_dense=indexes.open,
        drop_dense=indexes.drop,
        close=partial(_close_each, (lexical, passages, indexes)),
        passages=PassageIndexes(passages, space),
    )


class ServerDense:
    """The dense indexes on a Qdrant server, each behind its own alias."""

    def __init__(self, settings: Settings, *, writes: bool) -> None:
        self._settings = settings
        self._writes = writes
        self._opened: list[QdrantDenseIndex] = []

    def open(self, embedder: Embedder, place: str) -> QdrantDenseIndex:
        from lattice_common.adapters.server.qdrant_dense import QdrantAddress, QdrantDenseIndex

        settings, key = self._settings, self._settings.qdrant_api_key
        self._opened.append(
            QdrantDenseIndex(
                QdrantAddress(settings.qdrant_url, key.get_secret_value() if key else None),
                embedder.model_id,
                embedder.dimension,
                alias=f"{settings.index_name}-{place}" if place else settings.index_name,
                shards=settings.qdrant_shards,
                replicas=settings.qdrant_replicas,
                writes=self._writes,
            )
        )
        return self._opened[-1]

    def drop(self, dense: DenseIndex, _: str) -> None:
        for index in [each for each in self._opened if each is dense]:
            index.remove()
            index.close()
            self._opened.remove(index)

    def close(self) -> None:
        _close_each(self._opened)


def _server_lexical(settings: Settings, alias: str, *, writes: bool) -> OpenSearchLexicalIndex:
    from lattice_common.adapters.server.opensearch_connection import Connection, OpenSearchAddress
    from lattice_common.adapters.server.opensearch_lexical import OpenSearchLexicalIndex

    password = settings.opensearch_password
    address = OpenSearchAddress(
        [each.strip() for each in settings.opensearch_url.split(",") if each.strip()],
        settings.opensearch_user or None,
        password.get_secret_value() if password else None,
        settings.opensearch_ca,
    )
    return OpenSearchLexicalIndex(
        Connection(address),
        alias=alias,
        shards=settings.opensearch_shards,
        replicas=settings.opensearch_replicas,
        writes=writes,
    )


def server_engines(
    settings: Settings, embedder: Embedder | None, *, writes: bool, place: str = "", wanted: Embedder | None = None
) -> Engines:
    """Return OpenSearch, Qdrant, the graph service and progress over Redis. No server is contacted yet: it may start later. Raise
    `NotConfigured` for a password that is a placeholder."""
    _refuse_placeholders(settings)
    # Importing their clients takes a second, which the embedded product must not pay.
    from lattice_common.adapters.server.http_graph import HttpGraph
    from lattice_common.adapters.server.redis_progress import RedisProgress, redis_client

    lexical = _server_lexical(settings, settings.index_name, writes=writes)
    passages = _server_lexical(settings, f"{settings.index_name}-{PASSAGES}", writes=writes)
    indexes = ServerDense(settings, writes=writes)
    dense = indexes.open(embedder, place) if embedder else None
    of_passages, token = wanted or embedder, settings.graph_token
    graph = HttpGraph(settings.graph_url, token.get_secret_value() if token else None)
    progress = RedisProgress(redis_client(settings.redis_address()), settings.index_name, listens=not writes)
    pings: dict[str, Callable[[], None]] = {"lexical": lexical.ping, "graph": graph.ping}
    if dense is not None:
        pings["dense"] = dense.ping
    return Engines(
        lexical=lexical,
        dense=dense,
        graph=graph,
        progress=progress,
        names={"lexical": "OpenSearch", "dense": "Qdrant" if dense else "none", "graph": "graph service"},
        remote=True,
        pings=pings,
        open_dense=indexes.open,
        drop_dense=indexes.drop,
        close=partial(_close_each, (lexical, passages, indexes, graph, progress)),
        passages=PassageIndexes(passages, VectorSpace(of_passages, indexes.open(of_passages, PASSAGES)) if of_passages else None),
    )


def vector_spaces(engines: Engines, model: Model) -> VectorSpaces:
    """Return the vectors that are searched, and those that replace them once they are complete."""
    embedder = model.former.embedder if model.former else model.embedder
    if engines.dense is None or embedder is None or model.embedder is None:
        return VectorSpaces(None)
    serving = VectorSpace(embedder, engines.dense)
    if model.former is None:
        return VectorSpaces(serving)
    coming = engines.open_dense(model.embedder, place_of(model.embedder.model_id))
    return VectorSpaces(serving, VectorSpace(model.embedder, coming))
