"""The dense index of one machine beyond what can be searched exactly: a Qdrant Edge shard in the data folder.

Layout of the folder: `made-by.json` (model, dimension, generation: another model or dimension empties the index) and
`shard-<generation>/`. Writes go to the shard at commit, through its write-ahead log, and are searched exactly until they are in
the HNSW graph. When many are not, a copy of the shard gets a new graph in another process (`edge_shard` says why), and a later
commit brings it up to date and changes over: neither readers nor the writer wait for a graph. After `kill -9` the log is
replayed; an unfinished copy is thrown away. What cannot be opened is emptied, and `emptied` says why.

Upserts are atomic by atom, not by commit: a reader may see a part of a batch while it is being applied.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import orjson
import qdrant_edge as edge

from lattice_common.adapters.embedded import edge_shard
from lattice_common.adapters.embedded.rust_engine import is_panic, readable
from lattice_common.adapters.files import durable
from lattice_common.domain.recall import Filter, Hit
from lattice_common.errors import Unavailable
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Vectors

FORMAT = 1
_TIES = 8  # fetched beyond the limit, to break ties at the cut by atom id
_PAGE = 5000
_BATCH = 1000
_WAITING_FROM = 20_000  # vectors outside the graph that are worth a new one: scanning them takes 3 ms
_WAITING_SHARE = 0.1  # and their share, so that the work per vector stays logarithmic as the store grows


class QdrantEdgeDenseIndex:
    """A `DenseIndex` in `folder`, approximate beyond `graph_from` vectors. One process has it open."""

    def __init__(self, folder: Path, model_id: str, dimension: int, *, graph_from: int = _WAITING_FROM) -> None:
        self._folder = folder
        self._model_id = model_id
        self._dimension = dimension
        self._graph_from = graph_from
        self.emptied: str | None = None
        """Why the index was emptied when it was opened, if it was."""
        self._staged: list[DenseDocument | str] = []
        self._building: subprocess.Popen[bytes] | None = None
        self._since: list[dict[str, DenseDocument | None]] = []
        """What was committed while a new graph is being built."""
        try:
            self._open()
        except BaseException as error:  # the engine has no error type of its own, and what it holds is derived
            if not isinstance(error, Exception) and not is_panic(error):
                raise
            shutil.rmtree(folder)
            self.emptied = f"the dense index in {folder} could not be opened: {error}"
            self._open()

    def __len__(self) -> int:
        return int(self._shard.count(edge.CountRequest(exact=True)))

    def upsert(self, documents: Sequence[DenseDocument]) -> None:
        self._staged += documents

    def delete(self, atom_ids: Sequence[str]) -> None:
        self._staged += atom_ids

    def commit(self) -> None:
        staged, self._staged = self._staged, []
        known = self._seqs([change.atom_id for change in staged if not isinstance(change, str)])
        changed: dict[str, DenseDocument | None] = {}
        for change in staged:
            if isinstance(change, str):
                changed[change] = None
                known.pop(change, None)
            elif change.seq >= known.get(change.atom_id, change.seq):
                changed[change.atom_id] = change
                known[change.atom_id] = change.seq
        try:
            _apply(self._shard, changed)
            if self._building is not None:
                self._since.append(changed)
            self._tend_graph()
        except (OSError, RuntimeError, ValueError) as error:
            raise Unavailable(f"The dense index in {self._folder} could not commit: {error}") from error

    def search(self, vector: Vectors, limit: int, within: Filter | None = None) -> list[Hit]:
        if limit < 1:
            return []
        shard = self._shard
        with readable("dense", self._folder):
            request = edge.SearchRequest(
                query=edge.Query.Nearest(vector.tolist()),
                limit=limit + _TIES,
                filter=edge_shard.condition(within) if within else None,
                params=edge.SearchParams(hnsw_ef=edge_shard.search_width(shard.info().points_count, limit + _TIES)),
                with_payload=["atom_id"],
            )
            found = sorted((-float(at.score), _atom_id(at)) for at in shard.search(request))
        return [Hit(atom_id, -score) for score, atom_id in found[:limit]]

    def vectors(self, atom_ids: Sequence[str]) -> dict[str, Vectors]:
        with readable("dense", self._folder):
            records = self._shard.retrieve(edge_shard.point_ids(atom_ids), with_payload=["atom_id"], with_vector=True)
        return {_atom_id(record): np.asarray(record.vector, np.float32) for record in records}

    def entries(self) -> Iterator[tuple[str, str, int]]:
        offset = None
        while True:
            fields = ["atom_id", "content_hash", "seq"]
            with readable("dense", self._folder):
                records, offset = self._shard.scroll(edge.ScrollRequest(offset=offset, limit=_PAGE, with_payload=fields))
            for record in records:
                payload = record.payload or {}
                yield str(payload["atom_id"]), str(payload["content_hash"]), int(payload["seq"])
            if offset is None:
                return

    def purge(self) -> None:
        self._stop_building()
        following = self._generation + 1
        path = self._path(following)
        try:
            shutil.rmtree(path, ignore_errors=True)
            shard = edge_shard.create(path, self._dimension)
            offset = None
            while True:
                records, offset = self._shard.scroll(
                    edge.ScrollRequest(offset=offset, limit=_BATCH, with_payload=True, with_vector=True)
                )
                points = [edge.Point(each.id, each.vector, each.payload) for each in records if each.vector is not None]
                if points:
                    shard.update(edge.UpdateOperation.upsert_points(points))
                if offset is None:
                    break
            shard.flush()
            self._use(shard, following)
        except (OSError, RuntimeError, ValueError) as error:
            raise Unavailable(f"The dense index in {self._folder} could not be written anew: {error}") from error

    def clear(self) -> None:
        self._staged = []
        self._stop_building()
        self._use_new_shard(self._generation + 1)

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        """Empty the index, to be filled again: there is one of it only."""
        self.clear()
        yield

    def close(self) -> None:
        """Let go of the files; what was not committed is forgotten, and so is a graph that is being built."""
        self._staged = []
        self._stop_building()
        self._shard.close()

    def settled(self) -> bool:
        """Return whether no graph is being built, and none is called for."""
        return self._building is None and not self._graph_wanted()

    def wait_for_graph(self, seconds: float) -> None:
        """Wait until the graph that is being built is in use. Raise `subprocess.TimeoutExpired`."""
        if self._building is not None:
            self._building.wait(seconds)
            self._tend_graph()

    def _open(self) -> None:
        marks = self._folder / "made-by.json"
        if not marks.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            self._use_new_shard(0)
            return
        made_by = orjson.loads(durable.read_derived(marks))
        if made_by != self._made_by(made_by["generation"]):
            raise ValueError("it was made by another model or version")
        self._use(edge.EdgeShard.load(str(self._path(made_by["generation"]))), made_by["generation"])

    def _made_by(self, generation: int) -> dict[str, object]:
        return {"format": FORMAT, "model_id": self._model_id, "dimension": self._dimension, "generation": generation}

    def _path(self, generation: int) -> Path:
        return self._folder / f"shard-{generation}"

    def _use_new_shard(self, generation: int) -> None:
        path = self._path(generation)
        shutil.rmtree(path, ignore_errors=True)
        self._use(edge_shard.create(path, self._dimension), generation)

    def _use(self, shard: edge.EdgeShard, generation: int) -> None:
        """Change over to a shard in one step, and remove the others. Readers that hold the old one finish with it."""
        self._shard, self._generation = shard, generation
        durable.write(self._folder / "made-by.json", orjson.dumps(self._made_by(generation)))
        for path in self._folder.glob("shard-*"):
            if path != self._path(generation):
                shutil.rmtree(path)

    def _seqs(self, atom_ids: Sequence[str]) -> dict[str, int]:
        points = edge_shard.point_ids(atom_ids)
        records = self._shard.retrieve(points, with_payload=["atom_id", "seq"], with_vector=False) if points else []
        return {_atom_id(record): int((record.payload or {})["seq"]) for record in records}

    def _graph_wanted(self) -> bool:
        return self._waiting() > max(self._graph_from, _WAITING_SHARE * self._shard.info().points_count)

    def _waiting(self) -> int:
        """Return how many vectors are not in the graph, and so are scanned."""
        shape = self._shard.info()
        return int(shape.points_count - shape.indexed_vectors_count)

    def _tend_graph(self) -> None:
        """Start a new graph where one is called for; change over to it when it is done."""
        following = self._generation + 1
        if self._building is None:
            if self._graph_wanted():
                self._shard.flush()
                shutil.rmtree(self._path(following), ignore_errors=True)
                shutil.copytree(self._path(self._generation), self._path(following))
                self._building = edge_shard.start_optimizing(self._path(following))
        elif self._building.poll() is not None:
            failed = self._building.returncode != 0
            since, self._since, self._building = self._since, [], None
            if failed:
                raise Unavailable("The graph of the dense index could not be built; it is tried again at the next commit.")
            shard = edge.EdgeShard.load(str(self._path(following)))
            for changed in since:
                _apply(shard, changed)
            self._use(shard, following)
            # Where the engine leaves vectors out of its graph for reasons of its own, asking again at once would change nothing.
            self._graph_from = max(self._graph_from, 2 * self._waiting() if self._graph_wanted() else 0)

    def _stop_building(self) -> None:
        if self._building is not None:
            self._building.kill()
            self._building.wait()
            self._building, self._since = None, []
            shutil.rmtree(self._path(self._generation + 1), ignore_errors=True)


def _apply(shard: edge.EdgeShard, changed: dict[str, DenseDocument | None]) -> None:
    deleted = edge_shard.point_ids(atom_id for atom_id, document in changed.items() if document is None)
    if deleted:
        shard.update(edge.UpdateOperation.delete_points(deleted))
    written = [document for document in changed.values() if document is not None]
    for start in range(0, len(written), _BATCH):
        points = [edge_shard.point(document) for document in written[start : start + _BATCH]]
        shard.update(edge.UpdateOperation.upsert_points(points))


def _atom_id(found: edge.ScoredPoint | edge.Record) -> str:
    return str((found.payload or {})["atom_id"])
