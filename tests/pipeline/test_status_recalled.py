"""What is not simply so, from what is told to what is answered: never a plain fact."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.domain.judgement import Status
from lattice_common.domain.recall import Query, Selected
from lattice_common.language.questions.asked_status import asked_statuses
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.extractive import Judgements, extractive_answer
from living import say, started
from recalled_store import atom, day, recall_over


def test_the_judge_is_asked_how_what_is_told_is_meant(tmp_path: Path) -> None:
    judge = ScriptedJudge(meant={"The cat has filed a formal complaint.": ("tell", "joked")})
    with started(tmp_path, judge=judge) as store:
        (joke,) = say(store, "The cat has filed a formal complaint.").atom_ids
        (fact,) = say(store, "The cat is called Pirozhok.").atom_ids
        assert [each.status for each in store.lattice.atoms([joke, fact])] == ["joked", "asserted"]


def test_without_a_judge_certain_rules_say_how_it_is_meant(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        (wish,) = say(store, "I wish I had a boat.").atom_ids
        assert store.lattice.atom(wish).atom.status == "wished"


@pytest.mark.parametrize(
    ("status", "content", "shown"),
    [
        ("wished", "I'd love a boat.", "You would like it so: “I'd love a boat”. [1]"),
        ("supposed", "If I won, a boat.", "You were thinking of it: “If I won, a boat”. [1]"),
        ("quoted", "Kasia says that the boat leaks.", "Kasia said that the boat leaks. [1]"),
        ("quoted", "My sister reckons the boat leaks.", "Your sister said that the boat leaks. [1]"),
        ("quoted", "My sister says I should sell my boat.", "Your sister said that you should sell your boat. [1]"),
        ("quoted", "Kasia says: I will sell my boat.", "Kasia said: I will sell my boat. [1]"),
        ("quoted", "Rumour has it the boat leaks.", "Somebody said: “Rumour has it the boat leaks”. [1]"),
        ("quoted", "Meine Kollegin hat erzählt, dass das Boot leckt.", "Meine Kollegin hat erzählt, dass das Boot leckt. [1]"),
        ("wished", "Jonas träumt von einem Boot.", "Jonas would like it so: “Jonas träumt von einem Boot”. [1]"),
        ("wished", "Barcelona by boat would be lovely.", "You would like it so: “Barcelona by boat would be lovely”. [1]"),
        ("joked", "My boat is a submarine.", "You joked: “My boat is a submarine”. [1]"),
        ("rejected", "Nearly bought the boat.", "You considered it and dropped it: “Nearly bought the boat”. [1]"),
        ("uncertain", "Maybe the boat is red.", "You were not sure: “Maybe the boat is red”. [1]"),
        ("past", "I used to have a boat.", "You used to have a boat. [1]"),
        ("planned", "I'm getting a boat in May.", "You’re getting a boat in May. [1]"),
    ],
)
def test_an_answer_says_how_it_was_meant(status: Status, content: str, shown: str) -> None:
    known = recall_over([atom(content, 1, status=status, subject="boat")])
    assert known.answer(Query("boat"), atom_ids=["atom0001"]).answer == shown


def test_what_somebody_else_said_in_jest_is_theirs() -> None:
    known = recall_over([atom("My boat is a submarine.", 1, status="joked", speaker="Mel")])
    assert known.answer(Query("boat"), atom_ids=["atom0001"]).answer == "Mel joked: “My boat is a submarine”. [1]"


def test_a_question_of_fact_is_answered_from_what_is_so() -> None:
    wish = atom("I would love to live in Lisbon by the sea.", 1, status="wished")
    fact = atom("We live in Leeds by the canal.", 2)
    answer = recall_over([wish, fact]).answer(Query("Where do we live?"))
    assert answer.answer.startswith("You live in Leeds")
    assert "Lisbon" not in answer.answer


@pytest.mark.parametrize(
    ("so", "dropped", "asked_for", "told"),
    [(0.5, 0.3, (), False), (0.2, 0.15, (), False), (0.2, 0.3, (), True), (0.5, 0.3, ("rejected",), True)],
)
def test_beside_what_is_so_and_likelier_to_answer_nothing_else_is_told(
    so: float, dropped: float, asked_for: tuple[Status, ...], told: bool
) -> None:
    house = Selected(atom("We nearly bought a house in Lisbon.", 1, status="rejected"), 8.0)
    home = Selected(atom("Our flat is in Leeds.", 2), 8.0)
    answer = extractive_answer(
        Question(Query("Where do we live?"), "Where do we live?", tokens=("live",), statuses=asked_for),
        [house, home],
        {},
        answerable=True,
        trace_id="trace",
        now=day("2026-06-01"),
        judgements=Judgements(chances={house.atom.atom_id: dropped, home.atom.atom_id: so}),
    )
    assert ("Lisbon" in answer.answer) == told
    assert "Leeds" in answer.answer


def test_a_question_about_wishes_gets_the_wish() -> None:
    wish = atom("I would love to live in Lisbon by the sea.", 1, status="wished")
    fact = atom("We live in Leeds by the canal.", 2)
    found = recall_over([wish, fact]).select(Query("Where would I like to live?"))
    assert found.atoms[0].atom.status == "wished"


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("what would i like to see once?", "wished"),
        ("what did kasia say about the bakery?", "quoted"),
        ("what did i consider and drop?", "rejected"),
        ("what are my plans for may?", "planned"),
        ("what did i joke about?", "joked"),
        ("what am i not sure about?", "uncertain"),
        ("where did i use to swim, before?", "past"),
    ],
)
def test_questions_about_what_is_not_so_are_known(question: str, status: Status) -> None:
    assert status in asked_statuses(question)


@pytest.mark.parametrize(
    "question", ["where do i live?", "when is anna's birthday?", "who has the key?", "do you know if tom has a car?"]
)
def test_a_question_of_fact_asks_for_nothing_else(question: str) -> None:
    assert asked_statuses(question) == ()
