"""A store that a crash may strike: how it is opened, and all that it promises, looked at afterwards."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lattice_common.adapters.files.backup_archive import restore
from lattice_common.adapters.files.backup_schedule import made_so_far
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.composition import Embedded
from lattice_common.domain.atom import Atom
from lattice_common.ingest.pace import Pace
from lattice_common.inspection import look_through
from lattice_common.settings import Settings

from tests.pipeline import living
from tests.pipeline.living import finished, forget_derived, open_store
from tests.working import until

living.PATIENCE = 600.0  # nothing is waited for so long but on a machine that has much else to do

DATA = "data"
"""The folder of the store, beside which its backups lie."""


@contextmanager
def opened(folder: Path) -> Iterator[Embedded]:
    """The store of a folder; what fails for want of the disk is tried again at once."""
    with open_store(folder / DATA, _env_file=None, inbox=folder / "inbox", pace=Pace(pause_seconds=0.02)) as store:
        yield store


def held(store: Embedded) -> list[str]:
    return [atom.content for atom in store.stores.catalogue.all()]


def trashed(store: Embedded) -> list[str]:
    atoms = store.stores.atoms
    return [each.content for _, mark in atoms.trashed() if isinstance(each := atoms.read_file(mark), Atom)]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is remembered, in words: the same wherever ids and times differ. `entries` counts what was told and changed."""

    atoms: Counter[tuple[str, bool]]
    trash: Counter[str]
    entries: Counter[str]
    state_hash: str


def come_to_rest(store: Embedded) -> None:
    """The start's repair is over, and all that is journaled has its receipt."""
    store.start()
    until("the repair", lambda: not store.writer.state().starting, living.PATIENCE)
    rest(store)


def rest(store: Embedded) -> None:
    """All that is journaled by now has its receipt, and is closed: one that is dead is listed as such only then."""
    for entry in store.stores.worklog.open_ids():
        finished(store, entry)
    until("every entry with a receipt to be closed", lambda: not store.stores.worklog.open_ids(), living.PATIENCE)
    assert store.writer.queue.caught_up(living.PATIENCE), f"the writer does not come to rest: {store.writer.state()}"


def seen_in(store: Embedded) -> Seen:
    journal = store.stores.worklog
    entries = Counter(type(journal.read(each)).__name__ for each in journal.entries())
    atoms = Counter((atom.content, atom.is_superseded) for atom in store.stores.catalogue.all())
    return Seen(atoms, Counter(trashed(store)), entries, store.state_hash())


def look(folder: Path) -> Seen:
    """The store as its next start finds it."""
    with opened(folder) as store:
        come_to_rest(store)
        return seen_in(store)


def doctor_finds(folder: Path) -> list[str]:
    settings = Settings(_env_file=None, data_dir=folder / DATA, embed_model="none", llm_provider="none")  # type: ignore[call-arg]
    examined = look_through(settings, lambda *_: None, deep=True)
    return [f"the doctor finds {each.area} {each.thing}: {each.problem}" for each in examined.findings]


def rebuilt_hash(folder: Path) -> str:
    forget_derived(folder / DATA)
    with opened(folder) as store:
        store.rebuild(lambda *_: None)
        return store.state_hash()


def lost_of(folder: Path, acknowledged: list[str]) -> list[str]:
    """What was acknowledged and is not in the journal, by its id."""
    journal = FileJournal(folder / DATA)
    return [f"{each} was acknowledged, and is not in the journal" for each in acknowledged if journal.read(each) is None]


def backups_lost(backups: Path, acknowledged: list[str], least: int) -> list[str]:
    """Each backup in the folder can be restored; those that were acknowledged are among them, and never fewer than `least`."""
    found = []
    whole = 0
    for _, path in made_so_far(backups):
        try:
            with tempfile.TemporaryDirectory() as scratch:
                restore(path, Path(scratch) / DATA, lambda *_: None, to_stay=False)
            whole += 1
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it, it is no backup
            found.append(f"the backup {path.name} cannot be restored: {error}")
    names = {path.name for _, path in made_so_far(backups)}
    found += [f"the backup {each} was acknowledged, and is not there" for each in acknowledged if each not in names]
    return found if whole >= least else [*found, f"{whole} of {least} backups are left"]
