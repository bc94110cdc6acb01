"""Extractive answers: cited sentences, and nothing that was not said."""

from __future__ import annotations

from dataclasses import replace

from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.domain.atom import Relation
from lattice_common.domain.recall import Query, Selected
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.extractive import extractive_answer
from recalled_store import atom, day, recall_over


def test_every_sentence_of_an_answer_is_cited_with_its_source() -> None:
    answer = recall_over([atom("The car needs 5W-30 engine oil.", 1, source_id="car.md")]).answer(
        Query("Which engine oil for the car?")
    )
    assert answer.answer == "The car needs 5W-30 engine oil. [1]"
    assert answer.answered
    (citation,) = answer.citations
    assert (citation.n, citation.atom_id, citation.source_id) == (1, "atom0001", "car.md")
    assert citation.quote == "The car needs 5W-30 engine oil."
    assert not answer.used_llm


def test_a_question_of_time_is_answered_with_the_day_it_happened() -> None:
    said = atom("Caroline went to the support group.", 1, "2023-05-08", valid_from=day("2023-05-07"))
    answer = recall_over([said]).answer(Query("When did Caroline go to the support group?"))
    assert answer.answer == "On 7 May 2023: Caroline went to the support group. [1]"


def test_a_day_that_the_sentence_names_is_not_said_twice() -> None:
    said = atom("Caroline went to the support group on 7 May 2023.", 1, "2023-05-08", valid_from=day("2023-05-07"))
    answer = recall_over([said]).answer(Query("When did Caroline go to the support group?"))
    assert answer.answer == "Caroline went to the support group on 7 May 2023. [1]"


def test_a_month_or_a_year_is_not_told_as_its_first_day() -> None:
    said = atom("Tess expects twins in January (January 2027).", 1, "2026-08-08", valid_from=day("2027-01-01"))
    assert recall_over([said]).answer(Query("When are Tess's twins due?")).answer.startswith("Tess expects twins")
    said = atom("Tess moved to Graz in 2019.", 1, "2026-08-08", valid_from=day("2019-01-01"))
    assert recall_over([said]).answer(Query("When did Tess move to Graz?")).answer.startswith("Tess moved")
    said = atom("Tess expects twins next winter.", 1, "2026-08-08", valid_from=day("2026-12-01"))
    assert recall_over([said]).answer(Query("When are Tess's twins due?")).answer.startswith("In winter 2026: Tess")


def test_an_answer_says_what_changed() -> None:
    old = atom("I live in Berlin.", 1, "2025-01-10", is_superseded=True, superseded_by="atom0002")
    new = atom("I live in Lisbon.", 2, "2026-05-20", supersedes=("atom0001",))
    answer = recall_over([old, new]).answer(Query("Where do I live?"))
    assert answer.answer == "Lisbon [1]; Berlin until 20 May 2026 [2]"
    assert [(each.n, each.quote) for each in answer.citations] == [(1, new.source_quote), (2, old.source_quote)]


def test_what_was_before_is_cited_behind_what_is_told() -> None:
    old = atom("Ann's desk is on the third floor.", 1, "2025-01-10", is_superseded=True, superseded_by="atom0002")
    new = atom("Ann's desk has gone down to the basement, beside the boiler.", 2, "2026-05-20", supersedes=("atom0001",))
    lift = atom("The lift stops at the third floor.", 3, "2026-05-21")
    recall = recall_over([old, new, lift])
    answer = recall.answer(Query("Where is Ann's desk?"), atom_ids=["atom0002", "atom0003"])
    assert answer.answer == f"{new.content} [1] (Until 20 May 2026: {old.content}) [2] {lift.content} [3]"
    assert [each.atom_id for each in answer.citations] == ["atom0002", "atom0001", "atom0003"]


def test_what_was_before_and_is_told_itself_is_cited_once() -> None:
    old = atom("Ann's desk is on the third floor.", 1, "2025-01-10", is_superseded=True, superseded_by="atom0002")
    new = atom("Ann's desk has gone down to the basement, beside the boiler.", 2, "2026-05-20", supersedes=("atom0001",))
    answer = recall_over([old, new]).answer(Query("Where was Ann's desk?"), atom_ids=["atom0001", "atom0002"])
    assert [each.atom_id for each in answer.citations] == ["atom0001", "atom0002"]


def test_how_it_was_before_a_day_is_told_before_what_holds_since() -> None:
    old = atom("The rent is 1,150 a month.", 1, "2025-02-04")
    new = atom(
        "The rent goes up to 1,240.",
        2,
        "2025-05-11",
        valid_from=day("2025-07-01"),
        relations=(Relation("may_update", "atom0001"),),
    )
    recall = recall_over([old, new])
    before = recall.answer(Query("What was the rent before July 2025?")).answer
    assert before.index("1,150") < before.index("1,240")
    now = recall.answer(Query("What is the rent?")).answer
    assert now.index("1,240") < now.index("1,150")


def test_how_it_was_before_an_event_is_told_by_what_held_then() -> None:
    old = atom("I work as a barista at Kofi.", 1, "2025-02-04")
    new = atom("I changed jobs, I work as a baker at Brod.", 2, "2025-08-01", relations=(Relation("may_update", "atom0001"),))
    answer = recall_over([old, new]).answer(Query("Where did I work before I changed jobs?")).answer
    assert answer.index("Kofi") < answer.index("Brod")


def test_who_it_is_is_answered_with_the_name() -> None:
    old = atom("The spare key is with Tom.", 1, "2025-01-10", is_superseded=True, superseded_by="atom0002")
    new = atom("The spare key is with Ingrid now.", 2, "2026-05-14", supersedes=("atom0001",))
    assert recall_over([old, new]).answer(Query("Who has my spare key?")).answer == "Ingrid [1]; Tom until 14 May 2026 [2]"
    assert recall_over([atom("My manager is Helena.", 1)]).answer(Query("Who is my manager?")).answer == "Helena [1]"
    sister = recall_over([atom("My sister Ingrid has my spare key.", 1)])
    assert sister.answer(Query("Who has my spare key?")).answer == "Your sister Ingrid [1]"
    dentist = recall_over([atom("My dentist in Lisbon is Dr. Pires.", 1)])
    assert "in Lisbon" in dentist.answer(Query("Who is my dentist?")).answer, "what the sentence says besides is not lost"


def test_what_looks_like_a_citation_in_the_content_does_not_become_one() -> None:
    answer = recall_over([atom("The paper [3] praises the tea [1, 2].", 1)]).answer(Query("Which paper praises the tea?"))
    assert answer.answer == "The paper ［3］ praises the tea ［1, 2］. [1]"


def test_a_list_is_asked_for_and_given_as_a_list() -> None:
    said = [atom(f"The recipe for {dish} needs garlic.", n) for n, dish in enumerate(("curry", "soup", "dumplings"), start=1)]
    answer = recall_over(said).answer(Query("What recipes need garlic?"), atom_ids=[each.atom_id for each in said])
    assert [line[0] for line in answer.answer.splitlines()] == ["-"] * 3
    assert [citation.n for citation in answer.citations] == [1, 2, 3]


def test_a_list_ends_before_what_is_no_better_than_the_rest() -> None:
    scores = [7.0, 6.8, 6.0, 5.9, 5.8, 5.7, 5.6, 5.5, 5.4, 5.3]
    chosen = [Selected(atom(f"Thing {n}.", n), score) for n, score in enumerate(scores)]
    question = Question(Query("List the things"), "List the things", shape="aggregation")
    answer = extractive_answer(question, chosen, {}, answerable=True, trace_id="trace", now=day("2026-05-01"))
    assert answer.answer == "- Thing 0. [1]\n- Thing 1. [2]"


def test_what_is_not_known_is_said_with_what_is_nearest() -> None:
    answer = recall_over([atom("We planted garlic by the fence.", 1)]).answer(Query("How tall is Ben's rocket?"))
    assert not answer.answered
    assert answer.answer == "I don't know. The nearest I remember: You planted garlic by the fence. [1]"
    assert len(answer.citations) == 1


def test_an_answer_can_be_made_of_given_atoms_only() -> None:
    said = [atom("Tea is green.", 1), atom("Tea is black.", 2)]
    answer = recall_over(said).answer(Query("What is tea?"), atom_ids=["atom0002"])
    assert [citation.atom_id for citation in answer.citations] == ["atom0002"]


def test_a_missing_leg_is_a_warning_of_the_answer() -> None:
    answer = recall_over([atom("Tea is green.", 1)], meaning=False).answer(Query("What is tea?"))
    assert answer.warnings
    assert answer.warnings[0].startswith("Searched without all of memory: dense")


def test_subjects_nearby_are_named_once() -> None:
    said = [atom("Tea is green.", 1, subject="tea"), replace(atom("Tea is never black.", 2), subject="tea")]
    assert recall_over(said).answer(Query("What is tea?")).related_subjects == ("tea",)


def test_a_question_of_when_is_not_answered_with_the_day_something_else_was_said() -> None:
    asked = "When is my flight?"
    question = Question(Query(asked), asked, tokens=("flight",), shape="temporal")
    chosen = [Selected(atom("My flight was booked by Ines.", 1), 9.0), Selected(atom("The flight leaves on 3 December.", 2), 8.5)]
    told = extractive_answer(question, chosen, {}, answerable=True, trace_id="trace", now=day("2026-05-01"))
    assert told.answer == "The flight leaves on 3 December. [1]"
    not_told = extractive_answer(question, chosen[:1], {}, answerable=True, trace_id="trace", now=day("2026-05-01"))
    assert not_told.answer == "I don't know. The nearest I remember: Your flight was booked by Ines. [1]"
    assert not not_told.answered


def test_the_day_that_very_thing_was_said_tells_when_it_was() -> None:
    answer = recall_over([atom("We planted garlic by the fence.", 1)]).answer(Query("When did we plant the garlic?"))
    assert answer.answer == "Said on 1 March 2026: You planted garlic by the fence. [1]"


def test_an_answer_of_which_no_sentence_is_borne_out_is_not_shown_as_one() -> None:
    roast = atom("I prefer dark roast.", 4, "2026-03-02")
    for said in (
        "You prefer light roast [1].",
        "The rent is 900 euros [1]. It is due in Porto [1].",
        "You own a yacht. It is 9 m long [1].",
    ):
        recall = recall_over([roast], writes=ScriptedModel([said]))
        answer = recall.answer(Query("What roast do I prefer?"), atom_ids=["atom0004"])
        assert answer.answer == "You prefer dark roast. [1]"
        assert answer.answered
        assert not answer.used_llm
        assert not answer.doubts
        assert "wrote nothing that the memories say" in answer.warnings[-1]
