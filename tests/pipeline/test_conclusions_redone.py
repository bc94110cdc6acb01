"""A conclusion, and what becomes of it, is carried out whole wherever the process died; no model is asked for that, and the
doctor finds nothing wrong with a store that has some."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Action, Command, DeleteAtom, Derive, UndoChange
from lattice_common.domain.conclusion import ConclusionKind
from lattice_common.inspection import inspect
from living import change, open_store, rebuilt, say
from reflecting import APART, CELLO, derived, opened, tell

from tests.dying import Died, dying_at, left_by

Making = Callable[[Embedded, Sequence[str], Sequence[str]], Action]


def conclude(
    store: Embedded, kind: ConclusionKind, content: str, rests_on: Sequence[str], instead_of: tuple[str, ...] = ()
) -> Derive:
    sources = {atom.atom_id: atom.content_hash for atom in store.stores.catalogue.get(rests_on)}
    return Derive(kind, content, "cello", sources, "model:scripted", instead_of)


def clock(hour: int) -> FixedClock:
    return FixedClock(datetime(2026, 11, 20, hour, tzinfo=UTC))


def findings(root: Path) -> list[str]:
    with inspect(root) as inspection:
        return [str(finding) for finding in inspection.examine(lambda *_: None, exact_limit=100_000).findings]


@pytest.fixture
def life(tmp_path: Path) -> tuple[Path, list[str], list[str]]:
    """A store with a synthesis and an insight; the ids of what was told, and of what was concluded."""
    root = tmp_path / "life"
    with opened(root, None, clock(9)) as store:
        told = tell(store, {**CELLO, **APART})
        change(store, conclude(store, "synthesis", "The cello came from my aunt and needs a bow.", told[:3]))
        change(store, conclude(store, "insight", "The wood of your bench could become a shelf.", told[5:]))
        return root, told, [atom.atom_id for atom in derived(store)]


def test_the_doctor_finds_nothing_wrong_with_conclusions_nor_with_one_that_no_longer_holds(
    life: tuple[Path, list[str], list[str]],
) -> None:
    root, told, _ = life
    assert findings(root) == []
    with open_store(root, clock=clock(10)) as store:
        store.writer.start()
        (path,) = (root / "atoms").rglob(f"{told[0]}.md")
        path.write_text(path.read_text().rpartition("---\n")[0] + "---\n\nThe cello came from a shop.\n")
        store.writer.queue.touched([str(path.relative_to(root))])
        assert store.writer.queue.caught_up(30)
    assert [each for each in findings(root) if told[0] not in each] == [], "but that its file was edited"


def test_undoing_and_undoing_that_leaves_what_a_rebuild_finds(life: tuple[Path, list[str], list[str]]) -> None:
    root, told, (first, _) = life
    with opened(root, None, clock(10)) as store:
        deleted = change(store, DeleteAtom(told[0]))
        anew = change(store, conclude(store, "synthesis", "The cello has lessons and a bow.", told[1:4]))
        change(store, UndoChange(deleted))
        assert len(derived(store)) == 3
        one = change(store, conclude(store, "synthesis", "The cello is loud.", told[2:5], (first,)))
        back = change(store, UndoChange(one))
        change(store, UndoChange(anew))
        change(store, UndoChange(back))
        assert sorted(atom.content[:18] for atom in derived(store)) == ["The cello is loud.", "The wood of your b"]
        say(store, "ok")
        lived = store.state_hash()
    assert findings(root) == []
    assert rebuilt(root)[0] == lived


MAKINGS: dict[str, Making] = {
    "one takes another's place": lambda store, told, made: conclude(
        store, "synthesis", "The cello has lessons and a bow.", told[1:4], (made[0],)
    ),
    "one falls with what it rests on": lambda _, told, __: DeleteAtom(told[0]),
    "an insight goes": lambda _, __, made: DeleteAtom(made[1]),
}


@pytest.mark.slow
@pytest.mark.parametrize("making", MAKINGS.values(), ids=MAKINGS)
def test_wherever_it_died_the_same_is_there(life: tuple[Path, list[str], list[str]], tmp_path: Path, making: Making) -> None:
    root, told, made = life

    def after_dying_at(step: int) -> tuple[int, tuple[str, list[str], list[str], str]]:
        copy, left = (tmp_path / f"{name}-{step}" for name in ("life", "left"))
        shutil.copytree(root, copy)
        with open_store(copy, clock=clock(10)) as store:
            command = Command("01m7w6tf80000000000000000c", clock(10).now(), making(store, told, made), channel="upkeep")
            store.stores.worklog.append(command)
            with dying_at(step) as passed, contextlib.suppress(Died):
                while not store.ingest.next_part(command.command_id):
                    pass
            left_by(copy, left)
        with opened(left, None, clock(11)) as again:
            say(again, "ok")
            there = sorted(atom.content for atom in derived(again))  # once the writer is done with what was begun
            after = again.state_hash(), there
        return len(passed), (*after, findings(left), rebuilt(left)[0])

    steps, undisturbed = after_dying_at(0)
    assert steps > 10
    assert undisturbed[2] == []
    assert undisturbed[0] == undisturbed[3]
    differing = [step for step in range(1, steps + 1) if after_dying_at(step)[1] != undisturbed]
    assert differing == []
