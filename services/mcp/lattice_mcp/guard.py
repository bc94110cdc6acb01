"""What every HTTP request passes before MCP sees it: host, origin, token. A session id opens nothing.

A token is one of the API's: it is asked about there, and goes on to it with every call, so that it may here what it may there.
Or it is this door's own (LATTICE_MCP_TOKEN), and calls go out with the API's token that this process was given.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from lattice_common.errors import LatticeError, NotAllowed
from lattice_common.origins import Origins, scheme_asked
from lattice_common.token_strength import BEYOND_GUESSING
from lattice_common.wrong_tries import WrongTries
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lattice_mcp.memory import Caller

OPEN_PATHS = frozenset({"/health"})
CALLER = "lattice_caller"
"""The key of the caller in the scope of a request."""

KNOWN_SECONDS = 60.0
"""How long a known token is not checked again; what it may do is checked with every call in any case."""

MOST_KNOWN = 1000

WRONG_PER_MINUTE = 60
"""How many wrong tokens one address may send in place of the server's own. The API counts those for its own."""


@dataclass(frozen=True, slots=True)
class KnownToken:
    """A token that the API knows: whether it may capture, whatever the source."""

    may_capture: bool


Ask = Callable[[str], Awaitable[KnownToken | None]]
"""Returns what the API says of a token; None when it does not know it. Raises `LatticeError` when the API is away, or busy."""


class Guard:
    """Wraps the app and controls access. `origins` are the names and pages that are ours; `own_token` is the server's own token,
    if it has one."""

    def __init__(self, app: ASGIApp, *, origins: Origins, own_token: str | None, ask: Ask) -> None:
        self._app = app
        self._origins = origins
        self._own = own_token
        self._ask = ask
        self._known: dict[str, tuple[float, KnownToken]] = {}
        self._wrong = WrongTries(WRONG_PER_MINUTE, time.monotonic)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._foreign(scope["scheme"], headers)
        if refused is None and scope["path"] not in OPEN_PATHS:
            found = await self._caller(headers, str(scope["client"][0]) if scope.get("client") else "unknown")
            if isinstance(found, Caller):
                scope[CALLER] = found
                # A session stays with the token that began it: the transport compares these.
                name = hashlib.sha256(_bearer(headers).encode("utf-8", "surrogatepass")).hexdigest()[:16]
                scope["user"] = AuthenticatedUser(AccessToken(token=name, client_id=name, scopes=[]))
            else:
                refused = found
        await (refused or self._app)(scope, receive, send)

    def _foreign(self, scheme: str, headers: Mapping[str, str]) -> Response | None:
        """Return a refusal of what another site sends through the user's browser, under a name of its own (DNS rebinding) or of
        ours."""
        host = headers.get("host", "")
        if not self._origins.knows_host(host):
            shown = host[:200] or "An empty host"
            return _refused(400, f"{shown} is not a name of this server. Put it into LATTICE_ALLOWED_HOSTS if it should be.")
        origin = headers.get("origin")
        if origin is not None and not self._origins.is_own_page(origin, scheme_asked(scheme, headers), host):
            return _refused(403, f"Requests from the page {origin[:200]} are not taken here.")
        return None

    async def _caller(self, headers: Mapping[str, str], address: str) -> Caller | Response:
        token = _bearer(headers)
        if not token:
            return _unknown("Send a token as `Authorization: Bearer …`. `lattice token add` makes one.")
        if self._own is not None:
            return self._holder_of(self._own, token, address)
        digest = _digest(token)
        seen = self._known.get(digest)
        if seen is not None and seen[0] > time.monotonic():
            return Caller(token, seen[1].may_capture)
        try:
            known = await self._ask(token)
        except LatticeError as error:
            if seen is not None and not isinstance(error, NotAllowed):
                return Caller(token, seen[1].may_capture)  # the API is away: who was known a while ago still is
            detail = f"{error} Your token cannot be looked up meanwhile."
            return _refused(503, detail, {"Retry-After": "5"})
        if known is None:
            self._known.pop(digest, None)
            return _unknown("That token is not known here. `lattice token add` makes one.")
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[digest] = (time.monotonic() + KNOWN_SECONDS, known)
        return Caller(token, known.may_capture)

    def _holder_of(self, own: str, token: str, address: str) -> Caller | Response:
        """Return the caller that holds the server's own token, or a refusal. A token that could be guessed is not compared after
        many wrong ones."""
        if self._wrong.are_many(address) and len(own) < BEYOND_GUESSING:
            return _refused(429, "Too many wrong tokens came from this address. Wait a minute.", {"Retry-After": "60"})
        if hmac.compare_digest(_digest(own), _digest(token)):
            return Caller()
        try:
            self._wrong.count(address)
        except NotAllowed as error:
            return _refused(429, str(error), {"Retry-After": "60"})
        return _unknown("That token is not known here.")


def _bearer(headers: Mapping[str, str]) -> str:
    kind, _, token = headers.get("authorization", "").partition(" ")
    token = token.strip()
    # What is no ASCII is no token of anybody's, and could not be handed on in a header.
    return token if kind.lower() == "bearer" and token.isascii() and token.isprintable() else ""


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _unknown(detail: str) -> Response:
    return _refused(401, detail, {"WWW-Authenticate": "Bearer"})


def _refused(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    body = json.dumps({"type": "about:blank", "status": status, "detail": detail}, ensure_ascii=False)
    return Response(body, status, dict(headers or {}), "application/problem+json")
