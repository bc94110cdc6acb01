"""A language model that says what it was told to: in turn from a list, or as a function of what it is asked."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from lattice_common.domain.token_estimate import estimated_tokens
from lattice_common.errors import ModelUnavailable
from lattice_common.ports.language_model import Completion, ModelRequest, StreamEvent, TextDelta

Saying: TypeAlias = str | Completion | Exception
"""A text, a whole completion, or an error that is raised."""

_PIECES = re.compile(r"\s*\S+|\s+")


class ScriptedModel:
    """`script` is what it says, one saying for each call, or a function of the request. A list that is used up is a model that
    is away. `requests` is all it was asked, in order; `up` may be changed at any time, and False makes every call fail."""

    def __init__(
        self,
        script: Iterable[Saying] | Callable[[ModelRequest], Saying],
        *,
        model_id: str = "scripted",
        local: bool = True,
        up: bool = True,
    ) -> None:
        self.requests: list[ModelRequest] = []
        self.up = up
        self._model_id = model_id
        self._local = local
        self._lock = threading.Lock()
        self._say = script if callable(script) else _in_turn(iter(script))

    def say_from_now_on(self, script: Callable[[ModelRequest], Saying]) -> None:
        """Answer by another function from the next call on."""
        self._say = script

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def local(self) -> bool:
        return self._local

    @property
    def calls(self) -> int:
        """Return how often it was asked, failures included."""
        return len(self.requests)

    def available(self) -> bool:
        return self.up

    def complete(self, request: ModelRequest) -> Completion:
        with self._lock:
            self.requests.append(request)
            if not self.up:
                raise ModelUnavailable(f"The language model {self._model_id} is away: wait, and it is asked again.")
            said = self._say(request)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Completion):
            return said
        prompt = sum(estimated_tokens(each.content) for each in request.messages)
        return Completion(said, "stop", prompt_tokens=prompt, completion_tokens=estimated_tokens(said))

    def stream(self, request: ModelRequest, cancel: threading.Event) -> Iterator[StreamEvent]:
        whole = self.complete(request)
        given = ""
        for piece in _PIECES.findall(whole.text):
            if cancel.is_set():
                yield Completion(given, "length", (), whole.prompt_tokens, estimated_tokens(given))
                return
            given += piece
            yield TextDelta(piece)
        yield whole


def _in_turn(sayings: Iterator[Saying]) -> Callable[[ModelRequest], Saying]:
    used_up = ModelUnavailable("The script has no more to say: give it as many sayings as there are calls.")
    return lambda _: next(sayings, used_up)
