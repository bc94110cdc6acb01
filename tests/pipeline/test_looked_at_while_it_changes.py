"""Looked at while the writer changes memories: nobody who looks meets half a change as a defect."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import DeleteAtoms, EditAtom, UndoChange
from lattice_common.domain.recall import Query
from lattice_common.errors import LatticeError
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.browse import Browsed, difference
from lattice_common.recall.today import today

from tests.pipeline.living import finished, say, send, started

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
ROUNDS = 12
"""Of telling, editing, deleting and taking back, while others look."""
TOLD = "\n\n".join(f"My neighbour Nr{number} keeps {number + 2} goats in Ghent." for number in range(40))


class Between:
    """A catalogue that does something whenever memories are read from it, as the writer may at any time."""

    def __init__(self, catalogue: CatalogueReader, does: Callable[[], None]) -> None:
        self._catalogue = catalogue
        self._does = does

    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        found = self._catalogue.get(atom_ids)
        self._does()
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._catalogue, name)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with started(tmp_path / "data", clock=FixedClock(NOW)) as store:
        yield store


def test_what_is_due_is_told_while_the_day_of_a_memory_changes(store: Embedded) -> None:
    say(store, "Nora's birthday is on 3 June.", observed_at="2025-05-20T10:00:00Z")
    columns = store.stores.catalogue.columns()

    def edited() -> None:
        columns.yearly[: columns.count] = 1224

    found = today(cast("CatalogueReader", Between(store.stores.catalogue, edited)), NOW, days=7)
    assert [each.atom.content for each in found.due] == ["Nora's birthday is on 3 June."]


def test_what_changed_is_told_while_what_replaced_a_memory_goes(store: Embedded) -> None:
    say(store, "I live in Porto.", observed_at="2026-01-10T10:00:00Z")
    say(store, "I moved from Porto to Lisbon.", observed_at="2026-05-30T10:00:00Z")
    columns = store.stores.catalogue.columns()

    def deleted() -> None:
        columns.superseded_at[: columns.count] = np.nan

    catalogue = cast("CatalogueReader", Between(store.stores.catalogue, deleted))
    found = difference(catalogue, NOW - timedelta(days=7), NOW, limit=10)
    assert [(each.old.content, each.at) for each in found.replaced] == [
        ("I live in Porto.", datetime(2026, 5, 30, 10, tzinfo=UTC))
    ]


@pytest.mark.slow
def test_no_look_at_what_is_told_edited_deleted_and_brought_back_fails(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        lattice, over = store.lattice, threading.Event()
        say(store, TOLD)

        def some() -> str:
            columns = store.stores.catalogue.columns()
            return random.choice(columns.atom_ids[: columns.count])

        looks: Sequence[Callable[[], object]] = (
            lattice.status,
            lattice.today,
            lambda: [lattice.fields(each) for each in lattice.recent(12)],
            lambda: [lattice.fields(each) for each in lattice.browse(Browsed(), limit=50, cursor=None).atoms],
            lambda: lattice.atom(some()),
            lambda: lattice.related(atom_id=some()),
            lambda: lattice.select(Query("Who keeps goats?")),
            lambda: lattice.answer(Query("Who keeps goats in Ghent?")),
            lambda: lattice.in_trash(20),
            lambda: lattice.names("", limit=50),
            lambda: lattice.subgraph(atom_id=some(), subject=None, depth=2),
            lambda: lattice.profile(50),
            lambda: lattice.captures(state=None, limit=20, cursor=None),
        )
        defects, looked = list[str](), [0]

        def looks_on() -> None:
            while not over.is_set():
                look = random.choice(looks)
                try:
                    look()
                except LatticeError:
                    pass  # what was there is gone, and is said to be
                except Exception as error:  # noqa: BLE001 - a request that ends in this is answered 500
                    defects.append(repr(error))
                looked[0] += 1

        threads = [threading.Thread(target=looks_on) for _ in range(3)]
        for each in threads:
            each.start()
        try:
            for number in range(ROUNDS):
                told = finished(store, send(store, IngestRequest(text=TOLD.replace("Nr", f"Nr{number}x"))))
                lattice.change(EditAtom(told.atom_ids[0], {"content": f"Edited {number} has 9 goats in Ulm."}), timeout=60)
                deleted = lattice.change(DeleteAtoms(told.atom_ids[1:]), timeout=60)
                if number % 3 == 0:
                    lattice.change(UndoChange(deleted), timeout=60)
            seen, ends = looked[0], time.monotonic() + 60
            while looked[0] < seen + 3 * len(looks) and time.monotonic() < ends:
                time.sleep(0.01)
        finally:
            over.set()
            for each in threads:
                each.join()
        assert looked[0] >= len(looks)
        assert defects == []
