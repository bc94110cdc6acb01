"""What a hand deletes stays deleted, whatever happens to the machine."""

from __future__ import annotations

from pathlib import Path

from tests.crash.reported import reported


def test_what_a_hand_deleted_when_the_power_was_cut_does_not_come_back_and_is_in_nothing_derived(tmp_path: Path) -> None:
    assert reported("hands", tmp_path)["findings"] == []
