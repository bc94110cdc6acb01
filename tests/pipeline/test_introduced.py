"""Who somebody is, is answered by the statement that says so, whatever else it is about."""

from __future__ import annotations

import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition.models import Model
from lattice_common.domain.recall import Query
from lattice_common.language.questions.asked_person import asked_name, asked_person
from recalled_store import atom, recall_over

HOME, KEY, PORT = "I live in Ghent with my husband Piet.", "Our neighbour Joke has our spare key.", "Piet works at the port."
TOLD = [atom(HOME, 1), atom(KEY, 2), atom(PORT, 3), atom("Piet's birthday is 9 May.", 4), atom("The bins go out on Tuesday.", 5)]


def answered(question: str) -> str:
    judge = ScriptedJudge(answering={(question, each.content): 0.01 for each in TOLD})
    return recall_over(TOLD, model=Model(HashedEmbedder(), judge=judge)).answer(Query(question)).answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is Piet?", "You live in Ghent with your husband Piet. [1]"),
        ("who's joke", "Your neighbour Joke has your spare key. [1]"),
        ("Who is my husband?", "You live in Ghent with your husband Piet. [1]"),
        ("Wer ist Piet?", "You live in Ghent with your husband Piet. [1]"),
        ("What's my husband called?", "You live in Ghent with your husband Piet. [1]"),
        ("Name of my neighbour?", "Your neighbour Joke has your spare key. [1]"),
        ("Wie heißt mein Mann?", "You live in Ghent with your husband Piet. [1]"),
    ],
)
def test_the_statement_that_says_who_somebody_is_answers(question: str, told: str) -> None:
    assert answered(question) == told


def test_nobody_is_introduced_who_is_not_known() -> None:
    assert answered("Who is Tom?").startswith("I don't know.")


def test_a_role_that_is_over_introduces_nobody() -> None:
    ended = [
        atom("My boss is Henrik.", 1, is_superseded=True, superseded_by="atom0002"),
        atom("Sofia is my boss.", 2, supersedes=("atom0001",)),
    ]
    judge = ScriptedJudge()
    answer = recall_over(ended, model=Model(HashedEmbedder(), judge=judge)).answer(Query("Who is my boss?")).answer
    assert answer.startswith("Sofia")


@pytest.mark.parametrize(
    ("question", "whose"),
    [
        ("What's Teo's mum called?", "Teo's mum"),
        ("what is the name of my boss", "my boss"),
        ("What was my teacher's name?", "my teacher"),
        ("Comment s'appelle mon dentiste ?", "mon dentiste"),
        ("¿Cómo se llama mi jefa?".lstrip("¿"), "mi jefa"),
        ("What is my boss called by his wife?", None),
        ("What's the name of my boss, and of my dentist?", None),
        ("Who is Piet?", None),
    ],
)
def test_a_question_for_a_name_alone_says_whose(question: str, whose: str | None) -> None:
    assert asked_name(question) == whose


@pytest.mark.parametrize(
    ("question", "whom"),
    [
        ("Who is Piet?", "Piet"),
        ("who's Dr. Roth", None),
        ("And who is my sister?", "my sister"),
        ("Quién es Joan?", "Joan"),
        ("Qui est Malo ?", "Malo"),
        ("Who has the key?", None),
        ("Who is coming, and when?", None),
    ],
)
def test_whom_a_question_asks_for(question: str, whom: str | None) -> None:
    assert asked_person(question) == whom
