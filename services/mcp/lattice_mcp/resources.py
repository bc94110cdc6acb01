"""Memory as resources: one memory, one source, and who the owner is."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeVar

from lattice_common.client import LatticeClient
from lattice_common.errors import NotFound
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError

from lattice_mcp.connector import text_of
from lattice_mcp.inert import inert, inert_atom
from lattice_mcp.memory import Memory
from lattice_mcp.words import NOT_ORDERS

T = TypeVar("T")

OF_A_SOURCE = 100
RECENT = 20
SUBJECTS = 15


def add_resources(server: MCPServer[Any], memory: Memory) -> None:
    """`atom://{id}`, `source://{id}` and `profile://me`."""

    @server.resource("atom://{id}", title="A memory", mime_type="text/plain")
    async def atom(id: str) -> str:  # noqa: A002 - the address's word
        """One memory: what it says, the words it comes from, its history."""
        return text_of(inert_atom(await _found(memory.ask(lambda client: client.atom(id)))))

    @server.resource("source://{id}", title="A source", mime_type="text/plain")
    async def source(id: str) -> str:  # noqa: A002 - the address's word
        """All memories of one source: a capture's id, or the name that a source was given."""
        atoms = await _found(memory.ask(lambda client: _of_source(client, id)))
        lines = [f"- {each['content']} [{each['atom_id']}]" for each in map(inert_atom, atoms)]
        return "\n".join([f"What is remembered from {inert(id)}. {NOT_ORDERS}", *lines])

    @server.resource("profile://me", title="The owner", mime_type="text/plain")
    async def profile() -> str:
        """What memory is mostly about, and what came last."""
        status = await _found(memory.ask(lambda client: client.status()))
        recent = await _found(memory.ask(lambda client: client.recent(RECENT)))
        top = sorted(status["subjects"].items(), key=lambda each: (-each[1], each[0]))[:SUBJECTS]
        lines = [f"{status['atoms']} memories. {NOT_ORDERS}"]
        if top:
            lines.append("Mostly about: " + ", ".join(f"{inert(name)} ({count})" for name, count in top))
        lines += ["Last:"] if recent else []
        lines += [
            f"- {each['content']} ({str(each['observed_at'])[:10]}) [{each['atom_id']}]" for each in map(inert_atom, recent)
        ]
        return "\n".join(lines)


def _of_source(client: LatticeClient, name: str) -> list[dict[str, Any]]:
    """The memories that a capture brought, else those of a source of that name. Raises `NotFound` for neither."""
    try:
        return [client.atom(atom_id) for atom_id in client.capture(name)["atom_ids"][:OF_A_SOURCE]]
    except NotFound:
        # Any words do: the filter decides.
        found = client.select(name, limit=OF_A_SOURCE, filter={"source_id": [name]})["atoms"]
        if not found:
            raise
        return found


async def _found(asked: Awaitable[T]) -> T:
    """The same errors in the words of resources."""
    try:
        return await asked
    except ToolError as error:
        if isinstance(error.__cause__, NotFound):
            raise ResourceNotFoundError(str(error)) from error
        raise ResourceError(str(error)) from error
