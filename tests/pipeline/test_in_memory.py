"""The product in memory does what the one on files does, through the same ingest and recall."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.request import FileMetadata, IngestRequest
from lattice_common.composition.memory import InMemory, open_in_memory
from lattice_common.domain.capture import DeleteAtom, ForgetAtoms, UndoChange
from lattice_common.domain.recall import Query
from lattice_common.domain.receipt import Receipt
from lattice_common.errors import Unavailable
from lattice_common.settings import Settings

from tests.data.conversations import conversations
from tests.pipeline.living import QUESTIONS, current, finished, send, started


def opened() -> InMemory:
    return open_in_memory(Settings(_env_file=None, embed_model="none"), clock=FixedClock())  # type: ignore[call-arg]


def told(product: InMemory, request: IngestRequest) -> Receipt:
    """The receipt, which is there when the words are accepted: nothing is waited for."""
    receipt = product.lattice.capture(product.lattice.accept(request).status.capture_id).receipt
    assert receipt is not None, product.queue.failures
    return receipt


def statements(product: InMemory) -> list[str]:
    return sorted(atom.content for atom in product.stores.catalogue.all() if not atom.is_superseded)


def test_what_is_told_in_memory_and_on_files_is_remembered_and_found_alike(tmp_path: Path) -> None:
    with opened() as product, started(tmp_path, clock=FixedClock()) as store:
        for request in conversations(3):
            told(product, request)
            finished(store, send(store, request))
        assert statements(product) == current(store)
        assert len(statements(product)) > 10
        for question in QUESTIONS:
            in_memory = [each.atom.content for each in product.lattice.select(Query(question)).atoms]
            assert in_memory == [each.atom.content for each in store.lattice.select(Query(question)).atoms]


def test_what_is_deleted_in_memory_comes_back_by_undo() -> None:
    with opened() as product:
        (atom_id,) = told(product, IngestRequest(text="The spare key is with Ines.")).atom_ids
        change = product.lattice.change(DeleteAtom(atom_id))
        assert statements(product) == []
        product.lattice.change(UndoChange(change))
        assert statements(product) == ["The spare key is with Ines."]


def test_a_file_is_read_before_it_is_acknowledged() -> None:
    with opened() as product:
        with product.lattice.receiving() as incoming:
            incoming.write(b"Mara lives in Lisbon.")
            kept = product.lattice.accept_file(incoming, "note.txt", FileMetadata()).status.capture_id
        assert product.lattice.capture(kept).state == "stored"


def test_nothing_is_erased_from_memory_and_that_is_said() -> None:
    with opened() as product:
        (atom_id,) = told(product, IngestRequest(text="The spare key is with Ines.")).atom_ids
        with pytest.raises(Unavailable):
            product.lattice.change(ForgetAtoms((atom_id,), now=True), timeout=0.0)
        (failure,) = product.queue.failures
        assert "close it" in str(failure)
