"""A capture that was left in the inbox because the server was away: the body of `POST /api/ingest` and its idempotency key; of a
file its metadata, its name, and beside it, under the same name but for the ending, its bytes.

The same key goes with the try over HTTP and with the file, so that a request whose answer was lost is not kept twice. The name is
collision-free and tells nothing; who may be answered, and where, is never read from a name.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lattice_common.errors import InvalidInput

ENDING = ".capture.json"
BESIDE = ".capture.file"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Dropped:
    """`body` is not checked yet: it is what `IngestRequest` takes, or, with the `name` of a file, `FileMetadata`."""

    body: Mapping[str, Any]
    idempotency_key: str
    name: str | None = None


def new_name() -> str:
    """Return a file name that sorts by time and is nobody else's."""
    return f"{time.time_ns():020d}-{secrets.token_hex(6)}{ENDING}"


def beside(path: str) -> str:
    """Return where the bytes of the file are that a capture at `path` is about."""
    return path.removesuffix(ENDING) + BESIDE


def encode(dropped: Dropped) -> bytes:
    """Return what stands in the file: readable JSON in UTF-8."""
    shape: dict[str, Any] = {
        "lattice_capture": VERSION,
        "idempotency_key": dropped.idempotency_key,
        "request": dict(dropped.body),
    }
    if dropped.name is not None:
        shape["file"] = dropped.name
    return json.dumps(shape, ensure_ascii=False, indent=1).encode("utf-8")


def decode(content: bytes, name: str) -> Dropped:
    """Return the capture in a file. Raise `InvalidInput` when it was not written by Lattice, or by a later version."""
    try:
        shape = json.loads(content)
        version, key, body = shape["lattice_capture"], shape["idempotency_key"], shape["request"]
        name = shape.get("file")
    except (ValueError, KeyError, TypeError, RecursionError) as error:  # the last: nested deeper than any of ours
        raise InvalidInput(
            f"{name} is not a capture as Lattice writes them. Rename it to .txt to have its text remembered."
        ) from error
    if version != VERSION or not isinstance(key, str) or not 0 < len(key) <= 300 or not isinstance(body, dict):
        raise InvalidInput(f"{name} was written by another version of Lattice (form {version!r}). Update, and it is read.")
    return Dropped(body, key, name if isinstance(name, str) else None)
