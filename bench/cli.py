"""How quick the command line is, as whole commands: `python -m bench.cli [--runs 30]`.

Each command is started as a person starts it: a new process, from its first instruction to its end, against a product with its
real model that runs beside it on this machine (`lattice up` in a temporary folder). The commands take turns, so that a busy
moment meets all of them, and bytecode is kept, as it is for everybody's. Beside the milliseconds of the clock stand those of the
processor; `python -c pass` is Python itself.
"""

from __future__ import annotations

import argparse
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lattice_common.client import LatticeClient
from lattice_common.errors import Unavailable
from rich.console import Console
from rich.table import Table

BIN = Path(sys.executable).parent
START_SECONDS = 60.0

TARGETS = {"lattice --help": 150, 'lc "text"': 250}
"""Milliseconds, at the median, on a machine that is not busy with something else."""


@contextmanager
def running(folder: Path) -> Iterator[Mapping[str, str]]:
    """The environment in which the product of `folder` is found."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    known = {name: value for name, value in os.environ.items() if not name.startswith(("LATTICE_", "LLM_", "PYTHON"))}
    environ = {**known, "LATTICE_DIR": str(folder / "data"), "LATTICE_WEB_PORT": str(port), "LLM_PROVIDER": "none"}
    up = subprocess.Popen(
        [BIN / "lattice", "up", "--no-browser"],
        env={**environ, "LATTICE_LOG_LEVEL": "error"},
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_until_ready(port)
        yield environ
    finally:
        up.terminate()
        up.wait(30)


def wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    with LatticeClient(f"http://127.0.0.1:{port}", None) as client:
        while time.monotonic() < deadline:
            try:
                if client.ready()["ready"]:
                    return
            except Unavailable:
                pass
            time.sleep(0.1)  # it is starting; this is not measured
    raise SystemExit("the product did not start")


def timed(command: list[str], environ: Mapping[str, str], folder: Path) -> tuple[float, float]:
    """Milliseconds by the clock, and of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, env=dict(environ), cwd=folder, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True)
    took = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took * 1000, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def commands(run: int) -> dict[str, list[str]]:
    return {
        "python -c pass": [sys.executable, "-c", "pass"],
        "lattice --help": [str(BIN / "lattice"), "--help"],
        'lc "text"': [str(BIN / "lc"), f"The meter of flat {run} is behind the green door."],
        'lc --no-wait "text"': [str(BIN / "lc"), "--no-wait", f"The keys of flat {run} are with the neighbours."],
        "lc status": [str(BIN / "lc"), "status"],
        "lattice ask": [str(BIN / "lattice"), "ask", "where is the meter of flat 0?"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30)
    runs = parser.parse_args().runs
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands(0)}
    with tempfile.TemporaryDirectory() as name, running(Path(name)) as environ:
        for run in range(runs + 1):
            for what, command in commands(run).items():
                took = timed(command, environ, Path(name))
                if run:  # the first of each reads its files from the disk
                    found[what].append(took)
    table = Table("command", "median ms", "p95 ms", "processor ms", "target", title="The command line")
    for what, times in found.items():
        clock = sorted(each for each, _ in times)
        target = TARGETS.get(what)
        table.add_row(
            what,
            f"{statistics.median(clock):.0f}",
            f"{clock[int(len(clock) * 0.95)]:.0f}",
            f"{statistics.median(each for _, each in times):.0f}",
            f"{target} ms" if target else "",
        )
    console = Console()
    console.print(table)
    console.print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {runs} runs each")


if __name__ == "__main__":
    main()
