"""A reranker puts the best few in another order; it takes nothing away, and its absence is no error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lattice_common.composition.models import Model, load_model
from lattice_common.domain.recall import Query, Selection
from lattice_common.errors import Unavailable
from lattice_common.ports.reranker import Reranker
from lattice_common.settings import Settings
from recalled_store import atom, recall_over

from tests.rerankers import write_reranker

ATOMS = [atom(f"The garden bench number {number} is green", number) for number in range(1, 41)]
WANTED = "The garden bench number 17 is green"


class Prefers:
    """Likes one text above all others."""

    model_id = "prefers"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        return [100.0 * (text == WANTED) for text in texts]


class AwayReranker:
    model_id = "away"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        raise Unavailable("the reranker is away")


def selected(reranker: Reranker | None) -> Selection:
    return recall_over(ATOMS[:20], model=Model(None, reranker=reranker)).select(Query("which garden bench?", limit=20))


def test_what_the_reranker_prefers_comes_first_and_nothing_is_lost() -> None:
    plain, anew = selected(None), selected(Prefers())
    assert plain.atoms[0].atom.content != WANTED
    assert anew.atoms[0].atom.content == WANTED
    assert sorted(each.score for each in anew.atoms) == sorted(each.score for each in plain.atoms)


def test_a_reranker_that_is_away_leaves_the_order_and_is_named() -> None:
    plain, without = selected(None), selected(AwayReranker())
    assert [each.atom.atom_id for each in without.atoms] == [each.atom.atom_id for each in plain.atoms]
    assert without.degraded == (*plain.degraded, "rerank: the reranker is away")


def test_the_reranker_that_is_set_is_loaded_from_its_folder(tmp_path: Path) -> None:
    folder = write_reranker(tmp_path / "long")
    model = load_model(Settings(_env_file=None, data_dir=tmp_path, embed_model="none", judge="none", rerank_model=str(folder)))
    assert model.reranker is not None
    assert model.reranker.model_id.startswith("long@")


def test_a_reranker_that_cannot_be_had_is_said(tmp_path: Path) -> None:
    chosen = Settings(_env_file=None, data_dir=tmp_path, embed_model="none", judge="none", rerank_model=str(tmp_path))
    assert "LATTICE_RERANK_MODEL" in (load_model(chosen).reranker_missing or "")
