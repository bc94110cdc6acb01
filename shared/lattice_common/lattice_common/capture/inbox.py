"""The inbox: files of any type that are dropped into a folder become captures.

One `look` takes what has come to rest: seen twice with the same size, time and inode, `settle_seconds` apart. The journal has its
bytes before anything else happens, under a key made of them, the path and the time, so a crash in between takes nothing twice. A
file stays where it is until its capture has ended: then it goes to `processed/`, or to `failed/` with the reason beside it. What
cannot be read, or not yet, stays and is counted. Whatever one file does, those beside it are taken: a defect that it meets here
sends it to `failed/`, and what cannot be moved is tried again later. No clock decides what is new, so one that goes back skips
nothing. What a program exported is known by its content and kept thing by thing, a few at each look; the account of all of it
lies beside it in the end. Not thread-safe: one watch calls it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, TypeAlias

from pydantic import ValidationError

from lattice_common.capture import dropped
from lattice_common.capture.importers.export import exported
from lattice_common.capture.importers.intake import OUTSTANDING, Intake, Keeper, Kept
from lattice_common.capture.inbox_names import named, shown
from lattice_common.capture.request import FileMetadata, IngestRequest
from lattice_common.capture.written import written_at
from lattice_common.causes import cause_of
from lattice_common.domain.capture import Priority
from lattice_common.domain.reading_notes import unread
from lattice_common.domain.receipt import Receipt
from lattice_common.errors import Conflict, Corrupt, InvalidInput, NotFound, Unavailable
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.inbox_folder import Destination, InboxFolder, Seen, Strange

log = logger(__name__)

BATCH = 200
"""Files taken by one look: about a second of journal, between two chances to stop."""

BULK_FROM = 20
"""From this many ripe files on they are a bulk import, read after what is said by hand."""

AT_ONCE = 8
"""Files of an import that are journaled at the same time: a disk under load took 5 ms for one flush after the other, and 0.3 ms
for each of eight at once."""

UNFINISHED_LOOKED_AT = 64
"""Captures end about in the order they were kept: when so many have not, the ones after them are asked for by a later look."""

LARGEST_DROPPED = 64_000_000
"""Bytes of a capture that `lc` left: the longest text there may be, and the JSON around it."""

WARN_SECONDS = 3600.0
"""The time between two warnings about the same unreadable file."""

MOVED_AGAIN_SECONDS = 600.0
"""The time after which moving a file is tried again: its folder may be mended, or the disk have room again."""

Mark = tuple[int, int, int]
DEFECT = "Lattice has a defect that this file shows: the log says where."


@dataclass(frozen=True, slots=True)
class InboxState:
    """As of the last look. `waiting` will be taken, of those that `reading` counts the receipt is not there yet, `unreadable`
    lack permission, `strange` are no regular files; `taken` and `failed` count since the start."""

    waiting: int = 0
    reading: int = 0
    unreadable: int = 0
    strange: int = 0
    taken: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Looked:
    """`more`: ripe files are left for another look, now. `pending`: some have not come to rest yet, or are not read yet."""

    more: bool
    pending: bool


@dataclass(frozen=True, slots=True)
class _Taken:
    """A file that is journaled: as it was then, as which capture, and what lies beside it and goes with it."""

    mark: Mark
    capture_id: str
    beside: Seen | None = None


@dataclass(frozen=True, slots=True)
class _Export:
    """An export that is being kept thing by thing: the file as it was then, open, and how far it is."""

    seen: Seen
    name: str
    file: IO[bytes]
    intake: Intake


@dataclass(frozen=True, slots=True)
class _Defect:
    """An unexpected error in journaling a file, which the log has: its message may quote the file."""


_Outcome: TypeAlias = _Taken | _Export | InvalidInput | OSError | Unavailable | _Defect | None


@dataclass(slots=True)
class _Counts:
    """Counts since the start."""

    taken: int = 0
    failed: int = 0


class _Rest:
    """Tells which files have come to rest: as they were `settle_seconds` ago."""

    def __init__(self, monotonic: Callable[[], float], settle_seconds: float) -> None:
        self._monotonic = monotonic
        self._settle_seconds = settle_seconds
        self._since: dict[str, tuple[Mark, float]] = {}

    def has_come_to(self, seen: Seen) -> bool:
        """Return whether the file rests; one that is new, or is not as it was, is noted."""
        if named(seen.path) == "capture":
            return True  # written under another name and renamed: whole from the first
        mark, now = _mark(seen), self._monotonic()
        known = self._since.get(seen.path)
        if known is None or known[0] != mark:
            self._since[seen.path] = (mark, now)
            return False
        return now - known[1] >= self._settle_seconds

    def remove(self, path: str) -> None:
        """Forget a file that was taken, or moved away."""
        self._since.pop(path, None)

    def keep_only(self, paths: Collection[str]) -> None:
        """Forget files that are not there any more."""
        for path in [path for path in self._since if path not in paths]:
            del self._since[path]


class _Unmoved:
    """Files that are done with and cannot be moved away: they are left alone for a while, and then tried again."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._until: dict[str, tuple[Mark, float]] = {}
        self._why: str | None = None

    def trouble(self) -> str | None:
        """Return why they stay where they are; None while there are none."""
        return self._why if self._until else None

    def holds(self, seen: Seen) -> bool:
        """Return whether the file, as it is, is left alone for now."""
        mark, until = self._until.get(seen.path, (None, 0.0))
        return mark == _mark(seen) and self._monotonic() < until

    def add(self, seen: Seen, why: str) -> None:
        """Leave the file alone for `MOVED_AGAIN_SECONDS`."""
        self._until[seen.path] = (_mark(seen), self._monotonic() + MOVED_AGAIN_SECONDS)
        self._why = why

    def remove(self, path: str) -> None:
        """Forget a file that was moved."""
        self._until.pop(path, None)

    def keep_only(self, paths: Collection[str]) -> None:
        """Forget files that are not there any more."""
        for path in [path for path in self._until if path not in paths]:
            del self._until[path]


class _Warnings:
    """Warns of a file once in `WARN_SECONDS`."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._warned: dict[str, float] = {}

    def __call__(self, path: str, reason: str) -> None:
        now = self._monotonic()
        if now - self._warned.get(path, -WARN_SECONDS) >= WARN_SECONDS:
            if len(self._warned) > BATCH:
                self._warned = {each: at for each, at in self._warned.items() if now - at < WARN_SECONDS}
            self._warned[path] = now
            log.warning("inbox_left", reason=reason)


@dataclass(frozen=True, slots=True)
class Portion:
    """How much one look takes: files, and items of an export; and how many receipts of an export may be waited for."""

    most: int = BATCH
    waiting: int = OUTSTANDING


class Inbox:
    """`monotonic` is a clock in seconds that never goes back. Text in one of `own_folders` is the owner's."""

    def __init__(
        self,
        folder: InboxFolder,
        keeper: Keeper,
        clock: Clock,
        monotonic: Callable[[], float],
        *,
        settle_seconds: float,
        own_folders: Sequence[str] = (),
        portion: Portion = Portion(),
    ) -> None:
        self._portion = portion
        self._own_folders = tuple(f"{each.strip('/')}/" for each in own_folders if each.strip("/"))
        self._folder = folder
        self._keeper = keeper
        self._clock = clock
        self._rest = _Rest(monotonic, settle_seconds)
        self._unmoved = _Unmoved(monotonic)
        self._reading: dict[str, _Taken] = {}
        self._exports: dict[str, _Export] = {}
        self._warn = _Warnings(monotonic)
        self._counts = _Counts()
        self._state = InboxState()

    def state(self) -> InboxState:
        """Return the state as of the last look. Safe to call from any thread."""
        return self._state

    def trouble(self) -> str | None:
        """Return why files that are done with stay where they are, as of the last look; None while they don't. Safe to call from
        any thread."""
        return self._unmoved.trouble()

    def look(self) -> Looked:
        """Take what has come to rest, a portion at most. Raise `Unavailable` when the journal cannot be written: what was not
        taken is taken by a later look."""
        found = list(self._folder.scan())
        files = {each.path: each for each in found if isinstance(each, Seen) and named(each.path) != "ignored"}
        strange = [each for each in found if isinstance(each, Strange)]
        for other in strange:
            self._warn(other.path, other.reason)
        self._forget(files)
        self._settle_finished(files)
        going_on = self._go_on_with_exports(files)
        busy = self._reading.keys() | self._exports.keys()
        wanted = [each for each in files.values() if each.path not in busy and named(each.path) != "beside"]
        stuck = {each.path for each in wanted if self._unmoved.holds(each)}
        wanted = [each for each in wanted if each.path not in stuck]
        ripe = [each for each in wanted if self._rest.has_come_to(each)]
        ripe.sort(key=lambda each: (each.mtime_ns, each.path))
        priority: Priority = "bulk" if len(ripe) > BULK_FROM else "interactive"
        taken, unreadable = 0, len(stuck)
        away: Unavailable | None = None
        for each, outcome in zip(ripe, self._journaled(ripe[: self._portion.most], files, priority), strict=False):
            match outcome:
                case OSError():
                    unreadable += 1
                    self._warn(each.path, "unreadable")
                case Unavailable():
                    away = outcome
                case _:
                    taken += self._note(each, outcome)
        if away is not None:
            raise away
        self._settle_finished(files)
        self._state = InboxState(
            waiting=len(wanted) - taken,
            reading=len(self._reading) + len(self._exports),
            unreadable=unreadable,
            strange=len(strange),
            taken=self._counts.taken,
            failed=self._counts.failed,
        )
        first = next(iter(self._exports.values()), None)
        begun = first is not None and not first.intake.waiting
        return Looked(
            more=len(ripe) > self._portion.most or going_on or begun,
            pending=len(wanted) > len(ripe) or bool(self._reading or self._exports),
        )

    def _journaled(self, batch: Sequence[Seen], files: Mapping[str, Seen], priority: Priority) -> Iterable[_Outcome]:
        """Return what became of each. Many go at once, for they mostly wait for the disk, which flushes several as quickly as
        one; a few go one after the other, in the order they were written."""
        if priority == "interactive":
            return [self._journal(seen, files, priority) for seen in batch]
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="inbox") as pool:
            return list(pool.map(lambda seen: self._journal(seen, files, priority), batch))

    def _journal(self, seen: Seen, files: Mapping[str, Seen], priority: Priority) -> _Outcome:
        """Return None for what is gone, or changed while it was read: the next look sees it as it is then."""
        try:
            return self._dropped(seen, files) if named(seen.path) == "capture" else self._file(seen, priority)
        except (InvalidInput, OSError, Unavailable) as error:
            return error
        except Exception:
            # A defect of ours that this file shows: it must not keep the others from being taken, now and at each later look.
            log.exception("inbox_left", reason="failed")
            return _Defect()

    def _note(self, seen: Seen, outcome: _Taken | _Export | InvalidInput | _Defect | None) -> bool:
        """Return whether it is dealt with."""
        match outcome:
            case None:
                return False
            case InvalidInput():
                self._counts.failed += 1
                log.warning("inbox_left", reason="failed", bytes=seen.size)
                self._settle(seen, "failed", str(outcome))
            case _Defect():
                self._counts.failed += 1
                self._settle(seen, "failed", f"{DEFECT} Put it in again after an update.")
            case _Export():
                self._rest.remove(seen.path)
                self._exports[seen.path] = outcome
                self._counts.taken += 1
                log.info("inbox_taken", bytes=seen.size)
            case _Taken():
                self._rest.remove(seen.path)
                self._reading[seen.path] = outcome
                self._counts.taken += 1
                log.info("inbox_taken", bytes=seen.size)
        return True

    def _file(self, seen: Seen, priority: Priority) -> _Taken | _Export | None:
        """Journal a file, or begin with an export. Raise `InvalidInput`."""
        if (export := self._begun_export(seen)) is not None:
            return export
        with self._keeper.receiving() as incoming:
            if not self._folder.copy(seen, incoming.write):
                return None
            path = hashlib.sha256(seen.path.encode("utf-8", "surrogateescape")).hexdigest()[:32]
            key = f"inbox:{incoming.sha256()}:{path}:{seen.mtime_ns}"
            kept = self._kept(
                lambda: self._keeper.accept_file(
                    incoming,
                    seen.path,
                    metadata_for(seen, priority),
                    idempotency_key=key,
                    channel="inbox",
                    own=seen.path.startswith(self._own_folders),
                )
            )
        return _Taken(_mark(seen), kept.status.capture_id)

    def _begun_export(self, seen: Seen) -> _Export | None:
        """Return the file as an export, with nothing kept as yet; None for any other file."""
        file = self._folder.open(seen)
        if file is None:
            return None
        name = shown(seen.path.rpartition("/")[2])
        own = True if seen.path.startswith(self._own_folders) else None
        found = None
        try:
            found = exported(name, file, seen.size, own=own)
        finally:
            if found is None:
                file.close()
        return None if found is None else _Export(seen, name, file, Intake(found, self._keeper, "inbox", self._portion.waiting))

    def _go_on_with_exports(self, files: dict[str, Seen]) -> bool:
        """Keep some more things of the export that came first, and settle those that have ended, out of `files` too; return
        whether more can be kept at once. Raise `Unavailable`."""
        for path, export in list(self._exports.items()):
            intake, why = export.intake, ""
            try:
                intake.go_on(self._portion.most)
            except Unavailable:
                raise
            except (InvalidInput, OSError) as error:
                why = f"It could not be read to its end: {cause_of(error)}. "
            except Exception:
                # A defect of ours that this export shows: what was kept of it stays kept, and the next one is begun with.
                log.exception("inbox_left", reason="failed")
                why = f"{DEFECT} "
            if not why and not (intake.is_through and not intake.waiting):
                return intake.has_room
            self._end_export(files.pop(path), export, why)
        return False

    def _end_export(self, seen: Seen, export: _Export, why: str) -> None:
        del self._exports[seen.path]
        export.file.close()
        account = export.intake.account
        self._counts.failed += bool(why)
        told = [f"{why}{account.told()}", *account.named]
        if account.stored:
            told.append(f'Take all of it back with: lattice import undo "{account.source_id or export.name}"')
        self._settle(seen, "failed" if why else "processed", "\n".join(told))

    def _dropped(self, seen: Seen, files: Mapping[str, Seen]) -> _Taken | None:
        """Journal what `lc` left here, with the file beside it where there is one. Raise `InvalidInput`."""
        content = self._folder.read(seen, LARGEST_DROPPED)
        if content is None:
            return None
        left = dropped.decode(content, shown(seen.path))
        kind = IngestRequest if left.name is None else FileMetadata
        try:
            request = kind.model_validate(left.body)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "request"
            raise InvalidInput(f"`{where}` of it cannot be taken: {first['msg']}. Correct it and move it back.") from error
        if isinstance(request, IngestRequest):
            kept = self._kept(lambda: self._keeper.accept(request, idempotency_key=left.idempotency_key, channel="inbox"))
            return _Taken(_mark(seen), kept.status.capture_id)
        beside = files.get(dropped.beside(seen.path))
        if beside is None:
            raise InvalidInput(f"The file that belongs to it, {shown(dropped.beside(seen.path))}, is not there. Give it again.")
        with self._keeper.receiving() as incoming:
            if not self._folder.copy(beside, incoming.write):
                return None
            kept = self._kept(
                lambda: self._keeper.accept_file(
                    incoming, left.name or "", request, idempotency_key=left.idempotency_key, channel="inbox"
                )
            )
        return _Taken(_mark(seen), kept.status.capture_id, beside)

    def _kept(self, keep: Callable[[], Kept]) -> Kept:
        try:
            return keep()
        except Conflict as error:
            # The journal has something else under this key: a capture that was edited after `lc` wrote it.
            raise InvalidInput(f"{error}. Save it as a .txt with your changes to have it remembered.") from error

    def _settle_finished(self, files: dict[str, Seen]) -> None:
        """Move away what has its receipt, out of `files` too."""
        unfinished = 0
        for path, taken in list(self._reading.items()):
            if unfinished >= UNFINISHED_LOOKED_AT:
                break
            try:
                receipt = self._keeper.capture(taken.capture_id).receipt
            except NotFound:  # forgotten meanwhile: nothing comes of it any more
                del self._reading[path]
                continue
            except Corrupt:  # its receipt cannot be read: `lattice doctor` names it, and the others are settled
                self._warn(path, "its receipt cannot be read")
                unfinished += 1
                continue
            if receipt is None:
                unfinished += 1
                continue
            del self._reading[path]
            place, why = _end(receipt)
            self._counts.failed += place == "failed"
            if self._settle(files.pop(path), place, why) and taken.beside is not None:
                self._settle(taken.beside, place, None)

    def _settle(self, seen: Seen, place: Destination, why: str | None) -> bool:
        """Move a file away, and return whether that worked. A file that cannot be moved is left alone for a while."""
        self._rest.remove(seen.path)
        try:
            self._folder.settle(seen, place, self._clock.now().astimezone().date().isoformat(), why)
        except (OSError, Unavailable) as error:
            self._unmoved.add(seen, f"files that are done with cannot be moved to `{place}`: {cause_of(error)}")
            self._warn(seen.path, "cannot be moved")
            return False
        self._unmoved.remove(seen.path)
        return True

    def _forget(self, files: Mapping[str, Seen]) -> None:
        """Drop what is remembered of files that are gone; a file that was replaced is another one."""
        self._rest.keep_only(files.keys())
        self._unmoved.keep_only(files.keys())
        gone = [path for path, taken in self._reading.items() if path not in files or _mark(files[path]) != taken.mark]
        for path in gone:
            del self._reading[path]
        for path in [path for path, each in self._exports.items() if path not in files or _mark(files[path]) != _mark(each.seen)]:
            self._exports.pop(path).file.close()  # what was kept of it is known by its key, if it is dropped again

    def close(self) -> None:
        """Close the exports that are being read: the next start begins them anew, and knows by their keys what was stored."""
        while self._exports:
            self._exports.popitem()[1].file.close()


def metadata_for(seen: Seen, priority: Priority) -> FileMetadata:
    """Return what is known of a file in the inbox: where it lay, and when it was last written."""
    return FileMetadata(source_id=shown(seen.path), channel="inbox", observed_at=_time(seen), priority=priority)


def _end(receipt: Receipt) -> tuple[Destination, str | None]:
    """Return where a file goes, and the explanation that is written beside it."""
    match receipt.state:
        case "rejected":
            return "failed", receipt.reason
        case "dead":
            return "failed", f"It is kept, but could not be read: {receipt.reason}"
        case "stored" | "duplicate":
            if "empty" in receipt.notes:
                return "processed", "It is empty: there was nothing to remember."
            return "processed", " ".join(unread(receipt.notes)) or None


def _time(seen: Seen) -> str | None:
    """Return when a file was last written, in the local time zone; None for a time that no calendar has."""
    try:
        return written_at(seen.mtime_ns / 1e9)
    except (OverflowError, ValueError, OSError):
        return None


def _mark(seen: Seen) -> Mark:
    return (seen.size, seen.mtime_ns, seen.inode)
