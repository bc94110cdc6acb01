"""What the engines written in Rust raise: a file of theirs that is not what was written shows as an error of their own, or as a
panic, only where it is read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from lattice_common.errors import Unavailable

_UNREADABLE = (ValueError, OSError, RuntimeError, TypeError, IndexError, KeyError)


def is_panic(error: BaseException) -> bool:
    """Return whether an engine gave up: a flipped bit in a file of its own is an index out of range to it. What it raises then is
    no `Exception`, and its class cannot be imported."""
    return type(error).__name__ == "PanicException"


@contextlib.contextmanager
def readable(index: str, folder: Path) -> Iterator[None]:
    """Raise `Unavailable` where what is read within is damaged."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, _UNREADABLE) and not is_panic(error):
            raise
        raise Unavailable(
            f"The {index} index in {folder} cannot be read ({error}): `lattice doctor --repair` makes it anew."
        ) from error
