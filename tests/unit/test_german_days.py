"""Days as German names them, told on Wednesday 11 March 2026."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.language.dates.mentions import resolve
from lattice_common.language.sentences.split import sentences

TOLD = datetime(2026, 3, 11, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Nächste Woche Mittwoch ist Elternabend.", ["2026-03-18"]),
        ("Mittwoch nächster Woche geht es los.", ["2026-03-18"]),
        ("Übernächsten Freitag hat Jonas Geburtstag.", ["2026-03-20"]),
        ("Der Elektriker kommt am 7. wegen der Lampe.", ["2026-04-07"]),
        ("Er war am 7. beim Arzt.", ["2026-03-07"]),
        ("Zahnarzttermin auf den 29. verschoben", ["2026-03-29"]),
        ("mama wird am 3. 60, ich back ihr ne torte", ["2026-04-03"]),
        ("Sie zieht Ende des Monats nach Chur.", ["2026-03-31"]),
        ("Klassenfahrt geht vom 6. bis 10. Mai nach Borkum.", ["2026-05-06"]),
        ("Am 3. Mai ist Feier.", ["2026-05-03"]),
        ("Ich arbeite dort von Montag bis Donnerstag.", []),
        ("Männerriege neu am Donnerstag, 20 Uhr.", []),
        ("Wir wohnen im 3. Stock.", []),
        ("Skoda Octavia, Baujahr 2014.", []),
        ("Ich fahre den alten Polo von 2008.", []),
        ("Er war der Chef von 2008 bis 2012.", ["2008-01-01", None]),
        ("I am 7. I live in Leeds.", []),
    ],
)
def test_a_day_is_read_as_it_is_meant(text: str, days: list[str | None]) -> None:
    found = [mention.valid_from.date().isoformat() if mention.valid_from else None for mention in resolve(text, TOLD)]
    assert found == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Heut in 3 Wochen ist die Operation.", ["2026-04-01"]),
        ("Sie kommt morgen in einer Woche.", ["2026-03-19"]),
        ("Am Samstag in einer Woche wird geheiratet.", ["2026-03-21"]),
        ("Freitag vor zwei Wochen war ich bei der Mutter.", ["2026-02-20"]),
        ("Im Jänner ziehen wir nach Graz.", ["2026-01-01"]),
        ("Am 9. Feber war die Kontrolle.", ["2026-02-09"]),
        ("Seit heuer bin ich in Pension.", ["2026-01-01"]),
    ],
)
def test_a_day_is_counted_exactly_from_the_one_that_is_named(text: str, days: list[str]) -> None:
    found = [mention.valid_from.date().isoformat() for mention in resolve(text, TOLD) if mention.valid_from]
    assert found == days


def test_austrian_months_do_not_begin_a_sentence() -> None:
    text = "Ab 1. Jänner arbeite ich in Linz. Am 3. Feber ist Kontrolle."
    assert [text[each.start : each.end] for each in sentences(text)] == [
        "Ab 1. Jänner arbeite ich in Linz.",
        "Am 3. Feber ist Kontrolle.",
    ]
