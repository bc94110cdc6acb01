"""MCP over HTTP at `/mcp`: a container of its own, `lattice mcp --http`, or beside the product in `lattice up`."""

from __future__ import annotations

from collections.abc import Callable

import anyio.to_thread
import uvicorn
from lattice_common.client import LatticeClient
from lattice_common.errors import InvalidInput, LatticeError, NotAllowed
from lattice_common.http_connection import PunctualProtocol, server_config
from lattice_common.listening import bound
from lattice_common.logs import configure, logger
from lattice_common.origins import Origins
from lattice_common.settings import Settings
from lattice_common.spaces import owners_of
from lattice_common.token_strength import checked
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from lattice_mcp.app import create_server
from lattice_mcp.guard import Guard, KnownToken
from lattice_mcp.memory import Memory

log = logger(__name__)

PATH = "/mcp"
BODY_OVER_TEXT = 3
"""A text of n bytes may need up to this many times as many in JSON, as in the API."""


def create_app(
    memory: Memory, *, page: str, origins: Origins, own_token: str | None, max_body: int, several_owners: bool = False
) -> ASGIApp:
    """Return the server over HTTP, complete with access control. `max_body` is in bytes. With `several_owners`, what is told
    while the API is away is refused: the inbox is one owner's, and whose the token is only the API can say."""
    server = create_server(memory, page)

    async def health(_: Request) -> Response:
        return JSONResponse({"status": "alive"})

    server.custom_route("/health", methods=["GET"])(health)
    names = sorted(origins.hosts)
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

    async def ask(token: str) -> KnownToken | None:
        known = await anyio.to_thread.run_sync(known_by_api, memory.base_url, token)
        return KnownToken(may_capture=False) if known is not None and several_owners else known

    return Guard(app, origins=origins, own_token=own_token, ask=ask)


class HttpDoor:
    """The MCP server over HTTP. It holds its port from the beginning and serves until it is stopped. Without `base_url`, the API
    is where the settings say; `token` returns the token for calls to it when the server has a token of its own.

    Raise `Conflict` when the port is taken, `NotConfigured` for an address that is none of this machine's, or a weak token.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        base_url: str | None = None,
        token: Callable[[], str | None] | None = None,
        protocol: type[PunctualProtocol] = PunctualProtocol,
    ) -> None:
        api = settings.api_token.get_secret_value() if settings.api_token else None
        url = base_url or settings.api_url.rstrip("/") or f"http://127.0.0.1:{settings.port}"
        own = checked("LATTICE_MCP_TOKEN", settings.mcp_token.get_secret_value() if settings.mcp_token else None)
        self._memory = Memory(url, settings.inbox, token or (lambda: api))
        app = create_app(
            self._memory,
            page=settings.public_url.rstrip("/") or url.replace("//127.0.0.1", "//localhost"),
            origins=Origins(allowed=settings.allowed_hosts, public_url=settings.public_url, bound=settings.mcp_host),
            own_token=own,
            max_body=settings.max_text_bytes * BODY_OVER_TEXT,
            several_owners=bool(owners_of(settings)),
        )
        self._listening = bound(
            settings.mcp_host, settings.mcp_port, what="MCP", port_setting="LATTICE_MCP_PORT", host_setting="LATTICE_MCP_HOST"
        )
        self._server = uvicorn.Server(server_config(app, protocol))

    @property
    def port(self) -> int:
        """Return the port on which it listens."""
        return int(self._listening.getsockname()[1])

    def run(self) -> None:
        """Serve until `stop` is called, or in the main thread until a signal."""
        try:
            with self._listening:
                log.info("mcp_serves", port=self.port)
                self._server.run(sockets=[self._listening])
        finally:
            self._memory.close()

    def stop(self) -> None:
        """Stop the server from another thread; requests in progress have five seconds."""
        self._server.should_exit = True


def serve_http(settings: Settings, *, base_url: str | None = None, token: Callable[[], str | None] | None = None) -> None:
    """Serve for the whole life of a process that does nothing else; see `HttpDoor`."""
    configure(settings.log_level, json=settings.log_json)
    HttpDoor(settings, base_url=base_url, token=token).run()


def known_by_api(base_url: str, token: str) -> KnownToken | None:
    """Return what the API says of a token. Raise `LatticeError` when it cannot be asked."""
    with LatticeClient(base_url, token, timeout=5.0) as client:
        try:
            client.status()
        except NotAllowed as error:
            if error.status == 401:
                return None
            if error.status != 403:
                raise
        try:
            # Refused either way: as empty where the token may capture, as not allowed where it may not, or into one source only:
            # the inbox knows nothing of that.
            client.log_turn()
        except InvalidInput:
            return KnownToken(may_capture=True)
        except NotAllowed:
            return KnownToken(may_capture=False)
        raise LatticeError(f"{base_url} took an empty turn: is it Lattice that listens there?")
