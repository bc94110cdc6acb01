"""`python -m lattice_bot`: the bot in a process, or a container, of its own; `pair` shows a pairing code."""

from __future__ import annotations

import signal
import sys
import threading

from lattice_common.errors import LatticeError, NotConfigured
from lattice_common.logs import configure
from lattice_common.settings import Settings

from lattice_bot import pairing
from lattice_bot.app import run


def main(arguments: list[str]) -> None:
    try:
        _run(Settings(), arguments)
    except LatticeError as error:
        hint = f" Put this into .env: {error.env_line}" if isinstance(error, NotConfigured) else ""
        sys.exit(f"{error}{hint}")


def _run(settings: Settings, arguments: list[str]) -> None:
    configure(settings.log_level, json=settings.log_json)
    if arguments == ["pair"]:
        pairing.show(pairing.folder_of(settings.data_dir))
        return
    stop = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stop.set())
    run(settings, api_address(settings), stop)


def api_address(settings: Settings) -> str:
    """Return the address of the API as this process reaches it."""
    anywhere = settings.host in ("0.0.0.0", "::", "localhost")  # noqa: S104 - compared, not bound
    return settings.api_url.rstrip("/") or f"http://{'127.0.0.1' if anywhere else settings.host}:{settings.port}"


if __name__ == "__main__":
    main(sys.argv[1:])
