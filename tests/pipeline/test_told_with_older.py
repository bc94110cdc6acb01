"""A newer statement answers in the place of the one it may have outdated, whatever its words."""

from __future__ import annotations

from lattice_common.domain.atom import Relation
from lattice_common.domain.recall import Query
from recalled_store import atom, recall_over

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
