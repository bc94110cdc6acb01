"""A plan to move or to work somewhere, in the words that it has once it is carried out."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.carried_out import carried_out
from lattice_common.language.slots import claims_of


@pytest.mark.parametrize(
    ("plan", "done", "slot"),
    [
        ("I'm moving to Leeds in December.", "I moved to Leeds in December.", "residence"),
        ("We move to York on 18 December.", "We moved to York on 18 December.", "residence"),
        ("Ann is going to move to Hull.", "Ann moved to Hull.", "residence"),
        ("Ann will be relocating to Hull in May.", "Ann moved to Hull in May.", "residence"),
        ("I'll start a new job at Contoso on 4 January.", "I started a job at Contoso on 4 January.", "employer"),
        ("Ann is joining Contoso in June.", "Ann started a job at Contoso in June.", "employer"),
    ],
)
def test_a_plan_is_read_as_if_it_were_carried_out(plan: str, done: str, slot: str) -> None:
    assert carried_out(plan) == done
    assert [each.slot for each in claims_of(done, "me")] == [slot]


@pytest.mark.parametrize("plan", ["I'm flying to Leeds in December.", "We will paint the hall.", "The move is on Monday."])
def test_other_plans_end_nothing_that_rules_know(plan: str) -> None:
    assert carried_out(plan) is None
