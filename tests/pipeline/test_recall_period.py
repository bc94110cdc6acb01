"""What happened in a time is answered by what lies in it, whatever its words."""

from __future__ import annotations

import pytest
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query
from lattice_common.recall.pipeline import RecallOptions
from recalled_store import atom, day, recall_over

# The clock of these tests stands at Monday, 5 January 2026.
LIFE = [
    atom("The dentist is booked for 3 March.", 0, "2026-01-02", valid_from=day("2026-03-03"), valid_until=day("2026-03-04")),
    atom("Mara broke her wrist on the ice rink.", 1, "2025-12-30"),
    atom("Sold the old piano to a school in Graz.", 2, "2026-01-03"),
    atom("What happened at work last week was the usual.", 3, "2025-10-05"),
    atom("The boiler was serviced by Wenzel.", 4, "2025-11-15"),
    *(atom(f"Shelf {number} of the cellar holds jars.", 10 + number, "2025-08-01") for number in range(30)),
]
WAYS = (pytest.param({}, id="with meaning"), pytest.param({"options": RecallOptions(dense_seeds=False)}, id="no model"))


def found(question: str, **way: object) -> list[str]:
    return [each.atom.content for each in recall_over(LIFE, **way).select(Query(question, limit=5)).atoms]  # type: ignore[arg-type]


@pytest.mark.parametrize("way", WAYS)
def test_what_happened_last_week_is_what_lies_in_it(way: dict[str, object]) -> None:
    assert set(found("What happened last week?", **way)) == {LIFE[1].content, LIFE[2].content}


def test_what_was_told_last_week_counts_by_when_it_was_said() -> None:
    assert set(found("What did I tell you last week?")) == {LIFE[0].content, LIFE[1].content, LIFE[2].content}


def test_that_something_lies_in_it_answers_such_a_question() -> None:
    recall = recall_over(LIFE)
    assert recall.select(Query("What happened last week?")).answerable
    assert not recall.select(Query("What happened in March 2021?")).answerable


def test_a_question_for_something_in_particular_is_only_helped_by_its_time() -> None:
    assert found("Who serviced the boiler last week?")[0] == LIFE[4].content


def test_as_of_an_earlier_day_the_time_is_counted_from_there() -> None:
    query = Query("What happened last month?", as_of=day("2025-12-10"))
    assert [each.atom.content for each in recall_over(LIFE).select(query).atoms] == [LIFE[4].content]


def test_an_answer_tells_all_of_a_time_in_its_order() -> None:
    answer = recall_over(LIFE).answer(Query("What happened last week?"))
    assert answer.answer == f"- {LIFE[1].content} [1]\n- {LIFE[2].content} [2]"


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which garage did I use before we moved to Graz?", "Took the car to the garage of Huber."),
        ("Which garage did I use after we moved to Graz?", "Took the car to the garage of Lindner."),
        ("Which garage did I use when we moved to Graz?", "Took the car to the garage of Stark."),
        ("Which garage did I use until the move to Graz?", "Took the car to the garage of Huber."),
    ],
)
def test_a_time_may_be_told_by_what_happened(question: str, first: str) -> None:
    garages = [
        atom("Took the car to the garage of Huber.", 100, "2025-01-10"),
        atom("We moved to Graz, the move took two vans.", 101, "2025-06-01"),
        atom("Took the car to the garage of Stark.", 102, "2025-06-05"),
        atom("Took the car to the garage of Lindner.", 103, "2025-12-20"),
    ]
    found = recall_over([*LIFE, *garages]).select(Query(question)).atoms
    assert next(each.atom.content for each in found if "garage" in each.atom.content) == first


def test_a_time_that_nothing_is_known_of_changes_nothing() -> None:
    assert found("Who serviced the boiler before the flood of Passau?")[0] == LIFE[4].content


EVENTS = [
    atom("Rob and Elise's wedding in Bath.", 200, "2025-06-13"),
    atom("Picked up my dress, the zip was broken.", 201, "2025-06-12"),
    atom("Off to Brittany, ferry at 22:15.", 202, "2025-07-11"),
    atom("Owen capsized the kayak with the picnic in it.", 203, "2025-07-18"),
    atom("Home from Brittany, sand in everything.", 204, "2025-07-25"),
    atom("Finn's birthday is on 6 October.", 205, "2025-02-01"),
    atom("Bowling with six boys.", 206, "2025-10-06"),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What happened the day before the wedding?", [EVENTS[1]]),
        ("What did we do on Finn's birthday?", [EVENTS[6]]),
        ("What happened while we were in Brittany?", EVENTS[2:5]),
        ("What was broken the day before the wedding?", [EVENTS[1]]),
    ],
)
def test_what_happened_in_a_time_that_an_event_names_is_what_lies_in_it(question: str, answer: list[Atom]) -> None:
    assert set(found_in([*LIFE, *EVENTS], question)) == {each.content for each in answer}


def test_an_answer_tells_all_of_a_time_that_an_event_names_in_its_order() -> None:
    answer = recall_over([*LIFE, *EVENTS]).answer(Query("What happened while we were in Brittany?"))
    told = [answer.answer.find(word) for word in ("ferry", "capsized", "sand in everything")]
    assert -1 not in told
    assert told == sorted(told)


def found_in(memory: list[Atom], question: str) -> list[str]:
    return [each.atom.content for each in recall_over(memory).select(Query(question, limit=5)).atoms]
