"""The models that the settings name, and what uses them: the embedder, the judge, the reranker, the document reader and the
extractor. Part of the composition root."""

from __future__ import annotations

from dataclasses import dataclass, replace

import orjson
from platformdirs import user_cache_path

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.converting_reader import ConvertingReader
from lattice_common.adapters.files.egress_log import EgressLog
from lattice_common.adapters.files.embedding_record import UNNAMED, EmbeddingRecord, EmbeddingRecordFile
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.fastembed_reranker import open_reranker
from lattice_common.adapters.models.onnx_judge import OnnxJudge
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.adapters.models.open_transcriber import open_transcriber
from lattice_common.capture.readers.limits import Limits as ReadingLimits
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ingest.extract.extractor import Extractor, PartSize, RuleExtractor
from lattice_common.ingest.extract.model import ExtractionLimits, ModelExtractor
from lattice_common.ingest.pace import Pace
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.judge import Judge
from lattice_common.ports.language_model import LanguageModel
from lattice_common.ports.reranker import Reranker
from lattice_common.settings import Settings
from lattice_common.upkeep.reflection.schedule import Wanted

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Former:
    """The embedder that made the vectors in use, where the settings now name another."""

    embedder: Embedder
    record: EmbeddingRecord


@dataclass(frozen=True, slots=True)
class Model:
    """The embedder and the judge, or the bare reason why one is missing; recall and status show what that costs."""

    embedder: Embedder | None
    missing: str | None = None
    judge: Judge | None = None
    judge_missing: str | None = None
    former: Former | None = None
    reranker: Reranker | None = None
    reranker_missing: str | None = None

    @property
    def degraded(self) -> tuple[str, ...]:
        """Return what answers are missing because a model could not be loaded, with the reason."""
        missing = {"dense": self.missing, "judge": self.judge_missing, "rerank": self.reranker_missing}
        return tuple(f"{part}: {reason}" for part, reason in missing.items() if reason)


def load_model(settings: Settings) -> Model:
    """Return the embedder and the judge that the settings name; where one cannot be loaded the product goes on without it and
    says so."""
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


def model_for(settings: Settings, loaded: Model) -> Model:
    """Return loaded models for another data folder: which model made the vectors in use is recorded per folder."""
    return replace(loaded, former=_load_former(settings, loaded.embedder) if loaded.embedder else None)


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
    """Return the embedder of the vectors in use; None where it is the wanted one, or cannot be loaded: then those vectors are not
    searched."""
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
    """Return the record that a store from before there were records would have: its vectors are the packaged model's, as far as
    can be told."""
    packaged = EmbeddingRecord(packaged_minilm.NAME, packaged_minilm.MODEL_ID, packaged_minilm.WIDTH)
    if settings.mode == "server":
        return packaged if (settings.data_dir / "index" / "catalogue.sqlite").exists() else None
    for name in ("exact", "edge"):
        try:
            made_by = orjson.loads(durable.read_derived(settings.data_dir / "index" / "dense" / name / "made-by.json"))
        except (OSError, orjson.JSONDecodeError):
            continue
        return packaged if made_by.get("model_id") == packaged.model_id else None
    return None


def place_in_use(settings: Settings, model: Model) -> tuple[Embedder | None, str]:
    """Return the embedder whose vectors are searched, and their place."""
    if model.former is not None:
        return model.former.embedder, model.former.record.place
    record = EmbeddingRecordFile(settings.data_dir).latest()
    return model.embedder, record.place if record else UNNAMED


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


def open_document_reader(settings: Settings, clock: Clock) -> ConvertingReader:
    """Return the document reader. It runs in its own process, started with the first file, and uses the converters that are
    installed."""
    limits = ReadingLimits(
        file_bytes=settings.max_file_bytes,
        text_bytes=settings.max_text_bytes,
        cpu_seconds=settings.read_seconds,
        wall_seconds=settings.read_seconds * 2,
        memory_bytes=settings.read_memory_mb * 1024 * 1024,
    )
    transcriber = open_transcriber(settings, EgressLog(settings.data_dir, clock))
    return ConvertingReader(SandboxedReader(limits), limits, transcriber)


def open_extractor(settings: Settings, model: LanguageModel | None, pace: Pace) -> Extractor:
    """Return the extractor: rules, or a language model with rules where it returns nothing usable. `model` may become available
    later; where the settings name none, it is not waited for."""
    rules = RuleExtractor(PartSize(characters=pace.part_characters))
    if model is None:
        return rules
    limits = ExtractionLimits(
        parallel=settings.extract_parallel,
        context_tokens=settings.llm_context_tokens,
        capture_tokens=settings.llm_capture_tokens,
        capture_seconds=settings.llm_capture_seconds,
        call_seconds=settings.llm_timeout_seconds,
        patience_seconds=settings.llm_patience_seconds,
    )
    named = settings.llm_provider != "auto" or bool(settings.llm_base_url or settings.llm_model)
    return ModelExtractor(model, limits, expected=named, rules=rules)


def reflection_wanted(settings: Settings) -> Wanted:
    """Return which kinds of reflection a language model may do, and the limits of one call."""
    return Wanted(
        settings.consolidate,
        settings.consolidate_enrich,
        settings.serendipity,
        settings.llm_context_tokens,
        settings.llm_timeout_seconds,
        settings.similarity_related,
        settings.reflect_elsewhere,
    )
