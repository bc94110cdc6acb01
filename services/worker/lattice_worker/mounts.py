"""What the services of a deployment mount of further owners' memories, as a file for Docker Compose:

    docker compose run --rm -T prepare python -m lattice_worker.mounts > compose.owners.yml

Each service gets of each memory what it gets of the first (docker-compose.yml): the API writes journal, inbox and logs, the graph
service reads the graph, the bot leaves in the inbox what is told while the API is away. It is written anew when `LATTICE_OWNERS`
changes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from lattice_common.errors import LatticeError
from lattice_common.settings import Settings

from lattice_worker.prepare import spaces_in

MOUNTED = {"api": (("journal", ""), ("inbox", ""), ("logs", "")), "graph": (("graph", ":ro"),), "bot": (("inbox", ""),)}
"""By service: the folders of a memory that it mounts, and how."""


def mounts(spaces: Sequence[Path]) -> str:
    """Return the file."""
    lines = ["# Of lattice_worker.mounts, for LATTICE_OWNERS: docs/owners.md.", "services:"]
    for service, folders in MOUNTED.items():
        lines += [f"  {service}:", "    volumes:"]
        for space in spaces:
            lines += [f'      - "${{LATTICE_DATA:-./data}}/{space}/{name}:/data/{space}/{name}{how}"' for name, how in folders]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the file to standard output; exit with a sentence where `LATTICE_OWNERS` is empty or invalid."""
    try:
        spaces = spaces_in(Settings().owners)
    except LatticeError as error:
        sys.exit(str(error))
    if not spaces:
        sys.exit("LATTICE_OWNERS names nobody: there is nothing more to mount. Take compose.owners.yml out of COMPOSE_FILE.")
    sys.stdout.write(mounts(spaces))


if __name__ == "__main__":
    main()
