"""Tokens and browser sessions, hashed, in one file of the data folder: `access.json`.

A token is 256 random bits, so its SHA-256 cannot be guessed back; the plain token is shown once and kept nowhere.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import orjson
from lattice_common.adapters.files import durable
from lattice_common.errors import Corrupt

Scope: TypeAlias = Literal["read", "capture", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "capture", "admin")

SESSION_SECONDS = 30 * 24 * 3600
"""A browser stays signed in for a month."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is kept: `name` is for people, `hash` is the SHA-256 of the token in hex."""

    name: str
    hash: str
    scopes: tuple[Scope, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that signed in. `expires_at` is in seconds since 1970."""

    hash: str
    scopes: tuple[Scope, ...]
    expires_at: float


class TokenFile:
    """Thread-safe. Raises `Corrupt` when the file is not what was written."""

    def __init__(self, root: Path) -> None:
        self._path = root / "access.json"
        self._lock = threading.Lock()
        self._tokens: list[Token] = []
        self._sessions: list[Session] = []
        if self._path.exists():
            self._read()

    @property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(self._tokens)

    def add_token(self, name: str, scopes: Iterable[Scope]) -> str:
        """The new token, in plain: the only time that it is seen."""
        plain = f"lattice_{secrets.token_urlsafe(32)}"
        with self._lock:
            self._tokens.append(Token(name, digest(plain), tuple(scopes)))
            self._write()
        return plain

    def revoke_token(self, name: str) -> bool:
        """Whether there was one of that name. Sessions end with the tokens of their owner."""
        with self._lock:
            kept = [token for token in self._tokens if token.name != name]
            gone = len(kept) < len(self._tokens)
            self._tokens = kept
            if gone:
                self._sessions = []
                self._write()
        return gone

    def add_session(self, scopes: Iterable[Scope]) -> str:
        """The new session's secret, for the cookie."""
        plain = secrets.token_urlsafe(32)
        now = time.time()
        with self._lock:
            live = [session for session in self._sessions if session.expires_at > now]
            self._sessions = [*live, Session(digest(plain), tuple(scopes), now + SESSION_SECONDS)]
            self._write()
        return plain

    def end_session(self, plain: str) -> None:
        with self._lock:
            self._sessions = [session for session in self._sessions if not hmac.compare_digest(session.hash, digest(plain))]
            self._write()

    def scopes_of_token(self, plain: str) -> tuple[Scope, ...]:
        """Empty when it is none of ours. Every kept hash is compared, in constant time."""
        return _match(self._tokens, digest(plain))

    def scopes_of_session(self, plain: str) -> tuple[Scope, ...]:
        now = time.time()
        return _match([session for session in self._sessions if session.expires_at > now], digest(plain))

    def _read(self) -> None:
        try:
            kept = orjson.loads(durable.read(self._path))
            self._tokens = [Token(each["name"], each["hash"], tuple(each["scopes"])) for each in kept["tokens"]]
            self._sessions = [Session(each["hash"], tuple(each["scopes"]), each["expires_at"]) for each in kept["sessions"]]
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise Corrupt(f"{self._path.name} cannot be read. Delete it: a new token is made at the next start.") from error

    def _write(self) -> None:
        kept = {"tokens": [asdict(each) for each in self._tokens], "sessions": [asdict(each) for each in self._sessions]}
        durable.write(self._path, orjson.dumps(kept, option=orjson.OPT_INDENT_2))


def digest(plain: str) -> str:
    """SHA-256 in hex; surrogates, which a header may smuggle in, are hashed too."""
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def _match(kept: Iterable[Token | Session], hashed: str) -> tuple[Scope, ...]:
    found: tuple[Scope, ...] = ()
    for each in kept:
        if hmac.compare_digest(each.hash, hashed):
            found = each.scopes
    return found
