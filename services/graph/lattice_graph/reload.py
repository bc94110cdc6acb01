"""Follows the sidecars while questions are answered: no question waits for what the writer adds."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from lattice_common.logs import logger
from lattice_common.periodic import Periodic
from lattice_common.ports.graph import Graph

log = logger(__name__)

LOOK_SECONDS = 0.1
"""Seconds until a commit is seen: one `stat` each time, which costs microseconds."""
AGAIN_SECONDS = 1.0
"""Seconds between two tries while the disk cannot be read."""


class Follower:
    """One thread between `start` and `stop`, which refreshes `graph` when the manifest below `root` has changed.

    A disk that cannot be read may be readable later: the thread goes on trying, and `trouble` says why it does not follow.
    """

    def __init__(self, root: Path, graph: Graph, on_change: Callable[[], None] = lambda: None) -> None:
        self._manifest = root / "graph" / "manifest.json"
        self._graph = graph
        self._on_change = on_change
        self._unread: str | None = None
        self._seen = self._mark()
        self._looking = threading.Lock()
        self._following = Periodic("lattice-graph-follower", self._step, after=LOOK_SECONDS)

    def start(self) -> None:
        self._following.start()

    def stop(self) -> None:
        self._following.stop()

    def look(self) -> bool:
        """Refresh if there is something new; return whether there was. Any thread may call it."""
        with self._looking:
            mark = self._mark()
            if mark == self._seen:
                return False
            self._graph.refresh()
            self._seen = mark
        self._on_change()
        return True

    @property
    def trouble(self) -> str | None:
        """Return why the graph is not followed; None while it is."""
        return self._unread or self._graph.trouble

    def _step(self) -> float:
        try:
            self.look()
        except OSError as error:
            if self._unread is None:
                log.exception("graph_behind")
            self._unread = f"the sidecars cannot be read: {error}"
            return AGAIN_SECONDS
        self._unread = None
        return LOOK_SECONDS

    def _mark(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._manifest)  # noqa: PTH116 - ten times a second, for ever: a string is enough
        except FileNotFoundError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
