"""The real product on a free port."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.composition import Model, open_embedded
from lattice_common.http_connection import server_config
from lattice_common.settings import Settings

STARTED_WITHIN = 20.0
"""Seconds; it takes less than one on an idle machine."""


@dataclass(frozen=True)
class Product:
    """`access` makes one-time login codes, as `lattice up` does."""

    url: str
    token: str
    access: Access
    root: Path


class _Server(uvicorn.Server):
    """Says when it listens, so that nobody has to poll."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = threading.Event()

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        self.listens.set()


def start_product(folder: Path) -> Iterator[Product]:
    """A fixture's body: the embedded product with an empty memory, without an embedding model (words find what tests ask)."""
    settings = Settings(_env_file=None, data_dir=folder / "data", embed_model="none", port=0, auth=True)
    with open_embedded(settings, model=Model(None)) as embedded:
        access = Access(TokenFile(settings.data_dir), settings)
        token = access.make_first_token()
        assert token is not None
        app = create_app(embedded.lattice, access, settings)
        config = server_config(app)
        config.host, config.port, config.lifespan = "127.0.0.1", 0, "off"
        server = _Server(config)
        embedded.start()
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            assert server.listens.wait(STARTED_WITHIN), "the server did not start"
            port = server.servers[0].sockets[0].getsockname()[1]
            yield Product(f"http://127.0.0.1:{port}", token, access, settings.data_dir)
        finally:
            app.state.ending.set()
            server.should_exit = True
            server.force_exit = True
            thread.join(STARTED_WITHIN)
