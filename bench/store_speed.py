"""What a store costs at its size: `python -m bench.store_speed FOLDER SPAWNED_AT`, in a process of its own, so that its memory
and its start are those of the product alone. Prints one line of JSON. `bench.speed` calls it; SPAWNED_AT is in
seconds since 1970.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from lattice_common import logs
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, open_embedded
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings

from bench.synthetic import Life

QUESTIONS = 300
SINGLES = 25
REPEATED = 40
PROFILE_LINES, PROFILE_TOKENS = 20, 1_500
"""What an assistant reads as `profile://me`."""
IMPORTED = 12
"""Conversations that are taken in while questions go on: about 900 facts, some seconds."""
PATIENCE = 600.0
QUIET_SECONDS, NEXT_TO_NOTHING = 3, 0.1
"""Seconds in a row, and of the processor in each of them."""


def p95(taken: Sequence[float]) -> float:
    """The smallest value that 95 % do not exceed."""
    return sorted(taken)[max(0, -(-len(taken) * 95 // 100) - 1)]


def milliseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - start)


def wait_until_quiet() -> None:
    """Wait until this process has done next to nothing for some seconds: what the writer makes up for in idle time, after a store
    was filled or made by hand, is no part of what a question or a capture costs."""
    until, quiet = time.monotonic() + PATIENCE, 0
    while quiet < QUIET_SECONDS and time.monotonic() < until:
        before = time.process_time()
        time.sleep(1.0)
        quiet = quiet + 1 if time.process_time() - before < NEXT_TO_NOTHING else 0


def resident_mb() -> float:
    """The memory that this process holds, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def asked(select: Callable[[Query], object], questions: Sequence[str]) -> tuple[list[float], list[float]]:
    """Milliseconds of each question, and of the processor while it was asked."""
    return _each([partial(select, Query(question)) for question in questions])


def timed(call: Callable[[], object]) -> tuple[list[float], list[float]]:
    """The same of one call, again and again; the first one, which reads what the others find in memory, is not counted."""
    call()
    return _each([call] * REPEATED)


def _each(calls: Sequence[Callable[[], object]]) -> tuple[list[float], list[float]]:
    taken, busy = [], []
    for call in calls:
        before = time.process_time()
        taken.append(milliseconds(call))
        busy.append(1000 * (time.process_time() - before))
    return taken, busy


def single(product: Embedded, text: str) -> tuple[float, float, float]:
    """Milliseconds until it was accepted, until its receipt, and of the processor, for one capture by hand."""
    start, busy = time.perf_counter(), time.process_time()
    accepted = product.lattice.accept(IngestRequest(text=text))
    kept = time.perf_counter()
    receipt = product.lattice.wait_for(accepted.status.capture_id, PATIENCE).receipt
    if receipt is None:
        raise SystemExit(f"A capture was not finished in {PATIENCE:.0f} s.")
    return 1000 * (kept - start), 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - busy)


def asked_meanwhile(product: Embedded, life: Life, questions: Sequence[str]) -> list[float]:
    """Milliseconds of each question while conversations are taken in."""
    lattice = product.lattice
    ids = [lattice.accept(life.conversation(day)).status.capture_id for day in range(IMPORTED)]
    taken = []
    for question in questions:
        taken.append(milliseconds(partial(lattice.select, Query(question))))
        if lattice.capture(ids[-1]).receipt is not None:
            break
    for capture_id in ids:
        lattice.wait_for(capture_id, PATIENCE)
    return taken


def measured(folder: Path, spawned_at: float) -> dict[str, float]:
    life = Life(seed=int(spawned_at * 1000) % 1_000_003)
    questions = Life(seed=99).questions(2 * QUESTIONS)
    with open_embedded(Settings(data_dir=folder)) as product:
        opened = time.time()
        product.start()
        select = product.lattice.select
        select(Query("What did Anna Weber tell me about the garden?"))
        first, first_cpu = time.time(), time.process_time()
        single(product, life.sentence())  # its receipt says that the writer has looked through the store
        ready = time.time()
        wait_until_quiet()
        atoms = product.stores.catalogue.count()
        for question in questions[:10]:
            select(Query(question))
        taken, busy = asked(select, questions[10:QUESTIONS])
        singles = [single(product, life.sentence()) for _ in range(SINGLES)]
        status = milliseconds(product.lattice.status)
        profile, profile_cpu = timed(lambda: product.lattice.profile(PROFILE_LINES, tokens=PROFILE_TOKENS))
        today, today_cpu = timed(product.lattice.today)
        memory = resident_mb()
        meanwhile = asked_meanwhile(product, life, questions[QUESTIONS:])
        return {
            "atoms": atoms,
            "opened_s": opened - spawned_at,
            "first_answer_s": first - spawned_at,
            "writer_ready_s": ready - spawned_at,
            "select_p50": median(taken),
            "select_p95": p95(taken),
            "select_cpu_p50": median(busy),
            "select_cpu_p95": p95(busy),
            "first_answer_cpu_s": first_cpu,
            "meanwhile_p50": median(meanwhile),
            "meanwhile_p95": p95(meanwhile),
            "meanwhile_n": len(meanwhile),
            "accepted_p95": p95([each[0] for each in singles]),
            "single_p50": median(each[1] for each in singles),
            "single_p95": p95([each[1] for each in singles]),
            "single_cpu": median(each[2] for each in singles),
            "status_ms": status,
            "profile_p50": median(profile),
            "profile_p95": p95(profile),
            "profile_cpu": median(profile_cpu),
            "today_p50": median(today),
            "today_p95": p95(today),
            "today_cpu": median(today_cpu),
            "memory_mb": memory,
            "memory_after_mb": resident_mb(),
        }


def main() -> None:
    logs.configure("warning", json=None)
    sys.stdout.write(json.dumps(measured(Path(sys.argv[1]), float(sys.argv[2]))) + "\n")


if __name__ == "__main__":
    main()
