"""What follows from two memories names them: who somebody is, and the same said of them by that name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipeline.living import atoms_of, rebuilt, say, started


def rests_on(root: Path, *told: str) -> list[str]:
    """What the last statement told says that it follows from."""
    with started(root) as store:
        receipt = None
        for words in told:
            receipt = say(store, words)
        assert receipt is not None
        atoms = atoms_of(store)
        [last] = [atoms[each] for each in receipt.atom_ids]
        return [atoms[each.target].content for each in last.relations if each.type == "derives"]


@pytest.mark.parametrize(
    "told",
    [
        ("Ilya is my brother.", "Ilya lives in Kazan.", "My brother lives in Kazan."),
        ("Ilya is my brother.", "My brother lives in Kazan.", "Ilya lives in Kazan."),
        ("I call my bike Rocinante.", "Rocinante is in the cellar.", "My bike is in the cellar."),
    ],
)
def test_a_statement_names_the_two_that_it_follows_from(tmp_path: Path, told: tuple[str, ...]) -> None:
    assert set(rests_on(tmp_path, *told)) == set(told[:2])


@pytest.mark.parametrize(
    "told",
    [
        ("Ilya is my brother.", "Ilya lives in Kazan.", "My brother lives in Perm."),
        ("Ilya is my brother.", "Ilya lives in Kazan.", "My sister lives in Kazan."),
        ("Ilya is my brother.", "Boris is my brother.", "Ilya lives in Kazan.", "My brother lives in Kazan."),
        ("Ilya is my brother.", "I wish Ilya lived in Kazan.", "My brother lived in Kazan."),
        ("Ilya lives in Kazan.", "My brother lives in Kazan."),
    ],
)
def test_what_does_not_follow_names_none(tmp_path: Path, told: tuple[str, ...]) -> None:
    assert rests_on(tmp_path, *told) == []


def test_it_is_the_same_after_a_rebuild(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        for words in ("Ilya is my brother.", "Ilya lives in Kazan.", "My brother lives in Kazan."):
            say(store, words)
        before = store.state_hash()
    assert rebuilt(tmp_path)[0] == before
