"""The journal as files: what makes a 202 a promise.

    journal/2026/11/20/<id>.json           the envelope, never changed          journal/open/<id>   one mark per unfinished entry
                      /<id>.plan.json      the redo log of ingest               journal/dead/<id>   one mark per dead entry
                      /<id>.receipt.json   how it ended                         journal/keys/<2 hex>/<sha256 of the key>.json

Days are those of the id's time (a ULID), in UTC. A mark is as many bytes long as attempts were begun, so that one appended byte
and one fsync count an attempt, and no crash can tear the count.

Why no moment to die is a bad one. `append` makes the mark durable before the envelope: a mark without envelope was never
acknowledged and is passed over, and an envelope without mark and receipt cannot come from a crash (but from a copy of the folder
made while it was written: `recover` finds it). `finish` writes the receipt before `close_entry` takes the mark away: died in
between, the entry is still in the work list. The mark of a dead entry moves to `dead/` by one rename, and back by another; a dead
mark without receipt is a retry that was cut off, and belongs to the work list too. An idempotency key is claimed before its entry
is written, under a lock that threads and processes share: died in between, the next append with the key writes the entry under
the claimed id.

Everything here may be called from any thread and, but for `WorkLog`'s methods, any process.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.journal_codec import Claim, decode, decode_entry, encode, encode_entry
from lattice_common.domain.capture import Capture, Entry, entry_id
from lattice_common.domain.receipt import CaptureStatus, Receipt, State
from lattice_common.errors import Conflict, InvalidInput
from lattice_common.ports.journal import Plan

STALE_MARK_SECONDS = 3600
"""A mark without envelope is an append in flight for some milliseconds; after an hour its process is surely gone."""

MAX_EXAMINED = 5000
"""Entries looked at for one page of a listing: a rare state makes short pages rather than a slow one (about 50 µs each)."""

_DIGITS = str.maketrans("0123456789abcdefghjkmnpqrstvwxyz", "0123456789abcdefghijklmnopqrstuv")
"""From Crockford's base 32, which ULIDs are written in, to the one that `int` reads."""

_DAY = 24 * 60 * 60 * 1000
_END_OF_TIME = 253_402_300_800_000
"""The year 10,000 in milliseconds: ULIDs go on to 10,889, dates do not."""

_ID = re.compile("[0-7][0-9a-hjkmnp-tv-z]{25}")


class FileJournal:
    """`WorkLog` over the data folder `root`; those who only append and look use it as a `Journal`."""

    def __init__(self, root: Path) -> None:
        self._journal = root / "journal"
        self._open = self._journal / "open"
        self._dead = self._journal / "dead"
        self._keys = self._journal / "keys"

    # -- what everybody may do

    def append(self, entry: Entry) -> tuple[str, bool]:
        if not _is_id(entry_id(entry)):
            raise InvalidInput(f"{entry_id(entry)!r} is no lower-case ULID: take the id from the clock")
        encode_entry(entry)  # what cannot be written must not claim its key
        if entry.idempotency_key is None:
            self._put(entry)
            return entry_id(entry), True
        key = hashlib.sha256(entry.idempotency_key.encode()).hexdigest()
        shard = self._keys / key[:2]
        with _exclusive(shard):
            path = shard / f"{key}.json"
            claim = self._claim(path, entry)
            if claim.body_hash != entry.body_hash:
                raise Conflict(f"this idempotency key was used for {claim.entry_id}, which says something else: use a new key")
            envelope = self._path(claim.entry_id, ".json")
            if envelope.exists():
                durable.fsync_dir(shard)  # whoever wrote them may have died before these two
                durable.fsync_dir(envelope.parent)
                return claim.entry_id, False
            self._put(_under(entry, claim.entry_id))
            return claim.entry_id, True

    def read(self, entry_id: str) -> Entry | None:
        content = self._content(entry_id, ".json")
        return None if content is None else decode_entry(content, f"journal entry {entry_id}")

    def status(self, entry_id: str) -> CaptureStatus | None:
        receipt = self.receipt(entry_id)
        if receipt is not None:
            return CaptureStatus(
                capture_id=entry_id,
                state=receipt.state,
                attempts=receipt.attempts,
                receipt=receipt,
                reason=receipt.reason,
                received_at=_time_of(entry_id),
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
        return CaptureStatus(capture_id=entry_id, state=state, attempts=attempts or 0, received_at=_time_of(entry_id))

    def receipt(self, entry_id: str) -> Receipt | None:
        content = self._content(entry_id, ".receipt.json")
        return None if content is None else decode(Receipt, content, f"receipt of {entry_id}")

    def open_ids(self) -> list[str]:
        """Unfinished entries, oldest first; those whose receipt is written but which are not closed yet belong to them."""
        ids = {each for each in _ids_in(self._open) if self._path(each, ".json").exists()}
        ids |= {each for each in _ids_in(self._dead) if not self._path(each, ".receipt.json").exists()}
        return sorted(ids)

    def entries(self, *, newest_first: bool = True) -> Iterator[str]:
        for folder in _days(self._journal, newest_first=newest_first):
            ids = [name.removesuffix(".json") for name in _names(folder) if name.endswith(".json")]
            yield from sorted((each for each in ids if _is_id(each)), reverse=newest_first)

    def listing(self, *, state: State | None, limit: int, cursor: str | None) -> tuple[list[CaptureStatus], str | None]:
        """A page may be shorter than `limit` though there is a cursor: at most `MAX_EXAMINED` entries are looked at for one."""
        page: list[CaptureStatus] = []
        for examined, each in enumerate(self._candidates(state, cursor), start=1):
            status = self.status(each)
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

    def absolve(self, entry_id: str) -> None:
        durable.write(self._open / entry_id, b"")

    def write_plan(self, plan: Plan) -> None:
        durable.write(self._path(plan.capture_id, ".plan.json"), encode(plan))

    def read_plan(self, entry_id: str) -> Plan | None:
        content = self._content(entry_id, ".plan.json")
        return None if content is None else decode(Plan, content, f"plan of {entry_id}")

    def finish(self, receipt: Receipt) -> None:
        """A receipt that is there already stays as it is: an entry ends once."""
        path = self._path(receipt.capture_id, ".receipt.json")
        if not path.exists():
            durable.write(path, encode(receipt))

    def close_entry(self, entry_id: str) -> None:
        """A dead entry keeps its plan: what it decided is committed, and a retry goes on from there."""
        receipt = self.receipt(entry_id)
        if receipt is None:
            raise Conflict(f"{entry_id} has no receipt, so it stays in the work list: finish it first")
        if receipt.state == "dead":
            with contextlib.suppress(FileNotFoundError):  # closed before
                durable.move(self._open / entry_id, self._dead / entry_id)
            return
        durable.remove(self._path(entry_id, ".plan.json"))
        durable.remove(self._open / entry_id)

    def recover(self) -> list[str]:
        """For the writer, once at its start: clean up what a crash left, and open the entries that have neither mark nor receipt.

        Those come from a backup made by copying the folder while it was in use. Returns their ids. Reads names only: about
        1 s for a million entries.
        """
        durable.clean_temporary(self._journal)
        self._drop_stale_marks()
        lost: list[str] = []
        for folder in _days(self._journal, newest_first=False):
            names = set(_names(folder))
            for name in sorted(names):
                each = name.removesuffix(".json")
                if not _is_id(each) or f"{each}.receipt.json" in names or (self._open / each).exists():
                    continue
                # Its receipt may have come, and its mark gone, since the names were read.
                if (self._dead / each).exists() or self._path(each, ".receipt.json").exists():
                    continue
                durable.touch(self._open / each)
                lost.append(each)
        return lost

    # -- how

    def _put(self, entry: Entry) -> None:
        mark = self._open / entry_id(entry)
        durable.touch(mark)
        durable.failpoint("journal.append.marked")
        try:
            durable.write(self._path(entry_id(entry), ".json"), encode_entry(entry))
        except Exception:
            # Not acknowledged. Where even this fails the mark is passed over, and dropped at a later start; and where the
            # envelope is in place, though perhaps not durably, it is better remembered than not.
            if not self._path(entry_id(entry), ".json").exists():
                with contextlib.suppress(OSError):
                    mark.unlink()
            raise
        durable.failpoint("journal.append.done")

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
                ids = sorted(_ids_in(self._dead), reverse=True)
            case _:
                ids = self._entries_before(cursor)
        return (each for each in ids if cursor is None or each < cursor)

    def _entries_before(self, cursor: str | None) -> Iterator[str]:
        last_day = None if cursor is None or not _is_id(cursor) else self._path(cursor, ".json").parent
        for folder in _days(self._journal, newest_first=True):
            if last_day is not None and folder > last_day:
                continue
            ids = [name.removesuffix(".json") for name in _names(folder) if name.endswith(".json")]
            yield from sorted((each for each in ids if _is_id(each)), reverse=True)

    def _attempts(self, entry_id: str) -> int | None:
        for folder in (self._open, self._dead):
            with contextlib.suppress(FileNotFoundError):
                return (folder / entry_id).stat().st_size
        return None

    def _drop_stale_marks(self) -> None:
        for each in _ids_in(self._open):
            mark, envelope = self._open / each, self._path(each, ".json")
            if envelope.exists() or time.time() - mark.stat().st_mtime < STALE_MARK_SECONDS:
                continue
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
        """None for what is no id: it comes from addresses that anybody may type."""
        return self._path(entry_id, suffix) if _is_id(entry_id) else None

    def _path(self, entry_id: str, suffix: str) -> Path:
        return Path(f"{self._journal}/{_day(_milliseconds(entry_id) // _DAY)}/{entry_id}{suffix}")


def _time_of(entry_id: str) -> datetime:
    """When an entry was received, to the millisecond: its id says so."""
    return datetime.fromtimestamp(_milliseconds(entry_id) / 1000, UTC)


def _is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None and _milliseconds(text) < _END_OF_TIME


def _milliseconds(entry_id: str) -> int:
    return int(entry_id[:10].translate(_DIGITS), 32)


@functools.lru_cache(maxsize=4096)
def _day(days: int) -> str:
    """The folder of a day, counted from 1970."""
    return (date(1970, 1, 1) + timedelta(days=days)).strftime("%Y/%m/%d")


def _under(entry: Entry, claimed_id: str) -> Entry:
    if isinstance(entry, Capture):
        return replace(entry, capture_id=claimed_id)
    return replace(entry, command_id=claimed_id)


@contextlib.contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    """One at a time among all threads and processes: flock tells open file descriptions apart, and each has its own."""
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


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - names are all that is needed, for a million of them ten times faster than paths
    except (FileNotFoundError, NotADirectoryError):
        return []


def _ids_in(folder: Path) -> list[str]:
    return [name for name in _names(folder) if _is_id(name)]


def _days(journal: Path, *, newest_first: bool) -> Iterator[Path]:
    """The folders of days that there are, in order."""

    def numbered(folder: Path) -> list[Path]:
        return [folder / name for name in sorted(filter(str.isdecimal, _names(folder)), reverse=newest_first)]

    for year in numbered(journal):
        for month in numbered(year):
            yield from numbered(month)
