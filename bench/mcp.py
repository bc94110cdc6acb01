"""How long an assistant waits: `python -m bench.mcp [--atoms 10000] [--questions 300] [--keep FOLDER]`.

The official client asks `lattice mcp` over stdio, which asks the product's own server; each is a process of its own, as in use.
The same questions go to the API directly in turns with them, so that what MCP adds is seen whatever else the machine does.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import anyio
from lattice_common import logs
from lattice_common.client import LatticeClient
from lattice_common.composition import open_embedded
from lattice_common.settings import Settings
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from bench.product import served
from bench.speed import filled
from bench.store_speed import p95
from bench.synthetic import Life

RECALL_P95_MS = 25.0
"""The target at 10,000 atoms, beyond start-up."""

WARM = 20
"""Questions before the clock counts: connections are opened, caches filled."""


async def asked(folder: Path, url: str, token: str, questions: list[str]) -> tuple[float, list[float], list[float]]:
    """Seconds until the door answered first; then milliseconds of each question through it, and directly."""
    environment = {"LATTICE_DIR": str(folder), "LATTICE_WEB_PORT": url.rpartition(":")[2], "LATTICE_API_TOKEN": token}
    door = StdioServerParameters(command=sys.executable, args=["-m", "lattice_cli.app", "mcp"], env=environment, cwd=folder)
    through, direct = [], []
    began = time.perf_counter()
    with LatticeClient(url, token) as api:
        async with Client(stdio_client(door)) as assistant:
            await assistant.list_tools()
            started = time.perf_counter() - began
            for number, question in enumerate(questions):
                begun = time.perf_counter()
                answer = await assistant.call_tool("recall", {"query": question})
                between = time.perf_counter()
                api.select(question, limit=10)
                ended = time.perf_counter()
                if answer.is_error:
                    raise SystemExit(f"recall failed: {answer.content}")
                if number >= WARM:
                    through.append(1000 * (between - begun))
                    direct.append(1000 * (ended - between))
    return started, through, direct


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--atoms", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--keep", type=Path, help="a folder for the store, filled once")
    options = parser.parse_args()
    logs.configure("error", json=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary) / "store"
        with open_embedded(Settings(data_dir=folder)) as product:
            product.start()
            filled(product, Life(seed=7).captures(), options.atoms, lambda _: None)
            atoms = product.stores.catalogue.count()
        token = secrets.token_urlsafe(32)
        questions = Life(seed=99).questions(options.questions + WARM)
        with served(folder, token) as url:
            started, through, direct = anyio.run(asked, folder, url, token, questions)
    load = os.getloadavg()[0]
    print(f"{atoms:,} atoms, {len(through)} questions, load {load:.1f} on {os.cpu_count()} processors")
    added = [one - other for one, other in zip(through, direct, strict=True)]
    for what, times, target in (
        ("MCP recall over stdio", through, f"   (target {RECALL_P95_MS:.0f})"),
        ("the API directly", direct, ""),
    ):
        # The fastest tenth is what it takes when nothing else wants the processor.
        quick = sorted(times)[len(times) // 10]
        print(f"{what:<22}  fastest tenth {quick:6.1f} ms   median {median(times):6.1f} ms   p95 {p95(times):6.1f} ms{target}")
    print(f"what MCP adds to it, at the median, {median(added):.1f} ms")
    print(f"first answer of the door after {started:.2f} s")


if __name__ == "__main__":
    main()
