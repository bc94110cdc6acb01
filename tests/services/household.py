"""Two owners and what they share, behind one address: real products on folders of their own, and hashed words for an embedder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lattice_api.app import create_app
from lattice_api.local_token import keep_local_token
from lattice_api.spaces import Part, SpaceRouter, access_folder, accesses_of
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition import Embedded, Model, OpenSpaces, open_spaces
from lattice_common.settings import Settings
from lattice_common.spaces import spaces_of
from starlette.testclient import TestClient

from tests.services.door import URL

SHARED = {"lattice-space": "shared"}


@dataclass(frozen=True)
class House:
    """`ada` and `ben` send their own tokens, `anybody` none; `parts` are the apps, `embedded` the products by the name of their
    space."""

    root: Path
    spaces: OpenSpaces
    parts: dict[str, Part]
    embedded: dict[str, Embedded]
    router: SpaceRouter
    ada: TestClient
    ben: TestClient
    anybody: TestClient

    def folder(self, name: str) -> Path:
        """Where a space is kept."""
        return self.root if name == "ada" else self.root / "spaces" / name

    def token(self, name: str, *scopes: Any) -> str:
        """A new token of a space's."""
        store = self.parts[name].access.store
        return store.add_token(f"of-{len(store.tokens)}", scopes or ("read", "capture"))


def told(http: TestClient, text: str, **headers: str) -> dict[str, Any]:
    """Send it, wait, and return its receipt."""
    response = http.post("/api/ingest", json={"text": text, "wait": True}, headers=headers)
    assert response.status_code == 200, response.text
    receipt: dict[str, Any] = response.json()
    return receipt


def found(http: TestClient, query: str, **headers: str) -> list[str]:
    """The words of what is found."""
    response = http.post("/api/select", json={"query": query}, headers=headers)
    assert response.status_code == 200, response.text
    return [atom["content"] for atom in response.json()["atoms"]]


def chosen(root: Path, **values: Any) -> Settings:
    """The settings of the two."""
    given = {"owners": "ada, ben", "inbox_settle_seconds": 0.0, **values}
    return Settings(_env_file=None, data_dir=root, embed_model="none", judge="none", llm_provider="none", **given)  # type: ignore[call-arg]


@contextmanager
def opened(root: Path, **values: Any) -> Iterator[House]:
    """All that `serve` opens, and clients that know the token of one owner each."""
    settings = chosen(root, **values)
    with served(settings, open_spaces(settings, model=Model(HashedEmbedder()))) as house:
        yield house


@contextmanager
def served(settings: Settings, opened: OpenSpaces) -> Iterator[House]:
    """The house over what was opened."""
    spaces, root = spaces_of(settings), settings.data_dir
    with ExitStack() as open_now:
        product = open_now.enter_context(opened)
        accesses = accesses_of(spaces)
        parts: dict[str, Part] = {}
        for (space, each), access in zip(product.opened, accesses.values(), strict=True):
            keep_local_token(access.store, access_folder(space.settings))
            app = create_app(each.lattice, access, space.settings, space=space.name)
            open_now.enter_context(closing(app.state.audit))
            parts[space.name] = Part(app, access)
        router = SpaceRouter(parts)
        product.start()
        made = {name: parts[name].access.store.add_token("everything", ("read", "capture", "admin")) for name in ("ada", "ben")}
        ada, ben, anybody = (open_now.enter_context(reached(router, made.get(name))) for name in ("ada", "ben", ""))
        embedded = {space.name: each for space, each in product.opened if isinstance(each, Embedded)}
        yield House(root, product, parts, embedded, router, ada, ben, anybody)


def reached(router: SpaceRouter, token: str | None) -> TestClient:
    """A client of the house that sends this token."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return TestClient(router, base_url=URL, headers=headers, raise_server_exceptions=False, follow_redirects=False)
