"""What will hold from a day on is asked about from that day on, and retires then what it replaces for certain."""

from __future__ import annotations

import re
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


def looked_at(root: Path) -> bool:
    """Whether the days up to that one were looked at."""
    written = (root / "index" / "days.json").read_text()  # perhaps half of it yet
    found = re.search(r"\d{4}-\d\d-\d\d", written)
    return found is not None and found[0] >= str(DAY.date())


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
        until("the days are looked at", lambda: looked_at(tmp_path))
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
