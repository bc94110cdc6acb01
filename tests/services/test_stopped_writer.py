"""A writer that neither works nor dies: its process was stopped (SIGSTOP, a debugger, a frozen container), and goes on later."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
import time_machine
from fastapi.testclient import TestClient
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.composition import open_reader
from lattice_common.composition.reader import AWAY_AFTER_SECONDS
from lattice_common.settings import Settings

from tests.services.door import client
from tests.working import until

WRITER = """
import sys
from pathlib import Path
from lattice_common.composition import take_lock
from lattice_common.settings import Settings
from lattice_worker.writer_process import WriterProcess
settings = Settings(_env_file=None, data_dir=Path(sys.argv[1]), embed_model="none", llm_provider="none")
writers = WriterProcess({settings.index_name: (settings, take_lock(settings))}, lambda: None)
writers.start()
sys.stdin.read()
writers.stop()
"""
NOWHERE = "http://127.0.0.1:1"


@pytest.fixture
def writing(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.communicate()


@pytest.fixture
def api(tmp_path: Path) -> Iterator[TestClient]:
    """The API of a deployment, beside that writer."""
    settings = Settings(
        _env_file=None, data_dir=tmp_path, mode="server", embed_model="none", llm_provider="none", redis_url="redis://127.0.0.1:1",
        opensearch_url=NOWHERE, qdrant_url=NOWHERE, graph_url=NOWHERE,
    )  # type: ignore[call-arg]  # fmt: skip
    with open_reader(settings) as reader:
        access = Access(TokenFile(tmp_path), settings)
        with client(create_app(reader.lattice, access, settings), access.make_first_token() or "") as http:
            yield http


def writer_of(api: TestClient) -> str:
    return str(api.get("/ready").json()["parts"]["writer"])


@pytest.mark.slow
def test_a_writer_that_is_stopped_is_away_what_is_told_is_kept_and_taken_up_when_it_goes_on(
    api: TestClient, writing: subprocess.Popen[bytes]
) -> None:
    until("the writer", lambda: writer_of(api) == "up", 60)
    writing.send_signal(signal.SIGSTOP)
    told = api.post("/api/ingest", json={"text": "The spare key is with Ines."})
    assert told.status_code == 202
    with time_machine.travel(time.time() + AWAY_AFTER_SECONDS + 6, tick=True):  # of this process; the writer's beats are as old
        ready = api.get("/ready")
        assert (ready.status_code, ready.json()["ready"]) == (503, False)
        assert ready.json()["parts"]["writer"].startswith("away: what is told is kept")
        assert "away" in api.get("/api/status").json()["writer"]
    assert api.get(f"/api/captures/{told.json()['capture_id']}").json()["state"] == "waiting"
    writing.send_signal(signal.SIGCONT)
    until("the capture", lambda: api.get(f"/api/captures/{told.json()['capture_id']}").json()["state"] == "stored", 90)
    until("the writer", lambda: writer_of(api) == "up", 60)


DAMAGED = [b"", b"{", b"[]", b'{"ct": 1}', b'{"at": "now", "stuck": null, "paused": null, "state": "idle"}']


@pytest.mark.parametrize("beat", DAMAGED)
def test_a_heartbeat_that_cannot_be_read_is_none(api: TestClient, tmp_path: Path, beat: bytes) -> None:
    (tmp_path / "index").mkdir(exist_ok=True)
    (tmp_path / "index" / "writer.json").write_bytes(beat)
    assert writer_of(api) == "not started"
    whole = {"at": time.time(), "stuck": None, "paused": None, "state": "idle"}
    (tmp_path / "index" / "writer.json").write_bytes(orjson.dumps(whole))
    assert writer_of(api) == "up"
