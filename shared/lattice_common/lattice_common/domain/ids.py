"""Ids of entries and memories: ULIDs in lower case, which begin with the time of the capture."""

from __future__ import annotations

import re

ID = re.compile("[0-7][0-9a-hjkmnp-tv-z]{25}")

_BASE_32 = str.maketrans("0123456789abcdefghjkmnpqrstvwxyz", "0123456789abcdefghijklmnopqrstuv")
"""From Crockford's base 32, in which ULIDs are written, to that of `int`: 15 times as fast as decoding a whole ULID."""


def milliseconds_of(ulid: str) -> int:
    """Return the time in an id, in milliseconds since 1970."""
    return int(ulid[:10].translate(_BASE_32), 32)
