"""The inbox: files that are dropped into a folder become captures.

One `look` takes what has come to rest: seen twice with the same size, time and inode, `settle_seconds` apart. The journal has it
before the file moves, under a key made of its bytes, path and time, so a crash in between takes nothing twice. A file ends in
`processed/`, or in `failed/` with the reason beside it; what cannot be read, or not yet, stays where it is and is counted.
No clock decides what is new, so one that goes back skips nothing. Not thread-safe: one watch calls it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pydantic import ValidationError

from lattice_common.capture.dropped import decode as decode_dropped
from lattice_common.capture.inbox_names import TEXT, ending_of, named, shown
from lattice_common.capture.plain_text import decode, is_text
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.domain.capture import Priority
from lattice_common.errors import Conflict, InvalidInput
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.inbox_folder import InboxFolder, Place, Seen, Strange

log = logger(__name__)

BATCH = 200
"""Files taken by one look: about a second of journal, between two chances to stop."""

BULK_FROM = 20
"""Ripe files at once from which they go as a bulk import, behind what is said by hand."""

WARN_SECONDS = 3600.0
"""About a file that stays unreadable, once an hour."""

Mark = tuple[int, int, int]


class Accept(Protocol):
    """`Lattice.accept`, as far as it is used here."""

    def __call__(
        self, request: IngestRequest, *, idempotency_key: str | None, channel: str | None, notes: tuple[str, ...]
    ) -> object: ...


@dataclass(frozen=True, slots=True)
class InboxState:
    """As of the last look. `waiting` will be taken, `later` are of kinds that are not read yet, `unreadable` lack permission,
    `strange` are no regular files; `taken` and `failed` count since the start."""

    waiting: int = 0
    later: int = 0
    unreadable: int = 0
    strange: int = 0
    taken: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Looked:
    """`more`: ripe files are left for another look, now. `pending`: some have not come to rest yet."""

    more: bool
    pending: bool


class Inbox:
    """`monotonic` is a clock in seconds that never goes back; `max_bytes` the longest text that is taken."""

    def __init__(
        self,
        folder: InboxFolder,
        accept: Accept,
        clock: Clock,
        monotonic: Callable[[], float],
        *,
        settle_seconds: float,
        max_bytes: int,
    ) -> None:
        self._folder = folder
        self._accept = accept
        self._clock = clock
        self._monotonic = monotonic
        self._settle_seconds = settle_seconds
        self._max_bytes = max_bytes
        self._since: dict[str, tuple[Mark, float]] = {}
        self._stuck: dict[str, Mark] = {}
        self._not_text: dict[str, Mark] = {}
        self._warned: dict[str, float] = {}
        self._taken = 0
        self._failed = 0
        self._state = InboxState()

    def state(self) -> InboxState:
        """Safe to call from any thread."""
        return self._state

    def look(self) -> Looked:
        """Take what has come to rest, `BATCH` files at most. Raises `Unavailable` when the journal cannot be written: what was
        not taken is taken by a later look."""
        found = list(self._folder.scan())
        files = [each for each in found if isinstance(each, Seen) and named(each.path) != "ignored"]
        strange = [each for each in found if isinstance(each, Strange)]
        for other in strange:
            self._warn(other.path, other.reason)
        wanted = [each for each in files if self._is_wanted(each)]
        ripe = [each for each in wanted if self._at_rest(each)]
        ripe.sort(key=lambda each: (each.mtime_ns, each.path))
        priority: Priority = "bulk" if len(ripe) > BULK_FROM else "interactive"
        self._forget(files)
        taken, unreadable = 0, 0
        for each in ripe[:BATCH]:
            if self._stuck.get(each.path) == _mark(each):
                unreadable += 1
                continue
            try:
                taken += self._take(each, priority)
            except PermissionError:
                unreadable += 1
                self._warn(each.path, "unreadable")
        self._state = InboxState(
            waiting=len(wanted) - taken - unreadable,
            later=len(files) - len(wanted),
            unreadable=unreadable,
            strange=len(strange),
            taken=self._taken,
            failed=self._failed,
        )
        return Looked(more=len(ripe) > BATCH, pending=len(wanted) > len(ripe))

    def _is_wanted(self, seen: Seen) -> bool:
        kind = named(seen.path)
        return kind in ("capture", "text") or (kind == "unnamed" and self._not_text.get(seen.path) != _mark(seen))

    def _at_rest(self, seen: Seen) -> bool:
        if named(seen.path) == "capture":
            return True  # written under another name and renamed: whole from the first
        mark, now = _mark(seen), self._monotonic()
        known = self._since.get(seen.path)
        if known is None or known[0] != mark:
            self._since[seen.path] = (mark, now)
            return False
        return now - known[1] >= self._settle_seconds

    def _take(self, seen: Seen, priority: Priority) -> bool:
        """Whether it is dealt with. Raises `PermissionError`, `Unavailable`."""
        content = self._folder.read(seen, self._max_bytes)
        if content is None:
            return False  # gone, or changed while it was read: the next look sees it as it is then
        if named(seen.path) == "unnamed" and not is_text(content):
            self._not_text[seen.path] = _mark(seen)
            return False
        try:
            note = self._keep(seen, content, priority)
        except InvalidInput as error:
            self._failed += 1
            log.warning("inbox_left", reason="failed", bytes=seen.size)
            return self._settle(seen, "failed", str(error))
        self._taken += 1
        log.info("inbox_taken", bytes=seen.size)
        return self._settle(seen, "processed", note)

    def _keep(self, seen: Seen, content: bytes, priority: Priority) -> str | None:
        """Journal it. What is to be said beside the file, if anything. Raises `InvalidInput`."""
        if named(seen.path) == "capture":
            dropped = decode_dropped(content, shown(seen.path))
            try:
                request = IngestRequest.model_validate(dropped.body)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"]) or "request"
                raise InvalidInput(f"`{where}` of it cannot be taken: {first['msg']}. Correct it and move it back.") from error
            self._journal(request, dropped.idempotency_key, ())
            return None
        if len(content) > self._max_bytes:
            limit = f"{self._max_bytes:,} bytes are the limit (LATTICE_MAX_TEXT_BYTES)"
            raise InvalidInput(f"It has {seen.size:,} bytes, and {limit}. Split it and put the parts into the inbox.")
        if not is_text(content):
            raise InvalidInput("It is named like text, but holds bytes that text does not have. Save it as text in UTF-8.")
        read = decode(content)
        if not read.text.strip():
            return "It is empty: there was nothing to remember."
        digest = hashlib.sha256(content).hexdigest()
        path = hashlib.sha256(seen.path.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._journal(request_for(seen, read.text, priority), f"inbox:{digest}:{path}:{seen.mtime_ns}", read.notes)
        return None

    def _journal(self, request: IngestRequest, key: str, notes: tuple[str, ...]) -> None:
        try:
            self._accept(request, idempotency_key=key, channel="inbox", notes=notes)
        except Conflict as error:
            # The journal has something else under this key: a file that was edited after `lc` wrote it.
            raise InvalidInput(f"{error}. Save it as a .txt with your changes to have it remembered.") from error

    def _settle(self, seen: Seen, place: Place, why: str | None) -> bool:
        """Move it away. What cannot be moved is not taken again while it stays as it is."""
        self._since.pop(seen.path, None)
        try:
            self._folder.settle(seen, place, self._clock.now().astimezone().date().isoformat(), why)
        except PermissionError:
            self._stuck[seen.path] = _mark(seen)
            raise
        return True

    def _forget(self, files: list[Seen]) -> None:
        """What is not there any more needs no memory here."""
        there = {each.path for each in files}
        for known in (self._since, self._stuck, self._not_text):
            for path in known.keys() - there:
                del known[path]

    def _warn(self, path: str, reason: str) -> None:
        now = self._monotonic()
        if now - self._warned.get(path, -WARN_SECONDS) >= WARN_SECONDS:
            if len(self._warned) > BATCH:
                self._warned = {each: at for each, at in self._warned.items() if now - at < WARN_SECONDS}
            self._warned[path] = now
            log.warning("inbox_left", reason=reason)


def request_for(seen: Seen, text: str, priority: Priority) -> IngestRequest:
    """A note of the owner's, as of the file's time. Its name is shown, and decides nothing but markdown or plain."""
    name = shown(seen.path.rpartition("/")[2])
    return IngestRequest(
        text=text,
        source_type=TEXT.get(ending_of(name)) if "." in name else None,
        priority=priority,
        metadata=CaptureMetadata(
            source_id=shown(seen.path),
            title=name,
            channel="inbox",
            observed_at=_time(seen),
        ),
    )


def _time(seen: Seen) -> str | None:
    """When it was last written, in this server's time zone; None for a time that no calendar has."""
    try:
        return datetime.fromtimestamp(seen.mtime_ns / 1e9).astimezone().isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return None


def _mark(seen: Seen) -> Mark:
    return (seen.size, seen.mtime_ns, seen.inode)
