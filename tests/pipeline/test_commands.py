"""What the owner changes by hand: edit, delete, keep, remove, undo, and undo of all of these."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.composition import Embedded
from lattice_common.domain.atom import content_hash, etag_of
from lattice_common.domain.capture import (
    Action,
    Command,
    DeleteAtom,
    EditAtom,
    ForgetAtoms,
    JsonValue,
    KeepRejected,
    RemoveSource,
    UndoChange,
)
from lattice_common.domain.recall import Query
from lattice_common.domain.segment import Candidate
from lattice_common.errors import Conflict, NotFound
from lattice_common.ingest.commit import follow, write_plans
from lattice_common.ingest.stores import Written
from lattice_common.ports.journal import Plan
from lattice_common.ports.rejection_log import RejectedCandidate
from lattice_common.upkeep.commands import plan_command

from tests.pipeline.living import atom_saying, atoms_of, change, current, finished, live, open_store, say, started


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with started(tmp_path) as embedded:
        yield embedded


def moved(store: Embedded) -> tuple[str, str, str]:
    """(old atom, new atom, capture of the new one)."""
    old = say(store, "I live in Berlin.", observed_at="2026-01-02T10:00:00Z")
    new = say(store, "I moved from Berlin to Lisbon.", observed_at="2026-01-03T10:00:00Z")
    return old.atom_ids[0], new.atom_ids[0], new.capture_id


def found_by(store: Embedded, question: str) -> list[str]:
    return [each.atom.atom_id for each in store.lattice.select(Query(question)).atoms]


def test_an_edit_is_found_by_its_new_words_and_its_new_subject(store: Embedded) -> None:
    [atom_id] = say(store, "My neighbour keeps a tortoise in the bath.").atom_ids
    change(store, EditAtom(atom_id, {"content": "Gunnar keeps a crocodile in the bath.", "subject": "Gunnar"}))
    atom = atoms_of(store)[atom_id]
    assert (atom.content, atom.subject, atom.extractor) == ("Gunnar keeps a crocodile in the bath.", "Gunnar", "user")
    assert atom.content_hash == content_hash(atom.content)
    assert found_by(store, "Who has a crocodile?") == [atom_id]
    assert [each.atom_id for each in store.lattice.related(subject="gunnar")] == [atom_id]
    nodes, edges = store.lattice.subgraph(atom_id=None, subject="Gunnar", depth=1)
    assert {node.node_id for node in nodes} == {"subject:gunnar", f"atom:{atom_id}"}
    assert len(edges) == 1


def test_an_edit_of_what_changed_meanwhile_is_refused(store: Embedded) -> None:
    [atom_id] = say(store, "My sister lives in Turin.").atom_ids
    seen = etag_of(atoms_of(store)[atom_id])
    change(store, EditAtom(atom_id, {"importance": 0.9}, seen))
    with pytest.raises(Conflict) as refused:
        change(store, EditAtom(atom_id, {"importance": 0.1}, seen))
    assert refused.value.status == 412
    assert atoms_of(store)[atom_id].importance == 0.9


@pytest.mark.parametrize(
    ("code", "says"),
    [("conflict", "nothing to change"), ("changed", "the memory"), ("not_found", "there is no memory")],
)
def test_a_refusal_is_a_code_for_programs_and_a_sentence_for_people(store: Embedded, code: str, says: str) -> None:
    [atom_id] = say(store, "My sister lives in Turin.").atom_ids
    same: dict[str, JsonValue] = {"importance": atoms_of(store)[atom_id].importance}
    edits = {
        "conflict": EditAtom(atom_id, same),
        "changed": EditAtom(atom_id, same, "as it was before"),
        "not_found": EditAtom("0" * 26, same),
    }
    command = Command(store.stores.clock.new_id(), store.stores.clock.now(), edits[code])
    store.stores.worklog.append(command)
    store.writer.queue.ring(command.command_id, "interactive")
    receipt = finished(store, command.command_id)
    assert (receipt.state, receipt.refused) == ("rejected", code)
    assert receipt.reason is not None
    assert receipt.reason.startswith(says)


@pytest.mark.parametrize(
    "action",
    [
        EditAtom("0" * 26, {"kind": "fact"}),
        DeleteAtom("0" * 26),
        KeepRejected("no"),
        UndoChange("0" * 26),
        RemoveSource("none"),
    ],
)
def test_what_is_not_there_cannot_be_changed(store: Embedded, action: Action) -> None:
    with pytest.raises(NotFound):
        change(store, action)


def test_a_deleted_memory_is_gone_and_what_it_replaced_is_current_again(store: Embedded) -> None:
    old, new, _ = moved(store)
    deleted = change(store, DeleteAtom(new))
    assert list(atoms_of(store)) == [old]
    assert not atoms_of(store)[old].is_superseded
    assert new not in found_by(store, "Where do I live?")
    change(store, UndoChange(deleted))
    assert atoms_of(store)[old].superseded_by == new
    assert new in found_by(store, "Where do I live?")


def moved_twice(store: Embedded) -> tuple[str, str, str, str]:
    """(first, second, third, capture of the second): each replaced the one before."""
    first, second, capture_id = moved(store)
    third = say(store, "I moved to Porto.", observed_at="2026-01-04T10:00:00Z").atom_ids[0]
    assert [atoms_of(store)[each].superseded_by for each in (first, second, third)] == [second, third, None]
    return first, second, third, capture_id


@pytest.mark.parametrize("undone", [False, True])
def test_what_goes_out_of_the_middle_of_a_chain_makes_nothing_true_again_that_the_last_replaced(
    store: Embedded, undone: bool
) -> None:
    first, second, third, capture_id = moved_twice(store)
    before = store.state_hash()
    gone = change(store, UndoChange(capture_id) if undone else DeleteAtom(second))
    left = atoms_of(store)
    assert list(left) == [first, third]
    assert (left[first].is_superseded, left[first].superseded_by, left[third].supersedes) == (True, third, (second, first))
    assert current(store) == ["I moved to Porto."]
    change(store, UndoChange(gone))
    assert store.state_hash() == before


def test_when_the_last_of_such_a_chain_goes_too_the_first_is_true_again(store: Embedded) -> None:
    first, second, third, _ = moved_twice(store)
    deleted = change(store, DeleteAtom(second))
    last = change(store, DeleteAtom(third))
    assert current(store) == ["I live in Berlin."]
    change(store, UndoChange(last))
    change(store, UndoChange(deleted))
    assert [atoms_of(store)[each].superseded_by for each in (first, second, third)] == [second, third, None]


def test_of_what_was_forgotten_out_of_the_middle_no_word_is_left_in_why_the_first_was_replaced(store: Embedded) -> None:
    first, second, third, _ = moved_twice(store)
    change(store, ForgetAtoms((second,), now=True))
    left = atoms_of(store)[first]
    assert left.superseded_by == third
    assert "Lisbon" not in (left.superseded_reason or "")


def test_every_undo_can_be_undone(store: Embedded) -> None:
    old, new, capture_id = moved(store)
    then = store.state_hash()
    undone = change(store, UndoChange(capture_id))
    assert list(atoms_of(store)) == [old]
    again = change(store, UndoChange(undone))
    assert store.state_hash() == then
    change(store, UndoChange(again))
    assert list(atoms_of(store)) == [old]
    with pytest.raises(Conflict, match="nothing to undo"):
        change(store, UndoChange(capture_id))
    assert new not in atoms_of(store)


def test_undoing_an_edit_brings_back_the_words_and_leaves_later_edits(store: Embedded) -> None:
    [atom_id] = say(store, "My neighbour keeps a tortoise in the bath.").atom_ids
    edited = change(store, EditAtom(atom_id, {"content": "My neighbour keeps a newt.", "importance": 0.9}))
    change(store, EditAtom(atom_id, {"importance": 0.2}))
    change(store, UndoChange(edited))
    atom = atoms_of(store)[atom_id]
    assert atom.content == "My neighbour keeps a tortoise in the bath."
    assert atom.content_hash == content_hash(atom.content)
    assert atom.importance == 0.2
    assert found_by(store, "Who keeps a tortoise?")[0] == atom_id


def test_everything_of_a_source_goes_and_comes_back(store: Embedded) -> None:
    say(store, "My sister lives in Turin.")
    say(store, "The demo has a lighthouse.", source_id="demo")
    say(store, "The demo's lighthouse is 40 metres high.", source_id="demo")
    removed = change(store, RemoveSource("demo"))
    assert current(store) == ["My sister lives in Turin."]
    change(store, UndoChange(removed))
    assert len(atoms_of(store)) == 3


def test_a_change_twice_says_that_there_is_nothing_to_change(store: Embedded) -> None:
    [atom_id] = say(store, "My sister lives in Turin.").atom_ids
    change(store, EditAtom(atom_id, {"importance": 0.9}))
    with pytest.raises(Conflict, match="nothing to change"):
        change(store, EditAtom(atom_id, {"importance": 0.9}))


def plan_of(store: Embedded, action: Action) -> Plan:
    command = Command(store.stores.clock.new_id(), store.stores.clock.now(), action)
    plan = plan_command(command, store.stores, store.stores.catalogue.last_seq() + 1)
    assert isinstance(plan, Plan)
    return plan


def carry_out(store: Embedded, plan: Plan, index_seq: int) -> str:
    written = Written()
    write_plans(store.stores, [plan], written)
    follow(store.stores, written, {}, {}, index_seq=index_seq)
    return store.state_hash()


@pytest.mark.parametrize("kind", ["edit", "subject", "delete", "remove", "undo"])
def test_a_plan_that_is_carried_out_twice_changes_nothing_the_second_time(tmp_path: Path, kind: str) -> None:
    with started(tmp_path) as store:
        live(store, 5)
        old = say(store, "I live in Ghent.", observed_at="2026-03-02T10:00:00Z", source_id="twice")
        new = say(store, "I moved from Ghent to Krakow.", observed_at="2026-03-03T10:00:00Z", source_id="twice")
    actions: dict[str, Action] = {
        "edit": EditAtom(old.atom_ids[0], {"content": "I live in a tent."}),
        "subject": EditAtom(old.atom_ids[0], {"subject": "Ada", "entities": ["Ada"]}),
        "delete": DeleteAtom(new.atom_ids[0]),
        "remove": RemoveSource("twice"),
        "undo": UndoChange(new.capture_id),
    }
    with open_store(tmp_path) as store:
        plan = plan_of(store, actions[kind])
        before = store.state_hash()
        epoch = store.stores.lock.epoch << 32
        once = carry_out(store, plan, epoch + 1)
        assert once != before
        assert carry_out(store, plan, epoch + 2) == once


def test_what_an_undo_brought_back_before_a_crash_is_in_the_graph_after_it(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        [atom_id] = say(store, "Ada's sister lives in Turin.").atom_ids
        say(store, "Ada's brother lives in Oslo.")
        before = store.state_hash()
        deleted = change(store, DeleteAtom(atom_id))
    with open_store(tmp_path) as store:
        plan = plan_of(store, UndoChange(deleted))
        write_plans(store.stores, [plan], Written())  # the process dies here, and the plan is carried out again
        assert carry_out(store, plan, (store.stores.lock.epoch << 32) + 1) == before


def test_a_rejected_candidate_is_kept_as_the_owners_word_and_undo_takes_it_back(store: Embedded) -> None:
    capture_id = say(store, "My sister lives in Turin.").capture_id
    claimed = Candidate("My sister lives in Turin with 3 cats.", "My sister lives in Turin with cats", "fact", "sister", "s1")
    now = store.stores.clock.now()
    store.stores.rejections.append([RejectedCandidate("r1", capture_id, now, claimed, "number-unlicensed", "3")])
    kept = change(store, KeepRejected("r1"))
    atom = atom_saying(store, "3 cats")
    assert (atom.trust, atom.extractor) == ("user", "user")
    assert store.lattice.rejected(1)[0].kept
    undone = change(store, UndoChange(kept))
    assert atom.atom_id not in atoms_of(store)
    assert not store.lattice.rejected(1)[0].kept
    change(store, UndoChange(undone))
    assert atom.atom_id in atoms_of(store)
    assert store.lattice.rejected(1)[0].kept
