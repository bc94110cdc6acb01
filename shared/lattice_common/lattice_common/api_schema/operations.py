"""How Lattice runs, for whoever looks after it."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from lattice_common.api_schema.values import Day, Moment


class TookReply(TypedDict):
    """Milliseconds, of the latest; `count` is of all since the start."""

    count: int
    p50: float
    p95: float
    longest: float


class SpentReply(TypedDict):
    """Today's calls to a model for one purpose; `cost` at LATTICE_LLM_PROMPT_PRICE and LATTICE_LLM_COMPLETION_PRICE."""

    model: str
    purpose: str
    calls: int
    prompt: int
    completion: int
    cost: float


class DayReply(TypedDict):
    """A day where Lattice runs: captures and commands that were `told` on it, and how many of them have `ended`; `starts` of
    every process that opens the data folder; `tokens` that language models read and wrote, and their `cost`."""

    day: Day
    told: int
    ended: int
    starts: int
    tokens: int
    cost: float


class DiskReply(TypedDict):
    """Of the data folder, in bytes."""

    free: int
    total: int


class LeftReply(TypedDict):
    """One sending to a model on another machine: `purpose` is what it was for; `tags` counts, by kind, what stood redacted in it.
    A text has its `characters` and about how many `tokens` that were, a recording its `bytes`."""

    ts: Moment
    host: str
    purpose: str
    model: str
    tags: dict[str, int]
    characters: NotRequired[int]
    tokens: NotRequired[int]
    bytes: NotRequired[int]


class OpsReply(TypedDict):
    """One look. `captures` are unfinished and dead ones, `days` the last seven, today first, `ended` and `found_after` are of
    the latest 200, `rejected` counts the latest 200 candidates that were not believed by reason; `latencies` (by stage) and
    `failures` are since the start, `model` of today, `left` the last 50 sendings (`logs/egress.jsonl`), `events` the last 50:
    each `at`, `level`, `event` (a word of a closed list), and ids, counts and words of ours beside it."""

    at: Moment
    since: Moment
    writer_up: bool
    parts: dict[str, str]
    degraded: list[str]
    atoms: int
    captures: dict[str, int]
    longest_wait: float
    days: list[DayReply]
    ended: dict[str, int]
    found_after: TookReply | None
    rejected: dict[str, int]
    asked: int
    unanswered: int
    latencies: dict[str, TookReply]
    failures: dict[str, int]
    model: list[SpentReply]
    disk: DiskReply
    backup: Moment | None
    left: list[LeftReply]
    events: list[dict[str, Any]]
