"""Days as German names them, told on Wednesday 11 March 2026."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.language.dates.mentions import resolve

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
