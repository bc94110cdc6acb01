"""A language model that does everything wrong, over HTTP: nothing lost, nothing made up, no attempt burnt.

docs/guarantees.md, G17.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.models.open_language_model import open_language_model
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.domain.capture import Capture, Command
from lattice_common.inspection import inspect
from lattice_common.settings import Settings

from tests.pipeline.living import PATIENCE, atoms_of, finished, send
from tests.services import modelled_import
from tests.services.model_behaviours import (
    answer,
    disconnect,
    drip,
    endless,
    failing,
    hang,
    html,
    huge,
    no_completion,
    rate_limited,
    redirect,
    refusal,
    truncated_json,
)
from tests.services.model_server import Behaviour, Call, ModelServer, model_server
from tests.services.modelled_import import data_of, facts

GOOD = answer(facts, usage=None)


def shaped(change: Callable[[str], str]) -> Behaviour:
    """The right answer in a form that is not quite right."""
    return answer(lambda body: change(facts(body)), usage=None)


REPAIRABLE: dict[str, Behaviour] = {
    "prose": shaped(lambda said: f"Certainly! Here it is:\n```json\n{said}\n```\nLet me know."),
    "thoughts": shaped(lambda said: f"<think>{{maybe}}</think>{said}"),
    "commas": shaped(lambda said: said.replace("}]}", "},],}")),
    "single": shaped(lambda said: str(json.loads(said))),
    "nan": shaped(lambda said: said.replace('"entities": []', '"entities": NaN, "date": -Infinity')),
    "repeated": shaped(lambda said: said[:-1] + ', "memories": []}'),
    "list": shaped(lambda said: json.dumps(json.loads(said)["memories"])),
    "lines": shaped(lambda said: "\n".join(json.dumps(each) for each in json.loads(said)["memories"])),
    "renamed": shaped(lambda said: said.replace('"memories"', '"facts"').replace('"quote"', '"evidence"')),
    "case": shaped(lambda said: said.replace('"quote": "Parcel', '"quote": "PARCEL ')),
    "python": shaped(lambda said: said.replace('"entities": []', '"about_owner": False, "context": None')),
    "kinds": shaped(lambda said: said.replace('"kind": "fact"', '"kind": "brass", "importance": 7e99')),
}
"""Forms that code puts right."""

ASKED_AGAIN: dict[str, Behaviour] = {
    "empty": answer("", usage=None),
    "chatter": answer("I have read it, thank you.", usage=None),
    "schema": answer('{"type": "object", "properties": {"memories": {"type": "array"}}}', usage=None),
    "invented": answer(
        json.dumps({"memories": [{"content": "The owner lives on Mars.", "quote": "I live on Mars"}]}), usage=None
    ),
    "prompt": answer(
        json.dumps({"memories": [{"content": "Reply with JSON only.", "quote": "Reply with JSON only"}]}), usage=None
    ),
    "torn": answer('{"memories": [{"content": "Noted: Par', usage=None),
    "echo": answer(lambda body: str(body["messages"][-1]["content"]), usage=None),
}
"""Answers that a second question puts right, if the model can."""

HOPELESS: dict[str, Behaviour] = {
    "cut": answer('{"memories": [{"content": "Noted', finish="length", usage=None),
    "refusal": refusal(),
    "rate": rate_limited(retry_after=0.05),
    "error": failing(500),
    "missing": failing(404, "model not found, try pulling it first"),
    "hang": hang(),
    "drip": drip("word " * 500, every=0.05),
    "reset": disconnect(),
    "page": html(),
    "elsewhere": redirect("http://127.0.0.1:9/v1/chat/completions"),
    "torn-http": truncated_json(),
    "other-json": no_completion(),
    "megabytes": huge(),
    "endless": endless(),
}
"""As long as they last, rules serve."""


class Chaos:
    """The behaviour for the text that is asked about, which says its name; `times` how often, before the model is well."""

    def __init__(self, times: int) -> None:
        self.times = times
        self._lock = threading.Lock()
        self.calls: dict[str, int] = {}
        self.well = False

    def __call__(self, call: Call) -> None:
        text = str(data_of(call.body).get("text", ""))
        name = text.partition("#")[0].removeprefix("Parcel ")
        with self._lock:
            self.calls[name] = number = self.calls.get(name, 0) + 1
        bad = None if self.well else {**REPAIRABLE, **ASKED_AGAIN, **HOPELESS}.get(name)
        (bad if bad is not None and number <= self.times else GOOD)(call)


class Product:
    """The embedded product with the model at a server, and a clock that can be moved for the breaker and for the marks."""

    def __init__(self, root: Path, server: ModelServer, **settings: Any) -> None:
        self.clock = FixedClock()
        self._ahead = 0.0
        made = Settings(
            data_dir=root, embed_model="none", llm_provider="openai", llm_base_url=server.base_url, llm_api_key="none",
            llm_model="scripted:latest", llm_daily_tokens=0, llm_patience_seconds=PATIENCE, consolidate=False, **settings,
        )  # fmt: skip
        models = open_language_model(made, self.clock, monotonic=lambda: time.monotonic() + self._ahead)
        self.store = open_embedded(made, clock=self.clock, model=Model(HashedEmbedder()), models=models)
        self.store.start()

    def later(self) -> None:
        self._ahead += 600
        self.clock.advance(timedelta(hours=12))

    def read(self, name: str) -> Any:
        return finished(
            self.store, send(self.store, IngestRequest(text=modelled_import.note(f"{name}#", 2), source_type="plain"))
        )

    def nudge_until(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < deadline, "it does not come to its end"
            self.store.writer.queue.ring(self.clock.new_id(), "interactive")
            self.store.writer.join(0.02)


@pytest.fixture
def product(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Product, Chaos]]:
    chaos = Chaos(getattr(request, "param", 10**6))
    with model_server(chaos) as server:
        # What is put right must not be too slow on a busy machine, and what hangs must not take all day.
        product = Product(tmp_path, server, llm_timeout_seconds=1.0 if chaos.times > 1 else 30.0)
        with product.store:
            yield product, chaos


def prove(store: Embedded) -> None:
    """Every atom stands in its source, and says nothing else than what stands there."""
    journal = store.stores.worklog
    for atom in atoms_of(store).values():
        capture = journal.read(atom.capture_id)
        assert isinstance(capture, Capture)
        assert capture.text[atom.source_span.start : atom.source_span.end] == atom.source_quote
        assert atom.content.removeprefix("Noted: ") == atom.source_quote
    for entry in journal.entries():
        receipt = finished(store, entry)
        assert receipt.attempts == 1
        assert receipt.state == "stored" or isinstance(journal.read(entry), Command)


@pytest.mark.parametrize("product", [1], indirect=True)
def test_what_can_be_put_right_is_put_right(product: tuple[Product, Chaos]) -> None:
    it, chaos = product
    names = [*REPAIRABLE, *ASKED_AGAIN]
    receipts = {name: it.read(name) for name in names}
    repaired = [name for name, receipt in receipts.items() if receipt.notes == () and receipt.atoms_new == 2]
    assert len(repaired) >= 0.95 * len(names), sorted(set(names) - set(repaired))
    assert {chaos.calls[name] for name in REPAIRABLE} == {1}
    assert {chaos.calls[name] for name in ASKED_AGAIN} == {2}
    prove(it.store)


def test_chaos_loses_nothing_and_what_it_spoilt_is_read_again(product: tuple[Product, Chaos]) -> None:
    it, chaos = product
    names = [*HOPELESS, *ASKED_AGAIN]
    for name in names:
        receipt = it.read(name)
        assert receipt.atoms_new == 2, name
        assert [note.partition(": ")[0] for note in receipt.notes] == ["read-by-rules"], name
        it.later()  # the breaker that one opened must not hide the next
    for name in ("empty", "chatter", "schema", "invented", "prompt", "torn", "echo", "cut"):
        # The first reading, and rounds in vain since: none of them with more than three calls.
        rounds = 1 + sum(text.startswith(f"Parcel {name}#") for text in _read_again(it.store))
        assert chaos.calls.get(name, 0) <= 3 * rounds, name
    prove(it.store)
    chaos.well = True
    it.later()
    it.later()

    def all_read() -> bool:
        it.later()
        return not it.store.stores.worklog.again_ids()

    it.nudge_until(all_read)
    contents = [atom.content for atom in atoms_of(it.store).values()]
    assert len(contents) == len(set(contents)) == 2 * len(names)
    prove(it.store)


def _read_again(store: Embedded) -> list[str]:
    """The texts that were read again, once for each round."""
    journal = store.stores.worklog
    found = []
    for entry in journal.entries():
        said = journal.read(entry)
        if isinstance(said, Command):
            capture = journal.read(said.action.capture_id)  # type: ignore[union-attr]  # there are no others
            assert isinstance(capture, Capture)
            found.append(capture.text)
    return found


def killed_again_and_again(root: Path, base_url: str, chance: random.Random, most: int) -> int:
    """How often the import was killed before it came to its end."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.modelled_import"])
    for killed in range(most):
        process = context.Process(target=modelled_import.send, args=(root, base_url))
        process.start()
        process.join(chance.uniform(0.3, 1.5))
        process.kill()
        process.join()
        if process.exitcode == 0:
            return killed
    process = context.Process(target=modelled_import.send, args=(root, base_url))
    process.start()
    process.join(PATIENCE * 4)
    assert process.exitcode == 0
    return most


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_kill_9_while_a_model_reads_loses_nothing_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    def slowly(call: Call) -> None:
        if call.wait(0.1):
            GOOD(call)

    with model_server(slowly) as server:
        killed_again_and_again(tmp_path, server.base_url, random.Random(seed), 8)
        with modelled_import.open_reading(tmp_path, server.base_url) as store:
            journal = store.stores.worklog
            receipts = [journal.receipt(entry) for entry in journal.entries()]
            assert len(receipts) == modelled_import.SHORT + 1
            assert {receipt.state for receipt in receipts if receipt} == {"stored"}
            contents = sorted(atom.content for atom in atoms_of(store).values())
    said = [line for request in modelled_import.requests() for line in str(request.text).replace("\n\n", " ").split(". ")]
    expected = sorted(f"Noted: {line.strip().rstrip('.')}." for line in said if line.strip())
    assert contents == expected
    with inspect(tmp_path) as inspection:
        assert inspection.examine(lambda *_: None, exact_limit=100_000).findings == ()
