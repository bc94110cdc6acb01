"""`lc --do`: have something done, after seeing what it is where it destroys."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from lattice_cli import exits
from lattice_cli.terminal import agreed

if TYPE_CHECKING:
    from lattice_common.api_schema.replies import OrderReply

    from lattice_cli.target import Target

LONGEST = 160
SHOWN = 20
"""Memories of what would go that are listed; the rest is counted."""


def do(words: str, target: Target, *, yes: bool, as_json: bool) -> int:
    """Carry out a request and return the exit code: 0 when it was done, 1 when it was not understood or not confirmed."""
    from lattice_cli.connection import connected

    with connected(target) as client:
        done = client.do(words, channel="cli")
        if done["state"] == "confirm" and not as_json:
            sys.stdout.write(shown(done))
        if done["state"] == "confirm" and (yes or (not as_json and agreed())):
            done = client.do(token=done["token"], channel="cli")
        elif done["state"] == "confirm" and not as_json:
            sys.stdout.write("Nothing was changed.\n")
            return exits.FAILED
    sys.stdout.write(json.dumps(done, ensure_ascii=False) + "\n" if as_json else shown(done))
    return exits.OK if done["state"] == "done" else exits.FAILED


def shown(done: OrderReply) -> str:
    """Return what became of it, the memories it is about, and how to take it back."""
    lines = [done["message"]]
    if done["state"] == "confirm":
        lines += [f"  {' '.join(str(each['content']).split())[:LONGEST]}" for each in done["atoms"][:SHOWN]]
        if (more := done["found"] - SHOWN) > 0:
            lines.append(f"  … and {more} more")
    if done["state"] == "unclear":
        lines.append('Without --do it is remembered: lc "…". To have it answered: lattice ask "…"')
    if done["href"]:
        lines.append("lattice export writes it to a file.")
    if done["change_id"] is not None:
        lines.append(f"To take that back: lattice undo {done['change_id']}")
    return "\n".join(lines) + "\n"
