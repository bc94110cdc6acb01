"""What bringing in a long export costs in memory: `python -m bench.exports [--gigabytes 2] [--keep N]`.

An export of ChatGPT of that size is written (conversations with branches, some tens of thousands of characters each), and gone
through to its end as `lattice import export --dry-run` does, in a process of its own: every conversation is parsed and made into
what would be kept. With `--keep`, the first N things are kept in a memory, too. Printed are the seconds and the most that the
process held.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lattice_common.capture.importers.export import items
from lattice_common.capture.importers.intake import Intake
from lattice_common.composition import load_model, open_embedded
from lattice_common.settings import Settings

from bench.memory import sentence

TURNS = 40
BYTES = 1_000_000_000


def conversation(chance: random.Random, number: int) -> str:
    mapping: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None, "children": ["0"]}}
    for turn in range(TURNS):
        words = " ".join(sentence(chance) for _ in range(8))
        message = {
            "id": f"{number}-{turn}",
            "author": {"role": "assistant" if turn % 2 else "user"},
            "create_time": 1_760_000_000 + 600 * number + turn,
            "content": {"content_type": "text", "parts": [words]},
        }
        parent, children = str(turn - 1) if turn else "root", [str(turn + 1)] if turn + 1 < TURNS else []
        mapping[str(turn)] = {"id": str(turn), "message": message, "parent": parent, "children": children}
    named = {"title": f"Talk {number}", "conversation_id": f"c{number}", "current_node": str(TURNS - 1)}
    return json.dumps({**named, "mapping": mapping})


def write(path: Path, size: int) -> None:
    """An array of conversations; of a hundred each is written again and again under another name."""
    chance = random.Random("export")
    kept = [conversation(chance, number) for number in range(100)]
    written = number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        while written < size:
            text = kept[number % 100].replace(f'"c{number % 100}"', f'"c{number}"', 1)
            file.write(("," if number else "") + text)
            written += len(text)
            number += 1
        file.write("]")


def go_through(path: Path, keep: int) -> dict[str, float]:
    """Things found, seconds, and megabytes at most."""
    began = time.perf_counter()
    if keep:
        with (
            tempfile.TemporaryDirectory() as folder,
            open_embedded(Settings(data_dir=Path(folder)), model=load_model(Settings())) as store,
        ):
            store.start()
            intake = Intake(items(path), store.lattice, "import")
            while intake.account.found < keep:
                intake.go_on(50)
                time.sleep(0.05)
            found = intake.account.found
    else:
        found = sum(1 for _ in items(path))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"found": found, "seconds": time.perf_counter() - began, "megabytes": most}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--keep", type=int, default=0, help="things that are kept in a memory, too")
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.path is not None:
        sys.stdout.write(json.dumps(go_through(args.path, args.keep)) + "\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "conversations.json"
        write(path, int(args.gigabytes * BYTES))
        command = [sys.executable, "-m", "bench.exports", "--path", str(path), "--keep", str(args.keep)]
        told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])
    sys.stdout.write(
        f"{args.gigabytes:g} GB: {told['found']:,} things in {told['seconds']:.0f} s, {told['megabytes']:.0f} MB at most\n"
    )


if __name__ == "__main__":
    main()
