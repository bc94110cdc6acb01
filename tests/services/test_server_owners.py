"""Several owners in server mode: one API, one worker, one graph service and one of each engine, and nothing that crosses."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from lattice_common.adapters.server.opensearch_connection import Connection, OpenSearchAddress
from lattice_common.composition import open_space_readers
from lattice_common.errors import NotConfigured
from lattice_common.settings import Settings
from lattice_common.spaces import spaces_of
from lattice_graph.app import create_app as graph_app
from starlette.testclient import TestClient

from tests.services.byte_search import files_holding
from tests.services.household import SHARED, House, found, served, told
from tests.serving import serving
from tests.working import Worker, own_redis, until

pytestmark = pytest.mark.servers


@dataclass(frozen=True)
class Deployed:
    """`indexes` are those on the engines: by their names, what is in them."""

    house: House
    worker: Worker
    root: Path
    name: str
    opensearch_url: str

    def indexed(self, memory: str) -> str:
        """All that an index of words holds, of atoms and passages, as text."""
        engine = Connection(OpenSearchAddress([self.opensearch_url])).client
        engine.indices.refresh(index=f"{memory}-*")
        held = str(engine.search(index=memory, body={"query": {"match_all": {}}, "size": 100})["hits"]["hits"])
        engine.close()
        return held


@pytest.fixture(scope="module")
def deployed(
    tmp_path_factory: pytest.TempPathFactory, opensearch_url: str, qdrant_url: str, qdrant_key: str, redis_url: str
) -> Iterator[Deployed]:
    root = tmp_path_factory.mktemp("owners") / "data"
    name = f"test-{uuid.uuid4().hex[:16]}"
    environment = {
        "LATTICE_OWNERS": "ada,ben",
        "LATTICE_INDEX_NAME": name,
        "LATTICE_REDIS_URL": own_redis(redis_url),
        "LATTICE_OPENSEARCH_URL": opensearch_url,
        "LATTICE_QDRANT_URL": qdrant_url,
        "LATTICE_QDRANT_API_KEY": qdrant_key,
        "LATTICE_GRAPH_TOKEN": "the token",
    }
    root.mkdir()
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        others = {each: root / "spaces" / each for each in ("ben", "shared")}
        environment["LATTICE_GRAPH_URL"] = stack.enter_context(serving(graph_app(root, "the token", others)))
        worker = Worker(root, environment)
        stack.callback(worker.end)
        worker.start()
        worker.wait_until_idle()
        until("all to be open", lambda: all((folder / "index" / "writer.json").exists() for folder in others.values()))
        for key, value in environment.items():
            patch.setenv(key, value)
        settings = Settings(_env_file=None, data_dir=root, mode="server", llm_provider="none")  # type: ignore[call-arg]  # pydantic's own
        house = stack.enter_context(served(settings, open_space_readers(settings)))
        yield Deployed(house, worker, root, name, opensearch_url)
        engine = Connection(OpenSearchAddress([opensearch_url])).client
        engine.indices.delete(index=f"{name}-*")
        engine.close()


@pytest.fixture(scope="module")
def living(deployed: Deployed) -> Deployed:
    """Each told something, and both something shared."""
    told(deployed.house.ada, "I keep the spare key under the blue pot.")
    told(deployed.house.ben, "I keep the spare key with Ingrid in flat 12.")
    told(deployed.house.ben, "The boiler is serviced by Mr. Quist.", **SHARED)
    return deployed


def test_each_finds_their_own_and_what_is_shared_and_nothing_else(living: Deployed) -> None:
    house = living.house
    assert found(house.ada, "Where is the spare key?") == ["I keep the spare key under the blue pot."]
    assert found(house.ben, "Where is the spare key?") == ["I keep the spare key with Ingrid in flat 12."]
    for http in (house.ada, house.ben):
        assert found(http, "Who services the boiler?", **SHARED) == ["The boiler is serviced by Mr. Quist."]
        assert found(http, "Who services the boiler?") != ["The boiler is serviced by Mr. Quist."]


def test_indexes_and_graph_of_one_hold_nothing_of_the_others(living: Deployed) -> None:
    words = {name: living.indexed(f"{living.name}{end}") for name, end in (("ada", ""), ("ben", "--ben"), ("shared", "--shared"))}
    for name, word in (("ada", "pot"), ("ben", "ingrid"), ("shared", "boiler")):
        assert [each for each, held in words.items() if word in held] == [name]
    numbers = [http.get("/api/graph/stats", headers=headers).json()["nodes"] for http, headers in _everyone(living)]
    assert all(numbers)
    ids = [http.get("/api/atoms", headers=headers).json()["atoms"] for http, headers in _everyone(living)]
    for number, (http, headers) in enumerate(_everyone(living)):
        for other, atoms in enumerate(ids):
            path = http.get(f"/api/graph/node?name={atoms[0]['atom_id']}", headers=headers)
            assert (path.status_code == 200) is (number == other), (path.text, atoms)


def _everyone(living: Deployed) -> list[tuple[TestClient, dict[str, str]]]:
    return [(living.house.ada, {}), (living.house.ben, {}), (living.house.ada, SHARED)]


def test_words_lie_in_the_folder_of_whose_they_are(living: Deployed) -> None:
    for name, word in (("ada", "blue pot"), ("ben", "Ingrid"), ("shared", "Quist")):
        for other in ("ada", "ben", "shared"):
            found = files_holding(living.house.folder(other), word)
            own = [path for path in found if other != "ada" or "spaces" not in path.parts]
            assert bool(own) is (name == other), (name, other)


def test_what_is_told_while_the_worker_is_killed_is_remembered_by_whom_it_belongs_to(living: Deployed) -> None:
    living.worker.kill()
    for http, text in ((living.house.ada, "My dentist is Dr Roth."), (living.house.ben, "My dentist is Dr Adeyemi.")):
        assert http.post("/api/ingest", json={"text": text}).status_code == 202
    living.worker.start()
    until("Ada's to be found", lambda: "My dentist is Dr Roth." in found(living.house.ada, "Who is my dentist?"))
    until("Ben's to be found", lambda: "My dentist is Dr Adeyemi." in found(living.house.ben, "Who is my dentist?"))
    assert "My dentist is Dr Roth." not in found(living.house.ben, "Who is my dentist?")


def test_each_is_shown_the_lines_of_the_workers_log_that_are_of_their_own_memory(living: Deployed) -> None:
    def events(http: TestClient, headers: dict[str, str]) -> list[str]:
        return [line["event"] for line in http.get("/api/ops", headers=headers).json()["events"]]

    (folder := living.house.folder("ben") / "atoms" / "mine").mkdir(parents=True)
    (folder / "01m8bb5bkdnngq7ds4a6e7wk3w.md").write_bytes(b"\0torn")
    until("the worker's line", lambda: "atom_unreadable" in events(living.house.ben, {}))
    for headers in ({}, SHARED):
        assert "atom_unreadable" not in events(living.house.ada, headers)


def test_another_first_name_does_not_hand_the_memory_over(living: Deployed) -> None:
    settings = Settings(_env_file=None, data_dir=living.root, mode="server", owners="ben,ada")  # type: ignore[call-arg]  # pydantic's own
    with pytest.raises(NotConfigured, match="Put ada first"):
        open_space_readers(settings)
    assert [each.name for each in spaces_of(settings)] == ["ben", "ada", "shared"]
