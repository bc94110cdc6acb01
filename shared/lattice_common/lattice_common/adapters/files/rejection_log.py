"""The quarantine as a file of lines: `logs/rejected.jsonl`.

A line adds a candidate, or says that one was kept. The last line of each id counts, so a redo may write lines twice.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.journal_codec import decode, encode
from lattice_common.domain.seal import is_damaged, sealed
from lattice_common.errors import Corrupt
from lattice_common.logs import logger
from lattice_common.ports.rejection_log import RejectedCandidate

log = logger(__name__)


class FileRejectionLog:
    """One file, kept in step with it: lines of other processes are seen, too. A torn line after a crash is skipped, and
    terminated by the next."""

    def __init__(self, root: Path) -> None:
        self._path = root / "logs" / "rejected.jsonl"
        self._lock = threading.Lock()
        self._entries: dict[str, RejectedCandidate] = {}
        self._read_to = 0
        self._inode = 0
        self._torn = False
        self._follow()

    def append(self, rejected: Sequence[RejectedCandidate]) -> None:
        with self._lock:
            self._follow()
            fresh = [each for each in rejected if each.rejected_id not in self._entries]
            if fresh:
                self._write(b"".join(encode(each) for each in fresh))

    def mark_kept(self, rejected_id: str, *, kept: bool) -> None:
        with self._lock:
            self._follow()
            known = self._entries.get(rejected_id)
            if known is not None and known.kept is not kept:
                self._write(sealed(orjson.dumps({"rejected_id": rejected_id, "kept": kept})) + b"\n")

    def get(self, rejected_id: str) -> RejectedCandidate | None:
        with self._lock:
            self._follow()
            return self._entries.get(rejected_id)

    def recent(self, limit: int) -> list[RejectedCandidate]:
        with self._lock:
            self._follow()
            return list(islice(reversed(self._entries.values()), limit))

    def drop(self, unwanted: Callable[[RejectedCandidate], bool]) -> int:
        with self._lock:
            self._follow()
            gone = {rejected_id for rejected_id, each in self._entries.items() if unwanted(each)}
            lines = durable.read(self._path).splitlines() if self._path.exists() else []
            # A line that cannot be read goes too: nobody could say what it holds.
            kept = [line for line in lines if _id_in(line) is not None and _id_in(line) not in gone]
            if len(kept) < len(lines):
                durable.write(self._path, b"".join(line + b"\n" for line in kept))
                self._follow()
            return len(gone)

    def _write(self, lines: bytes) -> None:
        durable.append(self._path, b"\n" + lines if self._torn else lines)
        self._follow()

    def _follow(self) -> None:
        """Read new whole lines. A file that was replaced is read from its beginning."""
        try:
            found = self._path.stat()
            size, inode = found.st_size, found.st_ino
        except FileNotFoundError:
            size = inode = 0
        if size < self._read_to or inode != self._inode:
            self._entries, self._read_to, self._inode = {}, 0, inode
        if size == self._read_to:
            return
        try:
            with self._path.open("rb") as file:
                file.seek(self._read_to)
                content = file.read()
        except OSError:
            log.warning("log_not_read", log=self._path.stem)
            return
        whole = content[: content.rfind(b"\n") + 1]
        for line in whole.splitlines():
            self._take(line)
        self._read_to += len(whole)
        self._torn = len(whole) < len(content)

    def _take(self, line: bytes) -> None:
        if is_damaged(line):
            return
        try:
            fields = orjson.loads(line)
            rejected_id = fields["rejected_id"]
            if "candidate" in fields:
                self._entries.setdefault(rejected_id, decode(RejectedCandidate, line, self._path.name))
            elif rejected_id in self._entries:
                self._entries[rejected_id] = replace(self._entries[rejected_id], kept=bool(fields["kept"]))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, Corrupt):
            # Half a line after a crash: the plan it is from is carried out again, and writes it anew.
            return


def _id_in(line: bytes) -> str | None:
    """Return which candidate a line is about; None for an invalid line."""
    if is_damaged(line):
        return None
    try:
        return str(orjson.loads(line)["rejected_id"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None
