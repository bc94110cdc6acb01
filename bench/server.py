"""Server mode beside the embedded product, in one table, in one run, over HTTP.

    python -m bench.server [--sizes 1000,10000,100000] [--keep FOLDER] [--dense]

At each size both have the same store: it is filled by the embedded product's own ingest, in one process, from the smaller one,
and copied; the server's engines are then filled from it by the worker's start, as when a folder moves to server mode. Both are
asked the same questions and take in the same captures, in turns, so that whatever else the machine does slows both.

OpenSearch, Qdrant and Redis are those that `LATTICE_TEST_OPENSEARCH_URL`, `LATTICE_TEST_QDRANT_URL` (with the tests' key) and
`LATTICE_TEST_REDIS_URL` name, or are started with Docker. Without `--dense` neither has an embedding model: for machines on
which a stand-in serves Qdrant, which is exact, slow, and no measure of it.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import tempfile
import time
from itertools import islice
from pathlib import Path
from statistics import median

from lattice_common import logs
from lattice_common.composition import Model, open_embedded
from lattice_common.settings import Settings
from rich.console import Console
from rich.table import Table

from bench.deployed import Deployed, Product, deployed, engines, served
from bench.speed import filled
from bench.store_speed import p95
from bench.synthetic import Life

SELECT_P95_MS = {1_000: 40.0, 10_000: 40.0, 100_000: 60.0}
INGEST_SHARE = 0.5
"""Aims: milliseconds of a question at so many memories; ingest at least half as fast as embedded."""
QUESTIONS = 200
INGESTED = 1_500
"""Atoms that each takes in at each size, beyond it."""
AT_ONCE = 60
"""Captures sent before their receipts are waited for: the writer always has enough to do."""
SINGLES = 15


def filled_store(folder: Path, size: int, smaller: Path | None, dense: bool) -> Path:
    """The owner's files and what the embedded product derives from them, of so many atoms at least."""
    store = folder / str(size)
    if smaller is not None and not store.exists():
        shutil.copytree(smaller, store)
    with open_embedded(Settings(data_dir=store, llm_provider="none"), model=None if dense else Model(None)) as product:
        product.start()
        have = product.stores.catalogue.count()
        filled(product, Life(seed=have + 11).captures(first_day=have // 80), size, lambda _: None)
    return store


def copies(store: Path, folder: Path) -> tuple[Path, Path]:
    """The store for each of the two: to servers go the files, the catalogue and the graph, but no engine of the other size."""
    one, other = folder / "embedded", folder / "server"
    for each in (one, other):
        shutil.rmtree(each, ignore_errors=True)
    shutil.copytree(store, one)
    shutil.copytree(store, other, ignore=shutil.ignore_patterns("lexical", "dense"))
    return one, other


def ask_in_turns(products: tuple[Product, ...], size: int) -> None:
    questions = Life(seed=size).questions(QUESTIONS + 20)
    for each in products:
        for question in questions[QUESTIONS:]:
            each.ask(question)
        each.taken.clear()
    before = [each.processor() for each in products]
    for question in questions[:QUESTIONS]:
        for each in products:
            each.ask(question)
    for each, was in zip(products, before, strict=True):
        each.asking = {name: 1000 * (now - was[name]) / QUESTIONS for name, now in each.processor().items()}


def take_in_in_turns(products: tuple[Product, ...], size: int) -> None:
    captures = Life(seed=size + 1).captures(first_day=size)
    began = {each.name: each.atoms() for each in products}
    told = 0
    while told < INGESTED:
        some = list(islice(captures, AT_ONCE))
        for each in products:
            each.take_in(some)
        told = min(each.atoms() - began[each.name] for each in products)
    for each in products:
        each.rate = (each.atoms() - began[each.name]) / each.work
    life = Life(seed=size + 2)
    for _ in range(SINGLES):
        for each in products:
            each.tell(life.sentence())


def rows(table: Table, size: int, one: Product, other: Deployed) -> None:
    aim = SELECT_P95_MS.get(size)
    table.add_section()
    table.add_row(f"{size:,}", "select p95, ms", f"{p95(one.taken):.1f}", f"{p95(other.taken):.1f}", f"{aim or ''}")
    table.add_row("", "select p50, ms", f"{median(one.taken):.1f}", f"{median(other.taken):.1f}", "")
    used = [", ".join(f"{name} {spent:.1f}" for name, spent in each.asking.items()) for each in (one, other)]
    table.add_row("", "processor of it, ms", *used, "")
    table.add_row("", "ingest, atoms/s", f"{one.rate:.0f}", f"{other.rate:.0f}", f"{INGEST_SHARE * one.rate:.0f}")
    table.add_row("", "one capture to its receipt, p50, ms", f"{median(one.single):.0f}", f"{median(other.single):.0f}", "")
    expand = f"{p95(other.expansions()):.1f}"
    table.add_row("", "of the graph service: expand p95, ms", "", expand, "12")
    table.add_row("", "worker's start, engines filled, s", "", f"{other.worker_s:.0f}", "")
    table.add_row("", "worker's start again, s", "", f"{other.worker_again_s:.1f}", "")
    table.add_row("", "API's start, s", f"{one.start_s:.1f}", f"{other.start_s:.1f}", "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--keep", type=Path, help="keep the filled stores in this folder, and use those that are there")
    parser.add_argument("--dense", action="store_true", help="with the embedding model and Qdrant")
    asked = parser.parse_args()
    logs.configure("error", json=None)
    title = f"Server mode beside embedded over HTTP, {'with' if asked.dense else 'without'} the dense leg"
    table = Table("memories", "", "embedded", "server", "aim", title=title)
    console = Console()
    with contextlib.ExitStack() as stack:
        urls = stack.enter_context(engines())
        work = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        smaller: Path | None = None
        loads = []
        for size in sorted(map(int, asked.sizes.split(","))):
            shown = console.status(f"{size:,}: filling")
            began = time.perf_counter()
            with shown:
                smaller = filled_store(asked.keep or work, size, smaller, asked.dense)
                shown.update(f"{size:,}: starting both")
                one, other = copies(smaller, work)
                shared = {"LLM_PROVIDER": "none"} | ({} if asked.dense else {"LATTICE_EMBED_MODEL": "none"})
                with served("embedded", shared | {"LATTICE_DIR": str(one)}) as embedded, deployed(other, shared, urls) as server:
                    shown.update(f"{size:,}: asking")
                    ask_in_turns((embedded, server), size)
                    shown.update(f"{size:,}: taking in")
                    take_in_in_turns((embedded, server), size)
                    rows(table, size, embedded, server)
                console.log(f"{size:,} took {time.perf_counter() - began:.0f} s")
                loads.append(f"{size:,}: {os.getloadavg()[1]:.1f}")
    console.print(table)
    console.print(
        "With the store grow: of a question, OpenSearch's search and what recall scores; what a start reads and\n"
        "compares with the engines; filling these; and, slowly, a capture."
    )
    console.print(f"{os.cpu_count()} processors; load over five minutes at {', '.join(loads)}")


if __name__ == "__main__":
    main()
