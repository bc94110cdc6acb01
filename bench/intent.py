"""Tell, ask or do: how often it is right, with the judge and by rules alone: `python -m bench.intent FOLDER`."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from lattice_common.language.intents.intent import certain_intent
from lattice_common.ports.judge import Judge
from lattice_common.recall.intent_model import intended

from bench.status import judge_in


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--judge", type=Path, help="the folder of judge.onnx; without it that of the product")
    options = parser.parse_args()
    judge = judge_in(options.judge)
    print(f"{'file':<14} {'by':<6} {'right':>14} {'told, not kept':>15} {'certain, wrong':>15} {'ms each':>8}")
    for path in sorted(options.folder.glob("utterances-*.jsonl")):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        for name, by in (("rules", None), ("judge", judge)):
            if name == "rules" or by is not None:
                _report(path.stem, name, [(line["text"], line["intent"]) for line in lines], by)


def _report(name: str, by: str, lines: list[tuple[str, str]], judge: Judge | None) -> None:
    begun = time.perf_counter()
    found = [(text, right, intended(text, lambda _: None, "fence", judge).intent) for text, right in lines]
    took = (time.perf_counter() - begun) * 1000 / max(len(lines), 1)
    right = sum(one == other for _, one, other in found)
    lost = sum(one == "tell" and other != "tell" for _, one, other in found)
    certain = [(text, one, read) for text, one in lines if (read := certain_intent(text)) is not None]
    wrong = sum(one != read for _, one, read in certain)
    share = f"{right} of {len(lines)}"
    print(
        f"{name:<14} {by:<6} {share:>14} {right / max(len(lines), 1):>6.1%} {lost:>8} {wrong:>6} of {len(certain):>4}"
        f" {took:>8.2f}"
    )
    print("   ", Counter((one, other) for _, one, other in found if one != other).most_common(6))


if __name__ == "__main__":
    main()
