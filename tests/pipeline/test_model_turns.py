"""Turns while a language model reads: the urgent before imports, a stop in the middle of a call, a model that comes or goes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.capture.request import IngestRequest
from lattice_common.ports.language_model import Completion, ModelRequest

from tests.pipeline.living import PATIENCE, SHORT_PARTS, atoms_of, finished, send
from tests.pipeline.modelled import asked, open_modelled, sentence_by_sentence

MANY = 200
PARCELS = "".join(
    f"Parcel {n} of the brass went to depot {n + 3} under label K{n}x." + (" " if n % 6 else "\n\n") for n in range(MANY)
)


class Held(ScriptedModel):
    """Each call waits until it is let go: one by one, or all from then on. `asked_of` are the texts of calls that were begun."""

    def __init__(self) -> None:
        super().__init__([])
        self._read = sentence_by_sentence()
        self._let = threading.Semaphore(0)
        self._begun = threading.Condition()
        self.texts: list[str] = []

    def complete(self, request: ModelRequest) -> Completion:
        with self._begun:
            self.texts.append(str(asked(request).get("text")))
            self._begun.notify_all()
        assert self._let.acquire(timeout=PATIENCE)
        return Completion(str(self._read(request)), "stop")

    def begun(self, count: int) -> None:
        with self._begun:
            assert self._begun.wait_for(lambda: len(self.texts) >= count, PATIENCE)

    def let(self, count: int = 10_000) -> None:
        self._let.release(count)


@pytest.fixture
def model() -> Iterator[Held]:
    held = Held()
    yield held
    held.let()


def bulk(text: str) -> IngestRequest:
    return IngestRequest(text=text, source_type="plain", priority="bulk")


def test_what_is_said_by_hand_waits_for_a_running_segment_and_no_more(tmp_path: Path, model: Held) -> None:
    with open_modelled(tmp_path, model, extract_parallel=2) as store:
        long = send(store, bulk(PARCELS))
        others = [send(store, bulk(f"Neighbour {n} is called Ada{n} and lives in house {n + 3}.")) for n in range(12)]
        store.start()
        model.begun(2)
        pool = store.ingest._context.extractor._pool  # type: ignore[attr-defined]  # a model's
        urgent = send(store, IngestRequest(text="The keys are under the third flowerpot."))
        deadline = time.monotonic() + PATIENCE
        while all(later for later, *_ in list(pool._jobs)):
            assert time.monotonic() < deadline, "nobody noticed it while a part was waited for"
            store.writer.join(0.01)
        model.let(1)  # one of the two that run
        model.begun(3)
        assert "flowerpot" in model.texts[2], "others were asked about before it"
        model.let()
        assert finished(store, urgent).state == "stored"
        assert {finished(store, each).state for each in (long, *others)} == {"stored"}


def test_a_stop_does_not_wait_for_the_model_and_the_next_start_reads_on(tmp_path: Path, model: Held) -> None:
    with open_modelled(tmp_path, model) as store:
        capture_id = send(store, bulk(PARCELS))
        store.start()
        model.begun(4)
        stopped = threading.Thread(target=store.close)
        stopped.start()
        stopped.join(PATIENCE)
        assert not stopped.is_alive()
    model.let()
    with open_modelled(tmp_path, ScriptedModel(sentence_by_sentence())) as store:
        store.start()
        receipt = finished(store, capture_id)
        assert (receipt.state, receipt.notes) == ("stored", ())
        assert receipt.atoms_new == len(atoms_of(store)) == MANY


@pytest.mark.parametrize("order", ["model first", "rules first"])
def test_a_text_begun_one_way_and_ended_another_is_read_whole_and_once(tmp_path: Path, order: str) -> None:
    reader = ScriptedModel(sentence_by_sentence())
    first, then = (reader, None) if order == "model first" else (None, reader)
    text = PARCELS + PARCELS.replace("brass", "tin") + PARCELS.replace("brass", "zinc")
    with open_modelled(tmp_path, first, llm_context_tokens=4096, pace=SHORT_PARTS) as store:
        capture_id = send(store, bulk(text))
        assert not store.ingest.next_part(capture_id)
        done = len(atoms_of(store))
        assert 0 < done < 3 * MANY
    with open_modelled(tmp_path, then, llm_context_tokens=3000, pace=SHORT_PARTS) as store:
        store.start()
        receipt = finished(store, capture_id)
        atoms = atoms_of(store)
        assert set(receipt.atom_ids) == set(atoms)
        assert len({atom.source_quote for atom in atoms.values()}) == len(atoms)
        assert len(atoms) == 3 * MANY
