"""On which days what repeats takes place, by its words alone."""

from __future__ import annotations

from datetime import date

import pytest
from lattice_common.language.dates.recurring import days_of, next_day, repeats
from lattice_common.recall.named_code import names_another


def entry(rule: str) -> str:
    return f"Family: Event: Swimming; When: 10 September 2026, 17:15 to 17:45; Repeats: {rule}; Where: The pool"


@pytest.mark.parametrize(
    ("rule", "days"),
    [
        ("every week on Thursday until 17 December 2026, except on 10 December 2026", ["2026-12-03", "2026-12-17"]),
        ("every first Tuesday of the month", ["2026-12-01", "2027-01-05"]),
        ("every last working day of the month", ["2026-11-30", "2026-12-31"]),
        (
            "every 2 weeks on Monday, Wednesday",
            ["2026-11-30", "2026-12-02", "2026-12-14", "2026-12-16", "2026-12-28", "2026-12-30"],
        ),
        ("every month on the 15th", ["2026-12-15"]),
        ("every month on the last day", ["2026-11-30", "2026-12-31"]),
        ("every month, also on 5 December 2026", ["2026-12-05", "2026-12-10"]),
        ("every 2 months on the first Tuesday", ["2027-01-05"]),
        ("every week on Friday, 3 times", []),
        ("every year on 24 December", ["2026-12-24"]),
        ("every first Monday of March and December", ["2026-12-07"]),
        ("this time only, in place of 3 December 2026", []),
        ("whenever it rains", []),
    ],
)
def test_each_day_of_an_entry_follows_from_its_words(rule: str, days: list[str]) -> None:
    found = days_of(entry(rule), date(2026, 11, 30), date(2027, 1, 6))
    assert [day.isoformat() for day in found] == days


def test_the_next_day_is_today_or_later_and_none_where_nothing_repeats() -> None:
    assert next_day(entry("every week on Monday"), date(2026, 11, 30)) == date(2026, 11, 30)
    assert next_day(entry("every year"), date(2026, 11, 30)) == date(2027, 9, 10)
    assert next_day("I swim every week on Monday.", date(2026, 11, 30)) is None
    assert not repeats("I swim every week on Monday.")


@pytest.mark.parametrize(
    ("question", "texts", "another"),
    [
        ("What does F15 mean?", ["Code: F10; Meaning: low pressure", "Code: H3; Meaning: service"], True),
        ("What does F10 mean?", ["Code: F10; Meaning: low pressure", "Code: H3; Meaning: service"], False),
        ("Who has locker B12?", ["Locker B7 is Ines's."], True),
        ("When is the F1 race?", ["The Grand Prix is on Sunday."], False),
        ("What does the 2A cost?", ["Flat 4B costs 1,385."], False),
    ],
)
def test_a_code_that_nothing_has_is_of_something_else(question: str, texts: list[str], another: bool) -> None:
    assert names_another(question, texts) is another
