"""Speed of the embedder alone: texts a second in bulk, and the time of one query.

    python -m bench.embedding [--model NAME] [--threads N]

Prints texts a second for two lengths, because the time goes with the tokens: short ones like an atom (about 13 tokens) and turns
of a conversation (about 35). Queries are all different, so none comes from the embedder's cache. The best of several rounds is
given for bulk (others only make it slower), p50 and p95 for queries.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.ports.embedder import Embedder
from platformdirs import user_cache_path

_WHO = ("Mara", "Tom", "my sister", "Dr. Okafor", "the neighbour", "our team")
_DOES = ("moved to", "plays the cello in", "works near", "wants to visit", "met an old friend in", "bought a bicycle in")
_WHERE = ("Lisbon", "the city orchestra", "the harbour", "a village by the lake", "Berlin", "the old town")
_WHEN = ("last May", "every Tuesday", "since 2019", "on the second of October", "this weekend")
_LONGER = (
    "and told me all about it over dinner",
    "which nobody had expected after what happened the year before",
    "so we will have to find another day for the trip to the mountains",
)


def short_text(rng: random.Random) -> str:
    return f"{rng.choice(_WHO)} {rng.choice(_DOES)} {rng.choice(_WHERE)} {rng.choice(_WHEN)} ({rng.randrange(1000)})."


def turn(rng: random.Random) -> str:
    return f"{rng.choice(_WHO)}: {short_text(rng)[:-1]}, {rng.choice(_LONGER)}. {short_text(rng)}"


def texts_per_second(embedder: Embedder, texts: list[str], rounds: int = 3) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        embedder.embed(texts)
        best = min(best, time.perf_counter() - start)
    return len(texts) / best


def query_milliseconds(embedder: Embedder, rng: random.Random, count: int = 300) -> tuple[float, float]:
    """p50 and p95 of `count` different questions, after a few to warm up."""
    spent = []
    for number in range(count + 20):
        question = f"When did {rng.choice(_WHO)} go to {rng.choice(_WHERE)} {number}?"
        start = time.perf_counter()
        embedder.embed_query(question)
        spent.append((time.perf_counter() - start) * 1000)
    spent = sorted(spent[20:])
    return spent[count // 2], spent[count * 95 // 100]


def _resident_megabytes() -> float | None:
    status = Path("/proc/self/status")
    if not status.exists():  # only Linux tells
        return None
    kilobytes = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS")).split()[1]
    return int(kilobytes) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--texts", type=int, default=2000)
    given = parser.parse_args()
    rng = random.Random(7)
    start = time.perf_counter()
    embedder = open_embedder(given.model, cache_dir=user_cache_path("lattice") / "models", threads=given.threads)
    if embedder is None:
        parser.error("`none` has nothing to measure")
    print(f"{embedder.model_id}, {given.threads} threads")
    print(f"{'load':<24}{time.perf_counter() - start:8.2f} s")
    for name, make in (("short texts", short_text), ("turns", turn)):
        texts = [make(rng) for _ in range(given.texts)]
        print(f"{name:<24}{texts_per_second(embedder, texts):8.0f} /s")
    p50, p95 = query_milliseconds(embedder, rng)
    print(f"{'query p50, p95':<24}{p50:8.2f} ms {p95:8.2f} ms")
    if (resident := _resident_megabytes()) is not None:
        print(f"{'resident memory':<24}{resident:8.0f} MB")


if __name__ == "__main__":
    main()
