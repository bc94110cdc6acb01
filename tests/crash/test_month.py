"""A few days of a simulated memory; whole months, of any seed, are lived by `make month`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.crash.faults import missing


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
