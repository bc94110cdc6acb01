"""`lattice fetch` and `lattice calibrate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_product import Shell
from lattice_cli import exits


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def test_a_model_that_fastembed_does_not_know_is_not_fetched(shell: Shell) -> None:
    refused = shell.lattice("fetch", "no/such-model")
    assert refused.code == exits.FAILED
    assert "knows no model no/such-model" in refused.err


def test_without_an_embedding_model_there_is_nothing_to_calibrate(shell: Shell) -> None:
    refused = shell.lattice("calibrate")
    assert refused.code != exits.OK
    assert "LATTICE_EMBED_MODEL" in refused.err


def test_a_memory_is_calibrated_with_the_model_it_uses(shell: Shell, tmp_path: Path) -> None:
    shell.set("LATTICE_EMBED_MODEL", "all-MiniLM-L6-v2")
    names = ("Ada", "Bruno", "Carla", "Dana", "Elif")
    things = ("a red kite", "two old boats", "a wooden piano", "seven brown hens", "a blue tandem")
    lines = [
        {
            "role": "user",
            "content": f"{name} keeps {thing} in the shed behind the {place}.",
            "observed_at": "2026-01-10T10:00:00Z",
        }
        for name, thing in zip(names, things, strict=True)
        for place in ("mill", "school", "harbour", "station", "church")
    ]
    (tmp_path / "talk.json").write_text(json.dumps(lines))
    assert shell.lattice("import", "chat", str(tmp_path / "talk.json")).code == exits.OK
    found = json.loads(shell.lattice("calibrate", "--json").out)
    assert found["asked"] >= 20
    assert found["found"] >= 0.6  # half of the words of one of 25 that are much alike
    assert found["advised"] == {"duplicate": 0.95, "updates": 0.88, "related": 0.72}
