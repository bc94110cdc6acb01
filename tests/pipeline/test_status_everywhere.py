"""What is not simply so, on every path out of the memory: facts answer questions of fact, all else is shown only with how it was
meant, and ends no fact."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition import Embedded
from lattice_common.domain.judgement import Status
from lattice_common.domain.recall import Query
from lattice_common.domain.status import UNDECIDED

from tests.pipeline.living import atom_saying, say, started

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
FACT = "I live in Leeds by the canal."
NOT_SO: list[tuple[Status, str]] = [
    ("wished", "I wish I lived in Lisbon by the sea."),
    ("supposed", "If I won the lottery I would live in Lisbon by the sea."),
    ("quoted", "Kasia says that I live in Lisbon by the sea."),
    ("joked", "I live in Lisbon by the sea, just kidding."),
    ("rejected", "I nearly moved to Lisbon by the sea."),
    ("uncertain", "Maybe I live in Lisbon by the sea."),
]
ENDS_IT = ScriptedJudge(
    updates={(FACT, text): 1.0 for _, text in NOT_SO}, meant={text: ("tell", status) for status, text in NOT_SO}
)


def test_each_status_that_is_not_so_is_tried() -> None:
    assert {status for status, _ in NOT_SO} == UNDECIDED


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with started(tmp_path, clock=FixedClock(NOW), judge=ENDS_IT) as opened:
        say(opened, FACT, observed_at="2026-01-10T10:00:00Z")
        yield opened


@pytest.mark.parametrize(("status", "text"), [each for each in NOT_SO if each[0] != "rejected"])
def test_it_never_retires_a_fact_however_sure_the_judge_is(store: Embedded, status: Status, text: str) -> None:
    say(store, text, observed_at="2026-05-20T10:00:00Z")
    assert atom_saying(store, "Lisbon").status == status
    assert not atom_saying(store, FACT).is_superseded
    assert atom_saying(store, "Lisbon").supersedes == ()


@pytest.mark.parametrize(("status", "text"), NOT_SO)
def test_it_stands_on_no_path_as_a_fact(tmp_path: Path, status: Status, text: str) -> None:
    judge = ScriptedJudge(meant={text: ("tell", status)})
    with started(tmp_path, clock=FixedClock(NOW), judge=judge) as store:
        say(store, FACT, observed_at="2026-01-10T10:00:00Z")
        say(store, text, observed_at="2026-05-20T10:00:00Z")
        answer = store.lattice.answer(Query("Where do I live?"))
        assert answer.answer.startswith("You live in Leeds")
        assert "Lisbon" not in answer.answer
        first, *_ = store.lattice.select(Query("Where do I live?")).atoms
        assert first.atom.content == FACT
        known = store.lattice.profile(10)
        shown = [line.atom.content for lines in (*known.lasting.values(), *known.recent.values()) for line in lines]
        assert FACT in shown
        assert not [content for content in shown if "Lisbon" in content]


@pytest.mark.parametrize(
    ("status", "text"),
    [("wished", "I'd love to visit Lisbon on 3 June 2026."), ("uncertain", "Maybe we meet in Lisbon on 3 June 2026.")],
)
def test_it_is_not_due_today(store: Embedded, status: Status, text: str) -> None:
    say(store, text, observed_at="2026-05-20T10:00:00Z")
    assert atom_saying(store, "Lisbon").status == status
    say(store, "I'm meeting Tom in Porto on 4 June 2026.", observed_at="2026-05-20T10:00:00Z")
    assert [each.atom.content for each in store.lattice.today(7).due] == ["I'm meeting Tom in Porto on 4 June 2026."]
