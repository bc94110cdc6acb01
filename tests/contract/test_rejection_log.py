"""The contract of `ports.rejection_log`, on every adapter, and what only files can show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from lattice_common.adapters.files.rejection_log import FileRejectionLog
from lattice_common.adapters.memory.rejection_log import MemoryRejectionLog
from lattice_common.domain.segment import Candidate
from lattice_common.ports.rejection_log import RejectedCandidate, RejectionLog

Reopen = Callable[[], RejectionLog]
SAID = datetime(2026, 3, 2, 20, 15, tzinfo=timezone(timedelta(hours=2)))


@pytest.fixture(params=["files", "memory"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Reopen:
    """Opens the log; a second call opens what the first left (memory lives as long as its process)."""
    if request.param == "files":
        return lambda: FileRejectionLog(tmp_path)
    log = MemoryRejectionLog()
    return lambda: log


def set_aside(number: int, *, reason: str = "number-unlicensed", content: str = "Mara has 3 cats.") -> RejectedCandidate:
    candidate = Candidate(
        content=content,
        quote="Mara has cats.\nTwo of them — née Schröder — are 東京's.",
        kind="count",
        subject="Mara",
        segment_id=f"segment-{number}",
        start=10,
        end=24,
        entities=("Mara", "Schröder"),
        importance=0.25,
        observed_at=SAID,
        metadata={"speaker": "Ada", "depth": [1, {"of": None}]},
    )
    return RejectedCandidate(f"rejected-{number}", "capture", datetime(2026, 3, 2, number, tzinfo=UTC), candidate, reason, "3")


def test_what_was_set_aside_comes_back_as_it_was(reopen: Reopen) -> None:
    reopen().append([set_aside(1)])
    assert reopen().get("rejected-1") == set_aside(1)


def test_the_newest_come_first_and_no_more_than_were_asked_for(reopen: Reopen) -> None:
    log = reopen()
    log.append([set_aside(1), set_aside(2)])
    log.append([set_aside(3)])
    assert [each.rejected_id for each in reopen().recent(2)] == ["rejected-3", "rejected-2"]
    assert [each.rejected_id for each in log.recent(10)] == ["rejected-3", "rejected-2", "rejected-1"]


def test_a_redo_changes_nothing_that_a_reader_sees(reopen: Reopen) -> None:
    log = reopen()
    log.append([set_aside(1), set_aside(2)])
    log.mark_kept("rejected-1", kept=True)
    log.append([set_aside(1, reason="said again"), set_aside(2)])
    for seen in (log, reopen()):
        assert [(each.rejected_id, each.reason, each.kept) for each in seen.recent(10)] == [
            ("rejected-2", "number-unlicensed", False),
            ("rejected-1", "number-unlicensed", True),
        ]


def test_keeping_can_be_taken_back(reopen: Reopen) -> None:
    log = reopen()
    log.append([set_aside(1)])
    log.mark_kept("rejected-1", kept=True)
    assert [each.kept for each in reopen().recent(1)] == [True]
    log.mark_kept("rejected-1", kept=False)
    assert [each.kept for each in reopen().recent(1)] == [False]


def test_what_is_not_there_is_none_and_cannot_be_kept(reopen: Reopen) -> None:
    log = reopen()
    log.mark_kept("rejected-9", kept=True)
    assert log.get("rejected-9") is None
    assert reopen().recent(5) == []


def test_what_is_dropped_is_gone_for_good_and_the_rest_stays(reopen: Reopen) -> None:
    log = reopen()
    log.append([set_aside(1), set_aside(2)])
    log.mark_kept("rejected-2", kept=True)
    assert log.drop(lambda each: each.rejected_id == "rejected-1") == 1
    assert [each.rejected_id for each in reopen().recent(10)] == ["rejected-2"]
    assert reopen().recent(10)[0].kept
    assert log.drop(lambda _: False) == 0


def test_appending_nothing_is_nothing(reopen: Reopen) -> None:
    reopen().append([])
    assert reopen().recent(5) == []


def test_a_half_line_that_a_crash_left_takes_no_other_with_it(tmp_path: Path) -> None:
    FileRejectionLog(tmp_path).append([set_aside(1)])
    path = tmp_path / "logs" / "rejected.jsonl"
    whole = path.read_bytes()
    for length in (len(whole) // 2, len(whole) - 2, 1):
        path.write_bytes(whole + whole[:length])
        log = FileRejectionLog(tmp_path)
        assert [each.rejected_id for each in log.recent(5)] == ["rejected-1"]


def test_what_is_written_after_a_half_line_is_read(tmp_path: Path) -> None:
    FileRejectionLog(tmp_path).append([set_aside(1)])
    path = tmp_path / "logs" / "rejected.jsonl"
    path.write_bytes(path.read_bytes() + b'{"rejected_id": "torn')
    FileRejectionLog(tmp_path).append([set_aside(2)])
    assert [each.rejected_id for each in FileRejectionLog(tmp_path).recent(5)] == ["rejected-2", "rejected-1"]


def test_the_quarantine_is_for_its_owner_only(tmp_path: Path) -> None:
    FileRejectionLog(tmp_path).append([set_aside(1)])
    assert (tmp_path / "logs" / "rejected.jsonl").stat().st_mode & 0o077 == 0
