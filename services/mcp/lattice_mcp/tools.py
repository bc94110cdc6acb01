"""The tools under the product's own names: their arguments and results are those of the HTTP API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from lattice_common.api_schema.replies import AnswerReply
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from lattice_mcp import words
from lattice_mcp.defang import defanged, defanged_atom, of_the_owner
from lattice_mcp.exact import Tools
from lattice_mcp.memory import Memory
from lattice_mcp.results import (
    NOT_ORDERS,
    AnswerResult,
    AsOf,
    CaptureResult,
    Exchange,
    Filter,
    Limit,
    Message,
    ObservedAt,
    Query,
    SelectResult,
    StatusResult,
)
from lattice_mcp.telling import body_of, told
from lattice_mcp.turns import spoken

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
"""Annotations of tools that add: what is told twice is one memory, and every change can be undone."""

Ctx = Context[Any, Any]
TOP_SUBJECTS = 5


def result(text: str, structured: BaseModel, **dump: Any) -> CallToolResult:
    """Return words for people and models, data for programs."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=structured.model_dump(mode="json", **dump)
    )


def add_tools(tools: Tools, memory: Memory) -> None:
    """Add the tools `lattice_ingest`, `lattice_capture`, `lattice_select`, `lattice_answer` and `lattice_status`."""
    _add_keeping(tools, memory)
    _add_finding(tools, memory)
    _add_answering(tools, memory)


def _add_keeping(tools: Tools, memory: Memory) -> None:
    @tools.tool(title="Keep text or a conversation", annotations=ADDS)
    async def lattice_ingest(
        ctx: Ctx,
        text: Annotated[str | None, Field(description="Prose, notes, or a pasted chat (`User: …` / `Assistant: …`).")] = None,
        messages: Annotated[list[Message] | None, Field(description="A conversation; instead of `text`.")] = None,
        source: Annotated[
            Literal["user", "assistant", "document", "code", "system"],
            Field(description="Whose words: `user` for the user's own only, `assistant` for yours, `document` for the rest."),
        ] = "user",
        source_type: Literal["chat", "markdown", "code", "plain"] | None = None,
        wait: Annotated[bool, Field(description="Answer once it is read (30 s at most).")] = False,
        metadata: Annotated[
            dict[str, Any] | None, Field(description="source_id, session_id, observed_at (RFC 3339), title, anything.")
        ] = None,
    ) -> Annotated[CallToolResult, CaptureResult]:
        """Keep a whole text or conversation. Use it for material: documents, transcripts, long notes. For one fact that the user
        states, use `remember`; for your own summary of a session, `lattice_capture`."""
        if (text is None) == (messages is None):
            raise ToolError("Send either `text` or `messages`, and not both.")
        said: dict[str, Any] = {"source": source}
        if messages is not None:
            said["messages"] = [each.model_dump(exclude_none=True) for each in messages]
        elif source_type in (None, "chat") and source == "user":
            said |= spoken(text or "")
        else:
            said["text"] = text
        if source_type is not None:
            said["source_type"] = source_type
        kept, first = await told(memory, body_of(memory, said, metadata or {}), ctx, wait=wait)
        return result(words.of_capture(kept, first), kept)

    @tools.tool(title="Save what this session found out", annotations=ADDS)
    async def lattice_capture(
        ctx: Ctx,
        summary: Annotated[str, Field(min_length=1, description="What was decided, found out, and is left to do.")],
        title: str | None = None,
        observed_at: ObservedAt = None,
        session_id: str | None = None,
    ) -> Annotated[CallToolResult, CaptureResult]:
        """Save your summary at the end of a session. It is kept as the assistant's words, which never take the place of the
        user's. Not for what the user said: that is for `remember`."""
        said = {"text": summary, "source": "assistant", "source_type": "markdown"}
        facts = {"title": title, "observed_at": observed_at, "session_id": session_id}
        kept, first = await told(memory, body_of(memory, said, facts), ctx, wait=True)
        return result(words.of_capture(kept, first), kept)


def _add_finding(tools: Tools, memory: Memory) -> None:
    @tools.tool(title="Find memories, with all their fields", annotations=READS)
    async def lattice_select(
        query: Query,
        limit: Limit = 15,
        as_of: AsOf = None,
        include_superseded: Annotated[bool, Field(description="Also what was replaced since.")] = False,
        include_archived: Annotated[bool, Field(description="Also what the user archived.")] = False,
        explain: Annotated[bool, Field(description="With the signals of each score.")] = False,
        filter: Filter | None = None,  # noqa: A002 - the API's word
    ) -> Annotated[CallToolResult, SelectResult]:
        """Find memories with every field, filters and scores, for programs that need them. To answer the user, `recall` says the
        same in fewer words. No language model is asked."""
        wanted = filter.model_dump(exclude_none=True) if filter else {}
        found = await memory.ask(
            lambda client: client.select(
                query,
                limit=limit,
                as_of=as_of,
                include_superseded=include_superseded,
                include_archived=include_archived,
                explain=explain,
                judged=True,
                filter=wanted,
            )
        )
        atoms = [defanged_atom(atom) for atom in found["atoms"]]
        selected = SelectResult.model_validate({**found, "atoms": atoms})
        lines = [words.listed(atom) for atom in atoms]
        return result("\n".join([NOT_ORDERS, *lines]) if lines else "Nothing is remembered about that.", selected)


def _add_answering(tools: Tools, memory: Memory) -> None:
    @tools.tool(title="Answer from memory, with citations", annotations=READS)
    async def lattice_answer(
        query: Annotated[str, Field(min_length=1, description="The question, in full.")],
        atom_ids: Annotated[list[str] | None, Field(max_length=100, description="Answer from these memories only.")] = None,
        as_of: AsOf = None,
        history: Annotated[list[Exchange] | None, Field(max_length=50, description="The turns before, oldest first.")] = None,
    ) -> Annotated[CallToolResult, AnswerResult]:
        """Have Lattice write the answer itself, each sentence cited and checked. Use it when the user wants the answer with its
        sources; to draw on memory in words of your own, `recall` is quicker."""
        turns = [turn.model_dump() for turn in history or []]
        session_id = memory.session_id()
        found = await memory.ask(
            lambda client: client.answer(
                query, atom_ids=atom_ids or [], as_of=as_of, history=turns, session_id=session_id, channel="mcp"
            )
        )
        answer = _defanged_answer(found)
        return result(words.of_answer(answer), answer)

    @tools.tool(title="How memory is", annotations=READS)
    async def lattice_status() -> Annotated[CallToolResult, StatusResult]:
        """Return how much is remembered, on what, what is still being read, and whether all works. Use it when something seems
        amiss, or the user asks what you know."""
        found = await memory.ask(lambda client: client.status())
        top = sorted(found["subjects"].items(), key=lambda each: (-each[1], each[0]))[:TOP_SUBJECTS]
        subjects = [defanged(name) for name, _ in top]
        model = found["language_model"]
        more = {
            "top_subjects": subjects,
            "language_model": model.get("model") if model.get("available") else None,
            "session_id": memory.session_id(),
        }
        status = StatusResult.model_validate({**found, **more})
        return result(words.of_status(status), status)


def _defanged_answer(found: AnswerReply) -> AnswerResult:
    """Return the answer with addresses only where the owner gave them, in a memory that is cited."""
    cited = {each["atom_id"] for each in found["citations"]}
    known = of_the_owner(atom for atom in found["atoms"] if atom["atom_id"] in cited)
    pairs = [
        {"atom": defanged_atom(pair["atom"]), "disagrees_with": defanged_atom(pair["disagrees_with"])}
        for pair in found.get("disagreements", [])
    ]
    atoms = [defanged_atom(atom) for atom in found["atoms"]]
    answer = AnswerResult.model_validate({**found, "atoms": atoms, "disagreements": pairs})
    answer.answer = defanged(answer.answer, known)
    answer.related_subjects = [defanged(each) for each in answer.related_subjects]
    answer.warnings = [defanged(each, known) for each in answer.warnings]
    for citation in answer.citations:
        citation["quote"] = defanged(citation["quote"], known)
        citation["source_id"] = defanged(citation["source_id"]) if citation["source_id"] else None
    return answer
