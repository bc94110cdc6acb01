"""A process that imports conversations into a data folder until it is done, or killed. Its ids do not depend on when it runs."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path

from lattice_common.adapters.memory.clock import START, FixedClock
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.domain.atom import Atom
from lattice_common.settings import Settings
from lattice_common.wiring import Embedded, Model, open_embedded

from tests.data.conversations import conversations


class NumberedClock(FixedClock):
    """The n-th capture has the same id and time in every process, however often it is sent."""

    def at(self, number: int) -> None:
        self._now = START + timedelta(seconds=number)
        self._count = number


def open_store(root: Path, clock: FixedClock | None = None) -> Embedded:
    """The embedded product on a folder, with hashed words for an embedder."""
    return open_embedded(Settings(data_dir=root, embed_model="none"), clock=clock, model=Model(HashedEmbedder()))


def import_conversations(root: Path, count: int) -> None:
    """Send them all, and leave when everything has its receipt. Sending again what was sent changes nothing."""
    clock = NumberedClock()
    with open_store(root, clock) as embedded:
        embedded.start()
        for number, request in enumerate(conversations(count)):
            clock.at(number)
            embedded.lattice.accept(request, idempotency_key=f"import:{number}")
        while embedded.stores.worklog.open_ids():
            time.sleep(0.01)
    os._exit(0)


def atoms_in(root: Path) -> list[Atom]:
    """Every atom of a folder, in order of writing."""
    with open_store(root) as embedded:
        return list(embedded.stores.catalogue.all())
