"""A few days of a simulated memory; whole months, of any seed, are lived by `make month`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash.reported import reported


@pytest.mark.slow
def test_some_days_of_kills_full_disks_wrong_clocks_and_hands_lose_and_double_nothing(tmp_path: Path) -> None:
    report = reported("month", tmp_path, "--seed", "7", "--days", "3")
    assert report["findings"] == []
    [month] = report["months"]
    assert month["days"] == 3
    assert month["events"]["sessions"] >= 3
    assert sum(month["done"].values()) >= 5
