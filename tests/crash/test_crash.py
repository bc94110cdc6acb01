"""A tenth of the points at which a crash may strike, another with each commit; all of them with `make crash` and `-m crash`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.crash.reported import reported

SECONDS = 420
"""That a tenth may take, beside what watching the operations takes: some twice what the slowest machine took (215 s)."""


def seed_of_commit() -> str:
    """The same for the same commit, so that a failure comes again; another tenth for the next one."""
    told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return str(int(told.stdout[:8] or "0", 16))


@pytest.mark.slow
def test_a_crash_at_any_of_some_points_loses_doubles_and_breaks_nothing(tmp_path: Path) -> None:
    """The seed is printed, and in the report of a failure."""
    seed = seed_of_commit()
    report = reported("points", tmp_path, "--share", "0.1", "--seed", seed, "--seconds", str(SECONDS))
    assert report["findings"] == [], f"seed {seed}"
    assert report["of"] >= 1500
    assert report["looked"] == report["wanted"], (
        f"Only {report['looked']} of the {report['wanted']} states and runs of this tenth were looked at within {SECONDS} s: "
        f'all of it is tried by `make crash S="--share 0.1 --seed {seed}"`'
    )


@pytest.mark.slow
def test_what_a_watched_process_is_shown_to_leave_is_what_it_leaves_when_it_ends_there(tmp_path: Path) -> None:
    report = reported("shown", tmp_path)
    assert report["findings"] == []
    assert {"create", "write", "fsync", "rename", "mkdir", "link", "truncate", "unlink", "rmdir"} <= set(report["calls"])
    assert report["compared"] > report["states"] > len(report["calls"])


@pytest.mark.crash
def test_a_crash_at_any_point_loses_doubles_and_breaks_nothing(tmp_path: Path) -> None:
    report = reported("points", tmp_path, "--seed", "1")
    assert report["findings"] == []
    assert report["points"] == report["of"] >= 1500
