"""Reads documents in a process that can do no harm: limits on memory, processor and wall time, no network, nothing written.

Plain text, markdown and code in UTF-8 need no parser and are decoded here: five thousand notes start no process. Everything else
goes, as an open descriptor, to a child of `reader_process`: one for each file.
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lattice_common.adapters.files.reader_host import Broken, ReaderHost
from lattice_common.adapters.files.reading_wire import OUT_OF_MEMORY, Ended
from lattice_common.capture.plain_text import LOOKED_AT
from lattice_common.capture.readers.kind import kind_of_text
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.whole_text import utf8_reading
from lattice_common.domain.reading import Reading, ReadResult, Unreadable
from lattice_common.errors import Unavailable
from lattice_common.logs import logger

log = logger(__name__)

OnProgress = Callable[[int, int], None]

WORTH_LOADING = 2
"""Files of one kind from which on its library is kept loaded for the next: a library takes up to half a second."""

LOADED: frozenset[str] = frozenset(("pdf", "docx", "pptx", "xlsx", "xls", "html", "csv", "eml"))


class SandboxedReader:
    """Safe to call from several threads: one file is read at a time. `close` ends the process; a next `read` starts it again."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._host: ReaderHost | None = None
        self._seen: Counter[str] = Counter()

    def read(self, path: Path, name: str, on_progress: OnProgress = lambda _done, _total: None) -> ReadResult:
        """As `ports.document_reader` says."""
        with _opened(path, name) as file:
            if isinstance(file, Unreadable):
                return file
            size = os.fstat(file).st_size
            if size > self._limits.file_bytes:
                most = f"{self._limits.file_bytes:,} is the limit (LATTICE_MAX_FILE_BYTES)"
                return Unreadable("too-large", f"The file has {size:,} bytes, and {most}. Split it.")
            return self._read_here(file, size, name) or self._read_apart(file, name, on_progress)

    def close(self) -> None:
        """End the process that reads, if there is one."""
        with self._lock:
            self._let_go()

    def _read_here(self, file: int, size: int, name: str) -> ReadResult | None:
        """What needs no parser; None for the rest."""
        found = kind_of_text(os.pread(file, LOOKED_AT, 0), name)
        if found is None or isinstance(found, Unreadable) or size > self._limits.text_bytes:
            return found if isinstance(found, Unreadable) else None
        kind = found.kind
        if kind not in ("plain", "markdown", "code"):
            return None
        with open(file, "rb", closefd=False) as whole:
            return utf8_reading(whole.read(self._limits.text_bytes + 1), kind, self._limits, found.notes)

    def _read_apart(self, file: int, name: str, on_progress: OnProgress) -> ReadResult:
        with self._lock:
            for last in (False, True):
                host = self._host = self._host or ReaderHost(self._limits)
                load = [kind for kind, times in self._seen.items() if times >= WORTH_LOADING]
                finished = False
                try:
                    result, ended = host.ask(file, name, load, on_progress)
                    finished = True
                    break
                except Broken as error:
                    # It was idle and has gone, or the system killed it: a second one is given a chance.
                    if last:
                        raise Unavailable(f"{name} cannot be read now: {error}. It is tried again.") from error
                finally:
                    if not finished:
                        self._let_go()
            if isinstance(result, Reading) and result.source_type in LOADED:
                self._seen[result.source_type] += 1
            return self._judged(result, ended)

    def _judged(self, result: ReadResult | None, ended: Ended | None) -> ReadResult:
        """What came, else why nothing came: by how the child ended (None: it had to be killed with its parent)."""
        if result is not None:
            return result
        log.warning(
            "reader_killed",
            signal=ended.signal if ended else 9,
            cpu_ms=round(ended.cpu_seconds * 1000) if ended else -1,
            peak_mb=ended.peak_mb if ended else -1,
        )
        limits = self._limits
        if ended is None or ended.signal or ended.status == OUT_OF_MEMORY:
            allowed = f"{limits.cpu_seconds:g} s of processor time, {limits.memory_bytes // 1024**2} MB of memory"
            return Unreadable(
                "too-large",
                f"Reading this file takes more than is allowed ({allowed}; LATTICE_READ_SECONDS, LATTICE_READ_MEMORY_MB).",
            )
        return Unreadable(
            "broken", "This file makes its reader fail: it is damaged, or made to do harm. Save it anew and try again."
        )

    def _let_go(self) -> None:
        if self._host is not None:
            self._host.close()
            self._host = None


@contextmanager
def _opened(path: Path, name: str) -> Iterator[int | Unreadable]:
    """A descriptor of the regular file at `path`; what is none is never opened for reading (links, pipes, devices).

    Raises `Unavailable` when it cannot be opened."""
    try:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode):
            yield Unreadable("unsupported", f"{name} is not a regular file. Put in the file itself, not a link to it.")
            return
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Unavailable(f"{name} cannot be opened: {error.strerror}. Check that it is there and may be read.") from error
    with contextlib.closing(os.fdopen(descriptor, "rb", buffering=0)) as file:
        yield file.fileno()
