"""The server: how it is, and who may come in."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict


class StatusReply(TypedDict):
    """Counts, engines, model, versions."""

    atoms: int
    captures: dict[str, int]
    subjects: dict[str, int]
    streak: int
    engines: dict[str, str]
    model: str | None
    versions: dict[str, str]
    degraded: list[str]
    writer: str
    inbox: dict[str, int]
    """Files: `waiting`, of those `reading`, `unreadable`, `strange`; `taken` and `failed` since the start."""
    language_model: dict[str, str | int | bool | None]
    """Its provider, host, names, whether it is available and else why, and today's tokens. Never its key."""
    reflection: dict[str, bool | int]
    """Whether it may look over the memory (`consolidate`, `serendipity`), its `calls` in the last day and their `limit`."""
    migration: NotRequired[dict[str, int]]
    """While older memories are brought up to date: its number, how many were `looked_at`, and `of` how many."""
    in_review: int
    """Pairs of memories of which the newer may have made the older untrue: `GET /api/review` has them."""
    judging_behind: int
    """Memories, most of them of an import, that have not been compared yet with what they may make untrue."""
    max_file_bytes: int
    """The most bytes of a file that is sent (LATTICE_MAX_FILE_BYTES)."""
    space: NotRequired[str]
    """Where there are several owners, the name of whose memory this is, or `shared`."""


class HealthReply(TypedDict):
    """The process is alive."""

    status: Literal["alive"]


class ReadyReply(TypedDict):
    """`parts` says of each `up` (of the language model which: `up: qwen3:8b`), or what is the matter."""

    ready: bool
    parts: dict[str, str]


class TokenReply(TypedDict):
    """A token's name and what it may do."""

    name: str
    scopes: list[Literal["read", "capture", "admin", "calendar"]]
    expires_at: str | None
    """When it ends; null for one that holds until it is revoked."""
    source_id: str | None
    """The one source that it tells into; null for one that is not bound to a source."""


class TokensReply(TypedDict):
    """All tokens; none is kept in plain."""

    tokens: list[TokenReply]


class AuditedReply(TypedDict):
    """A request: who made it, from where, and what kind of thing it did. `route` is the pattern of its address."""

    at: str
    who: str
    did: Literal["told", "asked", "looked", "changed", "exported", "access", "refused"]
    route: str
    status: int
    address: str
    program: str
    trace_id: str


class AuditReply(TypedDict):
    """Requests, the newest first. `days` is how long they are kept."""

    days: int
    requests: list[AuditedReply]


class NewTokenReply(TypedDict):
    """A new token, shown this once."""

    name: str
    token: str
    expires_at: str | None


class LoginLinkReply(TypedDict):
    """What `/login?code=…` signs a browser in with, once, within so many `seconds`."""

    code: str
    seconds: int


class RevokedReply(TypedDict):
    """The name of the token that was ended."""

    revoked: str


class SignedInReply(TypedDict):
    """Whether this browser has a session now."""

    signed_in: bool


class NewSessionReply(SignedInReply):
    """`page_key` is the session's other half: sent as `Lattice-Page-Key` with every request beside the cookie."""

    page_key: str
