"""What the last days brought, as `/ops` shows it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from lattice_common.adapters.files.per_day import MOST_BYTES, Day, PerDay, note_start
from lattice_common.adapters.files.token_ledger import Prices, TokenLedger
from ulid import ULID

NOW = datetime(2026, 11, 29, 1, 30, tzinfo=timezone(timedelta(hours=9)))
"""Half past one in Tokyo: the journal's folder is the one of the day before."""


class Clock:
    def __init__(self, now: datetime) -> None:
        self.at = now

    def now(self) -> datetime:
        return self.at

    machine = now

    def ahead(self) -> None:
        return None

    def new_id(self) -> str:
        return str(ULID.from_datetime(self.at)).lower()


def received(root: Path, moment: datetime, *suffixes: str) -> None:
    folder = root / "journal" / f"{moment.astimezone(UTC):%Y/%m/%d}"
    folder.mkdir(parents=True, exist_ok=True)
    entry = str(ULID.from_datetime(moment)).lower()
    for suffix in suffixes:
        (folder / f"{entry}{suffix}").touch()


def counted(root: Path) -> tuple[Callable[[], list[Day]], TokenLedger, Clock]:
    clock = Clock(NOW)
    ledger = TokenLedger(root, clock, daily_limit=0, prices=Prices(1_000_000.0, 2_000_000.0))
    per_day = PerDay(root, ledger)
    return lambda: per_day.last(3, clock.now()), ledger, clock


def test_a_day_is_one_of_the_machine_and_counts_what_was_told_and_how_much_of_it_has_ended(tmp_path: Path) -> None:
    days, ledger, clock = counted(tmp_path)
    received(tmp_path, NOW, ".json", ".plan.json")
    received(tmp_path, NOW - timedelta(hours=1), ".json", ".receipt.json", ".reading.json", ".original.json")
    received(tmp_path, NOW - timedelta(hours=2), ".json", ".receipt.json")
    received(tmp_path, NOW - timedelta(days=9), ".json", ".receipt.json")
    ledger.spend(model="m", purpose="answer", prompt=3, completion=2)
    note_start(tmp_path, NOW)
    note_start(tmp_path, NOW - timedelta(minutes=5))
    assert days() == [
        Day(date(2026, 11, 29), 2, 1, 2, 5, 7.0),
        Day(date(2026, 11, 28), 1, 1, 0, 0, 0.0),
        Day(date(2026, 11, 27), 0, 0, 0, 0, 0.0),
    ]
    received(tmp_path, NOW, ".receipt.json")
    received(tmp_path, NOW + timedelta(days=1), ".json")
    assert days()[0].ended == 2, "what has changed in a folder is counted anew"
    clock.at += timedelta(days=1)
    assert [(day.told, day.ended) for day in days()] == [(1, 0), (2, 2), (1, 1)]


def test_starts_are_counted_whatever_the_clock_said_at_each(tmp_path: Path) -> None:
    for days in (-1, 0, -56 * 365, 10 * 365, 0):
        note_start(tmp_path, NOW + timedelta(days=days))
    days, _, _ = counted(tmp_path)
    assert [day.starts for day in days()] == [2, 1, 0]


def test_a_loop_of_starts_takes_neither_the_disk_nor_the_time_of_the_next(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "starts.jsonl"
    note_start(tmp_path, NOW)
    path.write_bytes(path.read_bytes() * 30_000)
    note_start(tmp_path, NOW)
    assert path.stat().st_size <= MOST_BYTES / 2
    assert counted(tmp_path)[0]()[0].starts > 9_000


def test_edited_by_hand_they_count_as_far_as_they_are_times(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    lines = [{"ts": "0001-01-01T00:00:00+09:00"}, {"ts": "9999-12-31T23:59:59-09:00"}, {"ts": [1]}, {"ts": "soon"}, {}, [], "a"]
    (tmp_path / "logs" / "starts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + "[" * 100_000)
    note_start(tmp_path, NOW)
    assert [day.starts for day in counted(tmp_path)[0]()] == [1, 0, 0]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_what_is_no_file_in_their_place_holds_up_neither_a_start_nor_who_looks(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    (tmp_path / "logs").mkdir()
    make(tmp_path / "logs" / "starts.jsonl")
    note_start(tmp_path, NOW)
    assert [day.starts for day in counted(tmp_path)[0]()] == [0, 0, 0]
