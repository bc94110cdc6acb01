"""What a scripted endpoint can do when it is asked for a completion: well, badly, slowly, without end."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from tests.services.model_server import Behaviour, Call

EVENTS = "text/event-stream"


def answer(
    text: str | Callable[[dict[str, Any]], str],
    *,
    finish: str = "stop",
    tools: Sequence[tuple[str, str]] = (),
    usage: tuple[int, int] | None = (100, 20),
) -> Behaviour:
    """A completion: a text, or a function of the request's body. `tools` are names and arguments of calls it makes; `usage` the
    tokens it says it read and wrote, None to say nothing."""

    def behave(call: Call) -> None:
        said = text if isinstance(text, str) else text(call.body)
        if call.streamed:
            call.begin(kind=EVENTS)
            for each in _chunks(said, finish, tools, usage):
                if not call.write(each):
                    return
        else:
            call.send(200, json.dumps(_completion(said, finish, tools, usage)).encode())

    return behave


def call_tool(name: str, arguments: dict[str, Any] | str) -> Behaviour:
    """The model calls a tool; `arguments` as a string are sent as they stand, valid or not."""
    return answer("", finish="tool_calls", tools=[(name, arguments if isinstance(arguments, str) else json.dumps(arguments))])


def cut_off(text: str) -> Behaviour:
    """The model ran into the limit of tokens."""
    return answer(text, finish="length")


def echo() -> Behaviour:
    """The model says what it was told last."""
    return answer(lambda body: str(body["messages"][-1]["content"]))


def refusal(text: str = "I can't help with that.") -> Behaviour:
    """The model refuses, in the field the API has for it."""

    def behave(call: Call) -> None:
        whole = _completion("", "stop", (), (100, 5))
        if call.streamed:
            call.begin(kind=EVENTS)
            call.write(_event({"choices": [{"index": 0, "delta": {"role": "assistant", "refusal": text}}]}))
            call.write(_event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}) + b"data: [DONE]\n\n")
        else:
            whole["choices"][0]["message"] |= {"content": None, "refusal": text}
            call.send(200, json.dumps(whole).encode())

    return behave


def drip(text: str, *, every: float = 0.2, begin: float = 0.0) -> Behaviour:
    """Slowly: a stream of words with `every` seconds between them, after `begin` seconds; a plain answer byte by byte."""

    def behave(call: Call) -> None:
        if not call.wait(begin):
            return
        whole = json.dumps(_completion(text, "stop", (), (100, 20))).encode()
        pieces = list(_chunks(text, "stop", (), (100, 20))) if call.streamed else [bytes([each]) for each in whole]
        call.begin(kind=EVENTS if call.streamed else "application/json")
        for each in pieces:
            if not call.write(each) or not call.wait(every):
                return

    return behave


def hang(seconds: float = 3600.0) -> Behaviour:
    """Says nothing at all."""

    def behave(call: Call) -> None:
        call.wait(seconds)
        call.drop()

    return behave


def disconnect(after: str = "Half of an ans") -> Behaviour:
    """The connection is reset in the middle of the answer."""

    def behave(call: Call) -> None:
        if call.streamed:
            call.begin(kind=EVENTS)
            for each in list(_chunks(after, "stop", (), None))[:-2]:
                call.write(each)
        else:
            whole = json.dumps(_completion(after, "stop", (), None)).encode()
            call.begin(kind="application/json", content_length=str(len(whole)))
            call.write(whole[: len(whole) // 2])
        call.wait(0.02)
        call.drop()

    return behave


def failing(status: int = 500, message: str = "the model fell over", **headers: str) -> Behaviour:
    """An error as OpenAI writes them."""
    return lambda call: call.send(status, json.dumps({"error": {"message": message, "type": "error"}}).encode(), **headers)


def rate_limited(retry_after: float | None = 1) -> Behaviour:
    """429, with how long to wait."""
    return failing(429, "slow down", **({} if retry_after is None else {"Retry_After": str(retry_after)}))


def html(status: int = 200) -> Behaviour:
    """A page: some proxy's log-in, or its error."""
    return lambda call: call.send(status, b"<!doctype html><html><body>Please log in</body></html>", kind="text/html")


def redirect(to: str) -> Behaviour:
    """Sends the client to another address."""
    return lambda call: call.send(307, b"", Location=to)


def truncated_json() -> Behaviour:
    """Half a response, said to be whole."""
    return lambda call: call.send(200, json.dumps(_completion("half", "stop", (), None)).encode()[:60])


def no_completion(content: bytes = b'{"object": "list", "data": []}') -> Behaviour:
    """JSON, and something else."""
    return lambda call: call.send(200, content)


def huge(size: int = 10_000_000) -> Behaviour:
    """A completion of `size` letters."""
    return answer("x" * size)


def endless(word: str = "and ") -> Behaviour:
    """A stream or a body without end."""

    def behave(call: Call) -> None:
        call.begin(kind=EVENTS if call.streamed else "application/json")
        piece = _event({"choices": [{"index": 0, "delta": {"content": word * 50}}]}) if call.streamed else word.encode() * 1000
        if not call.streamed:
            call.write(b'{"choices": [{"message": {"content": "')
        while not call.server.closing.is_set() and call.write(piece):
            pass

    return behave


def refuses_formats(*kinds: str, otherwise: Behaviour) -> Behaviour:
    """An endpoint that does not know some kinds of `response_format` (`json_schema`, `json_object`)."""

    def behave(call: Call) -> None:
        kind = (call.body.get("response_format") or {}).get("type")
        if kind in kinds:
            call.send(
                400, json.dumps({"error": {"message": f"response_format {kind} is not supported", "type": "error"}}).encode()
            )
        else:
            otherwise(call)

    return behave


def _completion(text: str, finish: str, tools: Sequence[tuple[str, str]], usage: tuple[int, int] | None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if tools:
        message["tool_calls"] = _tool_calls(tools)
    whole: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted:latest",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if usage:
        whole["usage"] = _usage(usage)
    return whole


def _chunks(text: str, finish: str, tools: Sequence[tuple[str, str]], usage: tuple[int, int] | None) -> list[bytes]:
    """The events of a stream, word by word, a tool's arguments in two pieces."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in re.findall(r"\s*\S+|\s+", text)]
    for number, call in enumerate(_tool_calls(tools)):
        arguments = call["function"]["arguments"]
        half = len(arguments) // 2
        deltas.append(
            {"tool_calls": [{**call, "index": number, "function": {**call["function"], "arguments": arguments[:half]}}]}
        )
        deltas.append({"tool_calls": [{"index": number, "function": {"arguments": arguments[half:]}}]})
    events = [_event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}) for delta in deltas]
    events.append(_event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}))
    last = [_event({"choices": [], "usage": _usage(usage)})] if usage else []
    return [*events, *last, b"data: [DONE]\n\n"]


def _tool_calls(tools: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    return [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in zip(itertools.count(1), tools, strict=False)
    ]


def _usage(usage: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}


def _event(fields: dict[str, Any]) -> bytes:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "scripted:latest"}
    return b"data: " + json.dumps({**head, **fields}).encode() + b"\n\n"
