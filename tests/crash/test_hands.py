"""What a hand deletes stays deleted, whatever happens to the machine."""

from __future__ import annotations

from pathlib import Path

from tests.crash.reported import reported


def test_what_a_hand_deleted_just_before_the_power_was_cut_does_not_come_back(tmp_path: Path) -> None:
    assert reported("hands", tmp_path)["findings"] == []
