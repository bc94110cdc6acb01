"""The product without a disk: the same ingest, recall and `Lattice` over the in-memory adapters, for tests and trials. Part of
the composition root.

Everything told is remembered before the call returns. What the writer does in idle time (late judging, reflection, emptying the
trash) does not happen, and erasing is not supported: closing the product discards everything.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from functools import partial

from lattice_common.adapters.memory.atoms import MemoryAtoms
from lattice_common.adapters.memory.catalogue import MemoryCatalogue
from lattice_common.adapters.memory.dense_index import MemoryDenseIndex
from lattice_common.adapters.memory.document_reader import InMemoryDocumentReader
from lattice_common.adapters.memory.graph import MemoryGraph, MemoryGraphLog
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.journal import MemoryJournal
from lattice_common.adapters.memory.lexical_index import MemoryLexicalIndex
from lattice_common.adapters.memory.line_log import MemoryLineLog
from lattice_common.adapters.memory.passages import MemoryPassages
from lattice_common.adapters.memory.progress import MemoryProgress
from lattice_common.adapters.memory.queue import ImmediateQueue
from lattice_common.adapters.memory.rejection_log import MemoryRejectionLog
from lattice_common.adapters.memory.trash_index import MemoryTrashIndex
from lattice_common.adapters.memory.writer_lock import MemoryLockFile, MemoryWriterLock
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.composition.engines import Engines, vector_spaces
from lattice_common.composition.models import Model, open_extractor
from lattice_common.composition.product import Surroundings, lattice_over, recall_over, status_over, thresholds_of
from lattice_common.composition.storage import Storage
from lattice_common.errors import Unavailable
from lattice_common.failures import Failures
from lattice_common.ingest.context import Hooks
from lattice_common.ingest.index_lag import IndexLag
from lattice_common.ingest.index_sequence import IndexSequence
from lattice_common.ingest.pace import Pace
from lattice_common.ingest.passages.shelve import Shelf
from lattice_common.ingest.pipeline import Ingest
from lattice_common.ingest.read import FileReading
from lattice_common.ingest.stores import Stores
from lattice_common.ingest.vector_spaces import VectorSpaces
from lattice_common.lattice import Lattice
from lattice_common.ports.clock import Clock
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.document_reader import DocumentReader
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.graph import Graph
from lattice_common.ports.journal import Plan
from lattice_common.ports.line_log import Logs
from lattice_common.ports.passages import PassageIndexes
from lattice_common.recall.journey import Journey
from lattice_common.recall.pipeline import Recall
from lattice_common.settings import Settings
from lattice_common.upkeep.commands import plan_command
from lattice_common.upkeep.status import Readiness, Status

NO_LANGUAGE_MODEL = ModelsInUse(None, None, lambda: {"available": False}, lambda: None)


@dataclass(frozen=True, slots=True)
class InMemory:
    """A product that discards everything when it is closed. A context manager."""

    lattice: Lattice
    stores: Stores
    recall: Recall
    ingest: Ingest
    queue: ImmediateQueue
    graph: Graph

    def close(self) -> None:
        self.ingest.close()

    def __enter__(self) -> InMemory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_in_memory(
    settings: Settings,
    *,
    clock: Clock | None = None,
    model: Model | None = None,
    reader: DocumentReader | None = None,
    models: ModelsInUse = NO_LANGUAGE_MODEL,
    engines: Engines | None = None,
) -> InMemory:
    """Return an empty product. Without a `model` its vectors are sums of hashed words; without a `reader` it reads text files
    only."""
    model = model or Model(HashedEmbedder())
    storage, atoms, catalogue, passages = _storage(clock or SystemClock())
    engines = engines or memory_engines(model.embedder)
    log, spaces = MemoryGraphLog(), vector_spaces(engines, model)
    graph, lock, behind = engines.graph or MemoryGraph(log), MemoryWriterLock.acquire(MemoryLockFile()), IndexLag()
    shelf = Shelf(passages, engines.passages, storage.journal, catalogue, atoms, behind, MemoryTrashIndex())
    stores = Stores(
        storage.journal,
        atoms,
        catalogue,
        log,
        MemoryGraph(log),
        engines.lexical,
        spaces,
        storage.rejections,
        lock,
        storage.clock,
        behind,
        shelf,
    )
    recall = recall_over(settings, storage, engines, graph, model, models, lambda: spaces.serving)
    was_read = threading.Semaphore(0)
    reading = FileReading(storage.journal, reader or InMemoryDocumentReader(), engines.progress, lambda _: was_read.release())
    ingest = Ingest(
        stores,
        engines.progress,
        thresholds_of(settings),
        Hooks(plan_command, followed=graph.refresh, erase=_refuse_to_erase),
        reading,
        IndexSequence(lock).following,
        max_attempts=settings.max_attempts,
        extractor=open_extractor(settings, models.extraction, Pace()),
        judge=model.judge,
    )
    queue = ImmediateQueue(partial(_finish, ingest, was_read))
    status = partial(_status, settings, storage, engines, models, model, spaces)
    journey, ready = Journey(storage.logs.chat, storage.clock), Readiness(ready=True, parts={})
    around = Surroundings(queue, graph, journey, Failures(), status, lambda: ready)
    return InMemory(lattice_over(settings, storage, engines, recall, around), stores, recall, ingest, queue, graph)


def memory_engines(embedder: Embedder | None) -> Engines:
    """Return empty in-memory engines."""
    return Engines(
        lexical=MemoryLexicalIndex(),
        dense=MemoryDenseIndex() if embedder else None,
        graph=None,
        progress=MemoryProgress(),
        names={"lexical": "memory", "dense": "memory" if embedder else "none", "graph": "memory"},
        remote=False,
        pings={},
        open_dense=lambda _embedder, _place: MemoryDenseIndex(),
        drop_dense=lambda dense, _place: dense.clear(),
        close=lambda: None,
        passages=PassageIndexes(MemoryLexicalIndex(), VectorSpace(embedder, MemoryDenseIndex()) if embedder else None),
    )


def _storage(clock: Clock) -> tuple[Storage, MemoryAtoms, MemoryCatalogue, MemoryPassages]:
    atoms, catalogue, passages = MemoryAtoms(), MemoryCatalogue(), MemoryPassages()
    chat, usage, folded, feedback, reflections, migrations, intents, backups = (MemoryLineLog() for _ in range(8))
    storage = Storage(
        journal=MemoryJournal(),
        atoms=atoms,
        catalogue=catalogue,
        passages=passages,
        rejections=MemoryRejectionLog(),
        logs=Logs(chat, usage, folded, feedback, reflections, migrations, intents),
        backups=backups,
        clock=clock,
        spent_on=lambda _day: 0,
        graph_files=dict,
    )
    return storage, atoms, catalogue, passages


def _status(
    settings: Settings, storage: Storage, engines: Engines, models: ModelsInUse, model: Model, spaces: VectorSpaces
) -> Status:
    return replace(status_over(settings, storage, engines, models, spaces.serving), degraded=model.degraded, writer="idle")


def _finish(ingest: Ingest, was_read: threading.Semaphore, entry_id: str) -> None:
    """Take an entry to its receipt, waiting for a file that is being read."""
    while not ingest.next_part(entry_id):
        if ingest.is_being_read(entry_id):
            was_read.acquire()


def _refuse_to_erase(_plan: Plan) -> None:
    raise Unavailable("A product in memory erases nothing: close it, and all of it is gone.")
