"""Who told, asked, changed and exported, and from which device: `logs/audit.jsonl`. Never a word of the content.

A line is `{at, who, did, route, status, address, program, trace_id}`. `who` is the name of a token, of the one that a browser
signed in with, or what stands for them (`access.Holder`); `route` is the pattern of the path, because paths contain names;
`program` is the first word of the user agent. Lines older than `days` are removed, once a day, and not because a clock is ahead.

Lines are written by a thread of their own, in order and within a moment, so that no answer waits for the disk. On a full disk
they are lost; the log of the process says so once.
"""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

from lattice_common.adapters.files.confirmed_age import confirmed
from lattice_common.domain.capture import JsonValue
from lattice_common.errors import LatticeError
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.line_log import LineLog

log = logger(__name__)

NAME = "audit"
LOOK = Path("logs", "audit-look.json")
"""The name of the log, and where in the data folder it is noted when it was looked through."""

Did: TypeAlias = Literal["told", "asked", "looked", "changed", "exported", "access", "refused"]
"""`looked` is memories listed or opened, `access` tokens and sign-ins, `refused` what a known token may not do."""

TOLD = frozenset({"/api/ingest", "/api/ingest-file", "/api/imports", "/api/capture-log"})
ASKED = frozenset({"/api/select", "/api/answer", "/api/query", "/api/intent"})
EXPORTED = frozenset(
    {
        "/api/backup",
        "/api/captures/{capture_id}/original",
        "/api/captures/{capture_id}/text",
        "/api/export",
        "/api/learn/export",
        "/calendar/{token}.ics",
    }
)
LOOKED = (
    "/api/archive",
    "/api/atoms",
    "/api/chat/",
    "/api/unread",
    "/api/conflicts",
    "/api/difference",
    "/api/entit",
    "/api/feedback",
    "/api/graph/",
    "/api/names",
    "/api/profile",
    "/api/rejected",
    "/api/review",
    "/api/sources/",
    "/api/timeline",
    "/api/today",
    "/api/topic/",
    "/api/trace/",
    "/api/trash",
)
"""Beginnings of paths that return memories or the owner's words; not what the page listens to all day (`/api/changes`), and what
returns states and counts."""

MOST_WAITING = 10_000
"""Lines that wait for the disk; more are dropped, so that memory stays bounded."""

_PROGRAM = re.compile(r"[A-Za-z0-9._-]{1,40}")


@dataclass(frozen=True, slots=True)
class Device:
    """The peer of the connection, and its user agent."""

    address: str
    user_agent: str

    @property
    def program(self) -> str:
        found = _PROGRAM.match(self.user_agent)
        return found[0] if found else ""


def did(method: str, route: str, status: int) -> Did | None:
    """Return what a request did; None for what is not recorded."""
    if status in (401, 403):
        return "refused"
    if route in TOLD and method == "POST":
        return "told"
    if route in ASKED:
        return "asked"
    if route in EXPORTED:
        return "exported"
    if method in ("GET", "HEAD"):
        return "looked" if route.startswith(LOOKED) else None
    return "access" if route.startswith(("/api/tokens", "/api/log")) else "changed"


class Audit:
    """Thread-safe. With `days` 0 nothing is recorded. `close` waits for what is being written. `look` is the record of when lines
    were last looked through for their age."""

    def __init__(self, lines: LineLog, clock: Clock, days: int, look: Path) -> None:
        self._lines = lines
        self._clock = clock
        self.days = days
        self._look = look
        self._waiting: queue.Queue[dict[str, JsonValue] | None] = queue.Queue(MOST_WAITING)
        self._swept: datetime | None = None
        self._said = False
        self._thread = threading.Thread(target=self._run, name="lattice-audit", daemon=True)
        self._starting = threading.Lock()

    def note(self, who: str, device: Device, method: str, route: str, status: int, trace_id: str) -> None:
        """Record a request, where it is one that is recorded."""
        what = did(method, route, status)
        if what is None or self.days == 0:
            return
        line: dict[str, JsonValue] = {
            "at": _stamp(self._clock.now()),
            "who": who,
            "did": what,
            "route": f"{method} {route}",
            "status": status,
            "address": device.address,
            "program": device.program,
            "trace_id": trace_id,
        }
        try:
            self._waiting.put_nowait(line)
        except queue.Full:
            self._say()
            return
        with self._starting:
            if self._thread.ident is None:
                self._thread.start()

    def newest(
        self, *, who: str | None = None, what: Did | None = None, since: datetime | None = None
    ) -> Iterator[dict[str, JsonValue]]:
        """Yield lines, the newest first."""
        self._waiting.join()
        for line in self._lines.newest():
            if since is not None and str(line.get("at")) < _stamp(since):
                return
            if (who is None or line.get("who") == who) and (what is None or line.get("did") == what):
                yield line

    def close(self) -> None:
        """End once all is written."""
        if self._thread.is_alive():
            self._waiting.put(None)
            self._thread.join(10)

    def _run(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while batch[-1] is not None and len(batch) < 500:
                try:
                    batch.append(self._waiting.get_nowait())
                except queue.Empty:
                    break
            try:
                self._write([line for line in batch if line is not None])
            finally:
                for _ in batch:
                    self._waiting.task_done()
            if batch[-1] is None:
                return

    def _write(self, lines: list[dict[str, JsonValue]]) -> None:
        if not lines:
            return
        try:
            self._sweep()
            self._lines.append(lines)
            self._said = False
        except (LatticeError, OSError):  # the disk takes nothing: what was noted meanwhile is lost, and the log says so
            self._say()

    def _say(self) -> None:
        if not self._said:
            self._said = True
            log.warning("log_not_written", log=NAME)

    def _sweep(self) -> None:
        """Remove lines that are too old, once a day."""
        now = self._clock.now()
        if self._swept is not None and now - self._swept < timedelta(days=1):
            return
        before = confirmed(self._look, now, timedelta(days=self.days))
        if before is not None:
            oldest = _stamp(datetime.fromtimestamp(before, UTC))
            self._lines.drop(lambda line: str(line.get("at")) < oldest)
        self._swept = now


def _stamp(moment: datetime) -> str:
    """Return the time in UTC, so that text sorts as time does."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
