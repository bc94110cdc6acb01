"""What only all of an utterance answers is answered with all of it; through the running product."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.domain.recall import Query
from lattice_common.recall.reading import Reading

from tests.pipeline.living import say, started

QUESTION = "How heavy was Tess's baby?"
BORN, WEIGHS = "Tess had her baby!", "Rowan weighs 3.4 kilos."
WHOLE = f"{BORN} {WEIGHS}"
OTHERS = ["The bins go out on Tuesday.", "My brother lives in Graz.", "The piano was tuned by Ines."]


class Unsure(ScriptedJudge):
    """Takes everything for unlikely that it was not told of."""

    def answers(self, question: str, statements: list[str]) -> list[float]:  # type: ignore[override]  # a list is a sequence
        return [self._answering.get((question, each), 0.01) for each in statements]


@pytest.mark.parametrize("likely", [0.9, 0.02])
def test_two_statements_of_one_utterance_are_told_together_where_only_both_answer(tmp_path: Path, likely: float) -> None:
    with started(tmp_path, judge=Unsure(answering={(QUESTION, BORN): 0.3, (QUESTION, WHOLE): likely})) as store:
        for text in (*OTHERS, WHOLE):
            say(store, text)
        answer = store.lattice.answer(Query(QUESTION))
        cited = [each.quote for each in answer.citations]
        assert cited == ([BORN, WEIGHS] if likely == 0.9 else [BORN])
        assert {each.quote for each in answer.citations} <= {each.atom.source_quote for each in answer.atoms}


@pytest.mark.parametrize("sure", [0.95, 0.4])
def test_what_was_told_since_and_answers_as_surely_is_told_too(tmp_path: Path, sure: float) -> None:
    asked, priya, leon = "Who is my manager?", "My manager is Priya.", "The manager who covers for me is Leon."
    with started(tmp_path, judge=Unsure(answering={(asked, priya): 0.97, (asked, leon): sure})) as store:
        for text in (*OTHERS, priya, leon):
            say(store, text)
        cited = [each.quote for each in store.lattice.answer(Query(asked)).citations]
        assert (leon in cited) == (sure == 0.95)
        assert priya in cited


def test_what_was_told_since_does_not_answer_how_it_was(tmp_path: Path) -> None:
    asked, priya, leon = "Who was my manager in January 2026?", "My manager is Priya.", "The manager who covers for me is Leon."
    with started(tmp_path, judge=Unsure(answering={(asked, priya): 0.97, (asked, leon): 0.97})) as store:
        for text, day in ((priya, "2026-01-05"), (leon, "2026-07-20")):
            say(store, text, observed_at=f"{day}T10:00:00Z")
        assert [each.quote for each in store.lattice.answer(Query(asked)).citations] == [priya]


def test_what_was_said_another_time_is_not_read_with_it(tmp_path: Path) -> None:
    with started(tmp_path, judge=Unsure(answering={(QUESTION, BORN): 0.3, (QUESTION, WHOLE): 0.9})) as store:
        for text in (*OTHERS, BORN, WEIGHS):
            say(store, text)
        assert [each.quote for each in store.lattice.answer(Query(QUESTION)).citations] == [BORN]


def test_a_part_that_answers_alone_needs_no_other() -> None:
    reading = Reading(ScriptedJudge(answering={("?", "a"): 0.8, ("?", "b"): 0.1, ("?", "a b"): 0.84, ("?", "c"): 0.2}))
    reading.said_within({"a": ("a", "b"), "b": ("a", "b")})
    assert reading.answers("?", ["a", "b", "c"]) == [0.8, 0.1, 0.2]
    assert not reading.needs_whole("?", "b")


def test_a_whole_that_answers_more_surely_than_its_parts_counts_for_each_of_them() -> None:
    reading = Reading(ScriptedJudge(answering={("?", "a"): 0.04, ("?", "b"): 0.4, ("?", "a b"): 0.82}))
    reading.said_within({"a": ("a", "b"), "b": ("a", "b")})
    assert reading.answers("?", ["a", "b"]) == [0.82, 0.82]
    assert reading.needs_whole("?", "a")


def test_a_part_that_answers_well_needs_no_other_however_sure_the_whole_is() -> None:
    reading = Reading(ScriptedJudge(answering={("?", "a"): 0.04, ("?", "b"): 0.85, ("?", "a b"): 0.95}))
    reading.said_within({"a": ("a", "b"), "b": ("a", "b")})
    assert reading.answers("?", ["a", "b"]) == [0.04, 0.85]
    assert not reading.needs_whole("?", "b")


def test_a_whole_that_hardly_answers_is_not_told_whole() -> None:
    reading = Reading(ScriptedJudge(answering={("?", "a"): 0.0, ("?", "b"): 0.01, ("?", "a b"): 0.2}))
    reading.said_within({"a": ("a", "b")})
    assert reading.answers("?", ["a"]) == [0.2]
    assert not reading.needs_whole("?", "a")
