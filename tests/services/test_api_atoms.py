"""What is remembered, over HTTP: seen with its source, edited, deleted, and every change taken back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from lattice_common.domain.segment import Candidate
from lattice_common.ports.rejection_log import RejectedCandidate

from tests.services.door import Door


@pytest.fixture
def atom(door: Door) -> dict[str, Any]:
    """A memory, as GET shows it."""
    atom_id = door.tell("I gave the spare key to Ingrid in flat 12.")["atom_ids"][0]
    seen: dict[str, Any] = door.http.get(f"/api/atoms/{atom_id}").json()
    return seen


def edit(door: Door, atom_id: str, fields: dict[str, Any], **headers: str) -> Any:
    return door.http.patch(
        f"/api/atoms/{atom_id}", json=fields, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


def undo(door: Door, change_id: str) -> str:
    response = door.http.post(f"/api/undo/{change_id}")
    assert response.status_code == 200, response.text
    return str(response.json()["change_id"])


def is_known(door: Door, words: str) -> bool:
    return any(words in content for content in door.found(words))


def test_an_atom_comes_with_the_words_it_was_proved_by(door: Door, atom: dict[str, Any]) -> None:
    source = atom["source"]
    assert source["text"][source["start"] : source["end"]] == atom["source_quote"]
    assert source["capture_id"] == atom["capture_id"]
    assert (atom["history"], atom["relations"], atom["related"]) == ([], [], [])


def test_a_long_source_is_cut_around_its_quote(door: Door) -> None:
    before = "".join(f"Line {number} of the manual is about something else.\n" for number in range(200))
    receipt = door.tell(f"{before}\nI gave the spare key to Ingrid in flat 12.\n{before}")
    views = [door.http.get(f"/api/atoms/{atom_id}").json() for atom_id in receipt["atom_ids"][:50]]
    assert views
    for view in views:
        source = view["source"]
        assert source["text"][source["start"] : source["end"]] == view["source_quote"]
        assert len(source["text"]) < 3000


def test_what_was_replaced_stands_in_the_history(door: Door) -> None:
    old = door.tell("I live in Berlin.", metadata={"observed_at": "2026-01-10T10:00:00Z"})["atom_ids"][0]
    new = door.tell("I moved from Berlin to Lisbon.", metadata={"observed_at": "2026-05-14T10:00:00Z"})["atom_ids"]
    views = [door.http.get(f"/api/atoms/{atom_id}").json() for atom_id in new]
    [replacing] = [view for view in views if view["history"]]
    assert [former["atom_id"] for former in replacing["history"]] == [old]
    assert replacing["history"][0]["superseded_reason"]
    former = door.http.get(f"/api/atoms/{old}").json()
    assert former["is_superseded"]
    assert former["replaced_by"]["atom_id"] == replacing["atom_id"]


def test_the_newest_atoms_come_first(door: Door) -> None:
    told = [door.tell(f"My {thing} is in the cellar.")["atom_ids"][0] for thing in ("kayak", "telescope", "piano")]
    newest = door.http.get("/api/atoms/recent", params={"limit": 2}).json()["atoms"]
    assert [each["atom_id"] for each in newest] == told[:0:-1]
    older = door.http.get("/api/atoms/recent", params={"before": newest[-1]["atom_id"]}).json()["atoms"]
    assert [each["atom_id"] for each in older] == told[:1]


def test_related_atoms_are_found_by_atom_and_by_subject(door: Door, atom: dict[str, Any]) -> None:
    other = door.tell("Ingrid in flat 12 has a dog.")["atom_ids"][0]
    subject = door.http.get(f"/api/atoms/{other}").json()["subject"]
    by_subject = door.http.get("/api/atoms/related", params={"subject": subject}).json()["atoms"]
    assert other in [each["atom_id"] for each in by_subject]
    assert door.http.get("/api/atoms/related", params={"atom_id": other}).status_code == 200
    assert door.http.get("/api/atoms/related").status_code == 422
    assert door.http.get("/api/atoms/related", params={"atom_id": "nothing"}).status_code == 404


def test_an_edit_says_which_version_it_saw(door: Door, atom: dict[str, Any]) -> None:
    response = door.http.get(f"/api/atoms/{atom['atom_id']}")
    etag = response.headers["etag"]
    fields = {"content": "Ingrid in flat 12 has the garage remote."}
    assert edit(door, atom["atom_id"], fields).status_code == 428
    assert edit(door, atom["atom_id"], fields, If_Match='"of another time"').status_code == 412
    assert edit(door, atom["atom_id"], fields, If_Match=etag).status_code == 200
    assert edit(door, atom["atom_id"], {"content": "Something else."}, If_Match=etag).status_code == 412


@pytest.mark.parametrize(("door_of_it", "trust"), [({}, "user"), ({"channel": "page"}, "user"), ({"channel": "mcp"}, "document")])
def test_only_an_edit_at_the_owners_own_doors_makes_a_memory_their_word(
    door: Door, door_of_it: dict[str, str], trust: str
) -> None:
    (atom_id,) = door.tell("The boiler is in the cellar.", source="document")["atom_ids"]
    assert edit(door, atom_id, {"content": "The boiler is in the attic.", **door_of_it}, If_Match="*").status_code == 200
    seen = door.http.get(f"/api/atoms/{atom_id}").json()
    assert (seen["content"], seen["trust"], seen["extractor"]) == ("The boiler is in the attic.", trust, "user")


def test_a_door_alone_is_nothing_to_change(door: Door, atom: dict[str, Any]) -> None:
    assert edit(door, atom["atom_id"], {"channel": "mcp"}, If_Match="*").status_code == 422


def test_an_edit_is_found_at_once_and_can_be_taken_back(door: Door, atom: dict[str, Any]) -> None:
    change_id = edit(door, atom["atom_id"], {"content": "Ingrid has the garage remote."}, If_Match="*").json()["change_id"]
    assert is_known(door, "garage remote")
    assert not is_known(door, "spare key")
    undo(door, change_id)
    assert is_known(door, "spare key")
    assert not is_known(door, "garage remote")


@pytest.mark.parametrize(
    "fields",
    [{}, {"content": ""}, {"importance": 2}, {"atom_id": "x"}, {"valid_from": "2026-05-01"}, {"subject": None, "unknown": 1}],
)
def test_an_edit_that_makes_no_sense_is_refused(door: Door, atom: dict[str, Any], fields: dict[str, Any]) -> None:
    assert edit(door, atom["atom_id"], fields, If_Match="*").status_code == 422


@pytest.mark.parametrize("field", ["content", "kind", "subject", "category", "importance", "entities"])
def test_a_field_that_must_have_a_value_is_not_set_to_null(door: Door, atom: dict[str, Any], field: str) -> None:
    assert edit(door, atom["atom_id"], {field: None}, If_Match="*").status_code == 422
    assert door.http.get(f"/api/atoms/{atom['atom_id']}").json()["content"] == atom["content"]


def test_a_deleted_atom_is_gone_and_comes_back_by_undo(door: Door, atom: dict[str, Any]) -> None:
    change_id = door.http.delete(f"/api/atoms/{atom['atom_id']}").json()["change_id"]
    assert door.http.get(f"/api/atoms/{atom['atom_id']}").status_code == 404
    assert not is_known(door, "spare key")
    undo(door, change_id)
    assert is_known(door, "spare key")


def test_undoing_twice_is_a_conflict_and_undoing_an_undo_is_not(door: Door, atom: dict[str, Any]) -> None:
    change_id = door.http.delete(f"/api/atoms/{atom['atom_id']}").json()["change_id"]
    undone = undo(door, change_id)
    assert door.http.post(f"/api/undo/{change_id}").status_code == 409
    undo(door, undone)
    assert not is_known(door, "spare key")


def test_undoing_a_capture_brings_back_what_it_replaced(door: Door) -> None:
    door.tell("I live in Berlin.", metadata={"observed_at": "2026-01-10T10:00:00Z"})
    moved = door.tell("I moved from Berlin to Lisbon.", metadata={"observed_at": "2026-05-14T10:00:00Z"})
    assert moved["atoms_updated"] == 1
    undo(door, moved["capture_id"])
    assert door.found("Where do I live?") == ["I live in Berlin."]
    assert not door.http.get("/api/atoms/recent").json()["atoms"][0]["is_superseded"]


def test_what_is_not_there_cannot_be_changed(door: Door) -> None:
    assert door.http.delete("/api/atoms/nothing").status_code == 404
    assert door.http.post("/api/undo/nothing").status_code == 404
    assert edit(door, "nothing", {"content": "x"}, If_Match="*").status_code == 404
    assert door.http.post("/api/rejected/nothing/keep").status_code == 404
    assert door.http.delete("/api/sources/nothing").status_code == 404


def test_all_that_came_from_a_source_goes_and_comes_back_in_one_change(door: Door, atom: dict[str, Any]) -> None:
    door.tell("My kayak is in the cellar. My telescope is in the attic.", metadata={"source_id": "notes/2026/may.md"})
    change_id = door.http.delete("/api/sources/notes/2026/may.md").json()["change_id"]
    assert [each["atom_id"] for each in door.http.get("/api/atoms/recent").json()["atoms"]] == [atom["atom_id"]]
    undo(door, change_id)
    assert len(door.http.get("/api/atoms/recent").json()["atoms"]) == 3


def test_what_was_set_aside_is_listed_with_its_reason_and_can_be_kept(door: Door) -> None:
    capture_id = door.tell("I gave the spare key to Ingrid in flat 12.")["capture_id"]
    doubtful = Candidate("Ingrid has 3 keys.", "I gave the spare key to Ingrid", "fact", "Ingrid", "s1")
    at = datetime(2026, 5, 1, tzinfo=UTC)
    door.embedded.stores.rejections.append([RejectedCandidate("r1", capture_id, at, doubtful, "number-unlicensed", "3")])
    [listed] = door.http.get("/api/rejected").json()["rejected"]
    assert (listed["rejected_id"], listed["reason"], listed["detail"], listed["kept"]) == ("r1", "number-unlicensed", "3", False)
    change_id = door.http.post("/api/rejected/r1/keep").json()["change_id"]
    assert is_known(door, "Ingrid has 3 keys.")
    assert door.http.get("/api/rejected").json()["rejected"][0]["kept"]
    assert door.http.post("/api/rejected/r1/keep").status_code == 409
    undo(door, change_id)
    assert not is_known(door, "Ingrid has 3 keys.")


def test_the_export_has_every_atom_one_a_line(door: Door, atom: dict[str, Any]) -> None:
    door.tell("My kayak is in the cellar.")
    response = door.http.get("/api/export")
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert response.headers["content-type"].startswith("application/x-ndjson")
    assert [line["content"] for line in lines] == ["I gave the spare key to Ingrid in flat 12.", "My kayak is in the cellar."]


def test_the_graph_around_an_atom_holds_it_and_its_subject(door: Door, atom: dict[str, Any]) -> None:
    drawn = door.http.get("/api/graph/subgraph", params={"atom_id": atom["atom_id"], "depth": 1}).json()
    ids = {node["id"] for node in drawn["nodes"]}
    assert f"atom:{atom['atom_id']}" in ids
    assert {edge["source"] for edge in drawn["edges"]} | {edge["target"] for edge in drawn["edges"]} <= ids


def test_status_counts_and_names_the_engines(door: Door, atom: dict[str, Any]) -> None:
    status = door.http.get("/api/status").json()
    assert status["atoms"] == 1
    assert status["captures"] == {"waiting": 0, "dead": 0}
    assert status["engines"]["lexical"] == "tantivy"
    assert status["versions"]["lattice"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"at": "x"}', b'{"at": 1.0, "stuck": null}'])
def test_a_heartbeat_of_the_bot_that_is_none_takes_no_other_number_away(door: Door, content: bytes) -> None:
    (door.root / "bot").mkdir()
    (door.root / "bot" / "alive.json").write_bytes(content)
    text = door.http.get("/metrics").text
    assert "lattice_atoms 0.0" in text
    assert "lattice_telegram" not in text


def test_metrics_count_requests_by_route_and_atoms(door: Door, atom: dict[str, Any]) -> None:
    door.http.request("BREW", "/api/status")
    text = door.http.get("/metrics").text
    assert "lattice_atoms 1.0" in text
    assert 'route="/api/atoms/{atom_id}",status="200"' in text
    assert "BREW" not in text


def test_forgetting_is_shown_first_and_then_goes_into_the_trash(door: Door, atom: dict[str, Any]) -> None:
    shown = door.http.post("/api/forget", json={"about": "Ingrid"}).json()
    assert (shown["state"], shown["atom_ids"], shown["change_id"]) == ("confirm", [atom["atom_id"]], None)
    assert shown["captures"] == [atom["capture_id"]]
    assert door.http.get(f"/api/atoms/{atom['atom_id']}").status_code == 200
    gone = door.http.post("/api/forget", json={"about": "Ingrid", "confirm": shown["confirm"]}).json()
    assert gone["state"] == "in_trash"
    assert gone["until"] > shown["until"][:10]
    assert door.http.get(f"/api/atoms/{atom['atom_id']}").status_code == 404
    undo(door, gone["change_id"])
    assert door.http.get(f"/api/atoms/{atom['atom_id']}").status_code == 200


def test_forgetting_at_once_leaves_no_byte_of_it_in_any_file(door: Door, atom: dict[str, Any]) -> None:
    given = door.give("letter.txt", b"Ingrid has the cellar key, too.", source="user")
    door.http.post("/api/query", json={"query": "who has the spare key?", "session_id": "s"})
    shown = door.http.post("/api/forget", json={"about": "Ingrid", "now": True}).json()
    done = door.http.post("/api/forget", json={"about": "Ingrid", "now": True, "confirm": shown["confirm"]})
    assert done.json()["state"] == "forgotten", done.text
    assert [path for path in door.root.rglob("*") if path.is_file() and b"ingrid" in path.read_bytes().lower()] == []
    assert door.http.get(f"/api/captures/{given['capture_id']}/original").status_code == 404
    assert door.http.post(f"/api/undo/{done.json()['change_id']}").status_code in (404, 409)
    assert atom["content"] not in door.found("who has the spare key?")


def test_what_was_shown_and_is_not_so_any_more_is_not_forgotten(door: Door, atom: dict[str, Any]) -> None:
    shown = door.http.post("/api/forget", json={"about": "Ingrid"}).json()
    door.tell("Ingrid has moved to flat 14.")
    refused = door.http.post("/api/forget", json={"about": "Ingrid", "confirm": shown["confirm"]})
    assert refused.status_code == 412
    assert door.http.post("/api/forget", json={}).status_code == 422
    assert door.http.post("/api/forget", json={"about": "Nobody"}).status_code == 404
    assert door.anybody.post("/api/forget", json={"about": "Ingrid"}).status_code == 401
    assert door.http.get(f"/api/atoms/{atom['atom_id']}").status_code == 200


def test_what_was_replaced_says_old_and_new_and_since_when(door: Door) -> None:
    old = door.tell("I live in Berlin.", metadata={"observed_at": "2026-01-10T10:00:00Z"})["atom_ids"][0]
    new = door.tell("I moved from Berlin to Lisbon.", metadata={"observed_at": "2026-05-14T10:00:00Z"})["atom_ids"][0]
    for seen in (door.http.get(f"/api/atoms/{new}").json()["history"][0], door.http.get(f"/api/atoms/{old}").json()):
        assert seen["change"] == {"before": "Berlin", "after": "Lisbon"}
        assert seen["replaced_on"] == "2026-05-14T10:00:00+00:00"
    current = door.http.get(f"/api/atoms/{new}").json()
    assert (current["change"], current["replaced_on"], current["edits"]) == (None, None, [])


def test_an_edited_memory_has_its_former_words_and_is_cited_with_the_new_ones(door: Door, atom: dict[str, Any]) -> None:
    made = [
        edit(door, atom["atom_id"], {"content": words}, If_Match="*").json()["change_id"]
        for words in ("The spare key is with Tom in flat 9.", "The spare key is with Rosa in flat 7.")
    ]
    seen = door.http.get(f"/api/atoms/{atom['atom_id']}").json()
    assert [(each["content"], each["change_id"]) for each in seen["edits"]] == [
        ("The spare key is with Tom in flat 9.", made[1]),
        (atom["content"], made[0]),
    ]
    answer = door.http.post("/api/answer", json={"query": "Who has my spare key?"}).json()
    assert answer["citations"][0]["quote"] == "The spare key is with Rosa in flat 7."
    undo(door, made[1])
    [former] = door.http.get(f"/api/atoms/{atom['atom_id']}").json()["edits"]
    assert former["content"] == atom["content"]
    undo(door, made[0])
    again = door.http.get(f"/api/atoms/{atom['atom_id']}").json()
    assert (again["content"], again["edits"], again["metadata"]) == (atom["content"], [], atom["metadata"])


def test_words_in_which_nothing_was_found_can_be_kept_as_they_stand(door: Door) -> None:
    asked = door.tell("Where is my key?")
    assert (asked["atom_ids"], asked["reason"]) == ([], "nothing to remember")
    change_id = door.http.post(f"/api/rejected/{asked['capture_id']}/keep").json()["change_id"]
    [atom_id] = door.http.get(f"/api/captures/{change_id}").json()["atom_ids"]
    kept = door.http.get(f"/api/atoms/{atom_id}").json()
    assert (kept["content"], kept["source_quote"], kept["trust"]) == ("Where is my key?", "Where is my key?", "user")
    assert door.http.post(f"/api/rejected/{asked['capture_id']}/keep").status_code == 409
    undo(door, change_id)
    assert door.http.get(f"/api/atoms/{atom_id}").status_code == 404
    found = door.tell("I gave the spare key to Ingrid in flat 12.")
    assert door.http.post(f"/api/rejected/{found['capture_id']}/keep").status_code == 404
