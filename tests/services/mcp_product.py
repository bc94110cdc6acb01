"""The real product on a port, and the official MCP client before it: over stdio to `lattice mcp`, over HTTP to the door's app."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx2
from fastapi import FastAPI
from lattice_api.local_token import keep_local_token
from lattice_common.origins import Origins
from lattice_mcp.app import create_server
from lattice_mcp.http_door import create_app
from lattice_mcp.memory import Memory
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.services.door import Door, opened
from tests.serving import serving

NOBODY = "http://127.0.0.1:1"
"""Where no server listens."""


@dataclass(frozen=True)
class Product:
    """A product that listens at `url`; `door.token` may do all."""

    door: Door
    url: str
    root: Path

    @property
    def token(self) -> str:
        return self.door.token

    def token_for(self, *scopes: str, source_id: str | None = None) -> str:
        """A new token with these scopes alone, or of one source."""
        return self.door.access.store.add_token("-".join(scopes), cast(Any, scopes), source_id=source_id)


@contextmanager
def product(root: Path, **settings: Any) -> Iterator[Product]:
    """The product on a folder below `root`, where `lattice mcp` finds it."""
    with opened(root / "data", **settings) as door, serving(door.app) as url:
        keep_local_token(door.access.store, root / "data")
        yield Product(door, url, root)


def memory_of(url: str, root: Path, token: str | None) -> Memory:
    return Memory(url, root / "data" / "inbox", lambda: token)


@asynccontextmanager
async def in_process(memory: Memory) -> AsyncIterator[Client]:
    """The server's tools without a transport: what they say is the same, and it is quick."""
    async with Client(create_server(memory, "http://localhost:7337")) as client:
        yield client
    memory.close()


@asynccontextmanager
async def over_stdio(root: Path, url: str) -> AsyncIterator[Client]:
    """`lattice mcp`, started as an assistant starts it."""
    environment = {
        "LATTICE_DIR": str(root / "data"),
        "LATTICE_WEB_PORT": url.rpartition(":")[2],
        "LATTICE_EMBED_MODEL": "none",
    }
    started = StdioServerParameters(command=sys.executable, args=["-m", "lattice_cli.app", "mcp"], env=environment, cwd=root)
    async with Client(stdio_client(started)) as client:
        yield client


@contextmanager
def http_door(memory: Memory, *, own_token: str | None = None, allowed: str = "") -> Iterator[str]:
    """The address of MCP over HTTP."""
    app = create_app(
        memory, page="http://localhost:7337", origins=Origins(allowed=allowed), own_token=own_token, max_body=1_000_000
    )
    with serving(cast(FastAPI, app)) as url:
        yield f"{url}/mcp"
    memory.close()


@asynccontextmanager
async def over_http(address: str, token: str, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of that address; `mode` is `legacy` for one that opens a session."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=30) as http,
        Client(streamable_http_client(address, http_client=http), mode=mode) as client,
    ):
        yield client


def said(result: CallToolResult) -> str:
    """The words of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def data(result: CallToolResult) -> dict[str, Any]:
    """The data of a result that is none of an error."""
    assert not result.is_error, said(result)
    assert result.structured_content is not None
    return result.structured_content


Progress = Callable[[float, float | None, str | None], Any]
