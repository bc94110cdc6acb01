"""The real product on a free port."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.http_connection import server_config
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.language_model import LanguageModel
from lattice_common.settings import Settings

from tests.serving import listening


@dataclass(frozen=True)
class Product:
    """`access` makes one-time login codes, as `lattice up` does; `embedded` is what the page is served from."""

    url: str
    token: str
    access: Access
    root: Path
    embedded: Embedded


def start_product(
    folder: Path, *, embedder: Embedder | None = None, language: LanguageModel | None = None, **settings: Any
) -> Iterator[Product]:
    """A fixture's body: the embedded product with an empty memory. Without an embedding model (words find what tests ask) and
    without a language model that writes answers, unless they are given."""
    made = Settings(_env_file=None, data_dir=folder / "data", embed_model="none", port=0, auth=True, **settings)
    models = ModelsInUse(None, language, lambda: {"provider": "scripted", "available": True, "reason": None}, lambda: None)
    with open_embedded(made, model=Model(embedder), models=models if language else None) as embedded:
        access = Access(TokenFile(made.data_dir), made)
        token = access.make_first_token()
        assert token is not None
        app = create_app(embedded.lattice, access, made)
        config = server_config(app)
        config.lifespan = "off"
        embedded.start()
        with listening(config) as port:
            try:
                yield Product(f"http://127.0.0.1:{port}", token, access, made.data_dir, embedded)
            finally:
                app.state.ending.set()
