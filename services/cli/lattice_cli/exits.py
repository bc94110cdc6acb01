"""How commands end: exit codes, the same for every command, so that scripts can tell what happened; and pipes that close."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NoReturn

from lattice_common.errors import InvalidInput, LatticeError, Unavailable

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
"""Nobody read on (`| head`), as shells count it."""


def end(command: Callable[[], int]) -> NoReturn:
    """Run a command, and end the process with its code. That nobody reads on is no error to tell of."""
    try:
        try:
            code = command()
        finally:
            sys.stdout.flush()  # what is left for the interpreter's end can fail there, where nothing helps it any more
    except BrokenPipeError:
        code = _unread()
    except SystemExit as ended:
        if not isinstance(ended.__context__, BrokenPipeError):  # typer ends with 1 then
            raise
        code = _unread()
    sys.exit(code)


def _unread() -> int:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return UNREAD


def code_of(error: LatticeError) -> int:
    """What an error ends a command with."""
    match error:
        case Unavailable():
            return NOT_RUNNING
        case InvalidInput(field="usage"):
            return USAGE
    return FAILED
