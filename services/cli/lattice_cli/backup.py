"""`lattice backup` and `lattice restore`: one file of all that is yours, and a data folder of it again."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from lattice_common.errors import Conflict, InvalidInput

from lattice_cli import exits

if TYPE_CHECKING:
    from lattice_common.adapters.files.backup_archive import Backup

    from lattice_cli.terminal import Steps

AsJson = Annotated[bool, typer.Option("--json", help="For scripts: what it holds.")]
STDOUT = Path("-")

SHOWN = 20
"""How many of the unreadable files are named."""


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="A new file, like lattice.tar.gz, or - for standard output; with --every a folder."
        ),
    ] = None,
    every: Annotated[
        str | None,
        typer.Option(metavar="hour|day|week", help="Into a folder, if the newest there is so old; it is tried as well."),
    ] = None,
    keep: Annotated[int, typer.Option(min=1, help="With --every: how many stay.")] = 7,
    encrypt: Annotated[
        bool, typer.Option("--encrypt", help="Ask for a passphrase; LATTICE_BACKUP_PASSPHRASE encrypts without being asked.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write all that is yours into one file: journal, memories, originals, logs, tokens. It may be done while Lattice runs.

    With --every it goes into a folder, if one is due; it is restored into a scratch folder to see that it can be, and the oldest
    are removed. The running Lattice does that by itself with LATTICE_BACKUP_EVERY.

    Examples: lattice backup lattice-2026-11-20.tar.gz · lattice backup - | ssh nas 'cat > lattice.tar.gz' ·
    lattice backup --every day --keep 7 /mnt/disk/lattice
    """
    from lattice_common.adapters.files.backup_archive import back_up, note_backup, noted

    from lattice_cli.target import find_target
    from lattice_cli.terminal import Steps

    root = find_target().data_dir
    passphrase = _passphrase(ask=encrypt, twice=True)
    if every is not None:
        _one_if_due(root, file, every, keep, passphrase, as_json=as_json)
        return
    if file is None:
        raise InvalidInput("Name a file for the backup, or say how often: lattice backup --every day --keep 7", field="usage")
    with Steps() as steps:
        if file == STDOUT:
            if sys.stdout.isatty():
                raise InvalidInput("A backup is no text: send it into a file or a pipe.")
            made = back_up(root, sys.stdout.buffer, steps.count, passphrase=passphrase)
            sys.stdout.buffer.flush()
            note_backup(root, None, made.made_at)
            _tell_unreadable(made)
            return
        if file.exists():
            raise Conflict(f"{file} is there already, and a backup is never put over anything: name another file.")
        if file.resolve().is_relative_to(root.resolve()):
            raise InvalidInput(f"{file} lies in the data folder itself: name a file elsewhere, best on another disk.")
        with noted(root, file, datetime.now(UTC)):
            made = _written(root, file, passphrase, steps)
    size, how = file.stat().st_size, ", encrypted" if passphrase else ""
    _tell(made, f"Backed up {made.atoms:,} memories ({made.files:,} files, {size / 1e6:,.1f} MB{how}) to {file}", as_json=as_json)


def _one_if_due(root: Path, folder: Path | None, every: str, keep: int, passphrase: str | None, *, as_json: bool) -> None:
    from lattice_common.adapters.files.backup_schedule import INTERVALS, Schedule, is_due, keep_one
    from lattice_common.adapters.system_clock import SystemClock
    from lattice_common.composition.backups import backup_folder
    from lattice_common.settings import Settings

    from lattice_cli.terminal import Steps

    interval = next((each for each in INTERVALS if each == every), None)
    if interval is None:
        raise InvalidInput(f"--every {every} is none of {', '.join(INTERVALS)}.", field="usage")
    schedule = Schedule(folder or backup_folder(Settings()), interval, keep, passphrase)
    now = SystemClock().now()
    if not is_due(schedule, now):
        said = f"The newest backup in {schedule.folder} is not a {every} old: none was made."
        sys.stdout.write(json.dumps({"made": None}) + "\n" if as_json else f"{said}\n")
        return
    with Steps() as steps:
        kept = keep_one(root, schedule, now, steps.count)
    facts = {"file": str(kept.file), "restored": True, "removed": [str(each) for each in kept.removed], **_facts(kept.made)}
    removed = f"; {len(kept.removed)} older removed" if kept.removed else ""
    said = f"Backed up {kept.made.atoms:,} memories to {kept.file}, and restored them from it as a trial{removed}."
    sys.stdout.write(json.dumps({"made": facts}) + "\n" if as_json else f"{said}\n")
    _tell_unreadable(kept.made)


def _passphrase(*, ask: bool, twice: bool = False) -> str | None:
    """Return what is set, else what is typed where it is asked for."""
    from lattice_common.composition.backups import backup_passphrase
    from lattice_common.settings import Settings

    if (known := backup_passphrase(Settings())) is not None or not ask:
        return known
    if not sys.stdin.isatty():
        raise InvalidInput("There is nobody to ask for a passphrase: set LATTICE_BACKUP_PASSPHRASE (or …_FILE).")
    typed = getpass("Passphrase of the backup: ")
    if not typed:
        raise InvalidInput("An empty passphrase encrypts nothing.")
    if twice and getpass("The same once more: ") != typed:
        raise InvalidInput("These were two passphrases: nothing was written.")
    return typed


def _written(root: Path, file: Path, passphrase: str | None, steps: Steps) -> Backup:
    """Return the whole or nothing, for its owner only."""
    from lattice_common.adapters.files.backup_archive import write_whole

    try:
        return write_whole(root, file, steps.count, passphrase=passphrase)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be written: {error.strerror}. Name another file.") from error


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `lattice backup` wrote.")],
    forgotten: Annotated[
        list[Path] | None,
        typer.Option("--forgotten", help="A data folder, or its journal/forgotten.jsonl, that knows what was forgotten since."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make the data folder of a backup. It must not be there yet: what you have now is never written over. What was forgotten
    since, it does not bring back, as far as a folder that you moved aside, or --forgotten, says what that is.

    Examples: lattice restore lattice-2026-11-20.tar.gz · LATTICE_DIR=~/elsewhere lattice restore lattice.tar.gz
    """
    from lattice_common.adapters.files.backup_archive import needs_passphrase
    from lattice_common.adapters.files.backup_archive import restore as unpack

    from lattice_cli.target import find_target
    from lattice_cli.terminal import Steps

    root = find_target().data_dir
    if not file.is_file():
        raise InvalidInput(f"{file} is no file: name what `lattice backup` wrote.")
    known_by = [*(forgotten or ()), *_moved_aside(root)]
    passphrase = _passphrase(ask=True) if needs_passphrase(file) else None
    with Steps() as steps:
        made = unpack(file, root, steps.count, forgotten=known_by, passphrase=passphrase)
    day = f"{made.made_at.astimezone():%d %B %Y, %H:%M}"
    said = f"Restored {made.atoms:,} memories of {day} to {root}. Start it with `lattice up`; `lattice doctor` looks it through."
    _tell(made, said, as_json=as_json)


def _moved_aside(root: Path) -> list[Path]:
    """Return the data folders that were moved aside in favour of this one, as `restore` advises: they record what was
    forgotten."""
    beside = sorted(root.parent.glob(f"{root.name}.*"))
    return [each for each in beside if (each / "journal" / "forgotten.jsonl").is_file()]


def _tell(made: Backup, said: str, *, as_json: bool) -> None:
    sys.stdout.write(json.dumps(_facts(made)) + "\n" if as_json else f"{said}\n")
    _tell_unreadable(made)


def _facts(made: Backup) -> dict[str, object]:
    return {"made_at": made.made_at.isoformat(), "files": made.files, "atoms": made.atoms, "unreadable": list(made.unreadable)}


def _tell_unreadable(made: Backup) -> None:
    """Name the files that could not be read, on standard error: a backup may go to standard output. The exit code tells it
    too."""
    if not made.unreadable:
        return
    named = "".join(f"  {each}\n" for each in made.unreadable[:SHOWN])
    more = len(made.unreadable) - SHOWN
    named += f"  … and {more:,} more\n" if more > 0 else ""
    sys.stderr.write(f"Not in the backup, for they cannot be read:\n{named}Let this user read them, and make it again.\n")
    raise typer.Exit(exits.FAILED)
