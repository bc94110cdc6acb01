"""Who may do what: tokens, browser sessions, one-time links, and which scope each route asks for."""

from __future__ import annotations

import hmac
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from http.cookies import CookieError, SimpleCookie

from lattice_common.errors import NotAllowed, NotConfigured
from lattice_common.settings import Settings

from lattice_api.token_file import SCOPES, Scope, TokenFile, digest

COOKIE = "lattice_session"
SECURE_COOKIE = "__Host-lattice_session"
"""Where the page comes over TLS. A `__Host-` cookie must be Secure, which plain http://127.0.0.1 is not for every browser."""

CODE_SECONDS = 600.0
LOGINS_PER_MINUTE = 5
CLIENTS_COUNTED = 1000
"""Addresses whose tries are kept; those of the last minute stay, the others are dropped."""

SHORTEST_TOKEN = 16
FEWEST_CHARACTERS = 8
"""Different ones: 32 times the same letter is long, and is the first thing that is guessed."""

PLACEHOLDERS = ("changeme", "change-me", "secret", "password", "token", "example", "placeholder", "xxx")

OPEN_PATHS = frozenset({"/health", "/ready", "/login", "/api/login"})
"""Beside the static files below /ui/: what a browser needs to sign in, and what a health check asks."""


def scope_for(method: str, path: str) -> Scope | None:
    """The scope that a request needs; None for what is open to all. Telling through `/api/query` needs `capture` as well."""
    if path in OPEN_PATHS or path.startswith("/ui/"):
        return None
    if path.startswith("/api/tokens"):
        return "admin"
    if method in ("GET", "HEAD"):
        return "read"
    if path in ("/api/ingest", "/api/ingest-file", "/api/capture-log", "/api/feedback") or path.endswith("/retry"):
        return "capture"
    if path in ("/api/select", "/api/answer", "/api/query", "/api/logout"):
        return "read"
    return "admin"


_OWN_PATH = re.compile(r"/(?:[A-Za-z0-9_-][A-Za-z0-9_./%-]*)?(?:\?[^\\\x00-\x20]*)?")


class Access:
    """Decides for each request. With `enabled` false everybody on this machine is the owner."""

    def __init__(self, store: TokenFile, settings: Settings, *, now: Callable[[], float] = time.monotonic) -> None:
        self.enabled = settings.auth
        self.store = store
        self._fixed = _checked(settings.api_token.get_secret_value() if settings.api_token else None)
        self._now = now
        self._codes: dict[str, float] = {}
        self._logins: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def make_first_token(self) -> str | None:
        """A token with all scopes, when there is none yet; shown once by whoever starts the product."""
        if not self.enabled or self._fixed is not None or self.store.tokens:
            return None
        return self.store.add_token("first", SCOPES)

    def make_login_code(self) -> str:
        """For a link that signs a browser in once, within ten minutes."""
        code = secrets.token_urlsafe(24)
        with self._lock:
            self._codes[digest(code)] = self._now() + CODE_SECONDS
        return code

    def scopes_of(self, headers: Mapping[str, str]) -> tuple[Scope, ...]:
        """What the sender of these (lower-case) headers may do; empty when nobody is known by them."""
        if not self.enabled:
            return SCOPES
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and token:
            return self._scopes_of_token(token)
        session = session_in(headers.get("cookie", ""))
        return self.store.scopes_of_session(session) if session else ()

    def login(self, client: str, *, token: str | None, code: str | None) -> str:
        """A session's secret for a token or a one-time code. Raises `NotAllowed`: 401, or 429 after too many tries."""
        self._count_login(client)
        scopes: tuple[Scope, ...] = ()
        if code is not None:
            with self._lock:
                expires = self._codes.pop(digest(code), 0.0)
            scopes = SCOPES if expires > self._now() else ()
        elif token is not None:
            scopes = self._scopes_of_token(token)
        if not scopes:
            what = "That link was used already, or is too old" if code is not None else "That token is not known here"
            raise NotAllowed(f"{what}. `lattice up` shows a new link, and `lattice token` makes a new token.", status=401)
        return self.store.add_session(scopes)

    def logout(self, headers: Mapping[str, str]) -> None:
        if session := session_in(headers.get("cookie", "")):
            self.store.end_session(session)

    def _scopes_of_token(self, token: str) -> tuple[Scope, ...]:
        if self._fixed is not None and hmac.compare_digest(digest(self._fixed), digest(token)):
            return SCOPES
        return self.store.scopes_of_token(token)

    def _count_login(self, client: str) -> None:
        now = self._now()
        with self._lock:
            if len(self._logins) > CLIENTS_COUNTED:
                self._logins = {who: tries for who, tries in self._logins.items() if tries[-1] >= now - 60}
            tries = self._logins.setdefault(client, deque())
            while tries and tries[0] < now - 60:
                tries.popleft()
            if len(tries) >= LOGINS_PER_MINUTE:
                raise NotAllowed("Too many tries to sign in. Wait a minute, then try again.", status=429)
            tries.append(now)


def is_own_path(address: str) -> bool:
    """Whether an address to go on to after signing in is a path of this very site, however a browser reads it: `//evil`,
    `/\\evil`, `/.//evil` and `https://evil` all lead elsewhere."""
    return _OWN_PATH.fullmatch(address) is not None


def session_in(cookie_header: str) -> str | None:
    """The session's secret in a Cookie header."""
    try:
        cookies = SimpleCookie(cookie_header)
    except CookieError:
        return None
    found = cookies.get(SECURE_COOKIE) or cookies.get(COOKIE)
    return found.value if found else None


def _checked(token: str | None) -> str | None:
    if token is None:
        return None
    weak = len(token) < SHORTEST_TOKEN or len(set(token)) < FEWEST_CHARACTERS
    if weak or any(word in token.lower() for word in PLACEHOLDERS):
        line = f"LATTICE_API_TOKEN={secrets.token_urlsafe(32)}"
        raise NotConfigured(
            f"LATTICE_API_TOKEN is a placeholder, or easily guessed. Put this into .env: {line}",
            env_line=line,
        )
    return token
