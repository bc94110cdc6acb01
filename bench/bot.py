"""Does the bot hold 20 messages a second without loss? A real bot, a real embedded product, a Bot API on this machine.

    python -m bench.bot [--seconds 30] [--rate 20]

Prints one JSON line: messages said, remembered and doubled, how long it took from the last message until the last was taken and
remembered, and the processor time that all three took for one message. The figure to beat: 20 a second, 0 lost, 0 doubled, and
the last message taken within two seconds of being said.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sqlite3
import tempfile
import time
from collections import Counter
from io import StringIO
from pathlib import Path

from lattice_bot.state import FILE_NAME
from lattice_bot.telegram_chats import Pace
from lattice_common.logs import configure

from tests.services.bot_life import life

REAL_PACE = Pace()
"""As with Telegram itself: a message a second in a chat."""


def statement(number: int) -> str:
    """Unlike every other one, so that each is a memory of its own."""
    return f"Shelf {number} holds {number * 7 + 3} jars of honey."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=20.0)
    chosen = parser.parse_args()
    configure("error", json=True, stream=StringIO())
    said = int(chosen.seconds * chosen.rate)
    with tempfile.TemporaryDirectory() as folder, life(Path(folder) / "data", pace=REAL_PACE) as living:
        spent, begin = time.process_time(), time.monotonic()
        for number in range(said):
            time.sleep(max(0.0, begin + number / chosen.rate - time.monotonic()))  # so many a second, and no more
            living.telegram.say(statement(number))
        last = time.monotonic()
        taken = remembered = None
        while remembered is None and time.monotonic() - last < 120:
            now = time.monotonic() - last
            if taken is None and living.telegram.confirmed and _all_journaled(living.root, said):
                taken = now
            if living.there.embedded.lattice.status().atoms >= said:
                remembered = now
            time.sleep(0.02)  # looking costs processor time, which is measured
        found = Counter(atom.content for atom in living.there.embedded.lattice.recent(said + 100))
        print(
            json.dumps(
                {
                    "messages": said,
                    "rate": chosen.rate,
                    "lost": sum(statement(number) not in found for number in range(said)),
                    "doubled": sum(count - 1 for count in found.values()),
                    "taken_after_s": taken and round(taken, 2),
                    "remembered_after_s": remembered and round(remembered, 2),
                    "cpu_ms_per_message": round((time.process_time() - spent) / said * 1000, 1),
                    "replies": len(living.telegram.sent),
                }
            )
        )


def _all_journaled(root: Path, said: int) -> bool:
    """Whether the bot knows the capture of each message; read beside it, without holding it up."""
    with contextlib.closing(sqlite3.connect(f"file:{root / 'bot' / FILE_NAME}?mode=ro", uri=True)) as base:
        return int(base.execute("SELECT count(*) FROM said WHERE capture_id IS NOT NULL").fetchone()[0]) >= said


if __name__ == "__main__":
    main()
