"""What answers cite is counted into the memories: seldom, once, and never over a hand's edit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.journal import MemoryJournal
from lattice_common.adapters.memory.line_log import MemoryLineLog
from lattice_common.domain.capture import Command, CountRecalls
from lattice_common.ports.line_log import Logs
from lattice_common.upkeep.count_recalls import AT_ONCE, RecallCounting

from tests.pipeline.living import atom_saying, change, say, started

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Store:
    """Logs, a journal, and who looks whether it is time."""

    def __init__(self) -> None:
        self.clock = FixedClock(NOON)
        self.journal = MemoryJournal()
        self.logs = Logs(*(MemoryLineLog() for _ in range(7)))
        self.rung: list[str] = []
        self.counting = RecallCounting(self.journal, self.logs, self.clock, self.rung.append)

    def recall(self, *atom_ids: str) -> None:
        line = {"ts": self.clock.now().isoformat(), "trace_id": self.clock.new_id(), "atom_ids": list(atom_ids)}
        self.logs.usage.append([line])  # type: ignore[list-item]

    def counted(self) -> list[dict[str, int]]:
        said = [self.journal.read(entry) for entry in self.journal.entries(newest_first=False)]
        actions = [each.action for each in said if isinstance(each, Command)]
        return [
            {atom_id: int(recall["count"]) for atom_id, recall in action.recalls.items() if isinstance(recall, dict)}  # type: ignore[arg-type]
            for action in actions
            if isinstance(action, CountRecalls)
        ]


@pytest.fixture
def store() -> Store:
    return Store()


def test_nothing_is_counted_before_the_hour(store: Store) -> None:
    store.counting.look()
    store.recall("a")
    store.clock.advance(timedelta(minutes=59))
    store.counting.look()
    assert store.counted() == []


def test_after_an_hour_all_that_is_there_is_one_command(store: Store) -> None:
    store.recall("a", "b")
    store.recall("a")
    store.clock.advance(timedelta(hours=1))
    store.recall("c")
    store.counting.look()
    store.counting.look()
    assert store.counted() == [{"a": 2, "b": 1, "c": 1}]
    assert len(store.rung) == 1


def test_many_are_counted_at_once(store: Store) -> None:
    for _ in range(AT_ONCE - 1):
        store.recall("a")
    store.counting.look()
    assert store.counted() == []
    store.recall("a")
    store.counting.look()
    assert store.counted() == [{"a": AT_ONCE}]


@pytest.mark.parametrize("later", [lambda store: None, lambda store: store.recall("b")])
def test_a_crash_before_the_mark_counts_nothing_twice(store: Store, later: Callable[[Store], None]) -> None:
    store.recall("a")
    store.clock.advance(timedelta(hours=1))
    store.counting.look()
    store.logs.folded.drop(lambda _: True)
    later(store)
    store.clock.advance(timedelta(hours=1))
    store.counting.look()
    assert store.counted() == [{"a": 1}]
    store.counting.look()
    assert sum(each.get("a", 0) for each in store.counted()) == 1


def test_a_log_that_was_taken_away_is_begun_anew(store: Store) -> None:
    store.recall("a")
    store.clock.advance(timedelta(hours=1))
    store.counting.look()
    store.logs.usage.drop(lambda _: True)
    store.recall("b")
    store.clock.advance(timedelta(hours=1))
    store.counting.look()
    store.recall("c")
    store.clock.advance(timedelta(hours=1))
    store.counting.look()
    assert store.counted()[0] == {"a": 1}
    assert sum(each.get("c", 0) for each in store.counted()) == 1


def test_a_hands_edit_stays_as_it_is_when_recalls_are_counted(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "The spare key is with Ines.")
        atom_id = atom_saying(store, "spare key").atom_id
        [path] = tmp_path.rglob(f"{atom_id}.md")
        by_hand = path.read_text().replace("is with Ines.", "is with Tom.").replace("---\n", "---\n# mine\nrating: 5\n", 1)
        path.write_text(by_hand)
        change(store, CountRecalls({atom_id: {"count": 3, "last": NOON.isoformat()}, "gone": {"count": 1}}, 10))
        written = path.read_text()
        assert ("is with Tom." in written, "# mine" in written, "rating: 5" in written) == (True, True, True)
        assert "recall_count: 3" in written
        change(store, CountRecalls({atom_id: {"count": 1, "last": "2025-01-01T00:00:00+00:00"}}, 20))
        atom = atom_saying(store, "Tom")
        assert (atom.recall_count, atom.last_recalled_at) == (4, NOON)
