"""Who may do what: tokens, browser sessions, one-time links, and which scope each route asks for.

A browser sends a cookie to every port of a host, and so to every program that listens on one. A session therefore has two halves:
the cookie, which scripts cannot read, and the page's key, which the browser keeps for this very origin and the page sends as a
header. Neither opens anything alone.
"""

from __future__ import annotations

import hmac
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from lattice_common.errors import NotAllowed, Unavailable
from lattice_common.logs import logger
from lattice_common.settings import Settings
from lattice_common.token_strength import BEYOND_GUESSING, checked
from lattice_common.wrong_tries import WrongTries

from lattice_api.token_file import SCOPES, NewSession, Scope, TokenFile, digest

log = logger(__name__)

COOKIE = "lattice_session"
SECURE_COOKIE = "__Host-lattice_session"
"""Where the page comes over TLS. A `__Host-` cookie must be Secure, which plain http://127.0.0.1 is not for every browser."""

PAGE_KEY_HEADER = "lattice-page-key"
"""What the page sends beside the cookie. A page of another origin cannot: the header is no plain one, and there is no CORS."""

MOST_COOKIES = 8
"""Cookies of our name that are looked at: another program on this host may have set some, for a path of its own."""

CODE_SECONDS = 600.0
LOGINS_PER_MINUTE = 5
"""Wrong ones, of one address."""

BEARERS_PER_MINUTE = 60
"""Wrong ones, of one address: a client with an old token that asks every second is still told that the token is not known."""

OPEN_PATHS = frozenset({"/health", "/api/health", "/ready", "/login", "/api/login", "/sw.js"})
"""Beside the static files below /ui/: what a browser needs to sign in, and what a health check asks."""


Needed: TypeAlias = Scope | Literal["any"]


def scope_for(method: str, path: str) -> Needed | None:
    """The scope that a request needs; None for what is open to all (a calendar asks for the token in its address), `any` for
    what is open to whoever is known. Telling through `/api/query` needs `capture` as well."""
    if path in OPEN_PATHS or path.startswith(("/ui/", "/calendar/")):
        return None
    if path == "/api/logout":
        return "any"
    if path.startswith("/api/tokens"):
        return "admin"
    if method in ("GET", "HEAD"):
        return "read"
    if path in ("/api/ingest", "/api/ingest-file", "/api/capture-log", "/api/feedback") or path.endswith("/retry"):
        return "capture"
    if path in ("/api/select", "/api/answer", "/api/query", "/api/intent"):
        return "read"
    return "admin"


_OWN_PATH = re.compile(r"/(?:[A-Za-z0-9_-][A-Za-z0-9_./%-]*)?(?:\?[^\\\x00-\x20]*)?")


class Access:
    """Decides for each request. With `enabled` false everybody on this machine is the owner."""

    def __init__(self, store: TokenFile, settings: Settings, *, now: Callable[[], float] = time.monotonic) -> None:
        self.enabled = settings.auth
        self.store = store
        self._fixed = checked("LATTICE_API_TOKEN", settings.api_token.get_secret_value() if settings.api_token else None)
        self._now = now
        self._codes: dict[str, float] = {}
        self._wrong_logins = WrongTries(LOGINS_PER_MINUTE, now)
        self._wrong_bearers = WrongTries(BEARERS_PER_MINUTE, now)
        self._lock = threading.Lock()
        store.end_sessions_of_other(self._fixed)

    def make_first_token(self) -> str | None:
        """A token with all scopes, when there is none yet; shown once by whoever starts the product. On a disk that cannot be
        written there is none: the link signs in, and the next start makes it."""
        if not self.enabled or self._fixed is not None or self.store.tokens:
            return None
        try:
            return self.store.add_token("first", SCOPES)
        except Unavailable:
            log.warning("access_not_written")
            return None

    def make_login_code(self) -> str:
        """For a link that signs a browser in once, within ten minutes."""
        code = secrets.token_urlsafe(24)
        with self._lock:
            self._codes[digest(code)] = self._now() + CODE_SECONDS
        return code

    def scopes_of(self, headers: Mapping[str, str], address: str = "unknown") -> tuple[Scope, ...]:
        """What the sender of these (lower-case) headers may do; empty when nobody is known by them. Raises `NotAllowed` (429) for
        one more wrong token from an address that has sent many."""
        if not self.enabled:
            return SCOPES
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and token:
            scopes = self._scopes_of_token(token, guessing=self._wrong_bearers.are_many(address))
            if not scopes:
                self._wrong_bearers.count(address)
            return scopes
        page_key = headers.get(PAGE_KEY_HEADER)
        if not page_key:
            return ()
        return self.store.scopes_of_session(sessions_in(headers.get("cookie", "")), page_key)

    def has_session(self, headers: Mapping[str, str]) -> bool:
        """Whether the cookie of a session is there: enough to be given the page, which holds nothing of its own."""
        return self.store.has_session(sessions_in(headers.get("cookie", "")))

    def login(self, address: str, *, token: str | None, code: str | None) -> NewSession:
        """A session for a token or a one-time code. Raises `NotAllowed`: 401, or 429 after too many wrong tries.

        What is right and beyond guessing is let in however many wrong tries came from the same address: behind a proxy, and in a
        container, that is everybody's.
        """
        scopes: tuple[Scope, ...] = ()
        if code is not None:
            with self._lock:
                expires = self._codes.pop(digest(code), 0.0)
            scopes = SCOPES if expires > self._now() else ()
        elif token is not None:
            scopes = self._scopes_of_token(token, guessing=self._wrong_logins.are_many(address))
        if not scopes:
            self._wrong_logins.count(address)
            what = "That link was used already, or is too old" if code is not None else "That token is not known here"
            raise NotAllowed(f"{what}. `lattice up` shows a new link, and `lattice token` makes a new token.", status=401)
        return self.store.add_session(scopes)

    def logout(self, headers: Mapping[str, str]) -> None:
        self.store.end_sessions(sessions_in(headers.get("cookie", "")))

    def _scopes_of_token(self, token: str, *, guessing: bool) -> tuple[Scope, ...]:
        """With `guessing`, a token that the owner chose and that is short enough to be worth it is not compared at all."""
        if scopes := self.store.scopes_of_token(token):
            return scopes
        if self._fixed is None or (guessing and len(self._fixed) < BEYOND_GUESSING):
            return ()
        return SCOPES if hmac.compare_digest(digest(self._fixed), digest(token)) else ()


def is_own_path(address: str) -> bool:
    """Whether an address to go on to after signing in is a path of this very site, however a browser reads it: `//evil`,
    `/\\evil`, `/.//evil` and `https://evil` all lead elsewhere."""
    return _OWN_PATH.fullmatch(address) is not None


def sessions_in(cookie_header: str) -> tuple[str, ...]:
    """The secrets of sessions in a Cookie header. Whatever else is in it, from other programs on this host, is passed over: it
    need not be what any standard calls a cookie. Several of our name come where another program set one for a path."""
    found: list[str] = []
    for pair in cookie_header.split(";"):
        name, _, value = pair.strip().partition("=")
        if name in (COOKIE, SECURE_COOKIE) and value:
            found.append(value.strip().strip('"'))
    return tuple(found[:MOST_COOKIES])
