"""What reads captures, as the settings say: rules, or a language model and rules where it gives nothing."""

from __future__ import annotations

from lattice_common.ingest.extract.extractor import Extractor, RuleExtractor
from lattice_common.ingest.extract.model import Limits, ModelExtractor
from lattice_common.ports.language_model import LanguageModel
from lattice_common.settings import Settings


def open_extractor(settings: Settings, model: LanguageModel | None) -> Extractor:
    """`model` may turn up later; where the settings name none, it is not waited for."""
    if model is None:
        return RuleExtractor()
    limits = Limits(
        parallel=settings.extract_parallel,
        context_tokens=settings.llm_context_tokens,
        capture_tokens=settings.llm_capture_tokens,
        capture_seconds=settings.llm_capture_seconds,
        call_seconds=settings.llm_timeout_seconds,
        patience_seconds=settings.llm_patience_seconds,
    )
    named = settings.llm_provider != "auto" or bool(settings.llm_base_url or settings.llm_model)
    return ModelExtractor(model, limits, expected=named)
