"""An answer written by a language model, from the selected memories only: one streamed call, and up to five more for its tools.

The model's words are never trusted: it cites by numbers, those outside the pack are dropped, and the caller checks the sentences
against the memories (`recall/answer_check.py`). Every way in which a model can fail ends as a value that says so.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lattice_common.domain.recall import Token
from lattice_common.domain.token_estimate import estimated_tokens
from lattice_common.errors import ModelUnavailable
from lattice_common.ports.language_model import Completion, LanguageModel, Message, ModelRequest, ToolCall
from lattice_common.recall.synthesize.marks import CITATION
from lattice_common.recall.synthesize.pack import Pack
from lattice_common.recall.synthesize.streamed import Streamed
from lattice_common.recall.tools import ToolResult, call

ROUNDS = 5
"""Calls in which tools may be used; one more must then answer."""
CALLS_OF_A_ROUND = 8
_WORD = re.compile(r"\w")
MOST_CHARACTERS = 20_000
"""A longer text is no answer, whatever the endpoint makes of `max_tokens`."""


@dataclass(frozen=True, slots=True)
class Written:
    """`cited` are the numbers of memories in the pack, in the order in which the text's own numbers, from 1, name them. `results`
    are the tools' results."""

    text: str
    cited: tuple[int, ...]
    results: tuple[ToolResult, ...]


@dataclass(frozen=True, slots=True)
class NotKnown:
    """The model finds no answer in the memories."""


@dataclass(frozen=True, slots=True)
class Failed:
    """No usable answer; `why` goes into a sentence after "it"."""

    why: str


@dataclass(frozen=True, slots=True)
class Left:
    """Nobody wants the answer any more."""


WritingOutcome: TypeAlias = Written | NotKnown | Failed | Left


def written(
    pack: Pack,
    model: LanguageModel,
    *,
    allowed_urls: Collection[str],
    context_tokens: int,
    seconds: float,
    cancel: threading.Event,
) -> Generator[Token, None, WritingOutcome]:
    """Yield the answer's pieces as they come, and return how it ended. `seconds` is for all calls together."""
    deadline = time.monotonic() + seconds
    messages = list(pack.messages)
    results: list[ToolResult] = []
    for number in range(ROUNDS + 1):
        left = deadline - time.monotonic()
        if left <= 0:
            return Failed(f"took longer than {seconds:g} seconds")
        if sum(estimated_tokens(each.content) + 8 for each in messages) + pack.max_tokens > context_tokens:
            return Failed("used more tools than its context has room for")
        request = ModelRequest(
            "synthesize", messages, pack.max_tokens, tools=pack.tools if number < ROUNDS else (), temperature=0.0, timeout=left
        )
        heard = Streamed(len(pack.atoms), allowed_urls)
        try:
            ended = yield from _heard(model, request, heard, deadline, cancel)
        except ModelUnavailable as error:
            return Left() if cancel.is_set() else Failed(_reason(error))
        if not isinstance(ended, Completion):
            return ended
        if ended.finish != "tool_calls" or not ended.tool_calls:
            return (yield from _judged(ended, heard, results))
        if number == ROUNDS:
            break
        results += _answer(ended, messages)
    return Failed("went on using its tools without an answer")


def _heard(
    model: LanguageModel, request: ModelRequest, heard: Streamed, deadline: float, cancel: threading.Event
) -> Generator[Token, None, Completion | WritingOutcome]:
    """Yield the pieces of one call. Leaving the loop closes the stream, which aborts the call."""
    for event in model.stream(request, cancel):
        if cancel.is_set():
            return Left()
        if isinstance(event, Completion):
            if not heard.taken and event.text and (ready := heard.feed(event.text)):
                yield Token(ready)
            return NotKnown() if heard.no_info else event
        if ready := heard.feed(event.text):
            yield Token(ready)
        if heard.no_info:
            return NotKnown()
        if heard.taken > MOST_CHARACTERS:
            return Failed("did not come to an end")
        if time.monotonic() > deadline:
            return Failed("took too long")
    return Left() if cancel.is_set() else Failed("broke off")


def _judged(ended: Completion, heard: Streamed, results: Sequence[ToolResult]) -> Generator[Token, None, WritingOutcome]:
    if ended.finish == "refused":
        return Failed("refused to answer")
    if ended.finish == "length":
        return Failed("was cut off before its end")
    if ready := heard.end():
        yield Token(ready)
    if heard.no_info:
        return NotKnown()
    text = heard.shown.strip()
    if not _WORD.search(CITATION.sub("", text)):
        return Failed("said nothing")
    if not heard.order:
        return Failed("named no memory that it rests on")
    return Written(text, tuple(heard.order), tuple(results))


def _answer(ended: Completion, messages: list[Message]) -> list[ToolResult]:
    """Carry out the calls of one round, and add them and their results to the conversation."""
    calls: tuple[ToolCall, ...] = ended.tool_calls[:CALLS_OF_A_ROUND]
    results = [call(each) for each in calls]
    messages.append(Message("assistant", ended.text, tool_calls=tuple(map(_repeatable, calls))))
    messages += [Message("tool", result.said, tool_call_id=each.call_id) for each, result in zip(calls, results, strict=True)]
    return results


def _repeatable(made: ToolCall) -> ToolCall:
    """Return a call in the form in which it goes back into the conversation: endpoints refuse arguments that are no JSON object,
    whoever wrote them."""
    try:
        whole = isinstance(json.loads(made.arguments), dict)
    except (ValueError, RecursionError):
        whole = False
    return made if whole else replace(made, arguments="{}")


def _reason(error: ModelUnavailable) -> str:
    return f"could not be asked: {str(error).rstrip('.')}"
