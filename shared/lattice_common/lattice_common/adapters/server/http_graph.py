"""A client of the graph service over HTTP.

While the service is away a call raises `Unavailable`; recall then continues without it, and says so. Every question needs one
call, and a full-featured client takes longer than the graph takes to answer: this one uses the standard library with persistent
connections.
"""

from __future__ import annotations

import select
from collections.abc import Sequence
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

import orjson

from lattice_common.adapters.server.breaker import Breaker
from lattice_common.causes import cause_of
from lattice_common.domain.graph import Edge, EdgeKind, Node, Reached
from lattice_common.errors import InvalidInput, Unavailable
from lattice_common.language.pii.log_line import shown_address
from lattice_common.ports.graph import GraphStats

EXPAND_SECONDS = 1.0
"""An expansion takes milliseconds; a call that takes longer than this is abandoned."""
OTHER_SECONDS = 10.0
KEPT = 8
"""Connections that are kept for the next calls."""


class HttpGraph:
    """`Graph` at `url`. Safe to use from several threads. Raises `InvalidInput` for an invalid URL."""

    def __init__(self, url: str, token: str | None = None, breaker: Breaker | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput(f"{url!r} is no address of a graph service: write http://host:7338.")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._opened = partial(kind, parts.hostname, parts.port)
        self._prefix = parts.path.rstrip("/")
        self._headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        self._url = shown_address(url)
        self._idle: list[HTTPConnection] = []
        self._breaker = breaker or Breaker()
        self.trouble: str | None = None

    def refresh(self) -> None:
        """Make the service look for changes now; by itself it follows a tenth of a second later."""
        try:
            self._ask("POST", "/refresh", {})
            self.trouble = None
        except Unavailable as error:
            self.trouble = str(error)

    def expand(self, seeds: Sequence[str], limit: int, *, hops: int = 2) -> list[Reached]:
        body = {"seeds": list(seeds), "limit": limit, "hops": hops}
        found = self._ask("POST", "/expand", body, timeout=EXPAND_SECONDS)
        return [Reached(*each) for each in found]

    def neighbours(self, atom_id: str, kinds: Sequence[EdgeKind] = ()) -> list[Edge]:
        return [Edge(*each) for each in self._ask("POST", "/neighbours", {"atom_id": atom_id, "kinds": list(kinds)})]

    def subgraph(self, node_id: str, *, depth: int = 1, limit: int = 200) -> tuple[list[Node], list[Edge]]:
        found = self._ask("POST", "/subgraph", {"node_id": node_id, "depth": depth, "limit": limit})
        return [Node(*each) for each in found["nodes"]], [Edge(*each) for each in found["edges"]]

    def paths(self, source: str, target: str, *, longest: int = 6, limit: int = 5) -> list[list[str]]:
        body = {"source": source, "target": target, "longest": longest, "limit": limit}
        found: list[list[str]] = self._ask("POST", "/paths", body)
        return found

    def stats(self) -> GraphStats:
        found = self._ask("GET", "/stats", None)
        self.trouble = found["trouble"]
        return GraphStats(found["nodes"], found["edges"], found["state_hash"])

    def ping(self) -> None:
        """Raise `Unavailable` when it is away, or does not follow the sidecars."""
        self._ask("GET", "/ready", None, timeout=EXPAND_SECONDS)

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _ask(self, method: str, path: str, body: Any, timeout: float = OTHER_SECONDS) -> Any:
        if not self._breaker.lets_through():
            raise Unavailable(f"The graph service at {self._url} is away; it is tried again every few seconds.")
        try:
            status, content = self._answer(method, path, None if body is None else orjson.dumps(body), timeout)
            found = orjson.loads(content)
        except (OSError, HTTPException, orjson.JSONDecodeError) as error:
            self._breaker.failed()
            raise Unavailable(f"The graph service at {self._url} did not answer: {cause_of(error)}.") from error
        if status != 200:
            self._breaker.failed()
            why = found.get("detail") or found.get("trouble") if isinstance(found, dict) else found
            raise Unavailable(f"The graph service at {self._url} answered with {status}: {str(why)[:300]}.")
        self._breaker.succeeded()
        return found

    def _answer(self, method: str, path: str, content: bytes | None, timeout: float) -> tuple[int, bytes]:
        """Send a request on a connection that nobody else uses meanwhile. A failed one is closed, because an answer may still
        arrive on it."""
        connection = self._connection(timeout)
        try:
            connection.request(method, self._prefix + path, content, self._headers)
            response = connection.getresponse()
            found = response.status, response.read()
        except BaseException:
            connection.close()
            raise
        if connection.sock is not None and len(self._idle) < KEPT:
            self._idle.append(connection)
        else:
            connection.close()
        return found

    def _connection(self, timeout: float) -> HTTPConnection:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread was quicker
                break
            if connection.sock is not None and not _is_ended(connection):
                connection.sock.settimeout(timeout)
                return connection
            connection.close()
        return self._opened(timeout=timeout)


def _is_ended(connection: HTTPConnection) -> bool:
    """Return whether the service has closed it: then there is something to be read where nothing was asked."""
    waiting = select.poll()
    waiting.register(connection.sock, select.POLLIN)
    return bool(waiting.poll(0))
