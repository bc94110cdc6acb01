"""What was deleted can be restored for as long as the setting says, and is gone afterwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from lattice_common.adapters.embedded.temporary_trash_index import TemporaryTrashIndex
from lattice_common.adapters.memory.atoms import MemoryAtoms
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.journal import MemoryJournal
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.domain.capture import Capture, DeleteAtom, ForgetAtoms, RemoveSource, UndoChange
from lattice_common.errors import NotFound
from lattice_common.ports.atoms import AtomReader
from lattice_common.ports.journal import WorkLog
from lattice_common.ports.trash_index import TrashIndex
from lattice_common.settings import Settings
from lattice_common.upkeep.trash import Trash, TrashEmptying

from tests.pipeline.known_atoms import statement
from tests.pipeline.living import atom_saying, change, current, finished, say, send_file, started
from tests.working import until


def start_after(root: Path, *days: float, said: str) -> None:
    """Once after each of so many days from now."""
    for each in days:
        clock = FixedClock(datetime.now(UTC) + timedelta(days=each))
        with open_embedded(Settings(data_dir=root, embed_model="none", trash_days=7), clock=clock, model=Model(None)) as store:
            store.start()
            say(store, said)  # whatever is done after the start waits for it
            assert atom_saying(store, "Oslo")


@pytest.mark.parametrize(("days_later", "kept"), [((5.5, 6.9), 1), ((2, 5, 8, 9.5, 11), 0), ((400, 0.1, 1.5), 1)])
def test_starts_remove_what_was_deleted_longer_ago_than_the_setting_and_nothing_else_though_a_clock_was_ahead(
    tmp_path: Path, days_later: tuple[float, ...], kept: int
) -> None:
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin. My brother lives in Oslo.")
        change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
    start_after(tmp_path, *days_later, said="ok")
    assert len(list((tmp_path / "trash").rglob("*.md"))) == kept


def test_a_product_that_is_never_restarted_empties_its_trash_too() -> None:
    atoms, clock, passed = MemoryAtoms(), FixedClock(datetime.now(UTC)), [0.0]
    asked: list[ForgetAtoms] = []
    trash = TrashEmptying(atoms, MemoryJournal(), clock, timedelta(days=7), asked.append, lambda: passed[0])
    atom = statement("My sister lives in Turin.", clock.now(), capture=1)
    atoms.put([atom])
    atoms.trash(atom.atom_id)
    for _ in range(24 * 10):
        clock.advance(timedelta(hours=1))
        passed[0] += 3600.0
        trash.now_and_then()
    assert atoms.restore(atom.atom_id) is None
    assert not asked, "nobody deleted it: it was put there for another reason"


class Counted:
    """A reader of memories, and a work list, that count what is opened and looked through."""

    def __init__(self, inner: object) -> None:
        self._inner = inner
        self.asked: Counter[str] = Counter()

    def __getattr__(self, name: str) -> object:
        self.asked[name] += 1
        return getattr(self._inner, name)


OTHER = "01m000000000000000000000ab"


def counting(store: Embedded) -> tuple[Trash, Counted, Counted]:
    atoms, worklog = Counted(store.stores.atoms), Counted(store.stores.worklog)
    return (
        Trash(cast(AtomReader, atoms), cast(WorkLog, worklog), timedelta(days=30), TemporaryTrashIndex(), shown=5),
        atoms,
        worklog,
    )


def told_and_deleted(store: Embedded, number: int) -> None:
    name = f"Dr. {'ABCDEFGHIJ'[number % 10]}{'abcdefghij'[number // 10]}zar"
    said = say(store, f"My dentist is {name}.")
    [atom_id] = store.stores.catalogue.of_capture(said.capture_id)
    change(store, DeleteAtom(atom_id))


def test_a_look_at_a_memory_costs_the_same_with_one_deletion_in_the_trash_and_with_many(tmp_path: Path) -> None:
    """Once that a change is over for a moment, a look lists no deletions, and opens nothing of other captures."""
    costs = []
    with started(tmp_path) as store:
        said = say(store, "My sister lives in Turin. My brother lives in Oslo.")
        span = atom_saying(store, "Turin").source_span
        change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
        for many in (1, 20):
            for number in range(many):
                told_and_deleted(store, number + many)
            trash, atoms, worklog = counting(store)
            until("the last deletion is over", lambda: store.stores.worklog.deletions_version() is not None)
            assert trash.spans_of(said.capture_id) == [span]
            atoms.asked.clear()
            worklog.asked.clear()
            for _ in range(10):
                assert trash.spans_of(said.capture_id) == [span]
                assert trash.spans_of(OTHER) == []
            costs.append((dict(atoms.asked), dict(worklog.asked)))
    assert costs[0] == costs[1] == ({"lying": 10, "read_file": 10}, {"deletions_version": 20})


def test_a_deletion_has_none_of_those_before_it_looked_up_and_what_is_gone_is_let_go(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        worklog, index = store.stores.worklog, Counted(TemporaryTrashIndex())
        trash = Trash(store.stores.atoms, worklog, timedelta(days=30), cast(TrashIndex, index), shown=5)
        said = say(store, "My sister lives in Turin. My brother lives in Oslo.")
        span = atom_saying(store, "Turin").source_span
        change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
        for number in range(3):
            told_and_deleted(store, number)
        assert trash.spans_of(said.capture_id) == [span]
        index.asked.clear()
        told_and_deleted(store, 5)
        assert trash.spans_of(said.capture_id) == [span]
        assert (index.asked["add"], index.asked["known"]) == (1, 0)
        worklog.clear_deleted(worklog.deleted_ids()[0])
        assert trash.spans_of(said.capture_id) == []
        assert (index.asked["let_go"], index.asked["known"]) == (1, 1)
        told_and_deleted(store, 6)
        assert trash.spans_of(said.capture_id) == []
        assert (index.asked["add"], index.asked["known"]) == (2, 1)


def test_a_deletion_costs_the_next_look_its_own_receipt_and_files_and_no_look_through_the_trash(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        for number in range(10):
            told_and_deleted(store, number)
        trash, atoms, worklog = counting(store)
        assert trash.spans_of(OTHER) == []
        atoms.asked.clear()
        worklog.asked.clear()
        told_and_deleted(store, 10)
        assert trash.spans_of(OTHER) == []
        assert (atoms.asked["read_file"], atoms.asked["trashed"], worklog.asked["receipt"]) == (1, 0, 1)


def test_the_trash_is_listed_by_its_deletions_and_looked_through_only_for_what_a_hand_moved(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        for number in range(12):
            told_and_deleted(store, number)
        trash, atoms, worklog = counting(store)
        shown = trash.listed(3)
        assert [each.change_id for each in shown] == store.stores.worklog.deleted_ids()[:-4:-1]
        assert (dict(atoms.asked), worklog.asked["receipt"]) == ({"lying": 3, "read_file": 3}, 3)
        [path] = (tmp_path / "trash").rglob(f"{shown[0].atoms[0].atom_id}.md")
        (tmp_path / "trash" / "aside").mkdir()
        path.rename(tmp_path / "trash" / "aside" / path.name)
        assert trash.listed(3) == shown
        assert atoms.asked["trashed"] == 1


def test_a_document_that_is_told_reads_no_deletion_a_second_time(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        for number in range(10):
            told_and_deleted(store, number)
        words = b"# Boiler\n\nThe boiler in the cellar was built in 2019 by Vaillant in Remscheid.\n" * 20
        told = send_file(store, "boiler.md", words)
        capture = store.stores.worklog.read(finished(store, told).capture_id)
        assert isinstance(capture, Capture)
        atoms, worklog = Counted(store.stores.atoms), Counted(store.stores.worklog)
        shelf = replace(
            store.stores.shelf, atoms=cast(AtomReader, atoms), worklog=cast(WorkLog, worklog), trash_index=TemporaryTrashIndex()
        )
        costs = []
        for seq in (1_000, 1_001):
            shelf.shelve([capture], seq)
            costs.append((atoms.asked["read_file"], worklog.asked["receipt"]))
        assert costs == [(10, 10), (10, 10)], "once each, however many documents are told"
        assert atoms.asked["trashed"] == 0


def test_what_was_deleted_is_hidden_until_it_is_brought_back_and_again_when_that_is_taken_back(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        said = say(store, "My sister lives in Turin. My brother lives in Oslo. My aunt lives in Graz.")
        trash, _, _ = counting(store)
        spans = {place: atom_saying(store, place).source_span for place in ("Turin", "Oslo")}
        deleted = change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
        assert trash.spans_of(said.capture_id) == [spans["Turin"]]
        assert trash.spans_of(OTHER) == []
        change(store, DeleteAtom(atom_saying(store, "Oslo").atom_id))
        assert trash.spans_of(said.capture_id) == [spans["Turin"], spans["Oslo"]]
        back = change(store, UndoChange(deleted))
        assert trash.spans_of(said.capture_id) == [spans["Oslo"]]
        change(store, UndoChange(back))
        assert sorted(trash.spans_of(said.capture_id), key=str) == sorted(spans.values(), key=str)


@pytest.mark.parametrize("known", [True, False])
def test_what_cannot_be_read_in_the_trash_for_a_while_is_hidden_again_once_it_can(tmp_path: Path, known: bool) -> None:
    with started(tmp_path) as store:
        said = say(store, "My sister lives in Turin. My brother lives in Oslo.")
        span = atom_saying(store, "Turin").source_span
        trash, _, _ = counting(store)
        change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
        if known:
            assert trash.spans_of(said.capture_id) == [span]
        [path] = (tmp_path / "trash").rglob("*.md")
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 4])
        assert trash.spans_of(said.capture_id) == []
        path.write_bytes(whole)
        assert trash.spans_of(said.capture_id) == [span]


def test_what_a_hand_moved_within_the_trash_stays_hidden(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        said = say(store, "My sister lives in Turin. My brother lives in Oslo.")
        span = atom_saying(store, "Turin").source_span
        trash, atoms, _ = counting(store)
        change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
        [path] = (tmp_path / "trash").rglob("*.md")
        for folder in ("looked at", "again"):
            (tmp_path / "trash" / folder).mkdir()
            path = path.rename(tmp_path / "trash" / folder / path.name)
            assert trash.spans_of(said.capture_id) == [span]
        atoms.asked.clear()
        assert trash.spans_of(said.capture_id) == [span]
        assert atoms.asked["trashed"] == 0, "it is known where it lies"


def test_an_undo_of_what_left_the_trash_says_so_and_brings_back_the_rest(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin.", source_id="diary")
        say(store, "My brother lives in Oslo.", source_id="diary")
        deleted = change(store, RemoveSource("diary"))
        [sister] = [path for path in (tmp_path / "trash").rglob("*.md") if "Turin" in path.read_text()]
        sister.unlink()
        change(store, UndoChange(deleted))
        assert current(store) == ["My brother lives in Oslo."]
        again = change(store, DeleteAtom(atom_saying(store, "Oslo").atom_id))
        [brother] = (tmp_path / "trash").rglob("*.md")
        brother.unlink()
        with pytest.raises(NotFound, match="trash"):
            change(store, UndoChange(again))


def test_what_an_undo_of_an_undo_deletes_again_lies_in_the_trash_like_any_other(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin.")
        deleted = change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
        back = change(store, UndoChange(deleted))
        assert store.lattice.in_trash(10) == []
        again = change(store, UndoChange(back))
        assert [(each.change_id, [atom.content for atom in each.atoms]) for each in store.lattice.in_trash(10)] == [
            (again, ["My sister lives in Turin."])
        ]
        change(store, UndoChange(again))
        assert (store.lattice.in_trash(10), current(store)) == ([], ["My sister lives in Turin."])
