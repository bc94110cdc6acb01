"""When a file was last written, told to what keeps it."""

from __future__ import annotations

from datetime import UTC, datetime

from lattice_common.capture.written import written_at


def test_a_file_written_within_the_second_is_not_put_before_what_was_told_earlier_in_it() -> None:
    told = datetime(2026, 11, 26, 10, 0, 0, 250_000, tzinfo=UTC)
    assert datetime.fromisoformat(written_at(told.timestamp() + 0.5)) > told


def test_the_time_keeps_the_offset_of_this_machine() -> None:
    assert datetime.fromisoformat(written_at(1_700_000_000.5)).utcoffset() == datetime.now().astimezone().utcoffset()
