"""What is done to a store, cut short at each of its calls: what it starts from, what is done, and what must have come of it.

Each may be done again after a crash, as somebody does who got no answer. What was acknowledged is noted as it is.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
from lattice_common.adapters.embedded import catalogue_file, sqlite_passages
from lattice_common.adapters.files.backup_archive import restore, write_whole
from lattice_common.adapters.files.backup_schedule import Schedule, keep_one, made_so_far
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded
from lattice_common.composition.storage import passages_path
from lattice_common.domain.capture import DeleteAtoms, EditAtom, UndoChange
from lattice_common.domain.forgetting import Forgettable

from tests.crash.stored import DATA, come_to_rest, held, opened, trashed
from tests.pipeline import living
from tests.pipeline.living import change, finished, say, send, send_file

Acknowledge = Callable[[str], None]

BACKUPS = "backups"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
MADE = datetime(2026, 2, 27, 12, 0, tzinfo=UTC)
"""When the backups were made that a store begins with: the older of them goes when another one is made."""
OLD_GRAPH = 0


@dataclass(frozen=True, slots=True)
class Operation:
    """`prepare` makes the folder it starts from; `perform` does it, again and again if need be, and tells what is
    acknowledged."""

    name: str
    prepare: Callable[[Path], None]
    perform: Callable[[Path, Acknowledge], None]


def lived_in(folder: Path) -> None:
    """A small life: statements, something in the trash, a file, a change of mind."""
    with opened(folder) as store:
        store.start()
        for day, words in enumerate(("I live in Berlin.", "My sister keeps two goats.", "Tom plays the oboe in Ghent."), start=1):
            said = IngestRequest(text=words, metadata=CaptureMetadata(observed_at=f"2026-01-0{day}T10:00:00Z", source_id="notes"))
            finished(store, send(store, said, f"life:{day}"))
        finished(store, send_file(store, "bike.txt", b"My bike is green. The lock of my bike opens with 4471.", "life:file"))
        change(store, DeleteAtoms((_saying(store, "green"),)))
        say(store, "ok")


def _saying(store: Embedded, words: str) -> str:
    [found] = [atom.atom_id for atom in store.stores.catalogue.all() if words in atom.content]
    return found


def _accept(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder) as store:
        acknowledge(send(store, IngestRequest(text="My aunt lives in Ghent."), "crash:said"))
        acknowledge(send_file(store, "car.txt", b"My car is red.", "crash:file"))


def _accepted(folder: Path) -> None:
    lived_in(folder)
    _accept(folder, lambda _: None)


def _commit(folder: Path, acknowledge: Acknowledge) -> None:
    _accept(folder, acknowledge)
    with opened(folder) as store:
        store.start()
        for entry in store.stores.worklog.open_ids():
            finished(store, entry)


def _supersede(folder: Path, acknowledge: Acknowledge) -> None:
    said = IngestRequest(text="I moved from Berlin to Lisbon.", metadata=CaptureMetadata(observed_at="2026-02-01T10:00:00Z"))
    with opened(folder) as store:
        store.start()
        told = send(store, said, "crash:moved")
        acknowledge(told)
        finished(store, told)


def _changing(done: Callable[[Embedded], bool], act: Callable[[Embedded], object]) -> Callable[[Path, Acknowledge], None]:
    """A change without a key: who got no answer looks first whether it was made."""

    def perform(folder: Path, acknowledge: Acknowledge) -> None:
        with opened(folder) as store:
            come_to_rest(store)
            if not done(store):
                act(store)
                acknowledge("changed")

    return perform


def _edit(store: Embedded) -> None:
    change(store, EditAtom(_saying(store, "goats"), {"content": "My sister keeps three goats.", "importance": 0.9}))


def _undo(store: Embedded) -> None:
    change(store, UndoChange(store.stores.catalogue.get([_saying(store, "oboe")])[0].capture_id))


def _forget(store: Embedded) -> None:
    wanted = Forgettable(about="oboe")
    store.lattice.forget(wanted, store.lattice.forget_preview(wanted, now=True).confirm, now=True, timeout=living.PATIENCE)


def _compact(store: Embedded) -> None:
    change(store, DeleteAtoms(tuple(atom.atom_id for atom in store.stores.catalogue.all() if "kite" in atom.content)))


def _flown(folder: Path) -> None:
    lived_in(folder)
    with opened(folder) as store:
        store.start()
        for number in range(6):
            say(store, f"My kite number {number} is {('red', 'blue', 'green', 'white', 'black', 'brown')[number]}.")


def _rebuild(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder) as store:
        store.rebuild(lambda *_: None)
        acknowledge("rebuilt")


def _backed_up(folder: Path) -> None:
    lived_in(folder)
    for day in range(2):
        keep_one(folder / DATA, Schedule(folder / BACKUPS, "day", 2), MADE + timedelta(days=day))


def _back_up(folder: Path, acknowledge: Acknowledge) -> None:
    schedule = Schedule(folder / BACKUPS, "day", 2)
    if any(at == NOW for at, _ in made_so_far(schedule.folder)):
        return
    acknowledge(keep_one(folder / DATA, schedule, NOW).file.name)


def _away(folder: Path) -> None:
    lived_in(folder)
    write_whole(folder / DATA, folder / "backup.tar.gz", lambda *_: None)
    (folder / DATA).rename(folder / "former")
    shutil.rmtree(folder / "former")


def _restore(folder: Path, acknowledge: Acknowledge) -> None:
    if not (folder / DATA).exists():
        restore(folder / "backup.tar.gz", folder / DATA, lambda *_: None)
        acknowledge("restored")


def _outdated(folder: Path) -> None:
    """Its graph is of a schema before the first that this version reads; what else is derived has an earlier form."""
    lived_in(folder)
    data = folder / DATA
    manifest = data / "graph" / "manifest.json"
    fields = orjson.loads(manifest.read_bytes())
    del fields["crc"]  # as an earlier version wrote it
    manifest.write_bytes(orjson.dumps({**fields, "schema_version": OLD_GRAPH}))
    for base, version in (
        (data / "index" / "catalogue.sqlite", catalogue_file.VERSION),
        (passages_path(data), sqlite_passages.VERSION),
    ):
        with closing(sqlite3.connect(base)) as tables:
            tables.execute(f"PRAGMA user_version = {version - 1}")
    (data / "index" / "lexical" / "format").write_bytes(b"0")


def _migrate(folder: Path, acknowledge: Acknowledge) -> None:
    with opened(folder) as store:
        come_to_rest(store)
        acknowledge("migrated")


OPERATIONS = (
    Operation("capture", lived_in, _accept),
    Operation("commit", _accepted, _commit),
    Operation("supersede", lived_in, _supersede),
    Operation("edit", lived_in, _changing(lambda store: "My sister keeps three goats." in held(store), _edit)),
    Operation("undo", lived_in, _changing(lambda store: not any("oboe" in each for each in held(store)), _undo)),
    Operation(
        "forget", lived_in, _changing(lambda store: not any("oboe" in each for each in (*held(store), *trashed(store))), _forget)
    ),
    Operation("compaction", _flown, _changing(lambda store: not any("kite" in each for each in held(store)), _compact)),
    Operation("rebuild", lived_in, _rebuild),
    Operation("backup", _backed_up, _back_up),
    Operation("restore", _away, _restore),
    Operation("migration", _outdated, _migrate),
)
