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
from lattice_api.token_file import TokenFile
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.composition import Embedded, open_embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import ArchiveAtoms, Capture, Command, SetStatuses, UndoChange
from lattice_common.domain.forgetting import Forgettable
from lattice_common.domain.recall import Query
from lattice_common.inspection import look_through
from lattice_common.settings import Settings
from lattice_common.upkeep.status_pass import newest_line

from tests.pipeline.living import PATIENCE, atom_saying, change, current, finished, say
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
FIRST = "0.1.0.tar.gz"
MANUAL = Path(__file__).parents[2] / "docs" / "operations.md"

pytestmark = pytest.mark.slow


@pytest.fixture(params=[*sorted(path.name for path in STORES.glob("*.tar.gz")), "this version"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """The name of what wrote it, and the folder."""
    packed = STORES / request.param
    if request.param == "this version":
        packed = tmp_path / "now.tar.gz"
        write_store(packed)
    return request.param, unpacked(packed, tmp_path)


def unpacked(packed: Path, tmp_path: Path) -> Path:
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path / "data", filter="data")
    return tmp_path / "data"


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


def test_what_does_not_go_back_to_the_first_version_lies_where_it_does_not_look(tmp_path: Path) -> None:
    """What docs/operations.md says of going back to 0.1.0. That version does not run here: its store says what it knows."""
    promised = " ".join(MANUAL.read_text().split())
    root = unpacked(STORES / FIRST, tmp_path)
    looked_at = {path.relative_to(root).as_posix() for path in root.rglob("*")}
    fields = {line.partition(":")[0] for path in (root / "atoms").rglob("*.md") for line in path.read_text().splitlines()}
    with open_embedded(settings_of(root)) as opened:
        at_rest(opened)
        [oats] = (root / "atoms").rglob(f"{atom_saying(opened, 'oat milk').atom_id}.md")
        words = oats.read_bytes()
        change(opened, ArchiveAtoms((oats.stem,)))
        [archived] = (root / "archive").rglob(oats.name)
        assert not oats.exists()
        assert archived.read_bytes() == words, "it is brought back as it was"
        [wish] = say(opened, "I might move to Oslo next year.").atom_ids
        wanted = Forgettable(about="goats")
        opened.lattice.forget(wanted, opened.lattice.forget_preview(wanted, now=True).confirm, now=True, timeout=PATIENCE)
    TokenFile(root).add_token("guest", ("read",), expires_at=4_000_000_000.0)

    assert "It doesn't know, and so doesn't show, what came after it: archived memories (bring them back first)" in promised
    assert "archive" not in looked_at
    assert "passages, statuses, and the list of what was forgotten; what was forgotten stays gone" in promised
    assert "index/passages" not in looked_at
    assert (root / "index" / "passages").is_dir()
    assert "status" not in fields
    assert "\nstatus: " in next((root / "atoms").rglob(f"{wish}.md")).read_text()
    assert "journal/forgotten.jsonl" not in looked_at
    assert (root / "journal" / "forgotten.jsonl").exists()
    assert not [path for path in root.rglob("*") if path.is_file() and b"goats" in path.read_bytes()]
    assert "Tokens with an end never end there" in promised
    assert "expires_at" in (root / "access.json").read_text()

    with open_embedded(settings_of(root)) as opened:
        at_rest(opened)
        change(opened, ArchiveAtoms((oats.stem,), archived=False))
    assert oats.read_bytes() == words
