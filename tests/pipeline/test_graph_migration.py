"""A graph of an earlier schema goes on answering, is copied, logged and made anew; the copy goes with the next forgetting."""

from __future__ import annotations

import json
from pathlib import Path

from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.files.graph_lines import EDGE_SET, SCHEMA_VERSION
from lattice_common.domain.forgetting import Forgettable

from tests.pipeline.living import rebuilt, say, started
from tests.working import until


def set_schema(root: Path, version: int) -> None:
    path = root / "graph" / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["crc"]  # as an earlier version wrote it
    path.write_text(json.dumps({**manifest, "schema_version": version}))


def schema_of(root: Path) -> int:
    return int(json.loads((root / "graph" / "manifest.json").read_text())["schema_version"])


def lived(root: Path) -> str:
    with started(root) as store:
        say(store, "My sister Ada lives in Porto.")
        say(store, "The spare key is with Ines.")
        return store.state_hash()


def test_an_earlier_schema_is_copied_logged_and_made_anew_and_says_so_meanwhile(tmp_path: Path) -> None:
    before = lived(tmp_path)
    set_schema(tmp_path, 0)
    old = EmbeddedGraph(tmp_path)
    assert "earlier schema" in str(old.trouble)
    assert old.stats().nodes, "it answers meanwhile"
    old.close()
    with started(tmp_path) as store:
        say(store, "ok")  # after the repair
        assert store.state_hash() == before
        assert store.lattice.graph_about().trouble is None
    assert schema_of(tmp_path) == SCHEMA_VERSION
    kept = tmp_path / "graph" / f"before-schema-{SCHEMA_VERSION}"
    assert json.loads((kept / "manifest.json").read_text())["schema_version"] == 0
    assert b"porto" in (kept / "nodes.jsonl").read_bytes()
    log = [json.loads(line) for line in (tmp_path / "graph" / "migration.log").read_text().splitlines()]
    assert [(line["from"], line["to"], line["state"]) for line in log] == [
        (0, SCHEMA_VERSION, "begun"),
        (0, SCHEMA_VERSION, "done"),
    ]
    assert all("porto" not in line for line in (tmp_path / "graph" / "migration.log").read_text().casefold().splitlines())


def test_a_graph_that_lacks_edges_of_this_version_is_made_anew_in_the_same_form(tmp_path: Path) -> None:
    before = lived(tmp_path)
    path = tmp_path / "graph" / "manifest.json"
    manifest = json.loads(path.read_text())
    assert manifest.pop("edge_set") == EDGE_SET
    del manifest["crc"]
    path.write_text(json.dumps(manifest))  # as an earlier version wrote it
    old = EmbeddedGraph(tmp_path)
    assert "earlier" in str(old.trouble)
    assert old.stats().nodes, "it answers meanwhile"
    old.close()
    with started(tmp_path) as store:
        say(store, "ok")  # after the repair
        assert store.state_hash() == before
    made = json.loads(path.read_text())
    assert (made["schema_version"], made["edge_set"]) == (manifest["schema_version"], EDGE_SET)
    assert (tmp_path / "graph" / f"before-schema-{SCHEMA_VERSION}").is_dir()


def test_the_copy_goes_with_a_forgetting_and_with_a_rebuild(tmp_path: Path) -> None:
    lived(tmp_path)
    set_schema(tmp_path, 0)
    with started(tmp_path) as store:
        say(store, "ok")
        copies = list((tmp_path / "graph").glob("before-schema-*"))
        assert copies
        shown = store.lattice.forget_preview(Forgettable(about="Ada"), now=True)
        store.lattice.forget(Forgettable(about="Ada"), shown.confirm, now=True)
        until("the copies to go", lambda: not list((tmp_path / "graph").glob("before-schema-*")))
    assert rebuilt(tmp_path)
