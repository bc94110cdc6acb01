"""A language model on another machine that is shown no personal data: what it is asked is redacted, what it says is restored."""

from __future__ import annotations

import secrets
import string
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lattice_common.language.pii.redaction import Redaction, Restorer
from lattice_common.language.pii.span import Finder
from lattice_common.ports.language_model import (
    Completion,
    LanguageModel,
    Message,
    ModelRequest,
    StreamEvent,
    TextDelta,
    ToolCall,
)

_EXPLAINED = (
    "Some real values are replaced by tags like {tag}. The same tag always stands for the same value; PERSON_1 and PERSON_2 may "
    "be two words of one name. Use tags as you would the values: copy them exactly, with their brackets, and make up none."
)
_LETTERS = string.ascii_lowercase + string.digits


class RedactingModel:
    """`finders` say what is personal; one that cannot do its work raises `ModelUnavailable`, and then nothing leaves."""

    def __init__(self, model: LanguageModel, finders: Sequence[Finder]) -> None:
        self._model = model
        self._finders = finders

    @property
    def model_id(self) -> str:
        return self._model.model_id

    @property
    def local(self) -> bool:
        return self._model.local

    def available(self) -> bool:
        return self._model.available()

    def complete(self, request: ModelRequest) -> Completion:
        redaction = self._redaction(request)
        return _restored(self._model.complete(_redacted(request, redaction)), request, redaction)

    def stream(self, request: ModelRequest, cancel: threading.Event) -> Iterator[StreamEvent]:
        redaction = self._redaction(request)
        restorer = Restorer(redaction.restore_json if request.schema is not None else redaction.restore)
        events = self._model.stream(_redacted(request, redaction), cancel)
        try:
            for event in events:
                text = restorer.feed(event.text) if isinstance(event, TextDelta) else restorer.end()
                if text:
                    yield TextDelta(text)
                if isinstance(event, Completion):
                    yield _restored(event, request, redaction)
        finally:
            close = getattr(events, "close", None)  # an iterator that is no generator has nothing to give up
            if close is not None:
                close()

    def _redaction(self, request: ModelRequest) -> Redaction:
        texts = [text for each in request.messages for text in (each.content, *(call.arguments for call in each.tool_calls))]
        return Redaction(texts, self._finders, lambda: "".join(secrets.choice(_LETTERS) for _ in range(4)))


def _redacted(request: ModelRequest, redaction: Redaction) -> ModelRequest:
    messages = [
        replace(
            each,
            content=redaction.redact(each.content),
            tool_calls=tuple(replace(call, arguments=redaction.redact(call.arguments)) for call in each.tool_calls),
        )
        for each in request.messages
    ]
    if redaction.values:
        explained = _EXPLAINED.format(tag=next(iter(redaction.values)))
        first = messages[0]
        if first.role == "system":
            messages[0] = replace(first, content=f"{first.content}\n\n{explained}")
        else:
            messages.insert(0, Message("system", explained))
    return replace(request, messages=messages, redacted=dict(redaction.counts))


def _restored(said: Completion, request: ModelRequest, redaction: Redaction) -> Completion:
    restore = redaction.restore_json if request.schema is not None else redaction.restore
    calls = tuple(ToolCall(each.call_id, each.name, redaction.restore_json(each.arguments)) for each in said.tool_calls)
    return replace(said, text=restore(said.text), tool_calls=calls)
