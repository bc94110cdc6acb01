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
    """`arguments` is JSON as the model wrote it, valid or not."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """`tool_calls` belong to the assistant's role, `tool_call_id` to that of a tool, which answers it."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """`parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back, whole. `finish` is `length` when the model was cut off: then the text is not to be trusted to be complete.
    Token counts are the endpoint's, or estimated where it gives none."""

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
    """`schema` (a JSON schema, with its `name`) asks for JSON; an endpoint that cannot enforce it still gets it in words, so what
    comes back must be checked. `max_tokens` bounds the completion, `timeout` the whole call in seconds of wall time.
    `redacted` is how many values of each kind were taken out of the messages."""

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

    `complete` and `stream` raise `ModelUnavailable` (from `lattice_common.errors`; it is an `Unavailable`) when the endpoint is
    away, too slow, answers with an error or something that is no completion, or the day's tokens are spent; retries of what may
    pass (429 with `Retry-After`, 5xx, a connection reset) are done inside, within `timeout`. After repeated failures calls fail
    at once (a circuit breaker) until one is let through to try again. What the model *says* is never an error.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def local(self) -> bool:
        """Whether the endpoint is this machine: nothing leaves it."""
        ...

    def available(self) -> bool:
        """Return whether a call has a chance now: no network, just the breaker and the budget."""
        ...

    def complete(self, request: ModelRequest) -> Completion: ...

    def stream(self, request: ModelRequest, cancel: threading.Event) -> Iterator[StreamEvent]:
        """Ends soon (≤ 2 s) after `cancel` is set, from whatever thread, with a `Completion` of what there is so far and the
        finish `length`; the call to the endpoint is given up. So it is when the iterator is closed."""
        ...
