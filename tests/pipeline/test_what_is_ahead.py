"""What is only going to hold leaves what holds as it is until its day, and is told behind it until then."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from known_atoms import KnownAtoms, statement
from lattice_common.adapters.memory.clock import START
from lattice_common.domain.atom import Atom, Relation, changed_on, is_ahead
from lattice_common.domain.recall import Query, Selected
from lattice_common.domain.status import Status
from lattice_common.ingest.reconcile import Thresholds, reconcile
from lattice_common.recall.synthesize.changes import newer_beside_older
from recalled_store import atom, day, recall_over

TOLD = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
IN_A_MONTH = TOLD + timedelta(days=30)
RENT = statement("The rent is 1,100 euros a month.", TOLD, capture=1)
DEARER = statement("The rent went up to 1,250 euros a month.", TOLD + timedelta(days=3), capture=2)


def test_what_will_hold_from_a_later_day_retires_nothing_yet() -> None:
    for since, retires in ((None, True), (TOLD, True), (IN_A_MONTH, False)):
        known = KnownAtoms()
        known.take(reconcile([RENT], {}, known, lambda ids: {}, Thresholds()))
        decided = reconcile([replace(DEARER, valid_from=since)], {}, known, lambda ids: {}, Thresholds())
        assert bool(decided.atoms[0].supersedes) is retires
        assert bool(decided.atoms[0].may_update) is not retires


@pytest.mark.parametrize(("plan", "doubted"), [("I'm moving to York in April.", True), ("I'm flying to York in April.", False)])
def test_a_plan_to_move_doubts_where_somebody_lives_and_retires_nothing(plan: str, *, doubted: bool) -> None:
    known = KnownAtoms()
    known.take(reconcile([statement("I live in Leeds.", TOLD, capture=1)], {}, known, lambda ids: {}, Thresholds()))
    moves = replace(statement(plan, TOLD + timedelta(days=3), capture=2), valid_from=IN_A_MONTH, status="planned")
    decided = reconcile([moves], {}, known, lambda ids: {}, Thresholds())
    assert bool(decided.atoms[0].may_update) is doubted
    assert not decided.atoms[0].supersedes


NOW = START
BEFORE, AHEAD = (NOW - timedelta(days=20)), (NOW + timedelta(days=30))
WORKS = atom("Ann works at the library.", 1, f"{NOW - timedelta(days=60):%Y-%m-%d}")
OTHERS = [atom(f"The bus number {at} stops where the market is.", at, "2025-02-01") for at in range(20, 32)]


def coming(content: str, since: datetime | None, status: Status = "planned") -> Atom:
    tie = (Relation("may_update", WORKS.atom_id),)
    return atom(content, 2, f"{BEFORE:%Y-%m-%d}", relations=tie, valid_from=since, status=status)


def told(newer: Atom) -> str:
    return recall_over([WORKS, newer, *OTHERS]).answer(Query("Where does Ann work?")).answer


def in_words(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def test_until_its_day_what_holds_is_told_first_and_then_what_will() -> None:
    moves = coming("Ann works at the museum then.", AHEAD)
    assert told(moves) == f"{WORKS.content} [1] From {in_words(AHEAD)}: {moves.content} [2]"
    named = coming(f"From {in_words(AHEAD)} Ann works at the museum.", AHEAD)
    assert told(named) == f"{WORKS.content} [1] {named.content} [2]"
    undated = coming("Ann is going to work at the museum.", None)
    assert told(undated) == f"{WORKS.content} [1] Planned since {in_words(BEFORE)}: {undated.content} [2]"


def test_from_its_day_on_what_was_going_to_hold_comes_first() -> None:
    yesterday = NOW - timedelta(days=1)
    moves = coming("Ann works at the museum then.", yesterday)
    assert told(moves) == f"Since {in_words(yesterday)}: {moves.content} [1] Before: {WORKS.content} [2]"


def test_a_time_that_the_newer_statement_names_is_not_said_again_nor_is_the_day_of_telling() -> None:
    since = coming("Ann has worked at the museum since March (March 2025).", day("2025-03-01"), "asserted")
    assert told(since) == f"{since.content} [1] Before: {WORKS.content} [2]"


def test_of_two_that_may_have_outdated_one_that_which_holds_is_told() -> None:
    holds = coming("Ann works at the museum.", None, "asserted")
    later = replace(coming("Ann works at the theatre then.", AHEAD), atom_id="atom0003", observed_at=BEFORE + timedelta(days=1))
    answer = recall_over([WORKS, holds, later, *OTHERS]).answer(Query("Where does Ann work?")).answer
    since, before = f"Since {in_words(BEFORE)}: {holds.content} [1]", f"Before: {WORKS.content} [2]"
    assert answer == f"{since} {before} From {in_words(AHEAD)}: {later.content} [3]"


@pytest.mark.parametrize("news_answers", [True, False])
def test_what_will_hold_comes_behind_the_one_that_answers_of_the_two_before_it(news_answers: bool) -> None:
    news = Selected(atom("Ann handed in her notice.", 5, f"{BEFORE:%Y-%m-%d}"), 8.0)
    works = Selected(WORKS, 8.0, outdated_by=news.atom.atom_id)
    later = Selected(coming("Ann works at the museum then.", AHEAD), 9.0, after=news.atom.atom_id)
    chances = {WORKS.atom_id: 0.9, news.atom.atom_id: 0.9 if news_answers else 0.01, later.atom.atom_id: 0.9}
    told = newer_beside_older([later, works], [later, news, works], chances)
    assert [each.atom for each in told] == [*([news.atom, WORKS] if news_answers else [WORKS, news.atom]), later.atom]


def test_of_several_that_one_may_have_outdated_the_newest_is_told_first() -> None:
    newest = Selected(atom("Ann works at the museum.", 3, "2026-01-03"), 8.0)
    former = [Selected(atom(f"Ann works here, {at}.", at, f"2025-0{at}-01"), 8.0, outdated_by="atom0003") for at in (4, 6, 5)]
    told = newer_beside_older([*former, newest], [*former, newest], {})
    assert [each.atom.atom_id for each in told] == ["atom0003", "atom0006", "atom0005", "atom0004"]


def test_a_time_without_an_end_is_asked_about_as_well() -> None:
    asked = Query("Where has Ann worked since 2024?")
    assert recall_over([WORKS, coming("Ann works at the museum then.", AHEAD), *OTHERS]).select(asked).atoms[0].atom == WORKS


@pytest.mark.parametrize("of_a_time", [True, False])
def test_what_holds_is_told_to_a_question_of_a_time_only_where_it_answers(*, of_a_time: bool) -> None:
    works, later = Selected(WORKS, 8.0), Selected(coming("Ann works at the museum then.", AHEAD), 9.0, after=WORKS.atom_id)
    chances = {WORKS.atom_id: 0.01, later.atom.atom_id: 0.9}
    told = newer_beside_older([later], [works, later], chances, of_a_time=of_a_time)
    assert [each.atom for each in told] == ([later.atom] if of_a_time else [WORKS, later.atom])


def test_a_question_for_a_later_time_is_answered_by_what_holds_then() -> None:
    moves = coming("Ann works at the museum then.", AHEAD)
    asked = Query(f"Where will Ann work in {AHEAD + timedelta(days=40):%B %Y}?")
    found = recall_over([WORKS, moves, *OTHERS]).select(asked).atoms
    assert found[0].atom == moves


@pytest.mark.parametrize(
    ("older", "newer", "on"),
    [
        ({}, {"valid_from": day("2026-02-01")}, "2026-02-01"),  # "I moved in February"
        ({}, {"valid_from": day("2026-02-01"), "kind": "event"}, "2026-02-01"),
        ({"kind": "event"}, {"valid_from": day("2026-02-01"), "kind": "event"}, "2026-02-01"),
        ({"status": "planned"}, {"valid_from": day("2026-05-01")}, "2026-03-03"),  # put off
        ({"valid_from": day("2026-04-01")}, {"valid_from": day("2026-05-01")}, "2026-03-03"),
        ({"kind": "reminder"}, {"valid_from": day("2026-05-01")}, "2026-03-03"),
        ({}, {}, "2026-03-03"),
    ],
)
def test_a_change_is_dated_by_what_it_names_unless_it_puts_something_off(
    older: dict[str, object], newer: dict[str, object], on: str
) -> None:
    one, other = atom("One.", 1, "2026-01-10", **older), atom("Other.", 2, "2026-03-03", **newer)
    assert changed_on(other, one) == day(on)
    assert is_ahead(other, one, day("2026-03-04")) is (day(on) > day("2026-03-04"))
