"""What was never said is not answered, however little is remembered beside it: with the packaged model, through the product."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings
from lattice_common.wiring import Embedded, load_model, open_embedded

TOLD = ("I live in Lisbon.", "The spare key is with Ines.")


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    folder: Path = tmp_path_factory.mktemp("few")
    settings = Settings(data_dir=folder)
    with open_embedded(settings, model=load_model(settings)) as opened:
        opened.start()
        for text in TOLD:
            opened.lattice.wait_for(opened.lattice.accept(IngestRequest(text=text)).status.capture_id, 60.0)
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "what is the wifi password?",
        "when is my flight?",
        "How much was the parking ticket?",
        "When is Ines's birthday?",
        "What is the name of the cat?",
        "Which film did we want to watch?",
    ],
)
def test_what_nothing_remembered_is_about_is_not_known(product: Embedded, question: str) -> None:
    answer = product.lattice.answer(Query(question))
    assert not answer.answered
    assert answer.answer.startswith("I don't know.")
    assert "Said on" not in answer.answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where do I live?", TOLD[0]),
        ("What city am I in?", TOLD[0]),
        ("Who has the spare key?", TOLD[1]),
        ("How can I get in without my key?", TOLD[1]),
    ],
)
def test_what_is_remembered_is_answered_in_other_words_too(product: Embedded, question: str, said: str) -> None:
    answer = product.lattice.answer(Query(question))
    assert answer.answered
    assert said in answer.answer
