"""A backup that is streamed as it is made: nothing of it is written on this machine's disk."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Generator
from datetime import datetime

from lattice_common.adapters.files.backup_archive import back_up, note_backup
from lattice_common.composition.backups import backup_passphrase
from lattice_common.errors import InvalidInput, LatticeError, Unavailable
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.settings import Settings

log = logger(__name__)

CHUNK = 65_536
"""Bytes of a piece: what a pipe holds."""


class Backups:
    """Makes backups on request. Safe to use from several threads; each backup is written by a thread of its own."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._root = settings.data_dir
        self._passphrase = backup_passphrase(settings)
        self._clock = clock

    def name(self, made_at: datetime) -> str:
        """Return a file name for the backup of a moment; `.sealed` stands behind one that needs the passphrase."""
        return f"lattice-{made_at:%Y%m%dT%H%M%SZ}.tar.gz{'.sealed' if self._passphrase else ''}"

    def now(self) -> datetime:
        """Return the moment that a backup begun now is of, in UTC."""
        return self._clock.now()

    def stream(self, made_at: datetime) -> Generator[bytes, None, None]:
        """Return the archive in pieces. Raise `InvalidInput` where there is nothing to back up; the pieces raise `Unavailable`
        where they cannot be finished: what came until then is no backup. Closing the iterator aborts it."""
        if not (self._root / "journal").is_dir():
            raise InvalidInput("Nothing was ever told here: there is nothing to back up yet.")
        return self._pieces(made_at)

    def _pieces(self, made_at: datetime) -> Generator[bytes, None, None]:
        source, sink = os.pipe()
        failed: list[LatticeError] = []
        writer = threading.Thread(target=self._write, args=(sink, made_at, failed), name="lattice-backup-download", daemon=True)
        with open(source, "rb", buffering=0) as pieces:  # noqa: PTH123 - a descriptor, not a path
            writer.start()
            while piece := pieces.read(CHUNK):
                yield piece
        writer.join()
        if failed:
            log.warning("backup_failed", reason=type(failed[0]).__name__)
            raise failed[0]

    def _write(self, sink: int, made_at: datetime, failed: list[LatticeError]) -> None:
        with contextlib.suppress(BrokenPipeError), open(sink, "wb") as out:
            # The pipe breaks where nobody reads on: then nobody waits for an error either.
            try:
                made = back_up(self._root, out, lambda *_: None, made_at=made_at, passphrase=self._passphrase)
                if made.unreadable:  # in a deployment files may belong to other users
                    others = len(made.unreadable) - 1
                    raise Unavailable(
                        f"Files cannot be read here, so this is no backup: {made.unreadable[0]}, and {others} more."
                    )
                note_backup(self._root, None, made_at)
            except LatticeError as error:
                failed.append(error)
            except OSError as error:
                failed.append(Unavailable(f"The backup cannot be made: {error.strerror or error}. Look at the disk."))
