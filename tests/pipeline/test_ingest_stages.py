"""Ingest is one list of stages, and whatever is told passes each of them once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Command, DeleteAtom
from lattice_common.ingest import pipeline
from lattice_common.ingest.context import Context
from lattice_common.ingest.parts import Batch

from tests.pipeline.living import SHORT_PARTS, finished, open_store, send

ORDER = [
    "segment",
    "extract",
    "cut",
    "ground",
    "status",
    "number",
    "embed",
    "reconcile",
    "commit",
    "index",
    "passages",
    "receipt",
]

LONG = "\n\n".join(f"Neighbour {n} is called Ada{n}, and keeps {n} bees in a box behind the house." for n in range(70))
"""Two parts of 4,000 characters at most."""


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the stages that batches go through."""
    names: list[str] = []

    def noting(name: str, stage: pipeline.Stage) -> pipeline.Stage:
        def noted(context: Context, batch: Batch) -> None:
            names.append(name)
            stage(context, batch)

        return noted

    for half in ("PROVING", "EMBEDDING", "SETTLING"):
        stages = getattr(pipeline, half)
        monkeypatch.setattr(pipeline, half, tuple((name, noting(name, stage)) for name, stage in stages))
    return names


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    """A product whose writer does not run by itself."""
    with open_store(tmp_path, pace=SHORT_PARTS) as store:
        yield store


def test_the_stages_stand_in_their_order() -> None:
    assert [name for name, _ in pipeline.STAGES] == ORDER


def test_a_short_text_passes_every_stage_once(store: Embedded, passed: list[str]) -> None:
    entry = send(store, IngestRequest(text="The spare key is with Ines."))
    assert store.ingest.next_part(entry)
    assert passed == ORDER
    assert finished(store, entry).state == "stored"


def test_texts_that_go_together_pass_every_stage_once(store: Embedded, passed: list[str]) -> None:
    entries = [send(store, IngestRequest(text=text)) for text in ("I live in Lisbon.", "The spare key is with Ines.")]
    assert store.ingest.together(entries) == []
    assert passed == ORDER
    assert [finished(store, entry).state for entry in entries] == ["stored", "stored"]


def test_every_part_of_a_long_text_passes_every_stage_once(store: Embedded, passed: list[str]) -> None:
    entry = send(store, IngestRequest(text=LONG))
    assert not store.ingest.next_part(entry)
    assert store.ingest.next_part(entry)
    assert len(LONG) > SHORT_PARTS.part_characters
    assert sorted(passed) == sorted(2 * ORDER)
    assert finished(store, entry).atoms_new >= 70


def test_a_command_has_nothing_to_prove(store: Embedded, passed: list[str]) -> None:
    entry = send(store, IngestRequest(text="The spare key is with Ines."))
    assert store.ingest.next_part(entry)
    passed.clear()
    command = Command(store.stores.clock.new_id(), store.stores.clock.now(), DeleteAtom(finished(store, entry).atom_ids[0]))
    store.stores.worklog.append(command)
    assert store.ingest.next_part(command.command_id)
    assert passed == ORDER[ORDER.index("reconcile") :]
    assert finished(store, command.command_id).trashed
