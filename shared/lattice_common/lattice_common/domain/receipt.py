"""How a journal entry ended.

`stored`, `duplicate`, `rejected` and `dead` are final, and exactly one of them is reached; `waiting` and `working` are shown
before. A receipt holds what undo needs: the changes made to existing atoms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from lattice_common.domain.capture import JsonValue
from lattice_common.domain.ids import milliseconds_of

FinalState: TypeAlias = Literal["stored", "duplicate", "rejected", "dead"]
State: TypeAlias = Literal["waiting", "working"] | FinalState
RefusalCode: TypeAlias = Literal["not_found", "changed", "conflict", "unreadable"]
"""`not_found`: its object does not exist; `changed`: its object differs from what the caller read; `conflict`: it is not possible
for its object; `unreadable`: a file that cannot be read."""
Stage: TypeAlias = Literal["read", "segment", "extract", "ground", "reconcile", "commit", "index"]
STAGES: tuple[Stage, ...] = get_args(Stage)


def seconds_since(entry_id: str, at: datetime) -> float:
    """Return how long before `at` an entry was made, by the time in its id; 0 where a clock went back."""
    return max(0.0, at.timestamp() - milliseconds_of(entry_id) / 1000)


@dataclass(frozen=True, slots=True)
class AtomChange:
    """Fields of an existing atom, as they were and as they are set. Missing and None are the same."""

    atom_id: str
    before: Mapping[str, JsonValue]
    after: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The end of a capture or command. `epoch` and `seq` are the writer's (see `ports.writer_lock`); counts are ≥ 0."""

    capture_id: str
    state: FinalState
    finished_at: datetime
    atom_ids: tuple[str, ...] = ()
    atoms_new: int = 0
    atoms_updated: int = 0
    duplicates_skipped: int = 0
    rejected: int = 0
    reason: str | None = None
    attempts: int = 1
    changes: tuple[AtomChange, ...] = ()
    trashed: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    epoch: int = 0
    seq: int = 0
    refused: RefusalCode | None = None
    """Why it was not carried out, for programs; None for what was, and for what is dead."""


@dataclass(frozen=True, slots=True)
class Refused:
    """An entry that was not carried out: the kind of refusal, and the reason as a sentence for people."""

    code: RefusalCode
    reason: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a capture: its stage, and how many of its parts are done."""

    capture_id: str
    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CaptureStatus:
    """What a client is told about a capture (docs/api.md, `CaptureReply`)."""

    capture_id: str
    state: State
    attempts: int = 0
    queued: bool = True
    receipt: Receipt | None = None
    progress: Progress | None = None
    reason: str | None = None
    received_at: datetime | None = None
