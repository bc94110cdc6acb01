"""How close ingest with a language model comes to the time that its calls alone take.

python -m bench.extraction_llm [--call 0.2] [--parallel 4] [--captures 80] [--segments 60]

A scripted endpoint on this machine, in a process of its own, answers over HTTP after `--call` seconds. The ideal is seconds ×
calls / parallel, in whole rounds: nothing but the calls. Two imports are measured, from the first capture sent to the last
receipt: many captures of one segment each, and one text of many segments. What else runs meanwhile is measured, too. Target: at
most 1.15 times the ideal.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path

from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, open_embedded
from lattice_common.logs import configure
from lattice_common.settings import Settings

from bench.scripted_endpoint import Endpoint, scripted_endpoint

TARGET = 1.15
PATIENCE = 600.0


def note(number: int, size: int) -> str:
    """A note of about `size` characters in which no two sentences are alike."""
    words: list[str] = []
    at = 0
    while sum(map(len, words)) < size:
        at += 1
        words.append(f"Parcel {number}-{at} of the brass shipment went to depot {number * 7 + at} under label K{number}x{at}. ")
        if at % 8 == 0:
            words.append("\n\n")
    return "".join(words)


def measure(name: str, requests: list[IngestRequest], server: Endpoint, options: argparse.Namespace) -> float:
    """Seconds beyond the ideal, as a factor."""
    with tempfile.TemporaryDirectory(prefix="lattice-bench-") as folder:
        settings = Settings(
            data_dir=Path(folder),
            embed_model=options.embed_model,
            llm_provider="openai",
            llm_base_url=server.base_url,
            llm_model="scripted:latest",
            llm_api_key="none",
            llm_daily_tokens=0,
            llm_capture_tokens=0,
            extract_parallel=options.parallel,
        )
        with open_embedded(settings) as store:
            store.start()
            # Libraries and models are loaded by the first use.
            _atoms_of(store, store.lattice.accept(IngestRequest(text=note(999, 300), priority="bulk")).status.capture_id)
            before = server.calls()
            cpu, begun = time.process_time(), time.perf_counter()
            ids = [store.lattice.accept(request).status.capture_id for request in requests]
            atoms = sum(_atoms_of(store, each) for each in ids)
            took, busy = time.perf_counter() - begun, time.process_time() - cpu
            calls = server.calls() - before
    ideal: float = math.ceil(calls / options.parallel) * options.call
    print(
        f"{name:28} {calls:4} calls {atoms:6} atoms  {took:6.2f} s, ideal {ideal:6.2f} s: {took / ideal:.3f}"
        f"  ({busy:.2f} s of processor time)"
    )
    return took / ideal


def _atoms_of(store: Embedded, capture_id: str) -> int:
    receipt = store.lattice.wait_for(capture_id, PATIENCE).receipt
    if receipt is None or receipt.notes:
        sys.exit(f"{capture_id} was not read by the model: {receipt}")
    return receipt.atoms_new


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--call", type=float, default=0.2, help="seconds that a call takes")
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--captures", type=int, default=80)
    parser.add_argument("--segments", type=int, default=60)
    parser.add_argument("--embed-model", default="all-MiniLM-L6-v2")
    options = parser.parse_args()
    configure("warning", json=False)

    with scripted_endpoint(options.call) as server:
        short = [IngestRequest(text=note(n, 700), source_type="plain", priority="bulk") for n in range(options.captures)]
        long = [IngestRequest(text=note(0, 4000 * options.segments), source_type="plain", priority="bulk")]
        factors = [
            measure("captures of one segment", short, server, options),
            measure("one text of many segments", long, server, options),
        ]
    print(f"target {TARGET}: {'met' if max(factors) <= TARGET else 'missed'}")


if __name__ == "__main__":
    main()
