"""The running product as the tools see it: whose token a call goes out with, and what happens when nobody answers.

Asking fails in words when the API is away. Telling never does: it goes out with an idempotency key, and with the same key into
the inbox when no answer comes, so that nothing is lost and nothing is kept twice.
"""

from __future__ import annotations

import itertools
import secrets
import threading
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from lattice_common.api_schema.replies import CaptureReply
from lattice_common.client import LatticeClient
from lattice_common.domain.ids import ID
from lattice_common.drop import drop
from lattice_common.errors import LatticeError, NotAllowed, Unavailable
from mcp.server.mcpserver.exceptions import ToolError

T = TypeVar("T")

TIMEOUT_SECONDS = 60.0
"""How long to wait for one answer; a language model may take that long to write it."""

IDLE_CLIENTS = 16
"""Connections that are kept open between calls."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls. `token` is the one that the call came with, None over stdio; `may_leave` whether it may write into the inbox
    when the API is away; `connection` tells connections of one process apart; `client` is the program's name, as it says."""

    token: str | None = None
    may_leave: bool = True
    connection: str = ""
    client: str | None = None


NOBODY_ELSE = Caller()
"""The owner of this machine, over stdio."""

caller: ContextVar[Caller] = ContextVar("caller", default=NOBODY_ELSE)
"""The caller of the message that is being handled."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What was told: the capture, or, when the API was away, `inbox`: the folder where it waits, and why."""

    reply: CaptureReply | None
    inbox: Path | None = None
    why: str = ""


@dataclass(slots=True)
class Memory:
    """The API as the tools reach it. `token` is called for each call without a token of its own: the token may be made after the
    start."""

    base_url: str
    inbox: Path
    token: Callable[[], str | None]
    session: str = field(default_factory=lambda: f"mcp-{secrets.token_hex(6)}")
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _idle: list[tuple[str | None, LatticeClient]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def session_id(self) -> str:
        """Return the conversation that memories are filed under: one for each process, and over HTTP for each connection."""
        own = caller.get().connection
        return f"{self.session}-{own}" if own else self.session

    async def ask(self, call: Callable[[LatticeClient], T]) -> T:
        """Return what `call` gets from the API, on a thread. Raise `ToolError` with a sentence that says what to do."""
        try:
            return await self._call(call)
        except LatticeError as error:
            raise ToolError(str(error)) from error

    async def tell(self, body: Mapping[str, Any]) -> Kept:
        """Store `body`, that of `POST /api/ingest`. Raise `ToolError` when it is refused."""
        key = f"mcp:{self.session_id()}:{next(self._numbers)}"
        try:
            return Kept(await self._call(lambda client: client.ingest(body, idempotency_key=key)))
        except Unavailable as error:
            if not caller.get().may_leave:
                raise ToolError(f"{error} Nothing was kept: say it again later.") from error
            try:
                # Also when nobody waits for the answer any more: assistants give up sooner than an API that hangs.
                with anyio.CancelScope(shield=True):
                    await anyio.to_thread.run_sync(drop, self.inbox, body, key)
            except (LatticeError, OSError) as failed:
                raise ToolError(f"{error} Nor can the inbox be written, so nothing was kept: {failed}") from failed
            return Kept(None, self.inbox, str(error))
        except LatticeError as error:
            raise ToolError(str(error)) from error

    async def _call(self, call: Callable[[LatticeClient], T]) -> T:
        return await anyio.to_thread.run_sync(partial(self._on_thread, caller.get().token, call))

    def _on_thread(self, given: str | None, call: Callable[[LatticeClient], T]) -> T:
        token = given or self.token()
        client = self._take(token)
        try:
            return call(client)
        except NotAllowed as error:
            raise _explained(error, self.base_url) from error
        finally:
            self._give_back(token, client)

    def _take(self, token: str | None) -> LatticeClient:
        with self._lock:
            for at in range(len(self._idle) - 1, -1, -1):
                if self._idle[at][0] == token:
                    return self._idle.pop(at)[1]
        return LatticeClient(self.base_url, token, TIMEOUT_SECONDS)

    def _give_back(self, token: str | None, client: LatticeClient) -> None:
        with self._lock:
            self._idle.append((token, client))
            spare = self._idle.pop(0)[1] if len(self._idle) > IDLE_CLIENTS else None
        if spare is not None:
            spare.close()

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, client in idle:
            client.close()


def id_of(otherwise: str) -> Callable[[str], str]:
    """Return a function that takes an id in either case and returns its canonical form. It raises `ValueError` for anything else,
    with `otherwise` as what it was.

    An id becomes part of an address of the API, where `../tokens/phone` would be another one.
    """

    def checked(given: str) -> str:
        found = given.strip().lower()
        if not ID.fullmatch(found):
            raise ValueError(f"{given[:40] or 'Nothing'} is {otherwise}")
        return found

    return checked


def now() -> str:
    """Return this machine's clock, to the millisecond: of two things told within a second, the later one must count as the
    newer."""
    return datetime.now().astimezone().isoformat(timespec="milliseconds")


def _explained(error: NotAllowed, base_url: str) -> NotAllowed:
    if error.status != 401:
        return error
    message = (
        f"{base_url} does not know this server's token. Set LATTICE_API_TOKEN, or LATTICE_DIR to the folder of `lattice up`."
    )
    return NotAllowed(message, status=401)
