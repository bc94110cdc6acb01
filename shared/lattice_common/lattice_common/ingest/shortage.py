"""Shortages of the machine: memory, open files, disk space. They are no entry's fault, so none is given up because of them."""

from __future__ import annotations

import errno
import re

from lattice_common.errors import Unavailable

_LACKING = {
    errno.ENOMEM: "this machine has no memory left: end something, or give it more",
    errno.EAGAIN: "this machine can start no more threads or processes: end something",
    errno.EMFILE: "too many files are open: raise the limit (`ulimit -n`)",
    errno.ENFILE: "too many files are open on this machine: close some",
    errno.ENOSPC: "the disk is full: make room",
    errno.EDQUOT: "the disk quota is used up: make room",
}
_OS_ERROR = re.compile(r"os error (\d+)|code: (\d+)")
"""How engines written in Rust quote the system's error numbers."""


def shortage_of(error: BaseException) -> str | None:
    """Return what is lacking and what helps, as a sentence; None where the error is about something else."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError):
            return _LACKING[errno.ENOMEM]
        number = seen.errno if isinstance(seen, OSError) else None
        if number is None and not isinstance(seen, OSError) and (quoted := _OS_ERROR.search(str(seen)[:10_000])):
            number = int(quoted.group(1) or quoted.group(2))
        if number in _LACKING:
            return _LACKING[number]
        seen = seen.__cause__
    return None


def as_away(error: BaseException) -> Unavailable | None:
    """Return the `Unavailable` to raise instead where the machine is only short of something, so that no entry is given up for
    it."""
    if isinstance(error, Unavailable) or (lacking := shortage_of(error)) is None:
        return None
    return Unavailable(f"The writer waits: {lacking}.", status=507)
