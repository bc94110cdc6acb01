"""The Telegram bot beside the product: started with it where it has a token, and paired with its owner."""

from __future__ import annotations

import importlib
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer
from lattice_common.domain.space import SHARED, SPACES_FOLDER
from lattice_common.errors import InvalidInput, LatticeError

from lattice_cli.target import base_url, find_target

if TYPE_CHECKING:
    from lattice_common.settings import Settings

pairing = typer.Typer(help="Make a device or an account yours.", epilog="Example: lattice pair telegram", no_args_is_help=True)

STOP_SECONDS = 10.0
"""How long to wait for the bot to stop; what is under way then is begun again at its next start."""


@pairing.callback()
def _pair() -> None:
    """Make a device or an account yours."""


@pairing.command()
def telegram(context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """Show a code that makes the Telegram account it is sent from yours: once, within ten minutes.

    Example: lattice pair telegram
    Example: lattice --owner ben pair telegram
    """
    # Doors never import each other; this one only starts the other, which is chosen here and nowhere else.
    bot = importlib.import_module("lattice_bot.pairing")
    from lattice_common.settings import Settings

    if Settings().telegram_token is None:
        sys.stderr.write("No bot is set up here yet: put LATTICE_TELEGRAM_TOKEN=… into .env, and start Lattice anew.\n")
    home, owner = _whose(find_target().data_dir, context.find_root().params.get("owner"))
    folder = bot.folder_of(home)
    if as_json:
        sys.stdout.write(json.dumps({"code": bot.new_code(folder, owner=owner)}) + "\n")
    else:
        bot.show(folder, owner)


def _whose(data_dir: Path, named: str | None) -> tuple[Path, str]:
    """Return the deployment's folder, where its one bot is, and the owner that the command is about; empty for the first or only
    one. Raise `InvalidInput` for the shared space, which is nobody's."""
    if named == SHARED:
        raise InvalidInput("An account belongs to an owner: say whose, as in `lattice --owner ben pair telegram`.", field="owner")
    if named and data_dir.parts[-2:] == (SPACES_FOLDER, named):
        return data_dir.parents[1], named
    return data_dir, ""


@contextmanager
def beside(settings: Settings) -> Iterator[Bot | None]:
    """Yield the bot, to be started once the API listens; None without a token."""
    token = settings.telegram_token
    bot = Bot(settings) if token is not None and token.get_secret_value() else None
    try:
        yield bot
    finally:
        if bot is not None:
            bot.stop()


class Bot:
    """In a thread of its own, with a loop of its own. What stops it, such as a setting, is said; the product goes on."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, url: str) -> None:
        """Start the thread. `url` is the address at which the product listens."""
        port = self._settings.port or urlsplit(url).port or 0
        address = base_url(self._settings.host, port)
        self._thread = threading.Thread(target=self._run, args=(address,), name="lattice-bot", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    def _run(self, address: str) -> None:
        try:
            importlib.import_module("lattice_bot.app").run(self._settings, address, self._stopping)
        except LatticeError as error:
            sys.stderr.write(f"The Telegram bot does not run: {error}\n")
