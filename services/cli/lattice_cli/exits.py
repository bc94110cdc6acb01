"""How commands end: exit codes, the same for every command, so that scripts can tell what happened; and pipes that close."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from lattice_common.errors import InvalidInput, LatticeError, NotAllowed, Unavailable

from lattice_cli.screen import for_terminal, shield
from lattice_cli.target import find_target

OK = 0
FAILED = 1
"""Something was found (doctor), nothing was found (lists, questions), or it was refused or could not be done."""
USAGE = 2
"""The command was not understood."""
NOT_RUNNING = 3
"""It needs the server, and the server is away."""
INTERRUPTED = 130
"""Ctrl-C, as shells count it."""
UNREAD = 141
"""The reader closed the pipe (`| head`), as shells count it."""
UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG})
"""Errors of an output that takes no more. Commands report other files that cannot be read or written themselves."""


def end(command: Callable[[], int]) -> NoReturn:
    """Run a command, and end the process with its code. A closed pipe is no error; output that cannot be written is."""
    _open_what_was_closed()
    shield()
    try:
        try:
            code = command()
        finally:
            sys.stdout.flush()  # what is left for the interpreter's end can fail there, where nothing helps it any more
    except BrokenPipeError:
        code = _to_nowhere(UNREAD)
    except SystemExit as ended:
        if not isinstance(ended.__context__, BrokenPipeError):  # typer ends with 1 then
            raise
        code = _to_nowhere(UNREAD)
    except OSError as error:
        if error.errno in UNWRITABLE:
            sys.stderr.write(f"The output cannot be written: {error.strerror}.\n")
            code = _to_nowhere(FAILED)
        elif str(error.filename).startswith(str(folder := find_target().data_dir)):
            sys.stderr.write(_unusable(error, folder))
            code = FAILED
        else:
            raise
    sys.exit(code)


def _unusable(error: OSError, folder: Path) -> str:
    """Return what is wrong with the data folder or a file in it, and what to do."""
    if Path(error.filename) == folder or not folder.is_dir():
        return f"{folder} is no folder that can be used ({error.strerror}): set LATTICE_DIR to one of yours.\n"
    return f"{error.filename} cannot be used ({error.strerror}): let this user read and write it, or move it out of {folder}.\n"


def _to_nowhere(code: int) -> int:
    """Redirect standard output to the null device, and return `code`: at its end the interpreter flushes what is left, which
    would fail once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return code


def _open_what_was_closed() -> None:
    """Open streams that are closed, as some schedulers start programs with: reading finds nothing, and output is discarded."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 - for as long as the process lives
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - the same
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - the same


def told(error: LatticeError) -> str:
    """Return what an error says on a command line."""
    if isinstance(error, NotAllowed) and error.status == 401:
        return (
            f"{find_target().base_url} does not know this command line's token. Is it another user's Lattice, or another "
            "LATTICE_DIR? Set LATTICE_API_TOKEN to a token of it."
        )
    return for_terminal(str(error))


def code_of(error: LatticeError) -> int:
    """Return what an error ends a command with."""
    match error:
        case Unavailable():
            return NOT_RUNNING
        case InvalidInput(field="usage"):
            return USAGE
    return FAILED
