"""The MCP server, over stdio (`lattice mcp`) or over HTTP at `/mcp` (`lattice mcp --http`, and its container)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio.to_thread
import uvicorn
from lattice_common import __version__
from lattice_common.client import LatticeClient
from lattice_common.errors import InvalidInput, LatticeError, NotAllowed, NotConfigured
from lattice_common.logs import configure, logger
from lattice_common.settings import Settings
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from lattice_mcp.connector import add_connector
from lattice_mcp.everyday import add_everyday
from lattice_mcp.guard import CALLER, LOCAL_HOSTS, Guard, Known
from lattice_mcp.memory import Caller, Memory, caller
from lattice_mcp.prompts import INSTRUCTIONS, add_prompts
from lattice_mcp.resources import add_resources
from lattice_mcp.tools import add_tools

log = logger(__name__)

PATH = "/mcp"
BODY_OVER_TEXT = 3
"""A text of n bytes may need up to this many times as many in JSON, as in the API."""

SHORTEST_TOKEN = 16


def create_server(memory: Memory, page: str) -> MCPServer[Any]:
    """The server with its tools, resources and prompts. `page` is the address of Lattice's own page."""
    server: MCPServer[Any] = MCPServer(
        "lattice",
        title="Lattice",
        description="The user's own long-term memory.",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        middleware=[_know_caller],
    )
    add_everyday(server, memory)
    add_tools(server, memory)
    add_connector(server, memory, page)
    add_resources(server, memory)
    add_prompts(server)
    return server


def create_app(memory: Memory, *, page: str, hosts: frozenset[str], own_token: str | None, max_body: int) -> ASGIApp:
    """The server over HTTP, complete with access control. `max_body` is in bytes."""
    server = create_server(memory, page)

    async def health(_: Request) -> Response:
        return JSONResponse({"status": "alive"})

    server.custom_route("/health", methods=["GET"])(health)
    names = sorted(LOCAL_HOSTS | hosts)
    shown = [f"[{name}]" if ":" in name else name for name in names]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=max_body,
        # Looked after by the guard already, and once more here: either alone keeps other sites out.
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[each for name in shown for each in (name, f"{name}:*")],
            allowed_origins=[f"{scheme}://{name}{port}" for scheme in ("http", "https") for name in shown for port in ("", ":*")],
        ),
    )

    async def ask(token: str) -> Known | None:
        return await anyio.to_thread.run_sync(known_by_api, memory.base_url, token)

    return Guard(app, hosts=hosts, own_token=own_token, ask=ask)


def serve_stdio(base_url: str, inbox: Path, token: Callable[[], str | None]) -> None:
    """Until the client closes its end. Nothing but MCP goes to stdout."""
    configure("warning", json=None)
    memory = Memory(base_url, inbox, token)
    try:
        create_server(memory, base_url.replace("//127.0.0.1", "//localhost")).run("stdio")
    finally:
        memory.close()


def serve_http(settings: Settings, *, base_url: str | None = None, token: Callable[[], str | None] | None = None) -> None:
    """Until it is told to stop. `token` gives what calls go out with when the door has a token of its own."""
    configure(settings.log_level, json=settings.log_json)
    api = settings.api_token.get_secret_value() if settings.api_token else None
    url = base_url or settings.api_url.rstrip("/") or f"http://127.0.0.1:{settings.port}"
    memory = Memory(url, settings.inbox, token or (lambda: api))
    named = {name.strip().lower() for name in settings.allowed_hosts.split(",")} | {settings.mcp_host}
    app = create_app(
        memory,
        page=settings.public_url.rstrip("/") or url.replace("//127.0.0.1", "//localhost"),
        hosts=frozenset(named - {"", "0.0.0.0", "::"}),  # noqa: S104 - compared, not bound
        own_token=_own_token(settings),
        max_body=settings.max_text_bytes * BODY_OVER_TEXT,
    )
    log.info("mcp_serves", port=settings.mcp_port)
    try:
        uvicorn.run(
            app,
            host=settings.mcp_host,
            port=settings.mcp_port,
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=5,
        )
    finally:
        memory.close()


def known_by_api(base_url: str, token: str) -> Known | None:
    """What the API says of a token. Raises `LatticeError` when it cannot be asked."""
    with LatticeClient(base_url, token, timeout=5.0) as client:
        try:
            client.status()
        except NotAllowed as error:
            if error.status == 401:
                return None
            if error.status != 403:
                raise
        try:
            client.ingest({})  # refused either way: as empty where the token may capture, as not allowed where it may not
        except InvalidInput:
            return Known(may_capture=True)
        except NotAllowed:
            return Known(may_capture=False)
        raise LatticeError(f"{base_url} took an empty capture: is it Lattice that listens there?")


def _own_token(settings: Settings) -> str | None:
    own = settings.mcp_token.get_secret_value() if settings.mcp_token else None
    if own is not None and len(own) < SHORTEST_TOKEN:
        line = f"LATTICE_MCP_TOKEN={secrets.token_urlsafe(32)}"
        raise NotConfigured(f"LATTICE_MCP_TOKEN is easily guessed. Put this into .env: {line}", env_line=line)
    return own


async def _know_caller(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Who the message is from, for all that handles it."""
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
