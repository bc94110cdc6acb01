"""What assistants send, and what they send wrongly: text stays text, ids are ids, and nothing is dropped in silence."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import anyio.to_thread
import pytest
from lattice_common.capture import dropped
from lattice_mcp.memory import ID, Memory
from lattice_mcp.telling import body_of
from mcp import MCPError
from mcp.client import Client
from mcp.server.mcpserver.exceptions import ToolError
from mcp_product import NOBODY, Product, data, in_process, memory_of, said

pytestmark = pytest.mark.anyio

NO_IDS = ["", "recent", "related", "../tokens/phone", "a?b#c", "%2e%2e/tokens", "a\r\nb", "ü", "x" * 10_000]


@pytest.mark.parametrize("text", ['{"name": "Ada", "city": "Rome"}', '["I live in Rome.", "I like figs."]', "[1]"])
async def test_text_that_happens_to_be_json_is_text(assistant: Client, lattice: Product, text: str) -> None:
    data(await assistant.call_tool("lattice_ingest", {"text": text, "source": "document", "wait": True}))
    told = lattice.door.tell("I live in Berlin.")
    corrected = {"atom_id": told["atom_ids"][0], "content": text}
    data(await assistant.call_tool("update", corrected))
    assert lattice.door.embedded.lattice.atom(told["atom_ids"][0]).atom.content == text


async def test_lists_and_objects_may_come_as_json_in_a_string(assistant: Client, lattice: Product) -> None:
    sent = {"messages": json.dumps([{"role": "user", "content": "I live in Berlin."}]), "metadata": '{"session_id": "s-1"}'}
    assert data(await assistant.call_tool("lattice_ingest", {**sent, "wait": True}))["session_id"] == "s-1"
    assert data(await assistant.call_tool("lattice_select", {"query": "home", "filter": '{"session_id": ["s-1"]}'}))["atoms"]


async def test_an_argument_that_a_tool_does_not_have_is_refused_and_those_that_it_has_are_named(
    assistant: Client, lattice: Product
) -> None:
    lost = {"text": "I live in Berlin.", "observed_at": "2026-02-03T08:00:00+01:00"}
    refused = await assistant.call_tool("lattice_ingest", lost)
    assert refused.is_error
    assert said(refused) == (
        "`observed_at` is no argument of lattice_ingest, which takes "
        "`text`, `messages`, `source`, `source_type`, `wait` and `metadata`."
    )
    assert lattice.door.embedded.lattice.recent(5) == []
    for tool in (await assistant.list_tools()).tools:
        assert tool.input_schema["additionalProperties"] is False


async def test_what_is_wrong_with_an_argument_is_said_in_a_sentence(assistant: Client) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("remember", {}, "`text` is missing."),
        ("remember", {"text": 5}, "`text`: Input should be a valid string."),
        ("recall", {"query": "x", "limit": 0}, "`limit`: Input should be greater than or equal to 1."),
        ("recall", {"query": ""}, "`query`: String should have at least 1 character."),
        ("lattice_answer", {"query": "x", "history": [{"q": "a"}]}, "`history.0.question` is missing."),
        ("lattice_ingest", {"messages": [{"content": "a", "text": "a"}]}, "`messages.0.text` is no field of it."),
        ("recall", {"query": "x", "as_of": "2020-01"}, "`as_of`: 2020-01 is no time with its zone. Write it like 2026-"),
        ("lattice_select", {"query": "x", "filter": {"after": "May"}}, "`filter.after`: May is no time with its zone."),
        ("forget", {"atom_id": "recent"}, "`atom_id`: recent is no id of a memory. Take the one that `recall` gave."),
    ]
    for tool, arguments, sentence in wrong:
        refused = await assistant.call_tool(tool, arguments)
        assert refused.is_error
        assert said(refused).startswith(sentence), said(refused)
        assert "pydantic" not in said(refused)


@pytest.mark.parametrize("wrong", NO_IDS)
async def test_no_id_leads_to_anything_but_a_memory(tmp_path: Path, wrong: str) -> None:
    """Over TLS an address is made shorter on its way: `/api/atoms/../tokens/phone` would end a token. So nobody is even asked."""
    async with in_process(memory_of(NOBODY, tmp_path, None)) as assistant:
        for tool, name in (("forget", "atom_id"), ("update", "atom_id"), ("undo", "change_id"), ("fetch", "id")):
            more = {"content": "x"} if tool == "update" else {}
            refused = await assistant.call_tool(tool, {name: wrong, **more})
            assert refused.is_error
            assert "is no id of a" in said(refused)
            assert len(said(refused)) < 200
        with pytest.raises(MCPError, match=r"There is no memory|Unknown resource"):
            await assistant.read_resource(f"atom://{quote(wrong, safe='')}")


async def test_an_id_is_taken_however_it_is_written(assistant: Client, lattice: Product) -> None:
    (atom_id,) = lattice.door.tell("I live in Berlin.")["atom_ids"]
    assert ID.fullmatch(atom_id)
    assert data(await assistant.call_tool("fetch", {"id": f" {atom_id.upper()} "}))["id"] == atom_id


def test_numbers_that_are_none_are_refused_in_words(tmp_path: Path) -> None:
    """As the JSON of some programs has them; the official client sends none."""
    with pytest.raises(ToolError, match="`metadata` holds a number that JSON has no word for"):
        body_of(memory_of(NOBODY, tmp_path, None), {"text": "I live in Berlin."}, {"mood": float("inf")})


async def test_a_date_that_was_left_empty_is_none(assistant: Client, lattice: Product) -> None:
    kept = data(await assistant.call_tool("remember", {"text": "I ran ten kilometres.", "observed_at": ""}))
    assert kept["notes"] == []
    (atom,) = lattice.door.embedded.lattice.recent(5)
    assert atom.observed_at.isoformat(timespec="milliseconds") == str(atom.metadata["recorded_at"])


def test_half_a_character_neither_hangs_nor_loses_what_was_said_over_stdio(tmp_path: Path) -> None:
    """Programs in JavaScript cut text between the halves of a character, and send `\\ud83d`; no answer would ever come."""
    opened = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    lines: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opened},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "remember", "arguments": {"text": "I live in Berlin. \ud83d \\ud83d \U0001f600"}},
        },
    ]
    environment = {"LATTICE_DIR": str(tmp_path / "data"), "LATTICE_WEB_PORT": NOBODY.rpartition(":")[2]}
    command = [sys.executable, "-m", "lattice_cli.app", "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True) as started:
        assert started.stdin
        assert started.stdout
        for line in lines:
            started.stdin.write(json.dumps(line) + "\n")
        started.stdin.flush()
        json.loads(started.stdout.readline())
        answer = json.loads(started.stdout.readline())
        started.stdin.close()
    assert answer["result"]["structuredContent"]["inbox"]
    (left,) = (tmp_path / "data" / "inbox").iterdir()
    assert "I live in Berlin. \ufffd \\ud83d \U0001f600" in json.dumps(json.loads(left.read_text()), ensure_ascii=False).replace(
        "\\\\", "\\"
    )


async def test_what_was_told_is_kept_also_when_the_assistant_gives_up_on_an_api_that_hangs(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        memory = memory_of(f"http://127.0.0.1:{hanging.getsockname()[1]}", tmp_path, None)
        async with anyio.create_task_group() as telling:
            telling.start_soon(memory.tell, {"text": "The spare key is with Ines.", "metadata": {}})
            connection, _ = await anyio.to_thread.run_sync(hanging.accept)
            telling.cancel_scope.cancel()
            hanging.close()
            connection.close()
    (left,) = (tmp_path / "data" / "inbox").iterdir()
    assert dropped.decode(left.read_bytes(), left.name).body["text"] == "The spare key is with Ines."


@pytest.mark.parametrize("inbox", ["file", "file/inbox"])
async def test_an_inbox_that_cannot_be_written_is_said_with_the_cause(tmp_path: Path, inbox: str) -> None:
    (tmp_path / "file").write_text("no folder")
    async with in_process(Memory(NOBODY, tmp_path / inbox, lambda: None)) as assistant:
        refused = await assistant.call_tool("remember", {"text": "The spare key is with Ines."})
    assert refused.is_error
    assert "Nor can the inbox be written, so nothing was kept" in said(refused)
    assert "Not a directory" in said(refused)
