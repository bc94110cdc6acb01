"""What a command shows while it works, and asks: bars and a question on a terminal, nothing where a program reads or writes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Steps:
    """One bar for each thing that is done, on stderr. `count` has the form of the product's progress callbacks."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._beginning: TaskID | None = None

    def say(self, what: str) -> None:
        """Announce a step whose size is unknown."""
        self.count(what, 0, 0)
        self._beginning = self._tasks.pop(what, None)

    def count(self, what: str, done: int, total: int) -> None:
        """Report `done` of `total`; a total of 0 is unknown."""
        if not sys.stderr.isatty():
            return
        if self._progress is None:
            self._progress = _bars()
            self._progress.start()
        if what not in self._tasks:
            if self._beginning is not None:  # what has no size is over when something else begins
                self._progress.remove_task(self._beginning)
                self._beginning = None
            self._tasks[what] = self._progress.add_task(what[:1].upper() + what[1:], total=total or None)
        self._progress.update(self._tasks[what], completed=done, total=total or None)

    def done(self) -> None:
        """Take the bars away; may be called twice."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
            self._tasks = {}
            self._beginning = None

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_: object) -> None:
        self.done()


def _bars() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def agreed() -> bool:
    """Return whether the owner confirms; always false without a terminal."""
    if not sys.stdin.isatty():
        return False
    sys.stdout.write("Do it? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
