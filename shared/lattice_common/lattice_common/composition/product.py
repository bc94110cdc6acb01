"""A `Lattice`, made of storage, engines and models: the same for the writer and for readers. Part of the composition root."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from lattice_common import __version__
from lattice_common.adapters.embedded.temporary_trash_index import TemporaryTrashIndex
from lattice_common.adapters.files.atom_fields import to_fields
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.composition.backups import reaches_backup
from lattice_common.composition.engines import Engines
from lattice_common.composition.models import Model, reflection_wanted
from lattice_common.composition.storage import Storage
from lattice_common.failures import Failures
from lattice_common.ingest.reconcile import Thresholds
from lattice_common.lattice import Captures, Lattice, Memories, Removal, Usage
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.graph import Graph
from lattice_common.ports.queue import Queue
from lattice_common.recall.answering import AnswerWriter
from lattice_common.recall.journey import Journey
from lattice_common.recall.passages import PassageSearch
from lattice_common.recall.pipeline import Recall, RecallOptions
from lattice_common.recall.seed import Unsearched
from lattice_common.recall.timings import Timings
from lattice_common.recall.traces import Traces
from lattice_common.recall.weights import load_weights
from lattice_common.settings import Settings
from lattice_common.upkeep.forget_selection import ForgetSelection
from lattice_common.upkeep.records import Records
from lattice_common.upkeep.reflection.schedule import reflection_state
from lattice_common.upkeep.status import Readiness, Status, status_of
from lattice_common.upkeep.status_pass import progress_of
from lattice_common.upkeep.trash import Trash

SHOWN_OF_A_DELETION = 20
"""Memories shown for each deletion in the trash; all are counted."""

OWN_LEGS_BESIDE_FROM = 10_000
"""Number of atoms from which searching the embedded product's two legs in parallel pays (bench/speed.py): below it, handing over
to a thread and back under one interpreter lock takes longer than it saves. Servers are always searched in parallel."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a `Lattice` needs besides storage and recall, and what differs between writer and readers: the queue it rings, the
    graph it walks, and its status. `failed_elsewhere` counts failures of another process."""

    queue: Queue
    graph: Graph
    journey: Journey
    failures: Failures
    status: Callable[[], Status]
    readiness: Callable[[], Readiness]
    failed_elsewhere: Callable[[], Mapping[str, int]] = dict


def recall_over(
    settings: Settings,
    storage: Storage,
    engines: Engines,
    graph: Graph,
    model: Model,
    models: ModelsInUse,
    serving: Callable[[], VectorSpace | None],
    *,
    unsearched: Unsearched = tuple,
    timings: Timings | None = None,
) -> Recall:
    """Return recall over any engines; `serving` returns the vectors that are searched, which may change, and `unsearched` what
    cannot be found yet."""
    options = RecallOptions(
        dense_seeds=settings.dense_seeds,
        dense_top_k=settings.dense_top_k,
        seed_min_score=settings.seed_min_score,
        bfs_rescore=settings.bfs_rescore,
        recommendation_cap=settings.recommendation_cap,
        dense_missing=model.missing,
        beside_from=OWN_LEGS_BESIDE_FROM if settings.mode == "embedded" else 0,
        judged=settings.judge_select,
        rewrite=settings.rewrite,
    )
    return Recall(
        storage.catalogue,
        engines.lexical,
        engines.dense,
        model.embedder,
        graph,
        storage.clock,
        options,
        load_weights(),
        AnswerWriter(models.synthesis, settings.llm_context_tokens, settings.llm_timeout_seconds, settings.pii_scrub),
        model.judge,
        serving=serving,
        reranker=model.reranker,
        passages=PassageSearch(storage.passages, engines.passages, storage.catalogue),
        unsearched=unsearched,
        timings=timings,
    )


def thresholds_of(settings: Settings) -> Thresholds:
    """Return the similarities from which two statements are the same, or about the same thing."""
    return Thresholds(
        settings.subject_fuzzy_threshold, settings.similarity_duplicate, settings.similarity_updates, settings.similarity_related
    )


def records_of(storage: Storage) -> Records:
    """Return the view of the logs; tokens are counted from the ledger's files."""
    return Records(storage.logs, storage.catalogue, storage.spent_on, storage.clock)


def lattice_over(settings: Settings, storage: Storage, engines: Engines, recall: Recall, around: Surroundings) -> Lattice:
    """Return the `Lattice` over these parts."""
    keep, journal = timedelta(days=settings.trash_days), storage.journal
    in_trash = Trash(storage.atoms, journal, keep, TemporaryTrashIndex(), shown=SHOWN_OF_A_DELETION)
    forgettable = ForgetSelection(
        storage.catalogue,
        journal,
        storage.logs.chat,
        storage.backups,
        storage.clock,
        keep,
        recall.select,
        storage.passages,
        partial(reaches_backup, settings),
        in_trash.memories,
    )
    captures = Captures(
        journal,
        around.queue,
        engines.progress,
        storage.rejections,
        max_text_bytes=settings.max_text_bytes,
        max_file_bytes=settings.max_file_bytes,
        text_files_are_notes=settings.text_files == "notes",
    )
    memories = Memories(storage.catalogue, storage.passages, around.graph, storage.graph_files, to_fields)
    traces = Traces(storage.logs.traces, storage.clock, recall.timings, storage.traces_key)
    usage = Usage(around.journey, records_of(storage), traces, around.failures, around.failed_elsewhere)
    removal = Removal(forgettable, in_trash)
    return Lattice(captures, memories, usage, removal, recall, storage.clock, around.status, around.readiness)


def status_over(
    settings: Settings, storage: Storage, engines: Engines, models: ModelsInUse, serving: VectorSpace | None
) -> Status:
    """Return the part of the status that does not depend on who writes; `serving` are the vectors that are searched."""
    return replace(
        status_of(storage.catalogue, storage.journal, storage.clock),
        engines=dict(engines.names),
        model=serving.embedder.model_id if serving else None,
        versions={"lattice": __version__},
        language_model=models.state(),
        reflection=reflection_state(reflection_wanted(settings), storage.logs.reflections, storage.clock.now()),
        migration=progress_of(storage.logs.migrations),
    )
