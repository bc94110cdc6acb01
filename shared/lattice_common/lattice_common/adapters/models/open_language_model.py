"""Opens the language models that the settings name: Ollama's, those of any OpenAI-compatible endpoint, or none.

Ollama is recognised by its port answering within 300 ms and having a model that can talk; where it does not, it is looked for
again later. No other endpoint is asked anything before there is something to read or to answer. What goes to another machine is
redacted (LATTICE_PII_SCRUB), and noted before it leaves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lattice_common.adapters.files.egress_log import EgressLog
from lattice_common.adapters.files.token_ledger import Prices, TokenLedger
from lattice_common.adapters.models.background_loop import BackgroundLoop
from lattice_common.adapters.models.endpoint import Endpoint, checked_endpoint
from lattice_common.adapters.models.listed_models import OLLAMA_URL, models_at
from lattice_common.adapters.models.model_discovery import DiscoveredModel, FoundModels, Search
from lattice_common.adapters.models.openai_model import OpenAIModel
from lattice_common.adapters.models.presidio_names import MISSING, presidio_missing, presidio_names
from lattice_common.adapters.models.redacting_model import RedactingModel
from lattice_common.errors import NotConfigured
from lattice_common.language.pii.names import names
from lattice_common.language.pii.redaction import BY_PATTERN, BY_RULES
from lattice_common.ports.clock import Clock
from lattice_common.ports.language_model import LanguageModel, ModelRequest
from lattice_common.settings import Settings

OPENAI_URL = "https://api.openai.com/v1"
OFF = "No language model is set up: rules read, and answers quote. To have one, start Ollama, or set LLM_BASE_URL and LLM_MODEL."

ModelState: TypeAlias = Mapping[str, str | int | bool | None]


@dataclass(frozen=True, slots=True)
class ModelsInUse:
    """The model that reads captures and the one that writes answers; None when there will be none. One that may turn up later has
    no `model_id` until it has. `close` gives up what is under way."""

    extraction: LanguageModel | None
    synthesis: LanguageModel | None
    state: Callable[[], ModelState]
    """For people: provider, host, model, synthesis_model, local, available, reason, tokens_today, tokens_limit. Never the key."""
    close: Callable[[], None]

    def readiness(self) -> str:
        """Return `up` with what is used (`up: tiny, large for answers`), `off`, or what is the matter."""
        state = self.state()
        if state["available"]:
            reads, writes = state["model"], state["synthesis_model"]
            return f"up: {reads}" if writes in (reads, None) else f"up: {reads}, {writes} for answers"
        return "off" if state["provider"] == "none" else str(state["reason"])


def open_language_model(
    settings: Settings, clock: Clock, *, ollama_url: str = OLLAMA_URL, monotonic: Callable[[], float] = time.monotonic
) -> ModelsInUse:
    """Open the model that is set. Take up to 300 ms where Ollama is looked for and something else holds its port. Raise nothing:
    what is wrong with the settings is in the state, for Lattice works without a model."""
    ledger = open_ledger(settings, clock)
    try:
        endpoint = _endpoint_of(settings, ollama_url)
    except NotConfigured as error:
        return _none(ledger, settings.llm_provider, str(error))
    if endpoint is None:
        return _none(ledger, "none", OFF)
    redacts = settings.pii_scrub and not endpoint.local
    if settings.ner_model and settings.ner_model != "presidio":
        return _none(
            ledger, endpoint.provider, "LATTICE_NER_MODEL names something else than presidio: correct it, or leave it empty."
        )
    if redacts and settings.ner_model and presidio_missing():
        return _none(ledger, endpoint.provider, MISSING)
    return _open(_Opening(settings, endpoint, ledger, EgressLog(settings.data_dir, clock), BackgroundLoop(), monotonic))


def open_ledger(settings: Settings, clock: Clock) -> TokenLedger:
    """Return what the day's calls cost, in tokens and at the owner's prices."""
    prices = Prices(settings.llm_prompt_price, settings.llm_completion_price)
    return TokenLedger(settings.data_dir, clock, daily_limit=settings.llm_daily_tokens, prices=prices)


def _open(opening: _Opening) -> ModelsInUse:
    search = Search(opening.look, opening.monotonic, may_change=opening.endpoint.provider == "ollama")
    local = opening.endpoint.local

    def close() -> None:
        search.close()
        opening.loop.close()

    return ModelsInUse(
        DiscoveredModel(search, lambda found: found.extraction, local=local),
        DiscoveredModel(search, lambda found: found.synthesis, local=local),
        lambda: opening.state(search.result()),
        close,
    )


def _none(ledger: TokenLedger, provider: str, reason: str) -> ModelsInUse:
    return ModelsInUse(None, None, lambda: _state(ledger, provider, reason), lambda: None)


def _endpoint_of(settings: Settings, ollama_url: str) -> Endpoint | None:
    """Return where to ask; None for nowhere. Raise `NotConfigured`."""
    provider, url = settings.llm_provider, settings.llm_base_url.strip()
    key = settings.llm_api_key.get_secret_value().strip() if settings.llm_api_key else None
    gate = settings.llm_gate
    if provider == "none":
        return None
    if provider == "ollama" or (provider == "auto" and not url):
        endpoint = checked_endpoint(url or ollama_url, "ollama", key, gate)
        return endpoint if endpoint.parts.path else checked_endpoint(f"{endpoint.base_url}/v1", "ollama", key, gate)
    endpoint = checked_endpoint(url or OPENAI_URL, "openai", key, gate)
    if not url and not key:
        raise NotConfigured("LLM_PROVIDER is openai and there is no key: set LLM_API_KEY.", env_line="LLM_API_KEY=")
    if not settings.llm_model and not endpoint.local:
        raise NotConfigured(
            f"{endpoint.host} is to be asked, but not which model: set LLM_MODEL to a name of one it has.", env_line="LLM_MODEL="
        )
    return endpoint


@dataclass(frozen=True, slots=True)
class _Opening:
    """What models are made of."""

    settings: Settings
    endpoint: Endpoint
    ledger: TokenLedger
    egress: EgressLog
    loop: BackgroundLoop
    monotonic: Callable[[], float]

    def look(self) -> FoundModels | str:
        """Return both models, or why there are none. Only an endpoint that may have none, or not the one, is asked."""
        extraction, synthesis = self.settings.llm_model, self.settings.synthesis_model or self.settings.llm_model
        if self.endpoint.provider == "openai" and extraction:
            return self._found(extraction, synthesis)
        listed = models_at(self.endpoint)
        host = self.endpoint.host
        if listed is None:
            return OFF if self._unasked else f"{host} does not answer: start it, or correct LLM_BASE_URL."
        if not listed:
            return f"{host} has no model that can talk: pull one, for instance with `ollama pull llama3.2`."
        extraction = extraction or listed[0]
        synthesis = synthesis or extraction
        for name in (extraction, synthesis):
            if self.endpoint.provider == "ollama" and name not in listed and f"{name}:latest" not in listed:
                return f"{host} has no model {name}, but {', '.join(listed[:5])}: run `ollama pull {name}`, or name one of those."
        return self._found(extraction, synthesis)

    def state(self, found: FoundModels | str) -> ModelState:
        """Return the state, for people."""
        if isinstance(found, str):
            provider = "none" if self._unasked and found == OFF else self.endpoint.provider
            return _state(self.ledger, provider, found, host=self.endpoint.host if provider != "none" else None)
        return _state(
            self.ledger,
            self.endpoint.provider,
            found.trouble(),
            host=self.endpoint.host,
            model=found.extraction.model_id,
            synthesis_model=found.synthesis.model_id,
            local=self.endpoint.local,
            available=found.extraction.available() or found.synthesis.available(),
        )

    @property
    def _unasked(self) -> bool:
        """Return whether nobody asked for a model: then that there is none is not a fault."""
        return self.settings.llm_provider == "auto" and not self.settings.llm_base_url

    def _found(self, extraction: str, synthesis: str) -> FoundModels:
        reader = self._model(extraction)
        writer = reader if synthesis == extraction else self._model(synthesis)
        return FoundModels(self._guarded(reader), self._guarded(writer), lambda: reader.trouble() or writer.trouble())

    def _guarded(self, model: OpenAIModel) -> LanguageModel:
        if model.local or not self.settings.pii_scrub:
            return model
        return RedactingModel(model, (*BY_PATTERN, presidio_names(), names) if self.settings.ner_model else BY_RULES)

    def _model(self, name: str) -> OpenAIModel:
        def leaving(request: ModelRequest, tokens: int) -> None:
            self.egress.leaving(self.endpoint.host, name, request, tokens)

        return OpenAIModel(
            self.endpoint,
            name,
            self.loop,
            self.ledger,
            context_tokens=self.settings.llm_context_tokens,
            sending=_stays if self.endpoint.local else leaving,
            monotonic=self.monotonic,
        )


def _stays(_request: ModelRequest, _tokens: int) -> None:
    """Do nothing: what is asked of this machine leaves nothing to note."""


def _state(
    ledger: TokenLedger,
    provider: str,
    reason: str | None,
    *,
    host: str | None = None,
    model: str | None = None,
    synthesis_model: str | None = None,
    local: bool | None = None,
    available: bool = False,
) -> ModelState:
    return {
        "provider": provider,
        "host": host,
        "model": model,
        "synthesis_model": synthesis_model,
        "local": local,
        "available": available,
        "reason": reason,
        "tokens_today": ledger.spent_today(),
        "tokens_limit": ledger.daily_limit,
    }
