"""The tools that assistants use every day: remember, recall, update, forget, review, settle, undo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from lattice_common.client import LatticeClient
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import AfterValidator, Field

from lattice_mcp import words
from lattice_mcp.defang import defanged_atom
from lattice_mcp.exact import Tools
from lattice_mcp.memory import Memory, id_of
from lattice_mcp.results import (
    AsOf,
    AtomId,
    CaptureResult,
    ChangeResult,
    InReview,
    Limit,
    ObservedAt,
    Opposed,
    Query,
    RecallResult,
    ReviewResult,
    Until,
)
from lattice_mcp.results import Memory as Remembered
from lattice_mcp.telling import body_of, told
from lattice_mcp.tools import ADDS, READS, Ctx, result
from lattice_mcp.turns import spoken

WHICH = "Only one can be so. Which?"

CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
TAKES_BACK = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)


def add_everyday(tools: Tools, memory: Memory) -> None:
    """Add the tools `remember`, `recall`, `update`, `forget`, `review`, `settle` and `undo`."""
    _add_remembering(tools, memory)
    _add_changing(tools, memory)
    _add_reviewing(tools, memory)
    _add_undoing(tools, memory)


def _add_remembering(tools: Tools, memory: Memory) -> None:
    @tools.tool(title="Remember", annotations=ADDS)
    async def remember(
        ctx: Ctx,
        text: Annotated[str, Field(min_length=1, description="The user's statement, in their words, self-contained.")],
        observed_at: ObservedAt = None,
    ) -> Annotated[CallToolResult, CaptureResult]:
        """Remember what the user says of themselves, their plans, people and things: when they ask for it, or state something
        lasting. It counts as the user's own words. What is newer replaces what is older by itself."""
        said = {**spoken(text), "source": "user"}
        kept, first = await told(memory, body_of(memory, said, {"observed_at": observed_at}), ctx, wait=True)
        return result(words.of_capture(kept, first), kept)

    @tools.tool(title="Recall", annotations=READS)
    async def recall(
        query: Query,
        limit: Limit = 10,
        as_of: AsOf = None,
    ) -> Annotated[CallToolResult, RecallResult]:
        """Look up what is remembered. Use it first, whenever the user's life, work, people, plans or an earlier conversation may
        matter to the answer."""
        found = await memory.ask(lambda client: client.select(query, limit=limit, as_of=as_of, judged=True))
        recalled = RecallResult(
            memories=[_in_short(atom) for atom in found["atoms"]],
            answerable=found["answerable"],
            confidence=found["confidence"],
            degraded=found["degraded"],
        )
        return result(words.of_recall(recalled), recalled)


def _add_changing(tools: Tools, memory: Memory) -> None:
    @tools.tool(title="Correct a memory", annotations=CHANGES)
    async def update(
        atom_id: AtomId,
        content: Annotated[str | None, Field(min_length=1, description="The statement as it should read.")] = None,
        subject: Annotated[str | None, Field(min_length=1)] = None,
        kind: Annotated[str | None, Field(min_length=1, description="fact, preference, event, goal, decision …")] = None,
        valid_until: Until = None,
    ) -> Annotated[CallToolResult, ChangeResult]:
        """Correct a memory that was wrong from the start. What has changed in life is for `remember`: then the history stays."""
        given = {"content": content, "subject": subject, "kind": kind, "valid_until": valid_until}
        fields = {name: value for name, value in given.items() if value is not None}
        if not fields:
            raise ToolError("There is nothing to change: give `content`, `subject`, `kind` or `valid_until`.")
        change_id = await memory.ask(lambda client: client.edit(atom_id, fields, channel="mcp"))
        return result(f"Corrected. To take it back: undo {change_id}", ChangeResult(change_id=change_id, atom_id=atom_id))

    @tools.tool(title="Forget", annotations=CHANGES)
    async def forget(atom_id: AtomId) -> Annotated[CallToolResult, ChangeResult]:
        """Put one memory into the trash, when the user asks for it. Recall it first, and say what goes. It can be undone until it
        is forgotten for good, on the day that the reply names; only the user can have it forgotten before."""
        done = await memory.ask(lambda client: _forgotten(client, atom_id))
        change_id = str(done["change_id"])
        said = f"Not forgotten yet: it is in the trash until {done['until'][:10]}. To take it back: undo {change_id}"
        return result(said, ChangeResult(change_id=change_id, atom_id=atom_id))


def _add_reviewing(tools: Tools, memory: Memory) -> None:
    @tools.tool(title="What may no longer be so", annotations=READS)
    async def review(limit: Limit = 10) -> Annotated[CallToolResult, ReviewResult]:
        """List memories that a newer one may have made untrue, and pairs of which only one can be so. When one bears on what you
        talk of, ask the user "Is this still so?", or which is so, and keep their word with `settle`."""
        found = await memory.ask(lambda client: client.review(limit))
        conflicts = await memory.ask(lambda client: client.conflicts(limit))
        pairs = [
            InReview(
                newer=_in_short(each["newer"]), older=_in_short(each["older"]), question=each["question"], since=each["since"]
            )
            for each in found["review"]
        ]
        opposed = [
            Opposed(said_before=_in_short(each["disagrees_with"]), said_otherwise=_in_short(each["atom"]), question=WHICH)
            for each in conflicts
        ]
        listed = ReviewResult(review=pairs, count=found["count"], disagreeing=opposed)
        return result(words.of_review(listed), listed)

    @tools.tool(title="Keep what the user says of it", annotations=CHANGES)
    async def settle(
        newer: Annotated[AtomId, Field(description="The newer one of a pair; of two that disagree, the one that holds.")],
        older: Annotated[AtomId, Field(description="The other one of the pair.")],
        still_so: Annotated[bool, Field(description="The user's word: whether the older one still holds beside the newer.")],
    ) -> Annotated[CallToolResult, ChangeResult]:
        """Keep the user's answer on a pair that `review` listed. Only what the user has said, never your own guess. It can be
        undone."""
        outcome: Literal["replaced", "both"] = "both" if still_so else "replaced"
        change_id = await memory.ask(lambda client: client.settle(newer, older, outcome, channel="mcp"))
        said = "Both hold." if still_so else "The older one is replaced."
        return result(f"{said} To take it back: undo {change_id}", ChangeResult(change_id=change_id, atom_id=older))


def _add_undoing(tools: Tools, memory: Memory) -> None:
    @tools.tool(title="Undo", annotations=TAKES_BACK)
    async def undo(
        change_id: Annotated[
            str,
            AfterValidator(id_of("no id of a change. Take the one that was said with it.")),
            Field(description="The `change_id` of a change, or the `capture_id` of what was told."),
        ],
    ) -> Annotated[CallToolResult, ChangeResult]:
        """Take back an `update` or a `forget`, or all that a `remember` or a capture brought."""
        undone = await memory.ask(lambda client: client.undo(change_id))
        return result(f"Taken back. To redo it: undo {undone}", ChangeResult(change_id=undone))


def _forgotten(client: LatticeClient, atom_id: str) -> dict[str, Any]:
    shown = client.forget({"atom_ids": [atom_id]}, channel="mcp")
    return client.forget({"atom_ids": [atom_id]}, confirm=shown["confirm"], channel="mcp")


def _in_short(atom: Mapping[str, Any]) -> Remembered:
    """Return the fields of a memory that are told. Only these are searched for addresses, which is a quarter of the work."""
    return Remembered.model_validate(defanged_atom({name: atom[name] for name in Remembered.model_fields if name in atom}))
