"""A language model behind an OpenAI-compatible endpoint. Everything works without one."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from lattice_common.domain.capture import JsonValue

Purpose: TypeAlias = Literal["extract", "repair", "supersede", "synthesize", "rewrite", "intent", "consolidate", "connect"]
Finish: TypeAlias = Literal["stop", "length", "tool_calls", "refused"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that the model asks for. `arguments` is JSON as the model wrote it, valid or not."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. `tool_calls` belong to the assistant's role; `tool_call_id` names the call that a tool's
    message answers."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may call. `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer. `finish` is `length` when the model was cut off: then the text may be incomplete. Token counts are the
    endpoint's, or estimated where it gives none."""

    text: str
    finish: Finish
    tool_calls: tuple[ToolCall, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of a streamed text, in order."""

    text: str


StreamEvent: TypeAlias = TextDelta | Completion
"""A stream is any number of `TextDelta`s, then exactly one `Completion` with the whole text."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request. `schema` (a JSON schema, with its `name`) asks for JSON; an endpoint that cannot enforce it still gets it in
    words, so the answer must be checked. `max_tokens` limits the completion, `timeout` the whole call in seconds of wall time.
    `redacted` counts the values of each kind that were taken out of the messages."""

    purpose: Purpose
    messages: Sequence[Message]
    max_tokens: int
    schema_name: str | None = None
    schema: Mapping[str, JsonValue] | None = None
    tools: Sequence[Tool] = field(default=())
    temperature: float = 0.0
    timeout: float = 120.0
    redacted: Mapping[str, int] = field(default_factory=dict)


class LanguageModel(Protocol):
    """Safe to call from several threads at once.

    `complete` and `stream` raise `ModelUnavailable` (from `lattice_common.errors`; an `Unavailable`) when the endpoint is away or
    too slow, answers with an error or with something that is no completion, or the day's tokens are spent. Transient failures
    (429 with `Retry-After`, 5xx, a connection reset) are retried inside, within `timeout`. After repeated failures calls fail at
    once (a circuit breaker) until one is let through to try again. What the model *says* is never an error.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def local(self) -> bool:
        """Return whether the endpoint is on this machine, so that nothing leaves it."""
        ...

    def available(self) -> bool:
        """Return whether a call has a chance now, by the breaker and the budget; makes no network call."""
        ...

    def complete(self, request: ModelRequest) -> Completion: ...

    def stream(self, request: ModelRequest, cancel: threading.Event) -> Iterator[StreamEvent]:
        """Yield a completion as it comes. It ends within 2 s after `cancel` is set by any thread, with a `Completion` of the text
        so far and the finish `length`; the call to the endpoint is aborted. The same happens when the iterator is closed."""
        ...
