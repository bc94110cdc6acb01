"""How well reconcile retires: precision and recall on labelled pairs, and its cost per atom.

python bench/reconcile.py               the pairs the rules were tuned on, wrong ones listed
python bench/reconcile.py --held-out    the others: figures only, or with --show the wrong ones too
python bench/reconcile.py --fresh       pairs that were written after the rules were tuned
python bench/reconcile.py --life        pairs from a year of one person's notes
python bench/reconcile.py --speed       microseconds per atom in stores of growing size
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "pipeline"))

from known_atoms import KnownAtoms, statement  # noqa: E402  (the tests' catalogue is found by the line above)
from labelled_pairs import START, fresh_pairs, life_pairs, no_vectors, outcome, pairs  # noqa: E402
from lattice_common.ingest.reconcile import Thresholds, reconcile  # noqa: E402


def measure(name: str, labelled: Iterable[tuple[str, str, str, dict[str, Any]]], *, show: bool) -> None:
    counts: Counter[str] = Counter()
    for expected, old, new, options in labelled:
        got = outcome(old, new, options)
        counts[f"expected {expected}"] += 1
        right = got == expected or (expected == "keep" and got == "link") or (expected == "link" and got == "keep")
        if expected == "link" and got == "keep":
            counts["link kept without a link"] += 1
        counts["right"] += right
        if got == "retire":
            counts["retired rightly" if expected == "retire" else "retired wrongly"] += 1
        if got == "duplicate" and expected != "duplicate":
            counts["dropped wrongly"] += 1
        if not right and show:
            print(f"  expected {expected:9} got {got:9} {old!r} <- {new!r} {options or ''}")
    retired = counts["retired rightly"] + counts["retired wrongly"]
    asked = counts["expected retire"]
    print(name, dict(counts))
    rightly = counts["retired rightly"]
    print(f"  retirement precision {rightly / max(retired, 1):.3f}  recall {rightly / max(asked, 1):.3f}")


def speed() -> None:
    """The catalogue here is a dictionary that scans, so only the time outside it is shown: reading sentences and comparing."""
    sentences = [new for _, old, new, _ in pairs(held_out=False)]
    best = float("inf")
    for repeat in range(5):
        atoms = [statement(f"{text} {repeat}", START, capture=3 + repeat, ordinal=n) for n, text in enumerate(sentences)]
        known = KnownAtoms()
        begin = time.perf_counter()
        reconcile(atoms, {}, known, no_vectors, Thresholds())
        best = min(best, (time.perf_counter() - begin) / len(atoms))
    print(f"{best * 1e6:.0f} µs per atom, {len(sentences)} atoms in one capture")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--life", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--speed", action="store_true")
    asked = parser.parse_args()
    if asked.speed:
        speed()
    elif asked.fresh:
        measure("fresh", fresh_pairs(), show=asked.show)
    elif asked.life:
        measure("life", life_pairs(), show=asked.show)
    elif asked.held_out:
        measure("held-out", pairs(held_out=True), show=asked.show)
    else:
        measure("tuned on", pairs(held_out=False), show=True)
