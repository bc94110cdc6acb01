"""A start on a disk that takes nothing: reading and signing in work, what is told is refused with the reason, and when there is
room it goes on by itself, without a new start."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.adapters.files.writer_lock import FileWriterLock
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition import Model, open_as_it_can, open_reader, open_reading_only
from lattice_common.errors import Conflict, Unavailable
from lattice_common.settings import Settings

from tests.services.door import URL, client, opened, sign_in
from tests.services.small_disk import QUESTION, TOLD
from tests.services.test_storage import DISKS, FULL, READ_ONLY, Disk, trouble

ISOLATED = ("unshare", "--user", "--map-root-user", "--mount")


def may_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    mounted = subprocess.run([*ISOLATED, "mount", "-t", "tmpfs", "probe", "/mnt"], capture_output=True, check=False)
    return mounted.returncode == 0


@pytest.mark.skipif(not may_mount(), reason="this machine lets nobody mount a disk of their own: what is real here is a stand-in")
@pytest.mark.parametrize("word", ["full", pytest.param("read-only", marks=pytest.mark.slow)])
def test_on_a_real_disk_that_takes_nothing_it_answers_and_goes_on_when_there_is_room(word: str, tmp_path: Path) -> None:
    folder = tmp_path / "disks"
    folder.mkdir()
    ran = subprocess.run(
        [*ISOLATED, sys.executable, "-m", "tests.services.small_disk", str(folder), word],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    disks = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    assert [seen["disk"] for seen in disks] == ["killed", "closed"], ran.stderr
    for seen in disks:
        assert "failed" not in seen, (seen, ran.stderr)
        assert word in seen["reads_only"]
        assert (seen["signed_in"], seen["page"], seen["listed"]) == (200, 200, 1)
        assert seen["found"] == [TOLD]
        assert "Ingrid" in seen["answer"]
        assert seen["told"] == 507
        assert word in seen["refusal"]
        assert seen["ready"] == 503
        assert word in seen["parts"]["journal"]
        assert word in seen["parts"]["writer"]
        assert word in seen["status"]
        assert str(tmp_path) not in json.dumps(seen["parts"])
        assert seen["told_later"] == "stored"
        assert (seen["ready_later"], seen["still_signed_in"], seen["left"]) == (200, 200, [])


@DISKS
def test_what_reads_only_signs_in_and_out_and_says_what_it_lacks(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as door:
        door.tell(TOLD)
        token = door.token
    settings = Settings(_env_file=None, data_dir=tmp_path, embed_model="none", llm_provider="none")  # type: ignore[call-arg]
    with trouble(disk, monkeypatch), open_reading_only(settings, disk.word, model=Model(HashedEmbedder())) as reading:
        access = Access(TokenFile(tmp_path), settings)
        app = create_app(reading.lattice, access, settings)
        with client(app, None) as browser, client(app, token) as program:
            sign_in(browser, token=token)
            browser.headers["origin"] = URL
            assert [atom["content"] for atom in browser.post("/api/select", json=QUESTION).json()["atoms"]] == [TOLD]
            assert disk.word in " ".join(browser.get("/api/status").json()["degraded"])
            assert browser.post("/api/logout").status_code == 200
            assert browser.post("/api/select", json=QUESTION).status_code == 401
            made = program.post("/api/tokens", json={"name": "phone", "scopes": ["read"]})
            assert (made.status_code, len(program.get("/api/tokens").json()["tokens"])) == (507, 1)
            assert program.delete("/api/tokens/first").status_code == 507
            assert program.post("/api/select", json=QUESTION).status_code == 401, "what was revoked opens nothing at once"


def test_a_browser_that_signed_in_meanwhile_stays_signed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, embed_model="none")  # type: ignore[call-arg]
    access = Access(TokenFile(tmp_path), settings)
    token = access.make_first_token()
    with trouble(FULL, monkeypatch):
        session, _ = access.login("here", token=token, code=None)
    assert not TokenFile(tmp_path).scopes_of_session([session.cookie], session.page_key)
    access.store.catch_up()
    assert TokenFile(tmp_path).scopes_of_session([session.cookie], session.page_key)


def test_with_nothing_to_read_the_start_is_refused_and_the_disk_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path / "data", embed_model="none")  # type: ignore[call-arg]
    with trouble(READ_ONLY, monkeypatch), pytest.raises(Unavailable, match="read-only"):
        open_as_it_can(settings)


def test_what_another_process_writes_is_not_read_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path) as door:
        door.tell(TOLD)
    settings = Settings(_env_file=None, data_dir=tmp_path, embed_model="none")  # type: ignore[call-arg]
    lock = FileWriterLock.acquire(tmp_path)
    with trouble(FULL, monkeypatch), pytest.raises(Conflict, match="another process writes"):
        open_as_it_can(settings)
    lock.release()
    with trouble(FULL, monkeypatch), open_as_it_can(settings) as reading:
        assert reading.reads_only
        with trouble(FULL, monkeypatch), open_as_it_can(settings) as beside:
            assert beside.reads_only
        with pytest.raises(Conflict):
            FileWriterLock.acquire(tmp_path)


@DISKS
def test_a_deployments_api_starts_on_such_a_disk_too(disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its token was made before; the engines are away, which it says as ever."""
    nowhere = "http://127.0.0.1:1"
    settings = Settings(
        _env_file=None, data_dir=tmp_path, mode="server", embed_model="none", llm_provider="none", redis_url="redis://127.0.0.1:1",
        opensearch_url=nowhere, qdrant_url=nowhere, graph_url=nowhere,
    )  # type: ignore[call-arg]  # fmt: skip
    with opened(tmp_path) as door:
        told = door.tell(TOLD)
        token = door.token
    with trouble(disk, monkeypatch), open_reader(settings) as reader:
        app = create_app(reader.lattice, Access(TokenFile(tmp_path), settings), settings)
        with client(app, None) as browser:
            sign_in(browser, token=token)
            browser.headers["origin"] = URL
            assert browser.get(f"/api/atoms/{told['atom_ids'][0]}").json()["content"] == TOLD
            assert disk.word in browser.get("/ready").json()["parts"]["journal"]
            assert browser.post("/api/ingest", json={"text": "My aunt lives in Ghent."}).status_code == 507
