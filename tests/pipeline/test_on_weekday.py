"""On which day of the week somebody is asked what they do."""

from __future__ import annotations

import pytest
from lattice_common.domain.recall import Query
from lattice_common.language.questions.asked_weekday import weekday_asked, weekdays_named
from recalled_store import atom, recall_over


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What do I do on Saturdays?", 5),
        ("what's on Thursdays?", 3),
        ("je fais quoi le lundi soir ?", 0),
        ("qué hago los viernes?", 4),
        ("cosa faccio il martedì?", 1),
        ("wat doe ik op zaterdag?", 5),
        ("Was mache ich mittwochs?", 2),
        ("What do I pay on Fridays?", None),
        ("Where do I go on Fridays?", None),
        ("What does the shop sell on Mondays?", None),
        ("What does Anna do on Mondays?", None),
        ("What do I do?", None),
    ],
)
def test_only_the_day_is_asked_for(question: str, day: int | None) -> None:
    assert weekday_asked(question) == day


def test_days_are_known_in_several_languages_and_forms() -> None:
    assert weekdays_named("op zaterdag, samedis et Mondays") == {5, 0}
    assert weekdays_named("a sunny day in Wednesbury") == set()


SWIM, CHOIR = atom("I swim on Tuesdays at seven.", 1, "2026-03-01"), atom("je fais du chant le lundi à 20h", 2, "2026-03-02")
OTHERS = [atom(f"The bus number {at} stops where the market is.", at, "2026-02-01") for at in range(20, 32)]


def test_what_names_the_day_answers_and_what_names_another_does_not() -> None:
    recall = recall_over([SWIM, CHOIR, *OTHERS])
    assert recall.answer(Query("What do I do on Tuesdays?")).answer == "You swim on Tuesdays at seven. [1]"
    assert recall.answer(Query("je fais quoi le lundi soir ?")).citations[0].atom_id == CHOIR.atom_id
    assert not recall.answer(Query("What do I do on Sundays?")).answered
