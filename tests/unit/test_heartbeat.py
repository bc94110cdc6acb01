"""The heartbeat says that the worker goes on, and why it does not when it hangs, ended, or waits."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lattice_common.adapters.embedded.writer_thread import WriterState
from lattice_common.capture.inbox import InboxState
from lattice_common.healthcheck import trouble
from lattice_worker.heartbeat import STUCK_SECONDS, Heartbeat

from tests.working import until

WORKING = WriterState(alive=True, waiting=3, paused=None, starting=False, turns=1)


@dataclass
class Told:
    """Something whose state is what the test says."""

    said: Any

    def state(self) -> Any:
        return self.said


@dataclass
class Heart:
    """A `Beating`, and the clock by which it hangs."""

    writer: Told = field(default_factory=lambda: Told(WORKING))
    inbox: Told = field(default_factory=lambda: Told(InboxState()))
    lacks: tuple[str, ...] = ()
    unjudged: int = 0
    now: float = 0.0

    def lacking(self) -> tuple[str, ...]:
        return self.lacks

    def unsearched(self) -> tuple[str, ...]:
        return tuple(each for each in self.lacks if each.startswith("search: "))

    def judging_behind(self) -> int:
        return self.unjudged

    def failed(self) -> dict[str, int]:
        return {"dead": self.unjudged}

    def monotonic(self) -> float:
        return self.now


def beats(path: Path, heart: Heart) -> Heartbeat:
    return Heartbeat(path / "writer.json", heart, heart.monotonic)


def told(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((path / "writer.json").read_bytes())
    return found


def test_it_says_what_the_writer_does(tmp_path: Path) -> None:
    heart = Heart()
    heartbeat = beats(tmp_path, heart)
    for state, word in (
        (WORKING, "working"),
        (replace(WORKING, waiting=0), "idle"),
        (replace(WORKING, paused="the disk is full"), "paused"),
    ):
        heart.writer.said = state
        heartbeat.beat()
        assert told(tmp_path)["state"] == word
        assert told(tmp_path)["stuck"] is None
        assert trouble(str(tmp_path / "writer.json")) is None
    assert told(tmp_path)["paused"] == "the disk is full"


def test_it_says_how_many_memories_are_still_to_be_compared(tmp_path: Path) -> None:
    beats(tmp_path, Heart(unjudged=7)).beat()
    assert told(tmp_path)["judging_behind"] == 7


def test_it_says_what_answers_go_without(tmp_path: Path) -> None:
    """The API has no other way to know of a file that cannot be read, or of an engine that is still behind."""
    heart = Heart(lacks=("memories: 1 of their files cannot be read",))
    beats(tmp_path, heart).beat()
    assert told(tmp_path)["lacking"] == ["memories: 1 of their files cannot be read"]


def test_one_that_has_work_and_gets_nothing_done_is_stuck(tmp_path: Path) -> None:
    heart = Heart()
    heartbeat = beats(tmp_path, heart)
    heartbeat.beat()
    heart.now += STUCK_SECONDS
    heartbeat.beat()
    assert told(tmp_path)["stuck"] is None
    heart.now += 1
    heartbeat.beat()
    assert "got nothing done for 901 s" in told(tmp_path)["stuck"]
    assert trouble(str(tmp_path / "writer.json")) == told(tmp_path)["stuck"]


def test_one_that_gets_something_done_now_and_then_is_not_stuck(tmp_path: Path) -> None:
    heart = Heart()
    heartbeat = beats(tmp_path, heart)
    for turn in range(5):
        heart.writer.said = replace(WORKING, turns=turn)
        heartbeat.beat()
        heart.now += STUCK_SECONDS - 1
        heartbeat.beat()
        assert told(tmp_path)["stuck"] is None


def test_one_without_work_or_that_waits_for_a_reason_is_not_stuck(tmp_path: Path) -> None:
    heart = Heart()
    heartbeat = beats(tmp_path, heart)
    for state in (replace(WORKING, waiting=0), replace(WORKING, paused="the disk is full")):
        heart.writer.said = state
        for _ in range(3):
            heart.now += STUCK_SECONDS + 1
            heartbeat.beat()
            assert told(tmp_path)["stuck"] is None


def test_one_that_ended_says_why(tmp_path: Path) -> None:
    heart = Heart(Told(replace(WORKING, alive=False, paused="another writer took over")))
    beats(tmp_path, heart).beat()
    assert told(tmp_path)["stuck"] == "the writer ended: another writer took over"


def test_it_beats_from_start_to_stop_and_leaves_no_draft(tmp_path: Path) -> None:
    heartbeat = beats(tmp_path, Heart())
    heartbeat.start()
    until("the first beat", lambda: (tmp_path / "writer.json").exists())
    heartbeat.stop()
    assert [path.name for path in tmp_path.iterdir()] == ["writer.json"]
    assert abs(told(tmp_path)["at"] - time.time()) < 60


def test_what_answers_go_without_is_told_when_it_changes_not_at_the_next_beat(tmp_path: Path) -> None:
    heart = Heart(lacks=("search: looking through what changed",))
    heartbeat = Heartbeat(tmp_path / "writer.json", heart, heart.monotonic, every=3600)
    heartbeat.start()
    until("the first beat", lambda: (tmp_path / "writer.json").exists())
    heart.lacks = ()
    until("it to be told", lambda: told(tmp_path)["lacking"] == [])
    heartbeat.stop()


def test_a_beat_that_cannot_be_written_is_not_the_last(tmp_path: Path) -> None:
    """As on a full disk, once there is room again."""
    heart = Heart()
    heartbeat = Heartbeat(tmp_path / "index" / "writer.json", heart, heart.monotonic, every=0.01)
    heartbeat.start()
    (tmp_path / "index").mkdir()
    until("a beat", lambda: (tmp_path / "index" / "writer.json").exists())
    heartbeat.stop()
