"""Which files of a folder hold some bytes, looked for by a process of its own.

A process that opens and closes a file of SQLite's beside a connection to it loses that connection's locks (POSIX drops all locks
that a process has on a file whenever it closes one descriptor of it). The next worker that starts then takes the shared memory
for its own and cuts it to size, and whoever reads in it dies of a bus error.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def files_holding(folder: Path, word: str) -> list[Path]:
    """Return the files below the folder that contain the word, in small letters or capitals."""
    asked = ["grep", "--recursive", "--text", "--files-with-matches", "--ignore-case", "--fixed-strings", "--", word, str(folder)]
    found = subprocess.run(asked, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    # 2: a file was removed meanwhile, among others; what was found is told all the same.
    return [Path(line) for line in found.stdout.splitlines()]
