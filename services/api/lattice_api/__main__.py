"""`python -m lattice_api`: the embedded product, without the command line around it."""

from __future__ import annotations

import sys

from lattice_common.errors import LatticeError
from lattice_common.logs import configure
from lattice_common.settings import Settings

from lattice_api.app import Door, serve


def main() -> None:

    def ready(door: Door) -> None:
        first = f"\nYour token, shown this once: {door.token}" if door.token else ""
        sys.stdout.write(f"Lattice is at {door.url}\nSign a browser in once with {door.login_url}{first}\n")
        sys.stdout.flush()

    try:
        settings = Settings()
        configure(settings.log_level, json=settings.log_json)
        serve(settings, on_ready=ready, on_progress=lambda *_: None)
    except LatticeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
