"""A language model over HTTP that is slow, broken, greedy or gone: what comes of it, and how soon."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from lattice_common.adapters.files.token_ledger import TokenLedger
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.models.background_loop import BackgroundLoop
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.adapters.models.openai_model import OpenAIModel
from lattice_common.domain.capture import JsonValue
from lattice_common.errors import ModelUnavailable
from lattice_common.ports.language_model import Completion, Message, ModelRequest, TextDelta, Tool

from tests.services.model_behaviours import (
    answer,
    call_tool,
    cut_off,
    disconnect,
    drip,
    endless,
    failing,
    hang,
    html,
    huge,
    no_completion,
    rate_limited,
    redirect,
    refusal,
    refuses_formats,
    truncated_json,
)
from tests.services.model_server import Behaviour, Call, ModelServer, model_server

KEY = "sk-canary-2b1c9f7e4d"
PROMPT = "Where does Rosalind live?"
ASKED = ModelRequest("synthesize", [Message("user", PROMPT)], max_tokens=50, timeout=10)
SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"atoms": {"type": "array", "items": {"type": "string"}}},
    "required": ["atoms"],
    "additionalProperties": False,
}
IN_JSON = replace(ASKED, schema_name="atoms", schema=SCHEMA)


@dataclass
class Asked:
    """A model, its endpoint, and the time of its breaker."""

    model: OpenAIModel
    server: ModelServer
    ledger: TokenLedger
    now: list[float]

    def later(self, seconds: float) -> None:
        self.now[0] += seconds


@contextmanager
def asked(root: Path, usual: Behaviour, *, daily_limit: int = 0, context_tokens: int = 8192) -> Iterator[Asked]:
    now = [1000.0]
    with model_server(usual) as server, closing(BackgroundLoop()) as loop:
        ledger = TokenLedger(root, FixedClock(), daily_limit=daily_limit)
        endpoint = Endpoint(server.base_url, "openai", KEY)
        model = OpenAIModel(
            endpoint, "tiny", loop, ledger, context_tokens=context_tokens, monotonic=lambda: now[0], first_wait=0.01
        )
        yield Asked(model, server, ledger, now)


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Asked]:
    with asked(tmp_path, answer("In Lisbon.")) as made:
        yield made


def refused(there: Asked, request: ModelRequest = ASKED) -> str:
    """The reason with which a call fails."""
    with pytest.raises(ModelUnavailable) as failed:
        there.model.complete(request)
    return str(failed.value)


def streamed(there: Asked, request: ModelRequest = ASKED) -> Completion:
    whole = list(there.model.stream(request, threading.Event()))[-1]
    assert isinstance(whole, Completion)
    return whole


def test_the_key_and_the_request_arrive_and_nothing_about_this_machine_does(there: Asked) -> None:
    there.model.complete(ASKED)
    [received] = there.server.received
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.headers.keys() <= {
        "host", "content-type", "content-length", "accept", "accept-encoding", "authorization", "connection",
    }  # fmt: skip
    assert received.body == {
        "model": "tiny", "messages": [{"role": "user", "content": PROMPT}], "stream": False, "max_tokens": 50, "temperature": 0.0,
    }  # fmt: skip


@pytest.mark.parametrize("trouble", [failing(500), failing(503), rate_limited(0.01), rate_limited(None), disconnect()])
def test_what_may_pass_is_tried_again(there: Asked, trouble: Behaviour) -> None:
    there.server.then(trouble, trouble)
    assert there.model.complete(ASKED).text == "In Lisbon."
    assert len(there.server.completions) == 3


@pytest.mark.parametrize("trouble", [failing(500), rate_limited(0.01), disconnect("")])
def test_a_stream_that_has_not_begun_is_tried_again(there: Asked, trouble: Behaviour) -> None:
    there.server.then(trouble, trouble)
    assert streamed(there).text == "In Lisbon."
    assert len(there.server.completions) == 3


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (html(), "no completion"),
        (truncated_json(), "no completion"),
        (no_completion(), "no completion"),
        (no_completion(b"[1, 2]"), "no completion"),
        (no_completion(b'{"choices": [{"message": "hi"}]}'), "no completion"),
        (no_completion(b"[" * 100_000), "no completion"),
        (failing(401, "bad key"), "LLM_API_KEY"),
        (failing(402, "pay"), "account"),
        (failing(404, "no such model"), "has no model tiny"),
        (failing(400, "This model's maximum context length is 4096"), "LATTICE_LLM_CONTEXT_TOKENS"),
        (huge(), "more than 8 MB"),
    ],
)
def test_what_will_not_pass_is_asked_once_and_explained(there: Asked, trouble: Behaviour, said: str) -> None:
    there.server.always(trouble)
    assert said in refused(there)
    assert len(there.server.completions) == 1


@pytest.mark.parametrize("trouble", [html(), truncated_json(), no_completion(), redirect("http://127.0.0.1:9/v1")])
def test_a_stream_that_is_none_is_no_answer(there: Asked, trouble: Behaviour) -> None:
    there.server.always(trouble)
    with pytest.raises(ModelUnavailable):
        streamed(there)


def test_a_redirect_to_another_host_is_not_followed(there: Asked) -> None:
    with model_server(answer("stolen")) as elsewhere:
        there.server.always(redirect(f"{elsewhere.base_url}/chat/completions"))
        assert "not followed" in refused(there)
        assert elsewhere.received == []


def test_no_reason_repeats_what_was_asked_or_answered_or_the_key(there: Asked) -> None:
    for status in (400, 401, 404, 418, 422, 429, 500):
        there.server.always(failing(status, f"{PROMPT} {KEY}"))
        there.later(60)
        reason = refused(there)
        assert "Rosalind" not in reason
        assert KEY not in reason


def test_five_attempts_are_all(there: Asked) -> None:
    there.server.always(failing(500))
    refused(there)
    assert len(there.server.completions) == 5


def test_retry_after_is_waited_for_where_there_is_time_and_else_told(there: Asked) -> None:
    there.server.then(rate_limited(0.3))
    assert there.model.complete(ASKED).text == "In Lisbon."
    first, second = (each.at for each in there.server.received)
    assert second - first >= 0.3
    there.server.then(rate_limited(60))
    with pytest.raises(ModelUnavailable) as failed:
        there.model.complete(ASKED)
    assert failed.value.retry_after == 60
    assert not there.model.available()
    there.later(61)
    assert there.model.complete(ASKED).text == "In Lisbon."


@pytest.mark.parametrize("slow", [hang(), drip("a long answer", every=0.2), drip("late", begin=30)])
@pytest.mark.parametrize("stream", [False, True])
def test_a_call_ends_with_its_timeout_however_the_endpoint_dawdles(there: Asked, slow: Behaviour, stream: bool) -> None:
    there.server.always(slow)
    request = replace(ASKED, timeout=0.5)
    begun = time.monotonic()
    with pytest.raises(ModelUnavailable, match="did not answer within"):
        streamed(there, request) if stream else there.model.complete(request)
    assert time.monotonic() - begun < 2.5
    assert there.server.left.wait(5)
    assert len(there.server.completions) == 1


def test_an_endpoint_that_takes_no_connection_fails_at_once_and_says_so(tmp_path: Path) -> None:
    with asked(tmp_path, answer("")) as there:
        there.server.close()
        begun = time.monotonic()
        assert "takes no connection" in refused(there)
        assert time.monotonic() - begun < 2


def test_a_stream_that_has_begun_is_not_begun_again(there: Asked) -> None:
    there.server.always(disconnect("Half of an ans"))
    events = there.model.stream(ASKED, threading.Event())
    assert isinstance(next(events), TextDelta)
    with pytest.raises(ModelUnavailable, match="broke off"):
        list(events)
    assert len(there.server.completions) == 1


@pytest.mark.parametrize("endlessly", [endless(), drip("word " * 1000, every=0.05), hang()])
def test_a_cancelled_stream_ends_soon_and_the_endpoint_is_let_go(there: Asked, endlessly: Behaviour) -> None:
    there.server.always(endlessly)
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    events = list(there.model.stream(replace(ASKED, max_tokens=7000, timeout=60), cancel))
    whole = events[-1]
    assert isinstance(whole, Completion)
    assert whole.finish == "length"
    assert whole.text == "".join(each.text for each in events if isinstance(each, TextDelta))
    assert there.server.left.wait(2)


def test_a_reader_who_leaves_gives_up_the_call(there: Asked) -> None:
    there.server.always(endless())
    events = there.model.stream(replace(ASKED, max_tokens=7000, timeout=60), threading.Event())
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert there.server.left.wait(2)


def test_an_answer_without_end_is_cut_where_it_is_longer_than_was_asked_for(there: Asked) -> None:
    there.server.always(endless())
    whole = streamed(there)
    assert whole.finish == "length"
    assert 50 < len(whole.text) < 5000
    there.server.always(answer("x" * 100_000))
    said = there.model.complete(ASKED)
    assert (said.finish, len(said.text)) == ("length", 800)


def test_a_refusal_and_a_cut_off_text_are_said_as_such(there: Asked) -> None:
    there.server.then(refusal("No."), refusal("No."), cut_off("In"), answer("", finish="content_filter"))
    assert (there.model.complete(ASKED).finish, streamed(there).text) == ("refused", "No.")
    assert there.model.complete(ASKED).finish == "length"
    assert there.model.complete(ASKED).finish == "refused"


def test_tools_are_offered_and_their_calls_come_back(there: Asked) -> None:
    there.server.then(call_tool("sum_numbers", {"numbers": [1, 2]}))
    tool = Tool("sum_numbers", "Adds numbers", {"type": "object", "properties": {"numbers": {"type": "array"}}})
    said = there.model.complete(replace(ASKED, tools=(tool,)))
    assert (said.finish, said.tool_calls[0].name, said.tool_calls[0].arguments) == (
        "tool_calls",
        "sum_numbers",
        '{"numbers": [1, 2]}',
    )
    assert there.server.completions[0]["tools"][0]["function"]["name"] == "sum_numbers"


def formats(there: Asked) -> list[str | None]:
    return [(each.get("response_format") or {}).get("type") for each in there.server.completions]


def test_a_schema_is_enforced_where_the_endpoint_can(there: Asked) -> None:
    there.model.complete(IN_JSON)
    assert there.server.completions[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "atoms", "schema": SCHEMA, "strict": True},
    }


def test_a_schema_that_cannot_be_enforced_is_said_more_simply_and_that_is_remembered(there: Asked) -> None:
    there.server.always(refuses_formats("json_schema", otherwise=answer("{}")))
    there.model.complete(IN_JSON)
    there.model.complete(IN_JSON)
    assert formats(there) == ["json_schema", "json_schema", "json_object", "json_object"]
    assert '"atoms"' in there.server.completions[-1]["messages"][0]["content"]
    there.server.always(refuses_formats("json_schema", "json_object", otherwise=answer("{}")))
    there.model.complete(IN_JSON)
    there.model.complete(IN_JSON)
    assert formats(there)[4:] == ["json_object", None, None]


@pytest.mark.parametrize("feature", ["temperature", "max_tokens", "tools", "stream_options"])
def test_what_an_endpoint_does_not_take_is_left_out(there: Asked, feature: str) -> None:
    def picky(call: Call) -> None:
        if feature in call.body:
            failing(400, f"Unsupported parameter: '{feature}' is not supported with this model.")(call)
        else:
            answer("fine")(call)

    there.server.always(picky)
    request = replace(ASKED, tools=(Tool("t", "d", {"type": "object"}),))
    assert [streamed(there, request).text, streamed(there, request).text] == ["fine", "fine"]
    assert len(there.server.completions) == 3


def test_the_breaker_opens_after_five_failures_and_lets_one_call_try_after_thirty_seconds(there: Asked) -> None:
    there.server.always(html())
    for _ in range(5):
        refused(there)
    assert not there.model.available()
    assert "tried again in 30 s" in refused(there)
    assert len(there.server.completions) == 5
    there.later(31)
    refused(there)
    refused(there)
    assert len(there.server.completions) == 6
    there.later(31)
    there.server.always(answer("back"))
    assert there.model.complete(ASKED).text == "back"
    assert there.model.available()


def test_tokens_are_counted_or_estimated_and_the_days_limit_holds_after_a_restart(tmp_path: Path) -> None:
    with asked(tmp_path, answer("fine", usage=(400, 100)), daily_limit=1200) as there:
        there.model.complete(ASKED)
        assert there.ledger.spent_today() == 500
        there.server.then(answer("fine", usage=None))
        said = streamed(there)
        assert said.prompt_tokens > 0
        assert 500 < there.ledger.spent_today() < 600
        streamed(there)
    with asked(tmp_path, answer("fine", usage=(400, 100)), daily_limit=1200) as there:
        there.model.complete(ASKED)
        assert not there.model.available()
        assert "LATTICE_LLM_DAILY_TOKENS" in refused(there)
        assert len(there.server.completions) == 1


def test_a_prompt_that_was_cut_by_the_endpoint_is_noticed(there: Asked) -> None:
    long = replace(ASKED, messages=[Message("user", "memory garden river " * 600)])
    there.server.always(answer("made up", usage=(1024, 5)))
    assert "OLLAMA_CONTEXT_LENGTH" in refused(there, long)
    there.server.always(answer("read it", usage=(2400, 5)))
    assert there.model.complete(long).text == "read it"


def test_a_prompt_that_cannot_fit_is_not_sent(there: Asked) -> None:
    assert "LATTICE_LLM_CONTEXT_TOKENS" in refused(there, replace(ASKED, messages=[Message("user", "word " * 9000)]))
    assert there.server.received == []


def test_text_that_cannot_be_sent_is_cleaned(there: Asked) -> None:
    there.model.complete(replace(ASKED, messages=[Message("user", "a\x00b\ud800c")]))
    assert there.server.completions[0]["messages"][0]["content"] == "abc"


def test_the_environment_turns_nothing(there: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(answer("stolen")) as elsewhere:
        surprises: dict[str, Any] = {
            "HTTP_PROXY": f"http://127.0.0.1:{elsewhere.port}", "http_proxy": f"http://127.0.0.1:{elsewhere.port}",
            "ALL_PROXY": f"http://127.0.0.1:{elsewhere.port}", "OPENAI_BASE_URL": elsewhere.base_url, "OPENAI_API_KEY": "theirs",
            "OPENAI_ORG_ID": "org", "OPENAI_PROJECT_ID": "project", "OPENAI_CUSTOM_HEADERS": "X-Spy: yes",
        }  # fmt: skip
        for name, value in surprises.items():
            monkeypatch.setenv(name, value)
        assert there.model.complete(ASKED).text == "In Lisbon."
        assert elsewhere.received == []
    sent = there.server.received[0].headers
    assert sent["authorization"] == f"Bearer {KEY}"
    assert not {"openai-organization", "openai-project", "x-spy"} & sent.keys()


@pytest.mark.parametrize("stream", [True, False])
def test_closing_ends_what_is_under_way(tmp_path: Path, stream: bool) -> None:
    with model_server(hang()) as server:
        loop = BackgroundLoop()
        ledger = TokenLedger(tmp_path, FixedClock(), daily_limit=0)
        model = OpenAIModel(Endpoint(server.base_url, "openai"), "tiny", loop, ledger, context_tokens=8192)
        threading.Timer(0.3, loop.close).start()
        asked = replace(ASKED, timeout=60)
        with pytest.raises(ModelUnavailable, match="stopping"):
            list(model.stream(asked, threading.Event())) if stream else model.complete(asked)
        with pytest.raises(ModelUnavailable, match="stopping"):
            model.complete(ASKED)
