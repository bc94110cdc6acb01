"""The MCP server with its tools, resources and prompts; served over stdio to the program that started it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
from lattice_common import __version__
from lattice_common.logs import configure
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server

from lattice_mcp.connector import add_connector
from lattice_mcp.everyday import add_everyday
from lattice_mcp.exact import Tools
from lattice_mcp.guard import CALLER
from lattice_mcp.memory import Caller, Memory, caller
from lattice_mcp.prompts import INSTRUCTIONS, add_prompts
from lattice_mcp.resources import add_resources
from lattice_mcp.stdin import read_whole_characters
from lattice_mcp.tools import add_tools
from lattice_mcp.unreadable import Answering


def create_server(memory: Memory, page: str) -> MCPServer[Any]:
    """Return the server with its tools, resources and prompts. `page` is the address of Lattice's own page."""
    tools = Tools()
    add_everyday(tools, memory)
    add_tools(tools, memory)
    add_connector(tools, memory, page)
    server: MCPServer[Any] = MCPServer(
        "lattice",
        title="Lattice",
        description="The user's own long-term memory.",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        tools=tools.made,
        middleware=[_know_caller],
    )
    add_resources(server, memory)
    add_prompts(server, memory)
    return server


def serve_stdio(base_url: str, inbox: Path, token: Callable[[], str | None]) -> None:
    """Serve until the client closes its end. Only MCP is written to standard output."""
    configure("warning", json=None)
    read_whole_characters()
    memory = Memory(base_url, inbox, token)
    try:
        anyio.run(_over_stdio, create_server(memory, base_url.replace("//127.0.0.1", "//localhost")))
    finally:
        memory.close()


async def _over_stdio(server: MCPServer[Any]) -> None:
    """Run the server like the library's own `run`, except that every line is answered, also one that is no message."""
    async with stdio_server() as (reading, writing):
        lowlevel = server._lowlevel_server
        await lowlevel.run(Answering(reading, writing), writing, lowlevel.create_initialization_options())


async def _know_caller(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Return who the message is from, for all that handles it."""
    here = Caller()
    if ctx.request is not None:
        here = ctx.request.scope.get(CALLER, here)
        if opened := ctx.request.headers.get("mcp-session-id"):
            here = replace(here, connection=hashlib.sha256(opened.encode()).hexdigest()[:8])
    if (params := ctx.session.client_params) is not None:
        here = replace(here, client=params.client_info.name[:100])
    before = caller.set(here)
    try:
        return await call_next(ctx)
    finally:
        caller.reset(before)
