"""What will hold from a day on is asked about from that day on, and retires then what it replaces for certain."""

from __future__ import annotations

import os
import re
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import START, FixedClock
from lattice_common.composition import Embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import KeepBoth
from lattice_common.recall.in_review import is_coming

from tests.pipeline.living import say, started
from tests.working import until

DAY = START + timedelta(days=40)
IN_WORDS = f"{DAY.day} {DAY:%B %Y}"


def now(store: Embedded, atom_id: str) -> Atom:
    return store.stores.catalogue.get([atom_id])[0]


def told(store: Embedded, clock: FixedClock, old: str, new: str) -> tuple[str, str]:
    (older,) = say(store, old).atom_ids
    clock.advance(timedelta(days=1))
    (newer,) = say(store, new).atom_ids
    assert now(store, newer).may_update == (older,)
    assert not now(store, older).is_superseded
    return newer, older


def looked(root: Path, key: str = "looked") -> str:
    """Return the day of the last look, or up to which days were looked at."""
    found = re.search(rf'"{key}": "(\d{{4}}-\d\d-\d\d)', (root / "index" / "days.json").read_text())  # perhaps half of it yet
    return found[1] if found else ""


def move(store: Embedded, clock: FixedClock, by: timedelta) -> None:
    """Move the clock, and have the writer look up: it is idle again after what it is told."""
    clock.advance(by)
    say(store, f"The tide table of {clock.machine():%d %B %Y} hangs in the hall.")


@pytest.mark.parametrize("both_hold", [False, True])
def test_on_its_day_what_was_announced_takes_the_place_of_what_held_unless_its_owner_said_otherwise(
    tmp_path: Path, *, both_hold: bool
) -> None:
    clock = FixedClock()
    with started(tmp_path, clock=clock) as store:
        newer, older = told(store, clock, "I work at Fabrikam.", f"From {IN_WORDS} on I work at Contoso.")
        assert (store.lattice.in_review(10), store.lattice.count_in_review(), store.lattice.status().in_review) == ([], 0, 0)
        if both_hold:
            store.lattice.change(KeepBoth(newer, older))
    clock.advance(DAY - START)
    with started(tmp_path, clock=clock) as store:
        move(store, clock, timedelta(0))
        until("the day is seen", lambda: looked(tmp_path) >= str(DAY.date()))
        assert not now(store, older).is_superseded
        move(store, clock, timedelta(days=1))
        until("the day is confirmed", lambda: looked(tmp_path, "up_to") >= str(DAY.date()))
        if not both_hold:
            until("it is retired", lambda: now(store, older).is_superseded)
            assert now(store, older).superseded_by == newer
        assert now(store, older).is_superseded is not both_hold


def test_what_rules_do_not_know_is_asked_about_from_its_day_on(tmp_path: Path) -> None:
    clock = FixedClock()
    with started(tmp_path, clock=clock) as store:
        (older,), (newer,) = say(store, "The bakery is by the pond.").atom_ids, say(store, "The mill is by the river.").atom_ids
        columns = store.stores.catalogue.columns()
        columns.valid_from[columns.row_of[newer]] = DAY.timestamp()
        assert is_coming(columns, newer, older, START)
        assert not is_coming(columns, newer, older, DAY)
        columns.valid_from[columns.row_of[older]] = DAY.timestamp()
        assert not is_coming(columns, newer, older, START), "another date of what is to come is news at once"


def test_a_clock_that_was_ahead_brings_no_day_early_and_keeps_none_away(tmp_path: Path) -> None:
    clock = FixedClock()
    with started(tmp_path, clock=clock) as store:
        _, older = told(store, clock, "I work at Fabrikam.", f"From {IN_WORDS} on I work at Contoso.")
        move(store, clock, timedelta(days=400))
        until("the wrong day is seen", lambda: looked(tmp_path) > str(DAY.date()))
        move(store, clock, timedelta(days=-399))
        until("the clock is set right", lambda: looked(tmp_path) < str(DAY.date()))
        move(store, clock, timedelta(days=1))
        until("the next day is seen", lambda: looked(tmp_path) == str(clock.machine().date()))
        assert not now(store, older).is_superseded
        move(store, clock, DAY - START)
        until("the day is seen", lambda: looked(tmp_path) >= str(DAY.date()))
        move(store, clock, timedelta(days=1))
        until("it is retired", lambda: now(store, older).is_superseded)


@pytest.mark.parametrize("name", ["days.json", "judged.json", "glosses.json"])
def test_a_pipe_in_place_of_how_far_it_came_holds_up_no_start(tmp_path: Path, name: str) -> None:
    with started(tmp_path) as store:
        say(store, "I work at Fabrikam.")
    note = tmp_path / "index" / name
    note.unlink(missing_ok=True)
    os.mkfifo(note)
    with started(tmp_path) as store:
        assert say(store, "The bakery is by the pond.").state == "stored"
    assert stat.S_ISFIFO(note.stat().st_mode)
