"""What the stages of ingest work with, and the hooks by which they call the rest of the product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

from lattice_common.domain.capture import Capture, Command, Entry
from lattice_common.domain.receipt import Progress, Receipt, Refused, Stage
from lattice_common.ingest.attempts import Attempts
from lattice_common.ingest.extract.extractor import Extractor
from lattice_common.ingest.numbers import Numbers
from lattice_common.ingest.pace import Pace
from lattice_common.ingest.parts import Proved, Work
from lattice_common.ingest.read import FileReading
from lattice_common.ingest.readahead import Readahead
from lattice_common.ingest.reconcile import Thresholds
from lattice_common.ingest.stores import Stores
from lattice_common.ports.journal import Plan
from lattice_common.ports.judge import Judge
from lattice_common.ports.progress import ProgressBoard

PlanCommand: TypeAlias = Callable[[Command, Stores, int], Plan | Refused]
"""Decides on a command; the number is the next free `seq`."""
Allowed: TypeAlias = Callable[[Capture, Proved], tuple[Capture, Proved]]
"""Removes what must not be remembered; the capture may have been redacted for it."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Functions of other modules that the stages call.

    `plan_command` decides commands; `owner_names` returns the owner's names; `allowed` removes from what was proved what must not
    be remembered, and returns it with the capture as the journal has it then; `cited_lately` returns the memories that recent
    answers cited; `followed` lets graphs follow what was written; `erase` erases what a plan says; `finished` is called with
    entries before their receipts are written, and `ended` with each receipt that is.
    """

    plan_command: PlanCommand
    owner_names: Callable[[], Sequence[str]] = tuple
    allowed: Allowed = lambda capture, proved: (capture, proved)
    cited_lately: Callable[[], frozenset[str]] = frozenset
    followed: Callable[[], None] = lambda: None
    erase: Callable[[Plan], None] = lambda _plan: None
    finished: Callable[[Sequence[tuple[Entry, Receipt]]], None] = lambda _each: None
    ended: Callable[[Receipt], None] = lambda _receipt: None


@dataclass(frozen=True, slots=True)
class Context:
    """What every stage may use. `embedding` is the thread that waits for the embedder."""

    stores: Stores
    hooks: Hooks
    attempts: Attempts
    readahead: Readahead
    reading: FileReading
    numbers: Numbers
    extractor: Extractor
    judge: Judge | None
    thresholds: Thresholds
    pace: Pace
    progress: ProgressBoard
    embedding: ThreadPoolExecutor

    def publish(self, work: Work, stage: Stage) -> None:
        """Publish the stage of a capture."""
        self.progress.publish(Progress(work.entry, stage, work.done, len(work.parts)))

    def owner_of(self, capture: Capture) -> Sequence[str]:
        """Return the owner's names for a capture of somebody else's words; none for the owner's own, where they are not looked
        for."""
        return self.hooks.owner_names() if capture.trust in ("document", "web") else ()
