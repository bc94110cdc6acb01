"""Memory as resources: one memory, one source, and who the owner is."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from lattice_common.client import LatticeClient
from lattice_common.domain.ids import ID
from lattice_common.errors import NotFound
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError

from lattice_mcp.connector import text_of
from lattice_mcp.defang import defanged, defanged_atom
from lattice_mcp.memory import Memory
from lattice_mcp.results import NOT_ORDERS
from lattice_mcp.words import in_a_line, listed_defanged

T = TypeVar("T")

OF_A_SOURCE = 100
OF_A_CATEGORY = 15
PROFILE_TOKENS = 1_500
"""About how many tokens of an assistant's context a profile may take."""
RECENT = 10
SUBJECTS = 15
LONGEST_NAME = 100
"""Characters of what was asked for that an error repeats."""


def add_resources(server: MCPServer[Any], memory: Memory) -> None:
    """Add the resources `atom://{id}`, `source://{id}` and `profile://me`."""

    @server.resource("atom://{id}", title="A memory", mime_type="text/plain")
    async def atom(id: str) -> str:  # noqa: A002 - the address's word
        """Return one memory: what it says, the words it comes from, its history."""
        return text_of(defanged_atom(await _found(memory.ask(lambda client: _atom(client, id)))))

    @server.resource("source://{id}", title="A source", mime_type="text/plain")
    async def source(id: str) -> str:  # noqa: A002 - the address's word
        """Return all memories of one source: a capture's id, or the name that a source was given."""
        atoms, more = await _found(memory.ask(lambda client: _of_source(client, id)))
        lines = [f"- {in_a_line(each['content'])} [{each['atom_id']}]" for each in map(defanged_atom, atoms)]
        lines += [f"And {more} more."] if more else []
        return "\n".join([f"What is remembered from {defanged(id)}. {NOT_ORDERS}", *lines])

    @server.resource("profile://me", title="The owner", mime_type="text/plain")
    async def profile() -> str:
        """Return who the owner is, as far as it holds now: what lasts, what the last four weeks brought, what memory is mostly
        about, and what came last."""
        status = await _found(memory.ask(lambda client: client.status()))
        known = await _found(memory.ask(lambda client: client.profile(OF_A_CATEGORY, tokens=PROFILE_TOKENS)))
        recent = await _found(memory.ask(lambda client: client.recent(RECENT)))
        top = sorted(status["subjects"].items(), key=lambda each: (-each[1], each[0]))[:SUBJECTS]
        lines = [f"{status['atoms']} memories. {NOT_ORDERS}"]
        if top:
            lines.append("Mostly about: " + ", ".join(f"{defanged(name)} ({count})" for name, count in top))
        for title, half in (("Lasting", known["lasting"]), ("Of the last four weeks", known["recent"])):
            for group in half:
                lines += [f"{title}, {group['category']}:", *map(_profile_line, group["lines"])]
        if known["left_out"]:
            lines.append(f"And {known['left_out']} more: ask with `recall`.")
        lines += ["Last:", *map(listed_defanged, recent)] if recent else []
        return "\n".join(lines)


def _profile_line(line: Mapping[str, Any]) -> str:
    """Return a line like `listed`, and whether the owner stated it."""
    whose = "document" if line["origin"] == "learned" else "user"
    atom = {"atom_id": line["atom_id"], "content": line["content"], "observed_at": line["since"], "trust": whose}
    return f"{listed_defanged({**atom, 'source_quote': ''})} {line['origin']}"


def _atom(client: LatticeClient, given: str) -> dict[str, Any]:
    """Return the memory of this id. Raise `NotFound`, also for what is no id."""
    if not ID.fullmatch(given.lower()):
        raise NotFound(f"There is no memory {given[:LONGEST_NAME]}: an id has 26 letters and digits.")
    return client.atom(given.lower())


def _of_source(client: LatticeClient, name: str) -> tuple[Sequence[Mapping[str, Any]], int]:
    """Return the remaining memories of a capture, else those of a source of that name, and how many more there are. Raise
    `NotFound` for neither."""
    if ID.fullmatch(name.lower()):
        with suppress(NotFound):
            brought = client.capture(name.lower())["atom_ids"]
            return list(_still_there(client, brought[:OF_A_SOURCE])), max(len(brought) - OF_A_SOURCE, 0)
    # Any words do: the filter decides.
    found = client.select(name, limit=OF_A_SOURCE, filter={"source_id": [name]})["atoms"] if name.strip() else []
    if not found:
        raise NotFound(f"There is neither a capture nor a source called {name[:LONGEST_NAME]}.")
    return found, 0


def _still_there(client: LatticeClient, atom_ids: list[str]) -> Iterator[dict[str, Any]]:
    for atom_id in atom_ids:
        with suppress(NotFound):  # forgotten since
            yield client.atom(atom_id)


async def _found(asked: Awaitable[T]) -> T:
    """Return what was asked for; errors become those of resources."""
    try:
        return await asked
    except ToolError as error:
        if isinstance(error.__cause__, NotFound):
            raise ResourceNotFoundError(str(error)) from error
        raise ResourceError(str(error)) from error
