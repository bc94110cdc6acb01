"""Hand and writer at the same file, or the same memory: neither loses what the other did, and nothing deleted comes back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.adapters.files import durable
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.capture import DeleteAtom, EditAtom
from lattice_common.domain.recall import Query

from tests.data.conversations import long_text
from tests.pipeline.hands import (
    any_atom,
    edit,
    file_of,
    follow,
    rewrite,
    same_as_rebuilt,
)
from tests.pipeline.living import SHORT_PARTS, atom_saying, atoms_of, change, files_of, finished, open_store, say, send, started


@pytest.fixture(autouse=True)
def _no_failpoint() -> Iterator[None]:
    yield
    durable.set_failpoint(None)


def _never(*_: object) -> None:
    raise AssertionError("there was nothing to do")


def test_what_a_hand_deleted_is_not_brought_back_by_a_redo_of_its_plan(root: Path) -> None:
    with open_store(root) as store:
        capture_id = send(store, IngestRequest(text="Zebulon owns 3 harmonicas. Zebulon lives in Quito."))

        def cut(name: str) -> None:
            if name == "graph.append.before_manifest":
                raise KeyboardInterrupt  # stands for the end of the process

        durable.set_failpoint(cut)
        with pytest.raises(KeyboardInterrupt):
            store.ingest.next_part(capture_id)
        durable.set_failpoint(None)
        atom = atom_saying(store, "harmonicas")
        path = file_of(store, atom)
        assert store.stores.worklog.read_plan(capture_id) is not None
    path.unlink()
    with started(root) as store:
        receipt = finished(store, capture_id)
        assert receipt.state == "stored"
        assert atom_saying(store, "Quito").atom_id in receipt.atom_ids
        assert atom.atom_id not in atoms_of(store)
        assert not path.exists()
        same_as_rebuilt(store, root)


def test_what_a_hand_deletes_from_a_text_that_is_still_read_stays_deleted(root: Path) -> None:
    with open_store(root, pace=SHORT_PARTS) as store:
        long = send(store, IngestRequest(text=long_text(12_000), source_type="plain", priority="bulk"))
        assert not store.ingest.next_part(long)
        atom = list(atoms_of(store).values())[-1]
        assert atom.capture_id == long
        path = file_of(store, atom)
        path.unlink()
        store.writer.steps.follow([str(path.relative_to(root))])
        assert atom.atom_id not in atoms_of(store)
    with started(root, pace=SHORT_PARTS) as store:
        assert finished(store, long).state == "stored"
        assert atom.atom_id not in atoms_of(store)
        assert not path.exists()


def test_what_is_said_between_two_parts_of_a_text_is_written_before_the_second(root: Path) -> None:
    with open_store(root, pace=SHORT_PARTS) as store:
        ingest = store.ingest
        long = send(store, IngestRequest(text=long_text(8_000), source_type="plain", priority="bulk"))
        assert not ingest.next_part(long)
        known = set(atoms_of(store))
        between = send(store, IngestRequest(text="The keys are under the third flowerpot."))
        assert ingest.next_part(between)
        assert ingest.run([long]) == []  # however it is gone on with, nothing is left out and nothing comes twice
        atoms = atoms_of(store)
        keys = atom_saying(store, "flowerpot")
        after = [atom.seq for atom in atoms.values() if atom.atom_id not in known and atom.capture_id == long]
        assert max(atoms[atom_id].seq for atom_id in known) < keys.seq < min(after)
        same_as_rebuilt(store, root)


def test_a_part_that_was_read_ahead_is_written_after_what_came_between(root: Path) -> None:
    with open_store(root, pace=SHORT_PARTS) as store:
        ingest = store.ingest
        long = send(store, IngestRequest(text=long_text(8_000), source_type="plain", priority="bulk"))
        assert not ingest.next_part(long)
        between = send(store, IngestRequest(text="The keys are under the third flowerpot."))
        assert ingest.next_part(between)
        known = set(atoms_of(store))
        while not ingest.next_part(long):
            pass
        atoms = atoms_of(store)
        after = [atom.seq for atom in atoms.values() if atom.atom_id not in known]
        assert max(atoms[atom_id].seq for atom_id in known) == atom_saying(store, "flowerpot").seq < min(after)
        assert len(after) == len(set(after))
        same_as_rebuilt(store, root)


def test_a_file_that_was_only_touched_costs_no_more_than_a_look(store: Embedded) -> None:
    paths = [file_of(store, atom) for atom in list(atoms_of(store).values())[:5]]
    for path in paths:
        path.touch()
    before = files_of(store.folder / "index" / "lexical") | files_of(store.folder / "graph")
    follow(store, *paths)
    assert before == files_of(store.folder / "index" / "lexical") | files_of(store.folder / "graph")
    assert len(before) >= 2
    known = store.stores.catalogue.marks([path.stem for path in paths])
    assert [known[path.stem][0].mtime_ns for path in paths] == [path.stat().st_mtime_ns for path in paths]


def test_the_writers_own_files_are_not_read_again(store: Embedded, monkeypatch: pytest.MonkeyPatch) -> None:
    receipt = say(store, "Zebulon owns 3 harmonicas.")
    monkeypatch.setattr(store.stores.atoms, "read_file", _never)
    follow(store, *(file_of(store, atom) for atom in store.stores.catalogue.get(receipt.atom_ids)))
    assert store.writer.state().paused is None


def test_an_edit_that_the_writer_meets_while_it_changes_the_same_file_is_kept_and_followed(store: Embedded, root: Path) -> None:
    """The hand saves in the very moment in which the memory is replaced by a newer one."""
    old = atom_saying(store, "to Tromso")
    path = file_of(store, old)
    hand = threading.Event()

    def save(name: str) -> None:
        if name == "durable.write.before_rename" and not hand.is_set() and threading.current_thread().name == "lattice-writer":
            if "is_superseded: true" in path.read_text():
                return
            hand.set()
            edit(path, r"^subject: .*$", "subject: Grandmother  # mine")
            edit(path, r"^session_id: .*\n|(?=^seq:)", "session_id: another day\n")

    durable.set_failpoint(save)
    change(store, EditAtom(old.atom_id, {"importance": 0.9}))
    durable.set_failpoint(None)
    assert hand.is_set()
    assert "# mine" in path.read_text()
    assert "importance: 0.9" in path.read_text()
    (atom,) = store.stores.catalogue.get([old.atom_id])
    assert (atom.subject, atom.importance, atom.session_id) == ("Grandmother", 0.9, "another day")
    same_as_rebuilt(store, root)


def test_an_edit_that_nobody_has_followed_yet_is_not_lost_when_the_memory_is_replaced(store: Embedded, root: Path) -> None:
    old = atom_saying(store, "to Tromso")
    path = file_of(store, old)
    rewrite(path, f"{old.content} The kitchen there is yellow.")
    edit(path, r"^subject: .*$", "subject: Grandmother  # mine")
    say(store, "I moved from Tromso to Quito.", observed_at="2026-04-03T10:00:00Z")
    change(store, EditAtom(old.atom_id, {"importance": 0.9}))
    text = path.read_text()
    assert "kitchen there is yellow" in text
    assert "# mine" in text
    assert "importance: 0.9" in text
    selected = store.lattice.select(Query("What colour is the kitchen?", include_superseded=True)).atoms
    assert any("kitchen there is yellow" in each.atom.content for each in selected)
    follow(store, path)
    same_as_rebuilt(store, root)


def test_what_is_deleted_through_lattice_and_put_back_by_hand_is_there_again(store: Embedded, root: Path) -> None:
    atom = any_atom(store)
    path = file_of(store, atom)
    content = path.read_bytes()
    change(store, DeleteAtom(atom.atom_id))
    assert atom.atom_id not in atoms_of(store)
    path.write_bytes(content)
    follow(store, path)
    assert atoms_of(store)[atom.atom_id].content == atom.content
    same_as_rebuilt(store, root)


def test_a_new_fact_about_what_a_hand_is_editing_does_not_undo_the_edit(store: Embedded, root: Path) -> None:
    """The hand has changed the file, nobody has followed yet, and the memory is replaced: both stand in the file."""
    old = atom_saying(store, "to Tromso")
    path = file_of(store, old)
    edit(path, r"^---\n", "---\n# a note of mine\nmood: sunny\n")
    receipt = say(store, "I moved from Tromso to Quito.", observed_at="2026-04-03T10:00:00Z")
    text = path.read_text()
    assert "# a note of mine\nmood: sunny\n" in text
    assert "is_superseded: true" in text
    assert f"superseded_by: {receipt.atom_ids[0]}" in text
    same_as_rebuilt(store, root)
