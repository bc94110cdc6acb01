"""Notes of Obsidian, Notion and basic-memory: their dates, tags, links and other names are kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.importers.account import Account
from lattice_common.capture.importers.export import items
from lattice_common.capture.importers.intake import Intake
from lattice_common.composition import Embedded

from tests.pipeline.living import atom_saying, current, finished, send_file, started
from tests.working import until

TOUCHED = datetime(2026, 1, 3, 9, tzinfo=UTC).timestamp()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with started(tmp_path / "store", clock=FixedClock()) as found:
        yield found


def bring(store: Embedded, folder: Path, **notes: str) -> Account:
    folder.mkdir(exist_ok=True)
    for name, words in notes.items():
        path = folder / f"{name.replace('_', ' ')}.md"
        path.write_text(words)
        os.utime(path, (TOUCHED, TOUCHED))
    intake = Intake(items(folder), store.lattice, "import")

    def is_over() -> bool:
        intake.go_on(50)
        return intake.is_through and not intake.waiting

    until("the import", is_over)
    return intake.account


def test_the_date_of_a_note_is_the_one_it_gives(store: Embedded, tmp_path: Path) -> None:
    account = bring(
        store,
        tmp_path / "vault",
        Trip="---\ncreated: 2023-05-04\n---\nWe leave tomorrow.\n",
        Boat="# Boat\n\nCreated: May 4, 2023 10:00 AM\nTags: sea\n\nThe boat is painted tomorrow.\n",
        Rent="My rent is 950 euros.\n",
    )
    assert current(store) == [
        "My rent is 950 euros.",
        "The boat is painted tomorrow (5 May 2023).",
        "We leave tomorrow (5 May 2023).",
    ]
    assert (account.first, account.last) == ("2023-05-04", "2026-01-03")
    assert atom_saying(store, "We leave").observed_at.date().isoformat() == "2023-05-04"
    assert atom_saying(store, "My rent").observed_at.date().isoformat() == "2026-01-03"


def test_a_file_that_is_given_by_itself_says_its_date_as_well(store: Embedded) -> None:
    note = b"---\ndate: 2023-05-04\n---\nWe leave tomorrow.\n"
    finished(store, send_file(store, "trip.md", note, source="user", observed_at="2026-01-03T10:00:00Z"))
    assert current(store) == ["We leave tomorrow (5 May 2023)."]


def test_tags_of_front_matter_and_below_a_title_are_kept(store: Embedded, tmp_path: Path) -> None:
    bring(
        store,
        tmp_path / "vault",
        Boat="---\ntags:\n- sea\n- summer\n---\nThe boat is blue.\n",
        Rent="# Home\n\nTags: money, flat\nCreated: 2023-05-04\n\nMy rent is 950 euros.\n",
    )
    assert atom_saying(store, "boat").metadata["tags"] == ["sea", "summer"]
    assert atom_saying(store, "rent").metadata["tags"] == ["money", "flat"]
    assert len(current(store)) == 2
