"""The conversation over HTTP: its log, the journey of the day, and follow-ups that survive a restart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.services.door import Door, client, events_in, opened


def lines(door: Door, name: str = "chat") -> list[dict[str, Any]]:
    path = door.root / "logs" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def turns(door: Door) -> list[dict[str, Any]]:
    return list(door.http.get("/api/chat/recent").json()["turns"])


def test_a_question_stands_in_the_log_in_the_one_format(door: Door) -> None:
    atom_id = door.tell("The spare key is with Ines.")["atom_ids"][0]
    door.stream("Who has the spare key?", intent="ask", session_id="s1", channel="telegram")
    line = lines(door)[-1]
    assert {name: line[name] for name in line if name not in ("ts", "answer", "subjects", "query_topic", "trace_id", "crc")} == {
        "session_id": "s1",
        "question": "Who has the spare key?",
        "atom_ids": [atom_id],
        "channel": "telegram",
        "context_reset": False,
    }
    assert line["answer"].startswith("Ines")
    assert line["ts"].startswith("20")


def test_a_verdict_stands_beside_its_answer_until_it_is_taken_back(door: Door) -> None:
    door.tell("The spare key is with Ines.")
    trace_id = door.stream("Who has the spare key?", intent="ask")[-1]["trace_id"]
    door.stream("Who has the spare key?", intent="ask")
    assert [("given" in turn, "trace_id" in turn) for turn in turns(door)] == [(False, True)] * 3

    def judged(verdict: str) -> str:
        found: str = door.http.post("/api/feedback", json={"trace_id": trace_id, "verdict": verdict}).json()["change_id"]
        return found

    up = judged("up")
    assert [turn.get("given") for turn in turns(door)] == [None, {"verdict": "up", "change_id": up}, None]
    wrong = judged("wrong")
    assert door.http.get("/api/chat/today").json()["turns"][1]["given"] == {"verdict": "wrong", "change_id": wrong}
    door.http.post(f"/api/undo/{wrong}").raise_for_status()
    assert turns(door)[1]["given"] == {"verdict": "up", "change_id": up}
    door.http.post(f"/api/undo/{up}").raise_for_status()
    assert "given" not in turns(door)[1]


def test_who_does_not_say_through_what_door_came_through_the_api(door: Door) -> None:
    door.stream("Who has the spare key?", intent="ask")
    door.http.post("/api/answer", json={"query": "Where do I live?"})
    assert {line["channel"] for line in lines(door)} == {"api"}


def test_what_was_told_stands_there_once_it_is_remembered(door: Door) -> None:
    told = door.tell("I live in Porto. My sister Nora works at Siemens.", metadata={"session_id": "s2", "channel": "lc"})
    [line] = lines(door)
    assert line["answer"] == f"[captured: {told['atoms_new']} new, 0 updated]"
    assert line["question"] == "I live in Porto. My sister Nora works at Siemens."
    assert (line["session_id"], line["atom_ids"]) == ("s2", told["atom_ids"])
    assert told["atoms_new"] == 2


def test_what_replaced_something_says_so(door: Door) -> None:
    door.tell("I live in Porto.", metadata={"observed_at": "2026-01-10T10:00:00Z"})
    door.tell("I moved from Porto to Lisbon.", metadata={"observed_at": "2026-05-10T10:00:00Z"})
    assert lines(door)[-1]["answer"] == "[captured: 1 new, 1 updated]"


def test_every_door_writes_the_same_log(door: Door) -> None:
    told = door.stream("I live in Porto.", intent="tell", session_id="a", channel="page")[1]
    door.embedded.lattice.wait_for(told["receipt"]["capture_id"], 10)
    door.http.post("/api/answer", json={"query": "Where do I live?", "session_id": "a", "channel": "mcp"})
    door.give("note.txt", b"The gas meter is behind the green door.")
    assert [(turn["channel"], turn["question"]) for turn in reversed(turns(door))] == [
        ("page", "I live in Porto."),
        ("mcp", "Where do I live?"),
        ("api", "note.txt"),
    ]


def test_an_import_is_no_conversation(door: Door) -> None:
    door.tell("I live in Porto.", priority="bulk")
    assert turns(door) == []


def test_the_journey_of_the_day_has_branches_by_topic(door: Door) -> None:
    door.tell("The spare key is with Ines. My dentist is Dr. Okafor.")
    for question in ("Where is the spare key?", "Who is my dentist?", "Who has the spare key now?"):
        door.http.post("/api/answer", json={"query": question})
    today = door.http.get("/api/chat/today").json()
    asked = {tuple(branch["questions"]) for branch in today["branches"]}
    assert {("Where is the spare key?", "Who has the spare key now?"), ("Who is my dentist?",)} <= asked
    assert [turn["question"] for turn in today["turns"]][1:] == [
        "Where is the spare key?",
        "Who is my dentist?",
        "Who has the spare key now?",
    ]


def test_how_deep_a_topic_goes_is_told(door: Door) -> None:
    assert door.http.get("/api/topic/depth").json() == {"current": None, "topics": []}
    for question in ("Where is the spare key?", "Who has the spare key?"):
        door.http.post("/api/answer", json={"query": question})
    found = door.http.get("/api/topic/depth").json()
    assert found["topics"] == [{"topic": found["current"], "depth": 2, "days": 1, "memories": 0}]


def test_clearing_today_forgets_the_turns_and_no_memory(door: Door) -> None:
    door.tell("The spare key is with Ines.")
    door.stream("Who has the spare key?", intent="ask", session_id="s")
    assert door.http.post("/api/chat/clear-today").json() == {"cleared": 2}
    assert turns(door) == []
    assert door.found("spare key") == ["The spare key is with Ines."]
    final = door.stream("And who else?", intent="ask", session_id="s")[-2]
    assert final["reformulated_query"] is None


def test_another_program_may_note_what_it_captured(door: Door) -> None:
    sent = {"question": "Session summary", "atoms_new": 3, "atoms_updated": 1, "session_id": "m", "channel": "mcp"}
    assert door.http.post("/api/capture-log", json=sent).json()["answer"] == "[captured: 3 new, 1 updated]"
    assert turns(door)[0]["channel"] == "mcp"


def test_a_reset_makes_a_conversation_begin_anew(door: Door) -> None:
    door.tell("The spare key is with Ines. The bike key is with Tom.")
    door.stream("Who has the spare key?", intent="ask", session_id="t")
    assert door.stream("And the bike key?", intent="ask", session_id="t")[-2]["reformulated_query"]
    door.http.post("/api/capture-log", json={"session_id": "t", "context_reset": True})
    assert door.stream("And the bike key?", intent="ask", session_id="t")[-2]["reformulated_query"] is None
    assert [turn["context_reset"] for turn in turns(door)][:3] == [False, True, False]


def test_a_turn_that_says_nothing_is_refused(door: Door) -> None:
    assert door.http.post("/api/capture-log", json={"question": "  "}).status_code == 422


def test_follow_ups_survive_a_restart(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        door.tell("The spare key is with Ines. The bike key is with Tom.")
        door.stream("Who has the spare key?", intent="ask", session_id="s")
        token = door.token
    with opened(tmp_path / "data") as door, client(door.app, token) as http:
        sent = {"question": "And the bike key?", "intent": "ask", "session_id": "s"}
        final = events_in(http.post("/api/query", json=sent).text)[-2][1]
    assert final["reformulated_query"] == "Who has the bike key?"


def test_a_log_that_cannot_be_written_stops_no_answer(door: Door) -> None:
    door.tell("The spare key is with Ines.")
    log = door.root / "logs" / "chat.jsonl"
    log.unlink()
    log.mkdir()
    answer = door.http.post("/api/answer", json={"query": "Who has the spare key?"}).json()
    assert answer["answered"]


@pytest.mark.parametrize("path", ["/api/chat/recent", "/api/chat/today", "/api/topic/depth"])
def test_what_was_said_needs_a_token(door: Door, path: str) -> None:
    assert door.anybody.get(path).status_code == 401
