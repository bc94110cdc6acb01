"""What each row of a matrix of vectors stands for: an append-only file of JSON lines, read up to its last commit line.

A line is a row that was written (`RowRecord`), a row that died (`[row]`), or a commit (`null`). What follows the last commit line
was never committed, or was cut short by a crash: readers ignore it, and the first append removes it. Each row has the CRC-32 of
its vector and of what stands beside it, so that a bit which the disk changed in either is noticed.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import orjson

from lattice_common.adapters.files import durable
from lattice_common.domain.microseconds import microseconds, moment_at
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.lexical_index import FilterFields

_COMMIT = b"null\n"


class RowRecord(NamedTuple):
    """A row and what a document has beside its vector; `observed_at` is in microseconds since 1970."""

    row: int
    atom_id: str
    content_hash: str
    seq: int
    kind: str
    observed_at: int
    session_id: str | None
    source_id: str | None
    crc: int | None = None
    """None of rows that an earlier version wrote."""

    @property
    def filter_fields(self) -> FilterFields:
        return FilterFields(self.kind, moment_at(self.observed_at), self.session_id, self.source_id)


def row_record(row: int, document: DenseDocument) -> RowRecord:
    """Return how a document is recorded in a row."""
    fields = document.filter_fields
    observed_at = microseconds(fields.observed_at)
    record = RowRecord(
        row, document.atom_id, document.content_hash, document.seq, fields.kind, observed_at, fields.session_id, fields.source_id
    )
    return record._replace(crc=crc_of(record, np.asarray(document.vector, np.float32)))


def crc_of(record: RowRecord, vector: Vectors) -> int:
    """Return the CRC-32 of a row; of all but its number, which changes when holes are taken out."""
    return zlib.crc32(vector.tobytes(), zlib.crc32(orjson.dumps(tuple(record)[1:-1])))


class RowLog:
    """The file `path`, which is made with the first commit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def commit(self, written: Sequence[RowRecord], died: Iterable[int]) -> None:
        """Record a batch; durable and committed when this returns. Nothing of it is left where it raises `OSError`: otherwise the
        next try would tell what died to die once more."""
        if self._descriptor is None:
            self._descriptor = self._opened()
        lines = [orjson.dumps(tuple(record)) for record in written] + [orjson.dumps([row]) for row in died]
        batch = memoryview(b"".join(line + b"\n" for line in lines) + _COMMIT)
        length = os.fstat(self._descriptor).st_size
        try:
            while batch:
                batch = batch[os.write(self._descriptor, batch) :]
            os.fdatasync(self._descriptor)
        except OSError:
            os.ftruncate(self._descriptor, length)
            raise

    def live(self) -> Iterator[RowRecord]:
        """Return the committed rows that have not died. Raise ValueError where the file is garbled."""
        live: dict[int, RowRecord] = {}
        for line in orjson.loads(b"[" + self._committed()[:-1].replace(b"\n", b",") + b"]"):
            match line:
                case None:
                    pass
                case [row]:
                    del live[row]
                case _:
                    live[line[0]] = RowRecord(*line)
        return iter(live.values())

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _committed(self) -> bytes:
        if not self._path.exists():
            return b""
        written = durable.read(self._path.resolve())  # what cannot be written is opened through links to it (`shadow.py`)
        end = written.rfind(b"\n" + _COMMIT)
        if end >= 0:
            return written[: end + 1 + len(_COMMIT)]
        return _COMMIT if written.startswith(_COMMIT) else b""

    def _opened(self) -> int:
        committed = len(self._committed())
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        os.ftruncate(descriptor, committed)
        return descriptor
