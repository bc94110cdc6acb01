"""Whether what is said again is kept once, and what only looks like it is not lost: `python -m bench.repeated [--show]`.

All first statements of `bench/repeated/dev.json` or `held.json` are told to one memory, and the second ones a month later. Of
those that repeat: *kept once* is where nothing new was stored. Of those that look alike and say something else: *lost* is where
nothing new was. `held` was written by somebody who had not seen the rules, and is only counted.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from lattice_common import logs
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.settings import Settings
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.evidence import bench_model

PAIRS = Path(__file__).parent / "repeated"
FIRST_DAY = datetime(2026, 1, 5, 18, tzinfo=UTC)
PATIENCE = 60.0


def _new_of(product: Embedded, text: str, day: int) -> int:
    """Return how many memories were made of something told on a day."""
    at = (FIRST_DAY + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
    capture = product.lattice.accept(IngestRequest(text=text, metadata=CaptureMetadata(observed_at=at))).status.capture_id
    receipt = product.lattice.wait_for(capture, PATIENCE).receipt
    return receipt.atoms_new if receipt else 0


def counted(half: str, model: Model, *, show: bool) -> Counter[tuple[bool, bool]]:
    """Return how many pairs that are the same, or not, were stored again, or not."""
    pairs = json.loads((PAIRS / f"{half}.json").read_text(encoding="utf-8"))
    found: Counter[tuple[bool, bool]] = Counter()
    with TemporaryDirectory() as folder, open_embedded(Settings(data_dir=Path(folder)), model=model) as product:
        product.start()
        for number, pair in enumerate(track(pairs, half)):
            _new_of(product, pair["known"], number % 30)
        for number, pair in enumerate(track(pairs, half)):
            stored = _new_of(product, pair["new"], 60 + number % 30) > 0
            found[pair["same"], stored] += 1
            if show and stored == pair["same"]:
                print(("kept twice: " if stored else "lost: ") + f"{pair['known']} | {pair['new']}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print what was kept twice or lost of dev")
    args = parser.parse_args()
    logs.configure("error", json=None)
    model = bench_model()
    table = Table("half", "repeated", "kept once, %", "alike", "lost, %", title="what is said again")
    for half in ("dev", "held"):
        found = counted(half, model, show=args.show and half == "dev")
        same, alike = (found[is_same, False] + found[is_same, True] for is_same in (True, False))
        table.add_row(
            half, str(same), f"{100 * found[True, False] / same:.1f}", str(alike), f"{100 * found[False, False] / alike:.1f}"
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
