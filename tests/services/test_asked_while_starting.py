"""Asked while what changed, or all of memory after an upgrade, is read again: each door says that something may be missing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from cli_product import Shell, serving
from lattice_common.composition import Embedded, open_reader
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings

from tests.pipeline.living import say, started
from tests.services.door import Door, opened
from tests.working import until

TOLD = "The spare key is with Ines."
WARNING = "Searched without all of memory: search: looking through what changed"
NOWHERE = "http://127.0.0.1:1"


@contextmanager
def looking_through(store: Embedded) -> Iterator[Callable[[], None]]:
    """The writer has begun to read, and goes on when it is told to."""
    looking, go_on, before = threading.Event(), threading.Event(), store.writer.steps.before

    def held() -> None:
        looking.set()
        assert go_on.wait(60)
        before()

    store.writer.steps = replace(store.writer.steps, before=held)
    store.start()
    assert looking.wait(60)
    try:
        yield go_on.set
    finally:
        go_on.set()


@pytest.fixture
def upgraded(tmp_path: Path) -> Path:
    """A folder whose catalogue is of another version, so that it is made anew."""
    root = tmp_path / "data"
    with started(root) as store:
        say(store, TOLD)
    (root / "index" / "catalogue.sqlite").write_bytes(b"of another version")
    return root


def warnings_of(door: Door) -> list[str]:
    response = door.http.post("/api/answer", json={"query": "Who has the spare key?"})
    assert response.status_code == 200, response.text
    found: list[str] = response.json()["warnings"]
    return found


def test_answers_and_searches_say_so_until_all_is_read(upgraded: Path) -> None:
    with opened(upgraded, start=False) as door:
        with looking_through(door.embedded) as go_on:
            assert door.select("spare key")["atoms"] == []
            assert [each.partition(":")[0] for each in door.select("spare key")["degraded"]] == ["search"]
            assert [each.startswith(WARNING) for each in warnings_of(door)] == [True]
            [final] = [each for each in door.stream("Who has the spare key?") if "warnings" in each]
            assert [each.startswith(WARNING) for each in final["warnings"]] == [True]
            go_on()
            until("the start to be over", lambda: not door.embedded.writer.state().starting)
        assert door.found("spare key") == [TOLD]
        assert door.select("spare key")["degraded"] == []
        assert warnings_of(door) == []


def test_the_command_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with serving(shell, start=False) as embedded, looking_through(embedded):
        assert WARNING in shell.lattice("ask", "Who", "has", "the", "spare", "key?").out
        assert WARNING in shell.lattice("atoms", "spare", "key").err


@pytest.mark.parametrize("beat", [{"unsearched": ["search: looking through what changed"]}, {}])
def test_the_api_of_a_deployment_says_what_its_worker_has_not_read_yet(tmp_path: Path, beat: dict[str, list[str]]) -> None:
    settings = Settings(
        _env_file=None, data_dir=tmp_path, mode="server", embed_model="none", llm_provider="none", redis_url="redis://127.0.0.1:1",
        opensearch_url=NOWHERE, qdrant_url=NOWHERE, graph_url=NOWHERE,
    )  # type: ignore[call-arg]  # fmt: skip
    (tmp_path / "index").mkdir()
    whole = {"at": time.time(), "stuck": None, "paused": None, "state": "working", **beat}
    (tmp_path / "index" / "writer.json").write_bytes(orjson.dumps(whole))
    with open_reader(settings) as reader:
        named = [each.partition(":")[0] for each in reader.lattice.select(Query("spare key")).degraded]
        assert ("search" in named) is bool(beat)
        said = reader.lattice.answer(Query("Who has the spare key?")).warnings
        assert any(each.startswith(WARNING) for each in said) is bool(beat)
