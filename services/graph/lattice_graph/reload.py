"""Follows the sidecars while questions are answered: nobody who asks waits for what the writer adds."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from lattice_common.ports.graph import Graph

LOOK_SECONDS = 0.1
"""How soon a commit is seen: one `stat` each time, which costs microseconds."""


class Follower:
    """One thread between `start` and `stop`, which refreshes `graph` when the manifest below `root` has changed."""

    def __init__(self, root: Path, graph: Graph, on_change: Callable[[], None] = lambda: None) -> None:
        self._manifest = root / "graph" / "manifest.json"
        self._graph = graph
        self._on_change = on_change
        self._seen = self._mark()
        self._looking = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lattice-graph-follower", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(10)

    def look(self) -> bool:
        """Refresh if there is something new; whether there was. Any thread may call it."""
        with self._looking:
            mark = self._mark()
            if mark == self._seen:
                return False
            self._graph.refresh()
            self._seen = mark
        self._on_change()
        return True

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            self.look()

    def _mark(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._manifest)  # noqa: PTH116 - ten times a second, for ever: a string is enough
        except FileNotFoundError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
