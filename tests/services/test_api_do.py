"""Tell, ask or do over HTTP: what words are meant for, and requests that are carried out."""

from __future__ import annotations

import pytest

from tests.services.door import Door


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Where is the key?", "ask"),
        ("Remember that Tom has the key.", "tell"),
        ("Undo that.", "do"),
        ("Tom has the key.", "tell"),
    ],
)
def test_the_intent_of_words_comes_with_how_sure_it_is(door: Door, text: str, intent: str) -> None:
    read = door.http.post("/api/intent", json={"text": text}).json()
    assert set(read) == {"intent", "sure", "by"}
    assert read["intent"] == intent
    assert 0 < read["sure"] <= 1


def test_what_is_to_be_done_is_neither_told_nor_asked(door: Door) -> None:
    events = door.stream("Undo that.")
    assert [event["type"] for event in events] == ["intent", "done"]
    assert events[0]["intent"] == "do"
    assert door.found("undo") == []


def test_a_request_is_shown_confirmed_and_undone(door: Door) -> None:
    door.tell("Tom plays darts.")
    shown = door.http.post("/api/do", json={"text": "Forget what I said about Tom."}).json()
    assert (shown["action"], shown["state"], shown["found"]) == ("forget", "confirm", 1)
    assert shown["atoms"][0]["content"] == "Tom plays darts."
    assert door.found("darts") == ["Tom plays darts."]
    done = door.http.post("/api/do", json={"token": shown["token"]}).json()
    assert (done["state"], door.found("darts")) == ("done", [])
    assert door.http.post(f"/api/undo/{done['change_id']}").status_code == 200
    assert door.found("darts") == ["Tom plays darts."]


def test_a_token_that_nobody_gave_is_not_found(door: Door) -> None:
    answer = door.http.post("/api/do", json={"token": "01jd0000000000000000000000"})
    assert answer.status_code == 404
    assert "Say again" in answer.json()["detail"]


@pytest.mark.parametrize("body", [{}, {"text": "undo", "token": "x"}, {"text": " "}])
def test_a_request_has_either_words_or_a_token(door: Door, body: dict[str, str]) -> None:
    assert door.http.post("/api/do", json=body).status_code == 422


def test_how_something_was_meant_is_said_of_each_memory(door: Door) -> None:
    door.tell("I wish I had a narrowboat.")
    (atom,) = door.select("narrowboat")["atoms"]
    assert atom["status"] == "wished"
    assert door.http.get(f"/api/atoms/{atom['atom_id']}").json()["status"] == "wished"
    assert "You would like it so" in door.http.post("/api/answer", json={"query": "narrowboat?"}).json()["answer"]
