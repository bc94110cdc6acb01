"""What every request passes before a route sees it: host, origin, caller, size; and the headers of every answer.

Pure ASGI, so that streams stay streams. Errors from further in without an answer become a problem here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from urllib.parse import quote

from lattice_common.domain.space import SHARED
from lattice_common.errors import NotAllowed
from lattice_common.origins import Origins, advice, scheme_asked
from lattice_common.ports.clock import Clock
from lattice_common.spaces import HEADER
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lattice_api.access import TELLING, Access, scope_for, sessions_in
from lattice_api.audit import Audit, Device
from lattice_api.body import BodyReader, Unfit, given
from lattice_api.limits import RequestLimits, address_of, caller_of
from lattice_api.metrics import Metrics
from lattice_api.page import is_view
from lattice_api.page_routes import not_here, wants_page
from lattice_api.problem import defect, problem, problem_of

CSP = (
    "default-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
}
SAFE_METHODS = frozenset({"GET", "HEAD"})
STREAMED = frozenset({"/api/ingest-file", "/api/imports"})
"""Routes that read, count and time their bodies themselves, as they come."""
LISTENED_TO = frozenset({"/api/changes"})
"""Routes that answer for as long as the client listens: their latency is the time until they begin."""


class Guard:
    """Wraps the app. `origins` are our own names and pages; `max_body` is in bytes; `space` is the name of the memory, where
    there are several."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        access: Access,
        metrics: Metrics,
        limits: RequestLimits,
        audit: Audit,
        clock: Clock,
        origins: Origins,
        max_body: int,
        space: str | None = None,
    ) -> None:
        self._app = app
        self._access = access
        self._metrics = metrics
        self._limits = limits
        self._audit = audit
        self._clock = clock
        self._origins = origins
        self._bodies = BodyReader(max_body)
        self._space = space

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        trace_id = self._clock.new_id()
        scope["trace_id"] = trace_id
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        started = time.perf_counter()
        status, took = 0, 0.0

        async def send_with_headers(message: Message) -> None:
            nonlocal status, took
            if message["type"] == "http.response.start":
                status, took = message["status"], time.perf_counter() - started
                out = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    out.setdefault(name, value)  # an original brings a stricter policy of its own
                out["X-Trace-Id"] = trace_id
                # The page's files say how long they last, or are looked after on each load; everything else is private.
                if scope["path"].startswith("/ui/"):
                    out.setdefault("Cache-Control", "no-cache")
                else:
                    out["Cache-Control"] = "no-store"
            await send(message)

        try:
            answer = self._refusal(scope, headers, trace_id) or self._guarded(headers, trace_id)
            await answer(scope, receive, send_with_headers)
        except Exception as error:  # noqa: BLE001 - the last place where a defect can become an answer and a log line
            failed = defect(error, trace_id)
            if not status:
                await failed(scope, receive, send_with_headers)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            if scope["path"] not in LISTENED_TO:
                took = time.perf_counter() - started
            self._metrics.count_request(scope["method"], route, status or 499, took)
            if (holder := scope.get("holder")) is not None:
                device = Device(address_of(scope), headers.get("user-agent", ""))
                audit: Audit = scope.get("audit") or self._audit
                audit.note(holder.name, device, scope["method"], route, status or 499, trace_id)

    def _refusal(self, scope: Scope, headers: Mapping[str, str], trace_id: str) -> ASGIApp | None:
        """Return a problem, when the request must not go on."""
        method, path = scope["method"], scope["path"]
        if not self._origins.knows_host(headers.get("host", "")):
            named = headers.get("host", "")[:200] or "An empty host"
            detail = f"{named} is not a name of this server. Put it into LATTICE_ALLOWED_HOSTS if it should be."
            return problem(400, detail, trace_id=trace_id)
        if (foreign := self._foreign(method, scope["scheme"], headers)) is not None:
            return problem(403, foreign, trace_id=trace_id)
        if (refused := self._not_allowed(scope, headers, trace_id)) is not None:
            return refused
        if (asked := headers.get(HEADER)) is not None and asked != self._space:
            detail = (
                "This Lattice has one memory, and no space beside it. Leave `Lattice-Space` out, or see LATTICE_OWNERS."
                if self._space is None
                else f"Your token opens your own space, and {SHARED!r}. Send that as `Lattice-Space`, or leave it out."
            )
            return problem(403, detail, trace_id=trace_id, headers={"Lattice-Space": "none"})
        if (seconds := self._limits.seconds_to_wait(method, path, caller_of(headers, scope))) is not None:
            detail = "Too many requests of this kind at once. Wait as long as `Retry-After` says, then send it again."
            return problem(429, detail, trace_id=trace_id, headers={"Retry-After": str(seconds)})
        return None

    def _not_allowed(self, scope: Scope, headers: Mapping[str, str], trace_id: str) -> ASGIApp | None:
        """Return a problem, when whoever asks may not; what they may is put into the scope."""
        method, path = scope["method"], scope["path"]
        needed = scope_for(method, path)
        if needed is None:
            return None
        if method in SAFE_METHODS and is_view(path) and self._access.has_session(headers):
            return None  # the page itself has nothing private, and its key is sent by its own scripts only
        try:
            holder = self._access.holder_of(headers, address_of(scope))
        except NotAllowed as error:
            return problem_of(error, trace_id)
        if holder is None and self._access.has_session(headers) and wants_page(method, path, headers):
            return not_here()
        if holder is None:
            return _unknown(method, path, headers, trace_id)
        held = holder.scopes
        scope["holder"] = holder
        if holder.source_id is not None and path not in TELLING:
            detail = f"Your token may tell into {holder.source_id} and nothing else: send it to {' or '.join(sorted(TELLING))}."
            return problem(403, detail, trace_id=trace_id)
        if needed == "any" or needed in held or "admin" in held:
            return None
        return problem(403, f"Your token has the scopes {', '.join(held)}; this needs {needed}.", trace_id=trace_id)

    def _foreign(self, method: str, scheme: str, headers: Mapping[str, str]) -> str | None:
        """Return why a request is taken for another site's, acting through the owner's browser; None when it is not."""
        origin = headers.get("origin")
        if origin is not None and not self._origins.is_own_page(origin, scheme_asked(scheme, headers), headers.get("host", "")):
            return advice(origin)
        if method in SAFE_METHODS:
            return None
        site = headers.get("sec-fetch-site")
        if site is not None and site not in ("same-origin", "none"):
            return "Requests that another site makes through a browser are not taken here."
        if origin is None and site is None and "authorization" not in headers and sessions_in(headers.get("cookie", "")):
            return "A browser's session changes things from Lattice's own page only. Send the token instead of the cookie."
        return None

    def _guarded(self, headers: Mapping[str, str], trace_id: str) -> ASGIApp:
        """Return the app, with its body read and within the limits."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["method"] in SAFE_METHODS or scope["path"] in STREAMED:
                await self._app(scope, receive, send)
                return
            async with self._bodies.read(scope["path"], receive, headers) as body:
                match body:
                    case bytes():
                        await self._app(scope, given(body, receive), send)
                    case Unfit(status=status, detail=detail, headers=more):
                        await problem(status, detail, trace_id=trace_id, headers=more)(scope, receive, send)
                    case None:
                        pass  # nobody is there any more

        return answer


def _unknown(method: str, path: str, headers: Mapping[str, str], trace_id: str) -> ASGIApp:
    """Return the redirection to the login page for a page, 401 for everything else."""
    if is_view(path) and wants_page(method, path, headers):
        return _to_login
    detail = "Sign in first: send the token as `Authorization: Bearer …`. It was shown at the first start."
    return problem(401, detail, trace_id=trace_id, headers={"WWW-Authenticate": "Bearer"})


async def _to_login(scope: Scope, _receive: Receive, send: Send) -> None:
    """Redirect to the login page; the view, and what a phone shared, are in the URL and kept."""
    shared = scope["query_string"].decode("latin-1")
    here = quote(scope["path"]).replace("~", "%7E") + (f"?{shared}" if shared else "")
    login = "/login" if here in ("/", "/index.html") else "/login?next=" + quote(here, safe="")
    await send(
        {"type": "http.response.start", "status": 303, "headers": [(b"location", login.encode()), (b"content-length", b"0")]}
    )
    await send({"type": "http.response.body", "body": b""})
