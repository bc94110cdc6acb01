"""The typed client: problems become errors, and only what may be repeated is tried again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import httpx2
import pytest
import stamina
from lattice_common.client import ATTEMPTS, LatticeClient, NotRunning
from lattice_common.client_replies import server_sent_events
from lattice_common.errors import (
    Conflict,
    Corrupt,
    InvalidInput,
    LatticeError,
    NotAllowed,
    NotConfigured,
    NotFound,
    Unavailable,
)


@pytest.fixture(autouse=True)
def _no_pauses() -> Iterator[None]:
    with stamina.set_testing(True, attempts=ATTEMPTS - 1):
        yield


class Server:
    """Answers with what it is given, the last of it again and again; and writes down what it was asked."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self) -> LatticeClient:
        return LatticeClient("http://127.0.0.1:7337/", "secret", transport=httpx2.MockTransport(self))


def problem(status: int, detail: str, **more: object) -> httpx2.Response:
    headers = {"content-type": "application/problem+json", "retry-after": "7"}
    return httpx2.Response(status, headers=headers, content=json.dumps({"status": status, "detail": detail, **more}))


GOOD = httpx2.Response(200, json={"capture_id": "c1", "state": "waiting"})


def away() -> Exception:
    return httpx2.ReadError("the connection broke")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InvalidInput), (413, InvalidInput), (415, InvalidInput), (422, InvalidInput), (401, NotAllowed), (403, NotAllowed),
        (429, NotAllowed), (404, NotFound), (409, Conflict), (412, Conflict), (501, NotConfigured), (503, Unavailable),
        (502, Unavailable), (504, Unavailable), (507, Unavailable), (500, Corrupt),
    ],
)  # fmt: skip
def test_a_problem_becomes_its_error_with_the_servers_words(status: int, kind: type[LatticeError]) -> None:
    with Server(problem(status, "The thing, the cause, the next step.")).client() as client, pytest.raises(kind) as raised:
        client.atom("x")
    assert str(raised.value) == "The thing, the cause, the next step."
    assert getattr(raised.value, "status", status) == status


def test_the_field_and_the_pause_come_with_it() -> None:
    with Server(problem(422, "No.", errors=[{"field": "text"}])).client() as client, pytest.raises(InvalidInput) as invalid:
        client.ingest({"text": ""})
    assert invalid.value.field == "text"
    with Server(problem(503, "Wait.")).client() as client, pytest.raises(Unavailable) as busy:
        client.ingest({"text": "x"})
    assert busy.value.retry_after == 7


def test_hints_for_who_sees_the_json_are_not_shown_to_others() -> None:
    detail = "`as_of`: Input should be a valid datetime. See `errors` for each field, and /openapi.json for the shapes."
    with Server(problem(422, detail)).client() as client, pytest.raises(InvalidInput) as invalid:
        client.select("x", as_of="soon")
    assert str(invalid.value) == "`as_of`: Input should be a valid datetime."


def test_what_is_no_problem_of_ours_is_an_error_too() -> None:
    with Server(httpx2.Response(404, text="<html>")).client() as client, pytest.raises(NotFound, match="is it Lattice"):
        client.atom("x")


def test_nobody_there_says_how_to_start_it_and_is_not_tried_again() -> None:
    server = Server(httpx2.ConnectError("refused"))
    with server.client() as client, pytest.raises(NotRunning, match="`lattice up`"):
        client.ingest({"text": "x"}, idempotency_key="k")
    assert len(server.asked) == 1


REPEATED: dict[str, Callable[[LatticeClient], object]] = {
    "a look": lambda client: client.capture("c1"),
    "an ingest with a key": lambda client: client.ingest({"text": "x"}, idempotency_key="k"),
    "a question": lambda client: client.answer("where?"),
}
ONCE: dict[str, Callable[[LatticeClient], object]] = {
    "an ingest without a key": lambda client: client.ingest({"text": "x"}),
    "an undo": lambda client: client.undo("c1"),
    "a deletion": lambda client: client.delete("a1"),
    "an edit": lambda client: client.edit("a1", {"content": "x"}),
}


@pytest.mark.parametrize("call", REPEATED.values(), ids=REPEATED.keys())
@pytest.mark.parametrize("trouble", [away(), problem(503, "Not now.")], ids=["broken", "busy"])
def test_what_may_be_repeated_is_tried_again_without_a_word(
    call: Callable[[LatticeClient], object], trouble: Exception | httpx2.Response, capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server(trouble, trouble, GOOD)
    with server.client() as client:
        call(client)
    assert len(server.asked) == 3
    assert len({request.headers.get("idempotency-key") for request in server.asked}) == 1
    server = Server(trouble)
    with server.client() as client, pytest.raises(Unavailable):
        call(client)
    assert len(server.asked) == ATTEMPTS
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("call", ONCE.values(), ids=ONCE.keys())
def test_what_must_not_be_repeated_is_tried_once(call: Callable[[LatticeClient], object]) -> None:
    server = Server(away(), GOOD)
    with server.client() as client, pytest.raises(Unavailable):
        call(client)
    assert len(server.asked) == 1


def test_a_full_disk_is_not_tried_again() -> None:
    server = Server(problem(507, "The disk is full."))
    with server.client() as client, pytest.raises(Unavailable):
        client.ingest({"text": "x"}, idempotency_key="k")
    assert len(server.asked) == 1


def test_the_token_goes_in_a_header_and_an_edit_says_what_it_saw() -> None:
    server = Server(httpx2.Response(200, json={"change_id": "c2"}))
    with server.client() as client:
        assert client.edit("a1", {"content": "x"}, etag='"abc"') == "c2"
    (request,) = server.asked
    assert (request.headers["authorization"], request.headers["if-match"]) == ("Bearer secret", '"abc"')
    assert str(request.url) == "http://127.0.0.1:7337/api/atoms/a1"


def test_a_stream_is_read_event_by_event() -> None:
    body = ': hello\n\nevent: stage\ndata: {"done": 1}\n\nevent: receipt\ndata: {"state":\ndata: "stored"}\n\n'
    with Server(httpx2.Response(200, text=body)).client() as client:
        assert list(client.events("c1")) == [("stage", {"done": 1}), ("receipt", {"state": "stored"})]
    with Server(httpx2.Response(200, text='data: {"type": "done"}\n\n')).client() as client:
        assert list(client.query_stream("where?")) == [{"type": "done"}]
    assert list(server_sent_events(iter(["data: {}"]))) == []  # cut off before its end


def test_a_stream_that_is_refused_raises_its_problem() -> None:
    with Server(problem(404, "There is no capture c1.")).client() as client, pytest.raises(NotFound, match="no capture c1"):
        next(client.events("c1"))
