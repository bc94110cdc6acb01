"""What the system tells of changes in folders, until it is asked to stop: then it stops at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from watchfiles import Change, watch

EVERY_SECONDS = 0.2
"""How often it is asked what has changed; changes between two of these come together."""


def changes_in(*folders: Path, stopping: threading.Event) -> Iterator[set[tuple[Change, str]]]:
    """Yield the changes below the folders until `stopping` is set. Raise `OSError` or `RuntimeError` where there are no watches
    left, or a file system has none.

    The pause is ours: the library would sleep it out, and each close of a store would wait for that.
    """
    noticed = watch(
        *folders,
        watch_filter=None,
        debounce=100,
        step=1,
        rust_timeout=1,
        yield_on_timeout=True,
        raise_interrupt=False,
        ignore_permission_denied=True,
    )
    for changes in noticed:
        if changes:
            yield changes
        if stopping.wait(EVERY_SECONDS):
            return
