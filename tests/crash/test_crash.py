"""A part of the points at which a crash may strike, drawn anew each time; all of them with `make crash` and `-m crash`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash.reported import reported

SECONDS = 60
LEAST = 5
"""Points that even a busy machine gets done in that time."""


@pytest.mark.slow
def test_a_crash_at_any_of_some_points_loses_doubles_and_breaks_nothing(tmp_path: Path) -> None:
    """The seed is printed, and in the report of a failure."""
    report = reported("points", tmp_path, "--share", "0.1", "--seconds", str(SECONDS))
    assert report["findings"] == [], f"seed {report['seed']}"
    assert report["of"] >= 1500
    assert report["points"] >= LEAST


@pytest.mark.crash
def test_a_crash_at_any_point_loses_doubles_and_breaks_nothing(tmp_path: Path) -> None:
    report = reported("points", tmp_path, "--seed", "1")
    assert report["findings"] == []
    assert report["points"] == report["of"] >= 1500
