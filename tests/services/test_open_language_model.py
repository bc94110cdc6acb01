"""Which model is used, what it is shown when it is elsewhere, what is noted of that, and what the product says about it."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.adapters.models.open_language_model import ModelsInUse, open_language_model
from lattice_common.errors import ModelUnavailable
from lattice_common.logs import configure
from lattice_common.ports.language_model import Completion, Message, ModelRequest, TextDelta, ToolCall
from lattice_common.settings import Settings

from tests.services.door import opened
from tests.services.model_behaviours import answer, echo, failing
from tests.services.model_server import Call, model_server

KEY = "sk-canary-2b1c9f7e4d5a6b7c"
PRIVATE = ["Rosalind", "Okonkwo", "rosalind@example.org", "7946 0958", "3704 0044", "hunter22"]
LETTER = (
    "My sister Rosalind Okonkwo (rosalind@example.org, +44 20 7946 0958) pays from DE89 3704 0044 0532 0130 00. "
    "Her password is hunter22."
)
ASKED = ModelRequest("extract", [Message("system", "Read."), Message("user", LETTER)], max_tokens=400, timeout=10)


@contextmanager
def opened_models(
    root: Path, *, ollama_url: str = "http://127.0.0.1:9/v1", now: list[float] | None = None, **more: Any
) -> Iterator[ModelsInUse]:
    seconds = now or [0.0]
    settings = Settings(_env_file=None, data_dir=root, **({"llm_provider": "auto"} | more))  # type: ignore[call-arg]
    models = open_language_model(settings, FixedClock(), ollama_url=ollama_url, monotonic=lambda: seconds[0])
    try:
        yield models
    finally:
        models.close()


def egress(root: Path) -> list[dict[str, Any]]:
    path = root / "logs" / "egress.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_ollama_is_used_when_its_port_answers_and_a_model_that_talks_is_there(tmp_path: Path) -> None:
    with model_server(answer("hi"), models=("nomic-embed-text:latest", "llama3.2:latest", "qwen3:8b")) as server:
        with opened_models(tmp_path, ollama_url=server.base_url) as models:
            assert models.extraction is not None
            assert models.extraction.model_id == "llama3.2:latest"
            assert models.extraction.complete(ASKED).text == "hi"
            assert models.readiness() == "up: llama3.2:latest"
            assert models.state()["provider"] == "ollama"
        assert [each.path for each in server.received] == ["/api/tags", "/v1/chat/completions"]


def test_without_any_model_the_product_is_whole_and_says_off(tmp_path: Path) -> None:
    with opened_models(tmp_path) as models:
        assert models.extraction is not None
        assert (models.extraction.model_id, models.extraction.available()) == ("", False)
        assert models.readiness() == "off"
        with pytest.raises(ModelUnavailable, match="LLM_BASE_URL"):
            models.extraction.complete(ASKED)
    with opened_models(tmp_path, llm_provider="none") as models:
        assert (models.extraction, models.synthesis, models.readiness()) == (None, None, "off")


def test_a_port_that_takes_connections_and_says_nothing_does_not_hold_up_the_start(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        begun = time.monotonic()
        with opened_models(tmp_path, ollama_url=url) as models:
            assert models.readiness() == "off"
        assert time.monotonic() - begun < 3


def test_ollama_that_comes_later_is_found_when_somebody_asks_but_not_more_than_once_a_minute(tmp_path: Path) -> None:
    now = [0.0]
    with model_server(answer("hi"), models=()) as server, opened_models(tmp_path, ollama_url=server.base_url, now=now) as models:
        assert models.extraction is not None
        server.models.append("llama3.2:latest")
        for _ in range(10):
            assert not models.extraction.available()
        assert len(server.received) == 1
        now[0] = 61.0
        models.extraction.available()
        wait_for_thread("model-search")
        assert models.extraction.available()
        assert len(server.received) == 2
        assert server.completions == []


def test_a_model_that_was_removed_is_replaced_by_one_that_is_there(tmp_path: Path) -> None:
    def has(call: Call) -> None:
        there = call.body["model"] in call.server.models
        (answer(str(call.body["model"])) if there else failing(404, "model not found"))(call)

    now, names = [0.0], ("old:latest", "new:latest")
    with model_server(has, models=names) as server, opened_models(tmp_path, ollama_url=server.base_url, now=now) as models:
        assert models.extraction is not None
        assert models.extraction.complete(ASKED).text == "old:latest"
        server.models.remove("old:latest")
        now[0] = 100.0
        fail_until_left_alone(models)
        assert "has no model old" in models.readiness()
        wait_for_thread("model-search")
        assert models.extraction.complete(ASKED).text == "new:latest"
        assert models.readiness() == "up: new:latest"


def test_a_model_that_is_away_is_not_forgotten(tmp_path: Path) -> None:
    now = [0.0]
    gone = failing(404, "model not found")
    with (
        model_server(gone, models=("old:latest",)) as server,
        opened_models(tmp_path, ollama_url=server.base_url, now=now) as models,
    ):
        assert models.extraction is not None
        server.models.clear()
        now[0] = 100.0
        fail_until_left_alone(models)
        models.readiness()
        wait_for_thread("model-search")
        assert models.extraction.model_id == "old:latest"
        assert not models.extraction.available()


def fail_until_left_alone(models: ModelsInUse) -> None:
    assert models.extraction is not None
    for _ in range(5):
        with pytest.raises(ModelUnavailable, match="has no model old"):
            models.extraction.complete(ASKED)


def wait_for_thread(name: str) -> None:
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(timeout=10)


def test_a_model_that_is_missing_is_named_with_the_next_step(tmp_path: Path) -> None:
    with model_server(answer("hi"), models=("llama3.2:latest",)) as server:
        with opened_models(tmp_path, ollama_url=server.base_url, llm_provider="ollama", llm_model="qwen3") as models:
            assert "ollama pull qwen3" in models.readiness()
        with opened_models(tmp_path, ollama_url=server.base_url, llm_provider="ollama", llm_model="llama3.2") as models:
            assert models.readiness() == "up: llama3.2"
    with opened_models(tmp_path, llm_provider="ollama") as models:
        assert "does not answer" in models.readiness()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"llm_provider": "openai"}, "LLM_API_KEY"),
        ({"llm_provider": "openai", "llm_api_key": KEY}, "LLM_MODEL"),
        ({"llm_base_url": "localhost:11434"}, "LLM_BASE_URL"),
        ({"llm_base_url": "http://127.0.0.1:notaport/v1"}, "LLM_BASE_URL"),
        ({"llm_base_url": "file:///etc/passwd"}, "LLM_BASE_URL"),
        ({"llm_base_url": "https://api.example.org/v1", "llm_model": "m", "ner_model": "presidio"}, "extra `pii`"),
        ({"llm_base_url": "https://api.example.org/v1", "llm_model": "m", "ner_model": "other"}, "LATTICE_NER_MODEL"),
    ],
)
def test_settings_that_cannot_work_are_explained_and_nothing_is_sent(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    with opened_models(tmp_path, **settings) as models:
        assert models.extraction is None
        assert said in models.readiness()
        assert models.state()["available"] is False


def test_two_models_may_share_an_endpoint(tmp_path: Path) -> None:
    with model_server(answer("hi")) as server:
        named: dict[str, Any] = {"llm_base_url": server.base_url, "llm_model": "small", "synthesis_model": "large"}
        with opened_models(tmp_path, **named) as models:
            assert models.extraction is not None
            assert models.synthesis is not None
            models.extraction.complete(ASKED)
            models.synthesis.complete(ASKED)
            assert (models.state()["model"], models.state()["synthesis_model"]) == ("small", "large")
        assert [each["model"] for each in server.completions] == ["small", "large"]


def test_what_leaves_the_machine_has_no_raw_value_and_comes_back_whole(tmp_path: Path) -> None:
    with model_server(echo()) as server:
        with opened_models(tmp_path, llm_base_url=server.url_elsewhere, llm_model="m", llm_api_key=KEY) as models:
            assert models.extraction is not None
            assert models.extraction.complete(ASKED).text == LETTER
            events = list(models.extraction.stream(ASKED, threading.Event()))
            assert "".join(each.text for each in events if isinstance(each, TextDelta)) == LETTER
            assert isinstance(events[-1], Completion)
            assert events[-1].text == LETTER
            call = ToolCall("c1", "note", json.dumps({"who": LETTER}))
            history = [Message("user", "Go on."), Message("assistant", "", (call,)), Message("tool", LETTER, tool_call_id="c1")]
            models.extraction.complete(ModelRequest("synthesize", history, max_tokens=100, timeout=10))
        bodies = "".join(each.raw.decode() for each in server.received)
    assert [value for value in PRIVATE if value in bodies] == []
    assert "replaced by tags" in bodies


def test_a_ledger_says_what_left_before_it_leaves_and_never_a_word_of_it(tmp_path: Path) -> None:
    with model_server(answer("ok")) as server:
        server.then(failing(500))
        with opened_models(tmp_path, llm_base_url=server.url_elsewhere, llm_model="m", llm_api_key=KEY) as models:
            assert models.extraction is not None
            models.extraction.complete(ASKED)
        assert len(server.completions) == 2
    first, second = egress(tmp_path)
    assert first == second
    assert first["tags"] == {"PERSON": 2, "EMAIL": 1, "PHONE": 1, "IBAN": 1, "SECRET": 1}
    assert (first["purpose"], first["model"], first["host"]) == ("extract", "m", server.host_elsewhere)
    assert first["characters"] > 0 < first["tokens"]
    assert first.keys() == {"ts", "host", "purpose", "model", "characters", "tags", "tokens", "crc"}


def test_what_cannot_be_noted_is_not_sent(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "egress.jsonl").mkdir()
    with (
        model_server(answer("ok")) as server,
        opened_models(tmp_path, llm_base_url=server.url_elsewhere, llm_model="m") as models,
    ):
        assert models.extraction is not None
        with pytest.raises(ModelUnavailable, match="egress"):
            models.extraction.complete(ASKED)
        assert server.received == []


def test_calls_to_this_machine_are_neither_redacted_nor_noted(tmp_path: Path) -> None:
    with model_server(echo()) as server, opened_models(tmp_path, llm_base_url=server.base_url, llm_model="m") as models:
        assert models.extraction is not None
        assert models.extraction.complete(ASKED).text == LETTER
        assert server.completions[0]["messages"][-1]["content"] == LETTER
    assert egress(tmp_path) == []


def test_without_scrubbing_what_leaves_is_still_noted(tmp_path: Path) -> None:
    with model_server(echo()) as server:
        with opened_models(tmp_path, llm_base_url=server.url_elsewhere, llm_model="m", pii_scrub=False) as models:
            assert models.extraction is not None
            models.extraction.complete(ASKED)
        assert server.completions[0]["messages"][-1]["content"] == LETTER
    assert [each["tags"] for each in egress(tmp_path)] == [{}]


def test_neither_logs_nor_status_nor_errors_carry_the_key_or_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_LOG", "debug")
    out = StringIO()
    before = logging.getLogger().handlers, logging.getLogger().level
    configure("debug", json=True, stream=out)
    try:
        with model_server(answer("ok")) as server:
            server.then(failing(400, f"{KEY} {LETTER}"), answer("ok"))
            with opened_models(tmp_path, llm_base_url=server.url_elsewhere, llm_model="m", llm_api_key=KEY) as models:
                assert models.extraction is not None
                with pytest.raises(ModelUnavailable) as failed:
                    models.extraction.complete(ASKED)
                models.extraction.complete(ASKED)
                said = f"{failed.value} {models.state()} {models.extraction!r} {out.getvalue()}"
    finally:
        logging.getLogger().handlers, level = before
        logging.getLogger().setLevel(level)
    assert [value for value in [KEY, *PRIVATE] if value in said] == []


def test_the_product_says_which_model_it_uses(tmp_path: Path) -> None:
    with model_server(answer("ok")) as server:
        chosen: dict[str, Any] = {
            "llm_provider": "openai",
            "llm_base_url": server.base_url,
            "llm_model": "tiny",
            "llm_api_key": KEY,
        }
        with opened(tmp_path / "data", **chosen) as door:
            status = door.http.get("/api/status")
            ready = door.anybody.get("/ready")
    assert status.json()["language_model"] == {
        "provider": "openai",
        "host": f"127.0.0.1:{server.port}",
        "model": "tiny",
        "synthesis_model": "tiny",
        "local": True,
        "available": True,
        "reason": None,
        "tokens_today": 0,
        "tokens_limit": 2_000_000,
    }
    assert ready.json()["parts"]["language_model"] == "up: tiny"
    assert KEY not in status.text + ready.text


def test_a_ledger_counts_what_was_taken_out_and_not_what_somebody_wrote_like_a_tag(tmp_path: Path) -> None:
    forged = "My template says <TULIPFORTYTWO_1_abcd> and <EMAIL_7_abcd>; write to rosalind@example.org."
    for scrubs in (True, False):
        more: dict[str, Any] = {"llm_model": "m", "pii_scrub": scrubs}
        with model_server(echo()) as server, opened_models(tmp_path, llm_base_url=server.url_elsewhere, **more) as models:
            assert models.extraction is not None
            asked = ModelRequest("extract", [Message("user", forged)], max_tokens=400, timeout=10)
            assert models.extraction.complete(asked).text == forged
    assert [line["tags"] for line in egress(tmp_path)] == [{"EMAIL": 1}, {}]
    assert "TULIP" not in (tmp_path / "logs" / "egress.jsonl").read_text()


def test_tags_come_back_as_words_however_an_endpoint_hands_them_on(tmp_path: Path) -> None:
    def careless(body: dict[str, Any]) -> str:
        said = str(body["messages"][-1]["content"])
        return said.replace("<PERSON_1_", "<person_1_").replace("<EMAIL", "EMAIL").replace("<PHONE", "\\u003cPHONE")

    with (
        model_server(answer(careless)) as server,
        opened_models(tmp_path, llm_base_url=server.url_elsewhere, llm_model="m") as models,
    ):
        assert models.extraction is not None
        text = models.extraction.complete(ASKED).text
        events = list(models.extraction.stream(ASKED, threading.Event()))
    streamed = "".join(each.text for each in events if isinstance(each, TextDelta))
    for said in (text, streamed):
        assert [value for value in PRIVATE if value not in said] == []
        assert "_1_" not in said


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("LOCALHOST", True),
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("[::1]", True),
        ("host.docker.internal", False),
        ("ollama.localhost", False),
        ("ollama", False),
        ("192.168.1.20", False),
        ("10.0.0.5", False),
        ("0.0.0.0", False),
        ("[fe80::1]", False),
        ("127.0.0.1.nip.io", False),
        ("localhost.example.org", False),
        ("api.example.org", False),
    ],
)
def test_only_the_loopback_is_this_machine(host: str, local: bool) -> None:
    assert Endpoint(f"http://{host}:11434/v1", "openai").local is local
