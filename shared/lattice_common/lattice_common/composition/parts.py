"""The parts of a writer: open files, engines, models, and the stores over them. Part of the composition root."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from lattice_common.adapters.embedded.garbage import loading
from lattice_common.adapters.embedded.temporary_trash_index import TemporaryTrashIndex
from lattice_common.adapters.embedded.writer_queue import WriterQueue
from lattice_common.adapters.files.embedding_record import EmbeddingRecord, place_of
from lattice_common.adapters.files.writer_lock import FileWriterLock
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.composition.engines import Engines, own_engines, server_engines, sweep_dense, vector_spaces
from lattice_common.composition.models import Model, load_model, place_in_use
from lattice_common.composition.storage import Storage, WriterFiles, open_writer_files, storage_on_files
from lattice_common.ingest.index_lag import IndexLag
from lattice_common.ingest.index_sequence import IndexSequence
from lattice_common.ingest.pace import Pace
from lattice_common.ingest.passages.shelve import Shelf
from lattice_common.ingest.stores import Stores
from lattice_common.ports.clock import Clock
from lattice_common.settings import Settings


@dataclass(frozen=True, slots=True)
class WriterParts:
    """Open parts that are not at work yet. `place` is that of the vectors that are searched."""

    settings: Settings
    pace: Pace
    files: WriterFiles
    storage: Storage
    engines: Engines
    place: str
    model: Model
    models: ModelsInUse
    stores: Stores
    shelf: Shelf
    queue: WriterQueue
    next_index_seq: Callable[[], int]


def open_parts(
    settings: Settings, lock: FileWriterLock, clock: Clock, model: Model | None, models: ModelsInUse, pace: Pace
) -> WriterParts:
    """Open everything a writer needs; load the models where `model` is not given."""
    # Most of loading the model runs without Python's lock, so everything else is opened meanwhile.
    with loading(), ThreadPoolExecutor(1) as beside:
        coming = beside.submit(load_model, settings) if model is None else None
        files = open_writer_files(settings.data_dir)
        model = coming.result() if coming else model or Model(None)
        engines, place = _open_engines(settings, files, model)
        spaces = vector_spaces(engines, model)
    behind = IndexLag(tolerates=engines.remote)
    journal, catalogue, atoms, passages = files.journal, files.catalogue, files.atoms, files.passages
    shelf = Shelf(passages, engines.passages, journal, catalogue, atoms, behind, TemporaryTrashIndex())
    stores = Stores(
        journal,
        atoms,
        catalogue,
        files.graph_log,
        files.graph,
        engines.lexical,
        spaces,
        files.rejections,
        lock,
        clock,
        behind,
        shelf,
    )
    storage = storage_on_files(
        settings, clock, journal=journal, atoms=atoms, catalogue=catalogue, passages=passages, rejections=files.rejections
    )
    numbers = IndexSequence(lock)
    queue = WriterQueue()
    return WriterParts(settings, pace, files, storage, engines, place, model, models, stores, shelf, queue, numbers.following)


def _open_engines(settings: Settings, files: WriterFiles, model: Model) -> tuple[Engines, str]:
    """Return the engines of the configured mode, and the place of the vectors that are searched."""
    root = settings.data_dir
    embedder, place = place_in_use(settings, model)
    if settings.mode == "embedded":
        sweep_dense(root, {place, place_of(model.embedder.model_id) if model.former and model.embedder else place})
        engines = own_engines(settings, embedder, place, model.embedder)
    else:
        engines = server_engines(settings, embedder, writes=True, place=place, wanted=model.embedder)
    if embedder is not None and model.former is None:
        files.embeddings.write(EmbeddingRecord(settings.embed_model, embedder.model_id, embedder.dimension, place))
    return engines, place
