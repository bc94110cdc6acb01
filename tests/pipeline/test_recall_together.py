"""What several statements answer together, without a language model: parts, totals, counts, lists and spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from lattice_common.domain.atom import Atom, Relation
from lattice_common.domain.recall import Answer, Query, Selected
from lattice_common.language.questions.asked_period import asked_period
from lattice_common.language.questions.asked_together import asked_together
from lattice_common.language.text import query_tokens
from lattice_common.recall.currency import doubted_among
from lattice_common.recall.gather import Gathered, Part, interleaved
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.extractive import extractive_answer
from recalled_store import atom, day, recall_over

TODAY = day("2026-11-22")
SOLD = atom("Bought the Volvo from Henk Mulder in Amersfoort.", 1, "2025-04-02", kind="event")
PRICE = atom("The Volvo was 4,200 euros, bank transfer.", 2, "2025-04-03")
PICKED_UP = atom("Picked up the Volvo on 9 April 2025 with mum.", 3, "2025-04-10", kind="event")
RUNS = [
    atom("Ran 8 km in the woods.", 1, "2025-06-21", kind="event"),
    atom("Ran 12 km to Bunnik and back.", 2, "2025-08-30", kind="event"),
    atom("Ran the Singelloop, 10 km.", 3, "2025-10-04", kind="event"),
]


def question_of(text: str) -> Question:
    return Question(Query(text), text, tokens=tuple(query_tokens(text)), period=asked_period(text, TODAY))


def asked(
    question: str,
    atoms: Sequence[Atom],
    chances: Sequence[Mapping[int, float]] = (),
    of_whole: Mapping[int, float] | None = None,
    *,
    answerable: bool = True,
) -> Answer:
    """The answer where these were found, in this order, for the whole question and for each of its parts. `chances`: of each
    part, what the judge makes of the atoms with these numbers; `of_whole`: of the whole question."""
    found = doubted_among([Selected(each, 5.0 - place / 10) for place, each in enumerate(atoms)])
    together = asked_together(question)
    read = [{f"atom{number:04d}": chance for number, chance in each.items()} for each in chances] or [{} for _ in together.sought]
    parts = tuple(
        Part(sought.said, question_of(sought.text), found, 0.9, True, judged)
        for sought, judged in zip(together.sought, read, strict=True)
    )
    whole = {f"atom{number:04d}": chance for number, chance in (of_whole or {}).items()}
    gathered = Gathered(together, parts, found, whole)
    return extractive_answer(
        question_of(question), found, {}, answerable=answerable, trace_id="trace", now=TODAY, gathered=gathered
    )


def lead(question: str, atoms: Sequence[Atom]) -> str:
    return asked(question, atoms).answer.split("\n")[0]


def cited(answer: Answer) -> list[str]:
    return [each.atom_id for each in answer.citations]


# Parts


def test_each_part_of_a_question_is_answered_by_its_own_statement() -> None:
    answer = asked(
        "Who sold us the Volvo, when did we pick it up and for how much?",
        [PICKED_UP, PRICE, SOLD],
        [{1: 0.9, 2: 0.1, 3: 0.2}, {1: 0.1, 2: 0.1, 3: 0.9}, {1: 0.1, 2: 0.8, 3: 0.1}],
    )
    assert cited(answer) == ["atom0001", "atom0003", "atom0002"]


def test_without_a_judge_the_value_that_a_part_asks_for_decides() -> None:
    answer = asked("Where is the Volvo from and how much was it?", [SOLD, PICKED_UP, PRICE])
    assert cited(answer) == ["atom0001", "atom0002"]


def test_a_part_that_nothing_answers_is_named() -> None:
    chances = [{2: 0.9, 1: 0.2}, {1: 0.3, 2: 0.1}]
    answer = asked("How much was the Volvo and what is the phone number of Henk Mulder?", [PRICE, SOLD], chances)
    assert answer.answered
    assert "4,200 euros" in answer.answer
    assert answer.answer.endswith("I don't know: what is the phone number of Henk Mulder.")
    assert cited(answer) == ["atom0002"]


def test_where_one_statement_answers_all_parts_the_surest_other_stands_beside_it() -> None:
    chances = [{1: 0.9, 2: 0.2, 3: 0.1}] * 2
    answer = asked("Who sold the Volvo and where was it?", [PICKED_UP, SOLD, PRICE], chances, {1: 0.9, 2: 0.6, 3: 0.1})
    assert cited(answer) == ["atom0001", "atom0002"]


def test_what_hardly_answers_does_not_stand_beside_what_answers_all_parts() -> None:
    chances = [{1: 0.9, 2: 0.02, 3: 0.01}, {1: 0.9, 2: 0.05, 3: 0.02}]
    answer = asked("Who sold us the Volvo and for how much?", [SOLD, PRICE, PICKED_UP], chances, {1: 0.9, 2: 0.03, 3: 0.01})
    assert cited(answer) == ["atom0001"]


def test_the_best_of_each_part_stands_behind_the_first_three_of_the_whole() -> None:
    colours = ("red", "blue", "white", "pink", "gold")
    flood = [atom(f"The wedding cake has {word} icing.", 40 + at) for at, word in enumerate(colours)]
    dress, hats = atom("Dress code: green, no hats.", 90), atom("The dress is at the tailor's.", 91)
    whole = [Selected(each, 1.0) for each in flood]
    part = Part("what", question_of("what"), (Selected(dress, 1.0), Selected(hats, 0.5)), 0.5, True)
    found = [each.atom.atom_id for each in interleaved(whole, [part], 6)]
    assert found == ["atom0040", "atom0041", "atom0042", "atom0090", "atom0091", "atom0043"]


def test_a_question_of_several_parts_is_sought_by_each_through_the_whole_of_recall() -> None:
    flood = [
        atom(f"The wedding cake from the wedding baker has {word} wedding icing on the cake.", 40 + at)
        for at, word in enumerate(("red", "blue", "white", "pink", "gold", "grey", "black", "beige"))
    ]
    recall = recall_over([*flood, atom("Shuttle: leaves at the fountain.", 90)])
    query = Query("What is on the wedding cake of the wedding baker and where does the shuttle leave?", limit=5)
    assert "atom0090" in [each.atom.atom_id for each in recall.select(query).atoms]


# Totals


def test_a_sum_says_what_it_left_out() -> None:
    atoms = [
        atom("The kitchen worktop cost 1,200 euros.", 1),
        atom("Paid the plumber 340 euros for the kitchen sink.", 2),
        atom("Sent the second kitchen lamp back, 60 euros refunded.", 3),
        atom("Kitchen: 35 euros for hooks and 12 euros for a rail.", 4),
    ]
    answer = asked("What did the kitchen cost in all?", atoms)
    assert answer.answer.startswith("In all 1,540 euros: 1,200 [1] + 340 [2]. Not added: 60 [3], 35 and 12 [4].\n")
    assert len(answer.citations) == 4


def test_two_at_one_price_are_two_and_a_bill_that_was_paid_is_one() -> None:
    lessons = [
        atom("Cello lesson with Ruben, 42 euros.", 1, "2025-10-01"),
        atom("Cello lesson with Ruben: 42 euros.", 2, "2025-10-15"),
        atom("The invoice for the cello lesson with Ada is 50 euros.", 3, "2025-11-01"),
        atom("Paid 50 euros for the cello lesson with Ada.", 4, "2025-11-09"),
        atom("Rosin for the cello, 11 euros.", 5, "2025-11-10"),
    ]
    assert lead("How much did I pay for cello lessons in total?", lessons) == "In all 134 euros: 42 [1] + 42 [2] + 50 [3]."


def test_a_total_of_a_time_adds_what_lies_in_it() -> None:
    bills = [
        atom(f"Electricity came to {cost} euros.", at, f"2026-{at:02}-28")
        for at, cost in enumerate(("84.20", "79.90", "71.40", "60.00"), start=1)
    ]
    assert lead("What was the electricity from January to March in total?", bills).startswith("In all 235.50 euros: ")


def test_what_may_be_outdated_is_added_unless_something_newer_tells_another_amount() -> None:
    atoms = [
        atom("The kitchen lamp cost 35 euros.", 1),
        atom("The kitchen sink cost 200 euros.", 2),
        atom("The kitchen lamp is broken.", 3, relations=(Relation("may_update", "atom0001"),)),
        atom("The kitchen sink cost 180 euros after all.", 4, relations=(Relation("may_update", "atom0002"),)),
    ]
    assert lead("What did the kitchen cost altogether?", atoms) == "In all 215 euros: 35 [1] + 180 [2]. Not added: 200 [3]."


def test_money_that_was_spent_on_something_is_a_total_without_being_called_one() -> None:
    atoms = [atom("Vet bill for Biscuit: 74 pounds.", 1), atom("The vet took £210 for the x-ray.", 2)]
    assert lead("How much have I spent on the vet?", atoms) == "In all 284 pounds: 74 [1] + 210 [2]."
    assert "In all" not in lead("How much is the vet?", atoms)


def test_a_question_in_another_language_is_added_up_too() -> None:
    atoms = [atom("The roof tiles cost 900 euros.", 1), atom("Paid 450 euros to have the roof sealed.", 2)]
    assert lead("Wie viel hat das Dach insgesamt gekostet?", atoms).startswith("In all 1,350 euros: ")


def test_payments_are_added_that_newer_ones_were_taken_to_replace() -> None:
    physio = [
        atom("I paid 38 euros for the first physio session.", 1),
        atom("Physio session two, another 38.", 2, is_superseded=True, superseded_by="atom0003"),
        atom("Third physio session, 42 this time, they put the price up.", 3, relations=(Relation("may_update", "atom0001"),)),
    ]
    answer = asked("What did the physio cost altogether?", physio, answerable=False)
    assert answer.answer.startswith("In all 118 euros: 38 [1] + 38 [2] + 42 [3].")
    assert "Since" not in answer.answer


def test_an_amount_that_was_corrected_or_denied_is_not_added() -> None:
    atoms = [
        atom("The roof cost 900 euros.", 1, is_superseded=True, superseded_by="atom0002"),
        atom("The roof cost 950 euros after all.", 2),
        atom("Paid the roofer for the roof gutter, 80 euros.", 3, is_superseded=True, superseded_by="atom0004"),
        atom("I never paid the roofer for the roof gutter.", 4, status="rejected"),
        atom("Roof window, 300.", 5),
    ]
    assert lead("What did the roof cost in all?", atoms) == "In all 1,250 euros: 950 [1] + 300 [2]."


def test_what_something_cost_in_a_time_is_a_total_without_what_it_brought_in() -> None:
    atoms = [
        atom("The Volvo's brakes: 2,900 kroner at Jensens.", 1),
        atom("The Volvo failed its inspection, repairs 5,400.", 2),
        atom("Paid 600 plus 120 for the Volvo's tyres.", 3),
        atom("Sold the Volvo to Lars for 22,000.", 4),
        atom("Lent my sister 250 kroner for her Volvo.", 5),
    ]
    told = "In all 9,020 kroner: 2,900 [1] + 5,400 [2] + 600 [3] + 120 [3]. Not added: 22,000 [4], 250 [5]."
    assert lead("What did the Volvo cost us this year?", atoms) == told


# Counts and lists


READ = [
    atom("Finished reading Middlemarch last night.", 1, "2026-03-09", kind="event"),
    atom("Read Piranesi on the beach.", 2, "2026-08-17", kind="event"),
    atom("Started at Harbour Press.", 3, "2026-05-04", kind="event"),
    atom("Read the gas meter.", 4, "2026-05-05", kind="event"),
]
CHANCES = {1: 0.7, 2: 0.4, 3: 0.2, 4: 0.01}


def test_what_is_asked_for_needs_no_name_where_the_verb_says_it() -> None:
    assert cited(asked("Which books did I read this year?", READ, of_whole=CHANCES)) == ["atom0001", "atom0002"]
    assert asked("How many books did I read?", READ, of_whole=CHANCES, answerable=False).answer.startswith("I count 2: ")
    assert "I count" not in asked("How many books have I started?", READ, of_whole=CHANCES, answerable=False).answer
    assert "I count" not in asked("How many books did I read?", READ, answerable=False).answer


def test_an_event_is_counted_though_something_ended_it_and_not_where_it_was_denied() -> None:
    concerts = [
        atom("Concert of the choir with Ruben.", 1, "2026-03-05", kind="event", is_superseded=True, superseded_by="atom0003"),
        atom("Concert of Adele.", 2, "2026-06-05", kind="event"),
        atom("Another concert, in the park.", 3, "2026-06-15", kind="event"),
        atom("Concert of Abba.", 4, "2026-07-05", kind="event", is_superseded=True, superseded_by="atom0005"),
        atom("I wasn't at the concert of Abba.", 5, "2026-07-06", status="rejected"),
    ]
    assert asked("How many concerts were we at?", concerts).answer.startswith("I count 3: 5 March 2026 [1], ")


def test_what_happened_is_counted_by_day_and_each_thing_once() -> None:
    concerts = [
        atom("Concert at Tivoli with Noor: Big Thief.", 1, "2025-02-22"),
        replace(atom("Concert at Tivoli with Noor: my ears are still ringing.", 2, "2025-02-22"), capture_id="capture0001"),
        atom("Went to the Bach concert in the Dom church.", 3, "2025-09-13", kind="event"),
        atom("Tickets for the Khruangbin concert in March 2026 are in the drawer.", 4, "2025-11-02"),
        atom("Khruangbin concert on 14 March 2026, Noor danced.", 5, "2026-03-15", kind="event"),
        atom("I would like to go to a concert in Berlin.", 6, "2026-01-02", status="wished"),
        atom("Concert in the park on 3 June 2031.", 7, "2026-01-03", valid_from=day("2031-06-03")),
        atom("I love a concert.", 8, "2026-01-03", kind="preference"),
    ]
    answer = asked("How many concerts were we at?", concerts)
    assert answer.answer.startswith("I count 3: 22 February 2025 [1], 13 September 2025 [2], ")
    assert len(answer.citations) == 3


def test_nothing_is_counted_where_a_statement_names_the_number() -> None:
    assert lead("How often did I go running?", RUNS) == "I count 3: 21 June 2025 [1], 30 August 2025 [2], 4 October 2025 [3]."
    assert lead("How many runs did I run so far?", RUNS).startswith("I count 3: ")
    told = [*RUNS, atom("I ran 31 runs that year.", 9, kind="event")]
    assert "I count" not in lead("How many runs did I run?", told)


def test_events_are_counted_where_no_single_statement_answers() -> None:
    concerts = [
        atom("We went to a concert of the choir.", 1, "2026-03-05", kind="event"),
        atom("We were at a concert of Adele.", 2, "2026-06-05", kind="event"),
        atom("The dog barked at the postman.", 3, "2026-06-07", kind="event"),
    ]
    assert asked("How many concerts were we at?", concerts, answerable=False).answer.startswith("I count 2: ")
    for question in ("How many operas were we at?", "How many concerts of Adele were we at?", "How many dogs do we have?"):
        assert asked(question, concerts, answerable=False).answer.startswith("I don't know."), question


def test_a_list_names_one_statement_of_each_capture_in_order_of_time() -> None:
    again = replace(atom("Ran with Wout.", 9), capture_id="capture0001")
    answer = asked("Which runs did I run?", [*RUNS[::-1], again])
    assert cited(answer) == ["atom0001", "atom0002", "atom0003"]


# Spans

OPERATION, TOLD = "from 3 June 2025 [1]", "[2] by when it was told"
DATED = [
    atom("My knee operation was on 3 June 2025.", 1, "2025-06-03", kind="event"),
    atom("First bike ride since the knee, 6 km.", 2, "2025-07-15"),
    atom("Started at Veldhuis today.", 3, "2025-01-20", kind="event"),
    atom("Last day at Veldhuis, cake and tears.", 4, "2026-05-29"),
]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "How long between the knee operation and my first bike ride?",
            f"42 days (6 weeks): {OPERATION} to 15 July 2025 [2], {TOLD}.",
        ),
        ("How many days after the knee operation did I ride the bike?", f"42 days: {OPERATION} to 15 July 2025 [2], {TOLD}."),
        (
            "How many weeks from the operation to my last day at Veldhuis?",
            f"51 weeks and 3 days: {OPERATION} to 29 May 2026 [2], {TOLD}.",
        ),
        ("How long did I work at Veldhuis?", f"1 year and 4 months: from 20 January 2025 [1] to 29 May 2026 [2], {TOLD}."),
    ],
)
def test_a_span_is_told_from_the_days_of_its_two_ends(question: str, text: str) -> None:
    assert lead(question, DATED) == text


YEAR = [
    atom("We moved into the flat last week.", 1, "2026-03-02", kind="event"),
    atom("Anneke and I got married on Friday.", 2, "2026-07-20", kind="event"),
    atom("Aunt Sel gave us 500 pounds for the wedding.", 3, "2026-07-22", kind="event"),
    atom("Got Pippin, a beagle, from the shelter yesterday.", 4, "2026-03-09", kind="event"),
    atom("Pippin broke a tooth.", 5, "2026-08-17", kind="event"),
    atom("New oven ordered, delivery in September.", 6, "2026-08-10", kind="event"),
    atom("Anneke's mother Ifeoma arrived yesterday.", 7, "2026-04-23", kind="event"),
    atom("Ifeoma flew home.", 8, "2026-06-14", kind="event"),
]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "How long between the move and the wedding?",
            "About 4 months: from the week of 23 February 2026 [1] to 17 July 2026 [2].",
        ),
        (
            "How long had we had Pippin when she broke a tooth?",
            "5 months: from 8 March 2026 [1] to 17 August 2026 [2], [2] by when it was told.",
        ),
        (
            "How long between the wedding and ordering the oven?",
            "24 days: from 17 July 2026 [1] to 10 August 2026 [2], [2] by when it was told.",
        ),
        (
            "How long did Ifeoma stay with us?",
            "53 days: from 22 April 2026 [1] to 14 June 2026 [2], [2] by when it was told.",
        ),
        ("How long have I been married?", "4 months, since 17 July 2026 [1]."),
        ("How long have we had Pippin?", "8 months, since 8 March 2026 [1]."),
        ("Since when do we have Pippin?", "8 months, since 8 March 2026 [1]."),
        ("Since when am I married?", "4 months, since 17 July 2026 [1]."),
        ("How long ago was the wedding?", "4 months ago, on 17 July 2026 [1]."),
        ("How long is it since Pippin broke a tooth?", "3 months ago, on 17 August 2026 [1], by when it was told."),
        ("How long ago did we move?", "About 8 months, since the week of 23 February 2026 [1]."),
    ],
)
def test_what_one_sentence_names_another_tells(question: str, text: str) -> None:
    assert lead(question, YEAR).startswith(text)


def test_how_long_somebody_worked_is_told_from_what_began_and_ended_it() -> None:
    atoms = [
        atom("Took on Jonas for the weekends.", 9, "2026-05-18", kind="event", is_superseded=True),
        atom("Jonas quit.", 10, "2026-08-10", kind="event"),
    ]
    text = "84 days (12 weeks): from 18 May 2026 [1] to 10 August 2026 [2], by when it was told."
    assert lead("How long did Jonas work for us?", atoms).startswith(text)


def test_of_several_days_that_of_its_own_clause_counts() -> None:
    atoms = [
        atom("Piet broke his collarbone on 30 April 2026, they operated on 1 May 2026.", 1, "2026-05-04", kind="event"),
        atom("Piet went back to work on 8 June 2026.", 2, "2026-06-10", kind="event"),
    ]
    text = "39 days: from 30 April 2026 [1] to 8 June 2026 [2]."
    assert lead("How long between Piet breaking his collarbone and going back to work?", atoms).startswith(text)


def test_what_died_or_was_sold_is_had_no_more() -> None:
    atoms = [
        atom("Adopted a rabbit, Stoof, on Saturday.", 1, "2026-05-04", kind="event"),
        atom("Piet and I separated last week.", 2, "2026-09-07", kind="event"),
    ]
    assert lead("How long have we had a rabbit?", atoms).startswith("6 months, since 2 May 2026 [1].")
    assert lead("How long have I been separated?", atoms).startswith("About 12 weeks, since the week of 31 August 2026 [1].")
    died = atom("Stoof died.", 3, "2026-09-07", kind="event")
    assert "since 2 May" not in asked("How long have we had a rabbit?", [*atoms, died]).answer


def test_what_is_over_goes_on_no_more() -> None:
    left = [atom("Started at Veldhuis today.", 3, "2025-01-20", kind="event", is_superseded=True), *DATED[3:]]
    assert "since 20 January" not in asked("How long have I been at Veldhuis?", left).answer


@pytest.mark.parametrize(
    ("question", "atoms"),
    [
        ("How long between the knee operation and my first marathon?", DATED),
        ("How long did Ifeoma wear the cast?", YEAR),
        ("How long did I work at Philips?", DATED),
        ("How long did I work at Veldhuis?", [*DATED, atom("Started at Veldhuis again.", 5, "2026-01-10", kind="event")]),
        ("How long between the operation and the operation?", DATED),
    ],
)
def test_no_span_is_told_where_an_end_is_not_known_or_there_are_several(question: str, atoms: Sequence[Atom]) -> None:
    assert ": from " not in asked(question, atoms).answer
