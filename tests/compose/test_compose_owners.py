"""A deployment of several owners: mounts of their own, tokens of their own, and one worker for all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.compose.deployment import Deployment, wait_until

pytestmark = pytest.mark.compose

SHARED = {"Lattice-Space": "shared"}


@pytest.fixture(scope="module")
def house(images: bool, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """As docs/owners.md says: the names, the file with the mounts, and up."""
    made = Deployment("lattice-test-owners", images, environment={"LATTICE_OWNERS": "ada,ben"})
    try:
        written = made.compose("run", "--rm", "-T", "--no-deps", "prepare", "python", "-m", "lattice_worker.mounts")
        override = tmp_path_factory.mktemp("owners") / "override.yml"
        override.write_text(written)
        made.overrides = [override]
        made.up()
        made.wait_ready()
        yield made
    finally:
        made.end()


@pytest.fixture(scope="module")
def tokens(house: Deployment) -> dict[str, str]:
    """Ada's was chosen; Ben's is made by whoever may use the machine."""
    said = house.runs(
        "api", "lattice", "--owner", "ben", "token", "add", "phone", "--scope", "read", "--scope", "capture", "--json"
    )
    assert said.returncode == 0, said.stderr
    return {"ada": house.token or "", "ben": json.loads(said.stdout)["token"]}


def ask(house: Deployment, token: str, path: str, body: dict[str, object], headers: dict[str, str]) -> dict[str, object]:
    sent = {"Authorization": f"Bearer {token}", **headers}
    answer = httpx2.post(f"{house.url}{path}", json=body, headers=sent, timeout=60, trust_env=False)
    assert answer.status_code in (200, 202), answer.text
    found: dict[str, object] = answer.json()
    return found


def finds(house: Deployment, token: str, words: str, headers: dict[str, str]) -> bool:
    return words in str(ask(house, token, "/api/select", {"query": "Where is the spare key?"}, headers)["atoms"])


def test_each_has_their_own_memory_and_all_share_one(house: Deployment, tokens: dict[str, str]) -> None:
    told: list[tuple[str, str, dict[str, str]]] = [
        ("ada", "under the blue pot", {}),
        ("ben", "with Ingrid", {}),
        ("ben", "on the hook in the hall", SHARED),
    ]
    for who, where, headers in told:
        ask(house, tokens[who], "/api/ingest", {"text": f"The spare key is {where}."}, headers)
    for who, where, headers in told:
        wait_until(
            f"{where} to be found", lambda who=who, where=where, headers=headers: finds(house, tokens[who], where, headers)
        )  # type: ignore[misc]  # mypy infers no lambda with defaults
    assert finds(house, tokens["ada"], "hook", SHARED)
    for who, foreign in (("ada", ("Ingrid", "hook")), ("ben", ("pot", "hook"))):
        assert not any(finds(house, tokens[who], words, {}) for words in foreign)
    held = {name: _words(house.data / folder) for name, folder in (("ada", "atoms"), ("ben", "spaces/ben/atoms"))}
    assert ("pot" in held["ada"], "Ingrid" in held["ada"], "pot" in held["ben"], "Ingrid" in held["ben"]) == (
        True,
        False,
        False,
        True,
    )


def _words(folder: Path) -> str:
    return " ".join(path.read_text() for path in folder.rglob("*.md"))


def test_services_have_of_each_memory_what_they_have_of_the_first(house: Deployment) -> None:
    writes = house.runs("api", "sh", "-c", "touch /data/spaces/ben/journal/x && rm /data/spaces/ben/journal/x")
    assert writes.returncode == 0, writes.stderr
    for forbidden in ("atoms", "index", "graph", ""):
        assert house.runs("api", "sh", "-c", f"touch /data/spaces/ben/{forbidden}/x").returncode != 0
    assert house.runs("graph", "ls", "/data/spaces/ben").stdout.split() == ["graph"]
    assert house.runs("graph", "sh", "-c", "touch /data/spaces/ben/graph/x").returncode != 0
