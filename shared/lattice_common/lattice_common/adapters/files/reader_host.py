"""The client of `reader_process`: starts it, hands it files, and takes the results, up to a limit and a deadline."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TypeVar

import orjson

import lattice_common
from lattice_common.adapters.files.reading_wire import Ended, part_of, progress_of, result_of
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.reading import ReadResult
from lattice_common.errors import Unavailable
from lattice_common.logs import logger

log = logger(__name__)
T = TypeVar("T")

GRACE_SECONDS = 10.0
"""Seconds after the limit of wall time, until the whole process is killed from here, not only the child."""

IDLE_SECONDS = 60.0
"""Seconds without a file to read, after which the process ends by itself."""

CHUNK = 1 << 16

PROGRAM = "lattice_common.adapters.files.reader_process"


class Broken(Exception):
    """The process is gone, and no file is to blame."""


class ReaderHost:
    """One process that reads files, from here to `close`. Not thread-safe.

    Raises `Unavailable` where it cannot be started.
    """

    def __init__(self, limits: Limits, idle_seconds: float = IDLE_SECONDS) -> None:
        self._limits = limits
        self._told = False
        self.asked = False
        """Whether it was given a file before: then it may have ended for want of another."""
        self.ended = False
        try:
            with contextlib.ExitStack() as unless_started:
                self._control, theirs = socket.socketpair()
                unless_started.callback(self._control.close)
                with theirs:
                    self.process = _started(theirs, idle_seconds)
                unless_started.pop_all()
        except OSError as error:
            raise Unavailable(f"The process that reads files cannot be started: {error.strerror}. It is tried again.") from error

    def ask(
        self, file: int, name: str, load: Sequence[str], on_progress: Callable[[int, int], None]
    ) -> tuple[ReadResult | None, Ended | None]:
        """Return the reading of an open file, None where its child ended without one; and how it ended, None where the whole
        process had to be killed. Raise `Broken`."""
        take = partial(result_of, text_bytes=self._limits.text_bytes)
        return self._asked(file, {"name": _shown(name), "load": list(load)}, take, on_progress)

    def ask_part(self, file: int, name: str, part: str) -> tuple[bytes | None, Ended | None]:
        """Return the bytes of something that lies in an open file, by its name in the notes of its reading; with "" the names of
        what lies in it, one a line. Raise `Broken`."""
        request = {"name": _shown(name), "load": [], "part": part}
        return self._asked(file, request, part_of, lambda _done, _total: None)

    def _asked(
        self,
        file: int,
        request: Mapping[str, object],
        take: Callable[[bytearray], T | None],
        progress: Callable[[int, int], None],
    ) -> tuple[T | None, Ended | None]:
        self.asked = True
        message = orjson.dumps({**request, "limits": asdict(self._limits)})
        ours, theirs = os.pipe()
        with open(ours, "rb", buffering=0) as out:  # noqa: PTH123 - a descriptor, not a path
            try:
                socket.send_fds(self._control, [message], [file, theirs])
            except OSError as error:
                raise Broken("the process that reads files has ended") from error
            finally:
                os.close(theirs)
            deadline = time.monotonic() + self._limits.wall_seconds + GRACE_SECONDS
            result = self._result(out.fileno(), deadline, take, progress)
        ended = self._ended(deadline)
        if ended is None:
            self.end()
        elif not self._told:
            self._told = True
            if ended.confined:
                log.info("reader_started", network="denied")
            else:
                log.warning("reader_started", network="open")
        return result, ended

    def end(self) -> None:
        """Kill the process and whatever it started; may be called from any thread, `close` follows."""
        self.ended = True
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kill the process, and return when it is gone."""
        self.end()
        self._control.close()
        self.process.wait()

    def _result(
        self, out: int, deadline: float, take: Callable[[bytearray], T | None], on_progress: Callable[[int, int], None]
    ) -> T | None:
        """Read until the other side closes, passing progress on as it comes."""
        room = self._limits.text_bytes * 4 + (1 << 25)  # escapes, and 200,000 places
        line, result = bytearray(), None
        while _readable(out, deadline):
            chunk = os.read(out, CHUNK)
            room -= len(chunk)
            if not chunk or room < 0:
                break
            *whole, rest = chunk.split(b"\n")
            for part in whole:
                line += part
                if (progress := progress_of(line) if len(line) < 100 else None) is not None:
                    on_progress(*progress)
                else:
                    result = take(line)
                line = bytearray()
            line += rest
        return result

    def _ended(self, deadline: float) -> Ended | None:
        """Return how the child ended. Raise `Broken` when the process went away by itself."""
        said = b""
        while not said.endswith(b"\n"):
            if not _readable(self._control.fileno(), deadline):
                return None
            try:
                part = self._control.recv(CHUNK)
            except ConnectionError:
                part = b""
            if not part:
                raise Broken("the process that reads files has ended")
            said += part
        return Ended(**orjson.loads(said))


def _shown(name: str) -> str:
    return name[:1000].encode("utf-8", "replace").decode("utf-8")


def _readable(descriptor: int, deadline: float) -> bool:
    """Wait until there is something to read, or until `deadline`. `select.select` refuses descriptors from 1,024 on, which a
    process with many connections has."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    return bool(waiting.poll(max(0.0, deadline - time.monotonic()) * 1000))


def _started(control: socket.socket, idle_seconds: float) -> subprocess.Popen[bytes]:
    """Start the process. Raise `OSError`. Its folder is removed as soon as it runs: it is empty, and nothing can be put there."""
    folder = tempfile.mkdtemp(prefix="lattice-reader-")
    try:
        return subprocess.Popen(  # noqa: S603 - ourselves, and nothing of a file is on the line
            [sys.executable, "-P", "-s", "-m", PROGRAM, str(control.fileno()), str(idle_seconds)],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(control.fileno(),),
            start_new_session=True,
        )
    finally:
        Path(folder).rmdir()


def _environment() -> dict[str, str]:
    """Return the variables by which Python finds this package and what time it is here, and nothing of ours."""
    zone = {name: os.environ[name] for name in ("TZ", "TZDIR") if name in os.environ}
    return {
        **zone,
        "PYTHONPATH": str(Path(lattice_common.__file__).parent.parent),
        "PYTHONUTF8": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
