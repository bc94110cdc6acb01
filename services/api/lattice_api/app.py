"""The HTTP door: an app around a `Lattice`, and the embedded product served by it."""

from __future__ import annotations

import functools
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from lattice_common import __version__
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.files.server_address import server_address_kept
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.composition import (
    Embedded,
    OpenSpaces,
    Reader,
    ReadingOnly,
    open_as_it_can,
    open_reader,
    open_space_readers,
    open_spaces,
)
from lattice_common.domain.space import SHARED
from lattice_common.errors import NotConfigured, Unavailable
from lattice_common.http_connection import server_config
from lattice_common.lattice import Lattice
from lattice_common.listening import bound
from lattice_common.origins import ANY_ADDRESS, LOCAL_HOSTS, Origins
from lattice_common.settings import Settings
from lattice_common.spaces import Space, owners_of, spaces_of

from lattice_api import openapi, problem
from lattice_api.access import Access
from lattice_api.audit import LOOK, NAME, Audit
from lattice_api.backups import Backups
from lattice_api.guard import Guard
from lattice_api.limits import RequestLimits
from lattice_api.local_token import keep_local_token
from lattice_api.metrics import Metrics
from lattice_api.operations import Looking
from lattice_api.page_routes import page_files, page_router
from lattice_api.routes import (
    archive,
    atoms,
    audit,
    browse,
    calendar,
    captures,
    changes,
    chat,
    entities,
    files,
    health,
    imports,
    ops,
    recall,
    session,
    tokens,
    usage,
)
from lattice_api.spaces import Part, SpaceRouter, access_folder, accesses_of
from lattice_api.vitals import Vitals

BODY_OVER_TEXT = 3
"""A text of n bytes may need up to this many times as many in JSON (escapes, and the messages around it)."""

BOT_HEARTBEAT = Path("bot", "alive.json")
"""In the data folder. Telegram's bot may be in a container of its own: both see this file."""


ROUTERS = (
    captures.router,
    files.router,
    imports.router,
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
    ops.router,
    session.router,
    tokens.router,
    audit.router,
)


@dataclass(frozen=True, slots=True)
class Door:
    """What the owner is told when the product starts. `token` is set at the first start only; `reads_only` says why nothing can
    be told, where that is so."""

    url: str
    login_url: str
    token: str | None
    reads_only: str | None = None
    logins: Mapping[str, str] = field(default_factory=dict)
    """The link of each owner, where there are several."""


def described_app() -> FastAPI:
    """Return an app with every route of the API and its OpenAPI document, and nothing behind them.

    The routes are those of the routers themselves: `include_router` would build each of them anew for every app, in the middle
    of its first request, which takes a fifth of a second of processor.
    """
    app = FastAPI(
        title="Lattice",
        version=__version__,
        description="Personal memory that runs on your own server.",
        docs_url=None,
        redoc_url=None,
        routes=[route for router in ROUTERS for route in router.routes],
    )
    openapi.install(app)
    return app


def create_app(product: Lattice, access: Access, settings: Settings, *, space: str | None = None) -> FastAPI:
    """Return the app, complete with access control. `product` is the embedded one, or a server's reader; `space` its name, where
    there are several."""
    app = described_app()
    look = Looking(product, settings, SystemClock(), space or "")
    metrics, limits = Metrics(look.look, settings.data_dir / BOT_HEARTBEAT), RequestLimits()
    app.state.ending, app.state.space = threading.Event(), space
    app.state.look, app.state.backups = look, Backups(settings, SystemClock())
    app.state.product, app.state.access, app.state.metrics, app.state.limits = product, access, metrics, limits
    audit_log = app.state.audit = Audit(
        FileLineLog(settings.data_dir, NAME), SystemClock(), settings.audit_days, settings.data_dir / LOOK
    )
    access.audit = audit_log
    app.router.routes.extend(page_router().routes)
    app.mount("/ui", page_files(), name="ui")
    problem.install(app)
    app.add_middleware(
        Guard,
        access=access,
        metrics=metrics,
        limits=limits,
        audit=audit_log,
        clock=SystemClock(),
        origins=Origins(allowed=settings.allowed_hosts, public_url=settings.public_url, bound=settings.host),
        max_body=settings.max_text_bytes * BODY_OVER_TEXT,
        space=space,
    )
    return app


def refuse_open_door(settings: Settings) -> None:
    """Raise `NotConfigured` for an address that others can reach without authentication."""
    if settings.host not in LOCAL_HOSTS and not settings.auth:
        raise NotConfigured(
            f"{settings.host} can be reached by others, and LATTICE_AUTH is off. Put this into .env: LATTICE_AUTH=true",
            env_line="LATTICE_AUTH=true",
        )


def serve(settings: Settings, *, on_ready: Callable[[Door], None], on_progress: Callable[[str, int, int], None]) -> None:
    """Run the product until it is stopped: the embedded one, that of several owners, or a deployment's reader; call `on_ready`
    once it listens.

    Raise `NotConfigured` rather than be open to a network, `Conflict` when the port or the data folder is in use.
    """
    refuse_open_door(settings)
    listening = bound(settings.host, settings.port, what="Lattice", port_setting="LATTICE_WEB_PORT", host_setting="LATTICE_HOST")
    spaces = spaces_of(settings) or (Space("", settings),)
    accesses: dict[str, Access] = {}
    with listening:
        while True:
            with _opened(settings, on_progress) as product:
                if not accesses:
                    accesses = accesses_of(spaces)
                    told = _door(settings, accesses, listening.getsockname()[1], product.reads_only)
                    on_listening: Callable[[], None] = functools.partial(on_ready, told)
                for space in spaces:
                    accesses[space.name].store.catch_up()
                    if accesses[space.name].enabled:
                        keep_local_token(accesses[space.name].store, access_folder(space.settings))
                parts = _parts(product, spaces, accesses)
                server = _Server(server_config(SpaceRouter(parts) if len(parts) > 1 else parts[""].app), parts, on_listening)
                vitals = [Vitals(each.app.state.look.look, space=name) for name, each in parts.items()]
                product.when_broken(server.end)
                product.start()
                for each in vitals:
                    each.start()
                try:
                    # Its own copy of the port: whoever comes while the folder is opened anew waits, and is not refused. A server
                    # that is ended while it starts does not close what it was given.
                    with listening.dup() as port, server_address_kept(*_found_at(settings, spaces, listening.getsockname()[1])):
                        server.run(sockets=[port])
                finally:
                    for each in vitals:
                        each.stop()
                    for part in parts.values():
                        part.app.state.audit.close()
                if (trouble := product.trouble()) is not None:
                    raise Unavailable(f"Lattice ends, for its writer cannot go on: {trouble}.")
            if not product.room_again:
                return
            on_listening = _told_already


def _opened(settings: Settings, on_progress: Callable[[str, int, int], None]) -> Embedded | ReadingOnly | Reader | OpenSpaces:
    several = bool(owners_of(settings))
    if settings.mode == "server":
        return open_space_readers(settings) if several else open_reader(settings)
    if several:
        return open_spaces(settings, on_progress=on_progress)
    return open_as_it_can(settings, on_progress=on_progress)


def _parts(
    product: Embedded | ReadingOnly | Reader | OpenSpaces, spaces: Sequence[Space], accesses: Mapping[str, Access]
) -> dict[str, Part]:
    """Return an app for each space; one without a name where there is one memory."""
    lattices = product.lattices if isinstance(product, OpenSpaces) else [product.lattice]
    found: dict[str, Part] = {}
    for space, lattice in zip(spaces, lattices, strict=True):
        access = accesses[space.name]
        found[space.name] = Part(create_app(lattice, access, space.settings, space=space.name or None), access)
    return found


def _found_at(settings: Settings, spaces: Sequence[Space], port: int) -> tuple[list[Path], str]:
    """Return the folders that commands of this machine know, and where they reach this server. A reader of a deployment has none:
    what is in its folder is the worker's."""
    folders = [] if settings.mode == "server" else [settings.data_dir, *(space.settings.data_dir for space in spaces)]
    return folders, f"http://{'127.0.0.1' if settings.host in LOCAL_HOSTS | ANY_ADDRESS else settings.host}:{port}"


def _told_already() -> None:
    """Do nothing: the owner was told where it is at the first start."""


def _door(settings: Settings, accesses: Mapping[str, Access], port: int, reads_only: str | None) -> Door:
    """Return what the owners are told; make the first one's first token where there is none."""
    access = next(iter(accesses.values()))
    first_token = access.make_first_token()
    url = settings.public_url.rstrip("/") or f"http://{'localhost' if settings.host in LOCAL_HOSTS else settings.host}:{port}"
    logins = {
        name: f"{url}/login?code={each.make_login_code()}" if each.enabled else url
        for name, each in accesses.items()
        if name != SHARED
    }
    return Door(url, next(iter(logins.values())), first_token, reads_only, logins if len(logins) > 1 else {})


class _Server(uvicorn.Server):
    """Reports when it listens."""

    def __init__(self, config: uvicorn.Config, parts: Mapping[str, Part], on_listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._parts = parts
        self._on_listening = on_listening

    def end(self) -> None:
        """Stop as if asked to from outside; from any thread."""
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams that would go on for ever first."""
        for each in self._parts.values():
            each.app.state.ending.set()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_listening()
