"""Of a saying of which one part has ended, the rest comes behind what ended it where the question names that part."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lattice_common.domain.atom import Atom, Relation
from lattice_common.domain.recall import Query
from recalled_store import atom, recall_over

SAYING = {"capture_id": "capture0001", "segment_id": "capture0001-0"}
CLASS = atom("My son Sahr is in class five.", 1, "2026-01-10", **SAYING)
STAYS = atom("My son Sahr stays with my mother.", 2, "2026-01-10", **SAYING)
NEWS = atom("Sahr was promoted, class six.", 3, "2026-02-10")
OTHERS = [atom(f"The bus number {at} stops where the market is.", at, "2026-01-05") for at in range(20, 32)]


def found(question: str, atoms: list[Atom]) -> list[str]:
    return [each.atom.content for each in recall_over([*atoms, *OTHERS]).select(Query(question)).atoms]


def told(*, doubted: bool) -> list[Atom]:
    if doubted:
        return [CLASS, STAYS, replace(NEWS, relations=(Relation("may_update", CLASS.atom_id),))]
    retired = replace(CLASS, is_superseded=True, superseded_by=NEWS.atom_id)
    return [retired, STAYS, replace(NEWS, supersedes=(CLASS.atom_id,))]


@pytest.mark.parametrize("doubted", [False, True])
def test_who_asks_for_the_part_that_ended_is_told_what_ended_it_first(*, doubted: bool) -> None:
    assert found("My son Sahr is in class five, stays with my mother?", told(doubted=doubted))[0] == NEWS.content


@pytest.mark.parametrize("doubted", [False, True])
def test_who_asks_for_the_rest_is_told_that_first(*, doubted: bool) -> None:
    assert found("Does my son Sahr stay with my mother?", told(doubted=doubted))[0] == STAYS.content


def test_how_it_was_is_told_as_it_was() -> None:
    assert found("Which class was my son Sahr in before class six?", told(doubted=True))[0] == CLASS.content
