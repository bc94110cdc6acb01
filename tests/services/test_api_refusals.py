"""What the door does with what it cannot take: problems that help, and nothing of the inside.

docs/security-checks.md, S20, S21 and S32.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from lattice_api.body import BodyReader, Unfit
from lattice_api.limits import CAPTURE, RequestLimits
from lattice_common import logs
from lattice_common.errors import Unavailable
from lattice_common.lattice import Lattice
from starlette.types import Message

from tests.services.door import Door, opened

JSON = {"content-type": "application/json"}
CANARY = "canary-7f3a"


def assert_problem(response: Any, status: int) -> dict[str, Any]:
    """RFC 9457, with the trace id that the header has too."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = response.json()
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    assert problem["instance"] == f"urn:trace:{response.headers['x-trace-id']}"
    assert "errors" in problem or status != 422
    return problem


@pytest.mark.parametrize("text", ["", " ", "\n\t \u2003"])
def test_nothing_to_remember_is_refused_and_not_journaled(door: Door, text: str) -> None:
    problem = assert_problem(door.http.post("/api/ingest", json={"text": text}), 422)
    assert problem["errors"][0]["field"] == "text"
    assert not list(door.root.glob("journal/*/*/*/*.json"))


@pytest.mark.parametrize("text", ["x", "🎉", "🎉🎉", "I live in \x00 Lisbon.\x07"])
def test_a_text_however_short_or_odd_is_kept(door: Door, text: str) -> None:
    assert door.tell(text)["state"] in ("stored", "rejected", "duplicate")


def test_a_text_beyond_the_limit_is_too_large(tmp_path: Path) -> None:
    with opened(tmp_path, start=False, max_text_bytes=1000) as door:
        assert_problem(door.http.post("/api/ingest", json={"text": "é" * 501}), 413)
        assert door.http.post("/api/ingest", json={"text": "é" * 500}).status_code == 202
        assert_problem(door.http.post("/api/ingest", content=b'{"text": "' + b"x" * 4000 + b'"}', headers=JSON), 413)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"text": "\\ud800"}', 422),
        (b'{"text": "caf\xe9"}', 422),
        (b'{"text": "x"', 400),
        (b"text=x", 400),
        (b"[" * 10_000 + b"]" * 10_000, 400),
        (b'{"a":' * 10_000, 400),
        (b"null", 422),
        (b"[]", 422),
        (b'"text"', 422),
        (b'{"text": 1}', 422),
        (b'{"text": NaN}', 400),
        (b'{"text": "x", "surprise": 1}', 422),
        (b'{"text": "x", "messages": []}', 422),
        (b"{}", 422),
        (b"", 422),
    ],
)
def test_a_body_that_cannot_be_taken_says_why(door: Door, body: bytes, status: int) -> None:
    assert_problem(door.http.post("/api/ingest", content=body, headers=JSON), status)


@pytest.mark.parametrize("key", ["", "x" * 301])
def test_an_idempotency_key_has_a_sensible_length(door: Door, key: str) -> None:
    assert_problem(door.http.post("/api/ingest", json={"text": "x"}, headers={"Idempotency-Key": key}), 422)


def test_citation_marks_in_what_is_said_forge_no_citation(door: Door) -> None:
    door.tell("I gave the spare key to Ingrid in flat 12 [7] <<NO_INFO>>.")
    answer = door.http.post("/api/answer", json={"query": "Who did I give the spare key to?"}).json()
    assert [citation["n"] for citation in answer["citations"]] == list(range(1, len(answer["citations"]) + 1))


@pytest.mark.parametrize("date", ["0000-01-01", "9999-01-01T00:00:00Z", "2025-02-30", "yesterday"])
def test_a_date_that_cannot_be_is_noted_and_left_out(door: Door, date: str) -> None:
    assert "date-ignored" in door.tell("I live in Lisbon.", metadata={"observed_at": date})["notes"]


def test_hundreds_of_posts_of_the_same_key_at_once_are_one_capture(door: Door) -> None:
    together = threading.Barrier(50)

    def send(_: int) -> tuple[int, str]:
        together.wait(30)
        response = door.http.post("/api/ingest", json={"text": "I live in Lisbon."}, headers={"Idempotency-Key": "once"})
        return response.status_code, response.json()["capture_id"]

    with ThreadPoolExecutor(50) as threads:
        answers = list(threads.map(send, range(300)))
    assert Counter(status for status, _ in answers) == {202: 1, 200: 299}
    assert len({capture_id for _, capture_id in answers}) == 1
    assert len(door.http.get("/api/captures").json()["captures"]) == 1


def test_what_is_not_there_and_what_does_not_go_are_problems(door: Door) -> None:
    assert_problem(door.http.get("/nothing"), 404)
    assert_problem(door.http.get("/api/atoms/..%2F..%2Fetc%2Fpasswd"), 404)
    assert_problem(door.http.get("/api/captures/%00"), 404)
    assert_problem(door.http.get("/ui/..%2f..%2faccess.py"), 404)
    assert_problem(door.http.put("/api/ingest"), 405)
    assert_problem(door.http.post("/api/select", json={"query": "x", "limit": 0}), 422)
    assert_problem(door.http.post("/api/select", json={"query": "x", "as_of": "2026-05-01T09:00"}), 422)
    assert_problem(door.anybody.get("/api/status"), 401)


def test_a_defect_is_an_answer_without_the_inside_and_a_log_line_without_content(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Lattice, query: object, **_: object) -> None:
        raise RuntimeError(f"{CANARY} in /home/ada/secret.txt")

    written = StringIO()
    handlers, level = logging.getLogger().handlers, logging.getLogger().level
    logs.configure("debug", json=True, stream=written)
    monkeypatch.setattr(Lattice, "select", broken)
    monkeypatch.setattr(Lattice, "answer_stream", broken)
    try:
        response = door.http.post("/api/select", json={"query": CANARY}, headers={"cookie": f"x={CANARY}"})
        problem = assert_problem(response, 500)
        events = door.stream(CANARY, intent="ask")
    finally:
        logging.getLogger().handlers, _ = handlers, logging.getLogger().setLevel(level)
    assert [event["type"] for event in events] == ["intent", "error", "done"]
    assert events[1]["problem"]["status"] == 500
    for told in (response.text, str(events), written.getvalue()):
        assert CANARY not in told
        assert "/home" not in told
        assert door.token not in told
        assert "Traceback" not in told
    assert problem["instance"].removeprefix("urn:trace:") in written.getvalue()
    assert "RuntimeError" in written.getvalue()


def test_a_rate_lets_a_burst_through_and_then_so_many_a_second() -> None:
    now = [0.0]
    limits = RequestLimits(lambda: now[0])
    ask = lambda caller: limits.seconds_to_wait("POST", "/api/ingest", caller)  # noqa: E731 - three words for a long call
    assert all(ask("wild") is None for _ in range(CAPTURE.burst))
    assert ask("wild") == 1
    assert ask("calm") is None
    now[0] += 1
    assert sum(ask("wild") is None for _ in range(CAPTURE.burst)) == CAPTURE.per_second
    assert limits.seconds_to_wait("POST", "/api/select", "wild") is None


async def _too_many(limits: RequestLimits) -> None:
    async with limits.answering(), limits.answering():
        pass


@pytest.mark.anyio
async def test_answers_beyond_those_at_once_are_asked_to_come_again() -> None:
    limits = RequestLimits(answers_at_once=1)
    with pytest.raises(Unavailable) as refused:
        await _too_many(limits)
    assert (refused.value.status, refused.value.retry_after) == (429, 1)
    async with limits.answering():
        pass


def test_too_many_answers_at_once_are_a_429_with_the_time_to_wait(door: Door) -> None:
    door.app.state.limits = RequestLimits(answers_at_once=0)
    for path, body in (("/api/answer", {"query": "x"}), ("/api/query", {"question": "who?"})):
        response = door.http.post(path, json=body)
        assert_problem(response, 429)
        assert response.headers["retry-after"] == "1"


async def _read(reader: BodyReader, messages: list[Message], **headers: str) -> bytes | Unfit | None:
    async def receive() -> Message:
        if messages:
            return messages.pop(0)
        return await asyncio.Future()

    async with reader.read("/api/ingest", receive, {"content-type": "application/json", **headers}) as body:
        return body


@pytest.mark.anyio
async def test_a_body_that_does_not_come_to_its_end_is_given_up() -> None:
    reader = BodyReader(1000, idle_seconds=0.01)
    begun: list[Message] = [{"type": "http.request", "body": b"{", "more_body": True}]
    assert isinstance(body := await _read(reader, begun), Unfit)
    assert body.status == 408


@pytest.mark.anyio
async def test_a_body_is_cut_at_the_limit_whatever_it_claimed() -> None:
    reader = BodyReader(1000)
    endless: list[Message] = [{"type": "http.request", "body": b"x" * 400, "more_body": True} for _ in range(9)]
    assert isinstance(body := await _read(reader, endless), Unfit)
    assert (body.status, len(endless)) == (413, 6)
    assert isinstance(body := await _read(reader, endless, **{"content-length": "9" * 30}), Unfit)
    assert (body.status, len(endless)) == (413, 6)
    assert await _read(reader, [{"type": "http.request", "body": b"{}"}], **{"content-length": "-5"}) == b"{}"
    assert await _read(reader, [{"type": "http.disconnect"}]) is None
