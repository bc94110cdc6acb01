"""Consolidation: what a language model sums up in quiet hours, and what becomes of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.scripted_model import Saying, ScriptedModel
from lattice_common.composition import Embedded
from lattice_common.domain.capture import DeleteAtom, EditAtom, UndoChange
from lattice_common.domain.recall import Query
from lattice_common.ports.language_model import Completion, ModelRequest
from lattice_common.upkeep.reflection.schedule import MOST_CALLS
from living import PATIENCE, change, open_store, say
from reflecting import CELLO, SUMMED_UP, after, asked, derived, looked, opened, quiet, tell

from tests.working import until


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(datetime(2026, 11, 20, 9, tzinfo=UTC))


@pytest.fixture
def summed_up(tmp_path: Path, clock: FixedClock) -> Iterator[tuple[Embedded, ScriptedModel, list[str]]]:
    """A store in which five statements are summed up."""
    model = ScriptedModel(lambda _: SUMMED_UP)
    with opened(tmp_path, model, clock, consolidate_enrich=True) as store:
        told = tell(store)
        after(store, clock, model, 1)
        until("the synthesis", lambda: bool(derived(store)))
        yield store, model, told


def test_nobody_is_asked_anything_in_quiet_hours_unless_it_is_wanted(tmp_path: Path, clock: FixedClock) -> None:
    model = ScriptedModel(lambda _: SUMMED_UP)
    with opened(tmp_path, model, clock) as store:
        tell(store)
        looked(store, clock)
        assert asked(model) == []
        assert derived(store) == []


@pytest.mark.parametrize("allowed", [False, True])
def test_a_model_on_another_machine_looks_over_nothing_unless_it_is_allowed(
    tmp_path: Path, clock: FixedClock, allowed: bool
) -> None:
    model = ScriptedModel(lambda _: SUMMED_UP, local=False)
    with opened(tmp_path, model, clock, consolidate_enrich=True, serendipity=True, reflect_elsewhere=allowed) as store:
        tell(store)
        if allowed:
            after(store, clock, model, 1)
        else:
            looked(store, clock)
        assert bool(asked(model)) is allowed


def test_what_was_said_of_a_subject_on_several_days_is_summed_up(summed_up: tuple[Embedded, ScriptedModel, list[str]]) -> None:
    store, model, told = summed_up
    (made,) = derived(store)
    assert asked(model) == ["consolidate"]
    assert made.content == "The cello came from my aunt in Porto, and was with me at the summer concert. It needs a new bow."
    assert (made.kind, made.tier, made.source, made.trust) == ("synthesis", "semantic", "system", "assistant")
    assert [(relation.type, relation.target) for relation in made.relations] == [("derives", told[n]) for n in (0, 1, 4)]
    assert made.extractor == "model:scripted:consolidate.v1"
    edges = store.graph.neighbours(made.atom_id, ["supports_semantic"])
    assert sorted(edge.source for edge in edges) == sorted(f"atom:{told[n]}" for n in (0, 1, 4))
    assert all(edge.target == f"atom:{made.atom_id}" for edge in edges)


def test_the_model_is_shown_data_between_marks_and_told_the_day(summed_up: tuple[Embedded, ScriptedModel, list[str]]) -> None:
    _, model, _ = summed_up
    system, user = (message.content for message in model.requests[0].messages)
    fence, *lines, end, _, last = user.splitlines()
    assert fence == end
    assert fence in system
    assert "[2][5]" in last
    shown = [json.loads(line) for line in lines]
    assert [line["content"] for line in shown] == list(CELLO.values())
    assert [line["said"] for line in shown] == list(CELLO)
    assert shown[0]["subject"].lower() == "cello"


def test_a_synthesis_is_found_beside_the_facts_it_sums_up(summed_up: tuple[Embedded, ScriptedModel, list[str]]) -> None:
    store, _, told = summed_up
    (made,) = derived(store)
    found = [each.atom.atom_id for each in store.lattice.select(Query("What about the cello?")).atoms]
    assert made.atom_id in found
    assert set(told) <= set(found)
    assert [atom.atom_id for _, atom in store.lattice.timeline(after=None, before=None, subject=None, limit=50)] == told
    assert made not in [atom for _, atoms in store.lattice.profile(20).by_kind() for atom in atoms]


def test_a_sentence_that_is_not_borne_out_is_left_out(tmp_path: Path, clock: FixedClock) -> None:
    model = ScriptedModel(lambda _: SUMMED_UP + " It cost 4000 euros [2][3]. Marta plays it now [4][5].")
    with opened(tmp_path, model, clock, consolidate_enrich=True) as store:
        tell(store)
        after(store, clock, model, 1)
        until("the synthesis", lambda: bool(derived(store)))
        assert "4000" not in derived(store)[0].content
        assert "Marta" not in derived(store)[0].content


@pytest.mark.parametrize(
    "saying",
    [
        "<<NO_INFO>>",
        "The cello is nice.",
        "The cello came from my aunt in Porto [1]. It needs a new bow [2]. Lessons with Elif are on Tuesdays [3].",
        "The cello cost 4000 euros [1][2][3].",
        Completion(SUMMED_UP, "length"),
        "",
        SUMMED_UP + " word" * 400,
    ],
    ids=["says it does not know", "cites nothing", "only repeats", "invents", "was cut off", "says nothing", "does not end"],
)
def test_what_cannot_be_used_is_not_remembered_and_not_asked_for_again(tmp_path: Path, clock: FixedClock, saying: Saying) -> None:
    model = ScriptedModel(lambda _: saying)
    with opened(tmp_path, model, clock, consolidate_enrich=True) as store:
        tell(store)
        after(store, clock, model, 1)
        looked(store, clock)
        assert model.calls == 1
        assert derived(store) == []


def test_a_model_that_is_away_is_asked_again_later(tmp_path: Path, clock: FixedClock) -> None:
    model = ScriptedModel(lambda _: SUMMED_UP, up=False)
    with opened(tmp_path, model, clock, consolidate_enrich=True) as store:
        tell(store)
        looked(store, clock)
        assert derived(store) == []
        model.up = True
        after(store, clock, model, model.calls + 1)
        until("the synthesis", lambda: bool(derived(store)))


def test_less_is_not_summed_up(tmp_path: Path, clock: FixedClock) -> None:
    model = ScriptedModel(lambda _: SUMMED_UP)
    with opened(tmp_path, model, clock, consolidate_enrich=True) as store:
        tell(store, dict(list(CELLO.items())[:4]))  # four statements
        for number, words in enumerate(("rusty", "old", "red", "loud", "heavy")):  # five, of one day
            say(store, f"The bicycle is {words}.", observed_at=f"2026-05-01T09:0{number}:00+00:00")
        looked(store, clock)
        assert asked(model) == []


def test_two_names_of_one_thing_are_summed_up_once(tmp_path: Path, clock: FixedClock) -> None:
    model = ScriptedModel(lambda _: "Bruno was at the beach, and then at the vet [1][2]. Bruno got a red lead [3].")
    said = ("was at the beach", "was at the vet", "got a red lead", "ate my shoe", "sleeps on the sofa", "barks at cats")
    with opened(tmp_path, model, clock, consolidate_enrich=True) as store:
        tell(store, {f"2026-0{month}-02": f"My dog Bruno {words}." for month, words in enumerate(said, start=1)})
        after(store, clock, model, 1)
        looked(store, clock, 4)
        assert model.calls == 1
        assert len(derived(store)) == 1


def test_what_is_told_is_no_repetition_of_a_synthesis(summed_up: tuple[Embedded, ScriptedModel, list[str]]) -> None:
    store, _, _ = summed_up
    (made,) = derived(store)
    told = say(store, made.content)
    assert told.duplicates_skipped == 0
    assert told.atoms_new
    assert all(atom.source == "user" for atom in store.stores.catalogue.get(told.atom_ids))


def test_deleting_a_memory_takes_along_what_was_made_of_it_and_an_undo_brings_both_back(
    summed_up: tuple[Embedded, ScriptedModel, list[str]],
) -> None:
    store, _, told = summed_up
    (made,) = derived(store)
    deleted = change(store, DeleteAtom(told[0]))
    assert derived(store) == []
    assert not any("Porto" in each.atom.content for each in store.lattice.select(Query("the cello from Porto")).atoms)
    change(store, UndoChange(deleted))
    assert [atom.atom_id for atom in derived(store)] == [made.atom_id]


def test_undoing_what_was_told_takes_along_what_was_made_of_it(summed_up: tuple[Embedded, ScriptedModel, list[str]]) -> None:
    store, _, told = summed_up
    (first,) = store.stores.catalogue.get([told[0]])
    change(store, UndoChange(first.capture_id))
    assert derived(store) == []


def test_a_synthesis_is_out_of_answers_at_once_when_what_it_rests_on_changes_and_then_retired(
    summed_up: tuple[Embedded, ScriptedModel, list[str]], clock: FixedClock
) -> None:
    store, model, told = summed_up
    model.say_from_now_on(lambda _: "<<NO_INFO>>")
    (made,) = derived(store)
    change(store, EditAtom(told[1], {"content": "The cello has a new bow."}))
    found = [each.atom.atom_id for each in store.lattice.select(Query("What about the cello?")).atoms]
    assert made.atom_id not in found
    quiet(store, clock)
    until("it to be retired", lambda: derived(store) == [])


def test_what_a_hand_deleted_is_not_told_by_a_synthesis_either(
    summed_up: tuple[Embedded, ScriptedModel, list[str]], tmp_path: Path, clock: FixedClock
) -> None:
    store, model, told = summed_up
    model.say_from_now_on(lambda _: "<<NO_INFO>>")
    (path,) = (tmp_path / "atoms").rglob(f"{told[0]}.md")
    path.unlink()
    store.writer.queue.touched([str(path.relative_to(tmp_path))])
    assert store.writer.queue.caught_up(PATIENCE)
    assert not any("Porto" in each.atom.content for each in store.lattice.select(Query("the cello from Porto")).atoms)
    quiet(store, clock)
    until("it to be retired", lambda: derived(store) == [])


def test_a_synthesis_in_the_owners_words_is_theirs_and_stays(
    summed_up: tuple[Embedded, ScriptedModel, list[str]], clock: FixedClock
) -> None:
    store, _, told = summed_up
    (made,) = derived(store)
    change(store, EditAtom(made.atom_id, {"content": "The cello is my aunt's, and I play it."}))
    change(store, DeleteAtom(told[0]))
    looked(store, clock)
    (kept,) = store.stores.catalogue.get([made.atom_id])
    assert (kept.content, kept.trust) == ("The cello is my aunt's, and I play it.", "user")


def test_a_synthesis_that_the_owner_deleted_does_not_come_back(
    summed_up: tuple[Embedded, ScriptedModel, list[str]], clock: FixedClock
) -> None:
    store, model, _ = summed_up
    (made,) = derived(store)
    change(store, DeleteAtom(made.atom_id))
    looked(store, clock)
    assert model.calls == 1
    assert derived(store) == []


def test_a_synthesis_is_written_anew_when_enough_was_said_since(
    summed_up: tuple[Embedded, ScriptedModel, list[str]], clock: FixedClock
) -> None:
    store, model, told = summed_up
    (before,) = derived(store)
    model.say_from_now_on(lambda _: "The cello came from my aunt in Porto [1] and has a case by now [6][7].")
    tell(store, {"2026-10-05": "The cello case is blue.", "2026-10-06": "The cello case has wheels."})
    looked(store, clock)
    assert model.calls == 1
    tell(store, {"2026-10-07": "The cello case is insured."})
    after(store, clock, model, 2)
    until("the other", lambda: [atom.atom_id for atom in derived(store)] != [before.atom_id])
    (now,) = derived(store)
    assert now.content == "The cello came from my aunt in Porto and has a case by now."
    assert told[0] in {relation.target for relation in now.relations}


def test_a_conclusion_from_memories_that_changed_meanwhile_comes_to_nothing(tmp_path: Path, clock: FixedClock) -> None:
    def slow(_: ModelRequest) -> str:
        change(store, EditAtom(told[0], {"content": "The cello came from my uncle in Porto."}))
        return SUMMED_UP

    model = ScriptedModel(slow)
    with opened(tmp_path, model, clock, consolidate_enrich=True) as store:
        told = tell(store)
        after(store, clock, model, 1)
        until("the writer to be done", lambda: not store.stores.worklog.open_ids())
        model.say_from_now_on(lambda _: "<<NO_INFO>>")
        looked(store, clock)
        assert derived(store) == []


def test_closing_gives_up_a_call_that_is_under_way(tmp_path: Path, clock: FixedClock) -> None:
    begun, closing = threading.Event(), threading.Event()

    def slow(_: ModelRequest) -> str:
        begun.set()
        assert closing.wait(PATIENCE)
        return SUMMED_UP

    store = opened(tmp_path, ScriptedModel(slow), clock, consolidate_enrich=True)
    tell(store)
    until("the call", lambda: quiet(store, clock) or begun.is_set())
    threading.Timer(0.2, closing.set).start()
    store.close()
    with open_store(tmp_path) as again:
        assert derived(again) == []


def test_a_day_has_a_limit_of_calls(tmp_path: Path, clock: FixedClock) -> None:
    model = ScriptedModel(lambda _: "<<NO_INFO>>")
    things = [
        f"{colour}{thing}"
        for colour in ("red", "blue", "old", "new", "big")
        for thing in ("kite", "boat", "lamp", "sofa", "tent", "drum")
    ]
    with opened(tmp_path, model, clock, consolidate_enrich=True) as store:
        tell(store, {f"2026-0{month}-1{day}": " ".join(f"The {thing} was {state}." for thing in things) for month, day, state in (
            (1, 1, "rusty"), (2, 1, "heavy"), (3, 1, "wet"), (4, 1, "lost"), (5, 1, "found"))})  # fmt: skip
        after(store, clock, model, MOST_CALLS)
        looked(store, clock, times=6)
        assert model.calls == MOST_CALLS
