"""What an owner does to a deployment now and then: make everything derived anew, and put a newer version in its place."""

from __future__ import annotations

import contextlib
import json
import threading
import uuid

import pytest
from lattice_common.client import LatticeClient
from lattice_common.errors import LatticeError

from tests.compose.deployment import Deployment, wait_until
from tests.working import KEPT

pytestmark = pytest.mark.compose

SAID = ("Ingrid in flat 12 has my spare key.", "Novak repairs the boiler.", "Yara keeps bees in the yard.")
ASKED = ("Who has my spare key?", "Who repairs the boiler?", "Who keeps bees?")
CRATES = 20
"""Captures told while the containers are replaced, one after the other."""


@pytest.fixture
def lived_in(deployment: Deployment) -> Deployment:
    """With a few memories in it, and all of its containers up, however the test before ended."""
    deployment.up()
    deployment.wait_ready()
    with deployment.client() as client:
        for text in SAID:
            assert client.ingest({"text": text, "wait": True})["state"] in (*KEPT, "skipped")
    return deployment


def kept(client: LatticeClient) -> list[str]:
    return sorted(atom["atom_id"] for atom in client.export())


def answers(client: LatticeClient) -> list[str]:
    return [client.select(question, limit=3)["atoms"][0]["content"] for question in ASKED]


def index_behind_the_alias(deployment: Deployment) -> str:
    script = "import urllib.request as r; print(r.urlopen('http://opensearch:9200/_alias/lattice-atoms').read().decode())"
    [name] = json.loads(deployment.runs("api", "python", "-c", script).stdout)
    return str(name)


def test_a_rebuild_gives_the_same_memories_and_answers(lived_in: Deployment) -> None:
    with lived_in.client() as client:
        before, index = kept(client), index_behind_the_alias(lived_in)
        lived_in.compose("stop", "worker")
        told = client.ingest({"text": "The ladder was lent to Wim."})
        assert answers(client) == list(SAID), "the API goes on answering"
        lived_in.compose("run", "--rm", "-T", "worker", "lattice", "rebuild")
        assert index_behind_the_alias(lived_in) != index
        lived_in.compose("start", "worker")
        assert client.wait_for(told["capture_id"], 120)["state"] in KEPT
        assert set(before) < set(kept(client))
        assert answers(client) == list(SAID)
    examined = lived_in.runs("worker", "lattice", "doctor", "--json")
    assert examined.returncode == 0, examined.stdout + examined.stderr


def test_an_upgrade_whose_index_has_another_form_loses_nothing(lived_in: Deployment) -> None:
    """All containers are new, and OpenSearch's index has to be of another form, as after a new version."""
    index = index_behind_the_alias(lived_in)
    with lived_in.client() as client:
        before = kept(client)
    told: list[str] = []
    lot = uuid.uuid4().hex[:6]  # where this is tried again, there are crates already
    ended = threading.Event()

    def tell() -> None:
        """All the while; what is told while the API is away is told again."""
        with lived_in.client() as teller:
            while len(told) < CRATES and not ended.is_set():
                crate = {"text": f"Crate {len(told)} of lot {lot} went to the cellar."}
                with contextlib.suppress(LatticeError):
                    told.append(teller.ingest(crate, idempotency_key=f"crate-{lot}-{len(told)}")["capture_id"])
                ended.wait(0.7)

    teller = threading.Thread(target=tell)
    teller.start()
    newer = {"LATTICE_OPENSEARCH_SHARDS": "2"}
    lived_in.compose("up", "-d", "--no-build", "--force-recreate", environment=newer)
    lived_in.wait_ready()
    teller.join(120)
    ended.set()
    assert len(told) == CRATES
    with lived_in.client() as client:
        for capture_id in told:
            assert client.wait_for(capture_id, 120)["state"] in KEPT
        wait_until("the index of the other form", lambda: index_behind_the_alias(lived_in) != index, 60)
        wait_until("nothing to be missing", lambda: not client.status()["degraded"], 60)
        assert len(kept(client)) == len(before) + CRATES
        assert set(before) < set(kept(client))
        assert answers(client) == list(SAID)
    lived_in.up()
    lived_in.wait_ready()
