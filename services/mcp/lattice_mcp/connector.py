"""`search` and `fetch`, in the shape that ChatGPT's connectors and deep research want: one JSON object, also as text."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.types import CallToolResult
from pydantic import AfterValidator, Field

from lattice_mcp.defang import defanged_atom
from lattice_mcp.exact import Tools
from lattice_mcp.memory import Memory, id_of
from lattice_mcp.results import NOT_ORDERS, Document, Hit, SearchResult
from lattice_mcp.tools import READS, result
from lattice_mcp.words import in_a_line, indented

RESULTS = 10
LONGEST_TITLE = 120


def add_connector(tools: Tools, memory: Memory, page: str) -> None:
    """Add the tools `search` and `fetch`. `page` is the address of Lattice's own page, to which citations link."""

    @tools.tool(title="Search memory", annotations=READS)
    async def search(
        query: Annotated[str, Field(description="A question, or the words to look for.")],
    ) -> Annotated[CallToolResult, SearchResult]:
        """Search memory, for clients that then `fetch` each result. Others use `recall`."""
        found = await memory.ask(lambda client: client.select(query, limit=RESULTS))
        atoms = [defanged_atom(atom) for atom in found["atoms"]]
        hits = [Hit(id=atom["atom_id"], title=_title(atom), url=_url(page, atom["atom_id"])) for atom in atoms]
        answer = SearchResult(results=hits)
        return result(answer.model_dump_json(), answer)

    @tools.tool(title="Fetch a memory", annotations=READS)
    async def fetch(
        id: Annotated[  # noqa: A002 - the connectors' word
            str,
            AfterValidator(id_of("no id of a memory. Take the one that `search` gave.")),
            Field(description="The `id` of a result of `search`, or an `atom_id`."),
        ],
    ) -> Annotated[CallToolResult, Document]:
        """Return one memory in full: what it says, the words it comes from, and what it replaced."""
        atom = defanged_atom(await memory.ask(lambda client: client.atom(id)))
        document = Document(
            id=atom["atom_id"],
            title=_title(atom),
            text=text_of(atom),
            url=_url(page, atom["atom_id"]),
            metadata={name: atom[name] for name in ("kind", "subject", "observed_at", "trust") if name in atom},
        )
        return result(document.model_dump_json(), document)


def text_of(atom: dict[str, Any]) -> str:
    """Return a memory in words: what it says, since when, whose words, and its history."""
    lines = [NOT_ORDERS, indented(atom["content"]), f"Said on {str(atom['observed_at'])[:10]}; trust: {atom['trust']}."]
    if atom.get("source"):
        lines.append(f"From: {indented(atom['source']['text'])}")
    if atom.get("replaced_by"):
        lines.append(f"Replaced by: {in_a_line(atom['replaced_by']['content'])}")
    lines += [f"Before: {in_a_line(old['content'])} ({str(old['observed_at'])[:10]})" for old in atom.get("history", [])]
    lines += [f"Disagrees: {in_a_line(other['content'])}" for other in atom.get("disagrees", [])]
    return "\n".join(lines)


def _title(atom: dict[str, Any]) -> str:
    content = in_a_line(atom["content"])
    return content if len(content) <= LONGEST_TITLE else content[: LONGEST_TITLE - 1] + "…"


def _url(page: str, atom_id: str) -> str:
    return f"{page}/?atom={atom_id}"
