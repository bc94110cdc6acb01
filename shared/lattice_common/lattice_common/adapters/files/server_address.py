"""Where the server of a data folder listens, left in the folder for commands of the same machine while it runs.

The port may be another one than the settings say (`lattice up --port 8080`, or 0 for a free one), and a command of the folder
knows the folder only. The file has an address and a process and no secret; it counts for as long as that process is there, on
the machine (or in the container) that wrote it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from lattice_common.adapters.files import durable
from lattice_common.errors import Corrupt, Unavailable

ADDRESS_NAME = ".server.address"
_LONGEST = 1_000
_WRITTEN = re.compile(r"(?P<url>https?://\S+)\npid (?P<pid>[1-9]\d{0,9}) on (?P<node>[^\n]*)\n?")


@contextlib.contextmanager
def server_address_kept(folders: Iterable[Path], url: str) -> Iterator[None]:
    """Keep the address of this process in data folders while it is served. Where the disk takes nothing, commands go by the
    settings, as they do without it."""
    kept = list(dict.fromkeys(folder / ADDRESS_NAME for folder in folders))
    for path in kept:
        with contextlib.suppress(Unavailable, Corrupt):
            durable.write(path, f"{url}\npid {os.getpid()} on {os.uname().nodename}\n".encode())
    try:
        yield
    finally:
        for path in kept:
            with contextlib.suppress(OSError, Unavailable, Corrupt):
                if (found := _written_at(path)) is not None and int(found["pid"]) == os.getpid():
                    durable.remove(path)


def server_address(folder: Path) -> str | None:
    """Return the address of the server of a data folder that runs on this machine; None where none was left, or it is gone."""
    found = _written_at(folder / ADDRESS_NAME)
    if found is None or found["node"] != os.uname().nodename or not _is_there(int(found["pid"])):
        return None
    return found["url"]


def _written_at(path: Path) -> re.Match[str] | None:
    try:
        return _WRITTEN.fullmatch(durable.read(path, limit=_LONGEST).decode("utf-8", "replace"))
    except (OSError, Corrupt, Unavailable):
        return None


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True  # another user's: whether this user may ask it, its token says
    except (OSError, OverflowError):
        return False
    return True
