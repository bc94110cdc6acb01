"""Merging over HTTP and on the command line, imports, a service's unit, the mock server, the end of a day's journey."""

from __future__ import annotations

import json
import plistlib
import subprocess
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from lattice_api import mock
from lattice_cli.autostart import wanted
from lattice_common.errors import InvalidInput
from lattice_common.recall.topics import branches

from tests.services.bot_life import life
from tests.services.cli_product import Shell, running
from tests.services.door import opened


def test_merging_over_http_and_taking_it_back(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        [kept] = door.tell("My dentist is Dr. Roth.")["atom_ids"]
        [other] = door.tell("Dr. Roth looks after my teeth.")["atom_ids"]
        done = door.http.post(f"/api/atoms/{kept}/merge", json={"other": other})
        assert done.status_code == 200
        assert door.http.get(f"/api/atoms/{other}").json()["superseded_by"] == kept
        door.http.post(f"/api/undo/{done.json()['change_id']}")
        assert not door.http.get(f"/api/atoms/{other}").json()["is_superseded"]
        assert door.http.post(f"/api/atoms/{kept}/merge", json={"other": "nobody"}).status_code == 404


def test_what_came_from_where_is_listed(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        assert door.http.get("/api/imports").json() == {"imports": []}
        door.tell("I live in Lisbon.", metadata={"source_id": "diary.md"})
        door.tell("The spare key is with Ines.", metadata={"source_id": "diary.md"})
        door.tell("My bike is blue.")
        [found] = door.http.get("/api/imports").json()["imports"]
        assert {name: found[name] for name in ("source_id", "captures", "memories", "current")} == {
            "source_id": "diary.md",
            "captures": 2,
            "memories": 2,
            "current": 2,
        }


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell):
        assert shell.lattice("import", "list").code == 1
        (tmp_path / "diary.txt").write_text("I live in Lisbon.\n")
        shell.lattice("import", "text", str(tmp_path / "diary.txt"))
        shell.lc("My dentist is Dr. Roth.")
        shell.lc("Dr. Roth looks after my teeth.")
        assert "diary.txt" in shell.lattice("import", "list").out
        ids = {each["content"]: each["atom_id"] for each in map(json.loads, shell.lattice("atoms", "--json").out.splitlines())}
        merged = shell.lattice("merge", ids["My dentist is Dr. Roth."], ids["Dr. Roth looks after my teeth."])
        assert merged.out.startswith("Merged. Take it back with: lattice undo ")


def test_clear_ends_the_journey_of_the_day_whether_or_not_the_product_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(tmp_path, monkeypatch)

    def topics() -> list[str]:
        return [each["topic"] for each in json.loads(shell.lattice("status", "--json").out)["today"]]

    with running(shell):
        shell.lc("The spare key is with Ines.")
        shell.lattice("ask", "who has the spare key?")
        assert len(topics()) == 1
        shell.lc("clear")
        assert topics() == []
        shell.lattice("ask", "who has the spare key?")
        assert len(topics()) == 1
    assert len(topics()) == 1
    shell.lc("clear")
    assert topics() == []


def test_reset_ends_it_too(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        telegram.reply_to(telegram.say("The spare key is with Ines."))
        telegram.reply_to(telegram.say("Who has the spare key?"))
        assert branches(living.there.embedded.lattice.journey.today())
        telegram.reply_to(telegram.say("/reset"))
        assert branches(living.there.embedded.lattice.journey.today()) == []


def test_a_unit_for_systemd_starts_lattice_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path, content = wanted("linux", {"HOME": "/home/ada", "LATTICE_DIR": "/srv/my memory", "LATTICE_API_TOKEN": "secret"})
    assert path == Path("/home/ada/.config/systemd/user/lattice.service")
    unit = content.decode()
    assert 'lattice" "up" "--no-browser"' in unit
    assert f"WorkingDirectory={tmp_path}" in unit
    assert 'Environment="LATTICE_DIR=/srv/my memory"' in unit
    assert "secret" not in unit
    assert "WantedBy=default.target" in unit


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, content = wanted("linux", {"HOME": str(tmp_path)})
    (tmp_path / "lattice.service").write_bytes(content)
    try:
        done = subprocess.run(
            ["systemd-analyze", "verify", "--user", "lattice.service"], capture_output=True, text=True, timeout=60, check=False
        )
    except FileNotFoundError:
        pytest.skip("systemd-analyze is not here")
    assert "lattice.service:" not in done.stderr, done.stderr


def test_a_plist_for_launchd_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path, content = wanted("darwin", {"HOME": "/Users/ada", "LATTICE_WEB_PORT": "8080"})
    assert path == Path("/Users/ada/Library/LaunchAgents/local.lattice.plist")
    told = plistlib.loads(content)
    assert told["ProgramArguments"][1:] == ["up", "--no-browser"]
    assert told["EnvironmentVariables"] == {"LATTICE_WEB_PORT": "8080"}
    assert told["RunAtLoad"] is True
    with pytest.raises(InvalidInput, match="no recipe"):
        wanted("win32", {"HOME": "/"})


def test_a_unit_that_says_something_else_is_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    shell.set("HOME", str(tmp_path))
    shell.set("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path, content = wanted()
    assert shell.lattice("service", "show").out.encode().endswith(content)
    assert shell.lattice("service", "install", "--no-start").code == 0
    assert path.read_bytes() == content
    path.write_text("mine")
    refused = shell.lattice("service", "install", "--no-start")
    assert (refused.code, path.read_text()) == (1, "mine")
    assert shell.lattice("service", "install", "--no-start", "--force").code == 0
    assert path.read_bytes() == content


def test_the_mock_server_answers_the_same_at_every_start(tmp_path: Path) -> None:
    told = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with mock.mocked(tmp_path / name) as (app, _):
            http = TestClient(app, base_url="http://localhost", headers={"authorization": f"Bearer {mock.TOKEN}"})
            assert http.get("/api/status", headers={"authorization": "Bearer wrong"}).status_code == 401
            found = http.post("/api/select", json={"query": "where do I live?"}).json()
            recent = http.get("/api/atoms/recent", params={"limit": 5}).json()
            told.append(([(each["atom_id"], each["content"], each["score"]) for each in found["atoms"]], recent))
    assert told[0] == told[1]
    assert len(told[0][0]) > 3
