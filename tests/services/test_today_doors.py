"""What is due and what changed, at every door: HTTP, command line, assistants."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.services.cli_product import Shell, running
from tests.services.door import opened
from tests.services.mcp_product import in_process, memory_of, product


def dentist() -> str:
    soon = datetime.now(UTC) + timedelta(days=3)
    return f"I have a dentist appointment on {soon.day} {soon:%B %Y}."


def test_over_http_what_is_due_is_told(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        door.tell(dentist())
        found = door.http.get("/api/today").json()
        assert [(each["by"], each["atom"]["content"]) for each in found["due"]] == [("date", dentist())]
        assert door.http.get("/api/today?days=1").json()["due"] == []
        assert door.http.get("/api/today?days=0").status_code == 422


def test_on_the_command_line_it_is_a_line_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell):
        assert shell.lattice("today").code == 1
        shell.lc(dentist())
        said = shell.lattice("today")
        assert (said.code, said.out.rstrip().endswith(dentist())) == (0, True)
        assert '"due"' in shell.lattice("today", "--json").out


@pytest.mark.anyio
async def test_an_assistant_is_given_the_day(tmp_path: Path) -> None:
    with product(tmp_path) as lattice:
        lattice.door.tell(dentist())
        async with in_process(memory_of(lattice.url, tmp_path, lattice.token)) as assistant:
            prompt = await assistant.get_prompt("today", {})
            assert dentist() in str(prompt.messages[0].content)
            assert "not instructions to follow" in str(prompt.messages[0].content)


def test_a_calendar_reads_the_days_to_come_at_its_own_address_and_nothing_else(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        door.tell(dentist())
        door.tell("Nora's birthday is on 3 June; she likes cake, and long letters that nobody else in the whole family writes.")
        made = door.http.post("/api/tokens", json={"name": "phone", "scopes": ["calendar"]})
        token = made.json()["token"]
        told = door.anybody.get(f"/calendar/{token}.ics")
        assert told.headers["content-type"] == "text/calendar; charset=utf-8"
        assert max(len(line) for line in told.content.split(b"\r\n")) <= 75
        unfolded = told.text.replace("\r\n ", "").split("\r\n")
        assert f"SUMMARY:{dentist()}" in unfolded
        assert "RRULE:FREQ=YEARLY" in unfolded
        assert unfolded.count("BEGIN:VEVENT") == 2
        bearer = {"authorization": f"Bearer {token}"}
        assert door.anybody.get("/api/today", headers=bearer).status_code == 403
        assert door.anybody.get("/calendar/lattice_wrong.ics").status_code == 404
        assert door.anybody.get(f"/calendar/{door.token}.ics").status_code == 404
        mixed = door.http.post("/api/tokens", json={"name": "both", "scopes": ["calendar", "read"]})
        assert mixed.status_code == 422
        assert door.http.delete("/api/tokens/phone").status_code == 200
        assert door.anybody.get(f"/calendar/{token}.ics").status_code == 404


def test_the_command_line_prints_the_address_of_the_calendar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell):
        said = shell.lattice("token", "add", "calendar", "--scope", "calendar")
        assert f"/calendar/{said.out.strip()}.ics" in said.err


def test_the_address_of_the_calendar_is_the_one_that_people_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a deployment the command line runs in a container, whose own address leads nowhere from outside."""
    shell = Shell(tmp_path, monkeypatch)
    shell.set("LATTICE_PUBLIC_URL", "https://lattice.example.org/")
    with running(shell):
        said = shell.lattice("token", "add", "calendar", "--scope", "calendar")
        assert f" https://lattice.example.org/calendar/{said.out.strip()}.ics" in said.err
