"""Faults at the calls by which a process changes its disk: the library `faults.c`, built once and put before a program."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

SOURCE = Path(__file__).with_name("faults.c")
PRELOAD = "LD_PRELOAD"


class Fault(IntEnum):
    """What happens at the chosen call; numbered as in `faults.c`."""

    NONE = 0
    """Nothing: calls are counted and named."""
    BEFORE = 1
    """The process is killed before the call."""
    AFTER = 2
    """The process is killed after it."""
    TORN = 3
    """Half of a write is done, then the process is killed."""
    CUT = 4
    """The power is cut before the call: content without an fsync of its file is gone, and names without one of their folder."""
    CUT_DATA = 5
    """The same on a disk that keeps names in order: only content is gone."""
    EIO = 6
    """The call fails once with EIO, and the process goes on."""
    ENOSPC = 7
    """This call and the next ones that need room fail, `FAILURES` in all; then there is room again."""


FAILURES = 6
KILLS = frozenset((Fault.BEFORE, Fault.AFTER, Fault.TORN, Fault.CUT, Fault.CUT_DATA))
NEEDS_ROOM = frozenset(("write", "copy", "create", "mkdir", "link", "rename"))
KILLED = 137


def applies(fault: Fault, kind: str) -> bool:
    """Whether a fault at a call of this kind differs from another fault there."""
    match fault:
        case Fault.TORN:
            return kind in {"write", "copy"}
        case Fault.ENOSPC:
            return kind in NEEDS_ROOM
        case _:
            return fault is not Fault.NONE


def missing() -> str | None:
    """Why there can be no faults here; None where there can."""
    if not sys.platform.startswith("linux") or sysconfig.get_config_var("SIZEOF_VOID_P") != 8:
        return "faults are put before the C library of a 64-bit Linux"
    return None if shutil.which("cc") else "a C compiler is needed (Debian: apt-get install gcc)"


def built() -> Path:
    """The library, built for this source when it is not there yet."""
    mark = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    library = Path(tempfile.gettempdir()) / f"lattice-faults-{os.getuid()}-{mark}.so"
    if not library.exists():
        coming = library.with_suffix(f".{os.getpid()}")
        subprocess.run(
            ["cc", "-O1", "-shared", "-fPIC", "-Wall", "-o", str(coming), str(SOURCE), "-lpthread", "-ldl"], check=True
        )
        coming.rename(library)
    return library


def begin_again_with_faults(arguments: Sequence[str]) -> None:
    """Start this program anew with the library before it, unless it is there already."""
    library = str(built())
    if os.environ.get(PRELOAD) != library:
        # Threads of a mathematics library would be lost at each fork, and are not needed for a store this small.
        os.environ |= {PRELOAD: library, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606 - itself


def arm(watched: Path, beside: Path, *, at: int, fault: Fault, report: int, times: int | None = None) -> None:
    """From now on calls below `watched` are counted, and `fault` strikes at the `at`-th; `beside` keeps what a power cut needs.
    Without a fault every call is named on the descriptor `report`, otherwise the one that was struck. `times` is how many calls
    fail."""
    library = ctypes.CDLL(None)
    library.faults_arm.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.c_int, ctypes.c_int]
    times = times or (FAILURES if fault is Fault.ENOSPC else 1)
    library.faults_arm(os.fsencode(watched), os.fsencode(beside), at, int(fault), times, report)


def watch(answers: int) -> None:
    """Wait at each call from the next `arm` on, its line told on `report`, until a byte comes from the descriptor `answers`."""
    ctypes.CDLL(None).faults_watch(answers)


def disarm() -> None:
    ctypes.CDLL(None).faults_disarm()


def refuse_reads(root: Path, patterns: Sequence[str]) -> None:
    """From now on no file below `root` that one of the patterns names can be read: EIO, until `allow_reads`. `*` goes over
    folders too."""
    library = ctypes.CDLL(None)
    library.faults_refuse_reads.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
    told = b"".join(os.fsencode(each) + b"\0" for each in patterns)
    library.faults_refuse_reads(os.fsencode(root), told, len(told))


def allow_reads() -> int:
    """Read all again; the number of reads that were refused."""
    library = ctypes.CDLL(None)
    library.faults_allow_reads.restype = ctypes.c_long
    return int(library.faults_allow_reads())
