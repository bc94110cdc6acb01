"""A clock that is put back or forward between any two sayings: what was said last is what counts (docs/guarantees.md, G13)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded

from tests.pipeline.living import atoms_of, current, open_store, say, send, started

NOON = datetime(2027, 3, 28, 0, 30, tzinfo=UTC)
"""Half an hour before European clocks go to summer time."""

MOVES = {
    "a second back": timedelta(seconds=-1),
    "an hour back": timedelta(hours=-1),
    "a day back": timedelta(days=-1),
    "to 1970": datetime(1970, 1, 1, 0, 5, tzinfo=UTC) - NOON,
    "a day forward": timedelta(days=1),
    "nowhere": timedelta(),
}


class Machine:
    """A machine whose clock can be put to any time; each look takes a millisecond."""

    def __init__(self) -> None:
        self.shows = NOON

    def look(self) -> datetime:
        self.shows += timedelta(milliseconds=1)
        return self.shows


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def store(tmp_path: Path, machine: Machine) -> Iterator[Embedded]:
    with started(tmp_path, clock=SystemClock(look=machine.look)) as opened:
        yield opened


def seqs_of(store: Embedded) -> list[int]:
    """In the order of their making."""
    return [atom.seq for atom in sorted(atoms_of(store).values(), key=lambda atom: atom.capture_id or "")]


@pytest.mark.parametrize("move", MOVES)
def test_what_is_said_last_counts_wherever_the_clock_was_put(move: str, store: Embedded, machine: Machine) -> None:
    say(store, "I live in Berlin.")
    machine.shows += MOVES[move]
    say(store, "I moved from Berlin to Lisbon.")
    assert current(store) == ["I moved from Berlin to Lisbon."]
    machine.shows = max(machine.shows, NOON) - timedelta(minutes=10)
    say(store, "I moved from Lisbon to Oslo.")
    assert current(store) == ["I moved from Lisbon to Oslo."]
    assert seqs_of(store) == sorted(seqs_of(store))


@pytest.mark.parametrize("move", MOVES)
def test_a_door_that_sends_the_machines_own_time_changes_nothing_of_that(move: str, store: Embedded, machine: Machine) -> None:
    say(store, "I live in Berlin.", observed_at=machine.shows.isoformat())
    machine.shows += MOVES[move]
    say(store, "I moved from Berlin to Lisbon.", observed_at=machine.shows.isoformat())
    assert current(store) == ["I moved from Berlin to Lisbon."]


def test_a_date_that_is_meant_stays_while_the_clock_is_behind(store: Embedded, machine: Machine) -> None:
    say(store, "I live in Berlin.")
    machine.shows -= timedelta(hours=2)
    say(store, "I moved from Riga to Berlin.", observed_at="2020-05-01T09:00:00+00:00")
    assert "I live in Berlin." in current(store)
    dates = {atom.content: atom.observed_at.year for atom in atoms_of(store).values()}
    assert dates["I moved from Riga to Berlin."] == 2020


def test_a_clock_that_was_wrong_by_weeks_is_not_followed_for_weeks(store: Embedded, machine: Machine) -> None:
    machine.shows += timedelta(days=30)
    say(store, "My sister keeps two goats.")
    machine.shows -= timedelta(days=30)
    say(store, "My brother rows on Sundays.")
    dates = {atom.content: atom.observed_at for atom in atoms_of(store).values()}
    assert dates["My brother rows on Sundays."] < NOON + timedelta(minutes=5)


@pytest.mark.parametrize("ahead", [timedelta(days=3), timedelta(days=30), timedelta(days=4000)])
def test_what_is_said_after_a_clock_was_ahead_replaces_what_was_said_while_it_was(
    ahead: timedelta, store: Embedded, machine: Machine
) -> None:
    machine.shows += ahead
    say(store, "I live in Berlin.")
    machine.shows -= ahead
    say(store, "I moved from Berlin to Lisbon.")
    assert current(store) == ["I moved from Berlin to Lisbon."]
    machine.shows += timedelta(days=1)
    say(store, "I moved from Lisbon to Oslo.")
    assert current(store) == ["I moved from Lisbon to Oslo."]


def test_what_is_told_after_a_clock_was_ahead_counts_also_where_it_is_decided_when_that_time_has_come(tmp_path: Path) -> None:
    """As after a crash, or a disk that was full: it waited for the next start."""
    clock = FixedClock(NOON + timedelta(days=3, microseconds=700))
    with open_store(tmp_path, clock=clock) as store:
        store.ingest.run([send(store, IngestRequest(text="I live in Berlin."))])
    noted = FileJournal(tmp_path).newest()
    clock = FixedClock(NOON, after=noted)
    with open_store(tmp_path, clock=clock) as store:
        told = send(store, IngestRequest(text="I moved from Berlin to Lisbon."))
        clock.advance(timedelta(days=4))
        told_later = send(store, IngestRequest(text="I moved from Lisbon to Oslo."))
        store.ingest.run([told])
        assert current(store) == ["I moved from Berlin to Lisbon."]
        store.ingest.run([told_later])
        assert current(store) == ["I moved from Lisbon to Oslo."]


@pytest.mark.parametrize("waits", [timedelta(), timedelta(days=1)])
def test_what_waited_since_a_clock_was_ahead_replaces_nothing_that_was_told_later(waits: timedelta, tmp_path: Path) -> None:
    """As after a kill: what was told later has the lower id, and is decided first."""
    with open_store(tmp_path, clock=FixedClock(NOON)) as store:
        store.ingest.run([send(store, IngestRequest(text="I live in Berlin."))])
    with open_store(tmp_path, clock=FixedClock(NOON + timedelta(days=40))) as store:
        waited = send(store, IngestRequest(text="I moved from Berlin to Lisbon."))
    clock = FixedClock(NOON + timedelta(hours=1), after=FileJournal(tmp_path).newest())
    with open_store(tmp_path, clock=clock) as store:
        store.ingest.run([send(store, IngestRequest(text="I moved from Lisbon to Oslo."))])
        said = {atom.content: atom.observed_at for atom in atoms_of(store).values()}
        clock.advance(waits)
        store.ingest.run([waited])
        assert current(store) == ["I moved from Lisbon to Oslo."]
        after = {atom.content: atom.observed_at for atom in atoms_of(store).values()}
        assert {content: after[content] for content in said} == said


def test_what_a_right_clock_dated_later_replaces_what_waited_for_it(tmp_path: Path) -> None:
    clock = FixedClock(NOON)
    with open_store(tmp_path, clock=clock) as store:
        waited = send(store, IngestRequest(text="I live in Berlin."))
        clock.advance(timedelta(days=4))
        store.ingest.run([send(store, IngestRequest(text="I moved from Berlin to Lisbon."))])
        store.ingest.run([waited])
        assert current(store) == ["I moved from Berlin to Lisbon."]


def test_an_old_letter_does_not_replace_what_a_clock_that_was_ahead_dated(store: Embedded, machine: Machine) -> None:
    machine.shows += timedelta(days=30)
    say(store, "I live in Berlin.")
    machine.shows -= timedelta(days=30)
    say(store, "I moved from Riga to Hamburg.", observed_at="2020-05-01T09:00:00+00:00")
    assert "I live in Berlin." in current(store)


@pytest.mark.parametrize("ahead", [timedelta(minutes=50), timedelta(hours=20)])
def test_a_start_remembers_how_late_it_was(ahead: timedelta, tmp_path: Path) -> None:
    late = datetime.now(UTC) + ahead
    with started(tmp_path, clock=FixedClock(late)) as store:
        say(store, "I live in Berlin.")
    assert FileJournal(tmp_path).newest() is not None
    with started(tmp_path) as store:
        assert store.stores.clock.now() > late
        say(store, "I moved from Berlin to Lisbon.")
        assert current(store) == ["I moved from Berlin to Lisbon."]
        assert sorted(atoms_of(store)) == [atom_id for atom_id, _ in sorted(_by_seq(store), key=lambda pair: pair[1])]


def _by_seq(store: Embedded) -> list[tuple[str, int]]:
    return [(atom_id, atom.seq) for atom_id, atom in atoms_of(store).items()]
