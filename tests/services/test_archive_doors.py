"""The archive at every door: HTTP, command line, assistants."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.cli_product import Shell, running
from tests.services.door import Door, opened
from tests.services.mcp_product import data, in_process, memory_of, product

BOAT = "The harbour office keeps my boat papers."
ASKED = "Who keeps my boat papers?"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path / "data") as door:
        yield door


def test_over_http_it_is_added_listed_and_restored(door: Door) -> None:
    [atom_id] = door.tell(BOAT)["atom_ids"]
    changed = door.http.post("/api/archive", json={"atom_ids": [atom_id]})
    assert changed.status_code == 200
    listed = door.http.get("/api/archive").json()
    assert ([each["content"] for each in listed["atoms"]], listed["count"]) == ([BOAT], 1)
    assert listed["atoms"][0]["archived"]
    assert door.found(ASKED) == []
    assert door.found(ASKED, include_archived=True) == [BOAT]
    answered = door.http.post("/api/answer", json={"query": ASKED, "include_archived": True}).json()
    assert "harbour office" in answered["answer"]
    streamed = door.stream(ASKED, intent="ask", include_archived=True)
    assert [each["content"] for event in streamed if event["type"] == "atoms" for each in event["atoms"]] == [BOAT]
    assert [each["atom"]["content"] for each in door.http.get("/api/timeline?include_archived=true").json()["timeline"]] == [BOAT]
    assert door.http.get("/api/timeline").json()["timeline"] == []
    assert door.http.get(f"/api/atoms/{atom_id}").json()["archived"]
    assert door.http.post("/api/archive/restore", json={"atom_ids": [atom_id]}).status_code == 200
    assert door.found(ASKED) == [BOAT]
    assert door.http.post("/api/archive/restore", json={"atom_ids": [atom_id]}).status_code == 409
    assert door.http.post("/api/archive", json={"atom_ids": ["01m7zcs28ayc1639ecsmey20js"]}).status_code == 404
    assert door.http.get("/api/archive/candidates").json() == {"candidates": []}


def test_an_archived_memory_is_still_in_the_export_and_says_so(door: Door) -> None:
    [atom_id] = door.tell(BOAT)["atom_ids"]
    door.http.post("/api/archive", json={"atom_ids": [atom_id]})
    [line] = door.http.get("/api/export").text.splitlines()
    assert json.loads(line)["archived"]


def test_on_the_command_line_it_is_added_from_a_pipe_listed_and_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell):
        shell.lc(BOAT)
        assert shell.lattice("archive", "list").code == 1
        assert shell.lattice("archive", "candidates").code == 1
        atom_id = json.loads(shell.lattice("atoms", "--json").out)["atom_id"]
        added = shell.lattice("archive", "add", "-", piped=atom_id.encode())
        assert (added.code, "Take it back with: lattice undo" in added.out) == (0, True)
        assert BOAT in shell.lattice("archive", "list").out
        assert shell.lattice("ask", ASKED).code == 1
        assert BOAT in shell.lattice("ask", "--archived", ASKED).out
        assert json.loads(shell.lattice("archive", "restore", atom_id, "--json").out)["change_id"]
        assert BOAT in shell.lattice("ask", ASKED).out
        assert shell.lattice("archive", "add").code == 2


@pytest.mark.anyio
async def test_an_assistant_finds_it_only_when_it_asks_for_the_archive(tmp_path: Path) -> None:
    with product(tmp_path) as running_product:
        [atom_id] = running_product.door.tell(BOAT)["atom_ids"]
        running_product.door.http.post("/api/archive", json={"atom_ids": [atom_id]})
        async with in_process(memory_of(running_product.url, tmp_path, running_product.token)) as assistant:
            assert data(await assistant.call_tool("lattice_select", {"query": ASKED}))["atoms"] == []
            found = data(await assistant.call_tool("lattice_select", {"query": ASKED, "include_archived": True}))
            assert [each["content"] for each in found["atoms"]] == [BOAT]
