"""The HTTP door around a real, embedded product: hashed words for an embedder, a folder of its own, and no network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from lattice_api.access import PAGE_KEY_HEADER, Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.ingest.pace import Pace
from lattice_common.ports.judge import Judge
from lattice_common.settings import Settings
from starlette.testclient import TestClient

URL = "http://localhost:7337"
QUICK = 2
"""Of a fingerprint, which takes 50 ms at each start of a product with a token that the owner chose."""


@dataclass(frozen=True)
class Door:
    """`http` sends the owner's token; `anybody` sends nothing."""

    app: FastAPI
    access: Access
    embedded: Embedded
    token: str
    http: TestClient
    anybody: TestClient
    root: Path

    def tell(self, text: str, **more: Any) -> dict[str, Any]:
        """Send it, wait, and return its receipt."""
        response = self.http.post("/api/ingest", json={"text": text, "wait": True, **more})
        assert response.status_code == 200, response.text
        receipt: dict[str, Any] = response.json()
        return receipt

    def give(self, name: str, content: bytes, key: str | None = None, **metadata: Any) -> dict[str, Any]:
        """Give a file, wait, and return its receipt."""
        sent = {"metadata": json.dumps({"wait": True, **metadata})}
        headers = {"idempotency-key": key} if key else {}
        response = self.http.post("/api/ingest-file", files={"file": (name, content)}, data=sent, headers=headers)
        assert response.status_code == 200, response.text
        receipt: dict[str, Any] = response.json()
        return receipt

    def select(self, query: str, **more: Any) -> dict[str, Any]:
        response = self.http.post("/api/select", json={"query": query, **more})
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def found(self, query: str, **more: Any) -> list[str]:
        return [atom["content"] for atom in self.select(query, **more)["atoms"]]

    def stream(self, question: str, **more: Any) -> list[dict[str, Any]]:
        """The objects of a query's stream."""
        response = self.http.post("/api/query", json={"question": question, **more})
        assert response.status_code == 200, response.text
        return [data for _, data in events_in(response.text)]


@contextmanager
def opened(root: Path, *, start: bool = True, judge: Judge | None = None, pace: Pace = Pace(), **settings: Any) -> Iterator[Door]:  # noqa: B008 - frozen
    """The product on a folder, and its door."""
    chosen = Settings(_env_file=None, data_dir=root, embed_model="none", **settings)  # type: ignore[call-arg]
    with open_embedded(chosen, model=Model(HashedEmbedder(), judge=judge), pace=pace) as embedded:
        access = Access(TokenFile(root, cost=QUICK), chosen)
        token = access.make_first_token() or ""
        app = create_app(embedded.lattice, access, chosen)
        if start:
            embedded.start()
        with closing(app.state.audit), client(app, token) as http, client(app, None) as anybody:
            yield Door(app, access, embedded, token, http, anybody, root)


def client(app: FastAPI, token: str | None) -> TestClient:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return TestClient(app, base_url=URL, headers=headers, raise_server_exceptions=False, follow_redirects=False)


def sign_in(http: TestClient, **credential: str) -> Any:
    """As the page does: its key goes with every request from now on, beside the cookie."""
    response = http.post("/api/login", json=credential)
    assert response.status_code == 200, response.text
    http.headers[PAGE_KEY_HEADER] = response.json()["page_key"]
    return response


def events_in(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of a text/event-stream with their JSON."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.partition(": ")[::2] for line in block.splitlines() if not line.startswith(":"))
        if "data" in fields:
            found.append((fields.get("event", "message"), json.loads(fields["data"])))
    return found


def routes_of(app: FastAPI) -> set[tuple[str, str]]:
    """Method and path of every route of the API."""
    return {
        (method.upper(), path.replace("{source_id}", "{source_id:path}"))
        for path, operations in app.openapi()["paths"].items()
        for method in operations
    }


def address(path: str) -> str:
    return path.replace("{source_id:path}", "x").replace("{", "").replace("}", "")
