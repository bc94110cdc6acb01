"""Recall as its callers see it: a question in, atoms with scores out."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition.models import Model
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Filter, Query
from lattice_common.errors import InvalidInput
from lattice_common.recall.pipeline import Recall
from recalled_store import atom, day, recall_over

LIFE = [
    atom("I live in Berlin near the canal.", 1, "2025-01-10", subject="home", entities=("Berlin",)),
    atom("My dentist is Dr. Weber on Mill Lane.", 2, "2025-02-01", subject="dentist", session_id="a", source_id="notes.md"),
    atom("The car needs 5W-30 engine oil.", 3, "2025-03-05", subject="car", kind="instruction"),
    atom("Nora is allergic to walnuts.", 4, "2025-04-06", subject="Nora", entities=("Nora",), session_id="b"),
    atom("We planted garlic by the fence.", 5, "2025-05-07", subject="garden", kind="event"),
]


def contents(query: Query, atoms: Sequence[Atom] = LIFE, **store: Any) -> list[str]:
    return [selected.atom.content for selected in recall_over(atoms, **store).select(query).atoms]


def test_the_atom_that_shares_the_questions_words_comes_first() -> None:
    assert contents(Query("Which oil does the car's engine take?"))[0] == "The car needs 5W-30 engine oil."


def test_contributions_sum_to_the_score() -> None:
    for selected in recall_over(LIFE).select(Query("who is my dentist", explain=True)).atoms:
        assert selected.signals
        assert math.isclose(sum(signal.contribution for signal in selected.signals.values()), selected.score, abs_tol=1e-9)
        assert all(math.isclose(s.contribution, s.value * s.weight, abs_tol=1e-9) for s in selected.signals.values())


def test_signals_are_given_only_when_asked_for() -> None:
    assert all(not selected.signals for selected in recall_over(LIFE).select(Query("dentist")).atoms)


def test_a_superseded_atom_is_left_out_unless_it_is_asked_for() -> None:
    moved = _moved()
    assert contents(Query("Where do I live?"), moved) == ["I live in Lisbon now."]
    assert set(contents(Query("Where do I live?", include_superseded=True), moved)) == {each.content for each in moved}


def test_a_question_about_before_keeps_what_was_superseded() -> None:
    selection = recall_over(_moved()).select(Query("Where did I live before?"))
    assert {selected.atom.is_superseded for selected in selection.atoms} == {True, False}


def test_as_of_shows_what_was_known_then() -> None:
    assert contents(Query("Where do I live?", as_of=day("2025-12-01")), _moved()) == ["I live in Berlin near the canal."]
    assert contents(Query("Where do I live?", as_of=day("2026-07-01")), _moved()) == ["I live in Lisbon now."]
    assert contents(Query("Where do I live?", as_of=day("2020-01-01")), _moved()) == []


@pytest.mark.parametrize(
    ("within", "numbers"),
    [
        (Filter(session_id=("b",)), {4}),
        (Filter(source_id=("notes.md",)), {2}),
        (Filter(kind=("instruction", "event")), {3, 5}),
        (Filter(after=day("2025-03-05"), before=day("2025-05-07")), {3, 4}),
        (Filter(session_id=("nowhere",)), set()),
    ],
)
def test_a_filter_restricts_what_is_found_whichever_leg_is_away(within: Filter, numbers: set[int]) -> None:
    query = Query("dentist car Nora garlic Berlin", filter=within)
    expected = {each.content for number, each in enumerate(LIFE, start=1) if number in numbers}
    assert set(contents(query)) == expected
    for missing in ({"words": False}, {"words": False, "meaning": False}):
        found = set(contents(query, **missing))
        assert found <= expected
        assert bool(found) == bool(expected)


def test_a_leg_that_is_away_is_named_and_the_other_one_answers() -> None:
    for missing, kwargs in (("dense", {"meaning": False}), ("lexical", {"words": False})):
        selection = recall_over(LIFE, **kwargs).select(Query("Who is my dentist?"))
        assert [part.split(":")[0] for part in selection.degraded] == [missing]
        assert selection.atoms[0].atom.subject == "dentist"


def test_without_dense_search_a_plain_match_is_still_answerable() -> None:
    recall = recall_over(LIFE, model=Model(HashedEmbedder(), "model not there"), meaning=False)
    selection = recall.select(Query("My dentist Dr. Weber on Mill Lane"))
    assert selection.answerable
    assert "dense: model not there" in selection.degraded


def test_with_both_legs_away_what_is_about_a_name_stands_in() -> None:
    selection = recall_over(LIFE, words=False, meaning=False).select(Query("What about Nora?"))
    assert [selected.atom.subject for selected in selection.atoms] == ["Nora"]
    assert len(selection.degraded) == 2


def test_dense_seeds_off_is_a_choice_and_not_a_loss() -> None:
    assert recall_over(LIFE, dense_seeds=False).select(Query("dentist")).degraded == ()


@pytest.mark.parametrize(
    "text",
    ["", "   ", "\n\t", "the of and what is it", "*:* OR", "title:(a AND b)^5 ~2 \\ / [x TO y}", ".*(a+)+$", "\x00\ud800".encode(
        "utf-8", "replace").decode(), "?" * 500, "car " * 25_000],
)  # fmt: skip
def test_any_text_is_plain_text(text: str) -> None:
    selection = recall_over(LIFE).select(Query(text))
    assert len(selection.atoms) <= len(LIFE)
    assert 0.0 <= selection.confidence <= 1.0


def test_an_empty_question_finds_nothing_and_is_not_answerable() -> None:
    selection = recall_over(LIFE).select(Query("  "))
    assert (selection.atoms, selection.answerable, selection.confidence) == ((), False, 0.0)


def test_an_empty_store_answers_that_it_does_not_know() -> None:
    recall = recall_over([])
    assert recall.select(Query("Where do I live?")).atoms == ()
    assert not recall.answer(Query("Where do I live?")).answered


@pytest.mark.parametrize("limit", [0, 101, -3])
def test_a_limit_outside_its_range_is_refused(limit: int) -> None:
    with pytest.raises(InvalidInput, match="1 to 100"):
        recall_over(LIFE).select(Query("car", limit=limit))


def test_repetitions_are_left_out_but_other_numbers_and_negations_are_not() -> None:
    said = [
        atom("Nora weighs 21 kilos on the scale in the hall of our new house.", 1),
        atom("Nora weighs 21 kilos on the scale in the hall of our new house!", 2),
        atom("Nora weighs 23 kilos on the scale in the hall of our new house.", 3),
        atom("Nora never weighs 21 kilos on the scale in the hall of our new house.", 4),
    ]
    found = contents(Query("Nora weighs kilos scale"), said)
    assert len(found) == 3
    assert sum("23" in content for content in found) == 1
    assert sum("never" in content for content in found) == 1


def test_at_most_five_recommendations_are_shown() -> None:
    said = [atom(f"You should read the novel {name}.", n, kind="recommendation") for n, name in enumerate("ABCDEFGH", start=1)]
    assert len(contents(Query("which novel should I read"), said)) == 5
    assert len(contents(Query("which novel should I read"), said, recommendation_cap=2)) == 2


def test_a_second_fact_of_one_message_waits_behind_other_messages() -> None:
    talk = [
        atom("Ada: The violin lesson is on Monday.", 1, speaker="Ada", session_id="s", capture_id="c", segment_id="c-0",
             metadata={"speaker": "Ada", "message_id": "m1"}),
        atom("Ada: The violin lesson is dear.", 2, speaker="Ada", session_id="s", capture_id="c", segment_id="c-0",
             source_span=atom("", 1).source_span, metadata={"speaker": "Ada", "message_id": "m1"}),
        atom("Bo: My violin lesson was cancelled.", 3, session_id="s", capture_id="c", segment_id="c-0",
             metadata={"speaker": "Bo", "message_id": "m2"}),
    ]  # fmt: skip
    found = contents(Query("violin lesson on Monday"), talk)
    assert found[0] == "Ada: The violin lesson is on Monday."
    assert set(found) == {each.content for each in talk}


def test_equal_scores_put_the_newer_atom_first() -> None:
    twins = [atom("Alpha tea is good", 1, confidence=0.8), atom("Omega tea is good", 2, confidence=0.8)]
    assert contents(Query("tea"), twins, dense_seeds=False)[0] == "Omega tea is good"


def test_the_owners_judgement_decides_between_atoms_that_answer_alike() -> None:
    twins = [atom("Alpha tea is good", 1, quality_score=2.0), atom("Omega tea is good", 2, quality_score=0.1)]
    assert contents(Query("tea"), twins)[0] == "Alpha tea is good"


@given(st.text(max_size=200), st.integers(1, 100))
def test_whatever_is_asked_the_result_is_sound(text: str, limit: int) -> None:
    selection = recall_of_a_life().select(Query(text, limit=limit))
    ids = [selected.atom.atom_id for selected in selection.atoms]
    assert len(ids) == len(set(ids)) <= limit
    assert 0.0 <= selection.confidence <= 1.0
    assert not any(selected.atom.is_superseded for selected in selection.atoms)


@functools.cache
def recall_of_a_life() -> Recall:
    return recall_over(LIFE)


def _moved() -> list[Atom]:
    old, new = (
        atom("I live in Berlin near the canal.", 1, "2025-01-10", subject="home"),
        atom("I live in Lisbon now.", 2, "2026-05-20", subject="home", supersedes=("atom0001",)),
    )
    return [
        replace(old, is_superseded=True, superseded_by=new.atom_id, superseded_reason="moved", valid_until=new.observed_at),
        new,
    ]
