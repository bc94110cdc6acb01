"""The journal of a process that forgets: the same rules as the files, without them."""

from __future__ import annotations

import hashlib
import io
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from ulid import ULID

from lattice_common.domain.capture import Capture, Entry, entry_id
from lattice_common.domain.reading import Reading
from lattice_common.domain.receipt import CaptureStatus, Receipt, State
from lattice_common.errors import Conflict, InvalidInput
from lattice_common.language.dates.reading import with_reading
from lattice_common.ports.journal import AgainMark, Plan, Upload


class MemoryUpload:
    """An `Upload` in a bytearray."""

    def __init__(self) -> None:
        self.content = bytearray()

    @property
    def size(self) -> int:
        return len(self.content)

    def write(self, chunk: bytes) -> None:
        self.content += chunk

    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def opened(self) -> IO[bytes]:
        return io.BytesIO(self.content)

    def close(self) -> None:
        self.content = bytearray()


class MemoryJournal:
    """A `WorkLog` in dicts; may be called from any thread. Originals alone are files, since readers take a path: they lie in a
    temporary folder that goes with the journal."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._originals: Path | None = None
        self._readings: dict[str, Reading] = {}
        self._again: dict[str, AgainMark] = {}
        self._deleted: dict[str, bool] = {}
        self._deletions = 0
        self._entries: dict[str, Entry] = {}
        self._keys: dict[str, tuple[str, str]] = {}
        self._open: dict[str, int] = {}
        self._plans: dict[str, Plan] = {}
        self._receipts: dict[str, Receipt] = {}

    def upload(self) -> MemoryUpload:
        return MemoryUpload()

    def append(self, entry: Entry, upload: Upload | None = None) -> tuple[str, bool]:
        original = entry.original if isinstance(entry, Capture) else None
        if (original is None) != (upload is None) or not isinstance(upload, MemoryUpload | None):
            raise InvalidInput(f"{entry_id(entry)} has an original without bytes, or bytes without an original: send both")
        with self._lock:
            key = entry.idempotency_key
            if key is not None:
                old_id, body_hash = self._keys.setdefault(key, (entry_id(entry), entry.body_hash))
                if body_hash != entry.body_hash:
                    raise Conflict(f"this idempotency key was used for {old_id}, which says something else: use a new key")
                if old_id in self._entries:
                    return old_id, False
            if upload is not None:
                if self._originals is None:
                    self._originals = Path(tempfile.mkdtemp(prefix="lattice-originals-"))
                    weakref.finalize(self, shutil.rmtree, self._originals, ignore_errors=True)
                (self._originals / entry_id(entry)).write_bytes(upload.content)
            self._entries[entry_id(entry)] = entry
            self._open[entry_id(entry)] = 0
            return entry_id(entry), True

    def read(self, entry_id: str) -> Entry | None:
        entry = self._entries.get(entry_id)
        reading = self._readings.get(entry_id)
        return with_reading(entry, reading) if isinstance(entry, Capture) and reading is not None else entry

    def original_path(self, entry_id: str) -> Path | None:
        entry = self._entries.get(entry_id)
        if self._originals is None or not isinstance(entry, Capture) or entry.original is None:
            return None
        return self._originals / entry_id

    def status(self, entry_id: str) -> CaptureStatus | None:
        with self._lock:
            if entry_id not in self._entries:
                return None
            received_at = datetime.fromtimestamp(ULID.from_str(entry_id.upper()).milliseconds / 1000, UTC)
            receipt = self._receipts.get(entry_id)
            if receipt is None:
                attempts = self._open[entry_id]
                state: State = "working" if attempts else "waiting"
                return CaptureStatus(capture_id=entry_id, state=state, attempts=attempts, received_at=received_at)
            return CaptureStatus(
                capture_id=entry_id,
                state=receipt.state,
                attempts=receipt.attempts,
                receipt=receipt,
                reason=receipt.reason,
                received_at=received_at,
            )

    def receipt(self, entry_id: str) -> Receipt | None:
        return self._receipts.get(entry_id)

    def open_ids(self) -> list[str]:
        with self._lock:
            return sorted(self._open)

    def entries(self, *, newest_first: bool = True) -> Iterator[str]:
        with self._lock:
            ids = sorted(self._entries, reverse=newest_first)
        return iter(ids)

    def listing(self, *, state: State | None, limit: int, cursor: str | None) -> tuple[list[CaptureStatus], str | None]:
        page: list[CaptureStatus] = []
        for each in self.entries():
            status = self.status(each) if cursor is None or each < cursor else None
            if status is not None and (state is None or status.state == state):
                page.append(status)
            if len(page) == limit:
                return page, each
        return page, None

    def retry(self, entry_id: str) -> bool:
        with self._lock:
            receipt = self._receipts.get(entry_id)
            if receipt is None or receipt.state != "dead" or entry_id in self._open:
                return False
            del self._receipts[entry_id]
            self._open[entry_id] = 0
            return True

    def begin(self, entry_id: str) -> int:
        with self._lock:
            self._open[entry_id] = self._open.get(entry_id, 0) + 1
            return self._open[entry_id]

    def begin_each(self, entry_ids: Sequence[str]) -> list[int]:
        return [self.begin(each) for each in entry_ids]

    def absolve(self, entry_id: str) -> None:
        with self._lock:
            self._open[entry_id] = 0

    def write_reading(self, entry_id: str, reading: Reading) -> None:
        self._readings.setdefault(entry_id, reading)

    def read_reading(self, entry_id: str) -> Reading | None:
        return self._readings.get(entry_id)

    def mark_again(self, mark: AgainMark) -> None:
        self._again[mark.capture_id] = mark

    def again(self, capture_id: str) -> AgainMark | None:
        return self._again.get(capture_id)

    def again_ids(self) -> list[str]:
        return sorted(self._again)

    def clear_again(self, capture_id: str) -> None:
        self._again.pop(capture_id, None)

    def mark_deleted(self, commands: Mapping[str, bool]) -> None:
        self._deleted |= commands
        self._deletions += 1

    def deleted(self) -> dict[str, bool]:
        return dict(sorted(self._deleted.items()))

    def deleted_ids(self) -> list[str]:
        return sorted(self._deleted)

    def each_deleted(self) -> Iterator[str]:
        yield from list(self._deleted)

    def deletions_version(self) -> int | None:
        return self._deletions

    def clear_deleted(self, command_id: str) -> None:
        self._deleted.pop(command_id, None)
        self._deletions += 1

    def write_plan(self, plan: Plan) -> None:
        self._plans[plan.capture_id] = plan

    def write_plans(self, plans: Sequence[Plan]) -> None:
        for plan in plans:
            self.write_plan(plan)

    def read_plan(self, entry_id: str) -> Plan | None:
        return self._plans.get(entry_id)

    def finish(self, receipt: Receipt) -> None:
        with self._lock:
            self._receipts.setdefault(receipt.capture_id, receipt)

    def close_entry(self, entry_id: str) -> None:
        with self._lock:
            receipt = self._receipts.get(entry_id)
            if receipt is None:
                raise Conflict(f"{entry_id} has no receipt, so it stays in the work list: finish it first")
            if receipt.state != "dead":
                self._plans.pop(entry_id, None)
            self._open.pop(entry_id, None)

    def end_each(self, receipts: Sequence[Receipt]) -> None:
        for receipt in receipts:
            self.finish(receipt)
        for receipt in receipts:
            self.close_entry(receipt.capture_id)

    def recover(self) -> list[str]:
        return []
