"""Captures of a door while the server is away: they are left in the inbox, where the server finds them at its next start.

The form of the file is that of `capture.dropped`. The try over HTTP and the file have the same idempotency key, so that a capture
whose answer was lost is still stored once. Few imports: `lc` pays for them each time.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from lattice_common.adapters.files import durable
from lattice_common.capture import dropped
from lattice_common.errors import Corrupt, InvalidInput

Dropped = dropped.Dropped
"""Exported for doors, which import only this module."""

COPIED_AT_ONCE = 1 << 20
LARGEST_LEFT = 64_000_000
"""Bytes; see `capture.inbox.LARGEST_DROPPED`."""


def drop(inbox: Path, body: Mapping[str, Any], idempotency_key: str) -> Path:
    """Return the file that holds `body`, that of `POST /api/ingest`; durable when this returns. Raise `Unavailable` (507) where
    nothing can be written."""
    path = inbox / dropped.new_name()
    durable.write(path, dropped.encode(dropped.Dropped(body, idempotency_key)))
    return path


def drop_file(inbox: Path, file: IO[bytes], name: str, metadata: Mapping[str, Any], idempotency_key: str) -> Path:
    """Leave a file called `name`, with the metadata of `POST /api/ingest-file`: its bytes first, then the description. Return and
    raise as `drop`."""
    path = inbox / dropped.new_name()
    beside = Path(dropped.beside(str(path)))
    coming = beside.with_name(f".{beside.name}{durable.TEMPORARY_MARK}{secrets.token_hex(4)}")
    descriptor = durable.create(coming)
    try:
        while chunk := file.read(COPIED_AT_ONCE):
            durable.extend(descriptor, chunk)
        durable.flush(descriptor)
        durable.place(coming, beside)
    except BaseException:
        coming.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    durable.write(path, dropped.encode(dropped.Dropped(metadata, idempotency_key, name)))
    return path


def left(inbox: Path, name: str) -> tuple[Dropped, Path | None] | None:
    """Return the capture that was left under this name, and the path of its file's bytes, wherever the inbox has moved either.

    None when it is gone, or is no capture any more. The path may lead nowhere by the time it is used: the inbox goes on moving.
    """
    for path in _places(inbox, name):
        try:
            found = dropped.decode(durable.read(path, limit=LARGEST_LEFT), name)
        except FileNotFoundError:
            continue
        except (InvalidInput, Corrupt):
            return None
        if found.name is None:
            return found, None
        beside = dropped.beside(name)  # moved by itself, so perhaps not where the description was found
        return found, next((each for each in _places(inbox, beside) if each.exists()), inbox / beside)
    return None


def _places(inbox: Path, name: str) -> Iterator[Path]:
    """Yield where a file of the inbox may be, each place looked up only once those before it have been tried: files move this way
    and not back, so one that is on its way is met further on."""
    yield inbox / name
    for done in ("processed", "failed"):
        yield from sorted(inbox.glob(f"{done}/*/{name}"))
