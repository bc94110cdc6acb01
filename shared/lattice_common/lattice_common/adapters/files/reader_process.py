"""The process in which files are read: `python -m lattice_common.adapters.files.reader_process FD IDLE_SECONDS`.

It ends with the process that started it, or after so long without a request, because it holds the memory of the libraries it
loaded. It waits on a socket for one request at a time, which brings a file and a pipe as open descriptors, and forks for each:
the child is confined (`confinement`), reads the file, writes the reading into the pipe and exits. What it broke is gone with it.
The forking process never looks at the content of a file; it only loads the libraries that are needed again and again.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import orjson

from lattice_common.adapters.files.confinement import die_with_parent, limit, refuse_system_calls
from lattice_common.adapters.files.reading_wire import OUT_OF_MEMORY, Ended, part_line, progress_line, result_line
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import read, reader_of
from lattice_common.domain.reading import ReadResult, Unreadable

LONGEST_REQUEST = 65_536


def main(control_fd: int, idle_seconds: float) -> None:
    """Serve until the client is gone, or has not asked for a while."""
    sys.modules["numpy"] = None  # type: ignore[assignment]  # openpyxl loads it where it is there, for types that no file has
    _be_the_first_to_go()
    with socket.socket(fileno=control_fd) as control:
        control.settimeout(idle_seconds)
        while True:
            try:
                message, descriptors, _, _ = socket.recv_fds(control, LONGEST_REQUEST, 2)
            except TimeoutError:
                return
            if not message or len(descriptors) != 2:
                return
            ended = _serve(control, orjson.loads(message), descriptors[0], descriptors[1])
            if ended is None:
                return
            control.sendall(orjson.dumps(ended) + b"\n")


def _serve(control: socket.socket, request: dict[str, Any], file: int, out: int) -> Ended | None:
    """Serve one request; return None when nobody waits for the answer any more."""
    for kind in request["load"]:
        reader_of(kind)
    limits = Limits(**request["limits"])
    done, alive = os.pipe()
    child_says, says = os.pipe()
    before = os.getpid()
    pid = os.fork()
    if pid == 0:
        control.close()
        os._exit(_child(before, says, file, out, request, limits))
    for descriptor in (file, out, alive, says):
        os.close(descriptor)
    waiting = select.poll()  # the control may have a descriptor from 1,024 on, which `select.select` refuses
    for descriptor in (control.fileno(), done):
        waiting.register(descriptor, select.POLLIN)
    ready = [descriptor for descriptor, _ in waiting.poll(limits.wall_seconds * 1000)]
    if done not in ready:
        os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    confined = os.read(child_says, 1) == b"1"
    os.close(done)
    os.close(child_says)
    if control.fileno() in ready:
        return None
    exited = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
    ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    return Ended(ended_by, exited, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, confined)


def _child(parent: int, says: int, file: int, out: int, request: dict[str, Any], limits: Limits) -> int:
    """Return the exit status; never returns into the loop above."""
    try:
        die_with_parent(parent)
        limit(memory_bytes=limits.memory_bytes, cpu_seconds=limits.cpu_seconds, wall_seconds=limits.wall_seconds + 5)
        os.write(says, b"1" if refuse_system_calls() else b"0")
        os.close(says)
        if (part := request.get("part")) is not None:
            _write(out, part_line(_part(file, request["name"], part, limits)))
        else:
            _write(out, result_line(_result(file, out, request["name"], limits)))
        return 0
    except MemoryError:
        return OUT_OF_MEMORY
    except BaseException:  # noqa: BLE001 - a child must not go on as a second copy of its parent, whatever it met
        return 1


def _part(file: int, name: str, part: str, limits: Limits) -> bytes:
    """Return something that lies in the file, b"" for what cannot be had; without a name the names of what lies in it."""
    # Loaded when it is wanted, like the readers of mails and archives that it loads.
    from lattice_common.capture.readers.parts import names_in, part_in

    path = _path(file)
    found = part_in(path, name, part, limits) if part else "\n".join(names_in(path, name, limits)).encode("utf-8", "replace")
    return found or b""


def _path(file: int) -> Path:
    os.lseek(file, 0, os.SEEK_SET)
    return Path(f"/proc/self/fd/{file}" if Path("/proc/self/fd").is_dir() else f"/dev/fd/{file}")


def _result(file: int, out: int, name: str, limits: Limits) -> ReadResult:
    path = _path(file)
    try:
        return read(path, name, limits, lambda done, total: _write(out, progress_line(done, total)))
    except MemoryError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return Unreadable("too-large", f"Reading this file takes more memory than is allowed ({peak} MB were not enough).")
    except Exception:  # noqa: BLE001 - whatever a library makes of a broken file: the file cannot be read
        return Unreadable("broken", "This file is damaged. Open it where it was made, save it anew, and put it in again.")


def _write(out: int, line: bytes) -> None:
    rest = memoryview(line)
    while rest:
        rest = rest[os.write(out, rest) :]


def _be_the_first_to_go() -> None:
    """Have Linux kill this process and its children before any other of the product when memory is exhausted."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a wish: where it is not granted, the limits hold all the same
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
