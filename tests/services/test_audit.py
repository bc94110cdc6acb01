"""The audit log: who told, asked, looked, changed and exported, for some days and without a word; and tokens of one source."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from lattice_api.audit import LOOK, Audit, Device, did
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.line_log import MemoryLineLog
from lattice_common.errors import Unavailable

from tests.services.door import Door, client, opened, sign_in

SECRET = "The spare key is with Ingrid."
PHONE = Device("192.0.2.7", "Shortcuts/2.1 (iPhone of Ada)")


def noted(door: Door, **wanted: Any) -> list[dict[str, Any]]:
    response = door.http.get("/api/audit", params=wanted)
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["requests"]
    return found


def token(door: Door, name: str, **more: Any) -> str:
    made = door.http.post("/api/tokens", json={"name": name, **more})
    assert made.status_code == 201, made.text
    return str(made.json()["token"])


def test_each_kind_of_request_is_noted_with_its_token_and_device_and_without_a_word(door: Door) -> None:
    told = door.http.post(
        "/api/ingest", json={"text": SECRET, "wait": True}, headers={"user-agent": "Shortcuts/2.1 (Ada)"}
    ).json()
    door.select("Who has the spare key?")
    door.http.get("/api/atoms")
    door.http.get("/api/export")
    door.http.delete(f"/api/atoms/{told['atom_ids'][0]}")
    reads = token(door, "guest", scopes=["read"])
    with client(door.app, reads) as guest:
        assert guest.post("/api/ingest", json={"text": SECRET}).status_code == 403
    found = noted(door)
    assert [(each["who"], each["did"]) for each in reversed(found)] == [
        *(("first", kind) for kind in ("told", "asked", "looked", "exported", "changed", "access")),
        ("guest", "refused"),
    ]
    assert (found[-1]["route"], found[-1]["status"], found[-1]["program"]) == ("POST /api/ingest", 200, "Shortcuts")
    assert found[2]["route"] == "DELETE /api/atoms/{atom_id}"
    kept = (door.root / "logs" / "audit.jsonl").read_text()
    for word in ("Ingrid", "spare", told["atom_ids"][0], "Ada", reads):
        assert word not in kept
    assert (door.root / "logs" / "audit.jsonl").stat().st_mode & 0o077 == 0


WITHOUT_WORDS = {
    "/api/audit", "/api/auto-save/status", "/api/captures", "/api/captures/{capture_id}", "/api/captures/{capture_id}/events",
    "/api/changes", "/api/imports", "/api/needs", "/api/ops", "/api/status", "/api/tokens", "/health", "/metrics", "/ready",
    "/api/undone", "/api/usage/stats", "/api/usage/summary", "/api/usage/weekly",
}  # fmt: skip
"""What is only looked at for how things are going: states, counts and ids."""


def test_whatever_hands_out_the_owners_words_is_noted(door: Door) -> None:
    read = {path for path, methods in door.http.get("/openapi.json").json()["paths"].items() if "get" in methods}
    assert {path for path in read if did("GET", path, 200) is None} == WITHOUT_WORDS
    assert {path for path in read if did("GET", path, 200) not in (None, "looked", "exported")} == set()


def test_a_backup_and_a_calendar_are_exported(door: Door) -> None:
    door.http.post("/api/ingest", json={"text": SECRET, "wait": True})
    assert door.http.post("/api/backup", json={}).status_code == 200
    assert door.http.get(f"/calendar/{token(door, 'phone', scopes=['calendar'])}.ics").status_code == 200
    assert [(each["who"], each["route"], each["did"]) for each in noted(door) if each["did"] == "exported"] == [
        ("phone", "GET /calendar/{token}.ics", "exported"),
        ("first", "POST /api/backup", "exported"),
    ]


def test_a_browser_is_noted_by_the_token_that_it_signed_in_with(door: Door) -> None:
    with client(door.app, None) as browser:
        sign_in(browser, token=door.token)
        browser.post("/api/select", json={"query": "Who has the spare key?"}, headers={"origin": "http://localhost:7337"})
    assert [(each["who"], each["did"]) for each in noted(door)] == [("first", "asked"), ("first", "access")]


def test_the_audit_log_is_the_owners_alone_and_is_filtered(door: Door) -> None:
    door.tell(SECRET)
    door.select("Who has the spare key?")
    assert [each["did"] for each in noted(door, did="told")] == ["told"]
    assert noted(door, who="nobody") == []
    assert noted(door, since="2999-01-01T00:00:00Z") == []
    assert door.http.get("/api/audit", params={"did": "eaten"}).status_code == 422
    with client(door.app, token(door, "guest", scopes=["read", "capture"])) as guest:
        assert guest.get("/api/audit").status_code == 403
    assert door.anybody.get("/api/audit").status_code == 401


def test_with_no_days_nothing_is_noted(tmp_path: Path) -> None:
    with opened(tmp_path / "data", audit_days=0) as door:
        door.tell(SECRET)
        assert door.http.get("/api/audit").json() == {"days": 0, "requests": []}
        assert not (tmp_path / "data" / "logs" / "audit.jsonl").exists()


def test_lines_go_when_they_are_too_old(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
    audit = Audit(FileLineLog(tmp_path, "audit"), clock, days=30, look=tmp_path / LOOK)
    for _ in range(12):
        audit.note("phone", PHONE, "POST", "/api/ingest", 202, "trace")
        assert list(audit.newest())
        clock.advance(timedelta(days=7))
    audit.close()
    kept = [json.loads(line)["at"][:10] for line in (tmp_path / "logs" / "audit.jsonl").read_text().splitlines()]
    assert kept == ["2026-02-12", "2026-02-19", "2026-02-26", "2026-03-05", "2026-03-12", "2026-03-19"]


def test_a_clock_that_is_ahead_by_years_at_a_start_takes_no_line(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
    for at, ahead in (("2026-01-01", 0), ("2026-01-03", 2), ("2036-01-01", 3650), ("2026-01-04", -3650), ("2026-01-06", 2)):
        clock.advance(timedelta(days=ahead))
        audit = Audit(FileLineLog(tmp_path, "audit"), clock, days=30, look=tmp_path / LOOK)
        audit.note("phone", PHONE, "POST", "/api/ingest", 202, at)
        assert list(audit.newest())
        audit.close()
    kept = [json.loads(line)["trace_id"] for line in (tmp_path / "logs" / "audit.jsonl").read_text().splitlines()]
    assert kept == ["2026-01-01", "2026-01-03", "2036-01-01", "2026-01-04", "2026-01-06"]


def test_a_pipe_in_place_of_the_log_is_said_and_holds_up_nobody(door: Door) -> None:
    path = door.root / "logs" / "audit.jsonl"
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    for _ in range(3):
        door.tell(SECRET)
    assert door.http.get("/api/audit").status_code == 503
    path.unlink()
    door.tell(SECRET)
    assert [each["did"] for each in noted(door)] == ["told"]


def test_a_disk_that_takes_nothing_holds_up_no_answer_and_is_noted_on_when_it_does(tmp_path: Path) -> None:
    class Full(MemoryLineLog):
        full = True

        def append(self, lines: Any) -> None:
            if self.full:
                raise Unavailable("the disk is full", status=507)
            super().append(lines)

    lines = Full()
    audit = Audit(lines, FixedClock(), days=30, look=tmp_path / LOOK)
    audit.note("phone", PHONE, "POST", "/api/ingest", 202, "first")
    assert list(audit.newest()) == []
    lines.full = False
    audit.note("phone", PHONE, "POST", "/api/ingest", 202, "second")
    assert [each["trace_id"] for each in audit.newest()] == ["second"]
    audit.close()


@pytest.mark.parametrize(
    ("method", "route"), [("GET", "/api/status"), ("GET", "/api/changes"), ("GET", "/ready"), ("GET", "/ops")]
)
def test_what_a_page_asks_all_the_time_is_not_noted(method: str, route: str) -> None:
    assert did(method, route, 200) is None


def test_a_token_of_one_source_tells_into_that_source_and_nothing_else(door: Door) -> None:
    plain = token(door, "sensor", scopes=["capture"], source_id="greenhouse")
    listed = {each["name"]: each["source_id"] for each in door.http.get("/api/tokens").json()["tokens"]}
    assert listed == {"first": None, "sensor": "greenhouse"}
    with client(door.app, plain) as sensor:
        told = sensor.post("/api/ingest", json={"text": "The tomatoes were watered by Ines.", "wait": True})
        assert told.status_code == 200, told.text
        filed = sensor.post(
            "/api/ingest-file", files={"file": ("a.txt", b"The door was open.")}, data={"metadata": '{"wait": true}'}
        )
        assert filed.status_code == 200
        named = sensor.post(
            "/api/ingest", json={"text": "Ines has a key.", "wait": True, "metadata": {"source_id": "greenhouse"}}
        )
        assert named.status_code == 200
        for refused in (
            sensor.post("/api/ingest", json={"text": "I live in York.", "metadata": {"source_id": "notes"}}),
            sensor.post("/api/select", json={"query": "Where do I live?"}),
            sensor.post("/api/capture-log", json={}),
            sensor.post("/api/imports"),
            sensor.post("/api/login", json={"token": plain}),
            sensor.get("/api/atoms"),
        ):
            assert refused.status_code == 403, refused.text
    captures = {each["capture_id"] for each in door.http.get("/api/sources/greenhouse").json()["captures"]}
    assert {told.json()["capture_id"], filed.json()["capture_id"], named.json()["capture_id"]} == captures


@pytest.mark.parametrize("scopes", [["read"], ["capture", "read"], ["admin"]])
def test_a_token_of_one_source_can_have_no_other_scope(door: Door, scopes: list[str]) -> None:
    refused = door.http.post("/api/tokens", json={"name": "x", "scopes": scopes, "source_id": "greenhouse"})
    assert refused.status_code == 422
    assert "capture" in refused.json()["detail"]
