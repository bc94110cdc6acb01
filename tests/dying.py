"""Death at a named step of a write, as by `kill -9`: nothing after it happens, and no `except Exception` sees it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from lattice_common.adapters.files import durable


class Died(BaseException):
    """The process ends here: no handler of exceptions runs; files are closed and locks go, as the kernel does it."""


@contextlib.contextmanager
def dying_at(step: int) -> Iterator[list[str]]:
    """Dies at the n-th named step, from 1; the names of the steps that were passed."""
    passed: list[str] = []

    def hook(name: str) -> None:
        passed.append(name)
        if len(passed) == step:
            raise Died

    durable.set_failpoint(hook)
    try:
        yield passed
    finally:
        durable.set_failpoint(None)
