"""What was said in another language is found in English, and the other way round; new lexicons bring old indexes up to date."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.models.glossing_embedder import GlossingEmbedder
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.domain.recall import Query
from lattice_common.ports.embedder import Vectors
from lattice_common.settings import Settings

from tests.working import until

TOLD = (
    "Der Ersatzschlüssel liegt unter dem Blumentopf hinter der Garage.",
    "Mi hermano mayor se casa en junio en la playa.",
    "The washing machine leaks when it spins.",
    "Notre fille apprend le violon depuis deux ans.",
    "I lent my tent to Martha.",
)


class Counting(HashedEmbedder):
    """Hashed words that note what they were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return super().embed(texts)


def opened(root: Path, embedder: HashedEmbedder) -> Embedded:
    return open_embedded(Settings(data_dir=root, embed_model="none"), model=Model(GlossingEmbedder(embedder)))


def told(store: Embedded) -> None:
    for text in TOLD:
        accepted = store.lattice.accept(IngestRequest(text=text))
        store.lattice.wait_for(accepted.status.capture_id, 20.0)


def found(store: Embedded, question: str) -> str:
    return store.lattice.select(Query(question, limit=5)).atoms[0].atom.content


def test_a_question_in_one_language_finds_what_was_said_in_another(tmp_path: Path) -> None:
    with opened(tmp_path, HashedEmbedder()) as store:
        store.start()
        told(store)
        assert "Ersatzschlüssel" in found(store, "where is the spare key?")
        assert "hermano" in found(store, "which brother gets married at the beach?")
        assert "violon" in found(store, "who learns the violin?")
        assert "washing machine" in found(store, "Was ist mit der Waschmaschine?")
        assert "Martha" in found(store, "Wem habe ich das Zelt geliehen?")


def test_english_is_embedded_as_it_was_said(tmp_path: Path) -> None:
    embedder = Counting()
    with opened(tmp_path, embedder) as store:
        store.start()
        told(store)
    assert "The washing machine leaks when it spins." in embedder.embedded
    assert not any("Ersatzschlüssel" in text for text in embedder.embedded)


def test_with_new_lexicons_only_what_is_in_another_language_is_indexed_again(tmp_path: Path) -> None:
    with opened(tmp_path, HashedEmbedder()) as store:
        store.start()
        told(store)
    noted = tmp_path / "index" / "glosses.json"
    version = json.loads(noted.read_text())
    noted.write_text(json.dumps({"version": "of an earlier day", "up_to": None}))
    embedder = Counting()
    with opened(tmp_path, embedder) as store:
        store.start()
        until("the glosses to be made anew", lambda: json.loads(noted.read_text()) == version)
    assert json.loads(noted.read_text()) == version
    assert len(embedder.embedded) == 3
    assert not any("washing machine leaks" in text or "Martha" in text for text in embedder.embedded)


def test_a_rebuild_notes_the_lexicons_it_was_made_with(tmp_path: Path) -> None:
    with opened(tmp_path, HashedEmbedder()) as store:
        store.start()
        told(store)
    (tmp_path / "index" / "glosses.json").unlink()
    with opened(tmp_path, HashedEmbedder()) as store:
        store.rebuild(lambda *_: None)
    assert json.loads((tmp_path / "index" / "glosses.json").read_text())["up_to"] is None
