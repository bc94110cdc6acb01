"""`lattice-mock`: the real API over a canned life, for those who write clients. Nothing of it is kept.

The same words, ids and times at every start, for its clock stands still: what a client shows can be compared with what it showed
before. The folder is a temporary one; the token is always the same, and for nothing else.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.demo import demo_life
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.logs import configure
from lattice_common.settings import Settings
from pydantic import SecretStr

from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
TOKEN = "k7rm-2qxd-94fh-canned-life"  # noqa: S105 - it opens nothing but invented words
PORT = 7338
LOADED = "mock"
WAIT_SECONDS = 120.0


@contextmanager
def mocked(folder: Path) -> Iterator[tuple[FastAPI, Embedded]]:
    """Yield the app over the canned life, in a folder that is empty."""
    settings = Settings(
        _env_file=None,
        data_dir=folder,
        api_token=SecretStr(TOKEN),
        embed_model="none",
        judge="none",
        llm_provider="none",
    )
    with open_embedded(settings, clock=FixedClock(NOW), model=Model(None)) as product:
        product.start()
        accepted = [product.lattice.accept(each.request, idempotency_key=each.idempotency_key) for each in demo_life(NOW, LOADED)]
        for each in accepted:
            product.lattice.wait_for(each.status.capture_id, WAIT_SECONDS)
        yield create_app(product.lattice, Access(TokenFile(folder), settings), settings), product


def main() -> None:
    """Run the command `lattice-mock`."""
    parser = argparse.ArgumentParser(prog="lattice-mock", description="The real API over canned data, for who writes a client.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=PORT, help="port to listen on")
    given = parser.parse_args()
    configure("warning", json=None)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="lattice-mock-") as folder, mocked(Path(folder)) as (app, product):
        sys.stdout.write(
            f"http://{given.host}:{given.port} answers with {product.lattice.status().atoms} invented memories.\n"
            f"Authorization: Bearer {TOKEN}\nNothing that you tell it is kept. Stop it with Ctrl-C.\n"
        )
        sys.stdout.flush()
        uvicorn.run(app, host=given.host, port=given.port, log_config=None)


if __name__ == "__main__":
    main()
