"""Questions answered by a language model, over HTTP on both sides: streamed, checked, given up, and never worse than without."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lattice_api.app import server_config
from lattice_common.recall.conversation import SECONDS

from tests.services.door import Door, opened
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
    refusal,
)
from tests.services.model_server import Behaviour, Call, ModelServer, model_server
from tests.serving import listening
from tests.working import until

BERLIN = ("I live in Berlin.", "2026-01-10T10:00:00+01:00")
LISBON = ("I moved from Berlin to Lisbon.", "2026-05-14T10:00:00+02:00")
KEY = ("Ingrid in flat 12 has my spare key.", "2026-06-01T10:00:00+02:00")
WHO = "Who has my spare key?"
GIVEN_UP_WITHIN = 5.0
"""Seconds; it takes two at most, and the machine may be busy with something else."""


def writes(behaviour: Behaviour) -> Behaviour:
    """Only calls that are to write an answer; whatever else the product asks its model is answered with nothing in it."""

    def behave(call: Call) -> None:
        asked = any("answer a person's question" in str(message["content"]) for message in call.body["messages"])
        (behaviour if asked else answer("{}"))(call)

    return behave


@contextmanager
def with_model(
    root: Path, behaviour: Behaviour, *told: tuple[str, str], elsewhere: bool = False, **settings: Any
) -> Iterator[tuple[Door, ModelServer]]:
    """A product that was told something before it had a model, on this machine or (as it believes) `elsewhere`."""
    with opened(root, llm_provider="none") as door:
        for text, at in told:
            door.tell(text, metadata={"observed_at": at})
    with (
        model_server(writes(behaviour)) as server,
        opened(root, auth=False, **_model_of(server, elsewhere), **settings) as door,
    ):
        until("the start to be over", lambda: not door.embedded.writer.state().starting)
        yield door, server


def _model_of(server: ModelServer, elsewhere: bool) -> dict[str, str]:
    url = server.url_elsewhere if elsewhere else server.base_url
    return {"llm_provider": "openai", "llm_base_url": url, "llm_model": "scripted"}


def of(events: list[dict[str, Any]], type_: str) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == type_]


def shown(events: list[dict[str, Any]]) -> str:
    return "".join(event["text"] for event in of(events, "token"))


def number_of(call: dict[str, Any], words: str) -> int:
    """The number under which the model is shown a memory."""
    for line in str(call["messages"][1]["content"]).splitlines():
        if line.startswith("{") and words in line:
            return int(json.loads(line)["n"])
    raise AssertionError(f"the model is not shown {words}")


def saying(template: str, **about: str) -> Behaviour:
    """Fills in the numbers of the memories that hold some words."""

    def text(body: dict[str, Any]) -> str:
        return template.format(**{name: f"[{number_of(body, words)}]" for name, words in about.items()})

    return answer(text)


def test_an_answer_is_streamed_by_the_model_and_cites_what_was_said(tmp_path: Path) -> None:
    says = saying("You gave it to her: Ingrid in flat 12 has your spare key {key}.", key="spare key")
    with with_model(tmp_path, says, KEY, LISBON) as (door, server):
        events = door.stream(WHO)
        types = [event["type"] for event in events]
        assert (types[:2], types[-2:]) == (["intent", "atoms"], ["citations_applied", "done"])
        (applied,) = of(events, "citations_applied")
        assert applied["answer"] == shown(events) == "You gave it to her: Ingrid in flat 12 has your spare key [1]."
        assert applied["used_llm"]
        assert applied["model"] == "scripted"
        assert applied["answered"]
        assert applied["unsupported"] == applied["warnings"] == []
        (citation,) = applied["citations"]
        assert citation["supported"]
        assert applied["num_map"] == {"1": citation["atom_id"]}
        assert door.http.get(f"/api/atoms/{citation['atom_id']}").json()["content"].startswith("Ingrid")
        asked = server.completions[-1]
        assert asked["stream"] is True
        assert {tool["function"]["name"] for tool in asked["tools"]} == {"date_diff", "sum_numbers"}


def test_the_same_answer_comes_whole_from_api_answer(tmp_path: Path) -> None:
    with with_model(tmp_path, saying("Ingrid has it {key}.", key="spare key"), KEY) as (door, _):
        body = door.http.post("/api/answer", json={"query": WHO}).json()
        assert body["answer"] == "Ingrid has it [1]."
        assert (body["used_llm"], body["model"], body["unsupported"]) == (True, "scripted", [])


def test_what_is_not_borne_out_is_marked_with_its_place(tmp_path: Path) -> None:
    says = saying("Ingrid has your spare key {key}. She lives in flat 21 {key}. She is a nurse.", key="spare key")
    with with_model(tmp_path, says, KEY) as (door, _):
        body = door.http.post("/api/answer", json={"query": WHO}).json()
        doubted = {mark["reason"]: body["answer"][mark["start"] : mark["end"]] for mark in body["unsupported"]}
        assert doubted == {"number": "She lives in flat 21 [1].", "uncited": "She is a nurse."}
        assert [each["supported"] for each in body["citations"]] == [False]
        assert len(body["warnings"]) == 2


def test_what_changed_is_said_even_where_the_model_does_not(tmp_path: Path) -> None:
    with with_model(tmp_path, saying("You live in Lisbon {home}.", home="Lisbon"), BERLIN, LISBON) as (door, _):
        events = door.stream("Where do I live?")
        (applied,) = of(events, "citations_applied")
        assert applied["answer"].startswith("You live in Lisbon [1]. (Until 14 May 2026:")
        assert "Berlin" in applied["answer"]
        assert shown(events).strip() == applied["answer"]


@pytest.mark.parametrize("chunks", ["<<NO_INFO>>", "<<NO _INFO >>", "Ingrid? <<NO_ INFO>>"])
def test_not_knowing_is_never_shown_as_a_mark(tmp_path: Path, chunks: str) -> None:
    def behave(call: Call) -> None:
        call.begin(kind="text/event-stream")
        for piece in chunks.split(" "):
            delta = {"choices": [{"index": 0, "delta": {"content": piece}}]}
            call.write(b"data: " + json.dumps(delta).encode() + b"\n\n")
        call.write(b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n')

    with with_model(tmp_path, behave, KEY) as (door, _):
        events = door.stream(WHO)
        (applied,) = of(events, "citations_applied")
        assert applied["answered"] is False
        assert applied["answer"].startswith("I don't know.")
        assert "NO_INFO" not in json.dumps(events)


def test_tools_are_called_over_the_wire(tmp_path: Path) -> None:
    told = (("The rent is 850.40 euros.", KEY[1]), ("The electricity costs 49.60 euros.", KEY[1]))

    def behave(call: Call) -> None:
        asked = call.body["messages"]
        if asked[-1]["role"] != "tool":
            call_tool("sum_numbers", {"numbers": [850.4, 49.6]})(call)
        else:
            assert json.loads(asked[-1]["content"]) == {"sum": 900}
            saying("Together they cost 900 euros {rent}{power}.", rent="rent", power="electricity")(call)

    with with_model(tmp_path, behave, *told) as (door, _):
        body = door.http.post("/api/answer", json={"query": "What do the rent and the electricity cost?"}).json()
        assert body["answer"] == "Together they cost 900 euros [1][2]."
        assert body["unsupported"] == []


def frames(*deltas: dict[str, Any], finish: str = "stop", every: float = 0.0) -> Behaviour:
    """A stream of these deltas, with comments between them that keep it alive."""

    def behave(call: Call) -> None:
        call.begin(kind="text/event-stream")
        for delta in deltas:
            frame = json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode()
            if not call.write(b": ping\n\n") or not call.wait(every) or not call.write(b"data: " + frame + b"\n\n"):
                return
        end = json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}).encode()
        call.write(b"data: " + end + b"\n\ndata: [DONE]\n\n")

    return behave


def says(text: str) -> dict[str, Any]:
    return {"content": text}


@pytest.mark.parametrize(
    "behaviour",
    [
        frames(*map(says, "Ingrid has your spare key [1].")),
        frames(says("<think>Sofia? [1] "), says("<<NO_INFO>></thi"), says("nk>"), says("Ingrid has your spare key [1].")),
        frames({"content": None, "reasoning_content": "Sofia? [1]"}, says("Ingrid has your spare key [1].")),
        frames({"content": [{"type": "text", "text": "Ingrid has your spare key [1]."}]}),
        frames(says("Ingrid has your spare key [n=1], I am sure [7]."), finish="end_turn"),
        frames(says("Ingrid has \ud83d"), says("\ude00 your spare key [1].\0")),
    ],
    ids=["letters", "thoughts", "thoughts beside", "parts", "marks", "halves"],
)
def test_a_good_answer_is_taken_from_a_model_with_an_accent(tmp_path: Path, behaviour: Behaviour) -> None:
    with with_model(tmp_path, behaviour, KEY) as (door, _):
        (applied,) = of(door.stream(WHO), "citations_applied")
        assert applied["used_llm"]
        assert applied["answer"].replace("😀 ", "").replace(", I am sure", "") == "Ingrid has your spare key [1]."
        assert applied["unsupported"] == []


FAILING: dict[str, Behaviour] = {
    "cut off in other words": frames(says("Ingrid in flat 99 has your spare key [1]."), finish="MAX_TOKENS"),
    "an error for an end": frames(says("Ingrid in flat 99 has your spare key [1]."), finish="error"),
    "filtered": frames(says("Ingrid in flat 99 has your spare key [1]."), finish="SAFETY"),
    "white space": frames(says(" \n"), says("\t\n")),
    "a citation alone": frames(says("[1]")),
    "only thoughts": frames(says("<think>Ingrid in flat 99 [1]")),
    "thoughts without end": frames(*[says("<think> flat 99 ")] * 40, every=0.1),
    "kept alive and silent": frames(*[says("")] * 60, every=0.1),
    "an error in the stream": frames(says("Flat 99 "), {"content": {"no": "text"}}, finish="abort"),
    "error": failing(500),
    "page": html(),
    "refusal": refusal(),
    "cut off": cut_off("Ingrid has your spare key [1] and the"),
    "broken off": disconnect("Ingrid in flat 99 has your"),
    "empty": answer(""),
    "uncited": answer("Ingrid has it."),
    "endless": endless(),
    "slow": hang(),
    "only tools": call_tool("sum_numbers", {"numbers": [1]}),
}


@pytest.mark.parametrize("kind", FAILING)
def test_however_a_model_fails_the_answer_is_the_one_without_it(tmp_path: Path, kind: str) -> None:
    with with_model(tmp_path, FAILING[kind], KEY, llm_timeout_seconds=1.5) as (door, _):
        events = door.stream(WHO)
        (applied,) = of(events, "citations_applied")
        assert "Ingrid in flat 12 has your spare key." in applied["answer"]
        assert "99" not in applied["answer"]
        assert applied["used_llm"] is False
        assert applied["model"] is None
        assert len(applied["warnings"]) == 1
        assert not of(events, "error")


def test_without_a_model_nothing_is_different(tmp_path: Path) -> None:
    with opened(tmp_path, llm_provider="none") as door:
        door.tell(KEY[0])
        (applied,) = of(door.stream(WHO), "citations_applied")
        assert applied["answer"] == "Ingrid in flat 12 has your spare key. [1]"
        assert (applied["used_llm"], applied["warnings"], applied["model"]) == (False, [], None)


# Elsewhere


SISTER = ("My sister Rosalind Okonkwo has the phone +44\u00a020\u00a07946\u00a00958.", KEY[1])


def test_an_answer_from_elsewhere_has_its_names_though_none_of_them_left(tmp_path: Path) -> None:
    def behave(call: Call) -> None:
        first, second, number = re.findall(r"<[A-Z]+_\d+_\w{4}>", str(call.body["messages"][1]["content"]))[:3]
        said = f"{first.lower()} {second.strip('<>')}'s phone is {number} [1]."
        frames(*map(says, said))(call)

    with with_model(tmp_path, behave, SISTER, elsewhere=True) as (door, server):
        events = door.stream("What is my sister's phone number?")
        (applied,) = of(events, "citations_applied")
        sent = b"".join(each.raw for each in server.received).decode("unicode_escape")
    assert applied["answer"] == shown(events) == "Rosalind Okonkwo's phone is +44 20 7946 0958 [1]."
    assert (applied["unsupported"], applied["pii_protected"]) == ([], True)
    assert [word for word in ("Rosalind", "Okonkwo", "7946", "0958") if word in sent] == []


# Conversation


def test_follow_ups_in_a_session_are_understood_and_say_so(tmp_path: Path) -> None:
    with opened(tmp_path, llm_provider="none") as door:
        door.tell("Ada lives in Berlin.")
        door.tell("Ada works at the library in Potsdam.")
        door.stream("Where does Ada live?", session_id="s1")
        (found,) = of(door.stream("Where does she work?", session_id="s1"), "atoms")
        assert found["reformulated_query"] == "Where does Ada work?"
        assert "library" in found["atoms"][0]["content"]
        for session in ("s2", None):
            (found,) = of(door.stream("Where does she work?", session_id=session), "atoms")
            assert found["reformulated_query"] is None


def test_the_history_of_api_answer_is_used(tmp_path: Path) -> None:
    with opened(tmp_path, llm_provider="none") as door:
        door.tell("Ada works at the library in Potsdam.")
        history = [{"question": "Where does Ada live?", "answer": "Ada lives in Berlin. [1]"}]
        body = door.http.post("/api/answer", json={"query": "Where does she work?", "history": history}).json()
        assert body["reformulated_query"] == "Where does Ada work?"
        assert body["citations"]


def test_a_statement_that_leans_on_the_conversation_takes_its_words_along(tmp_path: Path) -> None:
    with opened(tmp_path, start=False, llm_provider="none") as door:
        door.stream("Where does Ada live?", session_id="s1")
        headers = {"Idempotency-Key": "once"}
        told = {"question": "She moved to Hamburg.", "session_id": "s1", "intent": "tell"}
        replies = [door.http.post("/api/query", json=told, headers=headers).text for _ in range(2)]
        assert all("captured" in reply and "error" not in reply for reply in replies)
        (capture_id,) = {json.loads(reply.split("data: ")[2].split("\n")[0])["receipt"]["capture_id"] for reply in replies}
        (entry,) = tmp_path.joinpath("journal").rglob(f"{capture_id}.json")
        kept = json.loads(entry.read_bytes())
        assert kept["text"] == "She moved to Hamburg."
        assert kept["metadata"]["context"].startswith("Where does Ada live?")


# Leaving


@contextmanager
def over_the_wire(door: Door) -> Iterator[httpx2.Client]:
    """A client of the door over a real connection."""
    with listening(server_config(door.app)) as port, httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as http:
        yield http


SLOWLY = drip("word " * 400, every=0.05)


@pytest.mark.parametrize(("behaviour", "until"), [(SLOWLY, "token"), (hang(), "atoms")], ids=["mid-answer", "before a word"])
def test_a_reader_who_leaves_gives_up_the_models_call(tmp_path: Path, behaviour: Behaviour, until: str) -> None:
    with with_model(tmp_path, behaviour, KEY) as (door, server), over_the_wire(door) as http:
        with http.stream("POST", "/api/query", json={"question": WHO}) as response:
            lines = response.iter_lines()  # kept: dropping it hangs up
            assert any(f'"type":"{until}"' in line for line in lines)
            wait_until(lambda: bool(server.completions))
            assert not server.left.is_set()
        assert server.left.wait(GIVEN_UP_WITHIN)


def test_a_reader_who_leaves_gives_up_the_call_that_was_to_understand_the_question(tmp_path: Path) -> None:
    def behave(call: Call) -> None:
        rewrites = any("understandable by itself" in str(message["content"]) for message in call.body["messages"])
        (hang() if rewrites else answer("{}"))(call)

    with (
        model_server(behave) as server,
        opened(tmp_path, auth=False, llm_provider="openai", llm_base_url=server.base_url, llm_model="m") as door,
        over_the_wire(door) as http,
    ):
        for question in ("Who met Ada and Carla?", "Where does she work?"):
            asked = {"question": question, "session_id": "s1", "intent": "ask"}
            with http.stream("POST", "/api/query", json=asked) as response:
                if question.startswith("Who"):
                    response.read()
                    continue
                lines = response.iter_lines()
                assert any('"type":"intent"' in line for line in lines)
                wait_until(lambda: len(server.completions) == 1)
                assert not server.left.is_set()
        assert server.left.wait(SECONDS - 2)  # by itself it would end after SECONDS


def wait_until(true: Callable[[], bool]) -> None:
    """Until something is so that nobody announces."""
    turn = threading.Event()
    for _ in range(400):
        if true():
            return
        turn.wait(0.02)
    raise AssertionError("it did not come true")
