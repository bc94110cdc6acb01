"""The contract of ports/language_model.py: on a script, on an endpoint over HTTP, behind redaction, and found later."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest
from lattice_common.adapters.files.token_ledger import TokenLedger
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.scripted_model import Saying, ScriptedModel
from lattice_common.adapters.models.background_loop import BackgroundLoop
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.adapters.models.model_discovery import DiscoveredModel, FoundModels, Search
from lattice_common.adapters.models.openai_model import OpenAIModel
from lattice_common.adapters.models.redacting_model import RedactingModel
from lattice_common.errors import ModelUnavailable, Unavailable
from lattice_common.language.pii.redaction import BY_RULES
from lattice_common.ports.language_model import Completion, LanguageModel, Message, ModelRequest, TextDelta, Tool, ToolCall

from tests.services.model_behaviours import answer, failing
from tests.services.model_server import Behaviour, model_server

Opening: TypeAlias = Callable[[Sequence[Saying]], AbstractContextManager[LanguageModel]]

QUESTION = [Message("system", "Be brief."), Message("user", "Where do I live?")]
LIVES = "You live in Lisbon [1],\n near the river."
CALLS = Completion("", "tool_calls", (ToolCall("call_1", "date_diff", '{"from": "2020"}'), ToolCall("call_2", "sum", "{")), 50, 9)
DATE_DIFF = Tool("date_diff", "Days between two dates", {"type": "object", "properties": {"from": {"type": "string"}}})


def asking(**more: object) -> ModelRequest:
    return ModelRequest(**({"purpose": "synthesize", "messages": QUESTION, "max_tokens": 200, "timeout": 20.0} | more))  # type: ignore[arg-type]


@contextmanager
def scripted(sayings: Sequence[Saying]) -> Iterator[LanguageModel]:
    yield ScriptedModel(sayings)


@contextmanager
def over_http(sayings: Sequence[Saying], root: Path) -> Iterator[LanguageModel]:
    with model_server(failing(403, "no more")) as server, closing(BackgroundLoop()) as loop:
        server.then(*map(_behaviour, sayings))
        ledger = TokenLedger(root, FixedClock(), daily_limit=0)
        yield OpenAIModel(Endpoint(server.base_url, "openai"), "scripted", loop, ledger, context_tokens=8192, first_wait=0.01)


def _behaviour(saying: Saying) -> Behaviour:
    if isinstance(saying, Exception):
        return failing(403, "not you")
    if isinstance(saying, str):
        return answer(saying)
    tools = [(call.name, call.arguments) for call in saying.tool_calls]
    return answer(saying.text, finish=saying.finish, tools=tools, usage=(saying.prompt_tokens, saying.completion_tokens))


@contextmanager
def redacting(sayings: Sequence[Saying]) -> Iterator[LanguageModel]:
    yield RedactingModel(ScriptedModel(sayings), BY_RULES)


@contextmanager
def sought(sayings: Sequence[Saying]) -> Iterator[LanguageModel]:
    model = ScriptedModel(sayings)
    search = Search(lambda: FoundModels(model, model, lambda: None), lambda: 0.0)
    yield DiscoveredModel(search, lambda found: found.extraction, local=True)


@pytest.fixture(params=["scripted", "over HTTP", "redacting", "sought"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    kinds: dict[str, Opening] = {"scripted": scripted, "redacting": redacting, "sought": sought}
    return kinds.get(request.param, lambda sayings: over_http(sayings, tmp_path))


def test_a_completion_has_the_text_and_what_it_cost(opening: Opening) -> None:
    with opening([LIVES]) as model:
        said = model.complete(asking())
    assert (said.text, said.finish, said.tool_calls) == (LIVES, "stop", ())
    assert said.prompt_tokens > 0
    assert said.completion_tokens > 0


def test_a_stream_is_pieces_and_then_once_the_whole(opening: Opening) -> None:
    with opening([LIVES]) as model:
        events = list(model.stream(asking(), threading.Event()))
    assert [type(each) for each in events] == [TextDelta] * (len(events) - 1) + [Completion]
    assert len(events) > 3
    assert "".join(each.text for each in events[:-1]) == events[-1].text == LIVES


@pytest.mark.parametrize("whole", [True, False])
def test_tool_calls_come_back_with_their_arguments_as_they_were_written(opening: Opening, whole: bool) -> None:
    with opening([CALLS]) as model:
        request = asking(tools=(DATE_DIFF,))
        said = model.complete(request) if whole else list(model.stream(request, threading.Event()))[-1]
    assert said == CALLS


@pytest.mark.parametrize("whole", [True, False])
def test_a_text_that_was_cut_off_says_so(opening: Opening, whole: bool) -> None:
    with opening([Completion("You live in", "length", (), 10, 3)]) as model:
        said = model.complete(asking()) if whole else list(model.stream(asking(), threading.Event()))[-1]
    assert said == Completion("You live in", "length", (), 10, 3)


def test_an_empty_text_is_an_answer(opening: Opening) -> None:
    with opening([""]) as model:
        assert model.complete(asking()).text == ""


def test_a_model_that_fails_is_unavailable_which_is_a_kind_of_unavailable(opening: Opening) -> None:
    with opening([ModelUnavailable("down"), ModelUnavailable("down")]) as model:
        with pytest.raises(ModelUnavailable) as failed:
            model.complete(asking())
        with pytest.raises(ModelUnavailable):
            list(model.stream(asking(), threading.Event()))
    assert isinstance(failed.value, Unavailable)
    assert str(failed.value)


def test_a_cancelled_stream_ends_with_what_there_is(opening: Opening) -> None:
    cancel = threading.Event()
    with opening(["word " * 4000]) as model:
        events = model.stream(asking(max_tokens=4000), cancel)
        first = next(events)
        cancel.set()
        rest = list(events)
    assert isinstance(first, TextDelta)
    whole = rest[-1]
    assert isinstance(whole, Completion)
    assert whole.text == "".join(each.text for each in [first, *rest[:-1]] if isinstance(each, TextDelta))


def test_an_iterator_may_be_closed_before_its_end(opening: Opening) -> None:
    with opening(["word " * 4000, LIVES]) as model:
        events = model.stream(asking(max_tokens=4000), threading.Event())
        next(events)
        events.close()  # type: ignore[attr-defined]
        assert model.complete(asking()).text == LIVES


def test_many_threads_may_ask_at_once(opening: Opening) -> None:
    with opening([f"answer {number}" for number in range(16)]) as model, ThreadPoolExecutor(8) as pool:
        said = [each.text for each in pool.map(lambda _: model.complete(asking()), range(16))]
    assert sorted(said) == sorted(f"answer {number}" for number in range(16))


def test_a_model_says_its_name_and_that_it_has_a_chance(opening: Opening) -> None:
    with opening([LIVES]) as model:
        assert model.model_id == "scripted"
        assert model.local
        assert model.available()
