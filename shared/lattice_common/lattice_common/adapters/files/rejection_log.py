"""The quarantine as a file of lines: `logs/rejected.jsonl`.

A line adds a candidate, or says that one was kept. Reading takes the last word on each id, so a redo may write lines twice.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.journal_codec import decode, encode
from lattice_common.errors import Corrupt
from lattice_common.ports.rejection_log import RejectedCandidate


class FileRejectionLog:
    """One file; read once at opening, then kept in step. A half line that a crash left is passed over, and ended by the next."""

    def __init__(self, root: Path) -> None:
        self._path = root / "logs" / "rejected.jsonl"
        self._lock = threading.Lock()
        self._entries: dict[str, RejectedCandidate] = {}
        self._torn = False
        if self._path.exists():
            content = self._path.read_bytes()
            self._torn = not content.endswith(b"\n") and bool(content)
            for line in content.splitlines():
                self._take(line)

    def append(self, rejected: Sequence[RejectedCandidate]) -> None:
        with self._lock:
            fresh = [each for each in rejected if each.rejected_id not in self._entries]
            if fresh:
                self._write(b"".join(encode(each) for each in fresh))
                self._entries |= {each.rejected_id: each for each in fresh}

    def mark_kept(self, rejected_id: str, *, kept: bool) -> None:
        with self._lock:
            known = self._entries.get(rejected_id)
            if known is not None and known.kept is not kept:
                self._write(orjson.dumps({"rejected_id": rejected_id, "kept": kept}) + b"\n")
                self._entries[rejected_id] = replace(known, kept=kept)

    def get(self, rejected_id: str) -> RejectedCandidate | None:
        return self._entries.get(rejected_id)

    def recent(self, limit: int) -> list[RejectedCandidate]:
        with self._lock:
            return list(islice(reversed(self._entries.values()), limit))

    def _write(self, lines: bytes) -> None:
        durable.append(self._path, b"\n" + lines if self._torn else lines)
        self._torn = False

    def _take(self, line: bytes) -> None:
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
