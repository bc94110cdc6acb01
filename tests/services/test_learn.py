"""What the owner did later is exported as labelled examples, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge

from tests.services.cli_product import Shell, running
from tests.services.door import Door, opened

LEEDS, YORK, TRAM = "I live in Leeds.", "Finally unpacked the last box here in York.", "My tram leaves from Leeds station."
THEN, NOW = "2026-01-05T10:00:00Z", "2026-06-01T10:00:00Z"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path / "data", judge=ScriptedJudge({(LEEDS, YORK): 0.7, (TRAM, YORK): 0.97})) as door:
        yield door


def examples(door: Door, task: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in door.http.get("/api/learn/export").text.splitlines()]
    return [line for line in lines if line["task"] == task]


def told(door: Door, *texts: tuple[str, str]) -> list[str]:
    """Their captures' ids."""
    return [door.tell(text, metadata={"observed_at": at})["capture_id"] for text, at in texts]


def in_short(found: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    return [(each["old"], each["new"], each["label"], each["by"]) for each in found]


def settle(door: Door, outcome: str) -> str:
    [found] = door.http.get("/api/review").json()["review"]
    named = {"newer": found["newer"]["atom_id"], "older": found["older"]["atom_id"]}
    return str(door.http.post("/api/review", json={**named, "outcome": outcome}).json()["change_id"])


def test_nothing_done_teaches_nothing(door: Door) -> None:
    told(door, (LEEDS, THEN), (YORK, NOW))
    assert door.http.get("/api/learn/export").text == ""


@pytest.mark.parametrize(("outcome", "label", "by"), [("both", "adds", "keep_both"), ("replaced", "updates", "replaced")])
def test_what_the_owner_says_of_a_pair_is_an_example_until_it_is_undone(outcome: str, label: str, by: str, door: Door) -> None:
    told(door, (LEEDS, THEN), (YORK, NOW))
    change_id = settle(door, outcome)
    assert in_short(examples(door, "relation")) == [(LEEDS, YORK, label, by)]
    undo = door.http.post(f"/api/undo/{change_id}").json()["change_id"]
    assert examples(door, "relation") == []
    door.http.post(f"/api/undo/{undo}")
    assert in_short(examples(door, "relation")) == [(LEEDS, YORK, label, by)]


def test_a_retirement_that_was_undone_teaches_that_both_hold(door: Door) -> None:
    _, york = told(door, (TRAM, THEN), (YORK, NOW))
    assert examples(door, "relation") == []
    undo = door.http.post(f"/api/undo/{york}").json()["change_id"]
    assert in_short(examples(door, "relation")) == [(TRAM, YORK, "adds", "undo")]
    door.http.post(f"/api/undo/{undo}")
    assert examples(door, "relation") == []


def test_a_pair_of_which_one_was_deleted_is_not_told(door: Door) -> None:
    told(door, (LEEDS, THEN), (YORK, NOW))
    settle(door, "both")
    [leeds] = [atom["atom_id"] for atom in door.select("Leeds")["atoms"] if atom["content"] == LEEDS]
    door.http.delete(f"/api/atoms/{leeds}")
    assert examples(door, "relation") == []


@pytest.mark.parametrize(("verdict", "label"), [("up", True), ("down", False), ("wrong", False)])
def test_a_verdict_on_an_answer_says_what_answered_it(verdict: str, label: bool, door: Door) -> None:
    told(door, ("The spare key is with Ines.", THEN))
    answer = door.http.post("/api/answer", json={"query": "Who has the spare key?"}).json()
    door.http.post("/api/feedback", json={"trace_id": answer["trace_id"], "verdict": verdict})
    [found] = examples(door, "answers")
    assert (found["question"], found["statement"]) == ("Who has the spare key?", "The spare key is with Ines.")
    assert (found["label"], found["by"]) == (label, verdict)


def test_an_intent_that_was_chosen_against_the_guess_is_an_example(door: Door) -> None:
    door.stream("spare key", intent="ask")
    door.stream("Where is the spare key?", intent="ask")
    door.stream("The bin goes out on Mondays.", intent="tell")
    [found] = examples(door, "utterance")
    assert (found["text"], found["label"], found["guess"]) == ("spare key", "ask", "tell")
    assert door.http.post("/api/chat/clear-today").status_code == 200
    assert examples(door, "utterance") == []


def test_the_command_writes_the_same_with_and_without_the_product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell, ScriptedJudge({(LEEDS, YORK): 0.7})):
        shell.lc(LEEDS)
        shell.lc(YORK)
        pair = json.loads(shell.lattice("review", "--json").out)
        shell.lattice("review", pair["newer"]["atom_id"], pair["older"]["atom_id"], "--settle", "both")
        shown = shell.lattice("learn", "export").out
        assert json.loads(shown)["label"] == "adds"
    written = shell.lattice("learn", "export", "examples.jsonl")
    assert (written.code, written.err) == (0, "1 examples written to examples.jsonl\n")
    assert (tmp_path / "examples.jsonl").read_text() == shown
    assert (tmp_path / "examples.jsonl").stat().st_mode & 0o077 == 0
