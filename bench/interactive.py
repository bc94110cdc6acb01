"""Many clients at once, each waiting for what it asked for: `python -m bench.interactive [--clients 50] [--rounds 4]`.

The product's own server runs in a process of its own over a store of some thousand memories. All clients capture statements with
`wait`, one after the other, then each deletes what it told. It begins when the server has done its own work on what was there,
and the first of each client is not counted: a server that has just started loads what it needs with it. Printed is what the
requests took, how many were not done in the time that the server waits for the writer (503), and the processor time of the server
for each: clients and server share the machine's processors with whatever else runs, and on a busy one only that time says
something of Lattice. `bench.together` counts the fsyncs and commits.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeAlias

import httpx
from lattice_common import logs
from lattice_common.composition import open_embedded
from lattice_common.settings import Settings
from rich.console import Console
from rich.table import Table

from bench.product import served
from bench.speed import filled
from bench.store_speed import p95
from bench.synthetic import Life

AIM_S = 1.0
"""What 95 of 100 requests may take at most, with fifty clients."""
TOKEN = "bench-interactive-0123456789abcdefghijklmnop"  # noqa: S105 - of a server that lives as long as the measurement
PATIENCE = 120.0


@dataclass(frozen=True, slots=True)
class Request:
    """How long one took, and whether it was done in time."""

    seconds: float
    done: bool


Work: TypeAlias = Callable[[int, httpx.Client], list[Request]]
"""What one client, by its number, asks for."""


def server_seconds() -> float:
    """Processor time of the processes that this one started, so far; only Linux says it of those that run."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if not children.exists():
        return 0.0
    ticks = 0
    for child in children.read_text(encoding="ascii").split():
        fields = Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def rest(patience: float = PATIENCE) -> None:
    """Wait until the server has had nothing to do for a moment: passages of an import get their vectors after it."""
    deadline, quiet, before = time.monotonic() + patience, 0, server_seconds()
    while quiet < 3 and time.monotonic() < deadline:
        time.sleep(1.0)  # what the server spends in a second is what is looked at
        now = server_seconds()
        quiet, before = quiet + 1 if now - before < 0.05 else 0, now


@dataclass(frozen=True, slots=True)
class Measured:
    """What was asked for in one go, and the server's processor time for all of it."""

    requests: list[Request]
    processor_seconds: float


def timed(send: Callable[[str], httpx.Response], what: str) -> tuple[float, httpx.Response]:
    began = time.perf_counter()
    answer = send(what)
    return time.perf_counter() - began, answer


def at_once(clients: int, work: Work, base: str) -> list[Request]:
    """Every request of every client, all clients beginning in the same moment."""
    begin = threading.Barrier(clients)
    headers = {"Authorization": f"Bearer {TOKEN}"}

    def one(number: int) -> list[Request]:
        with httpx.Client(base_url=base, headers=headers, timeout=PATIENCE) as http:
            http.get("/health")
            begin.wait()
            return work(number, http)

    with ThreadPoolExecutor(clients) as pool:
        return [request for each in pool.map(one, range(clients)) for request in each]


def measured(base: str, clients: int, rounds: int) -> dict[str, Measured]:
    kept: dict[int, list[str]] = {}
    lives = {number: Life(seed=1_000 + number) for number in range(clients)}

    def capture(number: int, http: httpx.Client, rounds: int) -> list[Request]:
        sent = []
        for _ in range(rounds):
            taken, answer = timed(
                lambda text: http.post("/api/ingest", json={"text": text, "wait": True}), lives[number].sentence()
            )
            sent.append(Request(taken, answer.status_code == httpx.codes.OK))
            kept.setdefault(number, []).extend(answer.json()["atom_ids"])
        return sent

    def delete(number: int, http: httpx.Client) -> list[Request]:
        sent = [timed(lambda each: http.delete(f"/api/atoms/{each}"), each) for each in kept.get(number, ())]
        return [Request(taken, answer.status_code == httpx.codes.OK) for taken, answer in sent]

    at_once(clients, lambda number, http: capture(number, http, 1), base)
    results = {}
    works: dict[str, Work] = {"capture with wait": lambda number, http: capture(number, http, rounds), "delete": delete}
    for name, work in works.items():
        before = server_seconds()
        requests = at_once(clients, work, base)
        results[name] = Measured(requests, server_seconds() - before)
    return results


def shown(results: dict[str, Measured], clients: int) -> Table:
    names = ("", "requests", "not done in time", "p50, s", "p95, s", "longest, s", f"p95 ≤ {AIM_S:g} s", "processor, ms each")
    table = Table(*names, title=f"{clients} clients at once")
    for name, result in results.items():
        requests = result.requests
        taken = [each.seconds for each in requests]
        figures = [f"{median(taken):.2f}", f"{p95(taken):.2f}", f"{max(taken):.2f}"]
        late = str(sum(not each.done for each in requests))
        table.add_row(
            name,
            str(len(taken)),
            late,
            *figures,
            "yes" if p95(taken) <= AIM_S else "no",
            f"{1000 * result.processor_seconds / len(taken):.0f}",
        )
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=4, help="captures of each client, one after the other")
    parser.add_argument("--atoms", type=int, default=2_000, help="memories that are there before")
    parser.add_argument("--folder", type=Path, help="where the store is made (default: a temporary folder)")
    given = parser.parse_args(arguments)
    logs.configure("warning", json=None)
    with tempfile.TemporaryDirectory(dir=given.folder, ignore_cleanup_errors=True) as folder:
        store = Path(folder) / "data"
        with open_embedded(Settings(data_dir=store, llm_provider="none")) as product:
            product.start()
            filled(product, Life(seed=11).captures(first_day=0), given.atoms, lambda _: None)
        with served(store, TOKEN) as base:
            rest()
            Console(width=130).print(shown(measured(base, given.clients, given.rounds), given.clients))


if __name__ == "__main__":
    main()
