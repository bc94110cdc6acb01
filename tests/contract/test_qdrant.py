"""What only Qdrant can show: a collection for each model behind an alias, what it is asked to keep, and its keys."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI, Request, Response
from lattice_common.adapters.server.qdrant_dense import QdrantAddress, QdrantDenseIndex
from lattice_common.domain.recall import Filter
from lattice_common.errors import Unavailable
from qdrant_client import QdrantClient
from test_dense_index import DAY, DIMENSION, document, ids, vector

from tests.serving import serving

pytestmark = [pytest.mark.servers, pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")]


@pytest.fixture
def engine(qdrant_url: str, qdrant_key: str) -> Iterator[QdrantClient]:
    """To look at what the adapter made."""
    client = QdrantClient(url=qdrant_url, api_key=qdrant_key, check_compatibility=False)
    yield client
    for each in client.get_collections().collections:
        if each.name.startswith("own-"):
            client.delete_collection(each.name)
    client.close()


@pytest.fixture
def address(qdrant_url: str, qdrant_key: str, engine: QdrantClient) -> QdrantAddress:
    return QdrantAddress(qdrant_url, qdrant_key)


@pytest.fixture
def alias() -> str:
    return f"own-{uuid.uuid4().hex}"


def opened(address: QdrantAddress, alias: str, model: str = "model", dimension: int = DIMENSION, **more: Any) -> QdrantDenseIndex:
    return QdrantDenseIndex(address, model, dimension, alias=alias, **more)


def filled(address: QdrantAddress, alias: str) -> QdrantDenseIndex:
    index = opened(address, alias)
    index.upsert([document(str(n), n, seq=9, day=n % 3) for n in range(12)])
    index.commit()
    return index


def collections(engine: QdrantClient, alias: str) -> list[str]:
    return sorted(each.name for each in engine.get_collections().collections if each.name.startswith(alias))


def used(engine: QdrantClient, alias: str) -> str:
    return {each.alias_name: each.collection_name for each in engine.get_aliases().aliases}[alias]


def test_what_was_closed_is_there_when_it_is_opened_again(address: QdrantAddress, alias: str) -> None:
    with closing(filled(address, alias)) as index:
        held = sorted(index.entries())
        index.upsert([document("not committed", 1)])
    with closing(opened(address, alias)) as index:
        assert sorted(index.entries()) == held
        assert ids(index.search(vector(4), 1, Filter(after=DAY))) == ["4"]
        index.upsert([document("4", 5, seq=8)])
        index.commit()
        assert sorted(index.entries()) == held, "an older seq is ignored by another process, too"


@pytest.mark.parametrize(("model", "dimension"), [("another model", DIMENSION), ("model", 4)])
def test_another_model_gets_a_collection_of_its_own_and_the_old_one_goes(
    address: QdrantAddress, engine: QdrantClient, alias: str, model: str, dimension: int
) -> None:
    with closing(filled(address, alias)), closing(opened(address, alias, writes=False)) as reader:
        first = used(engine, alias)
        assert len(reader.search(vector(1), 20)) == 12
        with closing(opened(address, alias, model, dimension)) as other:
            assert list(other.entries()) == []
            assert collections(engine, alias) == [first], "nothing goes before there is something in its place"
            other.clear()
            assert used(engine, alias) != first
            assert collections(engine, alias) == [used(engine, alias)]
        late = opened(address, alias, writes=False)
        with closing(late), pytest.raises(Unavailable, match="another model's"):
            late.search(vector(1), 20)


def test_a_reader_goes_on_in_the_old_collection_until_the_new_one_is_whole(
    address: QdrantAddress, engine: QdrantClient, alias: str
) -> None:
    with closing(filled(address, alias)) as writer, closing(opened(address, alias, writes=False)) as reader:
        found = ids(reader.search(vector(3), 20))
        with writer.anew():
            writer.upsert([document("new", 3, seq=1)])
            writer.commit()
            assert ids(reader.search(vector(3), 20)) == found
        assert ids(reader.search(vector(3), 20)) == ["new"]
        assert collections(engine, alias) == [used(engine, alias)]


def test_one_that_was_not_finished_takes_no_place_and_is_taken_away_by_the_next(
    address: QdrantAddress, engine: QdrantClient, alias: str
) -> None:
    with closing(filled(address, alias)) as index:
        held = sorted(index.entries())

        def cut_short() -> None:
            with index.anew():
                index.upsert([document("new", 3, seq=1)])
                index.commit()
                raise Unavailable("something else went away")

        with pytest.raises(Unavailable, match="something else"):
            cut_short()
        assert sorted(index.entries()) == held
        with index.anew():
            pass
        assert list(index.entries()) == []
        assert collections(engine, alias) == [used(engine, alias)]


def test_a_collection_that_was_deleted_under_its_writer_is_noticed_and_made_anew(
    address: QdrantAddress, engine: QdrantClient, alias: str
) -> None:
    with closing(filled(address, alias)) as index, closing(opened(address, alias, writes=False)) as reader:
        assert len(reader.search(vector(1), 20)) == 12
        engine.delete_collection(used(engine, alias))
        index.upsert([document("late", 1, seq=10)])
        with pytest.raises(Unavailable):
            index.commit()  # the others are gone: whoever wrote them has to compare
        assert list(index.entries()) == []
        index.upsert([document("late", 1, seq=10)])
        index.commit()
        assert ids(index.search(vector(1), 20)) == ids(reader.search(vector(1), 20)) == ["late"]


def test_collections_of_another_data_folder_are_not_touched(address: QdrantAddress, alias: str) -> None:
    """Not even of one whose name begins the same."""
    with closing(filled(address, alias)) as mine, closing(filled(address, f"{alias}-2")) as other:
        held = sorted(other.entries())
        mine.clear()
        assert list(mine.entries()) == []
        assert sorted(other.entries()) == held


def test_a_reader_makes_nothing(address: QdrantAddress, engine: QdrantClient, alias: str) -> None:
    with closing(opened(address, alias, writes=False)) as reader:
        assert reader.search(vector(1), 5) == []
        assert reader.vectors(["1"]) == {}
        assert list(reader.entries()) == []
    assert collections(engine, alias) == []


@pytest.mark.parametrize("key", [None, "not the key"])
def test_without_the_key_nothing_is_found_and_the_server_is_named(address: QdrantAddress, alias: str, key: str | None) -> None:
    with (
        closing(opened(QdrantAddress(address.url, key), alias, writes=False)) as stranger,
        pytest.raises(Unavailable, match=f"Qdrant at {address.url} did not do it: .*401"),
    ):
        stranger.search(vector(1), 5)


def test_what_a_collection_is_asked_to_be(address: QdrantAddress, alias: str) -> None:
    """Looked at on its way: not every server of the tests keeps all of it."""
    sent: list[tuple[str, str, Any]] = []
    with (
        serving(passing_on(address, sent)) as url,
        closing(opened(QdrantAddress(url, address.api_key), alias, shards=3, replicas=2)) as index,
    ):
        index.upsert([document("a", 1)])
        index.commit()
        index.search(vector(1), 5)
    (made,) = [body for method, path, body in sent if method == "PUT" and path.count("/") == 1]
    assert made["vectors"] == {"size": DIMENSION, "distance": "Cosine", "on_disk": True}
    assert made["quantization_config"] == {"scalar": {"type": "int8", "quantile": 0.99, "always_ram": True}}
    assert (made["shard_number"], made["replication_factor"], made["on_disk_payload"]) == (3, 2, True)
    indexed = {body["field_name"]: body["field_schema"] for method, path, body in sent if path.endswith("/index")}
    assert indexed == {"kind": "keyword", "session_id": "keyword", "source_id": "keyword", "observed_at": "integer"}
    (asked,) = [body["params"] for _, path, body in sent if path.endswith("/query")]
    assert asked["quantization"]["rescore"] is True
    assert asked["hnsw_ef"] >= 256


def passing_on(address: QdrantAddress, sent: list[tuple[str, str, Any]]) -> FastAPI:
    """Notes every request, and has it answered by the server."""
    app = FastAPI()
    client = httpx2.Client(base_url=address.url, headers={"api-key": address.api_key or ""}, trust_env=False)

    @app.api_route("/{path:path}", methods=["GET", "PUT", "POST", "DELETE"])
    async def pass_on(path: str, request: Request) -> Response:
        body = await request.body()
        sent.append((request.method, path, await request.json() if body else None))
        answer = client.request(request.method, f"/{path}", params=dict(request.query_params), content=body)
        return Response(answer.content, answer.status_code, media_type="application/json")

    return app
