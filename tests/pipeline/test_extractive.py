"""Summing up without a model: at 3, 5, 10 and 20 episodes, in the statements' own words, found where a summary is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.composition import Embedded
from lattice_common.domain.capture import DeleteAtom, EditAtom
from lattice_common.domain.recall import Filter, Query
from lattice_common.upkeep.reflection.extractive import level_of
from living import change, rebuilt
from reflecting import CELLO, derived, looked, opened, tell

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture
def store(tmp_path: Path, clock: FixedClock) -> Iterator[Embedded]:
    with opened(tmp_path, None, clock, consolidate=True) as store:
        yield store


def some(number: int) -> dict[str, str]:
    return dict(list(CELLO.items())[:number])


def atom_saying_all(store: Embedded) -> dict[str, str]:
    """Id of each statement by its words."""
    return {atom.content: atom.atom_id for atom in store.stores.catalogue.all()}


def test_the_levels_are_three_five_ten_and_twenty_episodes() -> None:
    assert [level_of(episodes) for episodes in (2, 3, 4, 5, 9, 10, 19, 20, 90)] == [None, 3, 3, 5, 5, 10, 10, 20, 20]


def test_two_episodes_are_not_summed_up_and_three_are_without_a_model(store: Embedded, clock: FixedClock) -> None:
    tell(store, some(2))
    looked(store, clock)
    assert derived(store) == []
    third = dict(list(CELLO.items())[2:3])
    tell(store, third)
    looked(store, clock)
    [made] = derived(store)
    assert (made.kind, made.extractor, made.quality_score) == ("synthesis", "extractive:3", 1.5)
    assert made.content == " ".join(some(3).values())
    _, edges = store.lattice.subgraph(atom_id=made.atom_id, subject=None, depth=1)
    supporting = {edge.source for edge in edges if edge.kind == "supports_semantic"}
    assert supporting == {f"atom:{atom_saying_all(store)[words]}" for words in some(3).values()}


def test_at_the_next_level_the_best_three_are_taken_anew_and_in_between_not(store: Embedded, clock: FixedClock) -> None:
    tell(store, some(3))
    looked(store, clock)
    [first] = derived(store)
    tell(store, dict(list(CELLO.items())[3:4]))
    looked(store, clock)
    assert derived(store) == [first], "four episodes are no level"
    tell(store, dict(list(CELLO.items())[4:]))
    looked(store, clock)
    [second] = derived(store)
    assert second.extractor == "extractive:5"
    assert sum(words in second.content for words in CELLO.values()) == 3


def test_it_is_found_where_a_summary_is_asked_for_and_takes_no_place_elsewhere(store: Embedded, clock: FixedClock) -> None:
    tell(store, some(3))
    looked(store, clock)
    [made] = derived(store)

    def found(query: Query) -> bool:
        return made.atom_id in [each.atom.atom_id for each in store.lattice.select(query).atoms]

    assert not found(Query("Where did the cello come from?"))
    assert found(Query("Give me an overview of the cello"))
    assert found(Query("cello", filter=Filter(kind=("synthesis",))))


def test_it_goes_with_a_statement_that_changes_and_what_is_deleted_does_not_come_back(store: Embedded, clock: FixedClock) -> None:
    told = tell(store, some(3))
    looked(store, clock)
    [made] = derived(store)
    change(store, DeleteAtom(made.atom_id))
    looked(store, clock)
    assert derived(store) == []
    change(store, EditAtom(told[1], {"content": "The cello has a new bow."}))
    looked(store, clock)
    [again] = derived(store)
    assert "has a new bow" in again.content


def test_where_it_is_not_wanted_nothing_is_summed_up_and_a_rebuild_keeps_what_was(tmp_path: Path, clock: FixedClock) -> None:
    with opened(tmp_path / "off", None, clock) as store:
        tell(store)
        looked(store, clock)
        assert derived(store) == []
    with opened(tmp_path / "on", None, clock, consolidate=True) as store:
        tell(store)
        looked(store, clock)
        assert len(derived(store)) == 1
        state = store.state_hash()
    clock.advance(timedelta(hours=1))
    assert rebuilt(tmp_path / "on")[0] == state
