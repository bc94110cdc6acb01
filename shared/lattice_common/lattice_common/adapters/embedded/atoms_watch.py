"""The watch over the files of atoms: tells the writer which ones a hand may have changed.

Notices of the system say it within a second or two; a look at the folders every ten seconds finds what they missed (queues
overflow, watches run out, network folders send none). Paths settle before they are handed on: a save is often several steps, and
between two of them a file is missing or torn. The writer's own files come along, and cost it one look each.
"""

from __future__ import annotations

import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from watchfiles import Change

from lattice_common.adapters.embedded.atoms_listing import MOST_TOLD, AtomsListing, is_atom_name
from lattice_common.adapters.embedded.folder_notices import changes_in
from lattice_common.adapters.files.atom_files import ARCHIVE, MEMORIES
from lattice_common.logs import carried, logger
from lattice_common.ports.catalogue import CatalogueReader

log = logger(__name__)

POLL_SECONDS = 10.0
"""With the settling, and the writer's work in hand, an edit is live within 15 (docs/guarantees.md, G14)."""

SETTLE_SECONDS = 1.0
LONGEST_SETTLE_SECONDS = 4.0
"""A file that never rests is read all the same; a torn one is read again when it changes."""


class Settling:
    """Paths that wait until nothing more is heard of them; `poll_seconds` is the longest that their reader sleeps. Safe from any
    thread."""

    def __init__(self, poll_seconds: float) -> None:
        self.poll_seconds = poll_seconds
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[float, float]] = {}
        """Path → when it is to be handed on if nothing more is heard of it, and when at the latest."""

    def __contains__(self, path: str) -> bool:
        return path in self._waiting

    def add(self, paths: Iterable[str]) -> None:
        """Note that something was heard of these paths just now."""
        now = time.monotonic()
        with self._lock:
            for path in paths:
                _, latest = self._waiting.get(path, (0.0, now + LONGEST_SETTLE_SECONDS))
                self._waiting[path] = (min(now + SETTLE_SECONDS, latest), latest)

    def take(self, now: float) -> tuple[list[str], float]:
        """Return what has settled, each path once, and in how many seconds the next will have."""
        with self._lock:
            # More than what is due: what changed together, both ends of a move above all, is handed on together.
            due = [path for path, (at, _) in self._waiting.items() if at <= now + SETTLE_SECONDS / 2]
            for path in due:
                del self._waiting[path]
            return due, min((at for at, _ in self._waiting.values()), default=now + self.poll_seconds) - now


class AtomsWatch:
    """Two threads from `start` to `stop`: one waits for notices, one looks, lets settle, and hands paths to `touched` (relative
    to the data folder `root`). It looks once `ready` says that the start-up repair is done, and then every `poll_seconds`."""

    def __init__(
        self,
        root: Path,
        catalogue: CatalogueReader,
        touched: Callable[[Iterable[str]], None],
        ready: Callable[[], bool],
        *,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._root = Path(os.path.realpath(root))
        self._listing = AtomsListing(self._root, catalogue)
        self._touched = touched
        self._ready = ready
        self._settling = Settling(poll_seconds)
        self._told: defaultdict[str, set[str]] = defaultdict(set)
        """Folder → names in it of which the system told since the last look."""
        self._lock = threading.Lock()
        self._look_soon = False
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._looking = threading.Thread(target=carried(self._run), name="lattice-atoms", daemon=True)
        self._noticing = threading.Thread(target=carried(self._notice), name="lattice-atoms-notices", daemon=True)

    def start(self) -> None:
        for folder in self._folders():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._noticing.start()
        self._looking.start()

    def unreadable(self) -> frozenset[str]:
        """Return the folders of memories that could not be read at the last look. Any thread may ask."""
        return self._listing.unreadable()

    def stop(self, timeout: float = 10.0) -> None:
        """Stop following; what has not settled is found by the next start."""
        self.begin_stop()
        for thread in (self._looking, self._noticing):
            if thread.is_alive():
                thread.join(timeout)

    def begin_stop(self) -> None:
        """Ask both threads to end, and do not wait for them."""
        self._stopping.set()
        self._wake.set()

    def _folders(self) -> tuple[Path, Path]:
        return self._root / MEMORIES, self._root / ARCHIVE

    def _run(self) -> None:
        look_at = 0.0
        while True:
            self._wake.clear()
            if self._stopping.is_set():  # after the clear: `begin_stop` sets both, this one first
                return
            now = time.monotonic()
            if (now >= look_at or self._look_soon) and self._ready():
                self._look_soon = False
                look_at = now + self._settling.poll_seconds
                try:
                    with self._lock:
                        told, self._told = self._told, defaultdict(set)
                    self._settling.add(path for path in self._listing.look(told) if path not in self._settling)
                except Exception:
                    # Whatever one look met, the next one begins anew: nothing in the folder was lost.
                    log.exception("atoms_not_watched", reason="failed")
            due, pause = self._settling.take(time.monotonic())
            if due:
                self._touched(due)
            until_look = max(look_at - time.monotonic(), SETTLE_SECONDS / 4)
            self._wake.wait(min(pause, until_look))

    def _notice(self) -> None:
        try:
            for changes in changes_in(*self._folders(), stopping=self._stopping):
                self._noticed(changes)
        except (OSError, RuntimeError) as error:
            # No watches left, or a file system without them: looking goes on by itself.
            log.warning("atoms_not_watched", reason=f"only polled: {type(error).__name__}")

    def _noticed(self, changes: Iterable[tuple[Change, str]]) -> None:
        places = [(change, os.path.relpath(path, self._root)) for change, path in changes]
        with self._lock:
            for _, place in places:
                folder, _, name = place.rpartition("/")
                if len(self._told[folder]) <= MOST_TOLD:  # more than that is as good as any number
                    self._told[folder].add(name)
        seen = [(change, place) for change, place in places if "/." not in place]
        atoms = [place for _, place in seen if is_atom_name(place.rpartition("/")[2])]
        # Of files in a folder that is moved as a whole nothing is said.
        if any(change != Change.modified and self._may_be_folder(place) for change, place in seen):
            self._look_soon = True
        if atoms or self._look_soon:
            self._settling.add(atoms)
            self._wake.set()

    def _may_be_folder(self, place: str) -> bool:
        return not place.endswith(".md") and (self._listing.is_folder(place) or os.path.isdir(self._root / place))  # noqa: PTH112 - false, too, for what may not be looked at
