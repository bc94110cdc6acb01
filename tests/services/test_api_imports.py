"""`POST /api/imports`: an export sent whole, its account, nothing twice, and all of it back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_api.limits import Patience, RequestLimits

from tests.services.door import Door, opened

SAID = ("I adopted a cat called Miro.", "My rent is 950 euros.", "")


def talk(number: int, words: str) -> dict[str, object]:
    said = {"sender": "human", "text": words, "created_at": "2026-01-02T10:00:00Z"}
    return {"uuid": f"u{number}", "name": f"Talk {number}", "chat_messages": [said]}


TALKS = json.dumps([talk(number, words) for number, words in enumerate(SAID)]).encode()


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path) as found:
        found.app.state.limits = RequestLimits(patience=Patience(receipts=300.0))
        yield found


def test_an_export_is_accounted_for_brought_once_and_taken_back_as_a_whole(door: Door) -> None:
    sent = {"file": ("conversations.json", TALKS)}
    dry = door.http.post("/api/imports?dry_run=true", files=sent).json()
    assert (dry["found"], dry["skipped"], dry["stored"], dry["waiting"], dry["first"]) == (3, 1, 0, 0, "2026-01-02")
    response = door.http.post("/api/imports", files=sent)
    first = response.json()
    assert response.status_code == 200, first
    assert (first["found"], first["stored"], first["skipped"], first["source_id"]) == (3, 2, 1, "conversations.json (Claude)")
    assert first["left_out"] == {"it holds no words": 1}
    assert first["named"] == ["Talk 2: it holds no words"]
    assert door.found("What is my cat called?")[0].count("Miro") == 1
    again = door.http.post("/api/imports", files=sent).json()
    assert (again["stored"], again["duplicate"], again["atoms_new"]) == (0, 2, 0)
    undone = door.http.delete(f"/api/sources/{first['source_id']}")
    assert undone.status_code == 200
    assert door.http.get("/api/status").json()["atoms"] == 0


def test_what_is_no_export_is_sent_on_to_where_files_are_read(door: Door) -> None:
    response = door.http.post("/api/imports", files={"file": ("lease.txt", b"The rent is 950 euros.")})
    assert response.status_code == 422
    assert "/api/ingest-file" in response.json()["detail"]
