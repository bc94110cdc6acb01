"""A newer statement answers in the place of the one it may have outdated, whatever its words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition.models import Model
from lattice_common.domain.atom import Atom, Relation
from lattice_common.domain.recall import Query
from recalled_store import atom, day, recall_over

DUE = atom("The car is due for inspection in May (May 2026).", 1, "2026-03-04")
PASSED = atom("Huber let it through, 312 for the brakes.", 2, "2026-05-06", relations=(Relation("may_update", DUE.atom_id),))
OTHERS = [
    atom("The flight to Lisbon is due on 4 December (4 December 2026).", 3, "2026-11-10"),
    *(atom(f"The bus number {at} stops where the market is.", at, "2026-02-01") for at in range(20, 32)),
]


def test_what_may_have_outdated_the_best_is_told_with_it_and_nothing_of_another_matter() -> None:
    answer = recall_over([DUE, PASSED, *OTHERS]).answer(Query("When is the car's inspection due?"))
    since, before = f"Since 6 May 2026: {PASSED.content} [1]", f"Before: {DUE.content} [2]"
    assert answer.answer == f"{since} {before}"


def test_without_anything_newer_the_best_is_told_alone() -> None:
    answer = recall_over([DUE, *OTHERS]).answer(Query("When is the car's inspection due?"))
    assert answer.answer == "The car is due for inspection in May (May 2026). [1]"


def test_a_question_about_a_time_is_not_answered_by_what_came_later() -> None:
    pressure = atom("My blood pressure was 135 over 88.", 5, "2026-02-01")
    passed = atom("I passed the exam.", 6, "2026-09-03", relations=(Relation("updates", pressure.atom_id),))
    recall = recall_over([pressure, passed, *OTHERS])
    assert recall.select(Query("What was my blood pressure in February?")).atoms[0].atom == pressure
    assert recall.select(Query("What is my blood pressure?")).atoms[0].atom == passed


KASSEL = atom("I live in Kassel.", 7, "2026-01-05", is_superseded=True, superseded_by="atom0008")
MOVED = atom("We moved to Goettingen.", 8, "2026-05-15", supersedes=("atom0007",))
FEE = atom("The gym is 30 euros a month.", 9, "2026-02-11")
DEARER = atom("The gym went up to 35 euros.", 10, "2026-06-01", relations=(Relation("may_update", FEE.atom_id),))


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where did I live in March?", KASSEL),
        ("Where do I live?", MOVED),
        ("How much was the gym in March?", FEE),
        ("How much is the gym?", DEARER),
    ],
)
def test_how_it_was_in_a_time_is_what_held_then(question: str, first: Atom) -> None:
    recall = recall_over([KASSEL, MOVED, FEE, DEARER, *OTHERS])
    assert recall.select(Query(question)).atoms[0].atom == first


def test_what_held_then_comes_before_what_is_only_dated_in_that_time() -> None:
    dated = [
        atom("The check-up is on 18 March.", 40, "2026-03-02", valid_from=day("2026-03-18"), kind="event"),
        atom("I did the tax return.", 41, "2026-03-10", kind="event"),
        atom("Choir moved to Mondays in March.", 42, "2026-02-20", valid_from=day("2026-03-01"), kind="event"),
    ]
    recall = recall_over([KASSEL, MOVED, *dated, *OTHERS])
    assert recall.select(Query("Where did we live in March, and on which street?")).atoms[0].atom == KASSEL


def test_what_is_put_first_for_being_newer_does_not_make_all_else_worth_telling() -> None:
    rent = atom("The rent of the flat is 1,310 a month.", 43, "2026-03-11")
    out = atom("We pulled out.", 44, "2026-05-02", relations=(Relation("updates", rent.atom_id),))
    answer = recall_over([rent, out, *OTHERS]).answer(Query("What is the rent of the flat a month?"))
    assert answer.answer == "1,310 a month [1]"


def test_what_stands_in_the_place_of_an_older_statement_makes_nothing_less_certain() -> None:
    rent = atom("The rent of the flat rises to 1,230 euros in June (June 2026).", 45, "2026-03-12")
    job = atom("I start at the library in July.", 46, "2026-04-04", relations=(Relation("may_update", rent.atom_id),))
    alone, doubted = (
        recall_over([*told, *OTHERS]).select(Query("How much is the rent of the flat?")) for told in ([rent], [rent, job])
    )
    assert doubted.atoms[0].atom == job
    assert doubted.confidence >= alone.confidence - 0.01


def test_what_no_longer_holds_is_said_to() -> None:
    answer = recall_over([KASSEL, MOVED, *OTHERS]).answer(Query("Where did I live in March?"))
    assert answer.answer.startswith("You live in Kassel (no longer so). [1]")


def test_what_was_told_before_a_time_that_is_still_going_on_comes_before_what_it_may_have_outdated() -> None:
    recall = recall_over([FEE, replace(DEARER, observed_at=day("2026-03-01")), *OTHERS])
    assert recall.select(Query("How much is the gym this year?")).atoms[0].atom.atom_id == DEARER.atom_id


def test_a_question_about_how_it_was_is_answered_with_the_older_one_first() -> None:
    recall = recall_over([FEE, DEARER, *OTHERS])
    told = [each.atom for each in recall.select(Query("How much was the gym before?")).atoms]
    assert told.index(FEE) < told.index(DEARER)


def test_what_was_before_is_told_once() -> None:
    owed = atom("I owe Nadia 35 pounds for the flowers.", 11, "2026-02-11", is_superseded=True, superseded_by="atom0012")
    paid = atom("Paid Nadia back.", 12, "2026-03-01", supersedes=(owed.atom_id,))
    told = recall_over([owed, paid, *OTHERS]).answer(Query("How much do I owe Nadia?")).answer
    assert told.count("35 pounds for the flowers") == 1


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("wat is m'n telefoonnummer?", "m'n nummer is 06-38114402", "nieuwe simkaart dus een ander nummer: 06-22907715"),
        ("wie is mijn huisarts?", "onze huisarts is dokter Verbeek", "Verbeek stopt ermee, we zitten nu bij dokter Amrani"),
        ("wat is het wifi wachtwoord?", "wifi wachtwoord thuis: Stroopwafel#9", "nieuwe wifi code: Hagelslag_2026"),
    ],
)
def test_of_two_values_of_a_kind_the_newer_comes_first_however_likely_it_answers(question: str, old: str, new: str) -> None:
    older = atom(old, 50, "2026-01-05")
    newer = atom(new, 51, "2026-06-18", relations=(Relation("may_update", older.atom_id),))
    judge = ScriptedJudge({}, answering={(question, old): 0.9, (question, new): 0.05})
    answer = recall_over([older, newer], model=Model(HashedEmbedder(), judge=judge)).answer(Query(question)).answer
    assert answer.index(new) < answer.index(old)
