"""Other embedding models than the packaged one: a folder of ONNX files, what it is given to read, and whether thresholds fit."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.fetch_model import fetch_model
from lattice_common.adapters.models.glossing_embedder import GlossingEmbedder
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.composition.models import load_model
from lattice_common.domain.recall import Query
from lattice_common.errors import InvalidInput, Unavailable
from lattice_common.settings import Settings
from lattice_common.upkeep.calibration import Thresholds, calibrate
from recalled_store import atom, recall_over

FITTED = Thresholds(0.95, 0.88, 0.72)
GERMAN, ENGLISH = "Der Ersatzschlüssel liegt unter dem Blumentopf", "The spare key lies under the flower pot"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packaged model, put into a folder of its owner's."""
    made = tmp_path_factory.mktemp("models")
    converted = packaged_minilm.converted_model(made).path
    return Path(shutil.copytree(converted, made / "my-model"))


def nearness(glosses: str, folder: Path, tmp_path: Path) -> float:
    embedder = open_embedder(str(folder), cache_dir=tmp_path, threads=1, glosses=glosses)  # type: ignore[arg-type]  # a parameter of the test
    assert embedder is not None
    return float(np.vdot(embedder.embed_query(GERMAN), embedder.embed_query(ENGLISH)))


def test_a_folders_model_is_given_its_texts_as_they_are_unless_glosses_are_wanted(folder: Path, tmp_path: Path) -> None:
    assert nearness("auto", folder, tmp_path) == nearness("no", folder, tmp_path)
    assert nearness("yes", folder, tmp_path) > nearness("no", folder, tmp_path) + 0.2


def test_what_glosses_are_set_to_is_what_the_model_is_opened_with(tmp_path: Path) -> None:
    def opened(glosses: str) -> object:
        return load_model(Settings(_env_file=None, data_dir=tmp_path, judge="none", embed_glosses=glosses)).embedder

    assert isinstance(opened("auto"), GlossingEmbedder)
    assert not isinstance(opened("no"), GlossingEmbedder)


def test_a_model_that_was_not_fetched_says_how_to(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="lattice fetch BAAI/bge-small-en"):
        open_embedder("BAAI/bge-small-en-v1.5", cache_dir=tmp_path, threads=1)


def test_a_model_that_fastembed_does_not_know_is_not_sought(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="knows no model no/such-model"):
        fetch_model("no/such-model", tmp_path)


def test_where_no_model_can_be_put_that_is_said_and_nothing_of_the_network(tmp_path: Path) -> None:
    """As in a container, whose image stays as it is."""
    (tmp_path / "fastembed").write_text("no folder")
    with pytest.raises(Unavailable, match=r"cannot be written .*docs/operations\.md") as refused:
        fetch_model("BAAI/bge-small-en-v1.5", tmp_path)
    assert "huggingface.co" not in str(refused.value)


class Squeezed(HashedEmbedder):
    """A model whose cosines are all nearer to 1."""

    @property
    def model_id(self) -> str:
        return "squeezed"

    def embed(self, texts):  # type: ignore[no-untyped-def]  # as its base
        vectors = super().embed(texts)
        away = np.concatenate([vectors, np.full((len(vectors), 1), 2.0, np.float32)], axis=1)
        return away / np.linalg.norm(away, axis=1, keepdims=True)


ATOMS = [atom(f"{name} keeps {count} {what} in the {place} behind the {thing} of {name}", number)
         for number, (name, count, what, place, thing) in enumerate(
             [(n, c, w, p, t) for n in ("Ada", "Bruno", "Elif") for c in ("two", "three") for w in ("bees", "hens", "boats")
              for p in ("shed", "cellar") for t in ("fence",)])]  # fmt: skip


def test_thresholds_suit_the_model_they_were_fitted_for() -> None:
    model = HashedEmbedder()
    found = calibrate(ATOMS, recall_over(ATOMS).select, model, model, FITTED, FITTED, lambda *_: None)
    assert found.advised == FITTED
    assert found.asked == len(ATOMS)
    assert 0.0 <= found.found_first <= found.found <= 1.0


def test_thresholds_for_another_model_are_carried_over_by_its_own_cosines() -> None:
    found = calibrate(ATOMS, recall_over(ATOMS).select, Squeezed(), HashedEmbedder(), FITTED, FITTED, lambda *_: None)
    # Every distance is a fifth of what it was.
    assert found.advised == Thresholds(0.99, 0.98, 0.94)


def test_too_few_memories_are_said_to_be_too_few() -> None:
    model = HashedEmbedder()
    with pytest.raises(InvalidInput, match="long enough"):
        calibrate(ATOMS[:3], lambda _: recall_over(ATOMS).select(Query("x")), model, model, FITTED, FITTED, lambda *_: None)
