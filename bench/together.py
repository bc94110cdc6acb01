"""What the writer does for many things told in one moment: `python -m bench.together [--told 50] [--folder FOLDER]`.

Sentences of one kind are told together and one after the other, to one store, without HTTP and without clients. Counted is what
no other load of the machine changes: fsyncs and commits of the engines, and processor time, which a busy machine stretches by its
caches alone. `bench.interactive` has the time that clients wait.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lattice_common import logs
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, open_embedded
from lattice_common.settings import Settings
from rich.console import Console
from rich.table import Table

from bench.speed import filled
from bench.synthetic import Life

ROUNDS = 4
"""Of which the last is shown: the first ones load what is loaded once."""


@dataclass(frozen=True, slots=True)
class Work:
    """For all that was told: how often `fsync` and the commits of the `lexical` and the `dense` engine were called, and seconds
    of the processor, in the writer's thread and in the whole process."""

    counted: Counter[str]
    thread: float
    process: float


@contextmanager
def counting(product: Embedded) -> Iterator[Counter[str]]:
    counted: Counter[str] = Counter()
    undo: list[tuple[Any, str, Any]] = []

    def count(where: Any, name: str, called: str) -> None:
        really: Callable[..., Any] = getattr(where, name)

        def once(*given: Any) -> Any:
            counted[called] += 1
            return really(*given)

        undo.append((where, name, really))
        setattr(where, name, once)

    count(os, "fsync", "fsync")
    count(product.stores.lexical, "commit", "lexical")
    if product.stores.dense is not None:
        count(product.stores.dense, "commit", "dense")
    try:
        yield counted
    finally:
        for where, name, really in undo:
            setattr(where, name, really)


def told(product: Embedded, texts: Sequence[str], *, together: bool) -> Work:
    """The work of the writer for texts that are in the journal when it begins."""
    ids = [product.lattice.accept(IngestRequest(text=text)).status.capture_id for text in texts]
    ingest = product.ingest
    thread, process = time.thread_time(), time.process_time()
    with counting(product) as counted:
        left = list(ids)
        while left:
            left = ingest.together(left) if together else ingest.together(left[:1]) + left[1:]
    return Work(counted, time.thread_time() - thread, time.process_time() - process)


def measured(product: Embedded, told_at_once: int) -> dict[str, Work]:
    lives = [Life(seed=1_000 + number) for number in range(told_at_once)]
    works: dict[str, Work] = {}
    for _ in range(ROUNDS):
        for name, together in (("one by one", False), ("together", True)):
            works[name] = told(product, [life.sentence() for life in lives], together=together)
    return works


def shown(works: dict[str, Work], told_at_once: int) -> Table:
    table = Table(title=f"{told_at_once} told at once")
    for name in ("", "fsyncs each", "lexical commits", "dense commits", "writer, ms each", "processor, ms each"):
        table.add_column(name)
    for name, work in works.items():
        table.add_row(
            name,
            f"{work.counted['fsync'] / told_at_once:.1f}",
            str(work.counted["lexical"]),
            str(work.counted["dense"]),
            f"{1000 * work.thread / told_at_once:.1f}",
            f"{1000 * work.process / told_at_once:.1f}",
        )
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--told", type=int, default=50, help="at once, up to 64: the writer takes no more together")
    parser.add_argument("--atoms", type=int, default=2_000, help="memories that are there before")
    parser.add_argument("--folder", type=Path, help="where the store is made (default: a temporary folder)")
    given = parser.parse_args(arguments)
    logs.configure("warning", json=None)
    with tempfile.TemporaryDirectory(dir=given.folder, ignore_cleanup_errors=True) as folder:
        settings = Settings(data_dir=Path(folder) / "data", llm_provider="none")
        with open_embedded(settings) as product:
            product.start()
            filled(product, Life(seed=11).captures(first_day=0), given.atoms, lambda _: None)
        with open_embedded(settings) as product:  # its writer is not started: this thread is the writer
            Console(width=110).print(shown(measured(product, given.told), given.told))


if __name__ == "__main__":
    main()
