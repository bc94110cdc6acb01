"""Death at a named step of a write, as by `kill -9`: nothing after it happens, and no `except Exception` sees it."""

from __future__ import annotations

import contextlib
import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

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


TRIES = 20


def left_by(root: Path, target: Path) -> Path:
    """A copy of the folder as its process left it, before anything is closed. The threads of the lexical engine live on, and
    remove segments that they merged: where one vanishes while it is copied, the copy is made anew."""
    for _ in range(TRIES):
        try:
            return Path(shutil.copytree(root, target))
        except shutil.Error as error:
            if any(f"[Errno {errno.ENOENT}]" not in why for *_, why in error.args[0]):
                raise
            shutil.rmtree(target)
    raise TimeoutError(f"{root} changed each time that it was copied")
