"""What the system tells of changes in folders comes together, and asking to stop ends the wait for it."""

from __future__ import annotations

import threading
from pathlib import Path

from lattice_common.adapters.embedded.folder_notices import changes_in

PATIENCE = 20.0


class Noticing:
    """A thread that gathers the names of what changes in a folder; `first` is set when there is one."""

    def __init__(self, folder: Path) -> None:
        self.names: set[str] = set()
        self.first, self.stopping = threading.Event(), threading.Event()
        self._folder = folder
        self.thread = threading.Thread(target=self._gather)
        self.thread.start()

    def _gather(self) -> None:
        for changes in changes_in(self._folder, stopping=self.stopping):
            self.names |= {Path(path).name for _, path in changes}
            self.first.set()


def test_what_is_written_in_a_folder_is_told_until_it_is_stopped(tmp_path: Path) -> None:
    noticing = Noticing(tmp_path)
    number = 0
    while not noticing.first.wait(0.2) and number < PATIENCE / 0.2:  # the watch may not be there yet
        number += 1
        (tmp_path / f"note-{number}").write_text("x")
    noticing.stopping.set()
    noticing.thread.join(PATIENCE)

    assert not noticing.thread.is_alive()
    assert noticing.names
    assert noticing.names <= {f"note-{each}" for each in range(1, number + 1)}


def test_whoever_is_stopped_before_anything_changed_ends(tmp_path: Path) -> None:
    stopping = threading.Event()
    stopping.set()

    assert list(changes_in(tmp_path, stopping=stopping)) == []
