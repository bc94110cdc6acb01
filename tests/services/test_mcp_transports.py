"""The official client over both transports, with the API there, away, and back: nothing that was told is lost or doubled."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream
from cli_product import WITHIN, after
from inline_snapshot import snapshot
from lattice_common.capture import dropped
from mcp_product import NOBODY, data, http_door, in_process, memory_of, over_http, over_stdio, product, said

from tests.services.door import Door

pytestmark = pytest.mark.anyio


async def test_over_stdio_what_was_told_is_found(tmp_path: Path) -> None:
    with product(tmp_path) as lattice:
        async with over_stdio(tmp_path, lattice.url) as assistant:
            assert {"remember", "recall"} <= {tool.name for tool in (await assistant.list_tools()).tools}
            kept = await assistant.call_tool("remember", {"text": "The spare key is with Ines."})
            assert said(kept).startswith("Remembered 1 thing.")
            found = await assistant.call_tool("recall", {"query": "Who has the spare key?"})
            assert "The spare key is with Ines." in said(found)
            undone = await assistant.call_tool("undo", {"change_id": data(kept)["capture_id"]})
            assert said(undone).startswith("Taken back.")
        assert lattice.door.embedded.lattice.recent(5) == []


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_http_what_was_told_is_found_with_or_without_a_session(tmp_path: Path, mode: str) -> None:
    with product(tmp_path) as lattice, http_door(memory_of(lattice.url, tmp_path, None)) as address:
        async with over_http(address, lattice.token, mode) as assistant:
            await assistant.call_tool("remember", {"text": "The spare key is with Ines."})
            found = await assistant.call_tool("recall", {"query": "Who has the spare key?"})
            assert "The spare key is with Ines." in said(found)
            assert "spare key" in str(await assistant.read_resource("profile://me"))
        async with over_http(address, lattice.token, mode) as other:
            told = data(await other.call_tool("lattice_ingest", {"text": "Nora is a vet.", "wait": True}))
        first, second = (atom.session_id for atom in lattice.door.embedded.lattice.recent(5))
        assert first == told["session_id"]
        assert (first != second) == (mode == "legacy")


async def test_progress_comes_over_http_while_a_long_text_is_read(tmp_path: Path) -> None:
    reported: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        reported.append(done)

    text = "\n\n".join(f"Tom number {number} lives in town {number}." for number in range(300))
    with product(tmp_path) as lattice, http_door(memory_of(lattice.url, tmp_path, None)) as address:
        async with over_http(address, lattice.token) as assistant:
            await assistant.call_tool("lattice_ingest", {"text": text, "wait": True}, progress_callback=progress)
    assert reported == sorted(reported)
    assert reported[-1] == 7


async def test_over_stdio_with_the_api_away_telling_waits_in_the_inbox_and_asking_says_so(tmp_path: Path) -> None:
    async with over_stdio(tmp_path, NOBODY) as assistant:
        kept = await assistant.call_tool(
            "remember", {"text": "The spare key is with Ines.", "observed_at": "2026-02-03T08:00:00Z"}
        )
        assert "this waits in the inbox" in said(kept)
        assert (data(kept)["state"], data(kept)["capture_id"]) == ("waiting", None)
        asked = await assistant.call_tool("recall", {"query": "spare key"})
        assert asked.is_error
        assert "Is it running? Start it with `lattice up`" in said(asked)
    (left,) = (tmp_path / "data" / "inbox").iterdir()
    held = dropped.decode(left.read_bytes(), left.name)
    session = held.body["metadata"]["session_id"]
    assert held.idempotency_key == f"mcp:{session}:1"
    assert held.body["metadata"]["observed_at"] == "2026-02-03T08:00:00Z"


async def test_what_waited_in_the_inbox_is_taken_in_once(tmp_path: Path) -> None:
    async with in_process(memory_of(NOBODY, tmp_path, None)) as assistant:
        for text in ("The spare key is with Ines.", "Nora is a vet."):
            assert data(await assistant.call_tool("remember", {"text": text}))["inbox"]
    for _ in range(2):
        with product(tmp_path, inbox_settle_seconds=0.0) as lattice:
            found = after(WITHIN, lambda: _both(lattice.door))
        assert found == ["Nora is a vet.", "The spare key is with Ines."]
    assert not list((tmp_path / "data" / "inbox").glob("*.capture.json"))


def _both(door: Door) -> list[str]:
    """What is remembered, once it is two things."""
    found = sorted(atom.content for atom in door.embedded.lattice.recent(5))
    return found if len(found) > 1 else []


async def test_a_key_is_never_used_twice_in_a_process(tmp_path: Path) -> None:
    async with in_process(memory_of(NOBODY, tmp_path, None)) as assistant:
        for _ in range(5):
            await assistant.call_tool("lattice_capture", {"summary": "Decided to use Postgres."})
    left = [dropped.decode(path.read_bytes(), path.name) for path in (tmp_path / "data" / "inbox").iterdir()]
    assert len({each.idempotency_key for each in left}) == 5
    assert {each.body["source"] for each in left} == {"assistant"}


async def test_a_server_that_comes_later_is_found_by_the_same_process(tmp_path: Path) -> None:
    memory = memory_of(NOBODY, tmp_path, None)
    async with in_process(memory) as assistant:
        assert (await assistant.call_tool("lattice_status", {})).is_error
        with product(tmp_path) as lattice:
            memory.base_url, memory.token = lattice.url, lambda: lattice.token
            assert data(await assistant.call_tool("lattice_status", {}))["atoms"] == 0


async def test_annotations_say_what_a_tool_may_do(tmp_path: Path) -> None:
    async with in_process(memory_of(NOBODY, tmp_path, None)) as assistant:
        tools = (await assistant.list_tools()).tools
    said_of = {
        tool.name: "".join(
            letter
            for letter, hint in zip(
                "rdi",
                (tool.annotations.read_only_hint, tool.annotations.destructive_hint, tool.annotations.idempotent_hint),
                strict=True,
            )
            if hint
        )
        for tool in tools
        if tool.annotations
    }
    assert said_of == snapshot(
        {
            "remember": "i",
            "recall": "r",
            "update": "di",
            "forget": "di",
            "review": "r",
            "settle": "di",
            "undo": "d",
            "lattice_ingest": "i",
            "lattice_capture": "i",
            "lattice_select": "r",
            "lattice_answer": "r",
            "lattice_status": "r",
            "search": "r",
            "fetch": "r",
        }
    )


async def test_schemas_are_stable(tmp_path: Path) -> None:
    async with in_process(memory_of(NOBODY, tmp_path, None)) as assistant:
        tools = (await assistant.list_tools()).tools
    arguments = {tool.name: sorted(tool.input_schema["properties"]) for tool in tools}
    results = {tool.name: sorted((tool.output_schema or {})["properties"]) for tool in tools}
    assert arguments == snapshot(
        {
            "remember": ["observed_at", "text"],
            "recall": ["as_of", "limit", "query"],
            "update": ["atom_id", "content", "kind", "subject", "valid_until"],
            "forget": ["atom_id"],
            "review": ["limit"],
            "settle": ["newer", "older", "still_so"],
            "undo": ["change_id"],
            "lattice_ingest": ["messages", "metadata", "source", "source_type", "text", "wait"],
            "lattice_capture": ["observed_at", "session_id", "summary", "title"],
            "lattice_select": ["as_of", "explain", "filter", "include_archived", "include_superseded", "limit", "query"],
            "lattice_answer": ["as_of", "atom_ids", "history", "query"],
            "lattice_status": [],
            "search": ["query"],
            "fetch": ["id"],
        }
    )
    assert results.pop("lattice_ingest") == results.pop("lattice_capture") == results["remember"]
    assert results == snapshot(
        {
            "remember": [
                "atom_ids",
                "atoms_new",
                "atoms_updated",
                "attempts",
                "capture_id",
                "duplicates_skipped",
                "inbox",
                "notes",
                "queued",
                "reason",
                "rejected",
                "session_id",
                "state",
            ],
            "recall": ["answerable", "confidence", "degraded", "memories", "note"],
            "update": ["atom_id", "change_id"],
            "forget": ["atom_id", "change_id"],
            "review": ["count", "disagreeing", "note", "review"],
            "settle": ["atom_id", "change_id"],
            "undo": ["atom_id", "change_id"],
            "lattice_select": ["answerable", "atoms", "confidence", "degraded", "meant", "shape", "took_ms", "trace_id"],
            "lattice_answer": [
                "answer",
                "answered",
                "atoms",
                "citations",
                "disagreements",
                "related_subjects",
                "trace_id",
                "used_llm",
                "warnings",
            ],
            "lattice_status": [
                "atoms",
                "captures",
                "degraded",
                "engines",
                "in_review",
                "judging_behind",
                "language_model",
                "session_id",
                "streak",
                "top_subjects",
                "versions",
            ],
            "search": ["results"],
            "fetch": ["id", "metadata", "text", "title", "url"],
        }
    )


async def test_descriptions_are_short_and_say_when(tmp_path: Path) -> None:
    async with in_process(memory_of(NOBODY, tmp_path, None)) as assistant:
        tools = (await assistant.list_tools()).tools
    assert max(len(tool.description or "") for tool in tools) <= 300
    assert not [tool.name for tool in tools if "  " in (tool.description or "") or "\n" in (tool.description or "")]
    assert len(json.dumps([tool.model_dump(mode="json", exclude_none=True) for tool in tools])) < 40_000


def test_the_library_is_one_that_looks_at_hosts_and_origins() -> None:
    assert tuple(map(int, importlib.metadata.version("mcp").split(".")[:2])) >= (2, 0)


UNREADABLE = [
    ("{nonsense", None, -32700),
    ('{"jsonrpc": "2.0", "id": 7, "method": "tools/call"', 7, -32700),
    ('{"jsonrpc": "2.0", "params": {"id": 1}, "id": "seven", "method": }', "seven", -32700),
    ('{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": ' + '{"id":' * 900 + "1" + "}" * 901, 8, -32700),
    ("[" * 5000, None, -32700),
    ("[]", None, -32600),
    ('{"hello": "world"}', None, -32600),
    ("1", None, -32600),
]


async def test_over_stdio_whatever_is_sent_is_answered_and_the_next_message_is_read(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "LATTICE_DIR": str(tmp_path / "data"), "LATTICE_EMBED_MODEL": "none"}
    initialize = {
        "jsonrpc": "2.0",
        "id": "last",
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    }
    sent = "\n".join(["", *(line for line, _, _ in UNREADABLE), json.dumps(initialize), ""])
    started = [sys.executable, "-m", "lattice_cli.app", "mcp"]
    async with await anyio.open_process(started, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        await process.stdin.send(sent.encode())
        said, got = BufferedByteReceiveStream(process.stdout), []
        with anyio.fail_after(120):
            while not got or got[-1]["id"] != "last":
                got.append(json.loads(await said.receive_until(b"\n", 1_000_000)))
        await process.stdin.aclose()
    assert [(each["id"], each["error"]["code"]) for each in got[:-1]] == [(id_, code) for _, id_, code in UNREADABLE]
    assert got[-1]["result"]["serverInfo"]["name"] == "lattice"
