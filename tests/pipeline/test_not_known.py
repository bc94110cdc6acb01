"""What was never said is not answered, however little is remembered beside it: with the packaged model, through the product."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, load_model, open_embedded
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings

MEMORIES = Path(__file__).parents[1] / "data" / "abstention" / "memories.json"
TOLD = ("I live in Lisbon.", "The spare key is with Ines.")
BESIDE = (
    "The boiler was serviced in spring.", "Anouk moved to Rotterdam.", "We froze most of the mushrooms.", "The fig tree died.",
    "Viktor plays the cello.", "I gave up sugar.", "The tent has a hole.", "Jana left her scarf here.", "The mattress is new.",
    "Theo sold his trumpet.", "My knee hurts on stairs.", "The curtains are too short.",
)  # fmt: skip


@contextmanager
def told(folder: Path, texts: Sequence[str]) -> Iterator[Embedded]:
    """The product with the packaged model, told these."""
    settings = Settings(data_dir=folder)
    with open_embedded(settings, model=load_model(settings)) as opened:
        opened.start()
        for each in [opened.lattice.accept(IngestRequest(text=text)) for text in texts]:
            opened.lattice.wait_for(each.status.capture_id, 60.0)
        yield opened


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    with told(tmp_path_factory.mktemp("few"), TOLD) as opened:
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
        "What is Ines's mobile number?",
        "What's the e-mail address of whoever has the spare key?",
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
        ("Where do I live?", "Lisbon"),
        ("What city am I in?", "You live in Lisbon."),
        ("Who has the spare key?", "Ines"),
        ("How can I get in without my key?", TOLD[1]),
    ],
)
def test_what_is_remembered_is_answered_in_other_words_too(product: Embedded, question: str, said: str) -> None:
    answer = product.lattice.answer(Query(question))
    assert answer.answered
    assert said in answer.answer


NEAR = (
    "Mara's dog was born on 3 March 2021.",
    "Dr. Okafor checked my blood again, the iron is fine now.",
    "Rosa asked me to be godmother to the baby.",
    "I live in Lisbon.",
    "The spare key is with Ines.",
    "We keep the passports in the blue tin.",
    "Paid 640 for blackout shutters in the bedroom.",
    "Halina retired in September and left me her rye notebook.",
)


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    with told(tmp_path_factory.mktemp("near"), NEAR) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "nearest"), [("What breed is Mara's dog?", "Mara's dog"), ("what is my blood type?", "blood")]
)
def test_another_value_of_what_was_told_of_is_not_known_and_what_is_known_near_it_is_said(
    near: Embedded, question: str, nearest: str
) -> None:
    answer = near.lattice.answer(Query(question))
    assert not answer.answered, answer.answer
    assert nearest in answer.answer


@pytest.mark.parametrize("question", ["When was Mara's dog born?", "Who has the spare key?", "What did the shutters cost?"])
def test_what_was_told_of_is_answered_where_it_holds_the_value(near: Embedded, question: str) -> None:
    assert near.lattice.answer(Query(question)).answered


def test_recall_is_no_surer_because_less_is_remembered(product: Embedded, tmp_path: Path) -> None:
    asked = ("What is the wifi password?", "Which film did we want to watch?", "Where are my skis?")
    with told(tmp_path, TOLD + BESIDE) as more:
        for question in asked:
            few, many = (each.lattice.select(Query(question)).confidence for each in (product, more))
            assert few <= many + 0.01, question


@pytest.mark.slow
def test_small_memories_of_everyday_life_answer_what_they_hold_and_little_else(tmp_path: Path) -> None:
    right = {"answered": 0, "near": 0, "far": 0}
    asked = dict.fromkeys(right, 0)
    for memory in json.loads(MEMORIES.read_text(encoding="utf-8"))["memories"]:
        with told(tmp_path / memory["name"], memory["told"]) as opened:
            for question, _ in memory["answered"]:
                right["answered"] += opened.lattice.select(Query(question, judged=True)).answerable
            for kind in ("near", "far"):
                unknown = [not opened.lattice.select(Query(question, judged=True)).answerable for question in memory[kind]]
                right[kind] += sum(unknown)
        for kind in asked:
            asked[kind] += len(memory[kind])
    shares = {kind: right[kind] / asked[kind] for kind in asked}
    assert shares["answered"] >= 0.95, shares
    assert shares["far"] >= 0.70, shares
    assert shares["near"] >= 0.30, shares
