"""What the client makes of answers: events of a stream, and errors of what the server calls problems."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from lattice_common.errors import (
    Conflict,
    Corrupt,
    InvalidInput,
    LatticeError,
    NotAllowed,
    NotConfigured,
    NotFound,
    Unavailable,
)

Json: TypeAlias = dict[str, Any]

FINAL_STATES = frozenset({"stored", "duplicate", "rejected", "dead"})


def server_sent_events(lines: Iterator[str]) -> Iterator[tuple[str, Json]]:
    """Yield events and their JSON data; comments and keep-alives are passed over (WHATWG HTML, "Server-sent events")."""
    event, data = "message", list[str]()
    for line in lines:
        if not line:
            if data:
                yield event, json.loads("\n".join(data))
            event, data = "message", []
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                event = value
            elif name == "data":
                data.append(value)


def error_of(status: int, content: bytes, headers: Mapping[str, str]) -> LatticeError:
    """Return the error that a problem (RFC 9457) tells of."""
    try:
        problem = json.loads(content)
        # What follows is for who sees the JSON; on a command line and in a chat nobody does.
        detail = str(problem["detail"]).partition(" See `errors`")[0]
    except (ValueError, KeyError, TypeError):
        problem, detail = {}, f"The server answered {status} without saying why: is it Lattice that listens there?"
    errors = problem.get("errors") or []
    match status:
        case 401 | 403 | 429:
            return NotAllowed(detail, status=status)
        case 404:
            return NotFound(detail)
        case 409 | 412 | 428:
            return Conflict(detail, status=status)
        case 501:
            return NotConfigured(detail, env_line="")
        case 502 | 503 | 504 | 507:  # of 502 and 504 a proxy tells, before which nobody answers
            after = headers.get("retry-after", "")
            return Unavailable(detail, status=status, retry_after=float(after) if after.isdigit() else None)
        case _ if status >= 500:
            return Corrupt(detail)
    return InvalidInput(detail, status=status, field=errors[0].get("field") if errors else None)
