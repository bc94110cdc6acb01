"""Which time a question asks about, seen from Sunday, 22 November 2026."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.questions.asked_period import asked_period

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What happened last week?", "2026-11-09", "2026-11-16"),
        ("what did i spend in march", "2026-03-01", "2026-04-01"),
        ("Who was our dentist as of March?", "2026-03-01", "2026-04-01"),
        ("who read the meter in june 2025?", "2025-06-01", "2025-07-01"),
        ("Who has read the meter in June?", "2026-06-01", "2026-07-01"),
        ("who has in june meter read?", "2026-06-01", "2026-07-01"),
        ("What has to be paid in June?", "2027-06-01", "2027-07-01"),
        ("What did I do this winter?", "2025-12-01", "2026-03-01"),
        ("How was the wet spring?", "2026-03-01", "2026-06-01"),
        ("What is planned for the summer?", "2027-06-01", "2027-09-01"),
        ("Where did we go in the autumn of 2025?", "2025-09-01", "2025-12-01"),
        ("What did the vet say in March?", "2026-03-01", "2026-04-01"),
        ("What appointments do I have in March?", "2027-03-01", "2027-04-01"),
        ("What appointments do I have in December?", "2026-12-01", "2027-01-01"),
        ("Who called the week before last?", "2026-11-02", "2026-11-09"),
        ("What did we do the summer before last?", "2025-06-01", "2025-09-01"),
        ("What did we do the night before last?", "2026-11-20", "2026-11-21"),
        ("Who came the Friday before last?", "2026-11-13", "2026-11-14"),
        ("What did we do at Easter?", "2026-04-03", "2026-04-07"),
        ("Where were we over Easter 2025?", "2025-04-18", "2025-04-22"),
        ("What are we doing at Easter?", "2027-03-26", "2027-03-30"),
        ("Where did we camp over Whitsun?", "2026-05-23", "2026-05-26"),
        ("Who visited over the Pentecost weekend of 2025?", "2025-06-07", "2025-06-10"),
        ("What happened on Easter Monday?", "2026-04-06", "2026-04-07"),
        ("Who did we meet on Ash Wednesday 2025?", "2025-03-05", "2025-03-06"),
        ("What did I give up in Lent?", "2026-02-18", "2026-04-05"),
        ("What did I lose on Christmas Eve?", "2025-12-24", "2025-12-25"),
        ("Who called on Boxing Day?", "2025-12-26", "2025-12-27"),
        ("Where was the bonfire at midsummer?", "2026-06-19", "2026-06-27"),
        ("What did we cook on St. Martin's Day?", "2026-11-11", "2026-11-12"),
        ("Who is coming on Christmas Day?", "2026-12-25", "2026-12-26"),
        ("What did I spend between March and May?", "2026-03-01", "2026-06-01"),
        ("What did I spend from November to February?", "2025-11-01", "2026-03-01"),
        ("Who came over Christmas?", "2025-12-20", "2025-12-30"),
        ("Who came at the weekend?", "2026-11-21", "2026-11-23"),
        ("What broke in the first half of 2025?", "2025-01-01", "2025-07-02"),
        ("What did we decide at the end of June?", "2026-06-21", "2026-07-01"),
        ("How often did I run over the last two weeks?", "2026-11-08", "2026-11-23"),
        ("What have I been reading lately?", "2026-10-08", "2026-11-23"),
        ("What did the roof cost in 2024?", "2024-01-01", "2025-01-01"),
        ("Who is coming next week?", "2026-11-23", "2026-11-30"),
    ],
)
def test_a_question_looks_back_to_a_time_unless_it_looks_ahead(question: str, first: str, last: str) -> None:
    asked = asked_period(question, NOW)
    assert asked is not None
    assert [datetime.fromtimestamp(each, UTC).strftime("%Y-%m-%d") for each in (asked.first, asked.last)] == [first, last]


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Was haben wir im Mai gemacht?", "2026-05-01", "2026-06-01"),
        ("Was machen wir im Mai?", "2027-05-01", "2027-06-01"),
        ("¿Qué hicimos en mayo?", "2026-05-01", "2026-06-01"),
        ("¿Qué haremos en mayo?", "2027-05-01", "2027-06-01"),
        ("¿Qué pasó el invierno pasado?", "2025-12-01", "2026-03-01"),
        ("¿Qué hice el fin de semana pasado?", "2026-11-14", "2026-11-16"),
        ("Was habe ich vorletztes Wochenende gemacht?", "2026-11-07", "2026-11-09"),
        ("Was haben wir an Ostern gemacht?", "2026-04-03", "2026-04-07"),
        ("Was haben wir an Pfingsten gemacht?", "2026-05-23", "2026-05-26"),
        ("Was habe ich am Freitag gemacht?", "2026-11-20", "2026-11-21"),
        ("Was steht am Freitag an?", "2026-11-27", "2026-11-28"),
        ("¿Qué hicimos el sábado?", "2026-11-21", "2026-11-22"),
        ("¿Qué tengo el sábado?", "2026-11-28", "2026-11-29"),
        ("Co robiłem w sobotę?", "2026-11-21", "2026-11-22"),
        ("Wat heb ik vrijdag gedaan?", "2026-11-20", "2026-11-21"),
        ("Cumartesi ne yaptık?", "2026-11-21", "2026-11-22"),
    ],
)
def test_the_verb_of_another_language_says_whether_it_looks_back(question: str, first: str, last: str) -> None:
    asked = asked_period(in_english(question), NOW, question)
    assert asked is not None
    assert [datetime.fromtimestamp(each, UTC).strftime("%Y-%m-%d") for each in (asked.first, asked.last)] == [first, last]


@pytest.mark.parametrize(
    "question",
    [
        "May I eat nuts?",
        "When do I plant spring onions?",
        "How was the fall from the ladder?",
        "Where did I park?",
        "Who is May?",
    ],
)
def test_words_that_are_no_time_name_none(question: str) -> None:
    assert asked_period(question, NOW) is None


@pytest.mark.parametrize(
    ("question", "only"),
    [
        ("What happened last week?", True),
        ("What did I do yesterday?", True),
        ("Anything new lately?", True),
        ("What did the vet say last week?", False),
        ("Who came at the weekend?", False),
        ("What has happened since March?", False),
    ],
)
def test_it_is_known_whether_a_question_asks_for_nothing_but_a_time(question: str, only: bool) -> None:
    asked = asked_period(question, NOW)
    assert asked is not None
    assert asked.only == only


def test_what_was_told_then_is_asked_for_by_when_it_was_said() -> None:
    told, done = (asked_period(each, NOW) for each in ("What did I tell you last Tuesday?", "What did I do last Tuesday?"))
    assert told is not None
    assert done is not None
    assert (told.told, done.told) == (True, False)


def test_no_number_of_years_leads_out_of_the_calendar_with_an_error() -> None:
    assert asked_period("What happened in the last 999 years?", datetime(300, 1, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize(
    ("question", "only"),
    [
        ("Was steht am Freitag an?", True),
        ("¿Qué pasa el viernes?", True),
        ("Qu'est-ce qu'il y a samedi ?", True),
        ("Qu'est-ce qui est au programme vendredi ?", True),
        ("Qui vient dîner samedi ?", False),
        ("Что у меня в пятницу?", True),
        ("Что мы делали в субботу?", True),
        ("Кто приходит в пятницу?", False),
        ("¿Qué pasó la semana pasada?", True),
        ("Cosa è successo la settimana scorsa?", True),
        ("Wat staat er vrijdag op de planning?", True),
        ("Co się dzieje w piątek?", True),
        ("Geçen hafta ne oldu?", True),
        ("O que acontece na sexta-feira?", True),
        ("Wann habe ich am Freitag Zahnarzt?", False),
        ("¿A qué hora llega Luis el viernes?", False),
        ("Wat staat er vrijdag in de krant?", False),
    ],
)
def test_what_is_on_is_asked_in_other_words_elsewhere(question: str, only: bool) -> None:
    english = in_english(question)
    asked = asked_period(english, NOW, None if english == question else question)
    assert asked is not None
    assert asked.only is only
