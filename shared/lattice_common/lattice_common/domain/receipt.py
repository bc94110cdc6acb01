"""How a journal entry ended.

`stored`, `duplicate`, `rejected` and `dead` are final, and exactly one of them is reached; `waiting` and `working` are what is
shown before. A receipt carries what undo needs: the changes made to atoms that were there before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from lattice_common.domain.capture import JsonValue

FinalState: TypeAlias = Literal["stored", "duplicate", "rejected", "dead"]
State: TypeAlias = Literal["waiting", "working"] | FinalState
Stage: TypeAlias = Literal["read", "segment", "extract", "ground", "reconcile", "commit", "index"]
STAGES: tuple[Stage, ...] = ("read", "segment", "extract", "ground", "reconcile", "commit", "index")


@dataclass(frozen=True, slots=True)
class AtomChange:
    """Fields of an atom that was there before, as they were and as they are set. Missing and None are the same."""

    atom_id: str
    before: Mapping[str, JsonValue]
    after: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The end of a capture or command. `epoch` and `seq` are the writer's (see `ports.lock`); counts are ≥ 0."""

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


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a capture is: the stage it is in, and how many of its parts are done."""

    capture_id: str
    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CaptureStatus:
    """What a client is told about a capture (API.md, "Capture")."""

    capture_id: str
    state: State
    attempts: int = 0
    queued: bool = True
    receipt: Receipt | None = None
    progress: Progress | None = None
    reason: str | None = None
    received_at: datetime | None = None
