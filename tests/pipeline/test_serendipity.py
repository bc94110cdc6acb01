"""Serendipity: what a language model sees together, and where it is found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.composition import Embedded
from lattice_common.domain.capture import EditAtom
from lattice_common.domain.recall import Filter, Query
from living import change, forget_derived, state
from reflecting import APART, CELLO, after, answering, asked, derived, looked, opened, tell

from tests.working import until


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(datetime(2026, 11, 20, 9, tzinfo=UTC))


@pytest.fixture
def seen(tmp_path: Path, clock: FixedClock) -> Iterator[tuple[Embedded, ScriptedModel, list[str]]]:
    """A store in which two memories were seen together."""
    model = ScriptedModel(answering)
    with opened(tmp_path, model, clock, serendipity=True) as store:
        told = tell(store, APART)
        after(store, clock, model, 1)
        until("the insight", lambda: bool(derived(store)))
        yield store, model, told


def test_two_memories_that_were_told_apart_are_seen_together(seen: tuple[Embedded, ScriptedModel, list[str]]) -> None:
    store, model, told = seen
    (made,) = derived(store)
    assert asked(model) == ["connect"]
    assert (made.kind, made.content) == ("insight", "The good old wood of your bench could become the shelf that Tomas builds.")
    nodes, edges = store.lattice.subgraph(atom_id=made.atom_id, subject=None, depth=2)
    idea = f"insight:{made.atom_id}"
    assert idea in {node.node_id for node in nodes}
    leading = {edge.source for edge in edges if edge.kind == "leads_to_idea" and edge.target == idea}
    assert leading == {f"atom:{each}" for each in (*told, made.atom_id)}


def test_an_insight_is_found_by_who_asks_for_ideas_and_is_no_fact(seen: tuple[Embedded, ScriptedModel, list[str]]) -> None:
    store, _, _ = seen
    (made,) = derived(store)

    def found(query: Query) -> bool:
        return made.atom_id in [each.atom.atom_id for each in store.lattice.select(query).atoms]

    assert not found(Query("Who builds a shelf of old wood?"))
    assert found(Query("Which ideas are there for the old wood?"))
    assert found(Query("shelf of old wood", filter=Filter(kind=("insight",))))
    assert [atom.atom_id for atom in store.lattice.recent(5, kind="insight")] == [made.atom_id]


def test_one_idea_a_day_is_enough_and_the_same_pair_comes_once(
    seen: tuple[Embedded, ScriptedModel, list[str]], clock: FixedClock
) -> None:
    store, model, _ = seen
    more = {
        "2026-02-10": "The shed door is left over from the old house.",
        "2026-06-10": "Mira wants an old door for the den in the house.",
    }
    tell(store, more)
    looked(store, clock)
    assert asked(model) == ["connect"]
    clock.advance(timedelta(hours=21))
    after(store, clock, model, 2)
    shown = [message.content for message in model.requests[1].messages]
    assert "left over" in shown[1]
    assert "something new" not in shown[1]


@pytest.mark.parametrize(
    "saying",
    [
        "<<NO_INFO>>",
        "The bench could become a shelf [1].",
        "The good old wood of your bench could save you 300 euros on the shelf [1][2].",
        "Giuseppe could build a shelf of your bench [1][2].",
    ],
    ids=["says it sees nothing", "is about one", "invents a number", "invents a person"],
)
def test_an_idea_that_invents_is_none(tmp_path: Path, clock: FixedClock, saying: str) -> None:
    model = ScriptedModel(lambda _: saying)
    with opened(tmp_path, model, clock, serendipity=True) as store:
        tell(store, APART)
        after(store, clock, model, 1)
        until("the line", lambda: (tmp_path / "logs" / "reflections.jsonl").exists())
        looked(store, clock)
        assert derived(store) == []


def test_what_is_linked_already_or_was_told_at_once_is_not_offered(tmp_path: Path, clock: FixedClock) -> None:
    model = ScriptedModel(answering)
    with opened(tmp_path, model, clock, serendipity=True) as store:
        tell(store, {"2026-01-10": APART["2026-01-10"], "2026-01-12": APART["2026-05-10"]})
        looked(store, clock)
        assert asked(model) == []


def test_the_log_of_what_was_shown_holds_no_words(tmp_path: Path, clock: FixedClock) -> None:
    model = ScriptedModel(answering)
    with opened(tmp_path, model, clock, consolidate_enrich=True, serendipity=True) as store:
        tell(store, {**CELLO, **APART})
        after(store, clock, model, 2)
    said = (tmp_path / "logs" / "reflections.jsonl").read_text().lower()
    assert [json.loads(line)["purpose"] for line in said.splitlines()] == ["connect", "consolidate"]
    assert not any(word in said for word in ("cello", "bench", "tomas", "porto"))


def test_a_rebuild_finds_what_was_derived_as_it_was(tmp_path: Path, clock: FixedClock) -> None:
    model = ScriptedModel(answering)
    with opened(tmp_path, model, clock, consolidate_enrich=True, serendipity=True) as store:
        tell(store, {**CELLO, **APART})
        after(store, clock, model, 2)
        until("what came of both", lambda: len(derived(store)) == 2)
        change(store, EditAtom(derived(store)[0].atom_id, {"kind": "fact"}))
    lived = state(tmp_path)
    forget_derived(tmp_path)
    assert state(tmp_path) == lived
