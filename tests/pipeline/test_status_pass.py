"""Memories from before there was a status get theirs: in the background, resumed, undone, and never over a hand's edit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Command, SetStatuses, UndoChange
from lattice_common.ingest.pace import Pace

from tests.pipeline.living import atom_saying, change, say, started
from tests.working import until

WISH, FACT, JOKE = "I wish I had a narrowboat.", "Anna plays chess.", "This queue has outlived two marriages."


def as_of_before(root: Path) -> None:
    """The folder as an older version left it: no status in any file, and nothing noted of a migration."""
    for file in (root / "atoms").rglob("*.md"):
        file.write_text(re.sub(r"(?m)^status: .*\n", "", file.read_text()))
    (root / "logs" / "migrations.jsonl").unlink()


def told_before(root: Path, *said: str) -> None:
    with started(root) as store:
        for text in said:
            say(store, text)
    as_of_before(root)


def meant(store: Embedded) -> Mapping[str, str]:
    return {atom.content: atom.status for atom in store.lattice.recent(20)}


def passed(store: Embedded) -> bool:
    state = store.writer.state()
    return not (state.starting or store.lattice.status().migration or state.waiting)


def commands(store: Embedded) -> list[str]:
    journal = store.stores.worklog
    entries = list(journal.entries(newest_first=False))  # type: ignore[attr-defined]  # the journal is both
    return [
        entry for entry in entries if isinstance(said := journal.read(entry), Command) and isinstance(said.action, SetStatuses)
    ]


def test_old_memories_get_their_status(tmp_path: Path) -> None:
    told_before(tmp_path, WISH, FACT, JOKE)
    judge = ScriptedJudge(meant={JOKE: ("tell", "joked")})
    with started(tmp_path, judge=judge) as store:
        until("the migration", lambda: passed(store) and meant(store) == {WISH: "wished", FACT: "asserted", JOKE: "joked"})
        assert len(commands(store)) == 1
    assert "status: joked" in "".join(file.read_text() for file in (tmp_path / "atoms").rglob("*.md"))


def test_what_is_written_with_a_status_is_not_looked_at(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, WISH)
    with started(tmp_path) as store:
        until("the migration", lambda: passed(store))
        assert commands(store) == []


def test_an_undo_takes_it_back_for_good(tmp_path: Path) -> None:
    told_before(tmp_path, WISH)
    with started(tmp_path) as store:
        until("the migration", lambda: passed(store) and meant(store) == {WISH: "wished"})
        change(store, UndoChange(commands(store)[0]))
        assert meant(store) == {WISH: "asserted"}
    with started(tmp_path) as store:
        until("the migration", lambda: passed(store))
        assert meant(store) == {WISH: "asserted"}


def test_it_goes_on_where_it_was_after_a_restart(tmp_path: Path) -> None:
    few = Pace(migrated_at_once=2)
    told_before(tmp_path, *(f"I wish I had {number} goats." for number in range(7)))
    with started(tmp_path, pace=few) as store:
        until("the migration", lambda: bool(commands(store)))
    with started(tmp_path, pace=few) as store:
        until("the migration", lambda: passed(store) and set(meant(store).values()) == {"wished"})
        assert len(commands(store)) == 4


def test_what_a_hand_changed_meanwhile_stays(tmp_path: Path) -> None:
    told_before(tmp_path, WISH)
    with started(tmp_path) as store:
        until("the migration", lambda: passed(store))
        atom = atom_saying(store, WISH)
        before = SetStatuses({atom.atom_id: {"status": "joked", "content_hash": "of other words"}})
        change(store, before)
        assert meant(store) == {WISH: "wished"}


def test_read_by_rules_they_are_looked_through_again_when_there_is_a_judge(tmp_path: Path) -> None:
    told_before(tmp_path, JOKE)
    with started(tmp_path) as store:
        until("the migration", lambda: passed(store))
        assert meant(store) == {JOKE: "asserted"}
    with started(tmp_path, judge=ScriptedJudge(meant={JOKE: ("tell", "joked")})) as store:
        until("the migration", lambda: passed(store) and meant(store) == {JOKE: "joked"})
