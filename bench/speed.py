"""How fast the product is, in one table: `python -m bench.speed [--sizes 1000,10000,100000] [--quick] [--real] [--keep FOLDER]`.

Measured through the product, with the files, the fsyncs and the model that it runs with; only how long a store of 100,000 atoms
takes to fill is cut short: beyond the first 10,000 its vectors are sums of hashed words, unless `--real` is given (questions and
single captures always use the model). `--keep` leaves the stores in a folder and goes on with them the next time.

The text is `bench.synthetic`'s, and LoCoMo's conversations where LATTICE_BENCH_DATA names the folder with `locomo_dev.json`.
Every store is measured in a process of its own (`bench.store_speed`). Times say what this machine did while others used it too:
the load is printed beside the table.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

import httpx
import numpy as np
from lattice_common import logs
from lattice_common.capture.importers.chat import read_chat
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, Model, load_model, open_embedded
from lattice_common.ingest.index_documents import embedding_text
from lattice_common.ports.embedder import Embedder, Vectors
from lattice_common.settings import Settings
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from bench.product import served
from bench.store_speed import PATIENCE, milliseconds, p95
from bench.synthetic import Life

SIZES = (1_000, 10_000, 100_000)
QUICK = (1_000, 5_000)
SELECT_P95_MS = ((1_000, 8.0), (10_000, 12.0), (100_000, 20.0), (1_000_000, 60.0))
"""What is asked: up to so many atoms, so many milliseconds."""
MEMORY_MB, RESTART_S = {100_000: 1_200.0, 1_000_000: 6_000.0}, {100_000: 5.0, 1_000_000: 20.0}
PROFILE_MS = 20.0
ACKNOWLEDGED_P95_MS, ATOMS_PER_SECOND = 20.0, 300.0
GROWTH = 1.5
"""A single capture may take this many times longer in the largest store than in the smallest before it counts as growing."""
REAL_VECTORS_UP_TO = 10_000
BULK_ATOMS = 3_000
AT_ONCE = 60
"""Captures accepted before their receipts are waited for: the writer always has enough to do."""
HTTP_CAPTURES = 200


class HashedBeyond:
    """The real model, but for what is stored: the sum of one random direction per word. It passes for the real one, so that the
    store can be opened with it afterwards."""

    def __init__(self, real: Embedder) -> None:
        self.model_id, self.dimension, self.embed_query = real.model_id, real.dimension, real.embed_query

    def embed(self, texts: Sequence[str]) -> Vectors:
        sums = np.stack(
            [
                np.sum([_direction(word, self.dimension) for word in re.findall(r"\w+", text.lower()) or [""]], axis=0)
                for text in texts
            ]
        )
        vectors: Vectors = (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)
        return vectors


@lru_cache(maxsize=20_000)
def _direction(word: str, dimension: int) -> Vectors:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
    return np.random.default_rng(seed).standard_normal(dimension, dtype=np.float32)


def filled(product: Embedded, captures: Iterator[IngestRequest], atoms: int, on_atoms: Callable[[int], object]) -> None:
    """Take captures in until there are so many atoms, or no more captures."""
    catalogue = product.stores.catalogue
    while catalogue.count() < atoms:
        ids = [product.lattice.accept(request).status.capture_id for request in islice(captures, AT_ONCE)]
        for capture_id in ids:
            if product.lattice.wait_for(capture_id, PATIENCE).receipt is None:
                raise SystemExit(f"A capture was not finished in {PATIENCE:.0f} s.")
            on_atoms(catalogue.count())
        if not ids:
            return


def bulk(captures: Iterable[IngestRequest], model: Model, on_atoms: Callable[[int], object]) -> tuple[float, float, int]:
    """Atoms a second through the product, by the embedder alone on the same atoms, and how many there were."""
    with tempfile.TemporaryDirectory() as folder, open_embedded(Settings(data_dir=Path(folder)), model=model) as product:
        product.start()
        start = time.perf_counter()
        filled(product, iter(captures), BULK_ATOMS, on_atoms)
        through = time.perf_counter() - start
        texts = [embedding_text(atom) for atom in product.stores.catalogue.all()]
        assert model.embedder is not None
        start = time.perf_counter()
        for first in range(0, len(texts), 256):
            model.embedder.embed(texts[first : first + 256])
        alone = time.perf_counter() - start
        return len(texts) / through, len(texts) / alone, len(texts)


def acknowledged(on_done: Callable[[int], object]) -> tuple[float, float]:
    """p95 in ms of a capture over HTTP: one after the other's receipt, and as fast as they are taken."""
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as client:
        life = Life(seed=5)
        for _ in range(5):
            client.post("/api/ingest", json={"text": life.sentence(), "wait": True}).raise_for_status()
        calm = []
        for number in range(HTTP_CAPTURES):
            said = {"text": life.sentence()}
            taken, answer = _timed(partial(client.post, "/api/ingest", json=said))
            calm.append(taken)
            path = f"/api/captures/{answer.raise_for_status().json()['capture_id']}"
            while client.get(path).json()["state"] in ("waiting", "working"):
                time.sleep(0.01)
            on_done(number + 1)
        hurried = []
        for number in range(HTTP_CAPTURES):
            said = {"text": life.sentence()}
            taken, answer = _timed(partial(client.post, "/api/ingest", json=said))
            answer.raise_for_status()
            hurried.append(taken)
            on_done(HTTP_CAPTURES + number + 1)
        return p95(calm), p95(hurried)


def _timed(call: Callable[[], httpx.Response]) -> tuple[float, httpx.Response]:
    answers: list[httpx.Response] = []
    return milliseconds(lambda: answers.append(call())), answers[0]


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[httpx.Client]:
    """A client of the product's own server."""
    token = secrets.token_urlsafe(32)
    headers = {"Authorization": f"Bearer {token}"}
    with served(folder, token) as url, httpx.Client(base_url=url, headers=headers, timeout=PATIENCE) as client:
        yield client


def measured(folder: Path) -> dict[str, float]:
    """What `bench.store_speed` finds in a process of its own. What was just filled in waits for the judge, as an import does, and
    that takes both cores whenever the writer is idle: without the note of how far it is, the store counts as looked through."""
    (folder / "index" / "judged.json").unlink(missing_ok=True)
    command = [sys.executable, "-m", "bench.store_speed", str(folder), repr(time.time())]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    values: dict[str, float] = json.loads(found.stdout)
    return values


class Report:
    """The table, row by row."""

    def __init__(self) -> None:
        self._table = Table("what", "measured", "target", "verdict", "how", title="speed: two cores, no language model")

    def row(self, what: str, value: float, unit: str, target: float | None, how: str, *, at_least: bool = False) -> None:
        shown = f"{value:,.1f} {unit}" if value < 100 else f"{value:,.0f} {unit}"
        if target is None:
            self._table.add_row(what, shown, "", "", how)
            return
        met = value >= target if at_least else value <= target
        self._table.add_row(
            what, shown, f"{'≥' if at_least else '≤'} {target:,g} {unit}", "[green]met" if met else "[red]missed", how
        )

    def section(self) -> None:
        self._table.add_section()

    def print(self) -> None:
        console = Console(width=max(Console().width, 130))
        console.print(self._table)
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        console.print(f"{os.cpu_count()} processors, load {load}; p95 of questions that were all different, after a warm-up.")


def _show(shown: Progress, task: TaskID, done: int) -> None:
    shown.update(task, completed=done)


def _locomo() -> list[IngestRequest]:
    folder = os.environ.get("LATTICE_BENCH_DATA")
    path = Path(folder) / "locomo_dev.json" if folder else None
    if path is None or not path.exists():
        return []
    return [imported.request for imported in read_chat(path.read_bytes(), name=path.name)]


def report_store(report: Report, size: int, found: dict[str, float], vectors: str) -> None:
    report.section()
    limit = next((limit for most, limit in SELECT_P95_MS if size <= most), None)
    at = f"at {size:,}"
    how = f"{found['atoms']:,.0f} atoms, {vectors}; p50 {found['select_p50']:.1f} ms; processor "
    how += f"{found['select_cpu_p50']:.1f}, p95 {found['select_cpu_p95']:.1f} ms"
    report.row(f"select p95 {at}", found["select_p95"], "ms", limit, how)
    how = f"{found['meanwhile_n']:.0f} questions; p50 {found['meanwhile_p50']:.1f} ms"
    report.row(f"select p95 {at} during an import", found["meanwhile_p95"], "ms", None, how)
    how = f"p95 {found['single_p95']:.0f} ms; processor {found['single_cpu']:.0f} ms; accepted p95 {found['accepted_p95']:.1f} ms"
    report.row(f"single capture to receipt {at}", found["single_p50"], "ms", None, f"median; {how}")
    for name, target in (("profile", PROFILE_MS), ("today", None)):
        how = f"median; p95 {found[f'{name}_p95']:.1f} ms; processor {found[f'{name}_cpu']:.1f} ms"
        report.row(f"{name} {at}", found[f"{name}_p50"], "ms", target, how)
    memory = f"{found['memory_after_mb']:,.0f} MB after an import"
    report.row(f"memory {at}", found["memory_mb"], "MB", MEMORY_MB.get(size), memory)
    how = f"from the process's start; processor {found['first_answer_cpu_s']:.1f} s; "
    how += f"opened {found['opened_s']:.1f} s, writer ready {found['writer_ready_s']:.1f} s"
    report.row(f"restart to first answer {at}", found["first_answer_s"], "s", RESTART_S.get(size), how)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sizes = ",".join(map(str, SIZES))
    parser.add_argument("--sizes", default=sizes, help=f"sizes of the stores, ascending (default {sizes})")
    parser.add_argument("--quick", action="store_true", help="small sizes: a minute")
    parser.add_argument("--real", action="store_true", help="embed everything that is stored with the model")
    parser.add_argument("--keep", type=Path, help="keep the stores in this folder, and use those that are there")
    return parser.parse_args()


def main() -> None:
    arguments = _arguments()
    logs.configure("error", json=None)
    sizes = QUICK if arguments.quick else tuple(int(size) for size in arguments.sizes.split(","))
    model = load_model(Settings())
    if model.embedder is None:
        raise SystemExit(f"There is no embedding model: {model.missing}")
    hashed = Model(HashedBeyond(model.embedder))
    report = Report()
    columns = (TextColumn("{task.description:34}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with contextlib.ExitStack() as stack:
        shown = stack.enter_context(Progress(*columns, transient=True, console=Console(stderr=True)))
        folder = arguments.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))

        task = shown.add_task("captures over HTTP", total=2 * HTTP_CAPTURES)
        calm, hurried = acknowledged(partial(_show, shown, task))
        report.row("capture acknowledged p95", calm, "ms", ACKNOWLEDGED_P95_MS, "over HTTP, fsynced, one at a time")
        report.row(
            "capture acknowledged p95, hurried", hurried, "ms", ACKNOWLEDGED_P95_MS, "the writer working on those before it"
        )
        report.section()

        said = {"synthetic": list(islice(Life(seed=3).captures(), BULK_ATOMS)), "LoCoMo": _locomo()}
        for name, captures in said.items():
            if not captures:
                report.row(f"bulk ingest, {name}", 0.0, "atoms/s", None, "not measured: set LATTICE_BENCH_DATA")
                continue
            task = shown.add_task(f"bulk ingest, {name}", total=BULK_ATOMS)
            rate, alone, atoms = bulk(captures, model, partial(_show, shown, task))
            how = f"{atoms:,} atoms; the embedder alone {alone:,.0f} atoms/s"
            report.row(f"bulk ingest, {name}", rate, "atoms/s", ATOMS_PER_SECOND, how, at_least=True)

        stores: list[dict[str, float]] = []
        for smaller, size in zip((None, *sizes), sizes, strict=False):
            task = shown.add_task(f"a store of {size:,}", total=size)
            real = arguments.real or size <= REAL_VECTORS_UP_TO
            store = folder / str(size)
            if smaller is not None and not store.exists():
                shutil.copytree(folder / str(smaller), store)
            with open_embedded(Settings(data_dir=store), model=model if real else hashed) as product:
                product.start()
                have = product.stores.catalogue.count()
                text = Life(seed=have + 11).captures(first_day=have // 80)
                filled(product, text, size, partial(_show, shown, task))
            shown.update(task, description=f"measuring at {size:,}")
            stores.append(measured(store))
            report_store(report, size, stores[-1], "vectors of the model" if real else "vectors of hashed words")
        report.section()
        growth = stores[-1]["single_cpu"] / stores[0]["single_cpu"]
        report.row("cost of a capture, largest to smallest", growth, "×", GROWTH, "processor time until its receipt")
    report.print()


if __name__ == "__main__":
    main()
