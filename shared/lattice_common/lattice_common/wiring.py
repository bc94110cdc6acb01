"""The composition root: from settings to a running product.

`open_embedded` is the only place where adapters meet verbs, and what it returns is the only thing that has the writer. The same
function builds the product that runs, and the one that tests and benchmarks run (with their own folder, clock and embedder).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import timedelta
from typing import TypeAlias

from lattice_common import __version__
from lattice_common.adapters.embedded.atoms_watch import AtomsWatch
from lattice_common.adapters.embedded.garbage import LongLived, loading
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.embedded.inbox_watch import InboxWatch
from lattice_common.adapters.embedded.probe import Probe
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.adapters.embedded.writer_thread import WriterThread
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.atom_fields import to_fields
from lattice_common.adapters.files.atom_files import AtomFiles
from lattice_common.adapters.files.converting_reader import ConvertingReader
from lattice_common.adapters.files.embedding_record import EmbeddingRecord, EmbeddingRecordFile, place_of
from lattice_common.adapters.files.erasing import FileEraser
from lattice_common.adapters.files.graph_log import FileGraphLog
from lattice_common.adapters.files.inbox_folder import FileInboxFolder
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.rejection_log import FileRejectionLog
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.adapters.files.subjects_file import SubjectsFile
from lattice_common.adapters.files.summary_file import SummaryFile
from lattice_common.adapters.files.writer_lock import FileWriterLock
from lattice_common.adapters.models.open_language_model import ModelsInUse, open_language_model
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.building import (
    Model,
    graph_files,
    load_model,
    open_document_reader,
    open_forgettable,
    open_logs,
    open_records,
    open_shelf,
    open_traces,
    open_trash,
    place_in_use,
    recall_of,
    reflection_wanted,
    vector_spaces,
)
from lattice_common.capture.inbox import Inbox
from lattice_common.domain.capture import Command, Entry, ForgetAtoms
from lattice_common.domain.receipt import Receipt
from lattice_common.engines import own_engines, server_engines, sweep_dense
from lattice_common.errors import Unavailable
from lattice_common.extractors import open_extractor
from lattice_common.failures import Failures
from lattice_common.ingest.commit import Stores
from lattice_common.ingest.echoes import Echoes
from lattice_common.ingest.index_lag import IndexLag
from lattice_common.ingest.owner_names import OwnerNames
from lattice_common.ingest.pipeline import Ingest
from lattice_common.ingest.read import FileReading
from lattice_common.ingest.reconcile import Thresholds
from lattice_common.lattice import Lattice, Parts
from lattice_common.logs import logger
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.document_reader import DocumentReader
from lattice_common.ports.graph import Graph
from lattice_common.recall.journey import Journey
from lattice_common.settings import Settings
from lattice_common.upkeep.catch_up import CatchUp
from lattice_common.upkeep.commands import plan_command
from lattice_common.upkeep.count_recalls import RecallCounting
from lattice_common.upkeep.forget import Forgetting
from lattice_common.upkeep.glossing_anew import GlossingAnew
from lattice_common.upkeep.hand_edits import HandEdits
from lattice_common.upkeep.late_judging import LateJudging
from lattice_common.upkeep.read_again import ReadAgain
from lattice_common.upkeep.rebuild import OnProgress, Repaired, rebuild, rebuild_graph, repair
from lattice_common.upkeep.reflection import Reflection, reflection_state
from lattice_common.upkeep.remake_vectors import RemakeVectors
from lattice_common.upkeep.state_hash import state_hash
from lattice_common.upkeep.status import SLOW_SECONDS, Readiness, Status, slow_work, status_of, unread, unread_folders
from lattice_common.upkeep.status_pass import StatusPass, progress_of
from lattice_common.upkeep.told import noting_told
from lattice_common.upkeep.trash import TRASH, TrashEmptying

__all__ = ["Embedded", "HeldLock", "Model", "load_model", "open_embedded", "open_writer", "take_lock"]

log = logger(__name__)

HeldLock: TypeAlias = FileWriterLock
"""What `take_lock` gives and `open_writer` takes: a worker carries it from one to the other."""

FAILURES_LOOKED_AT = 50
"""Memories of a capture that are looked at for what they disagree with."""

LOOKING = "looking through what changed while Lattice was not running; answers may miss it until then"


class Embedded:
    """The embedded product: a `Lattice`, and the one writer of its data folder.

    `start` begins to write (repair, then the work list) and to watch the inbox; questions are answered from the moment it was
    opened. A context manager: leaving it stops the writer and lets go of the folder.
    """

    reads_only: str | None = None
    """See `wiring_reading.ReadingOnly`."""
    room_again = False

    def __init__(
        self, lattice: Lattice, stores: Stores, graph: Graph, writer: WriterThread, inbox: InboxWatch, files: AtomsWatch,
        lacking: Callable[[], tuple[str, ...]], judging_behind: Callable[[], int], failed: Callable[[], dict[str, int]],
        keep_forgotten: Callable[[], None],
        close: Callable[[], None], remaking: RemakeVectors, glossing: GlossingAnew,
    ) -> None:  # fmt: skip
        self.lattice = lattice
        self.lacking = lacking
        """What answers go without for now, of what only the writer knows; cheap enough to be asked all the time."""
        self.judging_behind = judging_behind
        """See `Status`."""
        self.failed = failed
        """How often each failure happened since the start; see `failures`."""
        self.stores = stores
        self.writer = writer
        self.inbox = inbox
        self.files = files
        self._graph = graph
        self._keep_forgotten = keep_forgotten
        self._close = close
        self._remaking, self._glossing = remaking, glossing
        self._closed = threading.Lock()

    def when_broken(self, told: Callable[[], None]) -> None:
        """Call `told` when the writer ends for a defect that only a new start mends."""
        self.writer.when_broken(told)

    def trouble(self) -> str | None:
        """Why the process has to be started again; None where it has not."""
        return self.writer.state().paused if self.writer.broken else None

    def start(self) -> None:
        """Let the writer thread run, follow hands, and take what lies in the inbox."""
        self.files.start()
        self.writer.start()
        self.inbox.start()

    def rebuild(self, on_progress: OnProgress) -> Repaired:
        """Make everything derived anew; the writer must not have been started."""
        self._keep_forgotten()
        self._remaking.change_over()
        rebuilt = rebuild(self.stores, on_progress)
        self._glossing.done()
        self._graph.refresh()
        return rebuilt

    def rebuild_graph(self) -> None:
        """Make the graph anew from the memories; the writer must not have been started."""
        rebuild_graph(self.stores)
        self._graph.refresh()

    def state_hash(self) -> str:
        """See `upkeep.state_hash`."""
        return state_hash(self.stores, self._graph)

    def close(self) -> None:
        """Finish the part in hand, write what is pending, release the lock. May be called twice."""
        if self._closed.acquire(blocking=False):
            self.files.begin_stop()
            self.inbox.stop()
            self.files.stop()
            self.writer.stop()
            self._close()

    def __enter__(self) -> Embedded:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def take_lock(settings: Settings) -> FileWriterLock:
    """Become the one writer of the data folder. Raises as `open_embedded` does."""
    os.umask(0o077)  # engines make files of their own beside ours, and all of them are the owner's only (S35)
    try:
        for folder in (settings.data_dir, settings.inbox, settings.data_dir / "index"):
            durable.make_folder(folder)
        durable.keep_private(settings.data_dir)
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
    on_progress: OnProgress = lambda *_: None,
) -> Embedded:
    """Open the data folder as its one writer. Raises `Conflict` when somebody else is, `Unavailable` when it cannot be written.

    At 100,000 atoms it takes about two seconds, most of it the model and the catalogue.
    """
    lock = take_lock(settings)
    return open_writer(settings, lock, clock=clock, model=model, reader=reader, models=models, on_progress=on_progress)


def open_writer(
    settings: Settings,
    lock: FileWriterLock,
    *,
    clock: Clock | None = None,
    model: Model | None = None,
    reader: DocumentReader | None = None,
    models: ModelsInUse | None = None,
    on_progress: OnProgress = lambda *_: None,
) -> Embedded:
    """Open the data folder for whoever holds its `lock`, with the engines of the mode; closing it lets go of the lock."""
    clock = clock or SystemClock(after=FileJournal(settings.data_dir).newest())
    try:
        in_use = models or open_language_model(settings, clock)
        return _open_as_writer(settings, lock, clock, model, reader or open_document_reader(settings), in_use, on_progress)
    except BaseException:
        lock.release()
        raise


def _open_as_writer(
    settings: Settings,
    lock: FileWriterLock,
    clock: Clock,
    model: Model | None,
    reader: DocumentReader,
    models: ModelsInUse,
    on_progress: OnProgress,
) -> Embedded:
    root = settings.data_dir
    # Most of loading the model goes on outside Python's lock, so the rest is read meanwhile.
    with loading(), ThreadPoolExecutor(1) as beside:
        coming = beside.submit(load_model, settings) if model is None else None
        journal = FileJournal(root)
        journal.recover()
        catalogue = SqliteCatalogue(root / "index" / "catalogue.sqlite")
        graph_log = FileGraphLog(root)
        graph = EmbeddedGraph(root, keep_snapshot=True)
        model = coming.result() if coming else model or Model(None)
        embedder, place = place_in_use(settings, model)
        if settings.mode == "embedded":
            sweep_dense(root, {place, place_of(model.embedder.model_id) if model.former and model.embedder else place})
            engines = own_engines(settings, embedder, place, model.embedder)
        else:
            engines = server_engines(settings, embedder, writes=True, place=place, wanted=model.embedder)
        lexical, dense, progress = engines.lexical, engines.dense, engines.progress
        spaces = vector_spaces(engines, model)
        embeddings = EmbeddingRecordFile(root)
        if embedder is not None and model.former is None:
            embeddings.write(EmbeddingRecord(settings.embed_model, embedder.model_id, embedder.dimension, place))
    rejections = FileRejectionLog(root)
    atoms = AtomFiles(root)
    subjects = SubjectsFile(root)
    behind = IndexLag(tolerates=engines.remote)
    shelf = open_shelf(root, engines, journal, catalogue, atoms, behind)
    stores = Stores(journal, atoms, catalogue, graph_log, lexical, spaces, rejections, lock, clock, behind, shelf)

    logs = open_logs(settings)
    journey = Journey(logs.chat, clock)
    note_told = noting_told(journey, catalogue)
    eraser = FileEraser(root, settings.inbox, rejections, journal)

    def conclude(ended: Sequence[tuple[Entry, Receipt]]) -> None:
        for said, receipt in ended:
            note_told(said, receipt)
        forgetting.note_deleted(ended)

    def refresh_graphs() -> None:
        graph.refresh()
        if engines.graph is not None:
            engines.graph.refresh()

    thresholds = Thresholds(
        settings.subject_fuzzy_threshold, settings.similarity_duplicate, settings.similarity_updates, settings.similarity_related
    )
    reading = FileReading(journal, reader, progress, on_read=lambda entry: writer.resume(entry))
    extractor = open_extractor(settings, models.extraction)
    records = open_records(settings, logs, catalogue, clock)
    failures = Failures()
    echoes = Echoes(logs.chat, catalogue, clock)
    ingest = Ingest(
        stores,
        progress,
        thresholds,
        plan_command,
        reading,
        owner_names=OwnerNames(settings.owner_names, lexical, catalogue),
        max_attempts=settings.max_attempts,
        extractor=extractor,
        judge=model.judge,
        survives=Probe(root, settings.embed_model),
        followed=refresh_graphs,
        allowed=lambda capture, proved: echoes.without(capture, forgetting.allowed(capture, proved)),
        cited_lately=echoes.cited_lately,
        erase=lambda plan: forgetting.carry_out(plan),
        concluded=conclude,
        ended=lambda receipt: failures.of_receipt(receipt, tuple(catalogue.get(receipt.atom_ids[:FAILURES_LOOKED_AT]))),
    )

    def rewrite_beside() -> None:
        note_subjects(subjects.write)
        journey.forget_conversations()

    forgetting = Forgetting(stores, eraser, ingest.next_index_seq, rewrite_beside)

    def forget_expired(action: ForgetAtoms) -> None:
        command_id, _ = journal.append(Command(clock.new_id(), clock.now(), action, TRASH))
        writer.ring(command_id, "bulk")

    long_lived = LongLived()
    catch_up = CatchUp(stores, ingest.next_index_seq)
    glossing = GlossingAnew(root / "index" / "glosses.json", stores, ingest.next_index_seq, settings.embed_glosses)

    def changed_over(former: VectorSpace | None) -> None:
        now = spaces.serving
        if now is not None:
            made_by = now.embedder
            next_place = place_of(made_by.model_id)
            embeddings.write(EmbeddingRecord(settings.embed_model, made_by.model_id, made_by.dimension, next_place))
        if former is not None:
            engines.drop_dense(former.dense, place)

    remaking = RemakeVectors(stores, ingest.next_index_seq, changed_over)
    trash = TrashEmptying(atoms, journal, clock, timedelta(days=settings.trash_days), forget_expired)

    def before() -> None:
        eraser.again()
        glossing.begin()
        repair(stores, graph, on_progress)
        judging.begin()
        trash.empty()
        graph.refresh()
        statuses.begin()
        long_lived.loaded()

    def note_subjects(write: Callable[[CatalogueReader], None]) -> None:
        """A snapshot for people; the product does not need it, so what stops it stops nothing else."""
        try:
            write(catalogue)
        except (OSError, Unavailable):
            log.warning("subjects_not_written")

    def note_summary() -> None:
        """Counts for the owner; what stops them stops nothing else."""
        try:
            summary_file.write_if_due()
        except Unavailable:
            log.warning("log_not_written", log="telemetry")

    def after_commit() -> None:
        long_lived.committed()
        catch_up.if_behind()

    def idle() -> bool:
        trash.now_and_then()
        forgetting.now_and_then()
        catch_up.now_and_then()
        note_subjects(subjects.write_if_due)
        again.look()
        counting.look()
        reflection.look()
        if settings.telemetry:
            note_summary()
        more = judging.look()
        more = glossing.look() or more
        more = shelf.make_more(ingest.next_index_seq()) or more
        more = shelf.embed(ingest.next_index_seq()) or more
        more = remaking.look() or more
        return statuses.look() or more

    hands = HandEdits(stores, graph, ingest.next_index_seq)

    def follow_hands(paths: Sequence[str]) -> None:
        eraser.returned(paths)
        hands.follow(paths)

    writer = WriterThread(
        journal, ingest, before=before, follow=follow_hands, after_commit=after_commit, idle=idle
    )  # fmt: skip
    summary_file = SummaryFile(root, clock, lambda: {**asdict(records.summary()), **asdict(lattice.stats())})
    counting = RecallCounting(journal, logs, clock, lambda command_id: writer.ring(command_id, "bulk"))
    statuses = StatusPass(
        catalogue, journal, logs.migrations, clock, model.judge, lambda command_id: writer.ring(command_id, "bulk")
    )
    reflection = Reflection(
        reflection_wanted(settings),
        models.synthesis,
        catalogue,
        lexical,
        spaces,
        graph,
        journal,
        logs.reflections,
        clock,
        lambda command_id: writer.ring(command_id, "bulk"),
    )
    judging = LateJudging(
        root / "index" / "judged.json", stores, model.judge, clock, lambda command_id: writer.ring(command_id, "bulk")
    )
    again = ReadAgain(journal, extractor, clock, lambda command_id: writer.ring(command_id, "bulk"))
    files = AtomsWatch(root, catalogue, writer.touched, ready=lambda: not writer.state().starting)
    without_dense = (f"dense: {model.missing}",) if model.missing else ()
    without_judge = (f"judge: {model.judge_missing}",) if model.judge_missing else ()
    without_reranker = (f"rerank: {model.reranker_missing}",) if model.reranker_missing else ()

    def lacking() -> tuple[str, ...]:
        state = writer.state()
        return (
            *unread(hands.broken()),
            *unread_folders(files.unreadable()),
            *(f"{leg}: what it missed while it was away is being brought to it" for leg in sorted(stores.behind.legs)),
            *remaking.lacking(),
            *slow_work(state.busy_seconds, reading.slow(SLOW_SECONDS)),
            *((f"search: {LOOKING}",) if state.alive and state.starting else ()),
            *((f"inbox: {trouble}",) if (trouble := watch.trouble()) else ()),
        )

    def status() -> Status:
        state, waiting = writer.state(), watch.state()
        return replace(
            status_of(catalogue, journal, clock),
            engines=dict(engines.names),
            model=stores.embedder.model_id if stores.embedder else None,
            versions={"lattice": __version__},
            degraded=(*without_dense, *without_judge, *without_reranker, *lacking()),
            inbox=asdict(waiting),
            writer=state.paused or ("working" if state.waiting else "idle" if state.alive else "stopped"),
            language_model=models.state(),
            reflection=reflection_state(reflection_wanted(settings), logs.reflections, clock.now()),
            migration=progress_of(logs.migrations),
            judging_behind=judging.behind(),
        )

    def readiness() -> Readiness:
        state = writer.state()
        writing = state.paused or ("not started" if not state.alive else LOOKING if state.starting else "up")
        unkept = durable.trouble_in(root / "journal")
        return Readiness(
            ready=state.alive and state.paused is None and unkept is None,
            parts={
                "journal": unkept or "up",
                "writer": writing,
                "inbox": watch.trouble() or "up",
                "lexical": "up",
                "dense": model.missing or ("up" if dense else "off"),
                "judge": model.judge_missing or ("up" if model.judge else "off"),
                "language_model": models.readiness(),
            },
        )

    def close() -> None:
        log.info("stopped", epoch=lock.epoch)
        long_lived.closed()
        if writer.broken:  # engines that broke may hang or break again when they are closed: the next start mends them
            lock.release()
            return
        reflection.close()
        ingest.close()
        if (
            isinstance(reader, (ConvertingReader, SandboxedReader)) and not reading.is_busy
        ):  # one that is busy ends with us: nobody waits for it
            reader.close()
        models.close()
        note_subjects(subjects.write)
        catalogue.close()
        shelf.store.close()
        engines.close()
        graph_log.close()
        graph.close()
        lock.release()

    recall = recall_of(settings, catalogue, engines, graph, model, models, clock, lambda: spaces.serving, shelf.store)
    lattice = Lattice(
        Parts(
            journal=journal,
            queue=writer,
            progress=progress,
            catalogue=catalogue,
            graph=graph,
            rejections=rejections,
            recall=recall,
            passages=shelf.store,
            journey=journey,
            traces=open_traces(settings, logs, clock, recall.timings),
            failures=failures,
            graph_files=lambda: graph_files(root),
            failed_elsewhere=dict,
            records=records,
            clock=clock,
            status=status,
            readiness=readiness,
            forgettable=open_forgettable(settings, catalogue, journal, logs, clock, recall, shelf.store),
            in_trash=open_trash(settings, atoms, journal),
            atom_fields=to_fields,
            max_text_bytes=settings.max_text_bytes,
            max_file_bytes=settings.max_file_bytes,
            text_files_are_notes=settings.text_files == "notes",
        )
    )
    inbox = Inbox(
        FileInboxFolder(settings.inbox),
        lattice,
        clock,
        time.monotonic,
        settle_seconds=settings.inbox_settle_seconds,
        own_folders=[each.strip() for each in settings.own_folders.split(",")],
    )
    watch = InboxWatch(settings.inbox, inbox, settle_seconds=settings.inbox_settle_seconds)
    log.info("store_opened", atoms=catalogue.count(), epoch=lock.epoch)
    return Embedded(
        lattice, stores, graph, writer, watch, files, lacking, judging.behind, failures.counts, eraser.again, close, remaking,
        glossing,
    )  # fmt: skip
