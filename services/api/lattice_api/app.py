"""The HTTP door: an app around a `Lattice`, and the embedded product served by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from lattice_common import __version__
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.errors import NotConfigured
from lattice_common.lattice import Lattice
from lattice_common.settings import Settings
from lattice_common.wiring import open_embedded

from lattice_api import problem
from lattice_api.access import Access
from lattice_api.guard import LOCAL_HOSTS, Guard
from lattice_api.metrics import Metrics
from lattice_api.routes import atoms, captures, health, recall, session
from lattice_api.token_file import TokenFile

UI = Path(__file__).parent / "ui"
BODY_OVER_TEXT = 3
"""A text of n bytes may need up to this many times as many in JSON (escapes, and the messages around it)."""


@dataclass(frozen=True, slots=True)
class Door:
    """What whoever starts the product tells the owner. `token` is there at the first start only."""

    url: str
    login_url: str
    token: str | None


def create_app(product: Lattice, access: Access, settings: Settings) -> FastAPI:
    """The app, complete with access control. `product` is the embedded one, or a server's reader."""
    app = FastAPI(
        title="Lattice",
        version=__version__,
        description="Personal memory that runs on your own server.",
        docs_url=None,
        redoc_url=None,
    )
    metrics = Metrics(product.status)
    app.state.product, app.state.access, app.state.metrics = product, access, metrics
    for router in (captures.router, recall.router, atoms.router, health.router, session.router):
        app.include_router(router)

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(UI / "index.html")

    @app.get("/login", include_in_schema=False)
    def login_page() -> FileResponse:
        return FileResponse(UI / "login.html")

    app.mount("/ui", StaticFiles(directory=UI), name="ui")
    problem.install(app)
    app.add_middleware(
        Guard,
        access=access,
        metrics=metrics,
        clock=SystemClock(),
        allowed_hosts=_named(settings.allowed_hosts) | ({settings.host} - {"0.0.0.0", "::"}),  # noqa: S104 - compared, not bound
        max_body=settings.max_text_bytes * BODY_OVER_TEXT,
    )
    return app


def serve(settings: Settings, *, on_ready: Callable[[Door], None], on_progress: Callable[[str, int, int], None]) -> None:
    """Run the embedded product until it is stopped. Raises `NotConfigured` rather than be open to a network."""
    if settings.host not in LOCAL_HOSTS and not settings.auth:
        raise NotConfigured(
            f"{settings.host} can be reached by others, and LATTICE_AUTH is off. Put this into .env: LATTICE_AUTH=true",
            env_line="LATTICE_AUTH=true",
        )
    with open_embedded(settings, on_progress=on_progress) as embedded:
        access = Access(TokenFile(settings.data_dir), settings)
        server = uvicorn.Server(
            uvicorn.Config(
                create_app(embedded.lattice, access, settings),
                host=settings.host,
                port=settings.port,
                log_config=None,
                access_log=False,
                server_header=False,
                h11_max_incomplete_event_size=64 * 1024,
                timeout_keep_alive=15,
                timeout_graceful_shutdown=5,
                limit_concurrency=512,
            )
        )
        embedded.start()
        url = f"http://{'localhost' if settings.host in LOCAL_HOSTS else settings.host}:{settings.port}"
        login_url = f"{url}/login?code={access.make_login_code()}" if access.enabled else url
        on_ready(Door(url, login_url, access.make_first_token()))
        server.run()


def _named(hosts: str) -> frozenset[str]:
    return frozenset(host.strip().lower() for host in hosts.split(",") if host.strip())
