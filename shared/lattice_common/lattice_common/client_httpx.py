"""How the client's streams and files travel, and everything over TLS: httpx2, with the errors of `client_wire`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

import httpx2

from lattice_common.client_replies import error_of
from lattice_common.client_wire import CONNECT_SECONDS, Answered, broke, not_running, took_too_long
from lattice_common.errors import Unavailable


class HttpxWire:
    """A pool of connections to one server. `transport` takes the network's place in tests."""

    def __init__(
        self, base_url: str, headers: Mapping[str, str], timeout: float, transport: httpx2.BaseTransport | None = None
    ) -> None:
        self._base_url = base_url
        self._http = httpx2.Client(
            base_url=base_url,
            headers=dict(headers),
            timeout=httpx2.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
            transport=transport,
            # Reading all certificates takes longer than the request; without TLS nobody looks at them.
            verify=base_url.startswith("https:"),
            # The server is one that was named; a proxy from the environment would see everything that is said.
            trust_env=False,
        )

    def close(self) -> None:
        self._http.close()

    def exchange(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        json_body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answered:
        """Send a request, as `Wire.exchange` does."""
        return self._asked(method, path, params=params, json=json_body, headers=headers)

    def send_file(self, path: str, form: Mapping[str, str], name: str, file: IO[bytes], headers: Mapping[str, str]) -> Answered:
        """Return a form with a file, read from where it stands."""
        return self._asked("POST", path, data=dict(form), files={"file": (name, file)}, headers=headers)

    @contextmanager
    def opened(self, method: str, path: str, body: object, headers: Mapping[str, str]) -> Iterator[httpx2.Response]:
        """Yield a response that is read as it comes; problems are raised when it is opened."""
        # Between two events of a stream, or two lines of an export, there may be any time.
        timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)
        try:
            with self._http.stream(method, path, json=body, headers=dict(headers), timeout=timeout) as response:
                if response.is_error:
                    raise error_of(response.status_code, response.read(), response.headers)
                yield response
        except httpx2.TransportError as error:
            raise self._away(error) from error

    def _asked(self, method: str, path: str, **request: Any) -> Answered:
        try:
            response = self._http.request(method, path, **request)
        except httpx2.TransportError as error:
            raise self._away(error) from error
        return Answered(response.status_code, response.headers, response.content)

    def _away(self, error: httpx2.TransportError) -> Unavailable:
        if isinstance(error, (httpx2.ConnectError, httpx2.ConnectTimeout)):
            return not_running(self._base_url)
        if isinstance(error, httpx2.TimeoutException):
            return took_too_long(self._base_url)
        return broke(self._base_url)
