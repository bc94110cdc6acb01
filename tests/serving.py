"""An app on a port of its own, for as long as a test needs it."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

PATIENCE = 20.0
"""Seconds to start and to end; it takes less than one on an idle machine."""


@contextlib.contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """The address of a running `app`."""
    with listening(uvicorn.Config(app, log_level="critical", ws="none"), force=False) as port:
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def listening(config: uvicorn.Config, port: int = 0, *, force: bool = True) -> Iterator[int]:
    """The port of a server that runs as configured; with `force` whoever still asks at the end is not waited for."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        deadline = time.monotonic() + PATIENCE
        while not server.started:
            if time.monotonic() > deadline or not thread.is_alive():
                raise TimeoutError("the app did not start")
            time.sleep(0.005)
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            server.force_exit = force
            thread.join(PATIENCE)
