"""Reads documents in a process that can do no harm: limits on memory, processor and wall time, no network, nothing written.

Plain text, markdown and code in UTF-8 need no parser and are decoded here: five thousand notes start no process. Everything else
goes, as an open descriptor, to a child of `reader_process`: one for each file.
"""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lattice_common.adapters.files.reader_host import IDLE_SECONDS, Broken, ReaderHost
from lattice_common.adapters.files.reading_wire import OUT_OF_MEMORY, Ended
from lattice_common.capture.plain_text import LOOKED_AT
from lattice_common.capture.readers.kind import kind_of_text
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.whole_text import utf8_reading
from lattice_common.domain.formats import BY_KIND
from lattice_common.domain.reading import Reading, ReadResult, Unreadable
from lattice_common.errors import Unavailable
from lattice_common.logs import logger

log = logger(__name__)

OnProgress = Callable[[int, int], None]

WORTH_LOADING = 2
"""Files of one kind from which on its library is kept loaded for the next: loading takes up to half a second."""


TRIES = 2
"""Processes started for one file before it has to wait."""


class SandboxedReader:
    """Safe to call from several threads: each file that is read at the same time has a process of its own. After `close` nothing
    is read any more."""

    def __init__(self, limits: Limits, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._limits = limits
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._free: list[ReaderHost] = []
        self._busy: list[ReaderHost] = []
        self._seen: Counter[str] = Counter()
        self._closed = False

    def read(self, path: Path, name: str, on_progress: OnProgress = lambda _done, _total: None) -> ReadResult:
        """Read a file; see `ports.document_reader`."""
        with _opened(path, name) as file:
            if isinstance(file, Unreadable):
                return file
            size = os.fstat(file).st_size
            if size > self._limits.file_bytes:
                most = f"{self._limits.file_bytes:,} is the limit (LATTICE_MAX_FILE_BYTES)"
                return Unreadable("too-large", f"The file has {size:,} bytes, and {most}. Split it.")
            return self._read_here(file, size, name) or self._read_apart(file, name, on_progress)

    def part(self, path: Path, name: str, part: str) -> bytes:
        """Return the bytes of something that lies in a file and may be converted, by its name in the notes of the reading, b""
        for what cannot be had; without a name, the names of what lies in an archive, one a line."""
        with _opened(path, name) as file:
            if isinstance(file, Unreadable) or os.fstat(file).st_size > self._limits.file_bytes:
                return b""
            try:
                with self._host(name) as host:
                    return host.ask_part(file, name, part)[0] or b""
            except Broken:
                return b""

    @property
    def kept(self) -> list[subprocess.Popen[bytes]]:
        """Return the processes that are kept for the next file; they may have ended meanwhile."""
        with self._lock:
            return [host.process for host in self._free]

    def close(self) -> None:
        """End the processes; a reading in progress raises `Unavailable`."""
        with self._lock:
            self._closed = True
            idle, self._free = self._free, []
            for host in self._busy:
                host.end()
        for host in idle:
            host.close()

    def _read_here(self, file: int, size: int, name: str) -> ReadResult | None:
        """Return the reading of a file that needs no parser; None for others."""
        found = kind_of_text(os.pread(file, LOOKED_AT, 0), name)
        if found is None or isinstance(found, Unreadable) or size > self._limits.text_bytes:
            return found if isinstance(found, Unreadable) else None
        form = BY_KIND[found.kind]
        if form.module != "text":
            return None
        with open(file, "rb", closefd=False) as whole:
            return utf8_reading(whole.read(self._limits.text_bytes + 1), form.source_type, self._limits, found.notes)

    def _read_apart(self, file: int, name: str, on_progress: OnProgress) -> ReadResult:
        tries = 0
        while True:
            try:
                with self._host(name) as host:
                    # A kept process may have ended by itself when it was idle: that is no failure.
                    tries += not host.asked
                    load = [kind for kind, times in dict(self._seen).items() if times >= WORTH_LOADING]
                    result, ended = host.ask(file, name, load, on_progress)
                break
            except Broken as error:
                # The system killed it, mostly for lack of memory: a second one is given a chance.
                if tries >= TRIES:
                    raise Unavailable(f"{name} cannot be read now: {error}. It is tried again.") from error
        if isinstance(result, Reading):
            self._seen[result.source_type] += 1
        return self._judged(result, ended)

    @contextmanager
    def _host(self, name: str) -> Iterator[ReaderHost]:
        """Lend a process that nobody else is using, and keep it for the next file unless something went wrong."""
        with self._lock:
            if self._closed:
                raise Unavailable(f"{name} is not read now: the server is stopping. It is read at the next start.")
            host = self._free.pop() if self._free else ReaderHost(self._limits, self._idle_seconds)
            self._busy.append(host)
        unharmed = False
        try:
            yield host
            unharmed = True
        finally:
            with self._lock:
                self._busy.remove(host)
                keep = unharmed and not host.ended and not self._closed
                if keep:
                    self._free.append(host)
            if not keep:
                host.close()

    def _judged(self, result: ReadResult | None, ended: Ended | None) -> ReadResult:
        """Return the result, else why there is none, by how the child ended (None: it had to be killed with its parent)."""
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


@contextmanager
def _opened(path: Path, name: str) -> Iterator[int | Unreadable]:
    """Open a descriptor of the regular file at `path`; other files are never opened for reading (links, pipes, devices).

    Raise `Unavailable` when it cannot be opened.
    """
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
