"""A folder that was restored from a backup, beside engines that are of a later day."""

from __future__ import annotations

import shutil
from pathlib import Path

from lattice_common.composition import Embedded
from lattice_common.domain.capture import EditAtom
from lattice_common.domain.recall import Query

from tests.pipeline.living import change, open_store, started


def held(store: Embedded) -> dict[str, str]:
    return {atom_id: content for atom_id, content, _ in store.stores.lexical.entries()}


def contents(store: Embedded) -> dict[str, str]:
    return {atom.atom_id: atom.content_hash for atom in store.stores.catalogue.all()}


def edit_first(store: Embedded, words: str) -> str:
    atom = next(iter(store.stores.catalogue.all()))
    change(store, EditAtom(atom.atom_id, {"content": words}))
    return atom.atom_id


def test_what_was_edited_after_the_backup_is_found_as_it_was_and_can_be_edited_again(root: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(root, backup, ignore=shutil.ignore_patterns("index", "graph"))
    for number in range(3):  # as often as a worker may have been started meanwhile
        with started(root) as store:
            edit_first(store, f"The zeppelin is moored in dock {number}.")
    for name in ("journal", "atoms"):
        shutil.rmtree(root / name)
    shutil.copytree(backup, root, dirs_exist_ok=True)  # the number of the writer as well
    with started(root) as store:
        store.writer.queue.caught_up(30.0)
        atom_id = edit_first(store, "The airship is moored in Accra.")
        assert held(store) == contents(store)
        assert store.lattice.select(Query("Where is the airship?")).atoms[0].atom.atom_id == atom_id
    with open_store(root) as store:
        assert held(store) == contents(store)
