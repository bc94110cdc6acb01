"""Which line of a document answers a question in other words: the lines are judged beside each other, and none may answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition.models import Model
from lattice_common.domain.atom import Atom
from lattice_common.domain.passage import Passage, is_passage, shown_as_atom
from lattice_common.domain.recall import Answer, Query, Selected
from lattice_common.domain.score import Regression
from lattice_common.language.text import analyze
from lattice_common.recall.document_lines import FEATURES, DocumentLine, answering, compare, document_lines
from lattice_common.recall.synthesize.extractive import extractive_answer
from lattice_common.recall.weights import load_weights
from recalled_store import atom, recall_over

SAID_AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
QUESTION = "How often must the grass be cut?"
MOW = "The lawn of the garden is mown once a fortnight."
WATER, RENT = "The garden is watered before nine.", "The rent of the garden flat is 950 euros."


def of_lease(content: str, day: int) -> Atom:
    return replace(
        atom(content, day), trust="document", source="document", capture_id="0" * 25 + "1", metadata={"file": "lease.pdf"}
    )


LEASE = [of_lease(content, day) for day, content in enumerate((MOW, WATER, RENT), 1)]


def answered(*, answering: dict[tuple[str, str], float], atoms: list[Atom] | None = None) -> Answer:
    recall = recall_over(atoms or LEASE, model=Model(HashedEmbedder(), judge=ScriptedJudge(answering=answering)))
    return recall.answer(Query(QUESTION))


def only(**weights: float) -> Regression:
    """A regression that knows nothing but these features."""
    return Regression(np.array([weights.get(name, 0.0) for name in FEATURES]), 0.0, 0.4)


def lines(answering: dict[tuple[str, str], float], known: Regression) -> list[tuple[str, float, bool]]:
    recall = recall_over(LEASE, model=Model(HashedEmbedder(), judge=ScriptedJudge(answering=answering)))
    search = recall.search(Query(QUESTION), judged=True)
    found = document_lines(search, search.chosen, frozenset(), known)
    assert found is not None
    return [(each.words, each.chance, each.answers) for each in found]


def test_the_line_that_the_judge_finds_to_answer_comes_first_and_is_told() -> None:
    for right in (MOW, WATER):
        judged = {(QUESTION, each): 0.9 if each == right else 0.001 for each in (MOW, WATER, RENT)}
        first = lines(judged, only(read=1.0))[0]
        assert first[0] == right
        assert first[2]


def test_chances_of_all_lines_and_of_none_are_one() -> None:
    judged = dict.fromkeys(((QUESTION, each) for each in (MOW, WATER, RENT)), 0.5)
    found = lines(judged, only(read=1.0))
    assert [round(chance, 3) for _, chance, _ in found] == [0.25, 0.25, 0.25]
    assert not any(answers for _, _, answers in found)


def test_of_two_lines_of_which_one_surely_answers_both_are_told() -> None:
    judged = {(QUESTION, each): 0.001 if each == RENT else 0.9 for each in (MOW, WATER, RENT)}
    told = [words for words, _, answers in lines(judged, only(read=1.0)) if answers]
    assert len(told) == 1  # 0.47 is enough where the boundary is 0.4
    surer = replace(only(read=1.0), boundary=0.5)
    assert sorted(words for words, _, answers in lines(judged, surer) if answers) == sorted((MOW, WATER))


def test_where_either_of_two_lines_answers_it_says_so_and_cites_both() -> None:
    chosen = [Selected(each, 1.0) for each in LEASE]
    found = [DocumentLine(each, each.atom.content, 0.35, answers=each.atom is not LEASE[2]) for each in chosen]
    question = recall_over(LEASE, model=Model(HashedEmbedder())).search(Query(QUESTION)).question
    answer = extractive_answer(question, chosen, {}, answerable=True, trace_id="", now=SAID_AT, lines=found)
    assert answer.answer == f"It may be either of these:\n- {MOW} [1]\n- {WATER} [2]"
    assert [each.atom_id for each in answer.citations] == [each.atom_id for each in LEASE[:2]]


def test_when_a_mail_was_sent_is_read_only_where_that_is_asked_for() -> None:
    sent = of_lease("Date: 8 November 2026, 19:22 +0000", 3)
    recall = recall_over([*LEASE[:2], sent], model=Model(HashedEmbedder(), judge=ScriptedJudge()))

    def read_of(question: str) -> list[str]:
        search = recall.search(Query(question), judged=True)
        return [each.words for each in document_lines(search, search.chosen, frozenset(), only(read=1.0)) or ()]

    assert sent.content not in read_of("When must the grass be cut?")
    assert sent.content in read_of("When was the mail about the grass sent?")


def test_a_line_and_the_same_with_its_number_are_told_once() -> None:
    twice = [LEASE[0], of_lease(f"6. {MOW}", 2)]
    found = [DocumentLine(Selected(each, 1.0), each.content, 0.35, answers=True) for each in twice]
    question = recall_over(twice, model=Model(HashedEmbedder())).search(Query(QUESTION)).question
    chosen = [each.selected for each in found]
    answer = extractive_answer(question, chosen, {}, answerable=True, trace_id="", now=SAID_AT, lines=found)
    assert answer.answer == f"{MOW} [1]"


def test_the_day_on_which_a_paper_was_read_is_not_told_of_what_it_says() -> None:
    question = recall_over(LEASE, model=Model(HashedEmbedder())).search(Query("When was the grass to be cut?")).question
    found = [DocumentLine(Selected(each, 1.0), each.content, 0.9 / n**3, answers=n == 1) for n, each in enumerate(LEASE, 1)]
    chosen = [each.selected for each in found]
    answer = extractive_answer(question, chosen, {}, answerable=True, trace_id="", now=SAID_AT, lines=found)
    assert answer.answer == f"{MOW} [1]"


def test_two_lines_are_told_only_if_they_are_of_one_document_and_nearly_as_likely() -> None:
    assert answering([0.55, 0.4, 0.01], "aaa", 0.5) == (0,)
    assert answering([0.3, 0.42, 0.01], "aaa", 0.5) == (1, 0)
    assert answering([0.3, 0.42, 0.01], "aba", 0.5) == ()
    assert answering([0.3, 0.25, 0.3], "aba", 0.5) == (0, 2)
    assert answering([0.3, 0.25, 0.04], "aaa", 0.5) == ()
    assert answering([0.48, 0.15, 0.1], "aaa", 0.5) == ()
    assert answering([0.45], "a", 0.5) == ()


def test_two_lines_of_one_passage_are_quoted_together() -> None:
    text = f"{MOW}\n\n{WATER}"
    passage = shown_as_atom(Passage(LEASE[0].capture_id, 0, 0, len(text), text, SAID_AT, SAID_AT, title="Lease"))
    found = [DocumentLine(Selected(passage, 2.0), words, chance, answers=True) for words, chance in ((WATER, 0.4), (MOW, 0.35))]
    question = recall_over(LEASE, model=Model(HashedEmbedder())).search(Query(QUESTION)).question
    answer = extractive_answer(question, [Selected(passage, 2.0)], {}, answerable=True, trace_id="", now=SAID_AT, lines=found)
    assert answer.answer.startswith("It may be either of these: ")
    assert f"{WATER} … {MOW}" in answer.answer
    assert len(answer.citations) == 1


def test_where_no_line_answers_the_nearest_is_named_and_nothing_is_told() -> None:
    answer = answered(answering=dict.fromkeys(((QUESTION, each) for each in (MOW, WATER, RENT)), 0.00001))
    assert not answer.answered
    assert answer.answer.startswith("I don't know. The nearest I remember: ")


def test_the_owners_own_words_are_not_read_beside_documents() -> None:
    mine = atom("The grass must be cut every Saturday.", 9)
    answer = answered(answering={(QUESTION, mine.content): 0.95, (QUESTION, MOW): 0.99}, atoms=[*LEASE, mine])
    assert answer.answered
    assert answer.citations[0].atom_id == mine.atom_id


def test_what_was_learned_of_a_line_is_read_and_not_the_line_again() -> None:
    recall = recall_over(LEASE[:1], model=Model(HashedEmbedder(), judge=ScriptedJudge()))
    search = recall.search(Query(QUESTION), judged=True)
    text = f"{MOW}\n\n{WATER}"
    passage = shown_as_atom(Passage(LEASE[0].capture_id, 0, 0, len(text), text, SAID_AT, SAID_AT, title="Lease"))
    found = document_lines(search, [Selected(passage, 2.0), *search.chosen], frozenset(), load_weights().documents)
    assert found is not None
    assert sorted((each.words, is_passage(each.selected.atom)) for each in found) == [(WATER, True), (MOW, False)]


def test_a_line_whose_day_was_added_to_what_was_learned_of_it_is_not_read_again() -> None:
    quote = "The deposit of 49 pounds is due on 30 January."
    learned = replace(of_lease("The deposit of 49 pounds is due on 30 January (30 January 2026).", 1), source_quote=quote)
    recall = recall_over([learned], model=Model(HashedEmbedder(), judge=ScriptedJudge()))
    search = recall.search(Query("When is the deposit due?"), judged=True)
    text = f"{quote}\n\n{WATER}"
    passage = shown_as_atom(Passage(learned.capture_id, 0, 0, len(text), text, SAID_AT, SAID_AT, title="Lease"))
    found = document_lines(search, [Selected(passage, 2.0), *search.chosen], frozenset(), load_weights().documents)
    assert found is not None
    assert sorted((each.words, is_passage(each.selected.atom)) for each in found) == [
        (learned.content, False),
        (WATER, True),
    ]


def test_the_row_of_another_stop_is_not_read_where_one_has_the_stop_that_is_asked_for() -> None:
    rows = [
        of_lease(f"Stop: {stop}; Car 1: {first}; Car 3: {third}", day)
        for day, (stop, first, third) in enumerate(
            (("Harbour", "05:12", "07:02"), ("Clinic", "05:31", "07:24"), ("Zoo", "05:36", "07:30")), 1
        )
    ]
    recall = recall_over(rows, model=Model(HashedEmbedder(), judge=ScriptedJudge()))
    search = recall.search(Query("When does car 3 of the tram leave the clinic?"), judged=True)
    found = document_lines(search, search.chosen, frozenset(), load_weights().documents)
    assert found is not None
    assert [each.words for each in found] == [rows[1].content]


def test_a_title_that_names_a_stop_makes_no_row_of_that_stop() -> None:
    title = "Tram 6: Harbour - University, valid from 14 December 2026"
    rows = [
        replace(of_lease(f"{title}: Stop: {stop}; Car 1: {first}", day), source_quote=f"| {stop} | {first} |")
        for day, (stop, first) in enumerate((("Harbour", "05:12"), ("Clinic", "05:31"), ("Zoo", "05:36")), 1)
    ]
    assert read_of("What time is the first tram from the harbour?", rows) == [rows[0].content]


WEIGHTS = [
    of_lease(f"Date: {day}; Weight: {value}; By: nurse", at)
    for at, (day, value) in enumerate((("14 May 2025", "4.6 kg"), ("20 November 2025", "4.9 kg"), ("9 March 2031", "5.4 kg")), 1)
]


def test_of_a_log_the_newest_entry_says_what_is_so_now() -> None:
    assert read_of("How much does the cat weigh now?", WEIGHTS) == [WEIGHTS[1].content]
    assert len(read_of("How much did the cat weigh?", WEIGHTS)) == 3


def test_things_of_different_days_are_no_log() -> None:
    things = [
        of_lease(f"Vaccine: {name}; Given: {day}", at)
        for at, (name, day) in enumerate((("Cat flu", "20 November 2025"), ("Leukaemia", "14 May 2025")), 1)
    ]
    assert len(read_of("Which vaccines does Pixel have now?", things)) == 2


def test_without_a_judge_nothing_is_read() -> None:
    recall = recall_over(LEASE, model=Model(HashedEmbedder()))
    search = recall.search(Query(QUESTION), judged=True)
    assert document_lines(search, search.chosen, frozenset(), load_weights().documents) is None


READINGS = [
    of_lease(f"Datum: {day}; Zählerstand: {value}; abgelesen von: {name}", at)
    for at, (day, value, name) in enumerate(
        (("30.06.2026", "49.655", "Silke"), ("30.09.2026", "50.301", "Jörn"), ("31.10.2026", "50.588", "Malte")), 1
    )
]


def read_of(question: str, atoms: list[Atom]) -> list[str]:
    recall = recall_over(atoms, model=Model(HashedEmbedder(), judge=ScriptedJudge()))
    search = recall.search(Query(question), judged=True)
    chosen = [Selected(each, 1.0) for each in atoms]
    return sorted(each.words for each in document_lines(search, chosen, frozenset(), load_weights().documents) or ())


def test_rows_of_another_month_than_is_asked_for_are_not_read() -> None:
    assert read_of("Wie war der Zählerstand Ende Oktober?", READINGS) == [READINGS[2].content]
    assert read_of("Wie war der Zählerstand im Juli 2026?", READINGS) == []
    assert read_of("What was the meter on 30 September?", READINGS) == [READINGS[1].content]
    assert len(read_of("Who read the meter?", READINGS)) == 3


RACES = [
    of_lease(f"Race: {race}; Year: {year}; Time: {time}; Runner: {name}", at)
    for at, (race, year, time, name) in enumerate(
        (
            ("Frome Marathon", "2024", "4:02:19", "Clara"),
            ("Bath 10K", "2026", "46:20", "Clara"),
            ("Bath 10K", "2026", "51:45", "Daniel"),
        ),
        1,
    )
]


def test_rows_of_somebody_else_than_is_asked_about_are_not_read() -> None:
    assert read_of("What was Daniel's time at the Bath 10K?", RACES) == [RACES[2].content]
    assert read_of("When did Clara run the Frome Marathon?", RACES) == [RACES[0].content]
    assert read_of("Who ran the Frome Marathon?", RACES) == [RACES[0].content]
    assert read_of("What was Dan's time at the Bath 10K?", RACES) == [RACES[2].content]
    things = [replace(each, content=each.content.replace("Runner: Clara", "Name: Calix")) for each in RACES]
    assert RACES[0].content.replace("Runner: Clara", "Name: Calix") in read_of("What was Daniel's Frome Marathon?", things)
    # Nor is another race of his told in the place of hers.
    assert read_of("What was Daniel's time at the Frome Marathon?", RACES) == []


def test_days_of_another_year_are_read_unless_a_year_is_asked_for() -> None:
    assert read_of("Wie war der Zählerstand Ende Oktober 2025?", READINGS) == []
    old = [replace(each, content=each.content.replace("2026", "2024")) for each in READINGS]
    assert read_of("Wie war der Zählerstand Ende Oktober?", old) == [old[2].content]


def test_a_row_with_a_day_that_has_no_other_row_beside_it_is_read() -> None:
    assert read_of("What was the meter in July?", READINGS[:1]) == [READINGS[0].content]


def test_a_document_that_names_somebody_where_it_begins_does_not_lack_the_name_in_its_rows() -> None:
    def lacks(heads: dict[str, frozenset[str]]) -> float:
        recall = recall_over(LEASE[2:], model=Model(HashedEmbedder(), judge=ScriptedJudge()))
        search = recall.search(Query("What does Keziah pay in October for the flat?"), judged=True)
        compared = compare(search, search.chosen, frozenset(), heads)
        assert compared is not None
        return float(compared.rows[0][FEATURES.index("lacks_name")])

    assert lacks({}) == 1.0
    assert lacks({LEASE[0].capture_id: frozenset(analyze("Miss Keziah Trembath"))}) == 0.0


def test_a_line_that_names_nobody_is_read_as_what_its_document_says_of_whom_is_asked_for() -> None:
    question, heads = "What does Keziah pay for the flat?", {LEASE[0].capture_id: frozenset(analyze("Miss Keziah Trembath"))}
    judged = {(question, f"Keziah: {RENT}"): 0.9, (question, f"Keziah, pay: {RENT}"): 0.9}
    judge = ScriptedJudge(answering={**dict.fromkeys(((question, each) for each in (MOW, WATER, RENT)), 0.001), **judged})
    search = recall_over(LEASE, model=Model(HashedEmbedder(), judge=judge)).search(Query(question), judged=True)

    def read(known: dict[str, frozenset[str]], feature: str) -> float:
        compared = compare(search, search.chosen, frozenset(), known)
        assert compared is not None
        at = [words for _, words in compared.lines].index(RENT)
        return float(compared.rows[at][FEATURES.index(feature)])

    assert read({}, "read") < 0.0 < read(heads, "read")
    assert read({}, "told") < 0.0 < read(heads, "told")


def test_rows_of_other_days_of_the_week_are_not_read() -> None:
    rows = [
        of_lease(f"Route 17 › {days}: Stop: Brampton; 1: {first}; 3: {second}", at)
        for at, (days, first, second) in enumerate((("Mondays to Fridays", "06:52", "08:05"), ("Saturdays", "09:10", "15:30")), 1)
    ]
    assert read_of("When does the first bus leave on a weekday?", rows) == [rows[0].content]
    assert read_of("When does the first bus leave on Saturday?", rows) == [rows[1].content]
    assert read_of("When does the first bus leave on Sundays?", rows) == []
    assert len(read_of("When does the first bus leave?", rows)) == 2


def test_the_heading_above_a_table_says_the_days_of_its_rows() -> None:
    def table(at: int, days: str, hour: str) -> Atom:
        text = f"| Stop | 1 | 3 |\n|---|---|---|\n| Brampton | {hour}:52 | {hour}:55 |\n| Longtown | {hour}:56 | {hour}:59 |"
        headings = ("Route 17", days)
        return shown_as_atom(Passage(LEASE[0].capture_id, at, 0, len(text), text, SAID_AT, SAID_AT, headings=headings))

    passages = [table(0, "Mondays to Fridays", "06"), table(1, "Saturdays", "09")]
    assert all("09:" in words for words in read_of("When does the bus leave Longtown on Saturdays?", passages) if ":" in words)
    assert any("06:" in words for words in read_of("When does the bus leave Longtown?", passages))
