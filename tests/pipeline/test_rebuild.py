"""Journal and markdown are canonical: what is derived can be deleted at any time, and comes back the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipeline.living import forget_derived, live, rebuilt, started, state


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a life in it: copy it, don't change it."""
    root = tmp_path_factory.mktemp("life")
    with started(root) as store:
        live(store)
    return root


def test_a_rebuild_gives_the_same_state_and_the_same_answers(root: Path) -> None:
    lived = state(root)
    assert rebuilt(root) == lived


def test_a_rebuild_may_be_repeated(root: Path) -> None:
    assert rebuilt(root) == rebuilt(root)


def test_a_start_without_anything_derived_makes_it_anew(root: Path) -> None:
    lived = state(root)
    forget_derived(root)
    assert state(root) == lived


def test_ten_questions_find_something(root: Path) -> None:
    _, found = state(root)
    assert sum(bool(ids) for ids in found) >= 8
