"""What both sizes are built from: the embedding model, what reads files, recall. A part of the composition root."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import orjson
from platformdirs import user_cache_path

from lattice_common.adapters.embedded.sqlite_passages import SqlitePassages
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.backup_archive import BACKUPS
from lattice_common.adapters.files.converting_reader import ConvertingReader
from lattice_common.adapters.files.embedding_record import UNNAMED, EmbeddingRecord, EmbeddingRecordFile, place_of
from lattice_common.adapters.files.graph_lines import read_manifest
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.adapters.files.token_ledger import TokenLedger
from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.fastembed_reranker import open_reranker
from lattice_common.adapters.models.onnx_judge import OnnxJudge
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.capture import JsonValue
from lattice_common.engines import Engines
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ingest.index_lag import IndexLag
from lattice_common.ingest.passages.shelve import Shelf
from lattice_common.ingest.vector_spaces import VectorSpaces
from lattice_common.logs import logger
from lattice_common.ports.atoms import AtomReader
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.graph import Graph
from lattice_common.ports.journal import Journal, WorkLog
from lattice_common.ports.judge import Judge
from lattice_common.ports.line_log import Logs
from lattice_common.ports.passages import PassageReader
from lattice_common.ports.reranker import Reranker
from lattice_common.recall.answering import Writer
from lattice_common.recall.passages import PassageSearch
from lattice_common.recall.pipeline import Recall, RecallOptions
from lattice_common.recall.timings import Timings
from lattice_common.recall.traces import Traces, says_words
from lattice_common.recall.weights import load_weights
from lattice_common.settings import Settings
from lattice_common.upkeep.forget_selection import ForgetSelection
from lattice_common.upkeep.records import Records
from lattice_common.upkeep.reflection import Wanted
from lattice_common.upkeep.trash import Trashed, in_trash

log = logger(__name__)


TRACES_KEY = "traces.key"
"""Beside the traces: by it, and only by it, the hash of a question tells whether it was one that is known."""

SHOWN_OF_A_DELETION = 20
"""Memories that are shown of each deletion in the trash; all are counted."""

OWN_LEGS_BESIDE_FROM = 10_000
"""Atoms from which searching the embedded product's two legs at once pays (bench/speed.py): below, handing over to a thread and
back, with one interpreter lock for both, takes longer than it saves. Servers are waited for, and so always asked at once."""


@dataclass(frozen=True, slots=True)
class Former:
    """The embedder that the vectors in use were made by, where the settings name another now."""

    embedder: Embedder
    record: EmbeddingRecord


@dataclass(frozen=True, slots=True)
class Model:
    """The embedder and the judge, or why there is none (the bare reason: recall and status say what goes without it)."""

    embedder: Embedder | None
    missing: str | None = None
    judge: Judge | None = None
    judge_missing: str | None = None
    former: Former | None = None
    reranker: Reranker | None = None
    reranker_missing: str | None = None


def load_model(settings: Settings) -> Model:
    """The embedder and the judge that the settings name; where one cannot be had the product goes on without it, and says so."""
    judge, judge_missing = _load_judge(settings)
    reranker, reranker_missing = _load_reranker(settings)
    try:
        embedder = open_embedder(
            settings.embed_model,
            cache_dir=user_cache_path("lattice") / "models",
            threads=settings.embed_threads,
            glosses=settings.embed_glosses,
        )
    except (Unavailable, Corrupt) as error:
        log.warning("model_missing", model=settings.embed_model)
        return Model(None, str(error), judge, judge_missing, None, reranker, reranker_missing)
    if embedder is not None:
        log.info("model_loaded", model=embedder.model_id, dimension=embedder.dimension)
    former = _load_former(settings, embedder) if embedder else None
    return Model(embedder, None, judge, judge_missing, former, reranker, reranker_missing)


def _load_reranker(settings: Settings) -> tuple[Reranker | None, str | None]:
    try:
        cache_dir = user_cache_path("lattice") / "models"
        reranker = open_reranker(settings.rerank_model, cache_dir=cache_dir, threads=settings.embed_threads)
    except Unavailable as error:
        log.warning("model_missing", model=settings.rerank_model)
        return None, str(error)
    if reranker is not None:
        log.info("model_loaded", model=reranker.model_id, dimension=0)
    return reranker, None


def _load_former(settings: Settings, wanted: Embedder) -> Former | None:
    """None where the vectors in use are of the model wanted, and where their model cannot be had: then they answer nothing."""
    record = EmbeddingRecordFile(settings.data_dir).latest() or _unrecorded(settings)
    if record is None or record.model_id == wanted.model_id:
        return None
    try:
        former = open_embedder(
            record.model,
            cache_dir=user_cache_path("lattice") / "models",
            threads=settings.embed_threads,
            glosses=settings.embed_glosses,
        )
    except (Unavailable, Corrupt):
        log.warning("model_missing", model=record.model)
        return None
    if former is None or former.model_id != record.model_id:
        return None
    log.info("model_loaded", model=former.model_id, dimension=former.dimension)
    return Former(former, record)


def _unrecorded(settings: Settings) -> EmbeddingRecord | None:
    """Stores from before there were records have the packaged model's vectors, as far as can be told."""
    packaged = EmbeddingRecord(packaged_minilm.NAME, packaged_minilm.MODEL_ID, packaged_minilm.WIDTH)
    if settings.mode == "server":
        return packaged if (settings.data_dir / "index" / "catalogue.sqlite").exists() else None
    for name in ("exact", "edge"):
        try:
            made_by = orjson.loads((settings.data_dir / "index" / "dense" / name / "made-by.json").read_bytes())
        except (OSError, orjson.JSONDecodeError):
            continue
        return packaged if made_by.get("model_id") == packaged.model_id else None
    return None


def place_in_use(settings: Settings, model: Model) -> tuple[Embedder | None, str]:
    """The embedder whose vectors serve, and where they are."""
    if model.former is not None:
        return model.former.embedder, model.former.record.place
    record = EmbeddingRecordFile(settings.data_dir).latest()
    return model.embedder, record.place if record else UNNAMED


def vector_spaces(engines: Engines, model: Model) -> VectorSpaces:
    """What serves, and what takes its place when it is whole."""
    embedder = model.former.embedder if model.former else model.embedder
    if engines.dense is None or embedder is None or model.embedder is None:
        return VectorSpaces(None)
    serving = VectorSpace(embedder, engines.dense)
    if model.former is None:
        return VectorSpaces(serving)
    coming = engines.open_dense(model.embedder, place_of(model.embedder.model_id))
    return VectorSpaces(serving, VectorSpace(model.embedder, coming))


def _load_judge(settings: Settings) -> tuple[Judge | None, str | None]:
    if settings.judge == "none":
        return None, None
    try:
        judge = OnnxJudge(cache_dir=user_cache_path("lattice") / "models", threads=settings.embed_threads)
    except (Unavailable, Corrupt) as error:
        log.warning("model_missing", model="judge")
        return None, str(error)
    log.info("model_loaded", model=judge.model_id, dimension=0)
    return judge, None


def open_document_reader(settings: Settings) -> ConvertingReader:
    """What reads files, in a process of its own that the first file starts; some with programs that are there or not."""
    limits = Limits(
        file_bytes=settings.max_file_bytes,
        text_bytes=settings.max_text_bytes,
        cpu_seconds=settings.read_seconds,
        wall_seconds=settings.read_seconds * 2,
        memory_bytes=settings.read_memory_mb * 1024 * 1024,
    )
    return ConvertingReader(SandboxedReader(limits), limits)


def open_shelf(
    root: Path, engines: Engines, worklog: WorkLog, catalogue: CatalogueReader, atoms: AtomReader, behind: IndexLag
) -> Shelf:
    """The passages of a store, for its writer."""
    if engines.passages is None:
        raise AssertionError("the engines that a writer opens have indexes of passages")
    store = SqlitePassages(root / "index" / "passages" / "passages.sqlite")
    return Shelf(store, engines.passages, worklog, catalogue, atoms, behind)


def open_logs(settings: Settings) -> Logs:
    """The logs of a store; that of traces only where it is asked for."""
    root = settings.data_dir
    return Logs(
        chat=FileLineLog(root, "chat"),
        usage=FileLineLog(root, "usage"),
        folded=FileLineLog(root, "usage-folded"),
        feedback=FileLineLog(root, "feedback"),
        reflections=FileLineLog(root, "reflections"),
        migrations=FileLineLog(root, "migrations"),
        intents=FileLineLog(root, "intents"),
        traces=FileLineLog(root, "traces") if settings.trace else None,
    )


def open_traces(settings: Settings, logs: Logs, clock: Clock, timings: Timings) -> Traces:
    """How answers are found, where that is kept. Traces from when they held the question go."""
    if logs.traces is None:
        return Traces(None, clock, timings)
    path = settings.data_dir / "logs" / TRACES_KEY
    try:
        if next((line for line in logs.traces.newest() if says_words(line)), None) is not None:
            logs.traces.drop(says_words)
        key = durable.read(path) if path.exists() else b""
        if not key:
            key = secrets.token_bytes(32)
            durable.make_folder(path.parent)
            durable.write(path, key)
    except Unavailable:
        log.warning("log_not_written", log="traces")
        key = secrets.token_bytes(32)
    return Traces(logs.traces, clock, timings, key)


def graph_files(root: Path) -> dict[str, JsonValue]:
    """What the manifest of the graph's sidecars says of them; nothing where there is none, or it cannot be read."""
    try:
        manifest = read_manifest(root / "graph")
    except (Corrupt, Unavailable):
        return {}
    if manifest is None:
        return {}
    return {
        "schema_version": manifest.schema_version,
        "generation": manifest.generation,
        "built_at": manifest.built_at or None,
        "bytes": manifest.nodes.bytes + manifest.edges.bytes,
    }


def open_forgettable(
    settings: Settings, catalogue: CatalogueReader, journal: Journal, logs: Logs, clock: Clock, recall: Recall,
    passages: PassageReader,
) -> ForgetSelection:  # fmt: skip
    """What can be named to be forgotten."""
    keep, backups = timedelta(days=settings.trash_days), FileLineLog(settings.data_dir, BACKUPS)
    return ForgetSelection(catalogue, journal, logs.chat, backups, clock, keep, recall.select, passages)


def open_trash(settings: Settings, atoms: AtomReader, journal: WorkLog) -> Callable[[int], list[Trashed]]:
    """What lies in the trash, for its owner to look at; nothing is moved by looking."""
    keep = timedelta(days=settings.trash_days)
    return lambda limit: in_trash(atoms, journal, keep, limit=limit, shown=SHOWN_OF_A_DELETION)


def open_records(settings: Settings, logs: Logs, catalogue: CatalogueReader, clock: Clock) -> Records:
    """What the logs say; tokens are counted from the ledger's files."""
    return Records(logs, catalogue, TokenLedger(settings.data_dir, clock, daily_limit=0).spent_on, clock)


def reflection_wanted(settings: Settings) -> Wanted:
    """What a language model may look over, and what a call may take."""
    return Wanted(
        settings.consolidate,
        settings.consolidate_enrich,
        settings.serendipity,
        settings.llm_context_tokens,
        settings.llm_timeout_seconds,
        settings.similarity_related,
    )


def recall_of(
    settings: Settings,
    catalogue: CatalogueReader,
    engines: Engines,
    graph: Graph,
    model: Model,
    models: ModelsInUse,
    clock: Clock,
    serving: Callable[[], VectorSpace | None] | None = None,
    passages: PassageReader | None = None,
) -> Recall:
    """Recall, the same on any engines; `serving` says which vectors it searches, where these may change."""
    options = RecallOptions(
        dense_seeds=settings.dense_seeds,
        dense_top_k=settings.dense_top_k,
        seed_min_score=settings.seed_min_score,
        bfs_rescore=settings.bfs_rescore,
        recommendation_cap=settings.recommendation_cap,
        dense_missing=model.missing,
        beside_from=OWN_LEGS_BESIDE_FROM if settings.mode == "embedded" else 0,
        judged=settings.judge_select,
    )
    answers = Writer(models.synthesis, settings.llm_context_tokens, settings.llm_timeout_seconds, settings.pii_scrub)
    return Recall(
        catalogue,
        engines.lexical,
        engines.dense,
        model.embedder,
        graph,
        clock,
        options,
        load_weights(),
        answers,
        model.judge,
        serving=serving,
        reranker=model.reranker,
        passages=PassageSearch(passages, engines.passages, catalogue)
        if passages is not None and engines.passages is not None
        else None,
    )
