"""What the stages of ingest work with, and what they ask of the rest of the product."""

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
from lattice_common.ingest.parts import Proved, Work
from lattice_common.ingest.read import FileReading
from lattice_common.ingest.readahead import Readahead
from lattice_common.ingest.reconcile import Thresholds
from lattice_common.ingest.stores import Stores
from lattice_common.ports.journal import Plan
from lattice_common.ports.judge import Judge
from lattice_common.ports.progress import ProgressBoard

PlanCommand: TypeAlias = Callable[[Command, Stores, int], Plan | Refused]
"""Decides what a command comes to; the number is the next free `seq`."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """What others do at their place in a stage.

    `plan_command` decides commands, `owner_names` names whose memory it is, `allowed` leaves out of what was proved what must not
    be remembered, `cited_lately` names the memories that recent answers cited, `followed` lets graphs follow what was written,
    `erase` takes out for good what a plan says, `concluded` is told of entries before their receipts are written, and `ended` of
    each receipt that is.
    """

    plan_command: PlanCommand
    owner_names: Callable[[], Sequence[str]]
    allowed: Callable[[Capture, Proved], Proved]
    cited_lately: Callable[[], frozenset[str]]
    followed: Callable[[], None]
    erase: Callable[[Plan], None]
    concluded: Callable[[Sequence[tuple[Entry, Receipt]]], None]
    ended: Callable[[Receipt], None]


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
    progress: ProgressBoard
    embedding: ThreadPoolExecutor

    def publish(self, work: Work, stage: Stage) -> None:
        """Show in which stage a capture is."""
        self.progress.publish(Progress(work.entry, stage, work.done, len(work.parts)))

    def owner_of(self, capture: Capture) -> Sequence[str]:
        """Return the owner's names where a capture is of somebody else's words; there is nobody to look for in one's own."""
        return self.hooks.owner_names() if capture.trust in ("document", "web") else ()
