"""The graph as somebody looks at it: over HTTP and from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lattice_common.adapters.files.graph_lines import SCHEMA_VERSION

from tests.services.cli_product import Shell, running
from tests.services.door import opened


def test_a_node_a_way_and_how_it_is_over_http(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        [sister] = door.tell("My sister Ada lives in Porto.")["atom_ids"]
        [office] = door.tell("The office in Porto closes at six.")["atom_ids"]
        found = door.http.get("/api/graph/node", params={"name": sister}).json()
        assert found["node"] == {"id": f"atom:{sister}", "kind": "atom", "name": "My sister Ada lives in Porto."}
        assert "entity:porto" in {each["node"]["id"] for each in found["linked"]}
        named = door.http.get("/api/graph/node", params={"name": "Porto"}).json()
        assert {sister, office} <= {each["node"]["id"].removeprefix("atom:") for each in named["linked"]}
        [way, *_] = door.http.get("/api/graph/path", params={"start": sister, "end": office}).json()["paths"]
        assert [way[0]["id"], way[-1]["id"]] == [f"atom:{sister}", f"atom:{office}"]
        assert "porto" in way[1]["name"]
        assert door.http.get("/api/graph/node", params={"name": "nobody at all"}).status_code == 404
        about = door.http.get("/api/graph/stats").json()
        assert about["nodes"] >= 4
        assert (about["schema_version"], about["trouble"]) == (SCHEMA_VERSION, None)
        assert about["built_at"]


def test_names_and_sources_that_only_a_deleted_memory_had_are_in_no_graph_until_it_is_brought_back(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        [sister] = door.tell("My sister Ada lives in Porto.")["atom_ids"]
        [office] = door.tell("The office in Porto closes at six.")["atom_ids"]

        def node(name: str) -> tuple[int, set[str]]:
            found = door.http.get("/api/graph/node", params={"name": name})
            return found.status_code, {each["node"]["id"] for each in found.json().get("linked", ())}

        source = next(each for each in node(sister)[1] if each.startswith("segment:"))
        before = {**door.http.get("/api/graph/stats").json(), "bytes": None}
        change = door.http.delete(f"/api/atoms/{sister}").json()["change_id"]
        assert [node(name)[0] for name in (sister, "Ada", source, source.split(":")[1])] == [404] * 4
        assert f"atom:{office}" in node("Porto")[1]
        assert f"atom:{sister}" not in node("Porto")[1]
        assert door.http.get("/api/graph/subgraph", params={"subject": "Ada"}).json() == {"nodes": [], "edges": []}
        door.http.post(f"/api/undo/{change}").raise_for_status()
        assert f"atom:{sister}" in node("Ada")[1]
        assert {**door.http.get("/api/graph/stats").json(), "bytes": None} == before


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell):
        shell.lc("My sister Ada lives in Porto.")
        shell.lc("The office in Porto closes at six.")
        assert "nodes" in shell.lattice("graph", "status").out
        before = json.loads(shell.lattice("graph", "status", "--json").out)
        assert "Porto" in shell.lattice("graph", "path", "Ada", "office").out
        assert shell.lattice("graph", "path", "Ada", "nobody").code == 1
    made = json.loads(shell.lattice("graph", "rebuild", "--json").out)
    assert made == {"nodes": before["nodes"], "edges": before["edges"], "state": before["state_hash"]}
