"""The product's own server, in a process of its own, as in use."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(folder: Path, token: str, **settings: str) -> Iterator[str]:
    """Its address on a free port; `settings` as in its environment."""
    environment = os.environ | {
        "LATTICE_DIR": str(folder),
        "LATTICE_WEB_PORT": "0",
        "LATTICE_API_TOKEN": token,
        "LATTICE_LOG_LEVEL": "error",
        **settings,
    }
    with subprocess.Popen([sys.executable, "-m", "lattice_api"], env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://[\w.:]+", server.stdout.readline())
            if found is None:
                raise SystemExit("The server did not start.")
            yield found[0]
        finally:
            server.terminate()
