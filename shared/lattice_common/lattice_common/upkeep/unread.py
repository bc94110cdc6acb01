"""Files that could not be read: each waits for its owner until it is dismissed.

The log holds ids only, `{ts, unread}` and `{ts, dismissed}`; the last line about a file counts. What a file is called and why it
was not read stand in the journal.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from lattice_common.domain.capture import Capture, Entry
from lattice_common.domain.receipt import Receipt
from lattice_common.errors import Corrupt, NotFound, Unavailable
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import Journal
from lattice_common.ports.line_log import LineLog

log = logger(__name__)

LOOKED_BACK = 5_000
"""Lines of the log, which has one for each verdict, undo, and file that was not read."""


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that could not be read, by the id of its capture; `reason` is a sentence for people."""

    capture_id: str
    name: str
    reason: str | None
    at: datetime


def note_unread(said: Entry, receipt: Receipt, lines: LineLog) -> None:
    """Note a finished capture whose file could not be read. Those of an import or of the inbox are told of there."""
    if (
        receipt.refused != "unreadable"
        or not isinstance(said, Capture)
        or said.priority != "interactive"
        or said.channel == "inbox"
    ):
        return
    try:
        lines.append([{"ts": receipt.finished_at.isoformat(), "unread": receipt.capture_id}])
    except Unavailable:
        log.warning("log_not_written", log="feedback")


def unread_ids(lines: LineLog) -> list[str]:
    """Return the captures whose files could not be read and were not dismissed, newest first."""
    standing: dict[str, bool] = {}
    for line in islice(lines.newest(), LOOKED_BACK):
        for name in ("unread", "dismissed"):
            if isinstance(found := line.get(name), str):
                standing.setdefault(found, name == "unread")
    return [capture_id for capture_id, waits in standing.items() if waits]


def unread_files(lines: LineLog, journal: Journal) -> list[UnreadFile]:
    """Return the files that could not be read and were not dismissed, newest first."""
    found = []
    for capture_id in unread_ids(lines):
        try:
            said, receipt = journal.read(capture_id), journal.receipt(capture_id)
        except Corrupt:
            continue
        if isinstance(said, Capture) and said.original is not None and receipt is not None:
            found.append(UnreadFile(capture_id, said.original.name, receipt.reason, said.received_at))
    return found


def dismiss(capture_id: str, lines: LineLog, clock: Clock, *, back: bool = False) -> None:
    """Take a file that could not be read off the list, or with `back` put it there again. Raise `NotFound` where it was never on
    it, and `Unavailable` (507) when the disk takes no line."""
    if not any(capture_id in (line.get("unread"), line.get("dismissed")) for line in islice(lines.newest(), LOOKED_BACK)):
        raise NotFound(f"{capture_id} is no file that could not be read: GET /api/unread lists those.")
    lines.append([{"ts": clock.now().isoformat(), "unread" if back else "dismissed": capture_id}])
