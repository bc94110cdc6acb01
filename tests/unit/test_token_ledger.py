"""The day's tokens: counted over processes and restarts, whatever became of a line."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.files.token_ledger import KEPT_DAYS, TokenLedger
from lattice_common.adapters.memory.clock import FixedClock


def ledger(root: Path, clock: FixedClock, limit: int = 1000) -> TokenLedger:
    return TokenLedger(root, clock, daily_limit=limit)


def spend(into: TokenLedger, tokens: int) -> None:
    into.spend(model="m", purpose="extract", prompt=tokens, completion=0)


def test_each_process_sees_what_the_others_spent(tmp_path: Path) -> None:
    clock = FixedClock()
    one, other = ledger(tmp_path, clock), ledger(tmp_path, clock)
    spend(one, 400)
    assert other.spent_today() == 400
    spend(other, 600)
    assert one.used_up()
    assert ledger(tmp_path, clock).spent_today() == 1000


def test_a_new_day_begins_with_nothing_and_old_ones_are_removed(tmp_path: Path) -> None:
    clock = FixedClock()
    kept = ledger(tmp_path, clock)
    spend(kept, 1000)
    clock.advance(timedelta(days=1))
    assert (kept.spent_today(), kept.used_up()) == (0, False)
    spend(kept, 5)
    assert kept.spent_today() == 5
    for _ in range(61):
        clock.advance(timedelta(days=1))
        spend(kept, 1)
    days = sorted(path.stem for path in (tmp_path / "logs" / "tokens").iterdir())
    assert (len(days), days[-1]) == (KEPT_DAYS + 1, str(clock.now().date()))


def test_a_clock_that_is_ahead_by_years_takes_no_day(tmp_path: Path) -> None:
    clock = FixedClock()
    spend(ledger(tmp_path, clock), 300)
    clock.advance(timedelta(days=3650))
    spend(ledger(tmp_path, clock), 7)
    assert ledger(tmp_path, FixedClock()).spent_today() == 300


def test_a_pipe_in_place_of_a_day_holds_up_nobody(tmp_path: Path) -> None:
    clock = FixedClock()
    (tmp_path / "logs" / "tokens").mkdir(parents=True)
    os.mkfifo(tmp_path / "logs" / "tokens" / f"{clock.now().date()}.jsonl")
    kept = ledger(tmp_path, clock, limit=10)
    spend(kept, 10)
    assert (kept.today(), kept.spent_today(), kept.used_up()) == ([], 10, True)


def test_half_a_line_and_a_line_of_nothing_count_nothing(tmp_path: Path) -> None:
    clock = FixedClock()
    spend(ledger(tmp_path, clock), 300)
    [path] = (tmp_path / "logs" / "tokens").iterdir()
    with path.open("ab") as file:
        file.write(b'\0\0\0\n[1]\n{"prompt": "x"}\n{"prompt": 5, "comp')
    again = ledger(tmp_path, clock)
    assert again.spent_today() == 300
    with path.open("ab") as file:
        file.write(b'letion": 6}\n')
    assert again.spent_today() == 311


def test_a_disk_that_takes_no_line_costs_neither_the_answer_nor_the_limit(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "tokens").write_text("in the way")
    kept = ledger(tmp_path, FixedClock())
    spend(kept, 999)
    assert not kept.used_up()
    spend(kept, 1)
    assert kept.used_up()


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_the_file_is_the_owners_only_and_has_no_words(tmp_path: Path) -> None:
    spend(ledger(tmp_path, FixedClock()), 7)
    [path] = (tmp_path / "logs" / "tokens").iterdir()
    assert path.stat().st_mode & 0o077 == 0
    assert path.name == "2026-01-05.jsonl"


def test_no_limit_is_never_used_up(tmp_path: Path) -> None:
    kept = ledger(tmp_path, FixedClock(), limit=0)
    spend(kept, 10**9)
    assert not kept.used_up()
