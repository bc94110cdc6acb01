"""Exit codes, the same for every command, so that scripts can tell what happened."""

from __future__ import annotations

from lattice_common.errors import InvalidInput, LatticeError, Unavailable

OK = 0
FAILED = 1
"""Something was found (doctor), refused, or could not be done."""
USAGE = 2
"""The command was not understood."""
NOT_RUNNING = 3
"""It needs the server, and the server is away."""
INTERRUPTED = 130
"""Ctrl-C, as shells count it."""


def code_of(error: LatticeError) -> int:
    """What an error ends a command with."""
    match error:
        case Unavailable():
            return NOT_RUNNING
        case InvalidInput(field="usage"):
            return USAGE
    return FAILED
