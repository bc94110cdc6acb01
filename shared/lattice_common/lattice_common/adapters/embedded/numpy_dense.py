"""The dense index of one machine, exact: a matrix in a memory-mapped file, multiplied with the question.

Layout of the folder: `made-by.json` (model, dimension, generation: another model or dimension empties the index),
`vectors-<generation>.f32` (rows of float32, appended) and `rows-<generation>.jsonl` (`row_log`: which atom each row is).

Consistency: the vectors are on disk before the rows are recorded, and a batch of records ends with a commit line, so after
`kill -9` the index is what the last commit made it. Readers work on a `_View` taken at a commit; a writer only appends behind
what any view sees. A row that was replaced or deleted stays as a hole until holes are a fifth of the matrix, then a new
generation is written. What cannot be opened is emptied, and `emptied` says why.

Cost: a search reads the whole matrix once, so it is bound by memory bandwidth: 100,000 × 384 are 154 MB.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from lattice_common.adapters.embedded.row_columns import RowColumns
from lattice_common.adapters.embedded.row_log import RowLog, RowRecord, crc_of, row_record
from lattice_common.adapters.files import durable
from lattice_common.domain.recall import Filter, Hit
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Vectors

FORMAT = 1
_FIRST_CAPACITY = 1024  # rows; doubled when full. The file is sparse, so what is not used costs nothing
_HOLES_SHARE = 0.2  # of the rows, before they are written anew
_HOLES_FROM = 256
_GATHER_SHARE = 0.05  # below this share of rows passing a filter, copying them out is cheaper than multiplying all
_CHUNK = 8192  # rows, 12 MB at 384 dimensions: 0.4 ms of one core between two looks at what is left
_SAMPLE = 16  # every 16th score estimates where the best ones begin
_UNREADABLE = (ValueError, OSError, Corrupt, TypeError, KeyError, IndexError)

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class _View:
    """What one commit made visible: `matrix` has shape (rows, dimension); `dead` are the holes in it."""

    matrix: Vectors
    dead: Rows
    columns: RowColumns
    row_of: dict[str, int]
    """Grows with later commits: rows at or beyond `len(matrix)` are not of this view."""


class _Generation(NamedTuple):
    """The open files of one generation, and what they hold."""

    number: int
    log: RowLog
    descriptor: int
    mapped: Vectors
    """Of all rows that there is room for."""
    view: _View


class NumpyDenseIndex:
    """A `DenseIndex` in `folder`, exact at any size. One process writes."""

    def __init__(self, folder: Path, model_id: str, dimension: int) -> None:
        self._folder = folder
        self._model_id = model_id
        self._dimension = dimension
        self.emptied: str | None = None
        """Why the index was emptied when it was opened, if it was."""
        self._staged: list[DenseDocument | str] = []
        self._helper = ThreadPoolExecutor(max_workers=1, thread_name_prefix="dense")
        try:
            self._open()
        except _UNREADABLE as error:
            self.emptied = f"the dense index in {folder} could not be opened: {error}"
            try:
                shutil.rmtree(folder)
                self._open()
            except OSError as failed:
                raise Unavailable(f"The dense index in {folder} cannot be made anew ({failed}): look at its disk.") from failed

    def __len__(self) -> int:
        return len(self._view.matrix) - len(self._view.dead)

    def upsert(self, documents: Sequence[DenseDocument]) -> None:
        self._staged += documents

    def delete(self, atom_ids: Sequence[str]) -> None:
        self._staged += atom_ids

    def commit(self) -> None:
        staged, self._staged = self._staged, []
        view = self._view
        changed: dict[str, DenseDocument | None] = {}
        for change in staged:
            if isinstance(change, str):
                changed[change] = None
            elif change.seq >= self._seq_of(change.atom_id, changed):
                changed[change.atom_id] = change
        written = [document for document in changed.values() if document is not None]
        died = [view.row_of[atom_id] for atom_id in changed if atom_id in view.row_of]
        if not written and not died:
            return
        try:
            self._append(written, died)
            if len(self._view.dead) > max(_HOLES_FROM, _HOLES_SHARE * len(self._view.matrix)):
                self._write_generation(self._generation + 1, *self._documents())
        except OSError as error:
            self._log.close()  # the next commit then cuts off what this one left behind
            raise Unavailable(f"The dense index in {self._folder} could not commit: {error}") from error

    def search(self, vector: Vectors, limit: int, within: Filter | None = None) -> list[Hit]:
        view = self._view
        count = len(view.matrix)
        if limit < 1 or count == len(view.dead):
            return []
        wanted = np.ascontiguousarray(vector, dtype=np.float32)
        passing = view.columns.passing(within, count) if within else None
        if passing is not None and np.count_nonzero(passing) <= _GATHER_SHARE * count:
            passing[view.dead] = False
            rows = np.flatnonzero(passing)
            scores = np.vecdot(view.matrix[rows], wanted)
        else:
            rows = None
            scores = self._cosines(view.matrix, wanted)
            scores[view.dead] = -np.inf
            if passing is not None:
                scores[~passing] = -np.inf
        best = _best(scores, limit)
        best = best[scores[best] > -np.inf]
        ids = view.columns.ids
        names = [ids[row] for row in (best if rows is None else rows[best]).tolist()]
        ranked = sorted(zip((-scores[best]).tolist(), names, strict=True))
        return [Hit(atom_id, -score) for score, atom_id in ranked[:limit]]

    def vectors(self, atom_ids: Sequence[str]) -> dict[str, Vectors]:
        view = self._view
        rows = {atom_id: row for atom_id in atom_ids if (row := view.row_of.get(atom_id, len(view.matrix))) < len(view.matrix)}
        return dict(zip(rows, view.matrix[list(rows.values())], strict=True)) if rows else {}

    def entries(self) -> Iterator[tuple[str, str, int]]:
        for record in self._log.live():
            yield record.atom_id, record.content_hash, record.seq

    def purge(self) -> None:
        try:
            self._write_generation(self._generation + 1, *self._documents())
        except OSError as error:
            raise Unavailable(f"The dense index in {self._folder} could not be written anew: {error}") from error

    def clear(self) -> None:
        self._staged = []
        self._write_generation(self._generation + 1, [], np.empty((0, self._dimension), np.float32))

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        """Empty the index, to be filled again: there is one of it only."""
        self.clear()
        yield

    def close(self) -> None:
        """Let go of the files; what was not committed is forgotten."""
        self._staged = []
        self._helper.shutdown()
        os.close(self._vectors_file)
        self._log.close()

    def damaged(self) -> list[str]:
        """Return the atoms whose row is not what was written: the disk changed its vector, or what stands beside it."""
        matrix = self._view.matrix
        return [
            record.atom_id
            for record in self._log.live()
            if record.crc is not None and crc_of(record, matrix[record.row]) != record.crc
        ]

    def documents(self, atom_ids: Sequence[str]) -> list[DenseDocument]:
        """Return those of the committed documents that are there: to copy them to another index."""
        matrix, wanted = self._view.matrix, set(atom_ids)
        return [
            DenseDocument(record.atom_id, record.content_hash, record.seq, np.array(matrix[record.row]), record.filter_fields)
            for record in (self._log.live() if wanted else ())
            if record.atom_id in wanted
        ]

    def _cosines(self, matrix: Vectors, wanted: Vectors) -> Vectors:
        """Return the dot product of every row. This thread and a helper take chunks in turn, so that a busy core only slows it.

        A row at a time is what `vecdot` does. As a matrix product OpenBLAS needs 5 ms at 100,000 × 384 where this needs 2.4, and
        16 when the other core is busy, because its threads wait for each other.
        """
        scores = np.empty(len(matrix), np.float32)
        starts = iter(range(0, len(matrix), _CHUNK))

        def take() -> None:
            for at in starts:
                np.vecdot(matrix[at : at + _CHUNK], wanted, out=scores[at : at + _CHUNK])

        helping = None
        if len(matrix) > 2 * _CHUNK:
            with contextlib.suppress(RuntimeError):  # closed meanwhile, for another index took over: one thread will do
                helping = self._helper.submit(take)
        take()
        if helping is not None and not helping.cancel():
            helping.result()
        return scores

    def _open(self) -> None:
        marks = self._folder / "made-by.json"
        if not marks.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write_generation(0, [], np.empty((0, self._dimension), np.float32))
            return
        made_by = orjson.loads(durable.read(marks))
        if made_by != self._made_by(made_by["generation"]):
            raise ValueError("it was made by another model or version")
        self._use(self._prepared(made_by["generation"]))

    def _made_by(self, generation: int) -> dict[str, object]:
        return {"format": FORMAT, "model_id": self._model_id, "dimension": self._dimension, "generation": generation}

    def _paths(self, generation: int) -> tuple[Path, Path]:
        return self._folder / f"vectors-{generation}.f32", self._folder / f"rows-{generation}.jsonl"

    def _prepared(self, generation: int) -> _Generation:
        """Open the files of a generation, with room for more rows, and change nothing here: what fails leaves all as it was."""
        vectors_path, rows_path = self._paths(generation)
        log = RowLog(rows_path)
        records = sorted(log.live())
        rows = records[-1].row + 1 if records else 0
        descriptor = _opened(vectors_path)
        if os.fstat(descriptor).st_size < rows * 4 * self._dimension:
            os.close(descriptor)
            raise ValueError(f"{vectors_path.name} is shorter than its {rows} rows")
        try:
            mapped = self._with_room(descriptor, vectors_path, max(_FIRST_CAPACITY, rows))
        except BaseException:
            os.close(descriptor)
            raise
        columns = RowColumns()
        columns.extend(records)
        dead = np.setdiff1d(np.arange(rows), [record.row for record in records])
        row_of = {record.atom_id: record.row for record in records}
        return _Generation(generation, log, descriptor, mapped, _View(mapped[:rows], dead, columns, row_of))

    def _use(self, prepared: _Generation) -> None:
        """Take the files of a generation, and remove those of others."""
        self._generation, self._log, self._vectors_file, self._mapped, self._view = prepared
        for path in (*self._folder.glob("vectors-*"), *self._folder.glob("rows-*")):
            if path not in self._paths(self._generation):
                with contextlib.suppress(OSError):  # the next start tries again
                    path.unlink()

    def _grow(self, rows: int) -> None:
        """Make room for `rows`, and map the file anew where it grew; earlier views keep their own mapping."""
        if rows > len(self._mapped):
            path, _ = self._paths(self._generation)
            self._mapped = self._with_room(self._vectors_file, path, max(rows, 2 * len(self._mapped)))

    def _with_room(self, descriptor: int, path: Path, rows: int) -> Vectors:
        """Return the mapping of a file of vectors that is as long as `rows` need."""
        size = rows * self._dimension * 4
        if os.fstat(descriptor).st_size < size:
            os.ftruncate(descriptor, size)
        return np.asarray(np.memmap(path, dtype=np.float32, mode="r", shape=(rows, self._dimension)))

    def _seq_of(self, atom_id: str, changed: dict[str, DenseDocument | None]) -> float:
        """Return the seq that a write of this atom must not be older than."""
        if atom_id in changed:
            document = changed[atom_id]
            return -np.inf if document is None else document.seq
        row = self._view.row_of.get(atom_id)
        return -np.inf if row is None else self._view.columns.seqs[row]

    def _append(self, documents: Sequence[DenseDocument], died: Sequence[int]) -> None:
        view = self._view
        count = len(view.matrix)
        self._grow(count + len(documents))
        if documents:
            block = np.stack([np.asarray(document.vector, np.float32).reshape(self._dimension) for document in documents])
            _write_at(self._vectors_file, block.tobytes(), count * self._dimension * 4)
        records = [row_record(count + at, document) for at, document in enumerate(documents)]
        self._log.commit(records, died)
        view.columns.extend(records)
        dead = np.concatenate([view.dead, np.asarray(died, np.intp)])
        replaced = {record.atom_id for record in records}
        for row in died:
            if view.columns.ids[row] not in replaced:
                del view.row_of[view.columns.ids[row]]
        self._view = _View(self._mapped[: count + len(documents)], dead, view.columns, view.row_of)
        view.row_of.update((record.atom_id, record.row) for record in records)

    def _documents(self) -> tuple[list[RowRecord], Vectors]:
        records = sorted(self._log.live())
        return records, self._view.matrix[[record.row for record in records]]

    def _write_generation(self, generation: int, records: Sequence[RowRecord], matrix: Vectors) -> None:
        """Write these rows, without holes, to new files, and change over to them in one step."""
        vectors_path, rows_path = self._paths(generation)
        vectors_path.unlink(missing_ok=True)
        rows_path.unlink(missing_ok=True)
        descriptor = os.open(vectors_path, os.O_RDWR | os.O_CREAT, 0o600)
        _write_at(descriptor, np.ascontiguousarray(matrix).data, 0)
        os.close(descriptor)
        log = RowLog(rows_path)
        log.commit([record._replace(row=row) for row, record in enumerate(records)], [])
        log.close()
        prepared = self._prepared(generation)
        try:
            durable.write(self._folder / "made-by.json", orjson.dumps(self._made_by(generation)))
        except BaseException:
            os.close(prepared.descriptor)
            raise
        if hasattr(self, "_log"):
            self._log.close()
            os.close(self._vectors_file)
        self._use(prepared)


def _opened(path: Path) -> int:
    """Open a file for writing; on a disk that is read-only for reading, and then the first write says so."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES):
            raise
        return os.open(path, os.O_RDONLY)


def _write_at(descriptor: int, content: bytes | memoryview, offset: int) -> None:
    left = memoryview(content).cast("B") if len(content) else memoryview(b"")
    while left:
        done = os.pwrite(descriptor, left, offset)
        left, offset = left[done:], offset + done
    os.fdatasync(descriptor)


def _best(scores: Vectors, limit: int) -> Rows:
    """Return the places of the `limit` greatest scores, and of all that equal the least of them; in no order."""
    if len(scores) <= limit:
        return np.arange(len(scores))
    # Partitioning 100,000 scores takes 0.65 ms; a threshold from a sample 0.05 ms. It is only a guess, hence the check.
    sample = scores[::_SAMPLE]
    rank = int(limit / _SAMPLE + 4 * (limit / _SAMPLE) ** 0.5) + 1
    if rank < len(sample):
        likely = np.flatnonzero(scores >= np.partition(sample, -rank)[-rank])
        if limit <= len(likely) < len(scores) // 2:
            kept = scores[likely] >= np.partition(scores[likely], -limit)[-limit]
            return np.asarray(likely[kept], np.intp)
    return np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
