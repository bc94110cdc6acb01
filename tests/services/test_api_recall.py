"""Asking over HTTP: found, filtered, answered with citations, streamed in order."""

from __future__ import annotations

import orjson
import pytest

from tests.services.door import Door

MOVED = (
    ("I live in Berlin.", "2026-01-10T10:00:00+01:00"),
    ("I moved from Berlin to Lisbon.", "2026-05-14T10:00:00+02:00"),
)


@pytest.fixture
def moved(door: Door) -> Door:
    for text, at in MOVED:
        door.tell(text, metadata={"observed_at": at, "source_id": f"note-{at[:4]}", "session_id": at[:7]})
    door.tell("I gave the spare key to Ingrid in flat 12.", metadata={"source_id": "other", "session_id": "keys"})
    return door


def test_select_finds_what_was_said_with_its_score(door: Door) -> None:
    door.tell("I gave the spare key to Ingrid in flat 12.")
    found = door.select("Who has the spare key?")
    assert "Ingrid" in found["atoms"][0]["content"]
    assert found["atoms"][0]["score"] == max(atom["score"] for atom in found["atoms"])
    assert set(found) == {"atoms", "answerable", "confidence", "shape", "degraded", "trace_id", "took_ms"}


def test_what_was_replaced_is_left_out_unless_it_is_asked_for(moved: Door) -> None:
    assert not any("live in Berlin" in content for content in moved.found("Where do I live?"))
    both = moved.select("Where do I live?", include_superseded=True)["atoms"]
    assert any(atom["is_superseded"] and "Berlin" in atom["content"] for atom in both)


def test_as_of_an_earlier_day_the_former_city_holds(moved: Door) -> None:
    contents = moved.found("Where do I live?", as_of="2026-03-01T00:00:00+01:00")
    assert any("live in Berlin" in content for content in contents)
    assert not any("Lisbon" in content for content in contents)


def test_as_of_a_day_means_its_end(moved: Door) -> None:
    assert any("live in Berlin" in content for content in moved.found("Where do I live?", as_of="2026-03-01"))


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"source_id": ["other"]}, "spare key"),
        ({"session_id": ["keys"]}, "spare key"),
        ({"before": "2026-06-01T00:00:00Z", "after": "2026-05-01T00:00:00Z"}, "Lisbon"),
    ],
)
def test_a_filter_lets_nothing_else_through(moved: Door, chosen: dict[str, object], expected: str) -> None:
    contents = moved.found("Lisbon, or who has the key?", filter=chosen)
    assert contents
    assert all(expected in content for content in contents)


def test_a_filter_by_kind_lets_nothing_else_through(moved: Door) -> None:
    kinds = {atom["kind"] for atom in moved.select("Lisbon key Ingrid", include_superseded=True)["atoms"]}
    assert len(kinds) > 1
    for kind in kinds:
        found = moved.select("Lisbon key Ingrid", include_superseded=True, filter={"kind": [kind]})["atoms"]
        assert {atom["kind"] for atom in found} == {kind}


def test_explained_scores_are_the_sum_of_their_signals(moved: Door) -> None:
    for atom in moved.select("Who has the spare key?", explain=True)["atoms"]:
        assert atom["signals"]
        for signal in atom["signals"].values():
            assert signal["contribution"] == pytest.approx(signal["value"] * signal["weight"])
    assert all("signals" not in atom for atom in moved.select("Who has the spare key?")["atoms"])


def test_limit_is_kept(moved: Door) -> None:
    assert len(moved.found("Lisbon Ingrid key Berlin", limit=1)) == 1


def test_an_answer_cites_words_that_stand_in_their_source(moved: Door) -> None:
    answer = moved.http.post("/api/answer", json={"query": "Who did I give the spare key to?"}).json()
    assert answer["answered"]
    assert "[1]" in answer["answer"]
    assert "Ingrid" in answer["answer"]
    assert not answer["used_llm"]
    assert answer["citations"]
    for number, citation in enumerate(answer["citations"], start=1):
        source = moved.http.get(f"/api/atoms/{citation['atom_id']}").json()["source"]
        assert citation["n"] == number
        assert citation["supported"]
        assert citation["quote"] in source["text"]


def test_an_answer_from_given_atoms_uses_these_only(moved: Door) -> None:
    key = moved.select("Who has the spare key?")["atoms"][0]["atom_id"]
    answer = moved.http.post("/api/answer", json={"query": "Where do I live?", "atom_ids": [key]}).json()
    assert {citation["atom_id"] for citation in answer["citations"]} <= {key}
    assert [atom["atom_id"] for atom in answer["atoms"]] == [key]


def test_a_told_sentence_streams_intent_then_captured_then_done(door: Door) -> None:
    events = door.stream("The gas meter is behind the green door.")
    assert [event["type"] for event in events] == ["intent", "captured", "done"]
    assert events[0]["intent"] == "tell"
    capture_id = events[1]["receipt"]["capture_id"]
    assert door.http.get(f"/api/captures/{capture_id}").json()["capture_id"] == capture_id


def test_an_asked_question_streams_atoms_tokens_and_citations_in_order(moved: Door) -> None:
    events = moved.stream("Who has the spare key?")
    types = [event["type"] for event in events]
    assert (types[:2], types[-2:]) == (["intent", "atoms"], ["citations_applied", "done"])
    assert set(types[2:-2]) == {"token"}
    applied = events[-2]
    assert "".join(event["text"] for event in events if event["type"] == "token").strip() == applied["answer"].strip()
    assert {citation["atom_id"] for citation in applied["citations"]} == set(applied["num_map"].values())
    assert applied["pii_protected"] is False
    assert events[-1]["trace_id"]
    assert events[-1]["took_ms"] > 0


def test_the_intent_that_was_chosen_wins_over_the_words(door: Door) -> None:
    assert [event["type"] for event in door.stream("Is the door green?", intent="tell")] == ["intent", "captured", "done"]
    assert door.stream("the spare key", intent="ask")[0]["intent"] == "ask"


def test_nothing_to_ask_is_refused_before_the_stream_begins(door: Door) -> None:
    response = door.http.post("/api/query", json={"question": " \n "})
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == "question"


def test_what_nobody_told_is_not_answered(door: Door) -> None:
    door.tell("The gas meter is behind the green door.")
    assert door.http.post("/api/answer", json={"query": "What is the capital of Mongolia?"}).json()["answered"] is False


def test_an_empty_question_finds_nothing_and_breaks_nothing(moved: Door) -> None:
    for query in ("", "   ", "the of and", "*:* OR", "/.*/", 'content:"x" AND (', "\x00", "a" * 100_000):
        assert moved.select(query)["shape"]


def test_what_is_told_twice_with_one_key_is_kept_once(door: Door) -> None:
    told = {"question": "The stopcock is under the sink.", "intent": "tell"}
    first, second = (door.http.post("/api/query", json=told, headers={"Idempotency-Key": "told-once"}).text for _ in range(2))
    captured = [line for said in (first, second) for line in said.splitlines() if '"captured"' in line]
    ids = {orjson.loads(line.removeprefix("data: "))["receipt"]["capture_id"] for line in captured}
    assert len(captured) == 2
    assert len(ids) == 1
