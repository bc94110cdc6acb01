"""Reads one journal entry in a process of its own, to see whether the process survives.

When the product died twice while processing an entry, the cause was either the entry (a text that makes a library crash, or use
all the memory) or chance: kill -9, a power cut. Here such an entry kills a process without consequences.

`python -m lattice_common.adapters.embedded.probe FOLDER ENTRY MODEL` reads, extracts, grounds and embeds; it writes nothing.
"""

from __future__ import annotations

import contextlib
import resource
import subprocess
import sys
from pathlib import Path

from platformdirs import user_cache_path

from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.domain.capture import Capture
from lattice_common.errors import Unavailable
from lattice_common.ingest.prove import read_through

LONGEST_SECONDS = 300
"""Ten megabytes of text, the largest accepted, are read in about a minute."""

LARGEST_BYTES = 6 * 1024**3
"""Address space, most of it the libraries' and never touched."""


class Probe:
    """`ingest.attempts.Survives` for the data folder `root`."""

    def __init__(self, root: Path, model: str) -> None:
        self._root = root
        self._model = model

    def __call__(self, entry_id: str) -> bool:
        """Return whether the process survived. Takes about two seconds, most of them the start of Python."""
        command = [sys.executable, "-m", __name__, str(self._root), entry_id, self._model]
        try:
            return subprocess.run(command, capture_output=True, timeout=LONGEST_SECONDS, check=False).returncode == 0  # noqa: S603 - our own module
        except subprocess.TimeoutExpired:
            return False


def main() -> None:
    """Exit with code 0 when the entry was read to its end."""
    root, entry_id, model = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST_BYTES, LARGEST_BYTES))
    capture = FileJournal(Path(root)).read(entry_id)
    if not isinstance(capture, Capture):
        return
    embedder = None
    with contextlib.suppress(Unavailable):
        embedder = open_embedder(model, cache_dir=user_cache_path("lattice") / "models", threads=1)
    read_through(capture, embedder)


if __name__ == "__main__":
    main()
