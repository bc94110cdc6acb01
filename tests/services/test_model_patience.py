"""A language model that hangs, or thinks for long, over HTTP: nobody waits for it, and what it says in the end is remembered."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.adapters.models.open_language_model import open_language_model
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.errors import ModelUnavailable
from lattice_common.ingest.extract.model import ExtractionLimits, ModelExtractor
from lattice_common.ports.language_model import ModelRequest
from lattice_common.settings import Settings

from tests.pipeline.living import PATIENCE, current, finished, say, send
from tests.services.model_behaviours import answer, hang
from tests.services.model_server import Behaviour, Call, ModelServer, model_server
from tests.services.modelled_import import facts, note
from tests.working import until

BY_RULES = ("read-by-rules: slow",)


def after(seconds: float) -> Behaviour:
    """A good answer, and a slow one; to whether it is there it says so at once."""

    def behave(call: Call) -> None:
        if "response_format" not in call.body:
            answer("OK", usage=None)(call)
        elif call.wait(seconds):
            answer(facts, usage=None)(call)

    return behave


@contextmanager
def product(root: Path, server: ModelServer, **settings: Any) -> Iterator[Embedded]:
    clock = FixedClock()
    made = Settings(
        data_dir=root, embed_model="none", llm_provider="openai", llm_base_url=server.base_url, llm_api_key="none",
        llm_model="scripted:latest", **{"llm_patience_seconds": 0.2, **settings},
    )  # fmt: skip
    models = open_language_model(made, clock)
    with open_embedded(made, clock=clock, model=Model(HashedEmbedder()), models=models) as store:
        store.start()
        yield store


def asked_to_read(server: ModelServer) -> int:
    return sum("response_format" in body for body in server.completions)


def all_read(store: Embedded) -> None:
    """Wait until nothing is to be read again; what the writer looks for every half minute it looks for at once."""
    deadline = time.monotonic() + PATIENCE
    while store.stores.worklog.again_ids() or store.writer.state().waiting:
        assert time.monotonic() < deadline, store.writer.state()
        store.writer.queue.ring(store.stores.clock.new_id(), "interactive")
        store.writer.join(0.02)


def test_a_model_that_hangs_holds_nobody_up_and_is_asked_about_one_note_only(tmp_path: Path) -> None:
    with model_server(hang()) as server, product(tmp_path, server) as store:
        receipts = [say(store, note(f"K{n}", 2)) for n in range(8)]
        assert {(each.state, each.attempts, each.notes) for each in receipts} == {("stored", 1, BY_RULES)}
        until("it to be asked", lambda: asked_to_read(server) > 0)  # the first call of a process loads the client
        assert asked_to_read(server) == 1
        server.always(answer(facts, usage=None))
        server.hang_up()  # it was restarted
        all_read(store)
        assert len(current(store)) == 16
        assert all(content.startswith("Noted: ") for content in current(store))


def test_what_a_slow_model_says_is_not_asked_for_twice(tmp_path: Path) -> None:
    with model_server(after(0.6)) as server, product(tmp_path, server) as store:
        assert say(store, note("K", 2)).notes == BY_RULES
        all_read(store)
        assert asked_to_read(server) == 1
        assert len(current(store)) == 2
        assert all(content.startswith("Noted: ") for content in current(store))


def test_a_model_that_is_always_slow_is_not_waited_for_and_reads_everything_in_the_end(tmp_path: Path) -> None:
    with model_server(after(0.5)) as server, product(tmp_path, server, llm_patience_seconds=0.1) as store:
        for number in range(3):
            assert say(store, note(f"K{number}", 2)).notes == BY_RULES
            all_read(store)
        assert asked_to_read(server) == 3
        assert len(current(store)) == 6
        assert all(content.startswith("Noted: ") for content in current(store))


def test_what_is_said_by_hand_does_not_wait_for_an_import_whose_calls_hang(tmp_path: Path) -> None:
    with model_server(hang()) as server, product(tmp_path, server) as store:
        imported = send(store, IngestRequest(text=note("L", 300), source_type="plain", priority="bulk"))
        deadline = time.monotonic() + PATIENCE
        while not server.completions:
            assert time.monotonic() < deadline
            store.writer.join(0.02)
        assert say(store, note("K", 2)).notes == BY_RULES
        assert store.lattice.capture(imported).receipt is None


def test_an_import_is_held_up_by_one_call_that_hangs_and_no_more(tmp_path: Path) -> None:
    with model_server(hang()) as server, product(tmp_path, server, llm_timeout_seconds=0.5, extract_parallel=1) as store:
        ids = [send(store, IngestRequest(text=note(f"K{n}", 2), source_type="plain", priority="bulk")) for n in range(12)]
        receipts = [finished(store, each) for each in ids]
        assert {(each.state, each.attempts) for each in receipts} == {("stored", 1)}
        assert {each.notes for each in receipts} == {BY_RULES}
        assert asked_to_read(server) <= 2


def test_a_model_that_hangs_is_asked_ever_more_rarely_whether_it_is_there() -> None:
    now = [1000.0]
    asked: list[float] = []

    def hangs(_request: ModelRequest) -> ModelUnavailable:
        asked.append(now[0])
        now[0] += 30
        return ModelUnavailable("silent")

    extractor = ModelExtractor(ScriptedModel(hangs), ExtractionLimits(), monotonic=lambda: now[0])
    for _ in range(240):  # two hours, looked every half minute
        told: queue.SimpleQueue[bool] = queue.SimpleQueue()
        extractor.when_back(told.put)
        assert told.get(timeout=PATIENCE) is False
        now[0] += 30
    extractor.close()
    assert len(asked) <= 14
    assert asked[-1] > now[0] - 1000
