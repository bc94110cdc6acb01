"""The HTTP door: an app around a `Lattice`, and the embedded product served by it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from lattice_common import __version__
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.errors import NotConfigured, Unavailable
from lattice_common.http_connection import server_config
from lattice_common.lattice import Lattice
from lattice_common.listening import bound
from lattice_common.origins import LOCAL_HOSTS, Origins
from lattice_common.settings import Settings
from lattice_common.wiring_reading import open_as_it_can
from lattice_common.wiring_server import open_reader

from lattice_api import openapi, problem
from lattice_api.access import Access, is_own_path
from lattice_api.guard import Guard
from lattice_api.limits import Limits
from lattice_api.local_token import keep_local_token
from lattice_api.metrics import Metrics
from lattice_api.page import UI, VIEWS
from lattice_api.page_files import PageFiles
from lattice_api.routes import (
    archive,
    atoms,
    browse,
    calendar,
    captures,
    changes,
    chat,
    entities,
    files,
    health,
    recall,
    session,
    tokens,
    usage,
)
from lattice_api.token_file import TokenFile

BODY_OVER_TEXT = 3
"""A text of n bytes may need up to this many times as many in JSON (escapes, and the messages around it)."""

BOT_HEARTBEAT = Path("bot", "alive.json")
"""In the data folder. Telegram's bot may be in a container of its own: this file is what both see."""


@dataclass(frozen=True, slots=True)
class Door:
    """What whoever starts the product tells the owner. `token` is there at the first start only; `reads_only` says why nothing
    can be told, where that is so."""

    url: str
    login_url: str
    token: str | None
    reads_only: str | None = None


def create_app(product: Lattice, access: Access, settings: Settings) -> FastAPI:
    """The app, complete with access control. `product` is the embedded one, or a server's reader."""
    app = FastAPI(
        title="Lattice",
        version=__version__,
        description="Personal memory that runs on your own server.",
        docs_url=None,
        redoc_url=None,
    )
    metrics, limits = Metrics(product.status, product.failures, settings.data_dir / BOT_HEARTBEAT), Limits()
    app.state.ending = threading.Event()
    app.state.product, app.state.access, app.state.metrics, app.state.limits = product, access, metrics, limits
    for router in (
        captures.router,
        files.router,
        recall.router,
        chat.router,
        changes.router,
        usage.router,
        browse.router,
        atoms.router,
        entities.router,
        archive.router,
        calendar.router,
        health.router,
        session.router,
        tokens.router,
    ):
        app.include_router(router)

    ui = PageFiles(UI)
    html, login_html, service_worker = ui.html("index.html"), ui.html("login.html"), ui.worker()

    async def page() -> HTMLResponse:
        return HTMLResponse(html)

    for view in VIEWS:
        app.add_api_route(view, page, methods=["GET"], include_in_schema=False)

    @app.get("/login", include_in_schema=False)
    async def login_page(next: str | None = None) -> Response:  # noqa: A002 - the word in the address
        return HTMLResponse(login_html) if next is None or is_own_path(next) else RedirectResponse("/login", 303)

    @app.get("/sw.js", include_in_schema=False)
    async def worker() -> Response:
        return Response(service_worker, media_type="text/javascript")

    app.mount("/ui", ui, name="ui")
    problem.install(app)
    openapi.install(app)
    app.add_middleware(
        Guard,
        access=access,
        metrics=metrics,
        limits=limits,
        clock=SystemClock(),
        origins=Origins(allowed=settings.allowed_hosts, public_url=settings.public_url, bound=settings.host),
        max_body=settings.max_text_bytes * BODY_OVER_TEXT,
    )
    return app


def refuse_open_door(settings: Settings) -> None:
    """Raises `NotConfigured` for an address that others can reach while nobody is asked who they are."""
    if settings.host not in LOCAL_HOSTS and not settings.auth:
        raise NotConfigured(
            f"{settings.host} can be reached by others, and LATTICE_AUTH is off. Put this into .env: LATTICE_AUTH=true",
            env_line="LATTICE_AUTH=true",
        )


def serve(settings: Settings, *, on_ready: Callable[[Door], None], on_progress: Callable[[str, int, int], None]) -> None:
    """Run the product until it is stopped: the embedded one, or a deployment's reader; `on_ready` is called once it listens.

    Raises `NotConfigured` rather than be open to a network, `Conflict` when the port or the data folder is somebody else's.
    """
    refuse_open_door(settings)
    listening = bound(settings.host, settings.port, what="Lattice", port_setting="LATTICE_WEB_PORT", host_setting="LATTICE_HOST")
    opened = open_reader if settings.mode == "server" else partial(open_as_it_can, on_progress=on_progress)
    folder = settings.access_dir or settings.data_dir
    access: Access | None = None
    with listening:
        while True:
            with opened(settings) as product:
                if access is None:
                    access = Access(TokenFile(folder), settings)
                    told = _door(settings, access, listening.getsockname()[1], product.reads_only)
                    on_listening: Callable[[], None] = partial(on_ready, told)
                access.store.catch_up()
                if access.enabled:
                    keep_local_token(access.store, folder)
                server = _Server(server_config(create_app(product.lattice, access, settings)), on_listening)
                product.when_broken(server.end)
                product.start()
                # Its own copy of the port: whoever comes while the folder is opened anew waits, and is not refused.
                server.run(sockets=[listening.dup()])
                if (trouble := product.trouble()) is not None:
                    raise Unavailable(f"Lattice ends, for its writer cannot go on: {trouble}.")
            if not product.room_again:
                return
            on_listening = _told_already


def _told_already() -> None:
    """Where it is, at the first start."""


def _door(settings: Settings, access: Access, port: int, reads_only: str | None) -> Door:
    """What the owner is told; makes the first token where there is none."""
    first_token = access.make_first_token()
    url = settings.public_url.rstrip("/") or f"http://{'localhost' if settings.host in LOCAL_HOSTS else settings.host}:{port}"
    login_url = f"{url}/login?code={access.make_login_code()}" if access.enabled else url
    return Door(url, login_url, first_token, reads_only)


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config, on_listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_listening = on_listening

    def end(self) -> None:
        """From any thread: stop as if asked to from outside."""
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Streams that would go on for ever end first."""
        if isinstance(self.config.app, FastAPI):
            self.config.app.state.ending.set()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_listening()
