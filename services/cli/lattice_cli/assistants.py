"""`lattice mcp`: memory for assistants, over stdio or HTTP; also beside the product in `lattice up`."""

from __future__ import annotations

import importlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Protocol
from urllib.parse import urlsplit

import typer
from lattice_common.errors import LatticeError

from lattice_cli.target import Target, base_url, find_target

if TYPE_CHECKING:
    from lattice_common.settings import Settings

STOP_SECONDS = 10.0


class HttpDoor(Protocol):
    """The part of `lattice_mcp.http_door.HttpDoor` that is used here: services never import each other."""

    run: Callable[[], None]
    stop: Callable[[], None]


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Over HTTP, for programs that cannot start this one.")] = False,
) -> None:
    """Serve memory to an assistant (MCP). Assistants start this themselves: `lattice mcp-config` prints how.

    Example: lattice mcp --http
    """
    # Doors never import each other; this one only starts the other, which is chosen here and nowhere else.
    target = find_target()
    if not http:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # else it would wait for a line that nobody sends
        if sys.stdin.isatty():
            sys.stderr.write(
                "This waits for an assistant, which starts it itself: `lattice mcp-config` prints how. Ctrl-C ends it.\n"
            )
        if target.elsewhere:
            threading.Thread(target=_send_what_waits, args=(target,), name="lattice-sends-on", daemon=True).start()
        importlib.import_module("lattice_mcp.app").serve_stdio(target.base_url, target.inbox, target.token)
        return
    from lattice_common.settings import Settings

    settings = Settings()
    own = "LATTICE_MCP_TOKEN" if settings.mcp_token else "a token of Lattice's (`lattice token add NAME`)"
    sys.stderr.write(f"MCP is at {http_address(settings)}, for whoever has {own}. Stop it with Ctrl-C.\n")
    importlib.import_module("lattice_mcp.http_door").serve_http(settings, base_url=target.base_url, token=target.token)


def _send_what_waits(target: Target) -> None:
    """Send what was told while a remote Lattice was away. Problems go to standard error: standard output belongs to the
    assistant."""
    from lattice_cli.connection import connected
    from lattice_cli.sent_on import send_on

    try:
        with connected(target) as client:
            send_on(client, target.inbox)
    except LatticeError as error:
        sys.stderr.write(f"What waits in {target.inbox} was not sent on: {error}\n")


@contextmanager
def beside(settings: Settings) -> Iterator[HttpThread | None]:
    """Yield MCP over HTTP, to be started once the API listens; None where it is not wanted."""
    door = HttpThread(settings) if settings.mcp_http else None
    try:
        yield door
    finally:
        if door is not None:
            door.stop()


class HttpThread:
    """Serves MCP over HTTP in a thread with an event loop of its own. What prevents it, such as a taken port, is reported; the
    product continues."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._door: HttpDoor | None = None
        self._thread: threading.Thread | None = None

    def start(self, url: str) -> None:
        """Start the thread. `url` is the address at which the product listens."""
        port = self._settings.port or urlsplit(url).port or 0
        address = base_url(self._settings.host, port)
        try:
            door: HttpDoor = importlib.import_module("lattice_mcp.http_door").HttpDoor(
                self._settings, base_url=address, token=find_target().token
            )
        except LatticeError as error:
            sys.stderr.write(f"MCP over HTTP does not run: {error}\n")
            return
        self._door = door
        self._thread = threading.Thread(target=door.run, name="lattice-mcp", daemon=True)
        self._thread.start()
        sys.stdout.write(f"Assistants reach it at {http_address(self._settings)} with a token (`lattice mcp-config`)\n")
        sys.stdout.flush()

    def stop(self) -> None:
        if self._door is not None and self._thread is not None:
            self._door.stop()
            self._thread.join(STOP_SECONDS)


def http_address(settings: Settings) -> str:
    """Return where programs on this machine reach MCP over HTTP."""
    return f"http://localhost:{settings.mcp_port}/mcp"
