"""What the last days brought, as `/ops` shows it."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.files.per_day import KEPT_DAYS, STARTS, Day, PerDay, note_start
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


def test_starts_are_known_for_some_weeks_and_a_disk_that_takes_no_line_holds_up_none(tmp_path: Path) -> None:
    note_start(tmp_path, NOW - timedelta(days=KEPT_DAYS, hours=1))
    note_start(tmp_path, NOW - timedelta(days=1))
    note_start(tmp_path, NOW)
    assert [line["ts"] for line in FileLineLog(tmp_path, STARTS).newest()] == [
        "2026-11-28T16:30:00+00:00",
        "2026-11-27T16:30:00+00:00",
    ]
    days, _, _ = counted(tmp_path)
    assert [day.starts for day in days()] == [1, 1, 0]
    (tmp_path / "logs" / "starts.jsonl").unlink()
    (tmp_path / "logs" / "starts.jsonl").mkdir()
    note_start(tmp_path, NOW)
    (tmp_path / "logs" / "starts.jsonl").rmdir()
    os.mkfifo(tmp_path / "logs" / "starts.jsonl")
    note_start(tmp_path, NOW)
