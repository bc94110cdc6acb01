"""What was deleted can be restored for as long as the setting says, and is gone afterwards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.domain.capture import DeleteAtom, RemoveSource, UndoChange
from lattice_common.errors import NotFound
from lattice_common.settings import Settings
from lattice_common.wiring import Model, open_embedded

from tests.pipeline.living import atom_saying, change, current, say, started


@pytest.mark.parametrize(("days_later", "kept"), [(6, 1), (8, 0)])
def test_a_start_removes_what_was_deleted_longer_ago_than_the_setting(tmp_path: Path, days_later: int, kept: int) -> None:
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin. My brother lives in Oslo.")
        change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
    clock = FixedClock(datetime.now(UTC) + timedelta(days=days_later))
    settings = Settings(data_dir=tmp_path, embed_model="none", trash_days=7)
    with open_embedded(settings, clock=clock, model=Model(None)) as store:
        store.start()
        say(store, "ok")  # whatever is done after the start waits for it
        assert len(list((tmp_path / "trash").rglob("*.md"))) == kept
        assert atom_saying(store, "Oslo")


def test_an_undo_of_what_left_the_trash_says_so_and_brings_back_the_rest(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin.", source_id="diary")
        say(store, "My brother lives in Oslo.", source_id="diary")
        deleted = change(store, RemoveSource("diary"))
        [sister] = [path for path in (tmp_path / "trash").rglob("*.md") if "Turin" in path.read_text()]
        sister.unlink()
        change(store, UndoChange(deleted))
        assert current(store) == ["My brother lives in Oslo."]
        again = change(store, DeleteAtom(atom_saying(store, "Oslo").atom_id))
        [brother] = (tmp_path / "trash").rglob("*.md")
        brother.unlink()
        with pytest.raises(NotFound, match="trash"):
            change(store, UndoChange(again))
