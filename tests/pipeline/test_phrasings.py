"""A question in other words: a language model's, where the owner wants that, looked for beside the question itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.scripted_model import Saying, ScriptedModel
from lattice_common.domain.recall import Query
from lattice_common.errors import ModelUnavailable
from lattice_common.ports.language_model import ModelRequest
from lattice_common.recall.phrasings import phrasings
from reflecting import opened

from tests.pipeline.living import say

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
QUESTION = "Which physician looks after my knee?"
MEANT = "Dr. Roth treats the joint in my leg every Tuesday."
NEARER_IN_WORDS = "The physician next door looks after my plants."
TOLD = [MEANT, NEARER_IN_WORDS, "The bakery opens at seven."]


def saying(*texts: str) -> Callable[[ModelRequest], Saying]:
    """A model that knows other words, and writes no answers."""

    def say_so(request: ModelRequest) -> Saying:
        if request.purpose == "rewrite":
            return json.dumps({"phrasings": list(texts)})
        return ModelUnavailable("away")

    return say_so


def said(question: str, *texts: str) -> tuple[str, ...]:
    model = ScriptedModel(saying(*texts))
    return phrasings(question, lambda request: model.complete(request).text, "fence")


def first_found(root: Path, model: ScriptedModel, **settings: object) -> tuple[str, int]:
    """The best memory of an answer, and how often the model was asked for other words."""
    with opened(root, model, FixedClock(NOW), **settings) as store:
        for words in TOLD:
            say(store, words)
        answer = store.lattice.answer(Query(QUESTION))
        asked = sum(request.purpose == "rewrite" for request in model.requests)
        return answer.atoms[0].atom.content, asked


def test_what_was_told_in_other_words_comes_first_once_the_model_says_them(tmp_path: Path) -> None:
    other = saying("Who treats the joint in my leg?", "Which doctor treats my leg joint?")
    assert first_found(tmp_path / "off", ScriptedModel(other)) == (NEARER_IN_WORDS, 0)
    assert first_found(tmp_path / "on", ScriptedModel(other), rewrite=True) == (MEANT, 1)


def test_looking_up_asks_no_model(tmp_path: Path) -> None:
    model = ScriptedModel(saying("Who treats the joint in my leg?"))
    with opened(tmp_path, model, FixedClock(NOW), rewrite=True) as store:
        say(store, MEANT)
        store.lattice.select(Query(QUESTION))
    assert model.calls == 0


@pytest.mark.parametrize("says", ["no JSON", "{}", '{"phrasings": "one"}', '{"phrasings": [1, null, ""]}', "[]"])
def test_what_a_model_says_wrongly_costs_nothing(tmp_path: Path, says: str) -> None:
    assert first_found(tmp_path, ScriptedModel(lambda _: says), rewrite=True)[0] == NEARER_IN_WORDS


def test_a_model_that_is_away_costs_nothing(tmp_path: Path) -> None:
    assert first_found(tmp_path, ScriptedModel([], up=False), rewrite=True) == (NEARER_IN_WORDS, 0)


@pytest.mark.parametrize(
    ("question", "phrasing"),
    [
        ("Where does my sister live?", "Where does Anna live?"),
        ("Where does Anna live?", "Where does my sister live?"),
        ("What did I pay in 2024?", "What did I pay in 2025?"),
        ("What did I pay in 2024?", "What did I pay?"),
        ("Wo wohnt Ilya?", "In welcher Stadt lebt Boris?"),
        ("Where do I live?", "where do i live?"),
        ("Where do I live?", "x" * 700),
    ],
)
def test_a_phrasing_that_asks_for_something_else_or_the_same_is_not_looked_for(question: str, phrasing: str) -> None:
    assert said(question, phrasing) == ()


@pytest.mark.parametrize(
    ("question", "phrasing"),
    [
        ("Where does Anna live?", "Which city is Anna's home?"),
        ("What did I pay in 2024?", "How much was spent in 2024?"),
        ("Wo wohnt Ilya?", "In welcher Stadt lebt Ilya?"),
        ("Где живёт Илья?", "В каком городе живёт Илья?"),
    ],
)
def test_a_phrasing_of_the_same_people_and_numbers_is_looked_for(question: str, phrasing: str) -> None:
    assert said(question, phrasing, phrasing, question) == (phrasing,)


def test_at_most_two_are_looked_for_and_a_page_is_asked_as_it_is() -> None:
    assert len(said("Where is the key?", "Where did I leave the key?", "Who has the key?", "Which drawer has the key?")) == 2
    assert said("Where is the key? " * 30, "Where did I leave it?") == ()
