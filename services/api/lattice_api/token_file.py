"""Tokens and browser sessions, hashed, in one file of the data folder: `access.json`.

A token is 256 random bits, so its SHA-256 cannot be guessed back; the plain token is shown once and kept nowhere.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import secrets
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import orjson
from lattice_common.adapters.files import durable
from lattice_common.domain.seal import CRC, seal_of
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.logs import logger

log = logger(__name__)

Scope: TypeAlias = Literal["read", "capture", "admin", "calendar"]
SCOPES: tuple[Scope, ...] = ("read", "capture", "admin")
"""What an owner may do. `calendar` is separate: it is part of a URL, and opens the feed of coming days only."""

SESSION_SECONDS = 30 * 24 * 3600
"""A browser stays signed in for a month."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is stored: `name` is for people, `hash` is the SHA-256 of the token in hex. `expires_at` is in seconds since
    1970, and None for one that is valid until it is revoked. With a `source_id` everything it tells belongs to that source."""

    name: str
    hash: str
    scopes: tuple[Scope, ...]
    expires_at: float | None = None
    source_id: str | None = None

    @property
    def is_over(self) -> bool:
        """Return whether it has expired."""
        return self.expires_at is not None and self.expires_at <= time.time()


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that signed in: SHA-256 of the cookie and of the page's key. `expires_at` is in seconds since 1970; `name` is
    that of the token that it signed in with, and empty for older sessions."""

    hash: str
    page_key_hash: str
    scopes: tuple[Scope, ...]
    expires_at: float
    name: str = ""


@dataclass(frozen=True, slots=True)
class NewSession:
    """The two halves of a session, in plain text: the only time that they are seen."""

    cookie: str
    page_key: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A fingerprint of LATTICE_API_TOKEN, to recognise it: scrypt with a salt of its own, because that token may not be random.
    Both in hex."""

    salt: str
    hash: str


FINGERPRINT_COST = 2**14
"""Some 50 ms and 16 MB, once a start (what RFC 7914 gives for signing in interactively)."""


class TokenFile:
    """Thread-safe. Raises `Corrupt` when the file is damaged.

    On a disk that cannot be written, browsers can still sign in and out: the process keeps it, and writes it when the disk
    allows. Making or revoking a token fails instead, because it could not be kept.

    `cost` is scrypt's n for the fingerprint of the token that the owner chose; another one ends the sessions, once.
    """

    def __init__(self, root: Path, *, cost: int = FINGERPRINT_COST) -> None:
        self._cost = cost
        self._path = root / "access.json"
        self._lock = threading.Lock()
        self._tokens: list[Token] = []
        self._sessions: list[Session] = []
        self._fixed: Fingerprint | None = None
        self._unwritten = False
        """Whether the file is behind what is known here."""
        if self._path.exists():
            self._read()

    @property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(self._tokens)

    def add_token(self, name: str, scopes: Iterable[Scope], expires_at: float | None = None, source_id: str | None = None) -> str:
        """Return the new token, in plain text: the only time that it is seen. Raise `Unavailable` where it cannot be stored: then
        there is none."""
        plain = f"lattice_{secrets.token_urlsafe(32)}"
        with self._lock:
            before = self._tokens
            self._tokens = [*before, Token(name, digest(plain), tuple(scopes), expires_at, source_id)]
            try:
                self._write()
            except Unavailable:
                self._tokens = before
                raise
        return plain

    def revoke_token(self, name: str) -> bool:
        """Return whether there was a token of that name. Sessions end with the tokens of their owner. Raise `Unavailable` where
        that cannot be stored: then it lasts as long as this process."""
        with self._lock:
            kept = [token for token in self._tokens if token.name != name]
            gone = len(kept) < len(self._tokens)
            self._tokens = kept
            if gone:
                self._sessions = []
                try:
                    self._write()
                except Unavailable as error:
                    raise Unavailable(
                        f"The token {name} opens nothing any more, but that could not be kept ({error}). It holds until Lattice "
                        "is stopped, and for good with the next sign-in once there is room.",
                        status=error.status,
                    ) from error
        return gone

    def add_session(self, scopes: Iterable[Scope], until: float | None = None, name: str = "") -> NewSession:
        """Return a new session, whose halves go to the browser; it ends at `until`, with the token that opened it, whose name is
        `name`."""
        new = NewSession(secrets.token_urlsafe(32), secrets.token_urlsafe(32), name)
        now = time.time()
        expires_at = min(now + SESSION_SECONDS, until or math.inf)
        session = Session(digest(new.cookie), digest(new.page_key), tuple(scopes), expires_at, name)
        with self._lock:
            self._sessions = [*(each for each in self._sessions if each.expires_at > now), session]
            self._write_or_wait()
        return new

    def end_sessions(self, cookies: Iterable[str]) -> None:
        """End the sessions with one of these cookies."""
        ended = {digest(cookie) for cookie in cookies}
        with self._lock:
            kept = [session for session in self._sessions if session.hash not in ended]
            if len(kept) < len(self._sessions):
                self._sessions = kept
                self._write_or_wait()

    def end_sessions_of_other(self, fixed: str | None) -> None:
        """End every session when `fixed`, the token that the owner set, differs from that at the start before."""
        with self._lock:
            known = self._fixed
            if (known is None) if fixed is None else (known is not None and _fingerprint(fixed, known.salt, self._cost) == known):
                return
            self._sessions = []
            self._fixed = None if fixed is None else _fingerprint(fixed, secrets.token_hex(16), self._cost)
            self._write_or_wait()

    def catch_up(self) -> None:
        """Write what could not be written before, where there is something."""
        with self._lock:
            if self._unwritten:
                self._write_or_wait()

    def scopes_of_token(self, plain: str) -> tuple[Scope, ...]:
        """Return the scopes of a token; empty when it is unknown, or expired."""
        found = self.token_of(plain)
        return found.scopes if found is not None else ()

    def token_of(self, plain: str) -> Token | None:
        """Return the token; None when it is none of ours, or over. Every kept hash is compared, in constant time."""
        found = _match(self._tokens, digest(plain))
        return found if found is not None and not found.is_over else None

    def scopes_of_session(self, cookies: Iterable[str], page_key: str) -> tuple[Scope, ...]:
        """Return the scopes of a session; empty unless one of the cookies and the page's key belong to one session."""
        found = self.session_of(cookies, page_key)
        return found.scopes if found is not None else ()

    def session_of(self, cookies: Iterable[str], page_key: str) -> Session | None:
        """Return the session that one of the cookies and the page's key belong to."""
        key = digest(page_key)
        return next((each for each in self._with_one_of(cookies) if hmac.compare_digest(each.page_key_hash, key)), None)

    def has_session(self, cookies: Iterable[str]) -> bool:
        """Return whether one of the cookies is a session's."""
        return bool(self._with_one_of(cookies))

    def _with_one_of(self, cookies: Iterable[str]) -> list[Session]:
        now = time.time()
        sent = {digest(cookie) for cookie in cookies}
        # What is compared are hashes of what was sent: from their timing nobody learns what to send next.
        return [session for session in self._sessions if session.hash in sent and session.expires_at > now]

    def _read(self) -> None:
        try:
            kept = orjson.loads(durable.read(self._path))
            self._tokens = [
                Token(each["name"], each["hash"], tuple(each["scopes"]), each.get("expires_at"), each.get("source_id"))
                for each in _whole(kept["tokens"])
            ]
            self._sessions = [
                Session(each["hash"], each["page_key_hash"], tuple(each["scopes"]), each["expires_at"], each.get("name", ""))
                for each in _whole(kept["sessions"])
                if "page_key_hash" in each  # those of before had a cookie alone: their browsers sign in again
            ]
            fixed = kept.get("fixed_token")
            self._fixed = Fingerprint(fixed["salt"], fixed["hash"]) if fixed else None
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise Corrupt(f"{self._path.name} cannot be read. Delete it: a new token is made at the next start.") from error

    def _write_or_wait(self) -> None:
        try:
            self._write()
        except Unavailable:
            log.warning("access_not_written")

    def _write(self) -> None:
        self._unwritten = True
        kept = {
            "tokens": [_sealed(asdict(each)) for each in self._tokens],
            "sessions": [_sealed(asdict(each)) for each in self._sessions],
            "fixed_token": asdict(self._fixed) if self._fixed else None,
        }
        durable.write(self._path, orjson.dumps(kept, option=orjson.OPT_INDENT_2))
        self._unwritten = False


def _sealed(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, CRC: seal_of(fields)}


def _whole(every: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield those that are what was written; what the disk changed, its scopes or its end perhaps, opens nothing."""
    for each in every:
        if CRC in each and each[CRC] != seal_of(each):
            log.warning("access_damaged")
            continue
        yield each


def digest(plain: str) -> str:
    """Return the SHA-256 in hex; surrogates, which a header may contain, are hashed too."""
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def _fingerprint(token: str, salt: str, cost: int) -> Fingerprint:
    """Return the fingerprint of a token."""
    hashed = hashlib.scrypt(token.encode("utf-8", "surrogatepass"), salt=bytes.fromhex(salt), n=cost, r=8, p=1)
    return Fingerprint(salt, hashed.hex())


def _match(kept: Iterable[Token], hashed: str) -> Token | None:
    found = None
    for each in kept:
        if hmac.compare_digest(each.hash, hashed):
            found = each
    return found
