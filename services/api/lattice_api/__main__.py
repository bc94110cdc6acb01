"""`python -m lattice_api`: the product of the mode, without the command line around it; a container's way to start it."""

from __future__ import annotations

import signal
import sys

from lattice_common.errors import LatticeError
from lattice_common.logs import configure
from lattice_common.settings import Settings

from lattice_api.app import Door, serve


def main() -> None:

    # The server gives the signal on once it has stopped, and by default that ends the process before anything is closed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def ready(door: Door) -> None:
        first = f"\nYour token, shown this once: {door.token}" if door.token else ""
        reads_only = f"\nIt only reads until the disk can be written: {door.reads_only}" if door.reads_only else ""
        links = "".join(f"\nSign {name} in once with {link}" for name, link in door.logins.items())
        links = links or f"\nSign a browser in once with {door.login_url}"
        sys.stdout.write(f"Lattice is at {door.url}{links}{first}{reads_only}\n")
        sys.stdout.flush()

    try:
        settings = Settings()
        configure(settings.log_level, json=settings.log_json)
        serve(settings, on_ready=ready, on_progress=lambda *_: None)
    except KeyboardInterrupt:
        pass
    except LatticeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
