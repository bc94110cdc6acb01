"""What papers call otherwise than those who ask about them."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.instead import says_what_instead
from lattice_common.language.questions.document_fields import fields_in, tells_of


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Wie viel Mehrwertsteuer steht auf der Rechnung?", "zzgl. 19 % MwSt.: 92,06 €"),
        ("How much VAT is on the invoice?", "zzgl. 19 % MwSt.: 92,06 €"),
        ("When does our insurance run out?", "Period of insurance: 18 April 2026 to 17 April 2027"),
        ("How much does he get back?", "Ihr Guthaben: 161,53 €"),
        ("Bis wann muss die Rechnung bezahlt sein?", "Zahlbar ohne Abzug bis zum 23.10.2026."),
        ("How heavy is the boiler?", "Weight: 36 kg"),
        ("Quand le contrat prend fin ?", "Durée : douze mois, jusqu'au 17 mai 2027"),
    ],
)
def test_a_line_tells_what_is_asked_for_by_another_name(question: str, line: str) -> None:
    assert tells_of(question, line) == 1.0


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("How much was the bill before VAT?", "VAT 5%: £13.63"),
        ("When does our insurance run out?", "Date of issue: 26 March 2026"),
    ],
)
def test_a_line_of_another_field_tells_none(question: str, line: str) -> None:
    assert tells_of(question, line) == -1.0


def test_other_questions_ask_for_no_field() -> None:
    assert tells_of("Who is Tom?", "VAT 5%: £13.63") == 0.0
    assert fields_in("How much was the bill before VAT?", "asked") == {"net"}


def test_what_is_so_instead_is_said_so() -> None:
    assert says_what_instead("We're doing a week in Whitby instead.")
    assert says_what_instead("Wir fahren stattdessen nach Rügen.")
    assert not says_what_instead("I had tea instead of coffee.")
