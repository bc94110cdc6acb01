"""The conversation that the command line is in: one a day, and a new one when it is asked for.

Only a day with `lc clear` in it has a state file; otherwise the day says it all.
"""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lattice_cli.target import Target

STATE_NAME = "cli-session.json"


def current(data_dir: Path, today: date | None = None) -> str:
    """Return the session id of today's conversation, such as `cli-2026-11-20` or, after one `lc clear`, `cli-2026-11-20.2`."""
    day = (today or datetime.now().astimezone().date()).isoformat()
    number = _number(data_dir, day)
    return f"cli-{day}" if number == 1 else f"cli-{day}.{number}"


def begin_anew(data_dir: Path, today: date | None = None) -> str:
    """Return a new conversation for the rest of the day; its session id."""
    day = (today or datetime.now().astimezone().date()).isoformat()
    from lattice_common.adapters.files import durable  # only here: every note asks for the conversation it belongs to

    state = {"day": day, "number": _number(data_dir, day) + 1}
    durable.write(data_dir / STATE_NAME, json.dumps(state).encode())
    return current(data_dir, today)


def end_journey(target: Target) -> None:
    """Begin the topics of the day anew, for all clients: through the product, or in its log when it is away."""
    from lattice_cli.connection import running

    client = running(target)
    if client is not None:
        with client:
            client.log_turn(context_reset=True, journey_ended=True, channel="lc")
        return
    from lattice_common.adapters.files.line_log import FileLineLog
    from lattice_common.domain.chat import ChatTurn, line_of

    turn = ChatTurn(datetime.now().astimezone(), "", "", channel="lc", context_reset=True, journey_ended=True)
    FileLineLog(target.data_dir, "chat").append([line_of(turn)])


def _number(data_dir: Path, day: str) -> int:
    try:
        state = json.loads((data_dir / STATE_NAME).read_bytes())
        return int(state["number"]) if state["day"] == day else 1
    except (OSError, ValueError, KeyError, TypeError):
        return 1
