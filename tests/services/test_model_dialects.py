"""Endpoints that speak the chat completions API with an accent: other ends, texts in parts, unnumbered calls, cut characters."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lattice_common.errors import ModelUnavailable
from lattice_common.ports.language_model import Tool

from tests.services.model_behaviours import EVENTS, answer
from tests.services.model_server import Behaviour, Call
from tests.services.test_model_endpoint import ASKED, Asked, asked, refused, streamed

LISBON = "In Lisbon."


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Asked]:
    with asked(tmp_path, answer(LISBON)) as made:
        yield made


def frames(*choices: dict[str, Any], before: bytes = b"") -> Behaviour:
    """A stream of these choices, each a frame; `before` is sent as it stands, first."""

    def behave(call: Call) -> None:
        call.begin(kind=EVENTS)
        call.write(before)
        for choice in choices:
            call.write(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")
        call.write(b"data: [DONE]\n\n")

    return behave


def said(*contents: object, finish: str = "stop") -> Behaviour:
    return frames(*({"delta": {"content": each}} for each in contents), {"delta": {}, "finish_reason": finish})


def called(*pieces: Sequence[dict[str, Any]], finish: str = "tool_calls") -> Behaviour:
    return frames(*({"delta": {"tool_calls": piece}} for piece in pieces), {"delta": {}, "finish_reason": finish})


def whole(message: dict[str, Any], finish: str = "stop") -> Behaviour:
    return lambda call: call.send(200, json.dumps({"choices": [{"message": message, "finish_reason": finish}]}).encode())


PARTS = [
    {"type": "thinking", "thinking": [{"type": "text", "text": "Porto?"}]},
    {"type": "text", "text": "In "},
    {"type": "text", "text": "Lisbon."},
]


def test_a_text_in_parts_is_read_without_what_the_model_thought(there: Asked) -> None:
    there.server.then(said(PARTS[:2], PARTS[2:]), whole({"content": PARTS}))
    assert streamed(there).text == LISBON
    assert there.model.complete(ASKED).text == LISBON


def test_what_an_endpoint_sends_in_a_shape_of_its_own_is_not_printed(there: Asked, capfd: pytest.CaptureFixture[str]) -> None:
    there.server.then(said([{"type": "text", "text": "tulip42"}], {"text": "tulip42"}))
    streamed(there)
    out, err = capfd.readouterr()
    assert "tulip42" not in out + err


@pytest.mark.parametrize(
    "fields", [{"reasoning_content": "Porto?"}, {"reasoning": "Porto?"}, {"reasoning_details": [{"text": "Porto?"}]}]
)
def test_what_a_model_thinks_beside_its_answer_is_none_of_it(there: Asked, fields: dict[str, Any]) -> None:
    thinking = {"delta": {"content": None, **fields}}
    there.server.then(frames(thinking, {"delta": {"content": LISBON}}, {"delta": {}, "finish_reason": "stop"}))
    assert streamed(there).text == LISBON


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("end_turn", "stop"),
        ("eos", "stop"),
        ("max_tokens", "length"),
        ("MAX_TOKENS", "length"),
        ("model_length", "length"),
        ("content_filter", "refused"),
        ("SAFETY", "refused"),
        ("refusal", "refused"),
    ],
)
def test_other_words_for_an_end_are_understood(there: Asked, reason: str, finish: str) -> None:
    there.server.then(said(LISBON, finish=reason), whole({"content": LISBON}, reason))
    assert streamed(there).finish == finish
    assert there.model.complete(ASKED).finish == finish


@pytest.mark.parametrize("reason", ["error", "insufficient_system_resource", "abort"])
def test_an_end_that_is_an_error_is_no_answer_and_is_tried_again(there: Asked, reason: str) -> None:
    there.server.then(whole({"content": "In Lis"}, reason))
    assert there.model.complete(ASKED).text == LISBON
    there.server.then(said(finish=reason))
    assert streamed(there).text == LISBON
    there.server.always(said("In Lis", finish=reason))
    with pytest.raises(ModelUnavailable, match="broke off"):
        streamed(there)


def test_a_stream_that_ends_in_the_middle_is_said_to_have_broken_off(there: Asked) -> None:
    there.server.then(frames({"delta": {"content": "In Lis"}}))
    with pytest.raises(ModelUnavailable, match="broke off"):
        streamed(there)


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["In \ud83d", "\ude00 Lisbon."], "In 😀 Lisbon."),
        (["In \ud83d", "", "\ude00 Lisbon."], "In 😀 Lisbon."),
        (["In \ud83d", "Lisbon."], "In \ufffdLisbon."),
        (["In \ude00Lis\0bon."], "In \ufffdLisbon."),
        (["In Lisbon.", "\ud83d"], "In Lisbon."),
    ],
)
def test_a_character_that_was_cut_in_two_is_whole_again_and_half_a_one_breaks_nothing(
    there: Asked, pieces: list[str], text: str
) -> None:
    there.server.then(said(*pieces))
    assert streamed(there).text == text


def test_half_a_character_in_a_whole_answer_breaks_nothing(there: Asked) -> None:
    there.server.then(whole({"content": "In \ud83dLisbon\0."}))
    assert there.model.complete(ASKED).text == "In \ufffdLisbon."


def test_one_answer_is_read_where_two_come(there: Asked) -> None:
    there.server.then(
        frames(
            {"index": 0, "delta": {"content": LISBON}},
            {"index": 1, "delta": {"content": "In Porto."}},
            {"index": 0, "delta": {}, "finish_reason": "stop"},
        )
    )
    assert streamed(there).text == LISBON


def test_a_whole_message_instead_of_pieces_is_read_once(there: Asked) -> None:
    message = {"content": LISBON}
    there.server.then(
        frames({"message": message, "finish_reason": "stop"}),
        frames({"delta": message}, {"message": message, "finish_reason": "stop"}),
    )
    assert [streamed(there).text for _ in range(2)] == [LISBON, LISBON]


@pytest.mark.parametrize("before", [b": keep-alive\n\n:\n\n", b"event: ping\ndata: {}\n\n", b"\r\n\r\n: x\r\n\r\n"])
def test_what_keeps_a_connection_alive_is_no_part_of_an_answer(there: Asked, before: bytes) -> None:
    there.server.then(frames({"delta": {"content": LISBON}}, {"delta": {}, "finish_reason": "stop"}, before=before))
    assert streamed(there).text == LISBON


def test_an_answer_is_the_same_however_its_bytes_are_cut(there: Asked) -> None:
    frame = (
        b"data: " + json.dumps({"choices": [{"delta": {"content": "鍵 in Lisboa 🎉"}}]}, ensure_ascii=False).encode() + b"\n\n"
    )
    end = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'

    def behave(call: Call) -> None:
        call.begin(kind=EVENTS)
        for byte in frame + end:
            call.write(bytes([byte]))

    there.server.then(behave)
    assert streamed(there).text == "鍵 in Lisboa 🎉"


# Calls of tools

TOOLS = replace(ASKED, tools=[Tool("add", "Adds.", {"type": "object"}), Tool("span", "Spans.", {"type": "object"})])
ADD = {"name": "add", "arguments": '{"numbers": [1, 2]}'}
SPAN = {"name": "span", "arguments": '{"start": "2026-01-01"}'}
BOTH = [("add", {"numbers": [1, 2]}), ("span", {"start": "2026-01-01"})]


def cut(function: dict[str, str], **more: Any) -> list[list[dict[str, Any]]]:
    """A call in two pieces, both with what `more` says."""
    half = len(function["arguments"]) // 2
    first, second = function["arguments"][:half], function["arguments"][half:]
    return [[{**more, "function": {**function, "arguments": first}}], [{**more, "function": {"arguments": second}}]]


REPEATED = [
    [{"id": "a", "index": 0, "function": {"name": "add", "arguments": piece}}] for piece in ('{"numbers"', ": [1,", " 2]}")
]

CALLS: dict[str, Behaviour] = {
    "OpenAI": called(*cut(ADD, index=0, id="a"), *cut(SPAN, index=1, id="b")),
    "one index for all, with ids": called(
        [{"index": 0, "id": "a", "function": ADD}], [{"index": 0, "id": "b", "function": SPAN}]
    ),
    "one index for all, without ids": called([{"index": 0, "function": ADD}], [{"index": 0, "function": SPAN}]),
    "no index": called([{"id": "a", "function": ADD}], [{"id": "b", "function": SPAN}]),
    "no index, all at once": called([{"id": "a", "function": ADD}, {"id": "b", "function": SPAN}]),
    "the end is called stop": called(
        [{"index": 0, "id": "a", "function": ADD}, {"index": 1, "id": "b", "function": SPAN}], finish="stop"
    ),
    "id and name with every piece": called(*REPEATED, [{"id": "b", "index": 1, "function": SPAN}]),
    "arguments that were read": called(
        *(
            [{"index": number, "function": {"name": name, "arguments": arguments}}]
            for number, (name, arguments) in enumerate(BOTH)
        )
    ),
}


@pytest.mark.parametrize("kind", CALLS)
def test_calls_of_tools_are_told_apart(there: Asked, kind: str) -> None:
    there.server.then(CALLS[kind])
    made = streamed(there, TOOLS)
    assert [(each.name, json.loads(each.arguments)) for each in made.tool_calls] == BOTH
    assert made.finish == "tool_calls"
    assert len({each.call_id for each in made.tool_calls} - {""}) == 2


def test_a_call_in_a_whole_answer_may_have_no_id_and_arguments_that_were_read(there: Asked) -> None:
    calls = [{"function": {"name": name, "arguments": arguments}} for name, arguments in BOTH]
    there.server.then(whole({"content": None, "tool_calls": calls}, "stop"))
    made = there.model.complete(TOOLS)
    assert [(each.name, json.loads(each.arguments)) for each in made.tool_calls] == BOTH


def test_json_that_only_looks_like_a_completion_is_explained_and_not_repeated(there: Asked) -> None:
    there.server.always(whole({}))
    assert "no completion" in refused(there)
    assert len(there.server.completions) == 1
