"""A day of many captures: what somebody looks at reads what it shows, and not all that was told on the day."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.adapters.files.folder_names import FOLDER_TIME_NS
from lattice_common.adapters.files.journal_days import folder_of
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition import Model, open_embedded
from starlette.testclient import TestClient

from bench.busy_day import ROUTES, settings_of, told
from tests.working import until

FEW, MANY = 250, 1_250
"""Both more than the 200 captures that the numbers of how it runs are of."""
DELETED = 12
MORE = 20
"""Files that a route may read, look at or see the names of more in the larger store: 1,000 captures are not among them."""
BACKGROUND = "lattice-"
"""How threads are named that follow files, and do what is left to do, whoever looks."""


class Touched:
    """Files of a folder that were opened, and looked at, while it counted; not by the threads that work in the background."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self.counts: Counter[str] = Counter()

    def note(self, how: str, path: object, count: int = 1) -> None:
        if threading.current_thread().name.startswith(BACKGROUND):
            return
        if isinstance(path, str | os.PathLike) and os.fspath(path).startswith(self._folder):
            self.counts[how] += count


@contextmanager
def touching(folder: Path) -> Iterator[Touched]:
    """Count what goes through the system calls that the product reads files with."""
    touched = Touched(folder)

    def counted(how: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def calling(path: Any, *arguments: Any, **named: Any) -> Any:
            touched.note(how, path)
            return call(path, *arguments, **named)

        return calling

    with pytest.MonkeyPatch.context() as patch:
        for name, how in (("open", "read"), ("stat", "looked"), ("lstat", "looked")):
            patch.setattr(os, name, counted(how, getattr(os, name)))
        patch.setattr(Path, "open", counted("read", Path.open))
        listdir = os.listdir

        def listing(path: Any = ".") -> list[str]:
            names = listdir(path)
            touched.note("listed", path, len(names))
            return names

        patch.setattr(os, "listdir", listing)
        yield touched


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    made = {count: tmp_path_factory.mktemp(f"told{count}") for count in (FEW, MANY)}
    for count, folder in made.items():
        told(folder, count, DELETED, Model(HashedEmbedder()))
    return made


def touched_by_routes(folder: Path, tokens: Path) -> dict[str, Counter[str]]:
    """Return for each route what it reads, looks at and lists in a store at rest, when it was asked before."""
    settings = settings_of(folder)
    with open_embedded(settings, model=Model(HashedEmbedder())) as product:
        access = Access(TokenFile(tokens), settings)
        headers = {"authorization": f"Bearer {access.make_first_token()}"}
        product.start()
        worklog = product.stores.worklog
        until("the store to be at rest", lambda: not worklog.open_ids())
        day = Path(folder_of(folder / "journal", next(worklog.entries())))
        found: dict[str, Counter[str]] = {}
        with TestClient(create_app(product.lattice, access, settings), base_url="http://localhost", headers=headers) as http:
            for path in ROUTES:
                until(f"{path} asked while nothing changes", lambda path=path: counted_at_rest(http, path, day, folder, found))
    return found


def counted_at_rest(http: TestClient, path: str, day: Path, folder: Path, found: dict[str, Counter[str]]) -> bool:
    """Put into `found` what a route touches that was asked before; return whether the day's folder stayed as it was meanwhile: on
    a busy machine the writer still finishes what a start makes it do."""
    changed = day.stat().st_ctime_ns
    if time.time_ns() - changed <= FOLDER_TIME_NS:
        return False
    http.get(path)
    with touching(folder) as touched:
        assert http.get(path).status_code == 200, path
    found[path] = touched.counts
    return day.stat().st_ctime_ns == changed


def test_no_route_reads_or_lists_as_many_files_as_there_are_captures_of_the_day(stores: dict[int, Path], tmp_path: Path) -> None:
    few, many = (touched_by_routes(stores[count], tmp_path / f"tokens of {count}") for count in (FEW, MANY))

    assert few["/api/captures?limit=20"]["read"] >= 20, "the receipts that are shown are read: else nothing is counted here"
    more = {(path, how): many[path][how] - few[path][how] for path in ROUTES for how in ("read", "looked", "listed")}
    assert {each: count for each, count in more.items() if count > MORE} == {}
