"""The product of the one process that writes: the embedded product, and the worker of a deployment. Part of the composition root.

`open_embedded` and `open_writer` are the only places where a writer is composed. The same functions build the product that runs
and the one that tests and benchmarks run (with their own folder, clock and models).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, TypeAlias

from lattice_common.adapters.embedded.atoms_watch import AtomsWatch
from lattice_common.adapters.embedded.garbage import LongLived
from lattice_common.adapters.embedded.inbox_watch import InboxWatch
from lattice_common.adapters.embedded.probe import Probe
from lattice_common.adapters.embedded.spare_memory import limit_malloc
from lattice_common.adapters.embedded.writer_thread import WriterSteps, WriterThread
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.backup_schedule import BackupKeeper
from lattice_common.adapters.files.converting_reader import ConvertingReader
from lattice_common.adapters.files.inbox_folder import FileInboxFolder
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.per_day import note_start
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.adapters.files.writer_lock import FileWriterLock
from lattice_common.adapters.models.open_language_model import ModelsInUse, open_language_model
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.capture.inbox import Inbox
from lattice_common.composition.backups import open_backups
from lattice_common.composition.health import WriterHealth
from lattice_common.composition.jobs import Jobs, open_forgetting, open_jobs, open_summary, rounds_of
from lattice_common.composition.models import Model, open_document_reader, open_extractor
from lattice_common.composition.parts import WriterParts, open_parts
from lattice_common.composition.product import Surroundings, lattice_over, recall_over, thresholds_of
from lattice_common.domain.capture import Capture, Entry
from lattice_common.domain.receipt import Receipt
from lattice_common.errors import Unavailable
from lattice_common.failures import Failures
from lattice_common.ingest.context import Hooks
from lattice_common.ingest.echoes import Echoes
from lattice_common.ingest.extract.extractor import Extractor
from lattice_common.ingest.owner_names import OwnerNames
from lattice_common.ingest.pace import Pace
from lattice_common.ingest.parts import Proved
from lattice_common.ingest.pipeline import Ingest
from lattice_common.ingest.read import FileReading
from lattice_common.lattice import Lattice
from lattice_common.logs import logger
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.document_reader import DocumentReader
from lattice_common.ports.graph import Graph
from lattice_common.ports.line_log import LineLog
from lattice_common.recall.journey import Journey
from lattice_common.recall.timings import Timings
from lattice_common.settings import Settings
from lattice_common.upkeep.commands import plan_command
from lattice_common.upkeep.forget import Forgetting
from lattice_common.upkeep.rebuild import OnProgress, Repaired, rebuild, rebuild_graph
from lattice_common.upkeep.state_hash import state_hash
from lattice_common.upkeep.told import note_told
from lattice_common.upkeep.unread import note_unread

log = logger(__name__)

LOOKED_AT = 50
"""Memories of a capture that are checked for contradictions."""

HeldLock: TypeAlias = FileWriterLock
"""What `take_lock` returns and `open_writer` takes: a worker carries it from one to the other."""


@dataclass(frozen=True, slots=True)
class AtWork:
    """What runs while the product is open, besides the writer's thread."""

    ingest: Ingest
    reader: DocumentReader
    jobs: Jobs
    inbox: Inbox
    backups: BackupKeeper
    long_lived: LongLived


class Embedded:
    """The embedded product: a `Lattice`, and the one writer of its data folder.

    `start` begins to write (repair, then the work list) and to watch the inbox; questions are answered as soon as it is open. A
    context manager: leaving it stops the writer and releases the folder.
    """

    reads_only: ClassVar[str | None] = None
    """See `read_only.ReadingOnly`."""
    room_again = False

    def __init__(
        self,
        lattice: Lattice,
        parts: WriterParts,
        health: WriterHealth,
        work: AtWork,
        failures: Failures,
        lock: FileWriterLock,
    ) -> None:
        self.lattice = lattice
        self.stores = parts.stores
        self.graph = parts.files.graph
        self.writer, self.inbox, self.files = health.writer, health.inbox, health.files
        self.failed = failures.counts
        """How often each failure happened since the start; see `failures`."""
        self._parts = parts
        self._health = health
        self._work = work
        self._lock = lock
        self._closed = threading.Lock()

    @property
    def folder(self) -> Path:
        """Return the data folder that it writes."""
        return self._parts.files.root

    @property
    def ingest(self) -> Ingest:
        """Return the ingest that the writer drives, for whoever takes its steps one by one while the writer is not started."""
        return self._work.ingest

    def lacking(self) -> tuple[str, ...]:
        """Return what the owner is told to be missing for now, as far as only the writer knows."""
        return self._health.lacking()

    def unsearched(self) -> tuple[str, ...]:
        """Return which part of that is remembered and cannot be found yet."""
        return self._health.unsearched()

    def judging_behind(self) -> int:
        """Return how many stored statements the judge has not looked at yet; see `Status`."""
        return self._work.jobs.judging.behind()

    def when_broken(self, told: Callable[[], None]) -> None:
        """Call `told` when the writer ends for a defect that only a restart mends."""
        self.writer.when_broken(told)

    def trouble(self) -> str | None:
        """Return why the process has to be restarted; None where it has not."""
        return self.writer.state().paused if self.writer.broken else None

    def start(self) -> None:
        """Start the writer's thread, follow hand edits, and process the inbox."""
        note_start(self.folder, self.stores.clock.now())
        self.files.start()
        self.writer.start()
        self.inbox.start(self._work.inbox)

    def rebuild(self, on_progress: OnProgress) -> Repaired:
        """Make all derived state anew; the writer must not have been started."""
        if self.writer.state().alive:
            raise RuntimeError("all is made anew by one thread: the writer must not run beside it")
        self._work.jobs.eraser.again()
        self._work.jobs.remaking.change_over()
        rebuilt = rebuild(self.stores, on_progress)
        self._work.jobs.glossing.done()
        self.graph.refresh()
        return rebuilt

    def rebuild_graph(self) -> None:
        """Make the graph anew from the memories; the writer must not have been started."""
        rebuild_graph(self.stores)
        self.graph.refresh()

    def state_hash(self) -> str:
        """Return the hash of the state; see `upkeep.state_hash`."""
        return state_hash(self.stores, self.graph)

    def close(self) -> None:
        """Finish the part in hand, write what is pending, and release the lock. May be called twice."""
        if self._closed.acquire(blocking=False):
            self.files.begin_stop()
            self.inbox.stop()
            self.files.stop()
            self.writer.stop()
            log.info("stopped", epoch=self._lock.epoch)
            self._work.long_lived.closed()
            self._work.backups.close()
            if not self.writer.broken:  # engines that broke may hang or break again: the next start mends them
                self._let_go()
            if isinstance(self._work.reader, (ConvertingReader, SandboxedReader)):
                self._work.reader.close()  # what it is reading is read by the next start
            self._lock.release()

    def __enter__(self) -> Embedded:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _let_go(self) -> None:
        parts, work = self._parts, self._work
        work.jobs.reflection.close()
        work.ingest.close()
        parts.models.close()
        parts.files.write_subjects()
        parts.files.catalogue.close()
        parts.files.passages.close()
        parts.engines.close()
        parts.files.graph_log.close()
        parts.files.graph.close()


def take_lock(settings: Settings) -> FileWriterLock:
    """Become the one writer of the data folder; return its lock. Raise as `open_embedded` does."""
    os.umask(0o077)  # engines make files of their own beside ours, and all of them are the owner's only (S35)
    try:
        for folder in (settings.data_dir, settings.inbox, settings.data_dir / "index"):
            durable.make_folder(folder)
        durable.keep_private(settings.data_dir)
        durable.clean_temporary(settings.data_dir, deep=False)
        return FileWriterLock.acquire(settings.data_dir)
    except Unavailable as error:
        raise Unavailable(f"Lattice cannot start in {settings.data_dir}: {error}", status=error.status) from error


def open_embedded(
    settings: Settings,
    *,
    clock: Clock | None = None,
    model: Model | None = None,
    reader: DocumentReader | None = None,
    models: ModelsInUse | None = None,
    pace: Pace = Pace(),  # noqa: B008 - frozen
    on_progress: OnProgress = lambda *_: None,
) -> Embedded:
    """Open the data folder as its one writer. Raise `Conflict` when another process is, `Unavailable` when it cannot be written.

    Takes about two seconds at 100,000 atoms, most of it for the model and the catalogue.
    """
    lock = take_lock(settings)
    return open_writer(settings, lock, clock=clock, model=model, reader=reader, models=models, pace=pace, on_progress=on_progress)


def open_writer(
    settings: Settings,
    lock: FileWriterLock,
    *,
    clock: Clock | None = None,
    model: Model | None = None,
    reader: DocumentReader | None = None,
    models: ModelsInUse | None = None,
    pace: Pace = Pace(),  # noqa: B008 - frozen
    on_progress: OnProgress = lambda *_: None,
) -> Embedded:
    """Open the data folder for the holder of its `lock`, with the engines of the configured mode; closing it releases the
    lock."""
    limit_malloc()
    try:
        clock = clock or SystemClock(after=FileJournal(settings.data_dir).newest())
        models = models or open_language_model(settings, clock)
        parts = open_parts(settings, lock, clock, model, models, pace)
        return _at_work(parts, lock, reader or open_document_reader(settings, clock), on_progress)
    except BaseException:
        lock.release()
        raise


def _at_work(parts: WriterParts, lock: FileWriterLock, reader: DocumentReader, on_progress: OnProgress) -> Embedded:
    """Compose the readers, the writer, the watchers and the `Lattice` over open parts."""
    settings, files, queue, clock = parts.settings, parts.files, parts.queue, parts.stores.clock
    journey, failures, long_lived, timings = Journey(parts.storage.logs.chat, clock), Failures(), LongLived(), Timings()
    reading = FileReading(files.journal, reader, parts.engines.progress, on_read=queue.resume)
    extractor = open_extractor(settings, parts.models.extraction, parts.pace)
    eraser, forgetting = open_forgetting(parts, journey)
    jobs = open_jobs(parts, eraser, forgetting, extractor)
    ingest = _open_ingest(parts, reading, extractor, forgetting, journey, failures)
    backups = open_backups(settings, clock)
    rounds = rounds_of(parts, jobs, backups, long_lived, open_summary(parts, timings, failures), on_progress)
    writer = WriterThread(
        queue,
        files.journal,
        ingest,
        WriterSteps(before=rounds.start, follow=partial(_follow_hands, jobs), after_commit=rounds.commit, idle=rounds.idle),
        parts.pace,
    )
    atoms_watch = AtomsWatch(
        files.root,
        files.catalogue,
        queue.touched,
        ready=lambda: not writer.state().starting,
        poll_seconds=parts.pace.poll_seconds,
    )
    inbox_watch = InboxWatch(settings.inbox, settle_seconds=settings.inbox_settle_seconds)
    health = WriterHealth(parts, jobs, reading, writer, atoms_watch, inbox_watch, backups, parts.pace.slow_seconds)
    recall = recall_over(
        settings,
        parts.storage,
        parts.engines,
        files.graph,
        parts.model,
        parts.models,
        lambda: parts.stores.spaces.serving,
        unsearched=health.unsearched,
        timings=timings,
    )
    around = Surroundings(queue, files.graph, journey, failures, health.status, health.readiness)
    lattice = lattice_over(settings, parts.storage, parts.engines, recall, around)
    log.info("store_opened", atoms=files.catalogue.count(), epoch=lock.epoch)
    work = AtWork(ingest, reader, jobs, _open_inbox(settings, lattice, clock), backups, long_lived)
    return Embedded(lattice, parts, health, work, failures, lock)


@dataclass(frozen=True, slots=True)
class _Beside:
    """What ingest has done by the rest of the product; see `Hooks`."""

    forgetting: Forgetting
    echoes: Echoes
    graphs: tuple[Graph, ...]
    failures: Failures
    catalogue: CatalogueReader
    journey: Journey
    feedback: LineLog

    def allowed(self, capture: Capture, proved: Proved) -> tuple[Capture, Proved]:
        left, proved = self.forgetting.allowed(capture, proved)
        return left, self.echoes.without(left, proved)

    def followed(self) -> None:
        for graph in self.graphs:
            graph.refresh()

    def finished(self, ended: Sequence[tuple[Entry, Receipt]]) -> None:
        for said, receipt in ended:
            note_unread(said, receipt, self.feedback)
            note_told(said, receipt, self.journey, self.catalogue)
        self.forgetting.note_deleted(ended)

    def ended(self, receipt: Receipt) -> None:
        self.failures.of_receipt(receipt, tuple(self.catalogue.get(receipt.atom_ids[:LOOKED_AT])))


def _open_ingest(
    parts: WriterParts,
    reading: FileReading,
    extractor: Extractor,
    forgetting: Forgetting,
    journey: Journey,
    failures: Failures,
) -> Ingest:
    settings, files, stores, logs = parts.settings, parts.files, parts.stores, parts.storage.logs
    echoes = Echoes(logs.chat, files.catalogue, stores.clock)
    graphs = (files.graph, *((parts.engines.graph,) if parts.engines.graph is not None else ()))
    beside = _Beside(forgetting, echoes, graphs, failures, files.catalogue, journey, logs.feedback)
    hooks = Hooks(
        plan_command,
        OwnerNames(settings.owner_names, stores.lexical, files.catalogue),
        beside.allowed,
        echoes.cited_lately,
        beside.followed,
        erase=forgetting.carry_out,
        finished=beside.finished,
        ended=beside.ended,
    )
    return Ingest(
        stores,
        parts.engines.progress,
        thresholds_of(settings),
        hooks,
        reading,
        parts.next_index_seq,
        max_attempts=settings.max_attempts,
        pace=parts.pace,
        extractor=extractor,
        judge=parts.model.judge,
        survives=Probe(files.root, settings.embed_model),
    )


def _follow_hands(jobs: Jobs, paths: Sequence[str]) -> None:
    """Follow files that a hand changed; what was forgotten does not come back with a file."""
    jobs.eraser.returned(paths)
    jobs.hands.follow(paths)


def _open_inbox(settings: Settings, lattice: Lattice, clock: Clock) -> Inbox:
    return Inbox(
        FileInboxFolder(settings.inbox),
        lattice,
        clock,
        time.monotonic,
        settle_seconds=settings.inbox_settle_seconds,
        own_folders=[each.strip() for each in settings.own_folders.split(",")],
    )
