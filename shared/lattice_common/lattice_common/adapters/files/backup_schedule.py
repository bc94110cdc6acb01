"""Scheduled backups: one each hour, day or week into a folder, tested by restoring it, and the oldest removed.

The schedule is run by the one writer in idle time (`BackupKeeper`, embedded and in a deployment), or by `lattice backup --every
day`, typed or from cron. The names in the folder show what is due, so that both agree. A backup that cannot be restored is not
kept, and none is removed for it; only files with such names are ever removed.
"""

from __future__ import annotations

import re
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.atom_files import AtomFiles
from lattice_common.adapters.files.backup_archive import (
    BACKUPS,
    Backup,
    OnProgress,
    keep_names,
    noted,
    remove_leftover,
    restore,
    write_whole,
)
from lattice_common.adapters.files.durable import TEMPORARY_MARK
from lattice_common.adapters.files.forgotten_ledger import LEDGER
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.causes import cause_of
from lattice_common.errors import Corrupt, InvalidInput, LatticeError, Unavailable
from lattice_common.logs import carried, logger
from lattice_common.ports.atoms import Unreadable
from lattice_common.ports.clock import Clock

log = logger(__name__)

Every: TypeAlias = Literal["hour", "day", "week"]
INTERVALS: Mapping[Every, timedelta] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}

AGAIN_SECONDS = 3600.0
"""Seconds until the next try after a backup that failed."""

TRIES = 3
"""Tries of a backup during which something was forgotten: it may contain that, and is made anew."""

_NAME = re.compile(r"lattice-(\d{8}T\d{6}Z)\.tar\.gz(?:\.sealed)?")
_STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Schedule:
    """One backup `every` so often into `folder`, of which the newest `keep` stay; encrypted where there is a `passphrase`."""

    folder: Path
    every: Every
    keep: int
    passphrase: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup that was made and tested: `file`, made in `seconds`; `removed` are older ones that were removed for it."""

    file: Path
    made: Backup
    removed: tuple[Path, ...]
    seconds: float


def made_so_far(folder: Path) -> list[tuple[datetime, Path]]:
    """Return the scheduled backups in a folder, oldest first. Raise `OSError`."""
    if not folder.is_dir():
        return []
    found = [(match, path) for path in folder.iterdir() if (match := _NAME.fullmatch(path.name)) and not path.is_symlink()]
    return sorted((datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC), path) for match, path in found)


def is_scheduled(file: Path) -> bool:
    """Return whether a file has the name of a scheduled backup."""
    return _NAME.fullmatch(file.name) is not None


def is_due(schedule: Schedule, now: datetime) -> bool:
    """Return whether the newest is old enough. One from the future (the clock was ahead) does not count."""
    return all(at > now or now - at >= INTERVALS[schedule.every] for at, _ in made_so_far(schedule.folder))


def keep_one(root: Path, schedule: Schedule, now: datetime, on_progress: OnProgress = lambda *_: None) -> Kept:
    """Make a backup of the data folder `root`, restore it into a scratch folder, and remove the oldest ones beyond those to keep.
    Raise `InvalidInput`, `Unavailable`, `Corrupt`: then nothing was kept and nothing removed."""
    started = time.monotonic()
    if schedule.folder.resolve().is_relative_to(root.resolve()):
        raise InvalidInput(f"{schedule.folder} lies in the data folder itself: name a folder elsewhere, best on another disk.")
    if schedule.passphrase is None and _newest_is_sealed(schedule.folder):
        raise InvalidInput(
            f"The backups in {schedule.folder} are encrypted, and no passphrase is set now: set it (LATTICE_BACKUP_PASSPHRASE). "
            "If they are to be plain from now on, name another folder."
        )
    file = schedule.folder / f"lattice-{now.astimezone(UTC):{_STAMP}}.tar.gz{'.sealed' if schedule.passphrase else ''}"
    try:
        schedule.folder.mkdir(mode=durable.FOLDER_MODE, parents=True, exist_ok=True)
        sweep_folder(schedule.folder, older_than=INTERVALS["day"])  # there may be another one at it
        with noted(root, file, now):
            made = _written(root, file, schedule, now, on_progress)
        # Those of a clock that was ahead take no place of the others: they go when their time has come.
        by_now = [path for at, path in made_so_far(schedule.folder) if at <= now]
        removed = tuple(path for path in by_now[: -schedule.keep] if path != file)
        for path in removed:
            path.unlink(missing_ok=True)
        if removed:
            keep_names(schedule.folder)  # before they leave the log: what comes back after a power cut must be in it
    except OSError as error:
        raise Unavailable(f"The backup {file} cannot be made: {cause_of(error)}. Look at its disk.") from error
    if removed:
        gone = {str(path.resolve()) for path in removed}
        FileLineLog(root, BACKUPS).drop(lambda line: line.get("file") in gone)
    return Kept(file, made, removed, time.monotonic() - started)


def _newest_is_sealed(folder: Path) -> bool:
    """Return whether the last backup was encrypted: none follows it in plain because a setting was lost. Raise `Unavailable`."""
    try:
        so_far = made_so_far(folder)
    except OSError as error:
        raise Unavailable(f"The folder {folder} cannot be looked into: {cause_of(error)}.") from error
    return bool(so_far) and so_far[-1][1].suffix == ".sealed"


def _written(root: Path, file: Path, schedule: Schedule, now: datetime, on_progress: OnProgress) -> Backup:
    """Return one that was restored once, and during which nothing was forgotten.

    What is forgotten while it is written may be in it, and is taken out only of those that are whole."""
    for _ in range(TRIES):
        before = _forgettings(root)
        try:
            made = write_whole(root, file, on_progress, made_at=now, passphrase=schedule.passphrase)
            _try(file, root, made, schedule.passphrase, on_progress)
        except (OSError, LatticeError):
            file.unlink(missing_ok=True)
            if _forgettings(root) == before:
                raise
            continue  # a forgetting took away what was in the making
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        if _forgettings(root) == before:
            return made
        file.unlink(missing_ok=True)
    raise Unavailable("The backup cannot be made: memories are being forgotten all the time. It is tried again later.")


def _forgettings(root: Path) -> int:
    try:
        return (root / LEDGER).stat().st_size
    except FileNotFoundError:
        return 0


def _try(file: Path, root: Path, made: Backup, passphrase: str | None, on_progress: OnProgress) -> None:
    """Restore a backup beside itself, and read everything in it. Raise `Corrupt`."""
    scratch = file.with_name(f".{file.name}.{uuid.uuid4().hex}{TEMPORARY_MARK}trial")
    try:
        restored = restore(file, scratch, on_progress, passphrase=passphrase, to_stay=False)
        if (restored.files, restored.made_at) != (made.files, made.made_at.replace(microsecond=0)):
            raise Corrupt(f"{file} gave {restored.files:,} files back of {made.files:,}: it is not kept. Look at its disk.")
        if lost := _lost(scratch, root):
            raise Corrupt(f"{file} gave back {lost}, which cannot be read as it can here: it is not kept. Look at its disk.")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _lost(scratch: Path, root: Path) -> str | None:
    """Return the first memory or entry of the journal that is readable in the data folder, and not in what was restored."""
    files, originals = AtomFiles(scratch), AtomFiles(root)
    for _, mark in files.marks():
        if isinstance(files.read_file(mark), Unreadable) and not isinstance(originals.read_file(mark), Unreadable):
            return mark.path
    journal, original = FileJournal(scratch), FileJournal(root)
    return next((each for each in journal.entries() if not _is_read(journal, each) and _is_read(original, each)), None)


def _is_read(journal: FileJournal, entry_id: str) -> bool:
    try:
        return journal.read(entry_id) is not None
    except Corrupt:
        return False


def sweep_folder(folder: Path, *, older_than: timedelta = timedelta()) -> None:
    """Remove what backups, their trials and rewritings left in a folder when they were cut short; with `older_than` only what has
    not changed for so long. What is being made just now fails by it: its maker begins again. Raise `OSError`."""
    for path in folder.glob(f".*lattice-*{TEMPORARY_MARK}*"):
        if not older_than or time.time() - path.lstat().st_mtime > older_than.total_seconds():
            remove_leftover(path)


class BackupKeeper:
    """Keeps to a schedule beside the writer, in a thread that lives as long as one backup takes: captures do not wait for it.
    Without a schedule it does nothing."""

    def __init__(
        self, root: Path, schedule: Schedule | None, clock: Clock, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._root = root
        self._schedule = schedule
        self._clock = clock
        self._monotonic = monotonic
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._failed_at: float | None = None
        self._trouble: str | None = None

    def look(self) -> None:
        """Begin a backup, where one is due and none is being made. Called in idle time."""
        schedule = self._schedule
        if schedule is None or self._stopping.is_set() or (self._thread is not None and self._thread.is_alive()):
            return
        if not (self._root / "journal").is_dir():
            return  # nothing was told yet, so there is nothing to keep
        if self._failed_at is not None and self._monotonic() - self._failed_at < AGAIN_SECONDS:
            return
        try:
            due = is_due(schedule, self._clock.now())
        except OSError as error:
            self._fail(Unavailable(f"The folder {schedule.folder} cannot be looked into: {cause_of(error)}."))
            return
        if due:
            self._thread = threading.Thread(target=carried(self._make), args=(schedule,), name="lattice-backup", daemon=True)
            self._thread.start()

    def lacking(self) -> tuple[str, ...]:
        """Return why there is no newer backup, for the status."""
        return (f"backup: {self._trouble}",) if self._trouble else ()

    def close(self, timeout: float = 10.0) -> None:
        """Abort the backup in progress, and remove what was written of it."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout)

    def _make(self, schedule: Schedule) -> None:
        try:
            kept = keep_one(self._root, schedule, self._clock.now(), self._go_on)
        except _GivenUpError:
            return
        except LatticeError as error:
            self._fail(error)
        except Exception as error:
            # The last of its thread: whatever breaks, the status says that there is no newer backup, and it is tried again.
            log.exception("backup_failed")
            self._fail(error)
        else:
            self._failed_at = self._trouble = None
            log.info("backup_made", files=kept.made.files, atoms=kept.made.atoms, seconds=round(kept.seconds, 1))
            if kept.made.unreadable:
                self._trouble = f"{len(kept.made.unreadable)} files cannot be read, and are not in it"

    def _fail(self, error: Exception) -> None:
        self._failed_at = self._monotonic()
        self._trouble = str(error) if isinstance(error, LatticeError) else f"it failed: {cause_of(error)}"
        log.warning("backup_failed", reason=type(error).__name__)

    def _go_on(self, *_: object) -> None:
        if self._stopping.is_set():
            raise _GivenUpError


class _GivenUpError(Exception):
    """The product stops."""
