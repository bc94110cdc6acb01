"""The journal as files: what makes a 202 a promise.

    journal/2026/11/20/<id>.json           the envelope, never changed          journal/open/<id>   one mark per unfinished entry
                      /<id>.plan.json      the redo log of ingest               journal/dead/<id>   one mark per dead entry
                      /<id>.receipt.json   how it ended                         journal/keys/<2 hex>/<sha256 of the key>.json
                      /<id>.original.<ext> the bytes of a file                  journal/spool/    bytes that are still coming in
                      /<id>.reading.json   what a reader made of them           journal/again/<id>  what is to be read again
    journal/deleted/<id>  one mark per deletion whose words go when it leaves the trash
    journal/forgotten.jsonl  what was forgotten, in salted hashes (`forgotten_ledger`)

Days are those of the id's time (a ULID), in UTC. A mark is as many bytes long as attempts were begun, so that one appended byte
and one fsync count an attempt, and no crash can tear the count.

Why no moment to die is a bad one. `append` makes the mark durable before the envelope: a mark without envelope was never
acknowledged and is passed over, and an envelope without mark and receipt cannot come from a crash (but from a copy of the
folder made while it was written: `recover` finds it). The bytes of a file are in place, durably, between the two: an envelope
has its original, and an original without envelope goes with its mark. `finish` writes the receipt before `close_entry` takes
the mark away: died in between, the entry is still in the work list. The mark of a dead entry moves to `dead/` by one rename,
and back by another; a dead mark without receipt is a retry that was cut off, and belongs to the work list too. An idempotency
key is claimed before its entry is written, under a lock that threads and processes share: died in between, the next append with
the key writes the entry under the claimed id.

Everything here may be called from any thread and, but for `WorkLog`'s methods, any process.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.folder_names import FOLDER_TIME_NS, FolderNames, PackedIds
from lattice_common.adapters.files.journal_codec import (
    Claim,
    decode,
    decode_entry,
    decode_reading,
    encode,
    encode_entry,
    encode_reading,
)
from lattice_common.adapters.files.journal_days import days, folder_of, ids_in, ids_with, is_id, names_in, time_of
from lattice_common.adapters.files.upload import FileUpload, clean_spool, original_suffix
from lattice_common.domain.capture import Capture, Entry, entry_id
from lattice_common.domain.reading import Reading
from lattice_common.domain.receipt import CaptureStatus, Receipt, State
from lattice_common.errors import Conflict, Corrupt, InvalidInput
from lattice_common.language.dates.reading import with_reading
from lattice_common.ports.journal import AgainMark, Plan, Upload

BARRED = b"barred"
"""Content of a deletion's mark: what it deleted must stay forgotten."""

DAYS_REMEMBERED = 4
"""Days whose ids are remembered for listings: those that are looked at, and a few that somebody turns back to."""

STALE_MARK_SECONDS = 3600
"""A mark without envelope is an append in flight for some milliseconds; after an hour its process is surely gone."""

MAX_EXAMINED = 5000
"""Entries examined for one page of a listing: a rare state makes short pages rather than a slow one (about 50 µs each)."""


class FileJournal:
    """`WorkLog` over the data folder `root`; those who only append and read use it as a `Journal`."""

    def __init__(self, root: Path) -> None:
        self._journal = root / "journal"
        self._open = self._journal / "open"
        self._dead = self._journal / "dead"
        self._keys = self._journal / "keys"
        self._spool = self._journal / "spool"
        self._again = self._journal / "again"
        self._deleted = self._journal / "deleted"
        self._days = FolderNames(_entries_of, DAYS_REMEMBERED)

    # -- what everybody may do

    def upload(self) -> FileUpload:
        return FileUpload(self._spool)

    def append(self, entry: Entry, upload: Upload | None = None) -> tuple[str, bool]:
        if not is_id(entry_id(entry)):
            raise InvalidInput(f"{entry_id(entry)!r} is no lower-case ULID: take the id from the clock")
        original = entry.original if isinstance(entry, Capture) else None
        if (original is None) != (upload is None) or not isinstance(upload, FileUpload | None):
            raise InvalidInput(f"{entry_id(entry)} has an original without bytes, or bytes without an original: send both")
        encode_entry(entry)  # what cannot be written must not claim its key
        if entry.idempotency_key is None:
            self._put(entry, upload)
            return entry_id(entry), True
        key = hashlib.sha256(entry.idempotency_key.encode()).hexdigest()
        shard = self._keys / key[:2]
        with _exclusive(shard):
            path = shard / f"{key}.json"
            claim = self._claim(path, entry)
            if not claim.is_of(entry.body_hash):
                raise Conflict(f"this idempotency key was used for {claim.entry_id}, which says something else: use a new key")
            envelope = self._path(claim.entry_id, ".json")
            if envelope.exists():
                durable.fsync_dir(shard)  # whoever wrote them may have died before these two
                durable.fsync_dir(envelope.parent)
                return claim.entry_id, False
            self._put(_under(entry, claim.entry_id), upload)
            return claim.entry_id, True

    def read(self, entry_id: str) -> Entry | None:
        entry = self._entry(entry_id)
        if isinstance(entry, Capture) and entry.original is not None:
            reading = self.read_reading(entry_id)
            return entry if reading is None else with_reading(entry, reading)
        return entry

    def original_path(self, entry_id: str) -> Path | None:
        entry = self._entry(entry_id)
        if not isinstance(entry, Capture) or entry.original is None:
            return None
        path = self._path(entry_id, original_suffix(entry.original.name))
        return path if path.is_file() and not path.is_symlink() else None

    def status(self, entry_id: str) -> CaptureStatus | None:
        receipt = self.receipt(entry_id)
        if receipt is not None:
            return CaptureStatus(
                capture_id=entry_id,
                state=receipt.state,
                attempts=receipt.attempts,
                receipt=receipt,
                reason=receipt.reason,
                received_at=time_of(entry_id),
            )
        path = self._path_or_none(entry_id, ".json")
        if path is None or not path.exists():
            return None
        attempts = self._attempts(entry_id)
        if attempts is None:  # no mark: it was finished since the receipt was looked for, unless the folder was copied
            receipt = self.receipt(entry_id)
            if receipt is not None:
                return self.status(entry_id)
        state: State = "working" if attempts else "waiting"
        return CaptureStatus(capture_id=entry_id, state=state, attempts=attempts or 0, received_at=time_of(entry_id))

    def receipt(self, entry_id: str) -> Receipt | None:
        content = self._content(entry_id, ".receipt.json")
        return None if content is None else decode(Receipt, content, f"receipt of {entry_id}")

    def open_ids(self) -> list[str]:
        """Return the ids of unfinished entries, oldest first, including those with a receipt that are not closed yet."""
        ids = {each for each in ids_in(self._open) if self._path(each, ".json").exists()}
        ids |= {each for each in ids_in(self._dead) if not self._path(each, ".receipt.json").exists()}
        return sorted(ids)

    def entries(self, *, newest_first: bool = True) -> Iterator[str]:
        for folder in days(self._journal, newest_first=newest_first):
            yield from ids_with(names_in(folder), ".json")[:: -1 if newest_first else 1]

    def newest(self) -> datetime | None:
        """Return when the newest entry was received; None when there is none."""
        return next(map(time_of, self.entries()), None)

    def listing(self, *, state: State | None, limit: int, cursor: str | None) -> tuple[list[CaptureStatus], str | None]:
        """Return a page of captures, newest first, and the cursor to go on with.

        Reads the receipts of the page; the names of a day are listed where something in it changed. A page may be shorter than
        `limit` though there is a cursor: at most `MAX_EXAMINED` entries are looked at for one. Those whose receipt the disk
        changed are left out.
        """
        page: list[CaptureStatus] = []
        for examined, each in enumerate(self._candidates(state, cursor), start=1):
            try:
                status = self.status(each)
            except Corrupt:
                status = None
            if status is not None and (state is None or status.state == state):
                page.append(status)
            if len(page) == limit or examined == MAX_EXAMINED:
                return page, each
        return page, None

    def retry(self, entry_id: str) -> bool:
        path = self._path_or_none(entry_id, ".receipt.json")
        if path is None or not self._dead.exists():
            return False
        mark = self._dead / entry_id
        with _exclusive(self._dead):
            receipt = self.receipt(entry_id)
            if not mark.exists() or (receipt is not None and receipt.state != "dead"):
                return False
            _reset(mark)  # first: a retry that is cut off after the next step must not begin with its attempts used up
            durable.remove(path)
            with contextlib.suppress(FileNotFoundError):  # the writer's sweep was quicker
                durable.move(mark, self._open / entry_id)
            return True

    # -- what only the writer may do

    def begin(self, entry_id: str) -> int:
        mark = self._open / entry_id
        if not mark.exists():
            with contextlib.suppress(FileNotFoundError):  # it is no retry, or the one who retries was quicker
                durable.move(self._dead / entry_id, mark)
        durable.append(mark, b".")
        return mark.stat().st_size

    def begin_each(self, entry_ids: Sequence[str]) -> list[int]:
        marks = [self._open / each for each in entry_ids]
        for each, mark in zip(entry_ids, marks, strict=True):
            if not mark.exists():
                with contextlib.suppress(FileNotFoundError):
                    durable.move(self._dead / each, mark)
        durable.append_each(marks, b".")
        return [mark.stat().st_size for mark in marks]

    def absolve(self, entry_id: str) -> None:
        durable.write(self._open / entry_id, b"")

    def write_reading(self, entry_id: str, reading: Reading) -> None:
        path = self._path(entry_id, ".reading.json")
        if not path.exists():
            durable.write(path, encode_reading(reading))

    def read_reading(self, entry_id: str) -> Reading | None:
        content = self._content(entry_id, ".reading.json")
        return None if content is None else decode_reading(content, f"reading of {entry_id}")

    def write_plan(self, plan: Plan) -> None:
        durable.write(self._path(plan.capture_id, ".plan.json"), encode(plan))

    def write_plans(self, plans: Sequence[Plan]) -> None:
        durable.write_many((str(self._path(plan.capture_id, ".plan.json")), encode(plan)) for plan in plans)

    def read_plan(self, entry_id: str) -> Plan | None:
        content = self._content(entry_id, ".plan.json")
        return None if content is None else decode(Plan, content, f"plan of {entry_id}")

    def mark_again(self, mark: AgainMark) -> None:
        durable.write(self._again / mark.capture_id, encode(mark))

    def again(self, capture_id: str) -> AgainMark | None:
        if not is_id(capture_id):
            return None
        try:
            return decode(AgainMark, durable.read(self._again / capture_id), f"mark to read {capture_id} again")
        except FileNotFoundError:
            return None

    def again_ids(self) -> list[str]:
        return sorted(ids_in(self._again))

    def clear_again(self, capture_id: str) -> None:
        durable.remove(self._again / capture_id)

    def mark_deleted(self, commands: Mapping[str, bool]) -> None:
        durable.write_many((str(self._deleted / each), BARRED if barred else b"") for each, barred in commands.items())

    def deleted(self) -> dict[str, bool]:
        return {each: durable.read(self._deleted / each) == BARRED for each in self.deleted_ids()}

    def deleted_ids(self) -> list[str]:
        return sorted(ids_in(self._deleted))

    def each_deleted(self) -> Iterator[str]:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(self._deleted) as entries:
            yield from (entry.name for entry in entries if is_id(entry.name))

    def deletions_version(self) -> int | None:
        try:
            changed = self._deleted.stat().st_mtime_ns
        except FileNotFoundError:
            return 0
        return changed if abs(time.time_ns() - changed) > FOLDER_TIME_NS else None

    def clear_deleted(self, command_id: str) -> None:
        durable.remove(self._deleted / command_id)

    def finish(self, receipt: Receipt) -> None:
        """Write the receipt; one that is there already stays as it is, because an entry ends once."""
        path = self._path(receipt.capture_id, ".receipt.json")
        if not path.exists():
            durable.write(path, encode(receipt))

    def close_entry(self, entry_id: str) -> None:
        """Close an entry. A dead one keeps its plan: what it decided is committed, and a retry goes on from there."""
        receipt = self.receipt(entry_id)
        if receipt is None:
            raise Conflict(f"{entry_id} has no receipt, so it stays in the work list: finish it first")
        if receipt.state == "dead":
            with contextlib.suppress(FileNotFoundError):  # closed before
                durable.move(self._open / entry_id, self._dead / entry_id)
            return
        durable.remove(self._path(entry_id, ".plan.json"))
        durable.remove(self._open / entry_id)

    def end_each(self, receipts: Sequence[Receipt]) -> None:
        paths = [str(self._path(receipt.capture_id, ".receipt.json")) for receipt in receipts]
        missing = [(path, encode(receipt)) for path, receipt in zip(paths, receipts, strict=True) if not Path(path).exists()]
        durable.write_many(missing)
        dead = [receipt.capture_id for receipt in receipts if receipt.state == "dead"]
        closed = [receipt.capture_id for receipt in receipts if receipt.state != "dead"]
        for each in dead:
            self.close_entry(each)
        durable.remove_each([self._path(each, ".plan.json") for each in closed])
        durable.remove_each([self._open / each for each in closed])

    def recover(self) -> list[str]:
        """Clean up after a crash, once at the writer's start, and open the entries that have neither mark nor receipt.

        Such entries come from a backup that was copied from a folder in use. Return their ids. Reads names only: about 1 s for a
        million entries.
        """
        durable.clean_temporary(self._journal)
        self.sweep()
        self._drop_stale_marks()
        lost: list[str] = []
        for folder in days(self._journal, newest_first=False):
            names = set(names_in(folder))
            for name in sorted(names):
                each = name.removesuffix(".json")
                if not is_id(each) or f"{each}.receipt.json" in names or (self._open / each).exists():
                    continue
                # Its receipt may have come, and its mark gone, since the names were read.
                if (self._dead / each).exists() or self._path(each, ".receipt.json").exists():
                    continue
                durable.touch(self._open / each)
                lost.append(each)
        return lost

    # -- what is forgotten (`redaction`): for the writer

    def sweep(self) -> None:
        """Remove the bytes of files that no entry has and nobody is sending any more: their sender was killed. A forgetting would
        not find words in them."""
        clean_spool(self._spool)
        for each in ids_in(self._open):
            self._sweep_original(each)

    def _sweep_original(self, entry_id: str) -> None:
        envelope = self._path(entry_id, ".json")
        for name in names_in(envelope.parent) if not envelope.exists() else ():
            if name.startswith(f"{entry_id}.original"):
                durable.remove_unheld(envelope.parent / name, if_still=lambda: not envelope.exists())

    def read_as_appended(self, entry_id: str) -> Entry | None:
        """Return the entry alone: of a file without what a reader made of it."""
        return self._entry(entry_id)

    def replace_entry(self, entry: Entry) -> None:
        """Replace an entry by its redacted form. The hash of its idempotency claim is salted: the hash of a few words could be
        guessed."""
        former = self._entry(entry_id(entry))
        if former is not None and former.idempotency_key is not None:
            key = hashlib.sha256(former.idempotency_key.encode()).hexdigest()
            shard = self._keys / key[:2]
            with _exclusive(shard), contextlib.suppress(FileNotFoundError):
                path = shard / f"{key}.json"
                claim = decode(Claim, durable.read(path), f"idempotency key {path.name}")
                if claim.entry_id == entry_id(entry):
                    durable.write(path, encode(claim.salted()))
        durable.write(self._path(entry_id(entry), ".json"), encode_entry(entry))

    def replace_reading(self, entry_id: str, reading: Reading) -> None:
        """Replace a reading by its redacted form."""
        durable.write(self._path(entry_id, ".reading.json"), encode_reading(reading))

    def replace_receipt(self, receipt: Receipt) -> None:
        """Replace a receipt by its redacted form."""
        durable.write(self._path(receipt.capture_id, ".receipt.json"), encode(receipt))

    # -- how

    def _put(self, entry: Entry, upload: FileUpload | None) -> None:
        mark = self._open / entry_id(entry)
        durable.touch(mark)
        durable.failpoint("journal.append.marked")
        try:
            if upload is not None and isinstance(entry, Capture) and entry.original is not None:
                upload.move_to(self._path(entry.capture_id, original_suffix(entry.original.name)))
                durable.failpoint("journal.append.original")
            durable.write(self._path(entry_id(entry), ".json"), encode_entry(entry))
        except Exception:
            # Not acknowledged. Where even this fails the mark is passed over, and dropped at a later start; and where the
            # envelope is in place, though perhaps not durably, it is better remembered than not.
            if not self._path(entry_id(entry), ".json").exists():
                with contextlib.suppress(OSError):
                    self._drop_original(entry_id(entry))
                    mark.unlink()
            raise
        durable.failpoint("journal.append.done")

    def _entry(self, entry_id: str) -> Entry | None:
        """Return an entry as it was appended."""
        content = self._content(entry_id, ".json")
        return None if content is None else decode_entry(content, f"journal entry {entry_id}")

    def _drop_original(self, entry_id: str) -> None:
        """Remove the original of an entry that was never completed, whose exact name is not known any more."""
        folder = self._path(entry_id, ".json").parent
        for name in names_in(folder):
            if name.startswith(f"{entry_id}.original"):
                durable.remove(folder / name)

    def _claim(self, path: Path, entry: Entry) -> Claim:
        with contextlib.suppress(FileNotFoundError):
            return decode(Claim, durable.read(path), f"idempotency key {path.name}")
        claim = Claim(entry_id=entry_id(entry), body_hash=entry.body_hash)
        durable.write(path, encode(claim))
        durable.failpoint("journal.append.claimed")
        return claim

    def _candidates(self, state: State | None, cursor: str | None) -> Iterator[str]:
        match state:
            case "waiting" | "working":
                ids: Iterable[str] = reversed(self.open_ids())
            case "dead":
                ids = sorted(ids_in(self._dead), reverse=True)
            case _:
                ids = self._entries_before(cursor)
        return (each for each in ids if cursor is None or each < cursor)

    def _entries_before(self, cursor: str | None) -> Iterator[str]:
        last_day = None if cursor is None or not is_id(cursor) else self._path(cursor, ".json").parent
        for folder in days(self._journal, newest_first=True):
            if last_day is not None and folder > last_day:
                continue
            ids = self._days.of(folder)
            before = len(ids) if cursor is None else bisect_left(ids, cursor)
            yield from (ids[place] for place in range(before - 1, -1, -1))

    def _attempts(self, entry_id: str) -> int | None:
        for folder in (self._open, self._dead):
            with contextlib.suppress(FileNotFoundError):
                return (folder / entry_id).stat().st_size
        return None

    def _drop_stale_marks(self) -> None:
        for each in ids_in(self._open):
            mark, envelope = self._open / each, self._path(each, ".json")
            if envelope.exists() or time.time() - mark.stat().st_mtime < STALE_MARK_SECONDS:
                continue
            self._drop_original(each)
            durable.remove(mark)
            if envelope.exists():  # it was in flight after all (a clock that jumped, a machine that slept)
                durable.touch(mark)

    def _content(self, entry_id: str, suffix: str) -> bytes | None:
        path = self._path_or_none(entry_id, suffix)
        if path is None:
            return None
        try:
            return durable.read(path)
        except FileNotFoundError:
            return None

    def _path_or_none(self, entry_id: str, suffix: str) -> Path | None:
        """Return the path of an entry's file; None for what is no id, since it comes from URLs that anybody may type."""
        return self._path(entry_id, suffix) if is_id(entry_id) else None

    def _path(self, entry_id: str, suffix: str) -> Path:
        return Path(f"{folder_of(self._journal, entry_id)}/{entry_id}{suffix}")


def _entries_of(names: list[str]) -> PackedIds:
    return PackedIds(ids_with(names, ".json"))


def _under(entry: Entry, claimed_id: str) -> Entry:
    if isinstance(entry, Capture):
        return replace(entry, capture_id=claimed_id)
    return replace(entry, command_id=claimed_id)


@contextlib.contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    """Hold a lock among all threads and processes: flock distinguishes open file descriptions, and each caller has its own."""
    durable.make_folder(folder)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _reset(mark: Path) -> None:
    descriptor = os.open(mark, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
