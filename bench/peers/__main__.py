"""Lattice beside other memories, in one table: `make bench-peers`, or `python -m bench.peers [--peers PYTHON] [--only NAMES]`.

mem0 (without a language model), basic-memory, BM25, the embedding model alone and reciprocal rank fusion of these two are told
the same texts one by one, and asked the same questions for 20 results, each in a process of its own per store: LoCoMo's
conversations (LATTICE_BENCH_DATA; one store each) and the notes of `bench/notes`. All embed with the packaged model. Lattice is
measured twice: told as its importer reads conversations, and text by text as the others.

A result counts for the text it came from. A question's time has its embedding in it. A store is settled when what is new has also
been compared with what was known before, which only Lattice does. Memory is the peak of the whole process, Python and model
included; of several stores the largest. Disk is the sum. The processor's time says what a system does, whatever else the machine
did.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lattice_common.capture.request import IngestRequest
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.evidence import Corpus, locomo, notes
from bench.peers.lattice_product import one_by_one
from bench.peers.report import COLUMNS, Row, figure, markdown, row
from bench.peers.system import Told
from bench.peers.texts import Collection, collection

ROOT = Path(__file__).parents[2]
OURS = ("Lattice", "Lattice, text by text", "BM25", "dense", "RRF")
PEERS = ("mem0", "basic-memory")
SECONDS = 1800
"""What one system may take for one store."""


def task_of(system: str, corpus: Corpus, told: Collection) -> dict[str, Any]:
    """What the process that is measured is given."""
    requests: Sequence[IngestRequest] = ()
    if system == "Lattice":
        requests = corpus.told
    elif system == "Lattice, text by text":
        requests = one_by_one(told.texts)
    return {
        "texts": [asdict(Told(each.id, each.plain, each.at)) for each in told.texts],
        "questions": [each.text for each in told.questions],
        "requests": [each.model_dump(mode="json") for each in requests],
    }


def run(system: str, python: str, corpus: Corpus, told: Collection) -> dict[str, Any]:
    """One system on one store."""
    with tempfile.TemporaryDirectory(prefix="lattice-peers-", ignore_cleanup_errors=True) as folder:
        task = Path(folder) / "task.json"
        task.write_text(json.dumps(task_of(system, corpus, told)), encoding="utf-8")
        command = [python, "-m", "bench.peers.measure", system, str(task), str(Path(folder) / "store")]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=True)
        values: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return values


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="the Python that the peers are installed for; without it they are left out")
    parser.add_argument("--only", help="names of systems, with commas between semicolons: mem0;BM25")
    parser.add_argument("--conversations", type=int, help="only so many of LoCoMo's")
    parser.add_argument("--runs", type=Path, help="keep what was measured in this file, and go on with what is there")
    parser.add_argument("--figure", type=Path, help="write the figure here, as SVG")
    return parser.parse_args()


def main() -> None:
    arguments = _arguments()
    systems = OURS + (PEERS if arguments.peers else ())
    if arguments.only:
        systems = tuple(each for each in systems if each in arguments.only.split(";"))
    if not arguments.peers:
        print("Without --peers, mem0 and basic-memory are left out: `make bench-peers` installs them beside the product.")
    corpora = [notes(), *locomo()[: arguments.conversations]]
    told = [collection(corpus) for corpus in corpora]
    kept: dict[str, dict[str, Any]] = {}
    if arguments.runs and arguments.runs.exists():
        kept = json.loads(arguments.runs.read_text(encoding="utf-8"))
    pairs = [(system, at) for at in range(len(corpora)) for system in systems if f"{system}/{corpora[at].name}" not in kept]
    for system, at in track(pairs, "telling and asking", console=Console(stderr=True), transient=True):
        python = arguments.peers if system in PEERS else sys.executable
        kept[f"{system}/{corpora[at].name}"] = run(system, python, corpora[at], told[at])
        if arguments.runs:
            arguments.runs.write_text(json.dumps(kept), encoding="utf-8")
    rows = [row(system, [(each, kept[f"{system}/{each.name}"]) for each in told]) for system in systems]
    _print(rows, told)
    if arguments.figure:
        arguments.figure.write_text(figure(rows), encoding="utf-8")


def _print(rows: Sequence[Row], told: Sequence[Collection]) -> None:
    texts, questions = sum(len(each.texts) for each in told), sum(len(each.questions) for each in told)
    shown = Table(*COLUMNS, title=f"side by side: {len(told)} stores, {texts:,} texts, {questions:,} questions")
    for each in rows:
        shown.add_row(*each.cells())
    Console(width=max(Console().width, 150)).print(shown)
    print(markdown(rows))
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"\n{os.cpu_count()} processors, load {load}.")


if __name__ == "__main__":
    main()
