"""What is archived is out of recall until it is asked for: its file moves, all that is derived knows it, and it comes back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.composition import Embedded
from lattice_common.domain.capture import ArchiveAtoms, CountRecalls, DeleteAtom, EditAtom, UndoChange
from lattice_common.domain.forgetting import Forgettable
from lattice_common.domain.recall import Query
from lattice_common.errors import Conflict, NotFound
from lattice_common.inspection import inspect
from lattice_common.settings import Settings

from tests.pipeline.hands import follow, writing
from tests.pipeline.living import atom_saying, change, open_store, rebuilt, say, started

HARBOUR = "The harbour office keeps my boat papers."
DOG = "My dog is called Rufus."
NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with writing(tmp_path / "data") as store:
        say(store, HARBOUR)
        say(store, DOG)
        yield store


def found(store: Embedded, text: str, **asked: bool) -> list[str]:
    return [each.atom.content for each in store.lattice.select(Query(text, **asked)).atoms]  # type: ignore[arg-type]


def archive(store: Embedded, words: str) -> str:
    return change(store, ArchiveAtoms((atom_saying(store, words).atom_id,)))


def test_what_is_archived_is_found_only_when_the_archive_is_asked_too(store: Embedded) -> None:
    archive(store, "harbour")
    assert HARBOUR not in found(store, "Where are my boat papers?")
    assert found(store, "Where are my boat papers?", include_archived=True)[0] == HARBOUR
    assert "harbour office" not in store.lattice.answer(Query("Where are my boat papers?")).answer
    assert "harbour office" in store.lattice.answer(Query("Where are my boat papers?", include_archived=True)).answer
    assert HARBOUR not in [atom.content for atom in store.lattice.recent(10)]
    assert HARBOUR not in [atom.content for atom in store.lattice.recent(10, kind="fact")]
    assert HARBOUR not in [atom.content for _, atom in store.lattice.timeline(after=None, before=None, subject=None, limit=10)]


def test_its_file_moves_to_the_archive_and_its_bytes_stay(store: Embedded, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in (tmp_path / "data" / "atoms").rglob("*.md")}
    archive(store, "harbour")
    [moved] = (tmp_path / "data" / "archive").rglob("*.md")
    assert moved.read_bytes() == before[moved.name]
    assert moved.name not in {path.name for path in (tmp_path / "data" / "atoms").rglob("*.md")}


def test_it_comes_back_by_a_restore_and_by_an_undo(store: Embedded) -> None:
    atom = atom_saying(store, "harbour")
    archive(store, "harbour")
    change(store, ArchiveAtoms((atom.atom_id,), archived=False))
    assert found(store, "Where are my boat papers?")[0] == HARBOUR
    again = archive(store, "harbour")
    undone = change(store, UndoChange(again))
    assert found(store, "Where are my boat papers?")[0] == HARBOUR
    change(store, UndoChange(undone))
    assert HARBOUR not in found(store, "Where are my boat papers?")
    assert [each.content for each in store.lattice.archived(10)[0]] == [HARBOUR]


def test_what_is_not_there_or_as_asked_already_is_refused(store: Embedded) -> None:
    with pytest.raises(NotFound):
        change(store, ArchiveAtoms(("01m7zcs28ayc1639ecsmey20js",)))
    atom = atom_saying(store, "harbour")
    with pytest.raises(Conflict, match="not archived"):
        change(store, ArchiveAtoms((atom.atom_id,), archived=False))
    archive(store, "harbour")
    with pytest.raises(Conflict, match="archived already"):
        archive(store, "harbour")


def test_a_rebuild_and_the_doctor_know_the_archive(store: Embedded, tmp_path: Path) -> None:
    archive(store, "harbour")
    state = store.state_hash()
    store.close()
    root = tmp_path / "data"
    assert rebuilt(root)[0] == state
    with open_store(root) as opened:
        assert HARBOUR not in found(opened, "Where are my boat papers?")
        assert found(opened, "Where are my boat papers?", include_archived=True)[0] == HARBOUR
    with inspect(root) as inspection:
        assert inspection.examine(lambda *_: None, exact_limit=Settings(data_dir=root).dense_exact_limit).findings == ()


def test_the_graph_keeps_what_is_archived_and_does_not_show_it(store: Embedded) -> None:
    say(store, "My dog Rufus is seven years old.")
    dog, age = atom_saying(store, "called"), atom_saying(store, "seven")
    edges = store.lattice.subgraph(atom_id=dog.atom_id, subject=None, depth=2)[1]
    archive(store, "seven")
    shown = store.lattice.subgraph(atom_id=dog.atom_id, subject=None, depth=2)[0]
    assert f"atom:{age.atom_id}" not in {node.node_id for node in shown}
    assert age.atom_id not in {atom.atom_id for atom in store.lattice.related(atom_id=dog.atom_id)}
    change(store, ArchiveAtoms((age.atom_id,), archived=False))
    assert set(store.lattice.subgraph(atom_id=dog.atom_id, subject=None, depth=2)[1]) == set(edges)


def test_an_archived_memory_is_edited_where_it_lies_and_deleted_into_the_trash_and_back(store: Embedded, tmp_path: Path) -> None:
    archive(store, "harbour")
    atom = atom_saying(store, "harbour")
    change(store, EditAtom(atom.atom_id, {"subject": "boat"}))
    assert atom_saying(store, "harbour").archived
    deleted = change(store, DeleteAtom(atom.atom_id))
    assert not list((tmp_path / "data" / "archive").rglob("*.md"))
    change(store, UndoChange(deleted))
    assert atom_saying(store, "harbour").archived
    assert atom_saying(store, "harbour").subject == "boat"


def test_what_is_told_again_is_back(store: Embedded) -> None:
    archive(store, "harbour")
    assert say(store, HARBOUR).state == "duplicate"
    assert found(store, "Where are my boat papers?")[0] == HARBOUR


def test_forgetting_reaches_the_archive(store: Embedded, tmp_path: Path) -> None:
    archive(store, "harbour")
    wanted = Forgettable(atom_ids=(atom_saying(store, "harbour").atom_id,))
    shown = store.lattice.forget_preview(wanted, now=True)
    store.lattice.forget(wanted, shown.confirm, now=True)
    left = [path for path in (tmp_path / "data").rglob("*") if path.is_file() and b"harbour" in path.read_bytes().lower()]
    assert left == []


def test_a_hand_that_moves_a_file_into_the_archive_archives_it(store: Embedded, tmp_path: Path) -> None:
    root = tmp_path / "data"
    [path] = [each for each in (root / "atoms").rglob("*.md") if "harbour" in each.read_text()]
    aside = root / "archive" / path.relative_to(root / "atoms")
    aside.parent.mkdir(parents=True, exist_ok=True)
    path.replace(aside)
    follow(store, path, aside)
    assert HARBOUR not in found(store, "Where are my boat papers?")
    aside.replace(path)
    follow(store, path, aside)
    assert found(store, "Where are my boat papers?")[0] == HARBOUR


def test_a_redo_of_what_was_archived_since_leaves_it_in_the_archive(store: Embedded) -> None:
    atom = atom_saying(store, "harbour")
    archive(store, "harbour")
    [mark] = store.stores.atoms.put([atom])
    assert mark.path.startswith("archive/")
    assert not [each for each, there in store.stores.atoms.marks() if each == atom.atom_id and there.path.startswith("atoms/")]


def test_candidates_are_what_nobody_used_for_long_and_only_that(tmp_path: Path) -> None:
    clock = FixedClock(NOW - timedelta(days=3000))
    with started(tmp_path / "data", clock=clock) as store:
        say(store, HARBOUR)
        say(store, DOG)
        say(store, "I lived in Leeds for a year.")
        clock.advance(timedelta(days=2990))
        dog = atom_saying(store, "Rufus")
        change(store, CountRecalls({dog.atom_id: {"count": 1, "last": clock.now().isoformat()}}, 1))
        say(store, "My bicycle is green.")
        offered = {each.atom.content for each in store.lattice.archive_candidates(10)}
        assert offered == {HARBOUR, "I lived in Leeds for a year."}
        assert store.lattice.archived(10) == ([], 0)
        change(store, ArchiveAtoms((atom_saying(store, "harbour").atom_id,)))
        assert HARBOUR not in {each.atom.content for each in store.lattice.archive_candidates(10)}
