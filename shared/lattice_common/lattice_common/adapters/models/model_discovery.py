"""Language models that may turn up later: Ollama that is started, or has pulled a model, after Lattice was."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lattice_common.errors import ModelUnavailable
from lattice_common.ports.language_model import Completion, LanguageModel, ModelRequest, StreamEvent

SECONDS_BETWEEN_LOOKS = 60.0


@dataclass(frozen=True, slots=True)
class FoundModels:
    """The one that reads captures, and the one that writes answers."""

    extraction: LanguageModel
    synthesis: LanguageModel
    trouble: Callable[[], str | None]
    """Why one of them would fail at once now."""

    @property
    def names(self) -> tuple[str, str]:
        return self.extraction.model_id, self.synthesis.model_id


Look: TypeAlias = Callable[[], FoundModels | str]
"""Looks once; gives the models, or why there are none."""


class Search:
    """Looks when it is made; then, until something is found, at most every 60 s, in the background, and only if somebody asks.

    With `may_change` also while what was found is in trouble: its model may have been removed, and another be there.
    """

    def __init__(self, look: Look, monotonic: Callable[[], float], *, may_change: bool = False) -> None:
        self._look = look
        self._monotonic = monotonic
        self._may_change = may_change
        self._lock = threading.Lock()
        self._looking: threading.Thread | None = None
        self._looked_at = monotonic()
        self._result = look()

    def result(self) -> FoundModels | str:
        """Return what the last look gave, without waiting for another."""
        with self._lock:
            if self._wanting() and self._monotonic() - self._looked_at >= SECONDS_BETWEEN_LOOKS:
                self._looked_at = self._monotonic()
                self._looking = threading.Thread(target=self._look_again, name="model-search", daemon=True)
                self._looking.start()
            return self._result

    def close(self) -> None:
        """Wait for a look under way."""
        if self._looking is not None:
            self._looking.join(timeout=5)

    def _wanting(self) -> bool:
        return isinstance(self._result, str) or (self._may_change and self._result.trouble() is not None)

    def _look_again(self) -> None:
        result = self._look()
        with self._lock:
            # What was found stays, with what is known of its failures, unless it is other models that are there now.
            if isinstance(self._result, str) or (not isinstance(result, str) and result.names != self._result.names):
                self._result = result


class DiscoveredModel:
    """Whatever `search` has found, `pick`ed; until then a model without a name that is not available."""

    def __init__(self, search: Search, pick: Callable[[FoundModels], LanguageModel], *, local: bool) -> None:
        self._search = search
        self._pick = pick
        self._local = local

    @property
    def model_id(self) -> str:
        found = self._search.result()
        return "" if isinstance(found, str) else self._pick(found).model_id

    @property
    def local(self) -> bool:
        return self._local

    def available(self) -> bool:
        found = self._search.result()
        return not isinstance(found, str) and self._pick(found).available()

    def complete(self, request: ModelRequest) -> Completion:
        return self._found().complete(request)

    def stream(self, request: ModelRequest, cancel: threading.Event) -> Iterator[StreamEvent]:
        return self._found().stream(request, cancel)

    def _found(self) -> LanguageModel:
        found = self._search.result()
        if isinstance(found, str):
            raise ModelUnavailable(found)
        return self._pick(found)
