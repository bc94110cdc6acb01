"""Stores that earlier versions wrote, opened by this one: what was remembered is, questions are answered, what is canonical stays
as it was written, and the store is sound (`make upgrade-test`).

`tests/data/stores` has one folder for each version, packed: the small life of `tests/upgrade/small_life.py`, written by that
version. A release adds its own: `python -m tests.upgrade.small_life tests/data/stores/<version>.tar.gz`.
"""

from __future__ import annotations

import hashlib
import tarfile
from pathlib import Path

import pytest
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.composition import Embedded, open_embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture, Command, SetStatuses, UndoChange
from lattice_common.domain.recall import Query
from lattice_common.inspection import look_through
from lattice_common.settings import Settings
from lattice_common.upkeep.status_pass import newest_line

from tests.pipeline.living import change, current, finished
from tests.upgrade.small_life import OF_FILES, REMEMBERED, TRASHED, write_store
from tests.working import until

STORES = Path(__file__).parents[1] / "data" / "stores"
WITHOUT_FILES = frozenset({"before-0.1.0.tar.gz"})
"""Written before files were taken."""

ASKED = {
    "Where do I live?": "Lisbon",
    "Who has the spare key?": "Ingrid",
    "How many goats does my sister keep?": "three",
}
CANONICAL = ("journal", "atoms", "trash")

pytestmark = pytest.mark.slow


@pytest.fixture(params=[*sorted(path.name for path in STORES.glob("*.tar.gz")), "this version"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """The name of what wrote it, and the folder."""
    packed = STORES / request.param
    if request.param == "this version":
        packed = tmp_path / "now.tar.gz"
        write_store(packed)
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path / "data", filter="data")
    return request.param, tmp_path / "data"


def settings_of(root: Path) -> Settings:
    return Settings(_env_file=None, data_dir=root, llm_provider="none", inbox=root / "inbox")  # type: ignore[call-arg]


def canonical(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for part in CANONICAL
        for path in (root / part).rglob("*")
        if path.is_file()
    }


def at_rest(store: Embedded) -> None:
    """The start's repair is over, and what is done when there is nothing else to do."""
    store.start()
    until("the repair", lambda: not store.writer.state().starting)
    for entry in store.stores.worklog.open_ids():
        finished(store, entry)
    shelf = store.stores.shelf
    until("the vectors of passages", lambda: shelf is None or not shelf.pending)


def meant_otherwise(store: Embedded, root: Path) -> set[str]:
    """Memories of which it was found in the background that they are not simply so: a change of its own, which can be undone."""
    until("statuses to be read", lambda: newest_line(FileLineLog(root, "migrations")).get("finished"))
    for entry in store.stores.worklog.open_ids():
        finished(store, entry)
    said = [store.stores.worklog.read(entry) for entry in store.stores.worklog.entries()]
    actions = [each.action for each in said if isinstance(each, Command)]
    return {atom_id for each in actions if isinstance(each, SetStatuses) for atom_id in each.statuses}


def remembered_by(name: str) -> list[str]:
    return sorted([*REMEMBERED, *(() if name in WITHOUT_FILES else OF_FILES)])


def test_a_store_of_an_earlier_version_is_remembered_answered_from_and_sound(store: tuple[str, Path]) -> None:
    name, root = store
    before = canonical(root)
    assert before, "an empty store proves nothing"
    with open_embedded(settings_of(root)) as opened:
        at_rest(opened)
        assert current(opened) == remembered_by(name)
        [former] = [atom for atom in opened.stores.catalogue.all() if atom.is_superseded]
        assert former.content == "I live in Berlin."
        atoms = opened.stores.atoms
        trash = [each.content for _, mark in atoms.trashed() if isinstance(each := atoms.read_file(mark), Atom)]
        assert sorted(trash) == sorted(TRASHED)
        for question, word in ASKED.items():
            answer = opened.lattice.answer(Query(question))
            assert answer.answered, question
            assert word in answer.answer
        told = meant_otherwise(opened, root)
        state = opened.state_hash()
    after = canonical(root)
    kept = {name: content for name, content in before.items() if Path(name).stem not in told}
    assert len(before) - len(kept) <= 1, told
    assert {name: after.get(name) for name in kept} == kept, "what is canonical was written anew"
    assert look_through(settings_of(root), lambda *_: None, deep=True).findings == ()
    with open_embedded(settings_of(root)) as opened:
        opened.rebuild(lambda *_: None)
        assert opened.state_hash() == state


def test_what_an_earlier_version_changed_can_be_undone_by_this_one(store: tuple[str, Path]) -> None:
    _, root = store
    with open_embedded(settings_of(root)) as opened:
        at_rest(opened)
        journal = opened.stores.worklog
        entries = [journal.read(each) for each in journal.entries(newest_first=False)]
        said = [each for each in entries if isinstance(each, Capture)]
        assert all(journal.receipt(each.capture_id) is not None for each in said)
        [removed] = [each for each in entries if not isinstance(each, Capture) and type(each.action).__name__ == "DeleteAtom"]
        change(opened, UndoChange(removed.command_id))
        assert "Tom plays the oboe in Ghent." in current(opened)
