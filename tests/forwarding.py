"""A door before a server, which a test opens and shuts: shut, the server is away."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import TypeAlias

Address: TypeAlias = tuple[str, int]


class Door:
    """Listens on a port while it is open, and passes on to `to` what comes in."""

    def __init__(self, port: int, to: Address) -> None:
        self._to: Address | None = to
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self.port = port

    def open(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(64)
        self.port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def shut(self) -> None:
        """Nobody comes in, and whoever is in is thrown out."""
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        with self._lock:
            inside, self._open = self._open, set()
        for each in inside:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def lead_to(self, to: Address) -> None:
        """From now on elsewhere; whoever is in is thrown out."""
        self.shut()
        self._to = to
        self.open()

    def stall(self) -> None:
        """Whoever comes is let in, and hears nothing."""
        self.shut()
        self._to = None
        self.open()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                came, _ = listener.accept()
                if self._to is None:
                    with self._lock:
                        self._open.add(came)
                    continue
                there = socket.create_connection(self._to, timeout=10)
            except OSError:
                return
            there.settimeout(None)
            with self._lock:
                self._open |= {came, there}
            for source, target in ((came, there), (there, came)):
                threading.Thread(target=_pass_on, args=(source, target), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while some := source.recv(65536):
            target.sendall(some)
    for each in (source, target):
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def forwarding(port: int, to: Address) -> Iterator[Door]:
    """An open door; `port` 0: any."""
    door = Door(port, to)
    door.open()
    try:
        yield door
    finally:
        door.shut()
