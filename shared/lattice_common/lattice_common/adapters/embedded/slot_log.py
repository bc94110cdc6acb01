"""Which atom, content hash and seq each slot of an embedded index is: an append-only file of JSON lines, line n for slot n.

A line that a crash cut short is not a line: readers ignore it, and the first append removes it. Slots are never given twice; the
lines of those that are no longer used become empty (`0`) when the owner compacts.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Set
from io import BufferedRandom
from pathlib import Path
from typing import NamedTuple

import orjson

from lattice_common.adapters.files import durable


class SlotRecord(NamedTuple):
    """What stands in a slot."""

    atom_id: str
    content_hash: str
    seq: int


class SlotLog:
    """The lines of `path`, which is made with the first append."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BufferedRandom | None = None
        self._next = 0

    def append(self, record: SlotRecord) -> int:
        """Add a line; return its slot. Durable after `flush`."""
        if self._file is None:
            self._file = self._opened()
        self._file.write(orjson.dumps(tuple(record)) + b"\n")
        self._next += 1
        return self._next - 1

    def flush(self) -> None:
        """Write every line to the disk before returning."""
        if self._file is not None:
            self._file.flush()
            os.fdatasync(self._file.fileno())

    def records(self) -> Iterator[SlotRecord | None]:
        """Yield every whole line that was flushed, in slot order; None for a slot no longer used. ValueError: it is garbled."""
        if not self._path.exists():
            return
        written = durable.read_derived(self._path)
        whole = written[: written.rfind(b"\n") + 1]
        for line in orjson.loads(b"[" + whole[:-1].replace(b"\n", b",") + b"]"):
            yield SlotRecord(*line) if line else None

    def keep_only(self, live: Set[int]) -> None:
        """Empty the lines of all other slots, in one step."""
        self.flush()
        records = list(self.records())
        self.close()
        lines = [orjson.dumps(tuple(record)) if record and slot in live else b"0" for slot, record in enumerate(records)]
        durable.write(self._path, b"".join(line + b"\n" for line in lines))

    def clear(self) -> None:
        self.close()
        self._path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the log; what was not flushed is forgotten; on a full disk it could not be written anyway."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None
        self._next = 0

    def _opened(self) -> BufferedRandom:
        self._path.touch()
        file = self._path.open("r+b")
        written = file.read()
        whole = written.rfind(b"\n") + 1
        file.truncate(whole)
        file.seek(whole)
        self._next = written.count(b"\n")
        return file
