"""What is said again in another order or with fewer words is one memory, seen again; through the running product."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.domain.judgement import Relatedness
from lattice_common.domain.recall import Query

from tests.pipeline.living import say, started

FIRST = "My dentist is Dr Roth in Park Street."


class Repeating(ScriptedJudge):
    """Takes any two statements for the same, as surely as it is told, and whatever is found for an answer."""

    def __init__(self, same: float) -> None:
        super().__init__()
        self._same = same

    def relation(self, pair: tuple[str, str]) -> Relatedness:
        return Relatedness(updates=0.05, adds=0.9 - self._same, same=self._same, unrelated=0.05)

    def answers(self, question: str, statements: Sequence[str]) -> list[float]:
        return [0.9] * len(statements)


@pytest.mark.parametrize("again", ["Dr Roth on Park Street is my dentist.", "Dentist: Dr Roth, Park Street", FIRST])
def test_what_is_repeated_is_one_memory(tmp_path: Path, again: str) -> None:
    with started(tmp_path, judge=Repeating(0.8)) as store:
        say(store, FIRST, observed_at="2026-01-05T10:00:00Z")
        receipt = say(store, again, observed_at="2026-02-05T10:00:00Z")
        assert (receipt.atoms_new, receipt.duplicates_skipped) == (0, 1)
        assert [atom.content for atom in store.stores.catalogue.all()] == [FIRST]
        assert store.lattice.answer(Query("Who is my dentist?")).citations[0].quote == FIRST


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Priya is vegetarian.", "Priya is vegan."),
        ("Tom likes Anna.", "Anna likes Tom."),
        ("Tom's birthday is 14 March.", "Remind me of Tom's birthday on 14 March."),
        ("I'm allergic to penicillin.", "I'm allergic to penicillin and to cats."),
    ],
)
def test_what_says_something_else_or_more_is_a_memory_of_its_own(tmp_path: Path, known: str, new: str) -> None:
    with started(tmp_path, judge=Repeating(0.8)) as store:
        say(store, known, observed_at="2026-01-05T10:00:00Z")
        assert len(say(store, new, observed_at="2026-02-05T10:00:00Z").atom_ids) == 1


def test_what_the_judge_hardly_takes_for_the_same_stays(tmp_path: Path) -> None:
    with started(tmp_path, judge=Repeating(0.6)) as store:
        say(store, "The car is with Tom.", observed_at="2026-01-05T10:00:00Z")
        assert len(say(store, "Tom has the car.", observed_at="2026-02-05T10:00:00Z").atom_ids) == 1


def test_what_happened_on_another_day_happened_again(tmp_path: Path) -> None:
    with started(tmp_path, judge=Repeating(0.8)) as store:
        say(store, "Had lunch with Tom yesterday.", observed_at="2026-01-05T10:00:00Z")
        assert len(say(store, "Lunch with Tom yesterday.", observed_at="2026-02-05T10:00:00Z").atom_ids) == 1


def test_of_two_that_answer_the_one_that_says_it_all_is_told(tmp_path: Path) -> None:
    more = "I'm allergic to penicillin and to cats."
    with started(tmp_path, judge=Repeating(0.8)) as store:
        for text, month in (("I'm allergic to penicillin.", "01"), (more, "02")):
            say(store, text, observed_at=f"2026-{month}-05T10:00:00Z")
        answer = store.lattice.answer(Query("What am I allergic to?"))
        assert [each.quote for each in answer.citations] == [more]
