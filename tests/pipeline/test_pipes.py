"""A pipe in place of any file of a store: nobody waits for who writes into it. What is derived is made anew, and the doctor names
the rest."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import pytest
from lattice_common.domain.recall import Query

from tests.pipeline.living import say, started
from tests.pipeline.test_flipped_bits import KINDS, files_of_kind, looked, with_every_kind

T = TypeVar("T")
SECONDS = 60.0
DERIVED = ("index", "graph")
NOT_READ = ("catalogue.sqlite", "passages.sqlite")
"""Files that SQLite refuses, with a message of their own: `test_storage.py`."""


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_every_kind(tmp_path_factory.mktemp("pipes") / "data")


@pytest.fixture
def root(life: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(life, tmp_path / "data"))


@contextmanager
def as_pipes(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Pipes in place of files; whoever still waits for one at the end is let go."""
    made = list(paths)
    for path in made:
        path.unlink()
        os.mkfifo(path)
    yield made
    for path in made:
        with suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))


def in_time(work: Callable[[], T]) -> T:
    """Return what `work` returns. Raise `TimeoutError` where it does not end."""
    pool = ThreadPoolExecutor(1)
    done = pool.submit(work)
    pool.shutdown(wait=False)
    return done.result(SECONDS)


def test_all_that_is_derived_is_made_anew(root: Path) -> None:
    derived = [
        path
        for folder in DERIVED
        for path in sorted((root / folder).rglob("*"))
        if path.is_file() and not path.name.startswith(NOT_READ)
    ]

    def live() -> str:
        with started(root) as store:
            say(store, "My bicycle is a blue Gazelle.")
            return store.lattice.answer(Query("Which bicycle do I have?"), channel="page", session_id="s").answer

    with as_pipes(derived) as made:
        assert len(made) > 15
        assert "Gazelle" in in_time(live)


@pytest.mark.parametrize(
    "kind", [each for each, where in KINDS.items() if not (isinstance(where, str) and where.startswith(DERIVED))]
)
def test_the_doctor_ends_and_names_what_is_not_derived(kind: str, root: Path) -> None:
    with as_pipes(files_of_kind(root, kind)[:1]) as (pipe,):
        found = in_time(lambda: looked(root))
    assert any(pipe.name.split(".")[0] in f"{each.thing} {each.problem}" for each in found), found
