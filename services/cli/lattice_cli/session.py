"""The conversation that the command line is in: one a day, and a new one when it is asked for.

Only a day with `lc clear` in it has a state file; otherwise the day says it all.
"""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path

STATE_NAME = "cli-session.json"


def current(data_dir: Path, today: date | None = None) -> str:
    """The session id of today's conversation, such as `cli-2026-11-20` or, after one `lc clear`, `cli-2026-11-20.2`."""
    day = (today or datetime.now().astimezone().date()).isoformat()
    number = _number(data_dir, day)
    return f"cli-{day}" if number == 1 else f"cli-{day}.{number}"


def begin_anew(data_dir: Path, today: date | None = None) -> str:
    """A new conversation for the rest of the day; its session id."""
    day = (today or datetime.now().astimezone().date()).isoformat()
    from lattice_common.adapters.files import durable  # only here: every note asks for the conversation it belongs to

    state = {"day": day, "number": _number(data_dir, day) + 1}
    durable.write(data_dir / STATE_NAME, json.dumps(state).encode())
    return current(data_dir, today)


def _number(data_dir: Path, day: str) -> int:
    try:
        state = json.loads((data_dir / STATE_NAME).read_bytes())
        return int(state["number"]) if state["day"] == day else 1
    except (OSError, ValueError, KeyError, TypeError):
        return 1
