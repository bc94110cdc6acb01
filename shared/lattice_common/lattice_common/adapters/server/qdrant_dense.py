"""The dense index on Qdrant: vectors on disk, a quantized copy in memory, and rescoring with the vectors themselves.

Each model and dimension has collections `<alias>-<model>-<dimension>-<generation>`; the alias points to the one in use, and moves
in one step. Qdrant has no external versions, so the writer, which is only one, compares `seq` itself before it writes.
"""

from __future__ import annotations

import contextlib
import hashlib
import uuid
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from lattice_common.adapters.engine_fields import allowed_times, allowed_values, stored_with
from lattice_common.adapters.server.breaker import Breaker
from lattice_common.causes import cause_of
from lattice_common.domain.recall import Filter, Hit
from lattice_common.errors import Unavailable
from lattice_common.language.pii.log_line import shown_address
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Vectors

SEARCH_SECONDS = 2
"""A search that takes longer is not waited for: the other leg answers meanwhile."""
OTHER_SECONDS = 60
"""Everything else nobody waits for."""
BATCH = 500
"""Points of one request: with 384 dimensions, 2 MB of JSON."""
PAGE = 2_000
TIES = 32
"""Fetched beyond the limit, to break ties at the cut by atom id."""
WIDTH = 256
"""`hnsw_ef` at least: the engine's own default (its build width, 100) loses recall beyond 10,000 points."""
OVERSAMPLING = 2.0
"""Candidates of the quantized search that are scored again with whole vectors, as a multiple of the limit."""
_SPACE = uuid.UUID("6f0c7ac8-5c1b-4d43-9d0b-3f5a0d6a1c7e")


@dataclass(frozen=True, slots=True)
class QdrantAddress:
    """A reader's `api_key` may be a read-only one."""

    url: str
    api_key: str | None = None


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a collection is made with."""

    dimension: int
    shards: int
    replicas: int


class _Gone(Unavailable):
    """The collection is not there any more."""


class QdrantDenseIndex:
    """A `DenseIndex` for the vectors of one model. A writer makes the collection where it is missing; a reader
    (`writes=False`) only ever searches."""

    def __init__(
        self,
        address: QdrantAddress,
        model_id: str,
        dimension: int,
        *,
        alias: str = "lattice-atoms",
        shards: int = 1,
        replicas: int = 1,
        writes: bool = True,
    ) -> None:
        self._name = shown_address(address.url)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Api key is used with an insecure connection")  # a network of containers only
            # Its own check of versions is a call at the wrong moment: a server that is away at the start stops nothing.
            self._client, self._patient = (
                QdrantClient(url=address.url, api_key=address.api_key, timeout=seconds, check_compatibility=False)
                for seconds in (SEARCH_SECONDS, OTHER_SECONDS)
            )
        self._breaker = Breaker()
        self._alias = alias
        self._family = f"{alias}-{hashlib.sha256(model_id.encode()).hexdigest()[:12]}-{dimension}"
        self._shape = _Shape(dimension, shards, replicas)
        self._staged: list[DenseDocument | str] = []
        self._writes = writes
        self._collection: str | None = None
        self._making: str | None = None
        """The collection that is being filled, which nobody sees yet."""

    def upsert(self, documents: Sequence[DenseDocument]) -> None:
        self._staged += documents

    def delete(self, atom_ids: Sequence[str]) -> None:
        self._staged += atom_ids

    def commit(self) -> None:
        """Drop what was staged and cannot be written: it is derived, and the reconciler brings it."""
        staged, self._staged = self._staged, []
        if not staged:
            return
        # The last word on an atom counts, but for writes that are older than one before.
        last: dict[str, DenseDocument | None] = {}
        for each in staged:
            if isinstance(each, str):
                last[each] = None
            elif (before := last.get(each.atom_id)) is None or each.seq >= before.seq:
                last[each.atom_id] = each
        with self._calling(patiently=True) as client:
            collection = self._making or self._prepare(client)
            deleted: list[Any] = [_point_id(each) for each in staged if isinstance(each, str)]
            for start in range(0, len(deleted), PAGE):
                client.delete(collection, models.PointIdsList(points=deleted[start : start + PAGE]), wait=True)
            documents = [each for each in last.values() if each is not None]
            for start in range(0, len(documents), BATCH):
                self._put(client, collection, documents[start : start + BATCH])

    def search(self, vector: Vectors, limit: int, within: Filter | None = None) -> list[Hit]:
        if limit < 1:
            return []
        try:
            return self._search(vector, limit, within)
        except _Gone:
            return self._search(vector, limit, within)

    def _search(self, vector: Vectors, limit: int, within: Filter | None) -> list[Hit]:
        fetched = limit + TIES
        params = models.SearchParams(
            hnsw_ef=max(WIDTH, 2 * fetched),
            quantization=models.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING),
        )
        with self._calling() as client:
            collection = self._in_use(client)
            if collection is None:
                return []
            found = client.query_points(
                collection,
                query=vector.tolist(),
                query_filter=_conditions(within),
                limit=fetched,
                search_params=params,
                with_payload=["atom_id"],
            ).points
        hits = [Hit(str(point.payload["atom_id"]), point.score) for point in found if point.payload]
        return sorted(hits, key=lambda hit: (-hit.score, hit.atom_id))[:limit]

    def vectors(self, atom_ids: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        with self._calling(patiently=True) as client:
            collection = self._in_use(client)
            if collection is None or not atom_ids:
                return {}
            for start in range(0, len(atom_ids), BATCH):
                points = [_point_id(each) for each in atom_ids[start : start + BATCH]]
                for record in client.retrieve(collection, points, with_payload=["atom_id"], with_vectors=True):
                    if record.payload:
                        found[str(record.payload["atom_id"])] = np.asarray(record.vector, dtype=np.float32)
        return found

    def entries(self) -> Iterator[tuple[str, str, int]]:
        offset: Any = None
        with self._calling() as client:
            collection = self._in_use(client)
        while collection is not None:
            with self._calling(patiently=True) as client:
                records, offset = client.scroll(
                    collection, limit=PAGE, offset=offset, with_payload=["atom_id", "content_hash", "seq"], with_vectors=False
                )
            for record in records:
                held = record.payload or {}
                yield str(held["atom_id"]), str(held["content_hash"]), int(held["seq"])
            if offset is None:
                return

    def purge(self) -> None:
        """Put a copy of this generation in its place: the files of the old one are removed."""
        with self._calling(patiently=True) as client:
            current = self._prepare(client)
            made = self._make(client, current)
            offset: Any = None
            while True:
                records, offset = client.scroll(current, limit=BATCH, offset=offset, with_payload=True, with_vectors=True)
                points = [_same_point(record) for record in records]
                if points:
                    client.upsert(made, points, wait=True)
                if offset is None:
                    break
            self._take_place(client, made)

    def clear(self) -> None:
        """Put an empty generation in the place of this one, in one step."""
        with self.anew():
            pass

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        self._staged.clear()
        with self._calling(patiently=True) as client:
            made = self._make(client, self._in_use(client))
        self._making = made
        try:
            yield
            with self._calling(patiently=True) as client:
                self._take_place(client, made)
        finally:
            # One that was not finished is taken away before the next is made.
            self._making = None

    def remove(self) -> None:
        """Take the collection in use away, and its alias: another model's has taken over."""
        with self._calling(patiently=True) as client:
            collection = {each.alias_name: each.collection_name for each in client.get_aliases().aliases}.get(self._alias)
            if collection is not None:
                alias = models.DeleteAlias(alias_name=self._alias)
                client.update_collection_aliases([models.DeleteAliasOperation(delete_alias=alias)])
                client.delete_collection(collection)
        self._collection = None

    def ping(self) -> None:
        """Raise `Unavailable` when the server is away."""
        with self._calling() as client:
            client.get_aliases()

    def close(self) -> None:
        self._client.close()
        self._patient.close()

    def _put(self, client: QdrantClient, collection: str, documents: Sequence[DenseDocument]) -> None:
        known = client.retrieve(collection, [_point_id(each.atom_id) for each in documents], with_payload=["seq"])
        newest = {str(record.id): int(record.payload["seq"]) for record in known if record.payload}
        points = [
            models.PointStruct(id=point, vector=each.vector.tolist(), payload=stored_with(each))
            for each in documents
            if newest.get(point := _point_id(each.atom_id), each.seq) <= each.seq
        ]
        if points:
            client.upsert(collection, points, wait=True)

    def _in_use(self, client: QdrantClient) -> str | None:
        """Return the collection that the alias points to, when it is of this model and dimension."""
        if self._collection is not None:
            return self._collection
        named = {each.alias_name: each.collection_name for each in client.get_aliases().aliases}
        collection = named.get(self._alias)
        if collection is None:
            return None
        if not collection.startswith(f"{self._family}-"):
            if self._writes:
                return None
            raise Unavailable("the vectors in Qdrant are another model's; the worker makes them anew")
        self._collection = collection
        return collection

    def _prepare(self, client: QdrantClient) -> str:
        return self._in_use(client) or self._made(client)

    def _made(self, client: QdrantClient) -> str:
        made = self._make(client, None)
        self._take_place(client, made)
        return made

    def _make(self, client: QdrantClient, current: str | None) -> str:
        """Return the collection after the `current` one, with its indexes, empty."""
        generation = int(current.rpartition("-")[2]) + 1 if current else 1
        name = f"{self._family}-{generation:06}"
        if client.collection_exists(name):  # left by somebody who was cut short; nobody sees it
            client.delete_collection(name)
        client.create_collection(
            name,
            vectors_config=models.VectorParams(size=self._shape.dimension, distance=models.Distance.COSINE, on_disk=True),
            quantization_config=models.ScalarQuantization(
                scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
            ),
            shard_number=self._shape.shards,
            replication_factor=self._shape.replicas,
            on_disk_payload=True,
        )
        for field in ("kind", "session_id", "source_id"):
            client.create_payload_index(name, field, models.PayloadSchemaType.KEYWORD, wait=True)
        client.create_payload_index(name, "observed_at", models.PayloadSchemaType.INTEGER, wait=True)
        return name

    def _take_place(self, client: QdrantClient, made: str) -> None:
        """Let the alias point to it, and drop what it pointed to before."""
        before = {each.alias_name: each.collection_name for each in client.get_aliases().aliases}.get(self._alias)
        move: list[Any] = []
        if before is not None:
            move.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self._alias)))
        move.append(models.CreateAliasOperation(create_alias=models.CreateAlias(collection_name=made, alias_name=self._alias)))
        client.update_collection_aliases(move)
        if before is not None and before != made:
            client.delete_collection(before)
        self._collection = made

    @contextlib.contextmanager
    def _calling(self, *, patiently: bool = False) -> Iterator[QdrantClient]:
        """Lend the client, and raise its failures as `Unavailable`; at once, while the server is known to be away."""
        if not self._breaker.lets_through():
            raise Unavailable(f"Qdrant at {self._name} is away; it is tried again every few seconds.")
        try:
            yield self._patient if patiently else self._client
        except UnexpectedResponse as error:
            if error.status_code == 404:
                self._collection = None  # the next call looks up what took its place
                raise _Gone(f"Qdrant at {self._name} has put another collection in place of the one that was asked.") from error
            if error.status_code is None or error.status_code >= 500:
                self._breaker.failed()
            raise Unavailable(f"Qdrant at {self._name} did not do it: {str(error)[:300]}.") from error
        except ApiException as error:
            self._breaker.failed()
            raise Unavailable(f"Qdrant at {self._name} did not do it: {cause_of(error)}.") from error
        self._breaker.succeeded()


def _same_point(record: models.Record) -> models.PointStruct:
    """Return a point as it was read: ours have one vector, and no name for it."""
    vector: Any = record.vector
    return models.PointStruct(id=record.id, vector=vector, payload=record.payload)


def _conditions(within: Filter | None) -> models.Filter | None:
    if within is None:
        return None
    must: list[Any] = [
        models.FieldCondition(key=name, match=models.MatchAny(any=values)) for name, values in allowed_values(within).items()
    ]
    if times := allowed_times(within):
        must.append(models.FieldCondition(key="observed_at", range=models.Range(**times)))
    return models.Filter(must=must) if must else None


def _point_id(atom_id: str) -> str:
    return str(uuid.uuid5(_SPACE, atom_id))
