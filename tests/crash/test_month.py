"""Days of a simulated memory: a few always, a whole month in the slow suite, and as many as wanted with `make month`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.crash.faults import missing

SECONDS = 240
"""After which no other day of the slow suite's month begins, on a machine that has much else to do."""


def simulated(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    if why := missing():
        if os.environ.get("CI"):
            pytest.fail(f"In CI no simulation may be skipped: {why}")
        pytest.skip(why)
    told = tmp_path / "report.json"
    command = [sys.executable, "-m", "tests.crash.month", "--json", str(told), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sys.stdout.write(done.stdout)
    assert told.exists(), done.stderr[-2000:]
    report: dict[str, Any] = json.loads(told.read_text())
    return report


def test_some_days_of_kills_full_disks_wrong_clocks_and_hands_lose_and_double_nothing(tmp_path: Path) -> None:
    report = simulated(tmp_path, "--seed", "7", "--days", "3")
    assert report["findings"] == []
    [month] = report["months"]
    assert month["days"] == 3
    assert month["events"]["sessions"] >= 3
    assert sum(month["done"].values()) >= 5


@pytest.mark.slow
def test_a_month_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Other seeds: `make month`; decision 48 names what some of them still find."""
    report = simulated(tmp_path, "--seed", "24", "--seconds", str(SECONDS))
    [month] = report["months"]
    assert report["findings"] == []
    assert month["days"] >= 3
