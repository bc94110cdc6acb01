"""The contract of ports/reranker.py, on a folder of ONNX files and on words in common."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lattice_common.adapters.memory.word_reranker import WordReranker
from lattice_common.adapters.models.fastembed_reranker import open_reranker
from lattice_common.errors import Unavailable
from lattice_common.ports.reranker import Reranker

from tests.rerankers import write_reranker

TEXTS = ["The spare key lies under the flower pot.", "", "word " * 400, "東京に住んでいます", "naïve\x00\ud800 🙂", "ok"]


@pytest.fixture(params=["folder", "words"])
def reranker(request: pytest.FixtureRequest, tmp_path: Path) -> Reranker:
    if request.param == "words":
        return WordReranker()
    opened = open_reranker(str(write_reranker(tmp_path / "long")), cache_dir=tmp_path, threads=1)
    assert opened is not None
    return opened


def test_each_text_has_a_score_in_the_order_given(reranker: Reranker) -> None:
    scores = reranker.scores("where is the spare key?", TEXTS)
    assert len(scores) == len(TEXTS)
    assert all(math.isfinite(score) for score in scores)
    assert reranker.scores("where is the spare key?", TEXTS[::-1]) == pytest.approx(scores[::-1], abs=1e-4)


def test_no_texts_have_no_scores(reranker: Reranker) -> None:
    assert reranker.scores("where?", []) == []


def test_what_has_the_questions_words_answers_no_worse(reranker: Reranker) -> None:
    key, ok = reranker.scores("spare key", [TEXTS[0], TEXTS[-1]])
    assert key > ok


def test_it_is_the_same_from_many_threads(reranker: Reranker) -> None:
    wanted = reranker.scores("spare key", TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(lambda _: reranker.scores("spare key", TEXTS), range(12)):
            assert scores == pytest.approx(wanted, abs=1e-4)


def test_it_has_a_name(reranker: Reranker) -> None:
    assert reranker.model_id


def test_no_reranker_is_opened_where_none_is_set(tmp_path: Path) -> None:
    assert open_reranker("", cache_dir=tmp_path, threads=1) is None


@pytest.mark.parametrize("model", ["Xenova/ms-marco-MiniLM-L-6-v2", "no/such-model"])
def test_a_reranker_that_is_not_here_is_not_fetched_and_says_how_to(model: str, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="lattice fetch"):
        open_reranker(model, cache_dir=tmp_path, threads=1)


def test_a_folder_without_a_model_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(Unavailable, match=r"model\.onnx"):
        open_reranker(str(tmp_path / "empty"), cache_dir=tmp_path, threads=1)
