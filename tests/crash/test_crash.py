"""A part of the points at which a crash may strike, drawn anew each time; all of them with `make crash` and `-m crash`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.crash.faults import missing

SECONDS = 60
LEAST = 5
"""Points that even a busy machine gets done in that time."""


def enumerated(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    if why := missing():
        if os.environ.get("CI"):
            pytest.fail(f"In CI no point may be skipped: {why}")
        pytest.skip(why)
    told = tmp_path / "report.json"
    command = [sys.executable, "-m", "tests.crash.points", "--json", str(told), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sys.stdout.write(done.stdout)
    assert told.exists(), done.stderr[-2000:]
    report: dict[str, Any] = json.loads(told.read_text())
    return report


@pytest.mark.slow
def test_a_crash_at_any_of_some_points_loses_doubles_and_breaks_nothing(tmp_path: Path) -> None:
    """The seed is printed, and in the report of a failure."""
    report = enumerated(tmp_path, "--share", "0.1", "--seconds", str(SECONDS))
    assert report["findings"] == [], f"seed {report['seed']}"
    assert report["of"] >= 1500
    assert report["points"] >= LEAST


@pytest.mark.crash
def test_a_crash_at_any_point_loses_doubles_and_breaks_nothing(tmp_path: Path) -> None:
    report = enumerated(tmp_path, "--seed", "1")
    assert report["findings"] == []
    assert report["points"] == report["of"] >= 1500
