"""On a server the API and the worker write one conversation log: each sees what the other wrote."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.composition import open_reader
from lattice_common.domain.chat import ChatTurn, captured_answer
from lattice_common.recall.journey import Journey
from lattice_common.settings import Settings

from tests.services.door import client

NOWHERE = "http://127.0.0.1:1"


def test_a_topic_goes_on_whichever_process_wrote_of_it_first(tmp_path: Path) -> None:
    api, worker = (Journey(FileLineLog(tmp_path, "chat"), SystemClock()) for _ in range(2))
    now = datetime.now().astimezone()

    def topic(of: Journey, question: str, answer: str = "Here.", *subjects: str) -> str | None:
        return of.note(ChatTurn(now, question, answer, "s", "page", subjects=subjects)).query_topic

    assert topic(api, "What is the weather?") == "weather"
    assert topic(worker, "The spare key is with Ines.", captured_answer(1, 0), "spare key") == "spare key"
    assert topic(api, "Where is the key?") == "spare key"
    assert topic(worker, "And the weather tomorrow?") == "weather"
    assert worker.clear_today() == 4
    assert topic(api, "Where is the key?") == "key", "what was cleared names nothing"


def test_the_api_tells_what_the_worker_wrote_and_goes_on_in_the_same_log(tmp_path: Path) -> None:
    settings = Settings(
        _env_file=None, data_dir=tmp_path, mode="server", embed_model="none", llm_provider="none", auth=False,
        redis_url="redis://127.0.0.1:1", opensearch_url=NOWHERE, qdrant_url=NOWHERE, graph_url=NOWHERE,
    )  # type: ignore[call-arg]  # fmt: skip
    worker = Journey(FileLineLog(tmp_path, "chat"), SystemClock())
    with open_reader(settings) as reader:
        app = create_app(reader.lattice, Access(TokenFile(tmp_path), settings), settings)
        with client(app, None) as http:
            now = datetime.now().astimezone()
            worker.note(
                ChatTurn(now, "The spare key is with Ines.", captured_answer(1, 0), "s", "telegram", subjects=("spare key",))
            )
            noted = {"question": "Where is the spare key?", "answer": "With Ines.", "session_id": "s", "channel": "mcp"}
            assert http.post("/api/capture-log", json=noted).status_code == 200
            today = http.get("/api/chat/today").json()
    assert [turn["channel"] for turn in today["turns"]] == ["telegram", "mcp"]
    assert [turn.question for turn in worker.today()] == ["The spare key is with Ines.", "Where is the spare key?"]
    assert today["branches"] == [{"topic": "spare key", "turns": 2, "questions": ["Where is the spare key?"]}]
