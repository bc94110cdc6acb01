"""When a file was last written, as the day its words were said."""

from __future__ import annotations

from datetime import UTC, datetime


def written_at(seconds: float) -> str:
    """Return the ISO 8601 time, with this machine's offset, of a file's `st_mtime` (seconds since the epoch).

    In milliseconds: whole seconds would put a file before what was told earlier within the same second, and so retire it.
    """
    return datetime.fromtimestamp(seconds, UTC).astimezone().isoformat(timespec="milliseconds")
