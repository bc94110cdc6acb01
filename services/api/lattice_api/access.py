"""Who may do what: tokens, browser sessions, one-time links, and the scope that each route needs.

A browser sends a cookie to every port of a host, and so to every program that listens on one. A session therefore has two halves:
the cookie, which scripts cannot read, and the page's key, which the browser keeps for this very origin and the page sends as a
header. Neither is valid alone.
"""

from __future__ import annotations

import hmac
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from lattice_common.errors import NotAllowed, Unavailable
from lattice_common.logs import logger
from lattice_common.settings import Settings
from lattice_common.token_strength import BEYOND_GUESSING, checked
from lattice_common.wrong_tries import WrongTries

from lattice_api.audit import Audit
from lattice_api.token_file import SCOPES, NewSession, Scope, TokenFile, digest

log = logger(__name__)

COOKIE = "lattice_session"
SECURE_COOKIE = "__Host-lattice_session"
"""Used where the page comes over TLS. A `__Host-` cookie must be Secure, which plain http://127.0.0.1 is not for every
browser."""

PAGE_KEY_HEADER = "lattice-page-key"
"""Sent by the page beside the cookie. A page of another origin cannot send it: the header needs a preflight, and there is no
CORS."""

MOST_COOKIES = 8
"""Cookies of our name that are checked: another program on this host may have set some, for a path of its own."""

CODE_SECONDS = 600.0
LOGINS_PER_MINUTE = 5
"""Wrong sign-ins from one address."""

BEARERS_PER_MINUTE = 60
"""Wrong tokens from one address: a client with an old token that asks every second is still told that the token is not known."""

OPEN_PATHS = frozenset({"/health", "/api/health", "/ready", "/login", "/api/login", "/sw.js"})
"""Open to all, beside the static files below /ui/: what a browser needs to sign in, and what a health check asks."""


TELLING = frozenset({"/api/ingest", "/api/ingest-file"})
"""Where a token of one source may tell: other routes name their source themselves, or several."""

NO_SIGN_IN = "owner (no sign-in)"
FIXED_TOKEN = "LATTICE_API_TOKEN"  # noqa: S105 - the name of a setting
LINK = "sign-in link"
"""The name of holders without a named token."""

Needed: TypeAlias = Scope | Literal["any"]


@dataclass(frozen=True, slots=True)
class Holder:
    """The caller: the name of the token, its scopes, the one source that it tells into, where it is bound to one, and when the
    token ends, in seconds since 1970."""

    name: str
    scopes: tuple[Scope, ...]
    source_id: str | None = None
    expires_at: float | None = None


def scope_for(method: str, path: str) -> Needed | None:
    """Return the scope that a request needs; None for what is open to all (a calendar asks for the token in its address), `any`
    for what is open to every known caller. Telling through `/api/query` needs `capture` as well."""
    if path in OPEN_PATHS or path.startswith(("/ui/", "/calendar/")):
        return None
    if path == "/api/logout":
        return "any"
    if path.startswith("/api/tokens") or path == "/api/audit":
        return "admin"
    if method in ("GET", "HEAD"):
        return "read"
    if path in ("/api/ingest", "/api/ingest-file", "/api/imports", "/api/capture-log", "/api/feedback") or path.endswith(
        "/retry"
    ):
        return "capture"
    if path in ("/api/select", "/api/answer", "/api/query", "/api/intent"):
        return "read"
    return "admin"


@dataclass(frozen=True, slots=True)
class _Link:
    """A link that signs a browser in once, up to a time: as the owner, or as its token does then, if that still holds."""

    until: float
    token: str | None = None


_OWN_PATH = re.compile(r"/(?:[A-Za-z0-9_-][A-Za-z0-9_./%-]*)?(?:\?[^\\\x00-\x20]*)?")


class Access:
    """Decides for each request. With `enabled` false everybody on this machine is the owner."""

    def __init__(self, store: TokenFile, settings: Settings, *, now: Callable[[], float] = time.monotonic) -> None:
        self.enabled = settings.auth
        self.store = store
        self._fixed = checked("LATTICE_API_TOKEN", settings.api_token.get_secret_value() if settings.api_token else None)
        self._now = now
        self._links: dict[str, _Link] = {}
        self._wrong_logins = WrongTries(LOGINS_PER_MINUTE, now)
        self._wrong_bearers = WrongTries(BEARERS_PER_MINUTE, now)
        self._lock = threading.Lock()
        self.audit: Audit | None = None
        """Where it is noted who signed in here."""
        self._others: tuple[Access, ...] = ()
        self._members: Mapping[str, Access] = {}
        store.end_sessions_of_other(self._fixed)

    def signs_in_for(self, others: Iterable[Access]) -> None:
        """Give who signs in here with a token or a link of another space a session of that space."""
        self._others = tuple(others)

    def opens_for(self, members: Mapping[str, Access]) -> None:
        """Let members of these spaces, by their names, do here what they may do there."""
        self._members = members

    def make_first_token(self) -> str | None:
        """Return a token with all scopes, when there is none yet; the caller shows it once. On a disk that cannot be written
        there is none: the link signs in, and the next start makes it."""
        if not self.enabled or self._fixed is not None or self.store.tokens:
            return None
        try:
            return self.store.add_token("first", SCOPES)
        except Unavailable:
            log.warning("access_not_written")
            return None

    def make_login_code(self, token: str | None = None) -> str:
        """Return a code for a link that signs a browser in once, within ten minutes: as the owner, or as with this `token`,
        unless that has ended by then. Raise `NotAllowed` for a token of another space."""
        if token is not None and self._holder_of_token(token, guessing=False) is None:
            raise NotAllowed("That token is of another memory: ask for the link there.", status=403)
        code, now = secrets.token_urlsafe(24), self._now()
        with self._lock:
            self._links = {known: link for known, link in self._links.items() if link.until > now}
            self._links[digest(code)] = _Link(now + CODE_SECONDS, token)
        return code

    def holder_of(self, headers: Mapping[str, str], address: str = "unknown") -> Holder | None:
        """Return the sender of these (lower-case) headers; None for an unknown one. Raise `NotAllowed` (429) for one more wrong
        token from an address that has sent many."""
        token = bearer_in(headers)
        guessing = token is not None and self._wrong_bearers.are_many(address)
        holder = self._known(headers, guessing=guessing)
        if holder is None and token is not None:
            self._wrong_bearers.count(address)
        return holder

    def still_knows(self, headers: Mapping[str, str]) -> bool:
        """Return whether the sender of an earlier request is known: a stream ends with the token or session that opened it."""
        return self._known(headers, guessing=False) is not None

    def _known(self, headers: Mapping[str, str], *, guessing: bool) -> Holder | None:
        if not self.enabled:
            return Holder(NO_SIGN_IN, SCOPES)
        if (found := self._holder_here(headers, guessing=guessing)) is not None:
            return found
        for owner, member in self._members.items():
            if (theirs := member._holder_here(headers, guessing=guessing)) is not None:
                return replace(theirs, name=f"{owner}: {theirs.name}")
        return None

    def _holder_here(self, headers: Mapping[str, str], *, guessing: bool) -> Holder | None:
        """Return the sender, where it has a token or a session of this very space."""
        if (token := bearer_in(headers)) is not None:
            return self._holder_of_token(token, guessing=guessing)
        page_key = headers.get(PAGE_KEY_HEADER)
        session = self.store.session_of(sessions_in(headers.get("cookie", "")), page_key) if page_key else None
        if session is None:
            return None
        ends = next((each.expires_at for each in self.store.tokens if each.name == session.name), None)
        return Holder(session.name or LINK, session.scopes, expires_at=ends)

    def has_session(self, headers: Mapping[str, str]) -> bool:
        """Return whether the cookie of a session is there: enough to be given the page, which holds nothing of its own."""
        cookies = sessions_in(headers.get("cookie", ""))
        return any(each.store.has_session(cookies) for each in (self, *self._members.values()))

    def login(self, address: str, *, token: str | None, code: str | None) -> tuple[NewSession, Access]:
        """Return a session for a token or a one-time code, and the access control of the space that it is of. Raise `NotAllowed`:
        401, or 429 after too many wrong tries.

        A right one that cannot be guessed is accepted however many wrong tries came from the same address: behind a proxy, and in
        a container, that address is everybody's.
        """
        guessing = self._wrong_logins.are_many(address)
        for each in (self, *self._others):
            if (new := each._session_for(token, code, guessing=guessing)) is not None:
                return new, each
        self._wrong_logins.count(address)
        what = "That link was used already, or is too old" if code is not None else "That token is not known here"
        raise NotAllowed(f"{what}. `lattice open` makes a new link, and `lattice token add` a new token.", status=401)

    def logout(self, headers: Mapping[str, str]) -> None:
        """End the sessions of this browser, of whichever space."""
        for each in (self, *self._others, *self._members.values()):
            each.store.end_sessions(sessions_in(headers.get("cookie", "")))

    def _session_for(self, token: str | None, code: str | None, *, guessing: bool) -> NewSession | None:
        """Return a session of this space; None where neither is valid. Raise `NotAllowed` for a token that tells into one
        source."""
        if code is not None:
            with self._lock:
                link = self._links.pop(digest(code), None)
            if link is None or link.until <= self._now():
                return None
            if link.token is None:
                return self.store.add_session(SCOPES, None, LINK)
            token, guessing = link.token, False  # nobody guesses a code
        holder = self._holder_of_token(token, guessing=guessing) if token is not None else None
        if token is None or holder is None:
            return None
        if holder.source_id is not None:
            raise NotAllowed(f"The token {holder.name} tells into one source, and opens no page.", status=403)
        kept = self.store.token_of(token)
        return self.store.add_session(holder.scopes, kept.expires_at if kept is not None else None, holder.name)

    def _holder_of_token(self, token: str, *, guessing: bool) -> Holder | None:
        """Return the holder of a token. With `guessing`, a token that the owner chose and that is short enough to be guessed is
        not compared at all."""
        if (kept := self.store.token_of(token)) is not None:
            return Holder(kept.name, kept.scopes, kept.source_id, kept.expires_at)
        if self._fixed is None or (guessing and len(self._fixed) < BEYOND_GUESSING):
            return None
        return Holder(FIXED_TOKEN, SCOPES) if hmac.compare_digest(digest(self._fixed), digest(token)) else None


def bearer_in(headers: Mapping[str, str]) -> str | None:
    """Return the token that these (lower-case) headers carry."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" and token else None


def is_own_path(address: str) -> bool:
    """Return whether an address to go on to after signing in is a path of this very site, however a browser reads it: `//evil`,
    `/\\evil`, `/.//evil` and `https://evil` all lead elsewhere."""
    return _OWN_PATH.fullmatch(address) is not None


def sessions_in(cookie_header: str) -> tuple[str, ...]:
    """Return the secrets of sessions in a Cookie header. Other content, from other programs on this host, is ignored: it need not
    be a valid cookie. There are several of our name where another program set one for a path."""
    found: list[str] = []
    for pair in cookie_header.split(";"):
        name, _, value = pair.strip().partition("=")
        if name in (COOKIE, SECURE_COOKIE) and value:
            found.append(value.strip().strip('"'))
    return tuple(found[:MOST_COOKIES])
