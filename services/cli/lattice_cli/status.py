"""The status: from the server while it runs, else from the folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lattice_cli import exits
from lattice_cli.connection import running
from lattice_cli.target import Target
from lattice_cli.words import counted

TOP = 5
QUESTIONS = 3
"""How many of the latest messages are shown of each of the day's topics."""
LONGEST_QUESTION = 60


def read_status(target: Target) -> dict[str, Any]:
    """Return the numbers of `GET /api/status`, whether or not it runs; `running`, and how many files wait in the `inbox`."""
    client = running(target)
    if client is not None:
        with client:
            today = client.chat_today()["branches"]
            status = client.status()
            return {
                **status,
                "running": True,
                "today": today,
                "inbox": not_taken(status["inbox"]),
                "folder": str(target.data_dir),
            }
    else:
        # The engines' readers take a second to import; with the server there nobody needs them.
        from lattice_common.inspection import inspect

        with inspect(target.data_dir, whole=False) as inspection:
            found: dict[str, Any] = {**asdict(inspection.status()), "running": False, "today": _journey(target.data_dir)}
    return {**found, "inbox": waiting_in(target.inbox), "folder": str(target.data_dir)}


def _journey(data_dir: Path) -> list[dict[str, Any]]:
    """Return the day's branches, read from the log."""
    from lattice_common.adapters.files.line_log import FileLineLog
    from lattice_common.adapters.system_clock import SystemClock
    from lattice_common.recall.journey import Journey
    from lattice_common.recall.topics import branches

    today = branches(Journey(FileLineLog(data_dir, "chat"), SystemClock()).today())
    return [{"topic": each.topic, "turns": len(each.turns), "questions": each.questions} for each in today]


def not_taken(inbox: Mapping[str, int]) -> int:
    """Return files that are not in the journal yet: the others, though still in the folder, wait among the captures."""
    return max(0, inbox.get("waiting", 0) - inbox.get("reading", 0))


def waiting_in(inbox: Path) -> int:
    """Return files that lie in the inbox, those done with not counted."""
    if not inbox.is_dir():
        return 0
    done = {inbox / "processed", inbox / "failed"}
    return sum(
        1 for path in inbox.rglob("*") if path.is_file() and not path.name.startswith(".") and not done & set(path.parents)
    )


def lc_status(target: Target, *, as_json: bool) -> int:
    """Run `lc status`: count, topics, streak."""
    found = read_status(target)
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n" if as_json else "\n".join(short(found)) + "\n")
    return exits.OK


def short(found: dict[str, Any]) -> list[str]:
    """Return what `lc status` shows."""
    lines = [f"{counted(found['atoms'], 'memory', 'memories')}, {counted(found['streak'], 'day', 'days')} deep"]
    topics = list(found["subjects"].items())[:TOP]
    if topics:
        lines.append("Mostly about: " + ", ".join(f"{name} ({count})" for name, count in topics))
    if found["today"]:
        lines.append("Today:")
        for branch in found["today"][-TOP:]:
            asked = " · ".join(" ".join(each.split())[:LONGEST_QUESTION] for each in branch["questions"][-QUESTIONS:])
            lines.append(f"  {branch['topic']}" + (f": {asked}" if asked else ""))
    if not found["atoms"]:
        lines.append('Tell it something: lc "The spare key is with Ines"')
    waiting = found["captures"].get("waiting", 0) + found["inbox"]
    if waiting:
        lines.append(
            f"{counted(waiting, 'note waits', 'notes wait')} to be read"
            + ("." if found["running"] else ": start Lattice with `lattice up`.")
        )
    if migration := found.get("migration"):
        lines.append(
            f"Older memories are looked through for how they were meant: {migration['looked_at']:,} of {migration['of']:,}."
        )
    if asked := found.get("in_review", 0):
        lines.append(f"{counted(asked, 'memory', 'memories')} may no longer hold: say so with `lattice review`.")
    if behind := found.get("judging_behind", 0):
        lines.append(f"{counted(behind, 'memory is', 'memories are')} still to be compared with what they may make untrue.")
    if dead := found["captures"].get("dead", 0):
        lines.append(f"{counted(dead, 'note', 'notes')} could not be read: try again with `lattice retry --all`.")
    return lines
