"""The typed HTTP client of the command line, and of other doors that are not in the server's process.

Answers are the typed dictionaries of `api_schema`, imported for their types only. Problems become the errors of
`lattice_common.errors` with the server's own sentence; a server that cannot be reached is `Unavailable`. A request is retried
only where repeating it is harmless (a GET, a question, an ingest with its idempotency key), after the server said "not now" or
the connection broke; not when nobody listens.

Deliberately few imports (no pydantic, no numpy; httpx2 for streams, files and TLS only): `lc "text"` pays for them each time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, TypeVar, cast

from lattice_common.client_replies import FINAL_STATES, Json, error_of, server_sent_events
from lattice_common.client_wire import Answered, NotRunning, Wire, checked, one
from lattice_common.errors import Corrupt, NotConfigured, Unavailable

if TYPE_CHECKING:
    import httpx2

    from lattice_common.api_schema.browsing import SourceReply
    from lattice_common.api_schema.conversation import TodayReply, TurnReply
    from lattice_common.api_schema.replies import (
        AnswerReply,
        ArchivedReply,
        CaptureReply,
        CapturesReply,
        ConflictReply,
        EntityReply,
        EntityViewReply,
        OrderReply,
        ReviewReply,
        SelectReply,
    )
    from lattice_common.api_schema.server import AuditReply, StatusReply
    from lattice_common.api_schema.usage import (
        BriefingReply,
        FeedbackReply,
        ProfileReply,
        StatsReply,
        UsageSummaryReply,
    )
    from lattice_common.client_httpx import HttpxWire

__all__ = ["ATTEMPTS", "LatticeClient", "NotRunning"]

T = TypeVar("T")


ATTEMPTS = 3
"""Tries of a request that may be repeated."""

PAUSE_SECONDS = 0.2
"""Pause before the second try; twice as long before the third."""


class LatticeClient:
    """A client of one server with one token. `timeout` is in seconds, for one answer. A context manager; safe for one thread at a
    time."""

    def __init__(
        self, base_url: str, token: str | None, timeout: float = 30.0, *, transport: httpx2.BaseTransport | None = None
    ) -> None:
        if token and not (token.isascii() and token.isprintable()):
            raise NotConfigured("The token for Lattice holds what no token holds. Is LATTICE_API_TOKEN whole?", env_line="")
        self.base_url = checked(base_url).rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._timeout = timeout
        self._transport = transport
        plain = transport is None and self.base_url.startswith("http:")
        self._wire = Wire(self.base_url, self._headers, timeout) if plain else None

    @cached_property
    def _httpx(self) -> HttpxWire:
        from lattice_common.client_httpx import HttpxWire  # takes longer to import than a capture takes to send

        return HttpxWire(self.base_url, self._headers, self._timeout, self._transport)

    def close(self) -> None:
        if self._wire is not None:
            self._wire.close()
        if "_httpx" in self.__dict__:
            self._httpx.close()

    def __enter__(self) -> LatticeClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # Telling

    def ingest(self, body: Mapping[str, Any], *, idempotency_key: str | None = None) -> CaptureReply:
        """Send a capture; `body` as in docs/api.md. With a key it is sent again when the connection breaks, and is still stored
        once."""
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}

        def send() -> Json:
            return self._call("POST", "/api/ingest", json=dict(body), headers=headers)

        return cast("CaptureReply", _safely(send) if idempotency_key else send())

    def ingest_file(
        self, name: str, file: IO[bytes], metadata: Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> CaptureReply:
        """Send a file; `metadata` is that of `ingest`, with `source`, `wait` and `priority`. The file is read from its current
        position, and again from there when a try with a key is repeated."""
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        begin = file.tell()

        def send() -> Json:
            file.seek(begin)
            form = {"metadata": json.dumps(dict(metadata), ensure_ascii=False)}
            return _read(self._httpx.send_file("/api/ingest-file", form, name, file, headers))

        return cast("CaptureReply", _safely(send) if idempotency_key else send())

    def original(self, capture_id: str) -> Iterator[bytes]:
        """Yield the bytes of the file that a capture came as. Raise `NotFound`."""
        with self._opened("GET", f"/api/captures/{one(capture_id, 'capture')}/original") as response:
            yield from response.iter_bytes()

    def capture(self, capture_id: str) -> CaptureReply:
        """Return the state of a capture. Raise `NotFound`."""
        return cast("CaptureReply", self._get(f"/api/captures/{one(capture_id, 'capture')}"))

    def captures(self, *, state: str | None = None, limit: int = 50, cursor: str | None = None) -> CapturesReply:
        """Return captures, newest first."""
        return cast("CapturesReply", self._get("/api/captures", state=state, limit=limit, cursor=cursor))

    def events(self, capture_id: str) -> Iterator[tuple[str, Json]]:
        """Yield `("stage", …)` events as they come, then one `("receipt", …)`."""
        return self._stream("GET", f"/api/captures/{one(capture_id, 'capture')}/events")

    def wait_for(self, capture_id: str, timeout: float) -> CaptureReply:
        """Return the capture with its receipt, or as it is after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        pause = 0.01
        while (reply := self.capture(capture_id))["state"] not in FINAL_STATES:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            time.sleep(min(pause, left))
            pause = min(pause * 1.2, 1.0)  # a note takes 40 ms, and to look costs 2
        return reply

    def retry(self, capture_id: str) -> CaptureReply:
        """Open a dead capture again. Raise `Conflict` when it is not dead."""
        return cast("CaptureReply", self._call("POST", f"/api/captures/{one(capture_id, 'capture')}/retry"))

    # Asking

    def select(
        self,
        query: str,
        *,
        limit: int = 15,
        as_of: str | None = None,
        include_superseded: bool = False,
        include_archived: bool = False,
        explain: bool = False,
        judged: bool = False,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - the API's word
    ) -> SelectReply:
        """Return what memory holds on a question."""
        body: Json = {"query": query, "limit": limit, "as_of": as_of}
        body |= {"include_superseded": include_superseded, "explain": explain}
        body |= {"filter": dict(filter or {}), **({"include_archived": True} if include_archived else {})}
        if judged:
            body["judged"] = True
        return cast("SelectReply", self._repeatable("/api/select", body))

    def answer(
        self,
        query: str,
        *,
        atom_ids: Sequence[str] = (),
        as_of: str | None = None,
        history: Sequence[Mapping[str, str]] = (),
        session_id: str | None = None,
        channel: str | None = None,
        include_archived: bool = False,
    ) -> AnswerReply:
        """Return an answer with citations. `history` holds the turns before, each a `question` and its `answer`; without it those
        of the session are used."""
        turns = [dict(turn) for turn in history]
        body: Json = {"query": query, "atom_ids": list(atom_ids), "as_of": as_of, "history": turns}
        body |= {"session_id": session_id, "channel": channel, **({"include_archived": True} if include_archived else {})}
        return cast("AnswerReply", self._repeatable("/api/answer", body))

    def query_stream(
        self,
        question: str,
        *,
        intent: Literal["auto", "tell", "ask", "do"] = "auto",
        session_id: str | None = None,
        as_of: str | None = None,
        channel: str = "api",
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        include_archived: bool = False,
    ) -> Iterator[Json]:
        """Yield the objects of `POST /api/query`, as they come; each has a `type`. `metadata` and the key apply to what is
        told."""
        body: Json = {"question": question, "intent": intent, "session_id": session_id, "as_of": as_of, "channel": channel}
        if include_archived:
            body["include_archived"] = True
        if metadata is not None:
            body["metadata"] = dict(metadata)
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        return (item for _, item in self._stream("POST", "/api/query", body, headers))

    def do(self, text: str | None = None, *, token: str | None = None, channel: str = "api") -> OrderReply:
        """Carry out what words request, or, with a `token`, what was previewed. Raise `NotFound` for an expired one."""
        body = {"text": text, "channel": channel} if token is None else {"token": token, "channel": channel}
        return cast("OrderReply", self._call("POST", "/api/do", json=body))

    # The conversation

    def chat_recent(self, limit: int = 20) -> list[TurnReply]:
        """Return the turns of all doors, newest first."""
        return cast("list[TurnReply]", self._get("/api/chat/recent", limit=limit)["turns"])

    def chat_today(self) -> TodayReply:
        """Return today's turns, oldest first, and their branches by topic."""
        return cast("TodayReply", self._get("/api/chat/today"))

    def log_turn(self, **turn: Any) -> TurnReply:
        """Send `POST /api/capture-log`: a turn that the caller captured or answered itself, with its fields as keywords;
        `context_reset=True` begins the conversation anew."""
        return cast("TurnReply", self._call("POST", "/api/capture-log", json=turn))

    # How it is used, and judged

    def feedback(
        self, trace_id: str | None, atom_ids: Sequence[str], verdict: Literal["up", "down", "wrong"], *, channel: str = "api"
    ) -> FeedbackReply:
        """Record a verdict on an answer, or on `atom_ids` of it: up and down change their quality, wrong lists them."""
        body = {"verdict": verdict, "trace_id": trace_id, "atom_ids": list(atom_ids), "channel": channel}
        return cast("FeedbackReply", self._call("POST", "/api/feedback", json=body))

    def to_correct(self, limit: int = 50) -> list[Json]:
        """Return memories that were called wrong and still say the same: each an `atom`, `at`, and `trace_id`."""
        return cast(list[Json], self._get("/api/feedback", limit=limit)["to_correct"])

    def usage_summary(self) -> UsageSummaryReply:
        """Return how much was asked, told, remembered and recalled, all in all."""
        return cast("UsageSummaryReply", self._get("/api/usage/summary"))

    def stats(self) -> StatsReply:
        """Return how long questions take, what failed, how memories are distributed: numbers only."""
        return cast("StatsReply", self._get("/api/usage/stats"))

    def trace(self, trace_id: str) -> Json:
        """Return how an answer was found. Raise `NotFound`, also where nothing is traced."""
        return self._get(f"/api/trace/{one(trace_id, 'trace')}")

    def timeline(
        self, *, after: str | None = None, before: str | None = None, subject: str | None = None, limit: int = 100
    ) -> list[Json]:
        """Return memories in the order of the time they are about, oldest first: each an `atom`, and the time `at`."""
        return cast(list[Json], self._get("/api/timeline", after=after, before=before, subject=subject, limit=limit)["timeline"])

    def profile(self, limit: int = 10, *, tokens: int | None = None) -> ProfileReply:
        """Return who the owner is: lasting and recent facts, by category, within about `tokens` tokens."""
        return cast("ProfileReply", self._get("/api/profile", limit=limit, tokens=tokens))

    def today(self, days: int = 7) -> BriefingReply:
        """Return what is due, what changed this week, what happened on this day, and how many pairs wait for the owner's
        decision."""
        return cast("BriefingReply", self._get("/api/today", days=days))

    # Looking and changing

    def atom(self, atom_id: str) -> Json:
        """Return one atom with its source and history. Raise `NotFound`."""
        return self._get(f"/api/atoms/{one(atom_id, 'memory')}")

    def recent(self, limit: int = 20, *, before: str | None = None, kind: str | None = None) -> list[Json]:
        """Return the newest atoms first, of one kind where that is given."""
        return cast(list[Json], self._get("/api/atoms/recent", limit=limit, before=before, kind=kind)["atoms"])

    def edit(self, atom_id: str, fields: Mapping[str, Any], *, etag: str = "*", channel: str | None = None) -> str:
        """Edit an atom; return the change id. `etag` is that of the version that was seen; `*` edits any version. `channel` is
        the door: with `mcp` the trust of the atom stays; else its words are the owner's."""
        body = {**fields, "channel": channel} if channel else dict(fields)
        return str(
            self._call("PATCH", f"/api/atoms/{one(atom_id, 'memory')}", json=body, headers={"If-Match": etag})["change_id"]
        )

    def delete(self, atom_id: str) -> str:
        """Move an atom to the trash; return the change id."""
        return str(self._call("DELETE", f"/api/atoms/{one(atom_id, 'memory')}")["change_id"])

    def forget(self, what: Mapping[str, Any], *, now: bool = False, confirm: str | None = None, channel: str = "api") -> Json:
        """Preview what would be forgotten, or have it done with the `confirm` of a preview. `what` is one of `atom_ids`,
        `subject`, `about`, `source`, `search`, `after` with `before`. Raise `Conflict` when the preview is out of date."""
        body = {**what, "now": now, "channel": channel, **({"confirm": confirm} if confirm else {})}
        return self._call("POST", "/api/forget", json=body)

    def remove_source(self, source_id: str) -> str:
        """Move everything from one source to the trash; return the change id. Raise `NotFound` when there is nothing from it."""
        return str(self._call("DELETE", f"/api/sources/{source_id}")["change_id"])

    def undo(self, change_id: str) -> str:
        """Undo a change, or everything that a capture brought; return the id of that change."""
        return str(self._call("POST", f"/api/undo/{one(change_id, 'change')}")["change_id"])

    def archived(self, limit: int = 50, *, before: str | None = None) -> ArchivedReply:
        """Return archived memories, newest first."""
        return cast("ArchivedReply", self._get("/api/archive", limit=limit, before=before))

    def archive_candidates(self, limit: int = 50) -> list[Json]:
        """Return memories that may be archived, the faintest first: each an `atom`, its current `confidence`, and
        `unused_since`."""
        return cast(list[Json], self._get("/api/archive/candidates", limit=limit)["candidates"])

    def archive(self, atom_ids: Sequence[str], *, channel: str = "api") -> str:
        """Archive memories; return the change id. Raise `NotFound`, or `Conflict` where all of them are archived already."""
        return str(self._call("POST", "/api/archive", json={"atom_ids": list(atom_ids), "channel": channel})["change_id"])

    def unarchive(self, atom_ids: Sequence[str], *, channel: str = "api") -> str:
        """Restore archived memories; return the change id."""
        return str(self._call("POST", "/api/archive/restore", json={"atom_ids": list(atom_ids), "channel": channel})["change_id"])

    def rejected(self, limit: int = 50) -> list[Json]:
        """Return quarantined candidates with their reasons, newest first."""
        return cast(list[Json], self._get("/api/rejected", limit=limit)["rejected"])

    def keep(self, rejected_id: str) -> str:
        """Keep it all the same; return the change id."""
        return str(self._call("POST", f"/api/rejected/{one(rejected_id, 'statement')}/keep")["change_id"])

    def review(self, limit: int = 50) -> ReviewReply:
        """Return pairs of memories of which the newer may have made the older untrue, newest first."""
        return cast("ReviewReply", self._get("/api/review", limit=limit))

    def conflicts(self, limit: int = 50) -> list[ConflictReply]:
        """Return pairs of memories of which only one can be true."""
        return cast("list[ConflictReply]", self._get("/api/conflicts", limit=limit)["conflicts"])

    def merge(self, atom_id: str, other: str) -> str:
        """Keep the first of two memories that say the same, with what was known of the other, which it supersedes; return the
        change id."""
        return str(self._call("POST", f"/api/atoms/{one(atom_id, 'memory')}/merge", json={"other": other})["change_id"])

    def graph_stats(self) -> Json:
        """Return how large the graph is, since when it is this one, and what is wrong with it, if anything is."""
        return self._get("/api/graph/stats")

    def graph_paths(self, start: str, end: str, limit: int = 5) -> list[list[Json]]:
        """Return the shortest ways between two nodes. Raise `NotFound`."""
        return cast(list[list[Json]], self._get("/api/graph/path", start=start, end=end, limit=limit)["paths"])

    def source(self, source_id: str) -> SourceReply:
        """Return what came from one source, newest first. Raise `NotFound` when there is nothing from it."""
        return cast("SourceReply", self._get(f"/api/sources/{source_id}"))

    def imports(self, limit: int = 100) -> list[Json]:
        """Return named sources, the latest first."""
        return cast(list[Json], self._get("/api/imports", limit=limit)["imports"])

    def settle(self, newer: str, older: str, outcome: Literal["replaced", "both"], *, channel: str = "api") -> str:
        """Say whether the older of a pair in review still holds; of two that disagree, `newer` is the one that holds. Return the
        change id. Raise `NotFound` for a pair that is not in question."""
        body = {"newer": newer, "older": older, "outcome": outcome, "channel": channel}
        return str(self._call("POST", "/api/review", json=body)["change_id"])

    def entities(self, *, named: str | None = None, kind: str | None = None, limit: int = 100) -> list[EntityReply]:
        """Return the people and things that memory knows by name or role."""
        return cast("list[EntityReply]", self._get("/api/entities", named=named, kind=kind, limit=limit)["entities"])

    def entity(self, name: str) -> EntityViewReply:
        """Return the entity with a name or a role such as "my brother", with the statements that say so. Raise `NotFound`."""
        return cast("EntityViewReply", self._get("/api/entity", name=name))

    def correct_who(self, how: Literal["same", "apart"], name: str, other: str, *, channel: str = "api") -> str:
        """Say that two names are one, or are not; return the change id. `other` may be a role as "my brother"."""
        body = {"name": name, "other": other, "channel": channel}
        return str(self._call("POST", f"/api/entities/{'merge' if how == 'same' else 'split'}", json=body)["change_id"])

    def status(self) -> StatusReply:
        """Return counts, engines, model and versions."""
        return cast("StatusReply", self._get("/api/status"))

    def ready(self) -> Json:
        """Return which parts are up and which are not; also when the server is not ready (503)."""
        return self._get("/ready", accept=frozenset({503}))

    def export(self) -> Iterator[Json]:
        """Return every atom, in the order of writing."""
        return self._lines("/api/export")

    def examples(self) -> Iterator[Json]:
        """Yield labelled examples from the owner's later corrections."""
        return self._lines("/api/learn/export")

    # Tokens

    def tokens(self) -> list[Json]:
        """Return the names and scopes of tokens; never the tokens themselves."""
        return cast(list[Json], self._get("/api/tokens")["tokens"])

    def audit(self, limit: int = 100, *, who: str | None = None, did: str | None = None, since: str | None = None) -> AuditReply:
        """Return who told, asked, read, changed and exported, newest first."""
        return cast("AuditReply", self._get("/api/audit", limit=limit, who=who, did=did, since=since))

    def add_token(self, name: str, scopes: Sequence[str], *, days: int | None = None, source_id: str | None = None) -> str:
        """Return the new token in plain text: the only time that it is shown. After `days` it is invalid; with a `source_id` it
        may only tell into that source."""
        optional = {"days": days, "source_id": source_id}
        body: Json = {"name": name, "scopes": list(scopes)} | {key: value for key, value in optional.items() if value is not None}
        return str(self._call("POST", "/api/tokens", json=body)["token"])

    def login_code(self) -> str:
        """Return the code of a link, `/login?code=…`, that signs a browser in once, within ten minutes, as with the client's
        token. Raise `NotAllowed` for a token that may not."""
        return str(self._call("POST", "/api/login/link")["code"])

    def revoke_token(self, name: str) -> None:
        """Revoke a token. Raise `NotFound`."""
        self._call("DELETE", f"/api/tokens/{one(name, 'token')}")

    # How

    def _get(self, path: str, *, accept: frozenset[int] = frozenset(), **params: str | int | None) -> Json:
        given = {name: value for name, value in params.items() if value is not None}
        return _safely(lambda: self._call("GET", path, accept=accept, params=given))

    def _repeatable(self, path: str, body: Json) -> Json:
        """Return a POST that only asks."""
        return _safely(lambda: self._call("POST", path, json=body))

    def _call(
        self,
        method: str,
        path: str,
        *,
        accept: frozenset[int] = frozenset(),
        params: Mapping[str, str | int] | None = None,
        json: Json | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Json:
        wire = self._wire or self._httpx
        return _read(wire.exchange(method, path, params=params, json_body=json, headers=headers), accept)

    def _stream(
        self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] | None = None
    ) -> Iterator[tuple[str, Json]]:
        with self._opened(method, path, body, headers) as response:
            yield from server_sent_events(response.iter_lines())

    def _lines(self, path: str) -> Iterator[Json]:
        with self._opened("GET", path) as response:
            for line in response.iter_lines():
                if line:
                    yield json.loads(line)

    def _opened(
        self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] | None = None
    ) -> AbstractContextManager[httpx2.Response]:
        return self._httpx.opened(method, path, body, headers or {})


def _read(answered: Answered, accept: frozenset[int] = frozenset()) -> Json:
    """Return the JSON of an answer. Raise the error that a problem tells of, unless its status is one to `accept`."""
    if answered.status >= 400 and answered.status not in accept:
        raise error_of(answered.status, answered.content, answered.headers)
    try:
        reply: Json = json.loads(answered.content)
    except ValueError as error:
        raise Corrupt("What the server answered is no JSON: is it Lattice that listens there?") from error
    return reply


def _safely(call: Callable[[], T]) -> T:
    """Call, and retry while the server is `Unavailable` for a moment."""
    try:
        return call()
    except NotRunning:
        raise
    except Unavailable as error:
        if error.status == 507:
            raise
    # Importing stamina takes as long as sending a capture, so only retried calls pay for it.
    import stamina

    # Without this, structlog writes each try to standard output, among the answers.
    stamina.instrumentation.set_on_retry_hooks([])
    for attempt in stamina.retry_context(
        on=lambda error: isinstance(error, Unavailable) and not isinstance(error, NotRunning),
        attempts=ATTEMPTS - 1,
        wait_initial=PAUSE_SECONDS,
    ):
        with attempt:
            return call()
    raise AssertionError("stamina ends with the result or the error")
