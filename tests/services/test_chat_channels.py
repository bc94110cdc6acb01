"""One log of the conversation, in one format, whatever door a turn came through."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from lattice_common.client import LatticeClient
from mcp_product import in_process, memory_of

from tests.services.bot_life import API_TOKEN, life

pytestmark = pytest.mark.anyio

ALWAYS = {"crc", "ts", "session_id", "question", "answer", "atom_ids", "subjects", "channel", "context_reset"}
SOMETIMES = {"trace_id", "reformulated_query", "query_topic", "journey_ended"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_every_door_writes_lines_of_the_same_form(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living, LatticeClient(living.url, API_TOKEN) as http:
        telegram = living.telegram
        telegram.reply_to(telegram.say("The spare key is with Ines."))
        telegram.reply_to(telegram.say("where is the spare key?"))
        telegram.reply_to(telegram.say("/reset"))
        async with in_process(memory_of(living.url, tmp_path, API_TOKEN)) as assistant:
            await assistant.call_tool("remember", {"text": "My sister Nora works at Siemens."})
            await assistant.call_tool("lattice_answer", {"query": "Where does Nora work?"})
        list(http.query_stream("Where does my sister work?", intent="ask", session_id="p", channel="page"))
        http.answer("Who has the spare key?", session_id="c", channel="cli")
        http.ingest({"text": "I live in Porto.", "wait": True, "metadata": {"channel": "lc"}})
        (living.root / "inbox" / "note.txt").write_text("The gas meter is behind the green door.")
        telegram.wait(lambda: "inbox" in {line["channel"] for line in lines(living.root)}, "the inbox")
        found = lines(living.root)
    asked = {line["channel"] for line in found if line["question"] and not line["answer"].startswith("[captured:")}
    told = {line["channel"] for line in found if line["answer"].startswith("[captured:")}
    assert asked == {"telegram", "mcp", "page", "cli"}
    assert told == {"telegram", "mcp", "lc", "inbox"}
    assert [line["channel"] for line in found if line["context_reset"]] == ["telegram"]
    for line in found:
        assert ALWAYS <= line.keys() <= ALWAYS | SOMETIMES
        assert datetime.fromisoformat(line["ts"]).tzinfo is not None
        assert line["session_id"] is not None or line["channel"] in ("lc", "inbox")


def lines(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "logs" / "chat.jsonl").read_text(encoding="utf-8").splitlines()]
