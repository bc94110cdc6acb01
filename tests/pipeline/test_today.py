"""What is said before anything is asked: what is due, what changed this week, what was on this day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.composition import Embedded
from lattice_common.domain.capture import ArchiveAtoms
from lattice_common.domain.recall import Query

from tests.pipeline.living import atom_saying, change, say, started

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with started(tmp_path / "data", clock=FixedClock(NOW)) as store:
        yield store


def due(store: Embedded, days: int = 7) -> list[tuple[date, str, str]]:
    return [(each.on, each.by, each.atom.content) for each in store.lattice.today(days).due]


def test_what_was_told_of_a_day_to_come_is_due_on_it(store: Embedded) -> None:
    say(store, "I have a dentist appointment on 4 June 2026.", observed_at="2026-05-20T10:00:00Z")
    say(store, "I have a flight on 20 June 2026.", observed_at="2026-05-20T10:00:00Z")
    say(store, "I met Tom today.", observed_at="2026-06-01T08:00:00Z")
    dentist = (date(2026, 6, 4), "date", "I have a dentist appointment on 4 June 2026.")
    assert due(store) == [dentist]
    assert due(store, 30) == [dentist, (date(2026, 6, 20), "date", "I have a flight on 20 June 2026.")]
    change(store, ArchiveAtoms((atom_saying(store, "dentist").atom_id,)))
    assert due(store) == []


def test_a_birthday_comes_back_every_year(store: Embedded) -> None:
    say(store, "Nora's birthday is on 3 June.", observed_at="2025-05-20T10:00:00Z")
    say(store, "Tom hat am 2. Juni Geburtstag.", observed_at="2025-05-20T10:00:00Z")
    say(store, "Ada was born on 7 June 1990.", observed_at="2025-05-20T10:00:00Z")
    say(store, "Eve's birthday is on 9 June.", observed_at="2025-05-20T10:00:00Z")
    say(store, "I bought a bike on 3 June 2025.", observed_at="2025-06-03T10:00:00Z")
    assert due(store) == [
        (date(2026, 6, 2), "yearly", "Tom hat am 2. Juni Geburtstag."),
        (date(2026, 6, 3), "yearly", "Nora's birthday is on 3 June."),
        (date(2026, 6, 7), "yearly", "Ada was born on 7 June 1990."),
    ]


def test_what_changed_this_week_is_shown_with_what_it_replaced(store: Embedded) -> None:
    say(store, "I live in Porto.", observed_at="2026-01-10T10:00:00Z")
    say(store, "I moved from Porto to Lisbon.", observed_at="2026-05-30T10:00:00Z")
    [changed] = store.lattice.today().changed
    assert changed.atom.content == "I moved from Porto to Lisbon."
    assert [old.content for old in changed.replaced] == ["I live in Porto."]


def test_what_was_on_this_day_in_earlier_years_comes_back(store: Embedded) -> None:
    say(store, "I started as a nurse at the clinic.", observed_at="2024-06-01T10:00:00Z")
    say(store, "I love rye bread.", observed_at="2024-06-02T10:00:00Z")
    assert [(each.years, each.atom.content) for each in store.lattice.today().on_this_day] == [
        (2, "I started as a nurse at the clinic.")
    ]


def test_on_a_quiet_day_there_is_nothing(store: Embedded) -> None:
    say(store, "I love rye bread.")
    quiet = store.lattice.today()
    assert (quiet.day, quiet.due, quiet.changed, quiet.on_this_day, quiet.in_review) == (date(2026, 6, 1), (), (), (), 0)


def test_an_open_question_is_offered_once_something_told_since_answers_it(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 6, 1, 9, tzinfo=UTC))
    with started(tmp_path, clock=clock) as store:
        say(store, "I live in Lisbon.")
        assert not store.lattice.answer(Query("Who has the spare key?"), channel="page").answered
        store.lattice.answer(Query("What is my blood type?"), channel="page")
        assert store.lattice.today().answerable == ()
        clock.advance(timedelta(hours=2))
        say(store, "The spare key is with Ines.")
        [open_question] = store.lattice.today().answerable
        assert (open_question.question, open_question.atom.content) == ("Who has the spare key?", "The spare key is with Ines.")
        clock.advance(timedelta(days=8))
        assert store.lattice.today().answerable == (), "nothing new for a week"


def test_a_question_that_was_asked_again_and_answered_is_not_open(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 6, 1, 9, tzinfo=UTC))
    with started(tmp_path, clock=clock) as store:
        store.lattice.answer(Query("Who has the spare key?"), channel="page")
        clock.advance(timedelta(hours=2))
        say(store, "The spare key is with Ines.")
        clock.advance(timedelta(minutes=1))
        assert store.lattice.answer(Query("Who has the spare key?"), channel="page").answered
        assert store.lattice.today().answerable == ()
