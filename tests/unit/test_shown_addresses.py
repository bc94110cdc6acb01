"""What is said of a server that is away names it, and not the password in its address: `/ready` tells it to everybody."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lattice_common.adapters.server.http_graph import HttpGraph
from lattice_common.adapters.server.opensearch_connection import Connection, OpenSearchAddress
from lattice_common.adapters.server.qdrant_dense import QdrantAddress, QdrantDenseIndex
from lattice_common.errors import Unavailable

AWAY = "http://ada:hunter22@127.0.0.1:1"


def ask_opensearch() -> None:
    with Connection(OpenSearchAddress([AWAY])).calling() as client:
        client.info()


def ask_qdrant() -> None:
    QdrantDenseIndex(QdrantAddress(AWAY, None), "a model", 3, alias="a", shards=1, replicas=1, writes=False).ping()


def ask_graph() -> None:
    HttpGraph(AWAY, None).ping()


@pytest.mark.parametrize("ask", [ask_opensearch, ask_qdrant, ask_graph])
def test_a_server_that_is_away_is_named_without_its_password(ask: Callable[[], None]) -> None:
    for _ in range(5):  # and once nobody asks it any more
        with pytest.raises(Unavailable) as refused:
            ask()
        assert "127.0.0.1:1" in str(refused.value)
        assert "hunter22" not in str(refused.value)
