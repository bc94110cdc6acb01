"""How the client's questions travel: one kept-alive connection of the standard library, for JSON over plain HTTP.

httpx2 takes longer to import than `lc` takes for all the rest, and longer for each call than the server needs for a small answer;
what this cannot do (streams, files, TLS) the client asks of httpx2, and with the same errors.
"""

from __future__ import annotations

import json
import select
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from urllib.parse import quote, urlencode, urlsplit

from lattice_common.errors import NotConfigured, NotFound, Unavailable

CONNECT_SECONDS = 2.0
"""A server on this machine or this network answers a connection in milliseconds, or it is not there."""

UNQUOTED = "/:@!$&'()*+,;=~"
"""May stand in a path as they are (RFC 3986), with letters, digits and `-._`."""

LISTS = frozenset({"recent", "related"})
"""They stand where an atom's id would."""


class NotRunning(Unavailable):
    """Nobody listens there: trying again at once is in vain."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back. Names of `headers` are asked for in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class Wire:
    """One connection to one server, opened when it is needed, and again after the server closed it. For one thread at a time.
    `headers` go with every request; `timeout` is in seconds, for one answer. Raises `NotConfigured` for what is no address."""

    def __init__(self, base_url: str, headers: Mapping[str, str], timeout: float) -> None:
        parts = urlsplit(checked(base_url))
        host, port = parts.hostname or "", parts.port or 80
        self._base_url = base_url
        self._prefix = parts.path.rstrip("/")
        self._headers = dict(headers)
        self._timeout = timeout
        self._connection = HTTPConnection(host, port, timeout=min(timeout, CONNECT_SECONDS))

    def close(self) -> None:
        self._connection.close()

    def exchange(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        json_body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answered:
        """Raise `NotRunning` when nobody listens, `Unavailable` when the answer does not come or breaks off."""
        target = self._prefix + quote(path, safe=UNQUOTED) + (f"?{urlencode(params)}" if params else "")
        sent = {**self._headers, **(headers or {})}
        content = None
        if json_body is not None:
            content = json.dumps(json_body, allow_nan=False).encode("ascii")
            sent["Content-Type"] = "application/json"
        self._connected()
        try:
            return self._exchanged(method, target, content, sent)
        except TimeoutError as error:
            self.close()
            raise took_too_long(self._base_url) from error
        except (OSError, HTTPException) as error:
            self.close()
            raise broke(self._base_url) from error
        except BaseException:
            self.close()  # what would come next on it is the answer to this
            raise

    def _connected(self) -> None:
        if self._connection.sock is not None:
            if not _is_stale(self._connection):
                return
            self.close()
        try:
            self._connection.connect()
        except OSError as error:
            self.close()
            raise not_running(self._base_url) from error
        self._connection.sock.settimeout(self._timeout)

    def _exchanged(self, method: str, target: str, content: bytes | None, headers: Mapping[str, str]) -> Answered:
        with suppress(BrokenPipeError, ConnectionResetError):  # it may answer before it has heard all: "too long", for instance
            self._connection.request(method, target, content, dict(headers))
        response = self._connection.getresponse()
        named = {name.lower(): value for name, value in response.headers.items()}
        return Answered(response.status, named, response.read())


def checked(base_url: str) -> str:
    """Return the address of a server. Raise `NotConfigured` for what is none."""
    reason = ""
    try:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            reason = "it is http:// or https://, a name, and a port"
    except ValueError as error:
        reason = str(error)
    if reason:
        line = "LATTICE_API_URL=http://127.0.0.1:7337"
        raise NotConfigured(f"{base_url} is no address of a server ({reason}). Write it like this: {line}", env_line=line)
    return base_url


def one(identity: str, what: str) -> str:
    """Return an id as a part of a path. Raise `NotFound` for what would lead elsewhere than to one thing."""
    if not identity or "/" in identity or (what == "memory" and identity in LISTS):
        raise NotFound(f"There is no {what} {identity!r}: give an id as it was listed.")
    return identity


def not_running(base_url: str) -> NotRunning:
    return NotRunning(f"Lattice does not answer at {base_url}. Is it running? Start it with `lattice up`.")


def took_too_long(base_url: str) -> Unavailable:
    return Unavailable(f"Lattice at {base_url} took too long to answer. Look at `lattice status`.")


def broke(base_url: str) -> Unavailable:
    return Unavailable(f"The connection to Lattice at {base_url} broke off before all of the answer was there. Try again.")


def _is_stale(connection: HTTPConnection) -> bool:
    """Return whether the server has closed it: then there is an end to be read where nothing was asked."""
    waiting = select.poll()
    waiting.register(connection.sock, select.POLLIN)
    return bool(waiting.poll(0))
