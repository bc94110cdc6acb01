"""How much of what mattered becomes an atom: extraction by rules over the conversations of LATTICE_BENCH_DATA.

Prints, for the gold evidence turns of questions of categories 1 to 4, the share that gives at least one grounded atom, the
number of atoms per turn kept, the share that grounding passes, and sentences per second (one thread, best of three).

    LATTICE_BENCH_DATA=… python -m bench.extraction [--lost] [--dropped] [--atoms N]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lattice_common.domain.capture import Capture, Turn
from lattice_common.domain.segment import Candidate, Rejection
from lattice_common.ingest.extract import extract
from lattice_common.ingest.ground import ground
from lattice_common.ingest.segment import segment
from lattice_common.language.sentences.split import sentences

CAPTURE_ID = "01jd0000000000000000000000"


def conversations(folder: Path) -> Iterator[tuple[list[Capture], set[str]]]:
    """One capture per session of each conversation, and the ids of its gold evidence turns."""
    for item in json.loads((folder / "locomo_dev.json").read_text()):
        talk = item["conversation"]
        gold = {turn for question in item["qa"] if question["category"] <= 4 for turn in question["evidence"]}
        numbers = sorted(int(key.split("_")[1]) for key in talk if key.startswith("session_") and key.count("_") == 1)
        yield [session(talk, number) for number in numbers], gold


def session(talk: dict[str, object], number: int) -> Capture:
    """A session as a capture, the way a chat import makes it."""
    said_at = datetime.strptime(str(talk[f"session_{number}_date_time"]), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    text, turns = "", []
    messages = talk[f"session_{number}"]
    assert isinstance(messages, list)
    for at, message in enumerate(messages):
        words = message["text"] + (f" [shares: {message['blip_caption']}]" if message.get("blip_caption") else "")
        start = len(text) + len(message["speaker"]) + 2
        text += f"{message['speaker']}: {words}\n"
        turns.append(
            Turn(start, start + len(words), "user", message["speaker"], said_at + timedelta(seconds=at), message["dia_id"])
        )
    return Capture(CAPTURE_ID, said_at, text, said_at, source_type="chat", turns=tuple(turns))


def run(capture: Capture) -> tuple[list[Candidate], list[Rejection]]:
    """A capture through segment, extract and ground."""
    proved, rejected = [], []
    for piece in segment(capture):
        good, bad = ground(capture, piece, extract(capture, piece))
        proved += good
        rejected += bad
    return proved, rejected


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lost", action="store_true", help="print gold turns that gave no atom")
    parser.add_argument("--dropped", action="store_true", help="print all turns that gave no atom")
    parser.add_argument("--atoms", type=int, default=0, help="print this many atoms, chosen at random")
    args = parser.parse_args()
    folder = os.environ.get("LATTICE_BENCH_DATA")
    if not folder:
        sys.exit("LATTICE_BENCH_DATA names no folder: set it to the one with locomo_dev.json.")
    gold_turns = gold_kept = turns = kept = atoms = 0
    rejections: list[Rejection] = []
    everything: list[Candidate] = []
    captures: list[Capture] = []
    for sessions, gold in conversations(Path(folder)):
        for capture in sessions:
            captures.append(capture)
            proved, rejected = run(capture)
            rejections += rejected
            everything += proved
            starts = [turn.start for turn in capture.turns]
            with_atom = {bisect_right(starts, atom.start or 0) - 1 for atom in proved}
            turns += len(capture.turns)
            kept += len(with_atom)
            atoms += len(proved)
            for at, turn in enumerate(capture.turns):
                is_gold = turn.message_id in gold
                gold_turns += is_gold
                gold_kept += is_gold and at in with_atom
                if at not in with_atom and (args.dropped or (args.lost and is_gold)):
                    print(("GOLD " if is_gold else "     ") + f"{turn.speaker}: {capture.text[turn.start : turn.end]}")
    for rejection in rejections[:20]:
        print(f"rejected {rejection.reason} [{rejection.detail}]: {rejection.candidate.content}")
    for atom in random.Random(7).sample(everything, args.atoms):
        print(f"{atom.kind:14} {atom.subject[:24]:24} {atom.content}  {list(atom.entities)} {atom.date_phrase or ''}")
    said = sum(len(sentences(capture.text)) for capture in captures)
    best = min(_seconds(captures) for _ in range(3))
    print(f"gold turns with an atom   {gold_kept}/{gold_turns} = {100 * gold_kept / gold_turns:.2f} %")
    print(f"turns with an atom        {kept}/{turns} = {100 * kept / turns:.1f} %")
    print(f"atoms per turn kept       {atoms / kept:.2f}")
    print(f"passed by grounding       {atoms}/{atoms + len(rejections)} = {100 * atoms / (atoms + len(rejections)):.2f} %")
    print(f"sentences per second      {said / best:,.0f} (segment, extract and ground, one thread, best of 3)")


def _seconds(captures: list[Capture]) -> float:
    begun = time.process_time()
    for capture in captures:
        run(capture)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
