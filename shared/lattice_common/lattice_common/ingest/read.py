"""The first stage: read files.

Reading takes seconds, so it runs beside the writer, which processes other captures meanwhile and returns to a file when it is
read. The text of a file is in the journal before anything else uses it; after a crash in between the file is read again.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from lattice_common.domain.capture import Capture
from lattice_common.domain.reading import Reading, Unreadable
from lattice_common.domain.receipt import Progress
from lattice_common.errors import Corrupt
from lattice_common.logs import carried, logger
from lattice_common.ports.document_reader import DocumentReader
from lattice_common.ports.journal import WorkLog
from lattice_common.ports.progress import ProgressBoard

log = logger(__name__)

AT_ONCE = 2
"""Files read at the same time: a long one does not hold up the short ones behind it, and two fit into memory."""

_SURROGATE = re.compile("[\ud800-\udfff]")

ReadingOutcome: TypeAlias = "Unreadable | BaseException | None"


def is_unread(capture: Capture) -> bool:
    """Return whether a capture is a file whose text is not known yet. A reading always sets a source type, and nothing else
    does."""
    return capture.original is not None and capture.source_type is None


class FileReading:
    """Reads files on threads of its own. `on_read` is called from them with the id of each capture that is done.

    The threads are daemons: a stop does not wait for a reading, which the next start begins anew.
    """

    def __init__(
        self,
        worklog: WorkLog,
        reader: DocumentReader,
        progress: ProgressBoard,
        on_read: Callable[[str], None] = lambda _id: None,
    ) -> None:
        self._worklog = worklog
        self._reader = reader
        self._progress = progress
        self._on_read = on_read
        self._lock = threading.Lock()
        self._waiting: queue.SimpleQueue[Capture | None] = queue.SimpleQueue()
        self._begun: dict[str, float] = {}
        """When each reading was begun, or last reported progress."""
        self._done: dict[str, ReadingOutcome] = {}
        self._threads: list[threading.Thread] = []
        self._closed = False

    def is_done(self, capture: Capture) -> bool:
        """Return whether a file is read, or known to be unreadable; start reading it where that has not begun."""
        entry = capture.capture_id
        with self._lock:
            if entry in self._done:
                return True
            if entry not in self._begun:
                self._begun[entry] = time.monotonic()
                self._waiting.put(capture)
            self._staff()
            return False

    def is_reading(self, entry: str) -> bool:
        """Return whether the reading of an entry has begun and is not done."""
        with self._lock:
            if entry in self._begun:
                self._staff()
            return entry in self._begun

    def slow(self, seconds: float) -> int:
        """Return how many readings have reported nothing for `seconds`. Any thread may call it."""
        before = time.monotonic() - seconds
        with self._lock:
            return sum(told < before for told in self._begun.values())

    def _staff(self) -> None:
        """Start as many threads as there is work for, replacing one that a defect ended. Called with the lock held."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        while len(self._threads) < min(AT_ONCE, len(self._begun)):
            self._threads.append(threading.Thread(target=carried(self._run), name="lattice-reading", daemon=True))
            self._threads[-1].start()

    def outcome(self, entry: str) -> Unreadable | None:
        """Return how the reading of a file ended, once: None when its text is in the journal. Raise what stopped it."""
        with self._lock:
            outcome = self._done.pop(entry)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def close(self) -> None:
        """Discard what is read from now on: the journal may be another's."""
        with self._lock:
            self._closed = True
            for _ in self._threads:
                self._waiting.put(None)

    def _run(self) -> None:
        while (capture := self._waiting.get()) is not None and not self._closed:
            outcome: ReadingOutcome
            try:
                outcome = self._read(capture)
            except BaseException as error:  # noqa: BLE001 - raised where the writer asks for it; a panic is no `Exception`
                outcome = error
                if not isinstance(error, Exception):
                    outcome = RuntimeError("a reader broke")
                    outcome.__cause__ = error
            with self._lock:
                self._begun.pop(capture.capture_id, None)
                self._done[capture.capture_id] = outcome
            self._on_read(capture.capture_id)

    def _read(self, capture: Capture) -> Unreadable | None:
        entry, original = capture.capture_id, capture.original
        path = self._worklog.original_path(entry)
        if path is None or original is None:
            raise Corrupt(f"The original of {entry} is not in the journal any more: restore it from a backup, then retry.")
        log.info("file_reading", capture_id=entry, bytes=original.size)
        read = self._reader.read(path, original.name, lambda done, total: self._publish(entry, done, total))
        if isinstance(read, Unreadable):
            log.info("file_unreadable", capture_id=entry, code=read.code)
            return read
        with self._lock:
            if not self._closed:
                self._worklog.write_reading(entry, sound(read))
        log.info("file_read", capture_id=entry, characters=len(read.text), places=len(read.places))
        return None

    def _publish(self, entry: str, done: int, total: int) -> None:
        with self._lock:
            if entry in self._begun:
                self._begun[entry] = time.monotonic()
        self._progress.publish(Progress(entry, "read", done, total))


def sound(reading: Reading) -> Reading:
    """Return the same reading with each lone surrogate replaced by one character, so that spans stay valid and the text can be
    encoded."""
    if not _SURROGATE.search(reading.text) and not _SURROGATE.search(reading.title or ""):
        return reading
    title = None if reading.title is None else _SURROGATE.sub("\ufffd", reading.title)
    return replace(reading, text=_SURROGATE.sub("\ufffd", reading.text), title=title, notes=(*reading.notes, "lossy"))
