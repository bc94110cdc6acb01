"""What several owners cost in one process: seconds to open, and memory, by the number of spaces.

    python -m bench.owners [--most 5]

Each row is a process of its own, with the packaged models, over empty memories. What the second owner adds is the price of a
space; what the first takes is mostly the models', which are loaded once for all.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from lattice_common.composition import open_embedded, open_spaces
from lattice_common.settings import Settings


def measured(owners: int) -> dict[str, float]:
    """Open so many owners' memories and the shared one (0: one memory, as without the setting); seconds, MB at most, and Python's
    threads."""
    names = ",".join(f"p{number}" for number in range(owners))
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), owners=names, llm_provider="none")  # type: ignore[call-arg]
        started = time.perf_counter()
        with open_spaces(settings) if owners else open_embedded(settings) as product:
            product.start()
            seconds = time.perf_counter() - started
            kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            return {"seconds": seconds, "megabytes": kilobytes / 1000, "threads": threading.active_count()}


def main() -> None:
    parser = argparse.ArgumentParser(description="What several owners cost in one process.")
    parser.add_argument("--most", type=int, default=5, help="owners at most")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is not None:
        sys.stdout.write(json.dumps(measured(given.one)) + "\n")
        return
    sys.stdout.write("| owners | spaces | seconds to open | MB | threads |\n|---|---|---|---|---|\n")
    for owners in range(given.most + 1):
        command = [sys.executable, "-m", "bench.owners", "--one", str(owners)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        row = json.loads(said.splitlines()[-1])
        cells = (
            owners or "not set",
            owners + 1 if owners else 1,
            f"{row['seconds']:.1f}",
            f"{row['megabytes']:.0f}",
            row["threads"],
        )
        sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
