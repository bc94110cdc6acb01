"""Over HTTP: is all that is told being saved, through which door, and since when not."""

from __future__ import annotations

import json
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from cli_product import after
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.composition import open_reader
from lattice_common.domain.chat import ChatTurn, captured_answer
from lattice_common.recall.journey import Journey
from lattice_common.settings import Settings

from tests.services.door import Door, client, opened
from tests.services.test_server_chat import NOWHERE


def saved(door: Door) -> dict[str, Any]:
    response = door.http.get("/api/auto-save/status")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def test_before_anything_is_told_nothing_was_saved_and_everything_would_be(door: Door) -> None:
    found = saved(door)
    assert (found["enabled"], found["reason"]) == (True, None)
    assert (found["waiting"], found["dead"], found["saved_today"], found["last_saved_at"]) == (0, 0, 0, None)
    assert found["by_channel"] == {}


def test_what_is_told_counts_for_its_door_and_a_question_for_none(door: Door) -> None:
    began = datetime.now().astimezone()
    for channel, text in (
        ("lc", "The spare key is with Ines."),
        ("mcp", "I live in Porto."),
        ("mcp", "The bike key is with Tom."),
    ):
        door.tell(text, metadata={"channel": channel})
    door.http.post("/api/answer", json={"query": "Who has the spare key?", "channel": "page"})
    found = saved(door)
    assert {name: each["today"] for name, each in found["by_channel"].items()} == {"mcp": 2, "lc": 1}
    assert list(found["by_channel"]) == ["mcp", "lc"], "the latest first"
    assert found["saved_today"] == 3
    assert found["last_saved_at"] == found["by_channel"]["mcp"]["last_saved_at"]
    assert began <= datetime.fromisoformat(found["last_saved_at"]) <= datetime.now().astimezone()


def test_what_was_saved_on_another_day_is_not_todays(door: Door) -> None:
    old = {
        "ts": "2026-01-05T09:00:00+00:00",
        "session_id": None,
        "question": "I live in Porto.",
        "answer": "[captured: 1 new, 0 updated]",
    }
    FileLineLog(door.root, "chat").append(
        [{**old, "channel": "telegram", "atom_ids": [], "subjects": [], "context_reset": False}]
    )
    found = saved(door)
    assert found["by_channel"] == {"telegram": {"last_saved_at": "2026-01-05T09:00:00+00:00", "today": 0}}
    assert found["saved_today"] == 0


def test_a_file_in_the_inbox_is_saved_with_nobody_asking_for_it(tmp_path: Path) -> None:
    with opened(tmp_path / "data", inbox_settle_seconds=0.0) as door:
        (door.root / "inbox" / "note.txt").write_text("The gas meter is behind the green door.")
        assert after(10.0, lambda: [saved(door)] if saved(door)["by_channel"] else [])
        assert saved(door)["by_channel"]["inbox"]["today"] == 1
        assert saved(door)["inbox"]["taken"] == 1


def test_clearing_the_day_takes_no_word_back_of_when_something_was_saved_last(door: Door) -> None:
    door.tell("The spare key is with Ines.")
    before = saved(door)
    door.http.post("/api/chat/clear-today")
    found = saved(door)
    assert (found["saved_today"], found["by_channel"]) == (0, {})
    assert found["last_saved_at"] == before["last_saved_at"]


def test_an_import_moves_the_last_time_only(door: Door) -> None:
    door.tell("I live in Porto.", priority="bulk")
    found = saved(door)
    assert found["last_saved_at"] is not None
    assert (found["saved_today"], found["by_channel"]) == (0, {})


def test_while_nobody_writes_it_says_so_and_what_waits_is_counted(tmp_path: Path) -> None:
    with opened(tmp_path / "data", start=False) as door:
        door.http.post("/api/ingest", json={"text": "I live in Porto."})
        found = saved(door)
        assert (found["enabled"], found["reason"], found["waiting"]) == (False, "not started", 1)
        assert found["last_saved_at"] is None


def test_on_a_server_the_worker_saves_and_the_api_tells(tmp_path: Path) -> None:
    settings = Settings(
        _env_file=None, data_dir=tmp_path, mode="server", embed_model="none", llm_provider="none", auth=False,
        redis_url="redis://127.0.0.1:1", opensearch_url=NOWHERE, qdrant_url=NOWHERE, graph_url=NOWHERE,
    )  # type: ignore[call-arg]  # fmt: skip
    with open_reader(settings) as reader:
        app = create_app(reader.lattice, Access(TokenFile(tmp_path), settings), settings)
        with client(app, None) as http:
            assert http.get("/api/auto-save/status").json()["enabled"] is False, "there is no worker"
            now = datetime.now().astimezone()
            worker = Journey(FileLineLog(tmp_path, "chat"), SystemClock())
            worker.note(ChatTurn(now, "The spare key is with Ines.", captured_answer(1, 0), "s", "telegram"))
            beat = {"at": time.time(), "stuck": None, "paused": None, "state": "idle", "inbox": {"waiting": 2, "taken": 5}}
            (tmp_path / "index").mkdir(exist_ok=True)
            (tmp_path / "index" / "writer.json").write_text(json.dumps(beat))
            found = http.get("/api/auto-save/status").json()
    assert (found["enabled"], found["inbox"]) == (True, {"waiting": 2, "taken": 5})
    assert found["by_channel"] == {"telegram": {"last_saved_at": found["last_saved_at"], "today": 1}}
