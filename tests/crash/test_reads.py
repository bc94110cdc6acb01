"""Disks that do not give what was written: each kind of file of a store in turn (`reads.py`), and those of a backup."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash.reported import reported

KINDS = 30
"""At least."""
BESIDE = 6
"""Trials with what lies beside a store."""


@pytest.mark.slow
def test_files_that_cannot_be_read_are_said_and_never_served_and_are_there_again_afterwards(tmp_path: Path) -> None:
    report = reported("reads", tmp_path)
    assert report["findings"] == []
    assert report["kinds"] >= KINDS
    assert report["beside"] == BESIDE
