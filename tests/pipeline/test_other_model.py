"""Another embedding model: the former's vectors answer until those of the new one are whole."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from lattice_common.adapters.files.embedding_record import EmbeddingRecord, EmbeddingRecordFile, place_of
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.composition.models import Former
from lattice_common.domain.recall import Query
from lattice_common.ports.embedder import Vectors
from lattice_common.settings import Settings

from tests.working import until

TOLD = (
    "The dentist put in a crown for 640 euros.",
    "The spare key lies under the flower pot.",
    "My brother gets married in June at the beach.",
)


class Held(HashedEmbedder):
    """Hashed words of another dimension, that embed what is stored only once they are let."""

    def __init__(self) -> None:
        super().__init__(dimension=48)
        self.let = threading.Event()

    def embed(self, texts: Sequence[str]) -> Vectors:
        assert self.let.wait(20.0)
        return super().embed(texts)


def opened(root: Path, model: Model) -> Embedded:
    return open_embedded(Settings(data_dir=root, embed_model="none"), model=model)


def tell(store: Embedded, text: str) -> None:
    accepted = store.lattice.accept(IngestRequest(text=text))
    store.lattice.wait_for(accepted.status.capture_id, 20.0)


def recorded(root: Path) -> EmbeddingRecord:
    record = EmbeddingRecordFile(root).latest()
    assert record is not None
    return record


def filled(root: Path) -> Model:
    """A store with the vectors of one model, and the settings of another."""
    with opened(root, Model(HashedEmbedder())) as store:
        store.start()
        for text in TOLD:
            tell(store, text)
    return Model(Held(), former=Former(HashedEmbedder(), recorded(root)))


def test_the_former_vectors_answer_while_the_new_ones_are_made(tmp_path: Path) -> None:
    model = filled(tmp_path)
    wanted = model.embedder
    assert isinstance(wanted, Held)
    with opened(tmp_path, model) as store:
        store.start()
        until("the start", lambda: not store.writer.state().starting)  # until then, a search says that something may be missing
        selection = store.lattice.select(Query("crown dentist", explain=True))
        assert selection.atoms[0].atom.content == TOLD[0]
        assert not selection.degraded
        assert store.lattice.status().model == HashedEmbedder().model_id
        until("the owner to be told", lambda: any("are being made" in each for each in store.lacking()))
        wanted.let.set()
        until("the new vectors to serve", lambda: store.stores.embedder is wanted)
        assert store.lattice.select(Query("spare key")).atoms[0].atom.content == TOLD[1]
        assert not any("are being made" in each for each in store.lacking())
        tell(store, "The boiler is serviced every October.")
        assert store.stores.dense is not None
        assert len(list(store.stores.dense.entries())) == len(TOLD) + 1
    assert recorded(tmp_path) == EmbeddingRecord("none", wanted.model_id, 48, place_of(wanted.model_id))
    assert [path.name for path in (tmp_path / "index").glob("dense*")] == [f"dense-{place_of(wanted.model_id)}"]


def test_what_is_told_meanwhile_is_not_missed(tmp_path: Path) -> None:
    model = filled(tmp_path)
    wanted = model.embedder
    assert isinstance(wanted, Held)
    wanted.let.set()
    with opened(tmp_path, model) as store:
        accepted = store.lattice.accept(IngestRequest(text="The boiler is serviced every October."))
        store.start()
        store.lattice.wait_for(accepted.status.capture_id, 20.0)
        until("the new vectors to serve", lambda: store.stores.embedder is wanted)
        assert store.stores.dense is not None
        assert len(list(store.stores.dense.entries())) == len(TOLD) + 1


def test_a_start_after_the_change_serves_the_new_vectors_at_once(tmp_path: Path) -> None:
    model = filled(tmp_path)
    assert isinstance(model.embedder, Held)
    model.embedder.let.set()
    with opened(tmp_path, model) as store:
        store.start()
        until("the new vectors to serve", lambda: store.stores.embedder is model.embedder)
        whole = store.state_hash()
    with opened(tmp_path, Model(model.embedder)) as store:
        assert store.lattice.select(Query("spare key")).atoms[0].atom.content == TOLD[1]
        assert store.state_hash() == whole


def test_vectors_begun_for_a_model_that_is_not_wanted_any_more_are_removed(tmp_path: Path) -> None:
    model = filled(tmp_path)
    with opened(tmp_path, model):
        assert len(list((tmp_path / "index").glob("dense*"))) == 2
    with opened(tmp_path, Model(HashedEmbedder())) as store:
        assert [path.name for path in (tmp_path / "index").glob("dense*")] == ["dense"]
        assert store.lattice.select(Query("spare key")).atoms[0].atom.content == TOLD[1]


def test_a_rebuild_makes_the_new_vectors_and_serves_them(tmp_path: Path) -> None:
    model = filled(tmp_path)
    assert isinstance(model.embedder, Held)
    model.embedder.let.set()
    with opened(tmp_path, model) as store:
        store.rebuild(lambda *_: None)
        assert store.stores.embedder is model.embedder
        assert store.lattice.select(Query("spare key")).atoms[0].atom.content == TOLD[1]
    assert recorded(tmp_path).model_id == model.embedder.model_id
