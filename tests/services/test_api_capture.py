"""Telling over HTTP: kept at once, once, and with its receipt in the end."""

from __future__ import annotations

from pathlib import Path

from tests.services.door import Door, events_in, opened

CONVERSATION = [
    {
        "role": "user",
        "name": "Ada",
        "content": "I gave the spare key to Ingrid.",
        "observed_at": "2026-05-01T09:00:00+02:00",
        "id": "m1",
    },
    {
        "role": "user",
        "name": "Bruno",
        "content": "My sister works as a nurse in Turin.",
        "observed_at": "2026-05-01T09:01:00+02:00",
        "id": "m2",
    },
]


def test_a_capture_is_acknowledged_before_anything_is_done_with_it(tmp_path: Path) -> None:
    with opened(tmp_path, start=False) as door:
        response = door.http.post("/api/ingest", json={"text": "The gas meter is behind the green door."})
        assert response.status_code == 202
        kept = response.json()
        assert (kept["state"], kept["queued"], kept["atom_ids"]) == ("waiting", False, [])  # nobody is there to ring
        assert list(tmp_path.glob(f"journal/*/*/*/{kept['capture_id']}.json"))
        assert door.http.get(f"/api/captures/{kept['capture_id']}").json()["state"] == "waiting"


def test_waiting_brings_the_receipt(door: Door) -> None:
    receipt = door.tell("The gas meter is behind the green door.")
    assert receipt["state"] == "stored"
    assert receipt["atoms_new"] == len(receipt["atom_ids"]) == 1
    assert receipt["attempts"] == 1
    assert receipt["reason"] is None


def test_the_same_text_again_is_known_already(door: Door) -> None:
    door.tell("The gas meter is behind the green door.")
    again = door.tell("The gas meter is behind the green door.")
    assert (again["state"], again["duplicates_skipped"]) == ("duplicate", 1)


def test_the_same_key_and_body_bring_back_the_old_capture(door: Door) -> None:
    body = {"text": "Meter readings are due on the 3rd."}
    first = door.http.post("/api/ingest", json=body, headers={"Idempotency-Key": "k1"})
    again = door.http.post("/api/ingest", json=body, headers={"Idempotency-Key": "k1"})
    assert (first.status_code, again.status_code) == (202, 200)
    assert first.json()["capture_id"] == again.json()["capture_id"]


def test_the_same_key_with_another_body_is_a_conflict(door: Door) -> None:
    door.http.post("/api/ingest", json={"text": "Meter readings are due on the 3rd."}, headers={"Idempotency-Key": "k1"})
    other = door.http.post("/api/ingest", json={"text": "They are due on the 1st."}, headers={"Idempotency-Key": "k1"})
    assert other.status_code == 409


def test_messages_keep_their_speakers_dates_and_ids(door: Door) -> None:
    response = door.http.post(
        "/api/ingest", json={"messages": CONVERSATION, "wait": True, "metadata": {"session_id": "s1", "app": "chat"}}
    )
    atoms = [door.http.get(f"/api/atoms/{atom_id}").json() for atom_id in response.json()["atom_ids"]]
    assert {atom["metadata"]["message_id"] for atom in atoms} == {"m1", "m2"}
    assert {atom["observed_at"][:16] for atom in atoms} == {"2026-05-01T09:00", "2026-05-01T09:01"}
    assert {(atom["session_id"], atom["metadata"]["app"]) for atom in atoms} == {("s1", "chat")}
    assert all(atom["source"]["text"][atom["source"]["start"] : atom["source"]["end"]] == atom["source_quote"] for atom in atoms)


def test_captures_are_listed_newest_first_page_by_page(door: Door) -> None:
    sent = [door.tell(f"My locker number {number} is in the hall.")["capture_id"] for number in range(5)]
    listed, cursor = [], None
    for _ in range(4):
        page = door.http.get("/api/captures", params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        listed += [capture["capture_id"] for capture in page["captures"]]
        cursor = page["cursor"]
        if cursor is None:
            break
    assert listed == sent[::-1]
    assert cursor is None


def test_captures_can_be_asked_for_by_state(door: Door) -> None:
    door.tell("The gas meter is behind the green door.")
    door.tell("The gas meter is behind the green door.")
    states = {
        state: len(door.http.get("/api/captures", params={"state": state}).json()["captures"])
        for state in ("stored", "duplicate", "dead")
    }
    assert states == {"stored": 1, "duplicate": 1, "dead": 0}


def test_stages_come_in_order_and_the_receipt_comes_last(tmp_path: Path) -> None:
    with opened(tmp_path, start=False) as door:
        kept = door.http.post("/api/ingest", json={"text": "I live in Lisbon. My sister works as a nurse in Turin."}).json()
        door.embedded.start()
        response = door.http.get(f"/api/captures/{kept['capture_id']}/events")
        events = events_in(response.text)
    assert response.headers["content-type"].startswith("text/event-stream")
    assert [event for event, _ in events][-1] == "receipt"
    assert [event for event, _ in events].count("receipt") == 1
    stages = [data["stage"] for event, data in events if event == "stage"]
    order = ["segment", "extract", "ground", "reconcile", "commit", "index"]
    assert stages == sorted(stages, key=order.index)
    assert events[-1][1]["state"] == "stored"
    assert all(0 <= data["done"] <= data["total"] for event, data in events if event == "stage")


def test_a_finished_capture_has_its_receipt_at_once(door: Door) -> None:
    receipt = door.tell("The gas meter is behind the green door.")
    assert events_in(door.http.get(f"/api/captures/{receipt['capture_id']}/events").text) == [("receipt", receipt)]


def test_the_events_of_an_unknown_capture_are_a_404_and_no_stream(door: Door) -> None:
    response = door.http.get("/api/captures/01m7wmeat8npb199hv6nvw78dr/events")
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"


def test_only_a_dead_capture_is_tried_again(door: Door) -> None:
    receipt = door.tell("The gas meter is behind the green door.")
    assert door.http.post(f"/api/captures/{receipt['capture_id']}/retry").status_code == 409
    assert door.http.post("/api/captures/nothing/retry").status_code == 404


def test_small_talk_leaves_nothing_to_remember(door: Door) -> None:
    assert door.tell("Thanks!")["atom_ids"] == []


def test_deep_metadata_is_refused_rather_than_written_into_files_that_cannot_be_read(door: Door) -> None:
    deep: object = "x"
    for _ in range(20):
        deep = {"a": deep}
    response = door.http.post("/api/ingest", json={"text": "I live in Lisbon.", "metadata": {"deep": deep}})
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == "metadata"


def test_metadata_as_deep_as_is_taken_is_read_back(door: Door) -> None:
    deep: object = "x"
    for _ in range(8):
        deep = [{"a": deep}] if isinstance(deep, str) else {"a": deep}
    receipt = door.tell("I live in Lisbon.", metadata={"deep": deep})
    assert door.http.get(f"/api/atoms/{receipt['atom_ids'][0]}").json()["metadata"]["deep"] == deep
    assert not isinstance(door.embedded.stores.atoms.read(receipt["atom_ids"][0]), type(None))
