"""Lattice as its doors see it: every verb of the product, as plain synchronous calls with domain values.

`wiring.build` makes it. Doors (HTTP, command line) call nothing else. A `Lattice` can journal and read; only the embedded
product (`wiring.Embedded`) also has the writer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lattice_common.capture.request import IngestRequest
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Action
from lattice_common.domain.graph import Edge, Node
from lattice_common.domain.recall import Answer, Query, Selection
from lattice_common.domain.receipt import CaptureStatus, Progress, State
from lattice_common.settings import Settings


@dataclass(frozen=True, slots=True)
class Accepted:
    """`created` is false when an idempotency key brought back the old capture."""

    status: CaptureStatus
    created: bool


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """Some lines around an atom's quote; `start` and `end` are the quote's offsets into `text`."""

    capture_id: str
    text: str
    start: int
    end: int
    original: str | None


@dataclass(frozen=True, slots=True)
class AtomView:
    """An atom with where it comes from and what it replaced, newest first. `etag` goes into `If-Match` (unquoted here)."""

    atom: Atom
    etag: str
    source: SourceExcerpt | None
    history: tuple[Atom, ...]
    related: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A candidate that was set aside: `rejected_id` keeps it (`KeepRejected`)."""

    rejected_id: str
    capture_id: str
    content: str
    quote: str
    reason: str
    detail: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Readiness:
    """`ready` when questions are answered and captures kept; `parts` says of each part `up`, or what is the matter."""

    ready: bool
    parts: dict[str, str]


class Lattice(Protocol):
    """Raises the errors of `lattice_common.errors` only."""

    settings: Settings

    def accept(self, request: IngestRequest, *, idempotency_key: str | None = None, channel: str | None = None) -> Accepted:
        """Journal it (fsynced) and ring the queue. At most a few milliseconds; never waits for ingest."""
        ...

    def capture(self, capture_id: str) -> CaptureStatus:
        """Raises `NotFound`."""
        ...

    def captures(self, *, state: State | None, limit: int, cursor: str | None) -> tuple[list[CaptureStatus], str | None]: ...

    def retry(self, capture_id: str) -> CaptureStatus: ...

    def wait_for(self, capture_id: str, timeout: float) -> CaptureStatus:
        """Blocks until the receipt is there or `timeout` seconds have passed."""
        ...

    def progress(self, capture_id: str, seen: Progress | None, timeout: float) -> Progress | None:
        """Blocks up to `timeout` seconds for progress other than `seen`."""
        ...

    def select(self, query: Query) -> Selection: ...

    def answer(self, query: Query, *, atom_ids: Sequence[str] = ()) -> Answer: ...

    def atom(self, atom_id: str) -> AtomView:
        """Raises `NotFound`."""
        ...

    def atoms(self, atom_ids: Sequence[str]) -> list[Atom]: ...

    def recent(self, limit: int, *, before: str | None = None) -> list[Atom]: ...

    def related(self, *, atom_id: str | None = None, subject: str | None = None, limit: int = 20) -> list[Atom]: ...

    def change(self, action: Action, *, channel: str | None = None, timeout: float = 10.0) -> str:
        """Journal a command, wait for it, and return its change id.

        Raises `NotFound` or `Conflict` where the command was rejected for that, `Unavailable` when it was not done in time (it
        is journaled, and will be done).
        """
        ...

    def rejected(self, limit: int) -> list[Quarantined]: ...

    def subgraph(self, *, atom_id: str | None, subject: str | None, depth: int) -> tuple[list[Node], list[Edge]]: ...

    def export(self) -> Iterator[dict[str, Any]]:
        """Every atom as the fields of its file, one dict each, in order of writing."""
        ...

    def status(self) -> dict[str, Any]:
        """`atoms`, `captures` by state, `engines`, `model`, `versions`, `degraded`, `writer`."""
        ...

    def readiness(self) -> Readiness: ...
