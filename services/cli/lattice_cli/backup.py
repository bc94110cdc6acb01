"""`lattice backup` and `lattice restore`: one file of all that is yours, and a data folder of it again."""

from __future__ import annotations

import json
import sys
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
"""Files that are named of those that cannot be read."""


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, like lattice.tar.gz, or - for standard output.")],
    as_json: AsJson = False,
) -> None:
    """Write all that is yours into one file: journal, memories, originals, logs, tokens. It may be done while Lattice runs.

    Examples: lattice backup lattice-2026-11-20.tar.gz · lattice backup - | ssh nas 'cat > lattice.tar.gz'
    """
    from lattice_common.adapters.files.backup_archive import back_up, note_backup

    from lattice_cli.place import find_place
    from lattice_cli.terminal import Steps

    root = find_place().data_dir
    with Steps() as steps:
        if file == STDOUT:
            if sys.stdout.isatty():
                raise InvalidInput("A backup is no text: send it into a file or a pipe.")
            made = back_up(root, sys.stdout.buffer, steps.count)
            sys.stdout.buffer.flush()
            note_backup(root, None, made.made_at)
            _tell_unreadable(made)
            return
        if file.exists():
            raise Conflict(f"{file} is there already, and a backup is never put over anything: name another file.")
        if file.resolve().is_relative_to(root.resolve()):
            raise InvalidInput(f"{file} lies in the data folder itself: name a file elsewhere, best on another disk.")
        made = _written(root, file, steps)
        note_backup(root, file, made.made_at)
    size = file.stat().st_size
    _tell(made, f"Backed up {made.atoms:,} memories ({made.files:,} files, {size / 1e6:,.1f} MB) to {file}", as_json=as_json)


def _written(root: Path, file: Path, steps: Steps) -> Backup:
    """The whole or nothing, for its owner only."""
    from lattice_common.adapters.files.backup_archive import write_whole

    try:
        return write_whole(root, file, steps.count)
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
    from lattice_common.adapters.files.backup_archive import restore as unpack

    from lattice_cli.place import find_place
    from lattice_cli.terminal import Steps

    root = find_place().data_dir
    if not file.is_file():
        raise InvalidInput(f"{file} is no file: name what `lattice backup` wrote.")
    known_by = [*(forgotten or ()), *_moved_aside(root)]
    with Steps() as steps:
        made = unpack(file, root, steps.count, forgotten=known_by)
    day = f"{made.made_at.astimezone():%d %B %Y, %H:%M}"
    said = f"Restored {made.atoms:,} memories of {day} to {root}. Start it with `lattice up`; `lattice doctor` looks it through."
    _tell(made, said, as_json=as_json)


def _moved_aside(root: Path) -> list[Path]:
    """Data folders that stood in this one's place, as `restore` says to move them: they know what was forgotten."""
    beside = sorted(root.parent.glob(f"{root.name}.*"))
    return [each for each in beside if (each / "journal" / "forgotten.jsonl").is_file()]


def _tell(made: Backup, said: str, *, as_json: bool) -> None:
    facts = {"made_at": made.made_at.isoformat(), "files": made.files, "atoms": made.atoms, "unreadable": list(made.unreadable)}
    sys.stdout.write(json.dumps(facts) + "\n" if as_json else f"{said}\n")
    _tell_unreadable(made)


def _tell_unreadable(made: Backup) -> None:
    """On standard error, for a backup may go to standard output; the exit code says it too."""
    if not made.unreadable:
        return
    named = "".join(f"  {each}\n" for each in made.unreadable[:SHOWN])
    more = len(made.unreadable) - SHOWN
    named += f"  … and {more:,} more\n" if more > 0 else ""
    sys.stderr.write(f"Not in the backup, for they cannot be read:\n{named}Let this user read them, and make it again.\n")
    raise typer.Exit(exits.FAILED)
