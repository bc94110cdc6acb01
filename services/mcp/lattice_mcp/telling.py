"""Telling something and hearing what was remembered: what `lattice_ingest`, `lattice_capture` and `remember` share."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio
from lattice_common.api_schema.replies import CaptureReply
from lattice_common.client import LatticeClient
from lattice_common.client_replies import FINAL_STATES
from lattice_common.domain.receipt import STAGES
from lattice_common.errors import LatticeError, NotFound
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from lattice_mcp.defang import defanged_atom
from lattice_mcp.memory import Memory, caller, now
from lattice_mcp.results import CaptureResult

WAIT_SECONDS = 30.0
"""The longest that a call waits to hear what was remembered; it is kept by then in any case."""

FIRST_LOOK, LONGEST_PAUSE = 0.02, 0.5
"""Seconds between looks at a capture: short ones are read in milliseconds."""

FIRST_MEMORIES = 5
"""New memories whose words are shown; the rest is counted."""

_OUR_SAY = frozenset({"session_id", "observed_at"})
"""Fields that are filled in here where the caller leaves them empty."""


def body_of(memory: Memory, words: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of `POST /api/ingest`: `words` are its text or messages and what they are. A date of the caller's is kept
    as it is, with this machine's clock beside it; without one, the clock is the date, wherever and whenever it is taken in. Raise
    `ToolError`."""
    clock = now()
    facts = {name: value for name, value in metadata.items() if value is not None and (value != "" or name not in _OUR_SAY)}
    named = {"client": who} if (who := caller.get().client) else {}
    # The session and the date may be the caller's; which door it came through, and when, is this machine's to say.
    whole = {"session_id": memory.session_id(), "observed_at": clock, **facts, **named, "channel": "mcp", "recorded_at": clock}
    try:
        json.dumps(whole, allow_nan=False)
    except ValueError as error:
        raise ToolError("`metadata` holds a number that JSON has no word for (NaN, Infinity): leave it out.") from error
    return {**words, "metadata": whole}


async def told(memory: Memory, body: Mapping[str, Any], ctx: Context[Any, Any], *, wait: bool) -> tuple[CaptureResult, list[str]]:
    """Store it; with `wait`, return only when it is read, and report progress meanwhile. Return the result and the first new
    memories."""
    session_id = str(body["metadata"]["session_id"])
    kept = await memory.tell(body)
    if kept.reply is None:
        left = CaptureResult(capture_id=None, state="waiting", inbox=str(kept.inbox), reason=kept.why, session_id=session_id)
        return left, []
    reply = await _followed(memory, kept.reply, ctx) if wait else kept.reply
    result = CaptureResult.of(reply, session_id)
    return result, await _said(memory, result) if result.state == "stored" else []


async def _followed(memory: Memory, reply: CaptureReply, ctx: Context[Any, Any]) -> CaptureReply:
    """Return the receipt, or the state after `WAIT_SECONDS`. A token that may capture is not always one that may read."""
    capture_id = reply["capture_id"]
    deadline = time.monotonic() + WAIT_SECONDS
    pause, seen = FIRST_LOOK, -1.0
    while reply["state"] not in FINAL_STATES and time.monotonic() < deadline:
        await anyio.sleep(pause)
        pause = min(pause * 1.5, LONGEST_PAUSE)
        try:
            reply = await memory.ask(lambda client: client.capture(capture_id))
        except ToolError:
            break  # it is kept: that it cannot be looked at is no reason to say anything else
        done, stage = _progress(reply)
        if done > seen:
            seen = done
            await ctx.report_progress(done, len(STAGES), stage)
    if reply["state"] in FINAL_STATES and seen < len(STAGES):
        await ctx.report_progress(len(STAGES), len(STAGES), "done")
    return reply


def _progress(reply: Mapping[str, Any]) -> tuple[float, str]:
    """Return how many of the stages are done, with the fraction of the current one, and its name."""
    at = reply.get("progress")
    if not at:
        return 0.0, "waiting"
    share = at["done"] / at["total"] if at["total"] else 0.0
    return STAGES.index(at["stage"]) + min(share, 1.0), str(at["stage"])


async def _said(memory: Memory, result: CaptureResult) -> list[str]:
    """Return the words of the first new memories, without those that were replaced meanwhile or may not be read."""
    said = []
    for atom_id in result.atom_ids[:FIRST_MEMORIES]:
        try:
            atom = await memory.ask(partial(LatticeClient.atom, atom_id=atom_id))
        except ToolError as error:
            if isinstance(error.__cause__, NotFound):
                continue
            if isinstance(error.__cause__, LatticeError):
                break
            raise
        said.append(str(defanged_atom({"content": atom["content"], "trust": atom["trust"]})["content"]))
    return said
