"""Disks that do not give what lies beside a store: files that were dropped into the inbox, and backups. Part of `reads`.

Each trial is one process: files of a kind answer every read with EIO (`faults.c`) while Lattice does what needs them. It may
refuse in a sentence of ours, and must not lose, make up or half do anything; when they can be read again, it is done.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.crash import faults
from tests.crash.reads import FORGOTTEN, Told, forget, opened, tried_again

NOTE = "The boat of Nadia is called Selkie."
DROPPED = "The spare oar lies behind the shed."
EXPORTED = "The mooring costs 40 euros a month."
AT = datetime(2027, 3, 1, tzinfo=UTC)
DROP = "drop"
"""The folder that is watched, in that of the trial."""


def trials() -> dict[str, Callable[[Path], list[str]]]:
    """Each is given a folder with a copy of the store in `struck`, and returns what is wrong."""
    return {
        "what was dropped into the inbox": _dropped,
        "what the inbox put away, while something is forgotten": _put_away,
        "what is backed up": _backed_up,
        "a backup that is restored": _restored,
        "a backup that is tried, of a schedule": _scheduled,
        "a backup, while something is forgotten": _forgotten_in_backups,
    }


def _contents(store: Any) -> set[str]:
    return {atom.content for atom in store.stores.catalogue.all()}


def _inbox_of(store: Any, folder: Path) -> Any:
    from lattice_common.adapters.files.inbox_folder import FileInboxFolder
    from lattice_common.adapters.system_clock import SystemClock
    from lattice_common.capture.inbox import Inbox

    return Inbox(FileInboxFolder(folder), store.lattice, SystemClock(), time.monotonic, settle_seconds=0.0)


def _dropped(scratch: Path) -> list[str]:
    """A note, what the command line left, and an export, which is opened and read piece by piece."""
    from lattice_common.capture import dropped

    from tests.crash.stored import come_to_rest

    folder, told, found = scratch / DROP, Told(), []
    folder.mkdir()
    (folder / "note.txt").write_text(NOTE)
    (folder / dropped.new_name()).write_bytes(dropped.encode(dropped.Dropped({"text": DROPPED}, "key")))
    (folder / "list.csv").write_text(f"Remark,Amount\n{EXPORTED},1\n")
    names = sorted(each.name for each in folder.iterdir())
    with opened(scratch / "struck") as store:
        come_to_rest(store)
        inbox, before = _inbox_of(store, folder), _contents(store)
        faults.refuse_reads(scratch, [f"{DROP}/*"])
        for _ in range(3):
            with told.of("look"):
                inbox.look()
        if inbox.state().unreadable != len(names):
            found.append(f"{inbox.state()} of {names}, {told.said}")
        if sorted(each.name for each in folder.iterdir()) != names:
            found.append("something was taken that could not be read")
        if not faults.allow_reads():
            found.append("nothing was refused")
        for _ in range(600):
            looked = inbox.look()
            if not (looked.pending or looked.more or inbox.state().waiting):
                break
            time.sleep(0.05)
        come = _contents(store) - before
        if not any("Selkie" in each for each in come) or DROPPED not in come:
            found.append(f"afterwards {sorted(come)} are remembered")
        inbox.close()
    return [*found, *told.wrong]


def _put_away(scratch: Path) -> list[str]:
    from tests.crash.stored import come_to_rest, rest

    root, told, found = scratch / "struck", Told(), []
    away = root / "inbox" / "processed" / "2026-01-05" / "said.txt"
    away.parent.mkdir(parents=True, exist_ok=True)
    away.write_text(f"{FORGOTTEN} The bread is from Graz.\n")
    with opened(root) as store:
        come_to_rest(store)
        faults.refuse_reads(root, ["inbox/processed/*"])
        with told.of("forget"):
            forget(store)
        if not told.said and "choir" in away.read_bytes().decode():
            found.append("it was said to be forgotten, and is there")
        if not faults.allow_reads():
            found.append("nothing was refused")
        rest(store)
        tried_again(store)
    with opened(root) as store:
        come_to_rest(store)
        if any("choir" in each for each in _contents(store)):
            found.append("it is remembered")
    if "choir" in away.read_text() or "Graz" not in away.read_text():
        found.append(f"afterwards the file holds {away.read_text()!r}, {told.said}")
    return [*found, *told.wrong]


def _backed_up(scratch: Path) -> list[str]:
    from lattice_common.adapters.files.backup_archive import restore, write_whole

    told, found, root = Told(), [], scratch / "struck"
    memories = sorted(str(each.relative_to(root)) for name in ("atoms", "archive") for each in (root / name).rglob("*.md"))
    faults.refuse_reads(root, ["atoms/*.md", "archive/*.md"])
    with told.of("back up"):
        made = write_whole(root, scratch / "backup.tar.gz", lambda *_: None)
        named = sorted(each.partition(":")[0] for each in made.unreadable)
        if named != memories or made.atoms:
            found.append(f"{len(named)} of {len(memories)} are named as unreadable, and {made.atoms} are said to be in it")
    if not faults.allow_reads():
        found.append("nothing was refused")
    with told.of("restore"):
        restore(scratch / "backup.tar.gz", scratch / "again", lambda *_: None)
        if list((scratch / "again" / "atoms").rglob("*.md")):
            found.append("memories came back that could not be read")
    return [*found, *told.wrong, *(f"refused: {each}" for each in told.said)]


def _restored(scratch: Path) -> list[str]:
    from lattice_common.adapters.files.backup_archive import restore, write_whole

    told, found, file, again = Told(), [], scratch / "kept" / "backup.tar.gz", scratch / "again"
    file.parent.mkdir()
    made = write_whole(scratch / "struck", file, lambda *_: None)
    faults.refuse_reads(scratch, ["kept/*"])
    with told.of("restore"):
        restore(file, again, lambda *_: None)
    if not told.said:
        found.append("nothing was said")
    if again.exists() or [each for each in scratch.iterdir() if "again" in each.name]:
        found.append("something of it was left")
    if not faults.allow_reads():
        found.append("nothing was refused")
    if restore(file, again, lambda *_: None).files != made.files:
        found.append("afterwards not all of it is restored")
    return [*found, *told.wrong]


def _scheduled(scratch: Path) -> list[str]:
    """One that cannot be read back is not kept, and takes no place of an older one."""
    from lattice_common.adapters.files.backup_schedule import Schedule, keep_one, made_so_far

    told, found, root = Told(), [], scratch / "struck"
    schedule = Schedule(scratch / "kept", "day", 1)
    first = keep_one(root, schedule, AT).file
    faults.refuse_reads(scratch, ["kept/*"])
    with told.of("keep one"):
        keep_one(root, schedule, AT.replace(day=2))
    if not told.said:
        found.append("nothing was said")
    if [path for _, path in made_so_far(schedule.folder)] != [first] or len(list(schedule.folder.iterdir())) != 1:
        found.append(f"there are {sorted(each.name for each in schedule.folder.iterdir())}")
    if not faults.allow_reads():
        found.append("nothing was refused")
    kept = keep_one(root, schedule, AT.replace(day=3))
    if kept.removed != (first,):
        found.append(f"afterwards {kept.removed} were removed")
    return [*found, *told.wrong]


def _forgotten_in_backups(scratch: Path) -> list[str]:
    """It loses what is forgotten at the next start."""
    from lattice_common.adapters.files.backup_archive import note_backup, restore, write_whole

    from tests.crash.stored import come_to_rest

    told, found, root, file = Told(), [], scratch / "struck", scratch / "kept" / "backup.tar.gz"
    file.parent.mkdir()
    with opened(root) as store:
        come_to_rest(store)
        note_backup(root, file, write_whole(root, file, lambda *_: None).made_at)
        faults.refuse_reads(scratch, ["kept/*"])
        with told.of("forget"):
            forget(store)
    if not faults.allow_reads():
        found.append("nothing was refused")
    with opened(root) as store:
        come_to_rest(store)
        tried_again(store)
        if any("choir" in each for each in _contents(store)):
            found.append("it is remembered")
    restore(file, scratch / "again", lambda *_: None)
    with_it = [each for each in (scratch / "again").rglob("*") if each.is_file() and b"choir" in each.read_bytes()]
    if with_it:
        found.append(f"afterwards it stands in {[str(each.relative_to(scratch)) for each in with_it]}")
    return [*found, *told.wrong]


def strike_beside(scratch: Path, run: Callable[[Callable[[], list[str]], Path], tuple[int, Any]], only: list[str]) -> list[str]:
    """Run the trials, each with a copy of the store `base` in a process of its own; return what is wrong."""
    findings: list[str] = []
    for name, trial in trials().items():
        if only and name not in only:
            continue
        folder = scratch / "beside"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(scratch / "base", folder / "struck")
        code, found = run(lambda trial=trial, folder=folder: trial(folder), scratch / "log")
        wrong = found if code == 0 else [f"ended with {code}: {(scratch / 'log').read_text(errors='replace')[-2000:]}"]
        print(f"{name}: {'as it should be' if not wrong else 'FOUND'}", flush=True)
        for each in wrong:
            print(f"FOUND {name}: {each}", flush=True)
            findings.append(f"{name}: {each}")
    return findings
