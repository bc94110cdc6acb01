"""Short optional calls of a language model: answered within seconds, or not at all.

A model that was too slow once is not called again for a while: it would be too slow again, somebody would wait in vain each time,
and the endpoint would count as failing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from lattice_common.errors import ModelUnavailable
from lattice_common.ports.language_model import Completion, LanguageModel, ModelRequest

PAUSE_SECONDS = 600.0


class ShortCalls:
    """Safe to use from several threads. `monotonic` returns seconds that never go back."""

    def __init__(self, model: LanguageModel | None, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._model = model
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._again_at = float("-inf")

    def say(self, request: ModelRequest, cancel: threading.Event | None = None) -> str | None:
        """Return the model's words; None where there is no model, it was too slow, or nobody wants them any more (`cancel`)."""
        model = self._model
        with self._lock:
            resting = self._monotonic() < self._again_at
        if model is None or resting or not model.available():
            return None
        try:
            return _whole(model, request, cancel)
        except ModelUnavailable:
            with self._lock:
                self._again_at = self._monotonic() + PAUSE_SECONDS
            return None


def _whole(model: LanguageModel, request: ModelRequest, cancel: threading.Event | None) -> str | None:
    if cancel is None:
        return model.complete(request).text
    for event in model.stream(request, cancel):  # a stream, because that can be aborted
        if isinstance(event, Completion):
            return None if cancel.is_set() else event.text
    return None
