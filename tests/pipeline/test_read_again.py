"""What the language model missed is read again when it is back: nothing twice, nothing of the owner's touched, undone as one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.files import durable
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Command, DeleteAtom, EditAtom, ExtractAgain, UndoChange
from lattice_common.domain.receipt import Receipt
from lattice_common.errors import ModelUnavailable
from lattice_common.inspection import inspect

from tests.pipeline.living import PATIENCE, atoms_of, change, current, finished, say, send
from tests.pipeline.modelled import away, open_modelled, sentence_by_sentence

SAID = "My sister Anna plays the cello. I keep seven bees in the garden shed."
BY_RULES = ["I keep seven bees in the garden shed.", "My sister Anna plays the cello."]
BY_MODEL = ["Noted: I keep seven bees in the garden shed.", "Noted: My sister Anna plays the cello."]


@pytest.fixture
def model() -> ScriptedModel:
    return away()


@pytest.fixture
def store(tmp_path: Path, model: ScriptedModel) -> Iterator[Embedded]:
    with open_modelled(tmp_path, model, clock=FixedClock()) as embedded:
        embedded.start()
        yield embedded


def rounds(store: Embedded) -> list[str]:
    """The commands that read something again."""
    journal = store.stores.worklog
    found = []
    for entry in journal.entries(newest_first=False):
        said = journal.read(entry)
        if isinstance(said, Command) and isinstance(said.action, ExtractAgain):
            found.append(entry)
    return found


def nudge(store: Embedded) -> None:
    """Let the writer look whether there is anything to do: for an id that nobody knows there is not, and it is idle before it
    turns to the next one."""
    for _ in range(2):
        turns = store.writer.state().turns
        store.writer.queue.ring(store.stores.clock.new_id(), "interactive")
        deadline = time.monotonic() + PATIENCE
        while store.writer.state().turns == turns:
            assert time.monotonic() < deadline, "the writer does not turn to anything"
            store.writer.join(0.002)


def read_again(store: Embedded, number: int = 1) -> Receipt:
    """The receipt of the n-th round, once it is there."""
    deadline = time.monotonic() + PATIENCE
    while len(rounds(store)) < number:
        assert time.monotonic() < deadline, "nothing is read again"
        nudge(store)
    return finished(store, rounds(store)[number - 1])


def test_what_was_read_by_rules_is_read_again_when_the_model_is_back(store: Embedded, model: ScriptedModel) -> None:
    first = say(store, SAID)
    assert first.notes == ("read-by-rules: away",)
    assert current(store) == BY_RULES
    assert store.stores.worklog.again_ids() == [first.capture_id]
    model.up = True
    again = read_again(store)
    assert current(store) == BY_MODEL
    assert (again.atoms_new, set(again.trashed)) == (2, set(first.atom_ids))
    assert store.stores.worklog.again_ids() == []
    status = store.lattice.capture(first.capture_id)
    assert (status.attempts, status.state) == (1, "stored")


def test_a_model_that_is_away_is_not_asked_and_one_that_has_nothing_to_do_neither(store: Embedded, model: ScriptedModel) -> None:
    say(store, SAID)
    calls = model.calls
    for _ in range(5):
        nudge(store)
    assert model.calls == calls
    model.up = True
    read_again(store)
    calls = model.calls
    for _ in range(5):
        nudge(store)
    assert model.calls == calls


def test_an_atom_that_the_model_says_too_stays(tmp_path: Path) -> None:
    model = ScriptedModel(sentence_by_sentence(), up=False)
    with open_modelled(tmp_path, model) as store:
        store.start()
        first = say(store, SAID)
        before = atoms_of(store)
        model.up = True
        again = read_again(store)
        assert atoms_of(store) == before
        assert (again.atoms_new, again.trashed, again.changes) == (0, (), ())
        assert store.stores.worklog.again_ids() == []
        assert first.notes


def test_reading_again_is_undone_as_one_change_and_so_is_the_capture(store: Embedded, model: ScriptedModel) -> None:
    first = say(store, SAID)
    state = store.state_hash()
    model.up = True
    again = read_again(store)
    read = store.state_hash()
    undone = change(store, UndoChange(again.capture_id))
    assert current(store) == BY_RULES
    assert store.state_hash() == state
    change(store, UndoChange(undone))
    assert store.state_hash() == read
    all_of_it = change(store, UndoChange(first.capture_id))
    assert current(store) == []
    change(store, UndoChange(all_of_it))
    assert store.state_hash() == read


def test_what_the_owner_edited_or_deleted_stays_so(store: Embedded, model: ScriptedModel) -> None:
    said = f"{SAID} My neighbour lent me a red ladder."
    first = say(store, said)
    by_words = {atom.content: atom.atom_id for atom in atoms_of(store).values()}
    change(store, EditAtom(by_words[BY_RULES[0]], {"content": "I keep eight bees."}))
    change(store, DeleteAtom(by_words[BY_RULES[1]]))
    model.up = True
    read_again(store)
    assert current(store) == ["I keep eight bees.", "Noted: My neighbour lent me a red ladder."]
    assert first.atoms_new == 3


def test_what_a_hand_deleted_just_before_is_not_read_again_and_the_rest_is(tmp_path: Path, model: ScriptedModel) -> None:
    """Nobody has told the writer of it yet."""
    with open_modelled(tmp_path, model) as store:
        first = _read_by_rules(store)
        _file(store, tmp_path, "bees").unlink()
        model.up = True
        assert store.ingest.next_part(_again(store, first))
        assert sorted(path.read_text().rpartition("---\n")[2].strip() for path in (tmp_path / "atoms").rglob("*.md")) == [
            "Noted: My sister Anna plays the cello."
        ]


def test_what_a_hand_deletes_while_it_is_read_again_stays_deleted_after_a_crash(tmp_path: Path, model: ScriptedModel) -> None:
    with open_modelled(tmp_path, model) as store:
        first = _read_by_rules(store)
        model.up = True
        command = _again(store, first)

        def cut(_: str) -> None:
            if list((tmp_path / "journal").rglob(f"{command}.plan.json")):
                raise KeyboardInterrupt  # stands for the end of the process

        durable.set_failpoint(cut)
        try:
            with pytest.raises(KeyboardInterrupt):
                store.ingest.next_part(command)
        finally:
            durable.set_failpoint(None)
        bees = _file(store, tmp_path, "bees")
    bees.unlink()
    with open_modelled(tmp_path, model) as store:
        store.start()
        finished(store, command)
        assert current(store) == ["Noted: My sister Anna plays the cello."]
        assert not bees.exists()


def _read_by_rules(store: Embedded) -> str:
    first = send(store, IngestRequest(text=SAID))
    assert store.ingest.next_part(first)
    assert current(store) == BY_RULES
    return first


def _again(store: Embedded, capture_id: str) -> str:
    command = Command(store.stores.clock.new_id(), store.stores.clock.now(), ExtractAgain(capture_id))
    store.stores.worklog.append(command)
    return command.command_id


def _file(store: Embedded, root: Path, word: str) -> Path:
    [atom] = [atom for atom in atoms_of(store).values() if word in atom.content]
    return root / store.stores.catalogue.marks([atom.atom_id])[atom.atom_id][0].path


def test_an_edit_that_left_the_words_alone_is_an_edit(store: Embedded, model: ScriptedModel) -> None:
    say(store, SAID)
    [bees] = [atom.atom_id for atom in atoms_of(store).values() if "bees" in atom.content]
    change(store, EditAtom(bees, {"importance": 0.99}))
    model.up = True
    read_again(store)
    assert current(store) == sorted([BY_RULES[0], BY_MODEL[1]])


def test_a_capture_that_was_undone_is_not_brought_back(store: Embedded, model: ScriptedModel) -> None:
    first = say(store, SAID)
    change(store, UndoChange(first.capture_id))
    model.up = True
    read_again(store)
    assert current(store) == []


def test_what_an_atom_replaced_and_what_replaced_it_know_the_one_in_its_place(store: Embedded, model: ScriptedModel) -> None:
    days = [f"2026-01-0{day}T10:00:00Z" for day in (1, 2, 3)]
    model.up = True
    say(store, "I live in Berlin.", observed_at=days[0])
    model.up = False
    middle = say(store, "I moved from Berlin to Lisbon.", observed_at=days[1])
    [berlin, lisbon] = atoms_of(store).values()
    assert berlin.superseded_by == lisbon.atom_id
    last = say(store, "I moved from Lisbon to Oslo.", observed_at=days[2])
    model.up = True
    read_again(store, 2)
    atoms = {atom.content: atom for atom in atoms_of(store).values()}
    chain = [
        atoms["Noted: I live in Berlin."],
        atoms["Noted: I moved from Berlin to Lisbon."],
        atoms["Noted: I moved from Lisbon to Oslo."],
    ]
    assert len(atoms) == 3
    assert [atom.superseded_by for atom in chain] == [chain[1].atom_id, chain[2].atom_id, None]
    assert [atom.is_superseded for atom in chain] == [True, True, False]
    assert chain[0].atom_id in chain[1].supersedes
    assert chain[1].atom_id in chain[2].supersedes
    gone = {*middle.atom_ids, *last.atom_ids}
    assert not any(gone & {*atom.links, atom.superseded_by} for atom in chain)


def test_a_model_that_answers_only_rubbish_is_asked_three_times_and_in_idle_days_nothing(tmp_path: Path) -> None:
    clock = FixedClock()
    model = ScriptedModel(lambda request: "OK" if request.schema is None else "no idea")
    with open_modelled(tmp_path, model, clock=clock) as store:
        store.start()
        assert say(store, SAID).notes == ("read-by-rules: unusable",)
        asked = model.calls
        assert asked <= 3
        for _ in range(5):
            clock.advance(timedelta(days=2))
            nudge(store)
        assert (model.calls, rounds(store)) == (asked, [])
        assert current(store) == BY_RULES


def test_a_text_that_only_gets_rubbish_is_read_again_where_others_are_read_well_but_not_for_ever(tmp_path: Path) -> None:
    clock = FixedClock()
    reader = sentence_by_sentence()
    model = ScriptedModel(lambda request: "no idea" if "cello" in str(request.messages) else reader(request))
    with open_modelled(tmp_path, model, clock=clock) as store:
        store.start()
        assert say(store, SAID).notes == ("read-by-rules: unusable",)
        nudge(store)
        for number in (1, 2, 3):
            clock.advance(timedelta(days=2))
            nudge(store)
            assert len(rounds(store)) == number - 1
            assert say(store, f"My cousin owns boat {number}.").notes == ()
            assert read_again(store, number).notes == ("not-read-again: unusable",)
        assert store.stores.worklog.again_ids() == []
        clock.advance(timedelta(days=40))
        say(store, "My cousin owns a barge.")
        for _ in range(5):
            nudge(store)
        assert len(rounds(store)) == 3
        assert set(BY_RULES) < set(current(store))


def test_an_outage_in_the_middle_of_a_round_costs_no_round(tmp_path: Path) -> None:
    clock = FixedClock()
    model = away()
    reader = sentence_by_sentence()
    with open_modelled(tmp_path, model, clock=clock) as store:
        store.start()
        say(store, SAID)
        model.up = True
        model.say_from_now_on(lambda request: "OK" if request.schema is None else ModelUnavailable("gone"))
        for number in (1, 2, 3, 4, 5):
            read_again(store, number)
            clock.advance(timedelta(hours=2))
        model.say_from_now_on(reader)
        read_again(store, 6)
        assert store.stores.worklog.again_ids() == []
        assert current(store) == BY_RULES


@pytest.mark.slow
def test_many_captures_of_an_outage_are_all_read_again_and_the_store_is_sound(tmp_path: Path) -> None:
    model = away()
    with open_modelled(tmp_path, model) as store:
        store.start()
        sent = [
            send(
                store,
                IngestRequest(
                    text=f"Neighbour {n} is called Ada{n} and lives in house {n + 3}.",
                    priority="bulk",
                    metadata=CaptureMetadata(source_id=f"street-{n}"),
                ),
            )
            for n in range(40)
        ]
        assert {finished(store, each).notes for each in sent} == {("read-by-rules: away",)}
        model.up = True
        read_again(store, 40)
        for command in rounds(store):
            finished(store, command)
        assert len(current(store)) == 40
        assert all(content.startswith("Noted: ") for content in current(store))
        held = store.state_hash()
    with inspect(tmp_path) as inspection:
        assert inspection.examine(lambda *_: None, exact_limit=100_000).findings == ()
    with open_modelled(tmp_path, None) as store:
        store.rebuild(lambda *_: None)
        assert store.state_hash() == held
