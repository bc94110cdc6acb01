"""A disk that takes no more: what is told is refused, what is asked is answered, and it goes on.

docs/guarantees.md, G9 and G10.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from lattice_common.adapters.files import durable
from lattice_common.composition import open_reader
from lattice_common.errors import Unavailable
from lattice_common.ingest.pace import Pace
from lattice_common.lattice import Lattice
from lattice_common.settings import Settings
from lattice_common.upkeep.status import Readiness

from tests.pipeline.living import PATIENCE
from tests.services.door import client, opened

SOON = Pace(pause_seconds=0.05)


@dataclass(frozen=True)
class Disk:
    """`errno` of whatever is written, what `statvfs` says of it, and a word of what its owner is told."""

    number: int
    says: dict[str, int]
    word: str


FULL = Disk(errno.ENOSPC, {"f_bavail": 0}, "full")
NO_ROOM_FOR_NAMES = Disk(errno.ENOSPC, {"f_files": 1000, "f_favail": 0}, "full")
READ_ONLY = Disk(errno.EROFS, {"f_flag": os.ST_RDONLY}, "read-only")
DISKS = pytest.mark.parametrize("disk", [FULL, NO_ROOM_FOR_NAMES, READ_ONLY], ids=["full", "full of files", "read-only"])


@contextmanager
def trouble(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    real: Callable[[Any], os.statvfs_result] = os.statvfs

    def statvfs(path: Any) -> Any:
        found = real(path)
        names = ("f_frsize", "f_bavail", "f_files", "f_favail", "f_flag")
        return type("Figures", (), {name: disk.says.get(name, getattr(found, name)) for name in names})()

    def refuse(_: str) -> None:
        raise OSError(disk.number, os.strerror(disk.number))

    with monkeypatch.context() as patch:
        patch.setattr(os, "statvfs", statvfs)
        durable.set_failpoint(refuse)
        try:
            yield
        finally:
            durable.set_failpoint(None)


@DISKS
def test_what_is_told_is_refused_what_is_asked_is_answered_and_it_goes_on_by_itself(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path / "data", auth=False, pace=SOON) as door:
        kept = door.tell("Ingrid in flat 12 has my spare key.")
        assert door.http.get("/ready").status_code == 200
        with trouble(disk, monkeypatch):
            refused = [
                door.http.post("/api/ingest", json={"text": "My sister lives in Turin."}),
                door.http.post("/api/ingest-file", files={"file": ("a.txt", b"My brother lives in Oslo.")}),
                door.http.delete(f"/api/atoms/{kept['atom_ids'][0]}"),
                door.http.post(f"/api/undo/{kept['capture_id']}"),
            ]
            for response in refused:
                assert response.status_code == 507, response.text
                assert response.headers["retry-after"]
                assert disk.word in response.json()["detail"]
                assert str(tmp_path) not in response.text
            assert door.found("Who has my spare key?") == ["Ingrid in flat 12 has my spare key."]
            answer = door.http.post("/api/answer", json={"query": "Who has my spare key?"})
            assert "Ingrid" in answer.json()["answer"]
            ready = door.http.get("/ready")
            assert ready.status_code == 503
            assert disk.word in ready.json()["parts"]["journal"]
        assert door.tell("My aunt lives in Ghent.")["state"] == "stored"
        assert door.http.get("/ready").json()["parts"]["journal"] == "up"
        assert len(door.http.get("/api/captures").json()["captures"]) == 2, "what was refused left something behind"


def test_what_was_kept_before_the_disk_was_full_is_remembered_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path / "data", start=False, pace=SOON) as door:
        told = [door.http.post("/api/ingest", json={"text": f"Cousin {n} lives in house {n}."}).json() for n in range(3)]
        with trouble(FULL, monkeypatch):
            door.embedded.start()
            deadline = time.monotonic() + PATIENCE
            while "full" not in (said := door.http.get("/ready").json()["parts"]["writer"]):
                assert time.monotonic() < deadline, said
            assert str(tmp_path) not in said
        for each in told:
            door.embedded.lattice.wait_for(each["capture_id"], PATIENCE)
            assert door.http.get(f"/api/captures/{each['capture_id']}").json()["state"] == "stored"


def test_what_everybody_may_read_names_no_folder_of_the_machine(tmp_path: Path) -> None:
    """`/ready` asks for no token: not even a writer that lost its lock may tell whose folder it is."""
    with opened(tmp_path / "data") as door:
        door.tell("My sister lives in Turin.")
        (tmp_path / "data" / ".writer.lock").unlink()
        door.http.post("/api/ingest", json={"text": "My aunt lives in Ghent."})
        door.embedded.writer.join(PATIENCE)
        told = door.anybody.get("/ready")
        assert "was replaced" in told.json()["parts"]["writer"]
        assert str(tmp_path) not in told.text


def test_no_answer_names_a_folder_whatever_part_is_in_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    why = f"The lexical index in {tmp_path}/index/lexical is being written by another process; see https://lattice.example/a/b."

    def away(*_: object, **__: object) -> None:
        raise Unavailable(why)

    with opened(tmp_path / "data", auth=False) as door:
        monkeypatch.setattr(Lattice, "readiness", lambda _: Readiness(ready=False, parts={"writer": why}))
        monkeypatch.setattr(Lattice, "select", away)
        told = [door.anybody.get("/ready").text, door.http.post("/api/select", json={"query": "Who?"}).text]
    for each in told:
        assert "The lexical index in lexical is being written by another process; see https://lattice.example/a/b." in each


def test_a_data_folder_that_may_not_be_written_is_named_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = pytest.raises(Unavailable, match=rf"cannot start in {tmp_path}.*\.writer\.epoch.*read-only")
    with trouble(READ_ONLY, monkeypatch), refused, opened(tmp_path / "data"):
        raise AssertionError("it was opened")


def test_a_deployments_api_refuses_too_and_names_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine, no queue and no worker is there: the journal is all that telling needs."""
    nowhere = "http://127.0.0.1:1"
    settings = Settings(
        _env_file=None, data_dir=tmp_path, mode="server", embed_model="none", llm_provider="none", redis_url="redis://127.0.0.1:1",
        opensearch_url=nowhere, qdrant_url=nowhere, graph_url=nowhere, auth=False,
    )  # type: ignore[call-arg]  # fmt: skip
    access = Access(TokenFile(tmp_path), settings)
    with open_reader(settings) as reader, client(create_app(reader.lattice, access, settings), None) as http:
        with trouble(READ_ONLY, monkeypatch):
            refused = http.post("/api/ingest", json={"text": "My sister lives in Turin."})
            assert refused.status_code == 507
            assert str(tmp_path) not in refused.text
            ready = http.get("/ready").json()
            assert "read-only" in ready["parts"]["journal"]
            assert str(tmp_path) not in str(ready)
        assert http.post("/api/ingest", json={"text": "My sister lives in Turin."}).status_code == 202
        assert http.get("/ready").json()["parts"]["journal"] == "up"


def test_changes_are_not_refused_that_are_carried_out_while_the_lexical_engine_finds_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its library says when memory is short as it reads again what was committed (found: DELETE and PATCH said 409 though
    they were carried out, and twelve of twelve captures were dead)."""
    failures = 0
    really = TantivyLexicalIndex._show

    def short_of_memory(self: TantivyLexicalIndex) -> None:
        nonlocal failures
        if failures > 0:
            failures -= 1
            raise ValueError('An IO error occurred: "Cannot allocate memory (os error 12)"')
        really(self)

    monkeypatch.setattr(TantivyLexicalIndex, "_show", short_of_memory)
    with opened(tmp_path / "data", auth=False, pace=SOON) as door:
        sister, brother = (door.tell(f"My {who}.")["atom_ids"][0] for who in ("sister lives in Turin", "brother lives in Oslo"))
        failures = 5
        gone = door.http.delete(f"/api/atoms/{sister}")
        assert (gone.status_code, failures) == (200, 0), gone.text
        assert door.http.get(f"/api/atoms/{sister}").status_code == 404
        etag = door.http.get(f"/api/atoms/{brother}").headers["etag"]
        failures = 5
        changed = door.http.patch(f"/api/atoms/{brother}", json={"importance": 0.9}, headers={"if-match": etag})
        assert (changed.status_code, failures) == (200, 0), changed.text
        assert door.http.get(f"/api/atoms/{brother}").json()["importance"] == 0.9
        failures = 30
        told = [door.http.post("/api/ingest", json={"text": f"Cousin {n} lives in house {n}."}).json() for n in range(12)]
        for each in told:
            door.embedded.lattice.wait_for(each["capture_id"], PATIENCE)
            assert door.http.get(f"/api/captures/{each['capture_id']}").json()["state"] == "stored"
        assert failures == 0
        assert "Cousin 7 lives in house 7." in door.found("Where does cousin 7 live?")
