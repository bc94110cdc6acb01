"""What a server's adapter does while it is away, and when it is back: `Unavailable`, soon at once, and then as before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lattice_common.adapters.server.breaker import OPENS_AFTER
from lattice_common.adapters.server.http_graph import HttpGraph
from lattice_common.adapters.server.qdrant_dense import QdrantAddress, QdrantDenseIndex
from lattice_common.errors import Unavailable
from lattice_graph.app import create_app
from test_dense_index import DIMENSION, vector
from test_lexical_index import asked, opensearch_index

from tests.forwarding import Door
from tests.serving import serving
from tests.working import until

AT_ONCE_SECONDS = 0.1
"""What is refused without asking takes microseconds; asking one that does not answer takes a second or more."""
SOON_SECONDS = 10.0


@dataclass
class Visited:
    """A server behind a door, and a question that its adapter asks it."""

    door: Door
    ask: Callable[[], object]


def behind(url: str) -> tuple[Door, str]:
    address = urlsplit(url)
    door = Door(0, (str(address.hostname), address.port or 80))
    door.open()
    return door, f"http://127.0.0.1:{door.port}"


@pytest.fixture(
    params=["graph", pytest.param("opensearch", marks=pytest.mark.servers), pytest.param("qdrant", marks=pytest.mark.servers)]
)
def visited(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visited]:
    match request.param:
        case "opensearch":
            door, url = behind(request.getfixturevalue("opensearch_url"))
            lexical = opensearch_index(url)
            yield Visited(door, lambda: lexical.search(asked("coffee"), 3))
            lexical.close()
        case "qdrant":
            door, url = behind(request.getfixturevalue("qdrant_url"))
            address = QdrantAddress(url, request.getfixturevalue("qdrant_key"))
            dense = QdrantDenseIndex(address, "model", DIMENSION, alias="test-nobody", writes=False)
            yield Visited(door, lambda: dense.search(vector(1), 3))
            dense.close()
        case _:
            with serving(create_app(tmp_path)) as url:
                door, url = behind(url)
                graph = HttpGraph(url)
                yield Visited(door, lambda: graph.expand(["01jd5k0000abcdefghjkmnpqrs"], 5))
                graph.close()
    door.shut()


def fails(visited: Visited) -> str:
    with pytest.raises(Unavailable) as raised:
        visited.ask()
    return str(raised.value)


def test_one_that_is_away_is_named_and_soon_not_waited_for(visited: Visited) -> None:
    assert visited.ask() == []
    visited.door.shut()
    for _ in range(OPENS_AFTER):
        assert f":{visited.door.port}" in fails(visited)
    began = time.monotonic()
    assert "is away" in fails(visited)
    assert time.monotonic() - began < AT_ONCE_SECONDS


def test_one_that_is_back_is_asked_within_seconds(visited: Visited) -> None:
    visited.door.shut()
    for _ in range(OPENS_AFTER + 1):
        fails(visited)
    visited.door.open()

    def answers() -> bool:
        try:
            return visited.ask() == []
        except Unavailable:
            return False

    until("it to be asked again", answers, SOON_SECONDS)


def test_a_connection_that_was_closed_while_nobody_asked_is_no_failure(visited: Visited) -> None:
    """A restart of the server, or its patience with idle connections."""
    assert visited.ask() == []
    visited.door.shut()
    visited.door.open()
    assert visited.ask() == []


def test_one_that_takes_the_question_and_never_answers_is_not_waited_for_long(visited: Visited) -> None:
    visited.door.stall()
    began = time.monotonic()
    fails(visited)
    assert time.monotonic() - began < SOON_SECONDS
