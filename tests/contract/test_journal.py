"""The contract of `ports.journal`, on every adapter."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.journal import MemoryJournal
from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, Command, DeleteAtom
from lattice_common.domain.receipt import FinalState, Receipt
from lattice_common.errors import Conflict
from lattice_common.ports.journal import AgainMark, Plan, Tally, WorkLog

from tests.working import until

CLOCK = FixedClock()


@pytest.fixture(params=["files", "memory"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> WorkLog:
    makers: dict[str, Callable[[], WorkLog]] = {"files": lambda: FileJournal(tmp_path), "memory": MemoryJournal}
    return makers[request.param]()


def said(text: str, *, key: str | None = None, clock: FixedClock = CLOCK) -> Capture:
    now = clock.now()
    return Capture(
        capture_id=clock.new_id(), received_at=now, text=text, observed_at=now, idempotency_key=key, body_hash=f"hash of {text}"
    )


def ended(entry_id: str, state: FinalState = "stored") -> Receipt:
    return Receipt(capture_id=entry_id, state=state, finished_at=CLOCK.now(), attempts=3 if state == "dead" else 1)


def through(journal: WorkLog, entry_id: str, state: FinalState = "stored") -> None:
    journal.begin(entry_id)
    journal.finish(ended(entry_id, state))
    journal.close_entry(entry_id)


def plan(entry_id: str, part: int = 0) -> Plan:
    return Plan(entry_id, part, 2, 1, (), (), (), (), (), Tally(next_ordinal=part))


def test_what_was_appended_is_read_back_as_it_was(journal: WorkLog) -> None:
    capture = said("I live in Lisbon.")
    command = Command(CLOCK.new_id(), CLOCK.now(), DeleteAtom("01jd00000000000000000000zz"))
    assert journal.append(capture) == (capture.capture_id, True)
    assert journal.append(command) == (command.command_id, True)
    assert journal.read(capture.capture_id) == capture
    assert journal.read(command.command_id) == command


@pytest.mark.parametrize("entry_id", ["01jd00000000000000000000zz", "", "../../etc/passwd", "01JD", "7" + "z" * 25, "x" * 5000])
def test_an_entry_that_is_not_there_is_none_whatever_its_id_looks_like(journal: WorkLog, entry_id: str) -> None:
    assert journal.read(entry_id) is None
    assert journal.status(entry_id) is None
    assert journal.receipt(entry_id) is None
    assert journal.read_plan(entry_id) is None
    assert not journal.retry(entry_id)


def test_an_entry_waits_then_is_worked_on_then_ends_in_its_receipt(journal: WorkLog) -> None:
    entry_id, _ = journal.append(said("I play the piano."))
    states = []
    for step in (lambda: None, lambda: journal.begin(entry_id), lambda: journal.finish(ended(entry_id))):
        step()
        status = journal.status(entry_id)
        assert status is not None
        states.append(status.state)
    assert states == ["waiting", "working", "stored"]
    journal.close_entry(entry_id)
    status = journal.status(entry_id)
    assert status is not None
    assert status.receipt == ended(entry_id)
    assert status.received_at == CLOCK.now()


def test_attempts_count_up_from_one(journal: WorkLog) -> None:
    entry_id, _ = journal.append(said("a"))
    assert [journal.begin(entry_id) for _ in range(3)] == [1, 2, 3]
    status = journal.status(entry_id)
    assert status is not None
    assert status.attempts == 3


def test_the_work_list_holds_unfinished_entries_oldest_first(journal: WorkLog) -> None:
    first, second, third = (journal.append(said(text))[0] for text in "abc")
    through(journal, second)
    assert journal.open_ids() == [first, third]


def test_an_entry_with_a_receipt_stays_in_the_work_list_until_it_is_closed(journal: WorkLog) -> None:
    entry_id, _ = journal.append(said("a"))
    journal.begin(entry_id)
    journal.finish(ended(entry_id))
    assert journal.open_ids() == [entry_id]
    journal.close_entry(entry_id)
    journal.close_entry(entry_id)
    assert journal.open_ids() == []


def test_an_entry_without_receipt_cannot_be_closed(journal: WorkLog) -> None:
    entry_id, _ = journal.append(said("a"))
    with pytest.raises(Conflict, match="no receipt"):
        journal.close_entry(entry_id)
    assert journal.open_ids() == [entry_id]


def test_the_first_receipt_of_an_entry_is_its_only_one(journal: WorkLog) -> None:
    entry_id, _ = journal.append(said("a"))
    journal.finish(ended(entry_id, "stored"))
    journal.finish(ended(entry_id, "rejected"))
    receipt = journal.receipt(entry_id)
    assert receipt is not None
    assert receipt.state == "stored"


def test_a_plan_is_replaced_by_that_of_the_next_part_and_gone_when_the_entry_is_closed(journal: WorkLog) -> None:
    entry_id, _ = journal.append(said("a"))
    for part in (0, 1):
        journal.write_plan(plan(entry_id, part))
        assert journal.read_plan(entry_id) == plan(entry_id, part)
    through(journal, entry_id)
    assert journal.read_plan(entry_id) is None


def test_the_same_key_and_body_bring_back_the_old_entry(journal: WorkLog) -> None:
    first = said("a", key="k")
    assert journal.append(first) == (first.capture_id, True)
    assert journal.append(said("a", key="k")) == (first.capture_id, False)
    assert list(journal.entries()) == [first.capture_id]


def test_the_same_key_with_another_body_is_a_conflict(journal: WorkLog) -> None:
    first = said("a", key="k")
    journal.append(first)
    with pytest.raises(Conflict, match=first.capture_id):
        journal.append(said("b", key="k"))
    assert list(journal.entries()) == [first.capture_id]


def test_equal_bodies_without_a_key_are_two_entries(journal: WorkLog) -> None:
    journal.append(said("a"))
    journal.append(said("a"))
    assert len(journal.open_ids()) == 2


def test_a_thousand_concurrent_appends_of_one_key_make_one_entry(journal: WorkLog) -> None:
    entries = [said("a", key="k") for _ in range(1000)]
    results: list[tuple[str, bool]] = []

    def append(mine: list[Capture]) -> None:
        results.extend(journal.append(entry) for entry in mine)

    threads = [threading.Thread(target=append, args=(entries[n::50],)) for n in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({entry_id for entry_id, _ in results}) == 1
    assert sorted(created for _, created in results) == [False] * 999 + [True]
    assert len(list(journal.entries())) == 1


def test_entries_come_in_order_over_days(journal: WorkLog) -> None:
    clock = FixedClock()
    ids = []
    for _ in range(6):
        ids.append(journal.append(said("a", clock=clock))[0])
        clock.advance(timedelta(days=20))
    assert list(journal.entries(newest_first=False)) == ids
    assert list(journal.entries()) == ids[::-1]


def test_a_listing_goes_on_where_the_last_page_ended(journal: WorkLog) -> None:
    clock = FixedClock()
    ids = []
    for _ in range(7):
        ids.append(journal.append(said("a", clock=clock))[0])
        clock.advance(timedelta(hours=15))
    seen: list[str] = []
    cursor = None
    for _ in range(4):
        page, cursor = journal.listing(state=None, limit=2, cursor=cursor)
        seen.extend(status.capture_id for status in page)
        journal.append(said("newer ones do not move the pages", clock=clock))
    assert seen == ids[::-1]
    assert cursor is None


def test_a_listing_by_state_shows_that_state_only(journal: WorkLog) -> None:
    waiting, working, stored, dead = (journal.append(said(text))[0] for text in "abcd")
    journal.begin(working)
    through(journal, stored)
    through(journal, dead, "dead")

    def listed(state: str) -> list[str]:
        return [status.capture_id for status in journal.listing(state=state, limit=10, cursor=None)[0]]  # type: ignore[arg-type]

    assert {state: listed(state) for state in ("waiting", "working", "stored", "dead", "rejected")} == {
        "waiting": [waiting],
        "working": [working],
        "stored": [stored],
        "dead": [dead],
        "rejected": [],
    }


def test_a_dead_entry_can_be_retried_and_begins_anew(journal: WorkLog) -> None:
    entry_id, _ = journal.append(said("a"))
    for _ in range(3):
        journal.begin(entry_id)
    journal.write_plan(plan(entry_id))
    journal.finish(ended(entry_id, "dead"))
    journal.close_entry(entry_id)
    assert journal.open_ids() == []

    assert journal.retry(entry_id)
    assert journal.open_ids() == [entry_id]
    status = journal.status(entry_id)
    assert status is not None
    assert (status.state, status.attempts) == ("waiting", 0)
    assert journal.read_plan(entry_id) == plan(entry_id), "what was committed is not decided a second time"
    assert journal.begin(entry_id) == 1
    assert not journal.retry(entry_id)


def test_only_dead_entries_can_be_retried(journal: WorkLog) -> None:
    entry_id, _ = journal.append(said("a"))
    assert not journal.retry(entry_id)
    through(journal, entry_id)
    assert not journal.retry(entry_id)
    assert journal.open_ids() == []


def test_a_mark_to_read_again_is_replaced_by_a_newer_one_and_gone_when_it_is_cleared(journal: WorkLog) -> None:
    first, second = CLOCK.new_id(), CLOCK.new_id()
    for mark in (AgainMark(second, (Span(0, 9),)), AgainMark(first, (Span(3, 5), Span(8, 13)), 1, 2, CLOCK.now())):
        journal.mark_again(mark)
        assert journal.again(mark.capture_id) == mark
    assert journal.again_ids() == [first, second]
    journal.mark_again(AgainMark(second, (Span(0, 4),), rounds=1))
    assert journal.again(second) == AgainMark(second, (Span(0, 4),), rounds=1)
    for _ in range(2):
        journal.clear_again(first)
    assert journal.again(first) is None
    assert journal.again_ids() == [second]
    assert journal.again("../open") is None
    assert journal.open_ids() == []


def test_what_commands_deleted_is_remembered_oldest_first_until_it_is_cleared(journal: WorkLog) -> None:
    first, second = CLOCK.new_id(), CLOCK.new_id()
    journal.mark_deleted({second: False})
    journal.mark_deleted({first: True})
    assert list(journal.deleted().items()) == [(first, True), (second, False)]
    assert journal.deleted_ids() == sorted(journal.each_deleted()) == [first, second]
    for _ in range(2):
        journal.clear_deleted(first)
    assert (journal.deleted(), journal.deleted_ids(), list(journal.each_deleted())) == ({second: False}, [second], [second])


def test_that_a_mark_of_a_deletion_came_or_went_shows_without_listing_them(journal: WorkLog) -> None:
    def version() -> int:
        until("a change is over", lambda: journal.deletions_version() is not None)
        found = journal.deletions_version()
        assert found is not None
        return found

    seen = [version()]
    journal.mark_deleted({CLOCK.new_id(): False, (last := CLOCK.new_id()): True})
    seen.append(version())
    assert version() == seen[-1]
    journal.clear_deleted(last)
    assert len({*seen, version()}) == 3


def test_a_claimed_key_whose_entry_never_came_is_taken_up_under_its_id(journal: WorkLog) -> None:
    first = said("a", key="k")
    journal.append(first)
    again = replace(first, capture_id=CLOCK.new_id())
    assert journal.append(again) == (first.capture_id, False)


def test_a_retry_and_a_sweep_that_meet_open_the_entry_once(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    entry_id, _ = journal.append(said("one"))
    through(journal, entry_id, "dead")
    begun: list[int] = []

    def writer(step: str) -> None:
        if step == "durable.remove.done" and not begun:  # the receipt is gone, the mark is not back yet
            assert journal.open_ids() == [entry_id]
            begun.append(journal.begin(entry_id))

    durable.set_failpoint(writer)
    try:
        assert journal.retry(entry_id)
    finally:
        durable.set_failpoint(None)
    assert begun == [1]
    assert journal.open_ids() == [entry_id]
    assert journal.begin(entry_id) == 2


def test_a_writer_that_starts_takes_nothing_away_from_who_is_appending(tmp_path: Path) -> None:
    """In a deployment the API appends while the worker is killed and started again."""
    appending, clock = FileJournal(tmp_path), FixedClock()
    starting = threading.Event()

    def start_again_and_again() -> None:
        while not starting.is_set():
            FileJournal(tmp_path).recover()

    starts = threading.Thread(target=start_again_and_again)
    starts.start()
    try:
        for number in range(300):
            moment = clock.now()
            capture = Capture(clock.new_id(), moment, f"Box {number} is red.", moment)
            assert appending.append(capture) == (capture.capture_id, True)
    finally:
        starting.set()
        starts.join()
    assert len(appending.open_ids()) == 300


def test_what_a_crash_left_is_cleaned_and_what_somebody_is_writing_stays(tmp_path: Path) -> None:
    journal, clock = FileJournal(tmp_path), FixedClock()
    journal.append(Capture(clock.new_id(), clock.now(), "I like tea.", clock.now()))
    (day,) = {path.parent for path in (tmp_path / "journal").rglob("*.json")}
    left, coming = day / ".a.json.tmp-1-1", day / ".b.json.tmp-1-2"
    left.write_bytes(b"half")
    descriptor = durable.create(coming)
    journal.recover()
    assert (left.exists(), coming.exists()) == (False, True)
    os.close(descriptor)
    journal.recover()
    assert not coming.exists()
