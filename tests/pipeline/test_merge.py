"""Two memories that say the same become one, with nothing lost, and an undo parts them again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.domain.capture import CountRecalls, MergeAtoms, UndoChange
from lattice_common.domain.recall import Query
from lattice_common.domain.tier import times_told
from lattice_common.errors import Conflict, NotFound

from tests.pipeline.living import atom_saying, change, current, rebuilt, say, started

ONE, OTHER = "My dentist is Dr. Roth.", "Dr. Roth looks after my teeth."


def test_one_stays_with_what_was_known_of_both(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 6, 1, 9, tzinfo=UTC))
    with started(tmp_path, clock=clock) as store:
        say(store, ONE)
        clock.advance(timedelta(days=3))
        say(store, OTHER)
        kept, other = atom_saying(store, ONE), atom_saying(store, OTHER)
        change(store, CountRecalls({other.atom_id: {"count": 4, "last": clock.now().isoformat()}}, 1))
        done = change(store, MergeAtoms(kept.atom_id, other.atom_id))
        after = atom_saying(store, ONE)
        assert current(store) == [ONE]
        assert (after.supersedes, after.recall_count, times_told(after)) == ((other.atom_id,), 4, 2)
        assert atom_saying(store, OTHER).superseded_by == kept.atom_id
        assert OTHER not in [each.atom.content for each in store.lattice.select(Query("Who looks after my teeth?")).atoms]
        with pytest.raises(Conflict, match="replaced already"):
            change(store, MergeAtoms(kept.atom_id, other.atom_id))
        with pytest.raises(NotFound):
            change(store, MergeAtoms(kept.atom_id, kept.atom_id))
        change(store, UndoChange(done))
        assert current(store) == sorted([ONE, OTHER])
        assert atom_saying(store, ONE).recall_count == 0
        change(store, MergeAtoms(kept.atom_id, other.atom_id))
        state = store.state_hash()
    assert rebuilt(tmp_path)[0] == state
