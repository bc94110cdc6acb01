"""The engines of both sizes: in the process, or on servers. A part of the composition root.

What is built from them (`wiring`) is the same for both; that is how both have one behaviour.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from lattice_common.adapters.embedded.dense_by_size import open_dense_index
from lattice_common.adapters.embedded.progress import InProcessProgress
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from lattice_common.errors import NotConfigured
from lattice_common.logs import logger
from lattice_common.ports.dense_index import DenseIndex, VectorSpace
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.graph import Graph
from lattice_common.ports.lexical_index import LexicalIndex
from lattice_common.ports.passages import PassageIndexes
from lattice_common.ports.progress import ProgressBoard
from lattice_common.settings import Settings

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Engines:
    """`names` is what the status calls them; `graph` is a service's, and None where the one in the process is all there is;
    `remote`: they may be away for a while, and what they missed is repaired."""

    lexical: LexicalIndex
    dense: DenseIndex | None
    graph: Graph | None
    progress: ProgressBoard
    names: Mapping[str, str]
    remote: bool
    pings: Mapping[str, Callable[[], None]]
    """For each that may be away, a call that raises `Unavailable` when it is."""
    open_dense: Callable[[Embedder, str], DenseIndex]
    """The index of a model's vectors in a place of their own (`EmbeddingRecord.place`); closed with the others."""
    drop_dense: Callable[[DenseIndex, str], None]
    """Close one, and take away all that is in its place."""
    close: Callable[[], None]
    passages: PassageIndexes | None = None
    """Those of documents' passages, beside the memories'. Their vectors are always the wanted model's: made anew, not carried
    over, where that changed."""


PASSAGES = "passages"
"""Behind the name of the memories' indexes: the name of the passages'. No place of a model's vectors is called so."""

PLACEHOLDERS = frozenset(("changeme", "change-me", "secret", "password", "token", "example", "placeholder", "admin", "xxx"))


def _refuse_placeholders(settings: Settings) -> None:
    """RELIABILITY, S19: what stands in every example is known to everybody."""
    for name in ("redis_password", "opensearch_password", "qdrant_api_key", "graph_token"):
        secret: SecretStr | None = getattr(settings, name)
        if secret is not None and secret.get_secret_value().strip().lower() in PLACEHOLDERS:
            setting = f"LATTICE_{name.upper()}"
            message = f"{setting} is a placeholder. Give the server a password of its own, and put it into .env: {setting}=…"
            raise NotConfigured(message, env_line=f"{setting}=")


def dense_folder(root: Path, place: str) -> Path:
    """Where the embedded product has the vectors of a place."""
    return root / "index" / (f"dense-{place}" if place else "dense")


def sweep_dense(root: Path, kept: Collection[str]) -> None:
    """Remove vectors that were begun for a model that is not wanted any more."""
    folders = {dense_folder(root, place) for place in kept}
    for left in (root / "index").glob("dense*"):
        if left not in folders:
            shutil.rmtree(left)


def own_engines(settings: Settings, embedder: Embedder | None, place: str = "", wanted: Embedder | None = None) -> Engines:
    """tantivy, and numpy or Qdrant Edge: for the one writer of the folder. `place` is that of the vectors that serve;
    `wanted` the model of the passages' (default: the same)."""
    root = settings.data_dir
    lexical = TantivyLexicalIndex(root / "index" / "lexical")
    if lexical.emptied:
        log.warning("index_emptied", index="lexical", reason=lexical.emptied)
    opened: list[DenseIndex] = []

    def open_dense(embedder: Embedder, place: str) -> DenseIndex:
        folder = dense_folder(root, place)
        opened.append(open_dense_index(folder, embedder.model_id, embedder.dimension, settings.dense_exact_limit))
        return opened[-1]

    def drop_dense(dense: DenseIndex, place: str) -> None:
        opened.remove(dense)
        dense.close()
        shutil.rmtree(dense_folder(root, place), ignore_errors=True)  # what is left of it goes with the next start

    dense = open_dense(embedder, place) if embedder else None
    passages, of_passages = TantivyLexicalIndex(root / "index" / "passages" / "lexical"), wanted or embedder
    space = None
    if of_passages is not None:
        folder = root / "index" / "passages" / "dense"
        opened.append(open_dense_index(folder, of_passages.model_id, of_passages.dimension, settings.dense_exact_limit))
        space = VectorSpace(of_passages, opened[-1])

    def close() -> None:
        lexical.close()
        passages.close()
        for each in opened:
            each.close()

    names = {"lexical": "tantivy", "dense": "numpy or Qdrant Edge" if dense else "none", "graph": "in process"}
    return Engines(
        lexical, dense, None, InProcessProgress(), names, False, {}, open_dense, drop_dense, close,
        PassageIndexes(passages, space),
    )  # fmt: skip


def server_engines(
    settings: Settings, embedder: Embedder | None, *, writes: bool, place: str = "", wanted: Embedder | None = None
) -> Engines:
    """OpenSearch, Qdrant, the graph service, and news over Redis. Nothing is asked of them yet: they may come later. Raises
    `NotConfigured` for a password that is a placeholder."""
    _refuse_placeholders(settings)
    # Their clients take a second to import, which the embedded product shall not wait for.
    from lattice_common.adapters.server.http_graph import HttpGraph
    from lattice_common.adapters.server.opensearch_connection import Connection, OpenSearchAddress
    from lattice_common.adapters.server.opensearch_lexical import OpenSearchLexicalIndex
    from lattice_common.adapters.server.qdrant_dense import QdrantAddress, QdrantDenseIndex
    from lattice_common.adapters.server.redis_progress import RedisProgress, redis_client

    password = settings.opensearch_password
    address = OpenSearchAddress(
        [each.strip() for each in settings.opensearch_url.split(",") if each.strip()],
        settings.opensearch_user or None,
        password.get_secret_value() if password else None,
        settings.opensearch_ca,
    )

    def open_lexical(alias: str) -> OpenSearchLexicalIndex:
        return OpenSearchLexicalIndex(
            Connection(address),
            alias=alias,
            shards=settings.opensearch_shards,
            replicas=settings.opensearch_replicas,
            writes=writes,
        )

    lexical, passages = open_lexical(settings.index_name), open_lexical(f"{settings.index_name}-{PASSAGES}")
    key = settings.qdrant_api_key
    opened: list[QdrantDenseIndex] = []

    def open_dense(embedder: Embedder, place: str) -> QdrantDenseIndex:
        opened.append(
            QdrantDenseIndex(
                QdrantAddress(settings.qdrant_url, key.get_secret_value() if key else None),
                embedder.model_id,
                embedder.dimension,
                alias=f"{settings.index_name}-{place}" if place else settings.index_name,
                shards=settings.qdrant_shards,
                replicas=settings.qdrant_replicas,
                writes=writes,
            )
        )
        return opened[-1]

    def drop_dense(dense: DenseIndex, _: str) -> None:
        for index in [each for each in opened if each is dense]:
            index.remove()
            index.close()
            opened.remove(index)

    dense = open_dense(embedder, place) if embedder else None
    of_passages = wanted or embedder
    space = VectorSpace(of_passages, open_dense(of_passages, PASSAGES)) if of_passages else None
    token = settings.graph_token
    graph = HttpGraph(settings.graph_url, token.get_secret_value() if token else None)
    progress = RedisProgress(redis_client(settings.redis_address()), listens=not writes)

    def close() -> None:
        lexical.close()
        passages.close()
        for each in opened:
            each.close()
        graph.close()
        progress.close()

    pings: dict[str, Callable[[], None]] = {"lexical": lexical.ping, "graph": graph.ping}
    if dense is not None:
        pings["dense"] = dense.ping
    names = {"lexical": "OpenSearch", "dense": "Qdrant" if dense else "none", "graph": "graph service"}
    return Engines(
        lexical, dense, graph, progress, names, True, pings, open_dense, drop_dense, close, PassageIndexes(passages, space)
    )  # fmt: skip
