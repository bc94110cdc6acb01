"""Over HTTP: verdicts and their effect, counts, traces, the timeline and the profile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_product import after
from lattice_common.domain.capture import Command, CountRecalls

from tests.services.door import Door, client, opened

KEY = "The spare key is with Ines."


def ask(door: Door, question: str = "Who has the spare key?", **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = door.http.post("/api/answer", json={"query": question, **more}).json()
    return answer


def judge(door: Door, verdict: str, **on: Any) -> dict[str, Any]:
    response = door.http.post("/api/feedback", json={"verdict": verdict, **on})
    assert response.status_code == 200, response.text
    judged: dict[str, Any] = response.json()
    return judged


def quality(door: Door, atom_id: str) -> float:
    return float(door.http.get(f"/api/atoms/{atom_id}").json()["quality_score"])


def lines(root: Path, name: str) -> list[dict[str, Any]]:
    path = root / "logs" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_a_thumb_moves_the_quality_of_what_was_cited(door: Door) -> None:
    [atom_id] = door.tell(KEY)["atom_ids"]
    trace_id = ask(door)["trace_id"]
    assert judge(door, "up", trace_id=trace_id)["atoms"][0]["atom_id"] == atom_id
    assert quality(door, atom_id) == 1.1
    down = judge(door, "down", atom_ids=[atom_id])
    assert quality(door, atom_id) == 1.0
    assert [(line["verdict"], line["atom_ids"], line["trace_id"]) for line in lines(door.root, "feedback")] == [
        ("up", [atom_id], trace_id),
        ("down", [atom_id], None),
    ]
    door.http.post(f"/api/undo/{down['change_id']}")
    assert quality(door, atom_id) == 1.1


def test_quality_stays_within_its_bounds(door: Door) -> None:
    [atom_id] = door.tell(KEY)["atom_ids"]
    for _ in range(11):
        judge(door, "down", atom_ids=[atom_id])
    assert quality(door, atom_id) == 0.1


def test_one_answer_counts_once_and_its_last_verdict_stands(door: Door) -> None:
    [atom_id] = door.tell(KEY)["atom_ids"]
    trace_id = ask(door)["trace_id"]
    first = judge(door, "up", trace_id=trace_id)
    assert judge(door, "up", trace_id=trace_id)["change_id"] is None
    assert quality(door, atom_id) == 1.1
    judge(door, "wrong", trace_id=trace_id)
    assert quality(door, atom_id) == 0.8
    judge(door, "up", trace_id=trace_id)
    assert quality(door, atom_id) == 1.1
    judge(door, "up", trace_id=ask(door)["trace_id"])
    assert quality(door, atom_id) == 1.2
    assert first["change_id"]


def test_a_thumb_that_was_taken_back_can_be_given_again(door: Door) -> None:
    [atom_id] = door.tell(KEY)["atom_ids"]
    trace_id = ask(door)["trace_id"]
    given = judge(door, "up", trace_id=trace_id)
    door.http.post(f"/api/undo/{given['change_id']}")
    assert quality(door, atom_id) == 1.0
    judge(door, "up", trace_id=trace_id)
    assert quality(door, atom_id) == 1.1


def test_what_is_called_wrong_is_listed_until_it_is_corrected(door: Door) -> None:
    [atom_id] = door.tell(KEY)["atom_ids"]
    judged = judge(door, "wrong", trace_id=ask(door)["trace_id"])
    assert quality(door, atom_id) == 0.8
    listed = door.http.get("/api/feedback").json()["to_correct"]
    assert [each["atom"]["content"] for each in listed] == [KEY]
    door.http.post(f"/api/undo/{judged['change_id']}")
    assert quality(door, atom_id) == 1.0
    door.http.patch(f"/api/atoms/{atom_id}", json={"content": "The spare key is with Tom."}, headers={"if-match": "*"})
    assert door.http.get("/api/feedback").json()["to_correct"] == []


def test_a_memory_that_was_called_wrong_by_mistake_is_not_listed_once_that_is_undone(door: Door) -> None:
    [atom_id] = door.tell(KEY)["atom_ids"]

    def listed() -> list[str]:
        return [each["atom"]["atom_id"] for each in door.http.get("/api/feedback").json()["to_correct"]]

    first, second = (judge(door, "wrong", atom_ids=[atom_id])["change_id"] for _ in range(2))
    door.http.post(f"/api/undo/{second}").raise_for_status()
    assert listed() == [atom_id]
    again = door.http.post(f"/api/undo/{first}").json()["change_id"]
    assert listed() == []
    door.http.post(f"/api/undo/{again}").raise_for_status()
    assert listed() == [atom_id]


def test_a_verdict_on_nothing_is_refused(door: Door) -> None:
    assert door.http.post("/api/feedback", json={"verdict": "up"}).status_code == 422
    assert door.http.post("/api/feedback", json={"verdict": "up", "trace_id": "x"}).status_code == 404


def test_usage_is_counted_by_day_and_all_in_all(door: Door) -> None:
    door.tell(KEY, metadata={"channel": "lc"})
    trace_id = ask(door, channel="mcp")["trace_id"]
    refused = ask(door, "Which year did Napoleon die?")
    assert not refused["answered"]
    assert refused["citations"], "what is nearest is named, and yet not recalled"
    judge(door, "up", trace_id=trace_id)
    found = door.http.get("/api/usage/summary").json()
    assert (found["asked"], found["told"], found["memories"], found["recalled"]) == (2, 1, 1, 1)
    assert found["channels"] == {"lc": 1, "mcp": 1, "api": 1}
    assert found["feedback"] == {"up": 1, "down": 0, "wrong": 0}
    days = door.http.get("/api/usage/weekly").json()["days"]
    assert len(days) == 7
    today = days[-1]
    assert {name: today[name] for name in today if name != "day"} == {
        "asked": 2, "told": 1, "memories": 1, "recalled": 1, "tokens": 0,
    }  # fmt: skip
    assert days[0]["asked"] == 0


def test_recalls_are_counted_into_the_memory_at_the_next_start_past_the_hour(tmp_path: Path) -> None:
    root = tmp_path / "data"
    with opened(root) as door:
        token = door.token
        [atom_id] = door.tell(KEY)["atom_ids"]
        ask(door)
        ask(door)
        assert door.http.get(f"/api/atoms/{atom_id}").json()["recall_count"] == 0
    usage = root / "logs" / "usage.jsonl"
    said = lines(root, "usage")
    assert [line["atom_ids"] for line in said] == [[atom_id], [atom_id]]
    usage.write_text("".join(json.dumps({**line, "ts": "2026-01-05T09:00:00+00:00"}) + "\n" for line in said))
    with again(root, token) as door:
        counted(door)
        atom = door.http.get(f"/api/atoms/{atom_id}").json()
        assert (atom["recall_count"], atom["last_recalled_at"]) == (2, "2026-01-05T09:00:00+00:00")
        assert "recall_count: 2" in next((root / "atoms").rglob(f"{atom_id}.md")).read_text()
    (root / "logs" / "usage-folded.jsonl").unlink()  # as if it had been cut off before it was written
    with again(root, token) as door:
        door.tell("I live in Porto.")
        assert door.http.get(f"/api/atoms/{atom_id}").json()["recall_count"] == 2


@contextmanager
def again(root: Path, token: str) -> Iterator[Door]:
    """The product started anew, for whom the first start gave the token."""
    with opened(root) as door, client(door.app, token) as http:
        yield replace(door, http=http)


def counted(door: Door) -> None:
    """Waits for the command that counts recalls, and for its receipt."""
    door.tell("The gas meter is behind the green door.")
    lattice = door.embedded.lattice
    journal = door.embedded.stores.worklog
    for _ in range(200):
        said = {entry: journal.read(entry) for entry in journal.entries()}
        ids = [entry for entry, each in said.items() if isinstance(each, Command) and isinstance(each.action, CountRecalls)]
        if ids:
            assert lattice.wait_for(ids[0], 10).receipt is not None
            return
        door.tell(f"I have {len(said)} spoons.")
    raise AssertionError("nothing was counted")


def test_counts_are_written_for_the_owner_only_where_they_are_asked_for(tmp_path: Path) -> None:
    for wanted in (False, True):
        root = tmp_path / str(wanted)
        with opened(root, telemetry=wanted) as door:
            door.tell(KEY)
            path = root / "logs" / "telemetry.json"
            found = after(10.0, lambda path=path: [path] if path.exists() else []) if wanted else []  # type: ignore[misc]
        assert path.exists() is wanted
        if found:
            counts = json.loads(path.read_text())
            assert set(counts) >= {"ts", "asked", "told", "memories", "streak"}
            assert "Ines" not in path.read_text()


def test_nothing_is_traced_unless_it_is_asked_for(door: Door) -> None:
    door.tell(KEY)
    answer = door.http.get(f"/api/trace/{ask(door)['trace_id']}")
    assert answer.status_code == 404
    assert "LATTICE_TRACE=true" in answer.json()["detail"]
    assert not (door.root / "logs" / "traces.jsonl").exists()


def test_a_trace_says_what_spoke_for_each_memory(tmp_path: Path) -> None:
    with opened(tmp_path / "data", trace=True) as door:
        [atom_id] = door.tell(KEY)["atom_ids"]
        answer = ask(door)
        assert "signals" not in answer["atoms"][0]
        trace = door.http.get(f"/api/trace/{answer['trace_id']}").json()
        assert (trace["kind"], trace["answered"], trace["cited"]) == ("answer", True, [atom_id])
        assert trace["counts"]["found"] == 1
        assert set(trace["stages_ms"]) >= {"understand", "seed", "expand", "score", "diversify"}
        assert trace["question_hash"] == door.http.get(f"/api/trace/{ask(door)['trace_id']}").json()["question_hash"]
        written = (door.root / "logs" / "traces.jsonl").read_text().casefold()
        assert "spare" not in written
        assert "ines" not in written
        spoke = trace["atoms"][0]["signals"].values()
        assert any(signal["contribution"] for signal in spoke)
        assert all(signal["contribution"] == pytest.approx(signal["value"] * signal["weight"]) for signal in spoke)
        streamed = door.stream("Who has the spare key?", intent="ask")
        assert "signals" not in streamed[1]["atoms"][0]
        assert door.http.get(f"/api/trace/{streamed[-1]['trace_id']}").json()["kind"] == "answer"
        selected = door.select("spare key", explain=True)
        assert selected["atoms"][0]["signals"]
        assert door.http.get(f"/api/trace/{selected['trace_id']}").json()["confidence"] == selected["confidence"]
        assert door.http.get("/api/trace/x").status_code == 404


def test_a_trace_with_words_of_an_earlier_version_goes(tmp_path: Path) -> None:
    (tmp_path / "data" / "logs").mkdir(parents=True)
    line = {"trace_id": "t", "ts": "2026-01-01T10:00:00+00:00", "kind": "answer", "question": "Who has it?", "atoms": []}
    (tmp_path / "data" / "logs" / "traces.jsonl").write_text(json.dumps(line) + "\n")
    with opened(tmp_path / "data", trace=True):
        assert "Who has it" not in (tmp_path / "data" / "logs" / "traces.jsonl").read_text()


def test_failures_are_counted_by_a_closed_list(door: Door) -> None:
    def failed() -> dict[str, int]:
        counts: dict[str, int] = door.http.get("/api/usage/stats").json()["failures"]
        return {name: count for name, count in counts.items() if count}

    door.tell(KEY)
    assert failed() == {}
    ask(door, "Which year did Napoleon die?", session_id="s")
    assert failed() == {"no_answer": 1}
    ask(door, "What is Peru's capital?", session_id="s")
    assert failed() == {"no_answer": 2, "reformulated": 1}
    ask(door, session_id="another")
    door.select("marzipan submarine")
    assert failed() == {"no_answer": 2, "reformulated": 1, "nothing_found": 1}
    numbers = door.http.get("/metrics").text
    assert 'lattice_failures_total{kind="no_answer"} 2.0' in numbers
    assert 'lattice_failures_total{kind="dead"} 0.0' in numbers


def test_stats_have_latencies_and_distributions(door: Door) -> None:
    door.tell(KEY)
    door.tell("I had lunch with Tom yesterday.")
    ask(door)
    door.select("spare key")
    found = door.http.get("/api/usage/stats").json()
    assert found["latencies"]["answer"]["count"] == 1
    assert found["latencies"]["select"]["count"] == 1
    assert 0.0 < found["latencies"]["seed"]["p50"] <= found["latencies"]["seed"]["longest"]
    spread = found["distributions"]
    assert spread["standing"]["current"] == sum(spread["kind"].values()) == sum(spread["age"].values()) == 2
    assert spread["trust"] == {"user": 2}


def test_the_timeline_is_in_the_order_of_what_is_spoken_of(door: Door) -> None:
    door.tell("I moved to Berlin on 3 May 2024.", metadata={"observed_at": "2026-02-01T10:00:00Z"})
    door.tell("The boiler was serviced.", metadata={"observed_at": "2026-01-10T10:00:00Z"})
    door.tell("I bought a bike.", metadata={"observed_at": "2023-01-10T10:00:00Z"})

    def told(**asked: Any) -> list[str]:
        found = door.http.get("/api/timeline", params=asked).json()["timeline"]
        return [each["atom"]["content"] for each in found]

    assert told() == ["I bought a bike.", "I moved to Berlin on 3 May 2024.", "The boiler was serviced."]
    assert told(after="2024-01-01T00:00:00Z", before="2025-01-01T00:00:00Z") == ["I moved to Berlin on 3 May 2024."]
    assert told(limit=1) == ["The boiler was serviced."]
    assert told(subject="boiler") == ["The boiler was serviced."]
    assert told(subject="nobody") == []
    assert told(kind="event") == ["I bought a bike.", "I moved to Berlin on 3 May 2024."]


def test_the_profile_is_what_the_owner_said_of_themselves(door: Door) -> None:
    door.tell("I live in Porto. I love rye bread. I want to run a marathon in October 2027.")
    door.tell("The tenant lives in Rome.", source="document")
    known = door.http.get("/api/profile").json()
    assert {each["category"]: [line["content"] for line in each["lines"]] for each in known["recent"]} == {
        "fact": ["I live in Porto.", "I want to run a marathon in October 2027."],
        "preference": ["I love rye bread."],
    }
    assert [line["spoken"] for each in known["recent"] for line in each["lines"]] == [
        "You live in Porto.",
        "You want to run a marathon in October 2027.",
        "You love rye bread.",
    ]
    assert known["lasting"] == []
    groups = known["groups"]
    assert {each["kind"]: [atom["content"] for atom in each["atoms"]] for each in groups} == {
        "fact": ["I live in Porto."],
        "preference": ["I love rye bread."],
        "goal": ["I want to run a marathon in October 2027."],
    }


@pytest.mark.parametrize("path", ["/api/usage/summary", "/api/usage/weekly", "/api/timeline", "/api/profile", "/api/feedback"])
def test_what_is_counted_needs_a_token(door: Door, path: str) -> None:
    assert door.anybody.get(path).status_code == 401
