"""The bytes of a file on their way into the journal: in its `spool` folder until they are complete, then moved to their place.

A file in the spool belongs to the process that holds its lock. One without a holder was left by a process that died, and is
removed at the next start, while what another process is receiving at that moment is left alone.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from pathlib import Path
from typing import IO

from lattice_common.adapters.files import durable

LONGEST_ENDING = 16

_counter = itertools.count()


class FileUpload:
    """`ports.journal.Upload` in the folder `spool`."""

    def __init__(self, spool: Path) -> None:
        self._path = spool / f"{os.getpid()}-{next(_counter)}-{os.urandom(4).hex()}"
        self._descriptor: int | None = durable.create(self._path)
        self._digest = hashlib.sha256()
        self._size = 0
        self._moved = False

    @property
    def size(self) -> int:
        return self._size

    def write(self, chunk: bytes) -> None:
        durable.extend(self._open_descriptor(), chunk)
        self._digest.update(chunk)
        self._size += len(chunk)

    def sha256(self) -> str:
        return self._digest.hexdigest()

    def opened(self) -> IO[bytes]:
        self._open_descriptor()
        return self._path.open("rb")

    def move_to(self, target: Path) -> None:
        """Move the complete file to its final path, for the journal. Durable when it returns."""
        durable.flush(self._open_descriptor())
        durable.place(self._path, target)
        self._moved = True

    def close(self) -> None:
        if self._descriptor is None:
            return
        if not self._moved:
            self._path.unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = None

    def _open_descriptor(self) -> int:
        if self._descriptor is None:
            raise ValueError("the upload is closed")
        return self._descriptor


def original_suffix(name: str) -> str:
    """Return the name of an original after its capture's id: `.original.pdf`. Only letters and digits of the owner's file ending
    are used, for people who look into the folder."""
    ending = name.rpartition(".")[2] if "." in name else ""
    kept = re.sub(r"[^a-z0-9]", "", ending.lower())[:LONGEST_ENDING]
    return f".original.{kept}" if kept else ".original"


def clean_spool(spool: Path) -> int:
    """Remove what processes that died were receiving; their number."""
    if not spool.is_dir():
        return 0
    return sum(durable.remove_unheld(path) for path in spool.iterdir())
