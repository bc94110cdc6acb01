"""What every request passes before a route sees it: host, origin, who asks, how much they send; and the headers of every answer.

Pure ASGI, so that streams stay streams.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

import orjson
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lattice_api.access import Access, scope_for
from lattice_api.metrics import Metrics
from lattice_api.problem import problem

log = logger(__name__)

CSP = (
    "default-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(rb"[\[{\]}]")
DEEPEST_JSON = 64
"""Levels of nesting; our own shapes have four."""


class Guard:
    """Wraps the app. `allowed_hosts` are names beside this machine's own; `max_body` is in bytes."""

    def __init__(
        self, app: ASGIApp, *, access: Access, metrics: Metrics, clock: Clock, allowed_hosts: frozenset[str], max_body: int
    ) -> None:
        self._app = app
        self._access = access
        self._metrics = metrics
        self._clock = clock
        self._hosts = LOCAL_HOSTS | allowed_hosts
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        trace_id = self._clock.new_id()
        scope["trace_id"] = trace_id
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        started = time.perf_counter()
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                out = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    out[name] = value
                out["X-Trace-Id"] = trace_id
                if not scope["path"].startswith("/ui/"):
                    out["Cache-Control"] = "no-store"
            await send(message)

        refused = self._refusal(scope, headers, trace_id)
        try:
            if refused is not None:
                await refused(scope, receive, send_with_headers)
            else:
                await self._read_and_pass(scope, receive, send_with_headers, headers, trace_id)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._metrics.count_request(scope["method"], route, status, time.perf_counter() - started)

    def _refusal(self, scope: Scope, headers: Mapping[str, str], trace_id: str) -> ASGIApp | None:
        """A problem, when the request must not go on."""
        method, path = scope["method"], scope["path"]
        host = _host_name(headers.get("host", ""))
        if host not in self._hosts:
            detail = f"{host or 'An empty host'} is not a name of this server. Put it into LATTICE_ALLOWED_HOSTS if it should be."
            return problem(400, detail, trace_id=trace_id)
        if (foreign := self._foreign(method, headers)) is not None:
            return problem(403, foreign, trace_id=trace_id)
        needed = scope_for(method, path)
        if needed is None:
            return None
        held = self._access.scopes_of(headers)
        if needed in held or "admin" in held:
            return None
        if held:
            return problem(403, f"Your token has the scopes {', '.join(held)}; this needs {needed}.", trace_id=trace_id)
        if method == "GET" and path == "/" and "text/html" in headers.get("accept", ""):
            return _to_login
        detail = "Sign in first: send the token as `Authorization: Bearer …`. It was shown at the first start."
        return problem(401, detail, trace_id=trace_id, headers={"WWW-Authenticate": "Bearer"})

    def _foreign(self, method: str, headers: Mapping[str, str]) -> str | None:
        """Why a request is taken for another site's, acting through the owner's browser; None when it is not."""
        origin = headers.get("origin")
        if origin is not None and _host_name(urlsplit(origin).netloc) not in self._hosts:
            return f"Requests from the page {origin[:200]} are not taken here."
        if method in ("GET", "HEAD"):
            return None
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "Requests that another site makes through a browser are not taken here."
        return None

    async def _read_and_pass(self, scope: Scope, receive: Receive, send: Send, headers: Mapping[str, str], trace_id: str) -> None:
        """Bodies are read here, counted as they come, and given on whole; nothing reads more than the limit."""
        if scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self._max_body:
            await self._too_large(trace_id)(scope, receive, send)
            return
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._max_body:
                await self._too_large(trace_id)(scope, receive, send)
                return
        if body and (refused := _unfit(bytes(body), headers.get("content-type", ""), trace_id)) is not None:
            await refused(scope, receive, send)
            return
        given = False

        async def receive_again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self._app(scope, receive_again, send)

    def _too_large(self, trace_id: str) -> ASGIApp:
        return problem(413, f"The body has more than {self._max_body:,} bytes. Send it in parts.", trace_id=trace_id)


def _host_name(host: str) -> str:
    """`localhost:7337` is localhost, `[::1]:7337` is ::1."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _unfit(body: bytes, content_type: str, trace_id: str) -> ASGIApp | None:
    """A problem for a body that is not JSON in UTF-8, or nested beyond reason."""
    if content_type.partition(";")[0].strip().lower() != "application/json":
        return problem(415, "Send JSON: `Content-Type: application/json`.", trace_id=trace_id)
    try:
        body.decode()
    except UnicodeDecodeError as error:
        detail = f"The body is not valid UTF-8 at byte {error.start}. Send it as UTF-8."
        return problem(422, detail, trace_id=trace_id, errors=[{"field": "body", "message": detail}])
    if body.count(b"[") + body.count(b"{") > DEEPEST_JSON and _depth(body) > DEEPEST_JSON:
        return problem(400, f"The JSON is nested more than {DEEPEST_JSON} levels deep. Send it flat.", trace_id=trace_id)
    try:
        orjson.loads(body)
    except orjson.JSONDecodeError as error:
        # A lone surrogate is valid JSON and no Unicode: orjson says so in its own words.
        if "surrogate" in str(error):
            detail = f"The text has a lone surrogate at character {error.pos}: it is not Unicode. Send valid UTF-8."
            return problem(422, detail, trace_id=trace_id, errors=[{"field": "body", "message": detail}])
        return problem(400, f"The body is not JSON (at character {error.pos}). Send a JSON object.", trace_id=trace_id)
    return None


def _depth(body: bytes) -> int:
    """How deep brackets nest outside strings. Linear, and in Python only once for each bracket."""
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", body)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


async def _to_login(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 303, "headers": [(b"location", b"/login"), (b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})
