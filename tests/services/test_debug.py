"""A report of a bug holds no content: canaries are put everywhere that somebody can write a word, and none is in it."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from lattice_common.bug_report import report, zipped
from lattice_common.settings import Settings

from tests.pipeline.living import atom_saying, finished, say, send_file
from tests.services.cli_product import Shell, running
from tests.services.door import client, opened

CANARY = "quuxzibar"
TOKEN = "k7rm-2qxd-94fh-owner-of-all"


def put_canaries(root: Path) -> None:
    """In what is told, asked, named, set, dropped, broken, failed and logged."""
    with (
        opened(root, api_token=TOKEN, trace=True, owner_names=f"Ada {CANARY}", inbox_settle_seconds=0.0) as door,
        client(door.app, TOKEN) as http,
    ):
        store = door.embedded
        say(store, f"My dog is called {CANARY}. The {CANARY} lives in {CANARY}town.", source_id=f"source-{CANARY}")
        finished(store, send_file(store, f"{CANARY}.md", f"# {CANARY}\n\n{CANARY} was born in Graz.\n".encode(), title=CANARY))
        (root / "inbox" / f"{CANARY}.bin").write_bytes(b"\x00\x01\x02" + CANARY.encode())
        http.post("/api/answer", json={"query": f"Who is {CANARY}?", "channel": CANARY, "session_id": CANARY})
        http.post("/api/select", json={"query": f"{CANARY}?", "explain": True})
        http.post("/api/tokens", json={"name": CANARY, "scopes": ["read"]})
        http.post("/api/feedback", json={"verdict": "wrong", "atom_ids": [atom_saying(store, "My dog").atom_id]})
        path = next((root / "atoms").rglob(f"{atom_saying(store, 'born in Graz').atom_id}.md"))
        path.write_text(path.read_text().replace("kind: ", f"kind: {CANARY}-", 1))
        broken = root / "atoms" / "2026" / f"{CANARY}.md"
        broken.parent.mkdir(exist_ok=True)
        broken.write_text(f"---\n{CANARY}: [\n")
        (path.parent / "01jd0000000000000000000000.md").write_text(f"---\n{CANARY}: [\n---\n{CANARY}\n")
        with (root / "logs" / "traces.jsonl").open("a") as log:
            bad = {"kind": CANARY, "shape": CANARY, "stages_ms": {CANARY: 1.0}, "counts": {CANARY: 1}, "question": CANARY}
            log.write(json.dumps({**bad, "atoms": [{"atom_id": CANARY, "signals": {CANARY: {"contribution": 1.0}}}]}) + "\n")


def settings_of(root: Path) -> Settings:
    return Settings(
        _env_file=None,  # type: ignore[call-arg]
        data_dir=root,
        embed_model="none",
        owner_names=f"Ada {CANARY}",
        llm_base_url=f"http://{CANARY}.example/v1",
        llm_model=CANARY,
        telegram_users="4711081508150",
        public_url=f"https://{CANARY}.example",
        redis_url=f"redis://{CANARY}@localhost",
        own_folders=CANARY,
    )


def test_canaries_that_are_put_everywhere_are_nowhere_in_it(tmp_path: Path) -> None:
    root = tmp_path / CANARY
    put_canaries(root)
    held = [path for path in root.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes().lower()]
    assert len(held) > 10
    with opened(root, api_token=TOKEN, trace=True) as door, client(door.app, TOKEN) as http:
        known = {"status": http.get("/api/status").json(), "stats": http.get("/api/usage/stats").json()}
        assert CANARY in json.dumps(known["status"]), "the API tells its owner what the report does not"
        for running_now in (known, None):
            packed = zipped(report(settings_of(root), running_now))
            with zipfile.ZipFile(io.BytesIO(packed)) as archive:
                told = "\n".join([*archive.namelist(), *(archive.read(name).decode() for name in archive.namelist())])
            assert CANARY not in told.casefold()
            assert str(tmp_path) not in told
            assert "4711081508150" not in told
            assert "graz" not in told.casefold()


def test_it_says_what_helps(tmp_path: Path) -> None:
    root = tmp_path / "data"
    put_canaries(root)
    files = {name: json.loads(content) for name, content in report(settings_of(root), None).items()}
    assert files["about.json"]["parts"]["numpy"]
    assert (files["settings.json"]["LATTICE_OWNER_NAMES"], files["settings.json"]["LATTICE_WEB_PORT"]) == ("set", 7337)
    assert files["settings.json"]["LATTICE_TELEGRAM_TOKEN"] == "default"
    assert files["folder.json"]["folders"]["atoms"]["files"] >= 3
    assert sum(files["stats.json"]["distributions"]["kind"].values()) >= 2
    assert files["doctor.json"]["findings"]
    assert files["traces.json"][1]["stages_ms"]["seed"] > 0.0
    assert files["traces.json"][0]["kind"] == "other"


def test_the_command_shows_it_and_writes_only_what_was_agreed_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell):
        shell.lc(f"My dog is called {CANARY}.")
        shown = shell.lattice("debug", "report.zip")
        assert (shown.code, (tmp_path / "report.zip").exists()) == (1, False)
        assert '"running": true' in shown.out
        written = shell.lattice("debug", "report.zip", "--yes")
        assert written.code == 0
        with zipfile.ZipFile(tmp_path / "report.zip") as archive:
            for name in archive.namelist():
                assert archive.read(name).decode() in written.out
        assert CANARY not in written.out
        assert shell.lattice_on_terminal("debug", "other.zip", typed=b"n\n").code == 1
        assert shell.lattice_on_terminal("debug", "other.zip", typed=b"y\n").code == 0
        assert shell.lattice("stats").out.startswith("Asked 0, told 1")
        assert "LATTICE_TRACE" in shell.lattice("trace", "01m7wn75w2ecgja07tfe8tr9q6").err
    assert shell.lattice("debug", "--json").code == 0
    assert json.loads(shell.lattice("debug", "--json").out)["status.json"] == {"running": False}
