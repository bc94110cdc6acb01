"""How a graph of many atoms is best held in memory: ours beside networkx and rustworkx, on the same sidecars.

    python -m bench.graph [--atoms 100000] [--only ours,service,networkx,rustworkx] [--forms]

Each contender loads and walks in a process of its own, so that its memory is its own. rustworkx is measured when it is installed.
The walk is that of the product (`domain.graph.breadth_first`) for ours; for the others the same number of hops over plain
neighbours with the same hub rules, which is no more work. `service` is ours behind the graph service, asked over HTTP; its
load is from the start of its process, imports included, until it answers. `--forms` writes the same graph once more with hundreds
of nodes or edges in each line, as earlier versions did and readers still take, and loads both (decision 42).
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import itertools
import json
import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import zlib
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.embedded.graph_snapshot import SNAPSHOT
from lattice_common.adapters.files import graph_lines
from lattice_common.adapters.files.graph_lines import EDGES, NODES, Extent, Manifest, as_group, header, unseal, write_manifest
from lattice_common.adapters.files.graph_log import FileGraphLog
from lattice_common.adapters.server.breaker import Breaker
from lattice_common.adapters.server.http_graph import HttpGraph
from lattice_common.domain.atom import Atom, Span, atom_id_for
from lattice_common.domain.graph import HUB_LIMIT, HUB_NEWEST
from lattice_common.ingest.graph_change import graph_change, together

BATCH = 50
SEEDS, LIMIT, ROUNDS = 20, 60, 200
ROUNDS_OF = {"ours": ("from sidecars", "from snapshot"), "service": ("from snapshot", "from sidecars")}


def atoms(count: int) -> Iterator[Atom]:
    """A long life: subjects and entities as unequal as people's (a few make up most), segments of eight atoms."""
    chance = random.Random(7)
    start = datetime(2020, 1, 1, tzinfo=UTC)
    for number in range(count):
        at = start + timedelta(minutes=20 * number)
        capture = f"{int(at.timestamp() * 1000):012x}".rjust(26, "0")
        subject = f"subject {int(5000 * chance.random() ** 3)}"
        yield Atom(
            atom_id=atom_id_for(capture, number),
            content="x",
            kind=chance.choice(("fact", "event", "preference")),
            subject=subject,
            capture_id=capture,
            source_quote="x",
            source_span=Span(0, 1),
            observed_at=at,
            ingested_at=at,
            entities=(f"entity {int(20000 * chance.random() ** 3)}", f"entity {int(20000 * chance.random() ** 3)}"),
            source_id=f"chat {number // 400}",
            segment_id=str(number // 8),
            episode_id=f"{at:%Y-%m-%d}:chat {number // 400}",
        )


def write(root: Path, count: int) -> list[float]:
    """The sidecars; seconds per append of one batch."""
    log = FileGraphLog(root)
    newest: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=16))
    previous: Atom | None = None
    seconds = []
    for batch in batched(atoms(count), BATCH):
        changes = []
        for atom in batch:
            before = previous.atom_id if previous and previous.segment_id == atom.segment_id else None
            changes.append(graph_change(atom, list(newest[atom.subject]), before))
            newest[atom.subject].appendleft(atom.atom_id)
            previous = atom
        change = together(changes)
        started = time.perf_counter()
        log.append(change)
        seconds.append(time.perf_counter() - started)
    log.close()
    return seconds


def batched(items: Iterator[Atom], size: int) -> Iterator[list[Atom]]:
    while batch := list(itertools.islice(items, size)):
        yield batch


def every_edge(root: Path) -> Iterator[tuple[str, str, str]]:
    with (root / "graph" / "edges.jsonl").open("rb") as file:
        for line in file:
            record = as_group(unseal(line.rstrip(b"\n")) or {})
            for name in ("add", "both"):
                for kind, source, targets in record.get(name, ()):
                    for target in targets:
                        yield source, target, kind
                        if name == "both":
                            yield target, source, kind


def several_in_a_line(singly: Path, root: Path) -> None:
    """Write the graph of `singly` again below `root` as earlier versions did: hundreds of nodes or edges in a line."""
    (root / "graph").mkdir()
    extents = []
    for name in (NODES, EDGES):
        sealed = [header("several-in-a-line", 1)]
        with (singly / "graph" / name).open("rb") as file:
            records = (as_group(unseal(line.rstrip(b"\n")) or {}) for line in file)
            sealed.extend(graph_lines.seal(_together(some, name)) for some in _batched(records, 500))
        (root / "graph" / name).write_bytes(b"".join(sealed))
        extents.append(Extent(sum(map(len, sealed)), len(sealed), sum(map(zlib.crc32, sealed)) % (1 << 64)))
    manifest = Manifest(graph_lines.SCHEMA_VERSION, 1, "several-in-a-line", extents[0], extents[1], "", graph_lines.EDGE_SET)
    write_manifest(root / "graph", manifest)


def _batched(records: Iterator[dict[str, Any]], size: int) -> Iterator[tuple[dict[str, Any], ...]]:
    while some := tuple(itertools.islice(records, size)):
        yield some


def _together(records: Sequence[dict[str, Any]], name: str) -> dict[str, object]:
    if name == NODES:
        return {"add": [node for record in records for node in record.get("add", ())]}
    line: dict[str, object] = {}
    for direction in ("add", "both"):
        groups: dict[tuple[str, str], list[str]] = defaultdict(list)
        for record in records:
            for kind, source, targets in record.get(direction, ()):
                groups[kind, source] += targets
        line[direction] = [(kind, source, targets) for (kind, source), targets in groups.items()]
    return line


Walk = Callable[[list[str]], int]


def ours(root: Path) -> Walk:
    graph = EmbeddedGraph(root, keep_snapshot=True)
    return lambda seeds: len(graph.expand(seeds, LIMIT))


def networkx(root: Path) -> Walk:
    import networkx as nx

    graph = nx.MultiDiGraph()
    graph.add_edges_from(every_edge(root))

    def around(node: str) -> list[str]:
        return [*graph.successors(node), *graph.predecessors(node)]

    return lambda seeds: plain_walk([f"atom:{seed}" for seed in seeds], around, lambda node: node.startswith("atom:"))


def rustworkx(root: Path) -> Walk:
    import rustworkx as rx

    graph = rx.PyDiGraph()
    numbers: dict[str, int] = {}
    edges = []
    for source, target, kind in every_edge(root):
        for node in (source, target):
            if node not in numbers:
                numbers[node] = graph.add_node(node)
        edges.append((numbers[source], numbers[target], kind))
    graph.add_edges_from(edges)

    def around(node: int) -> list[int]:
        return [*graph.successor_indices(node), *graph.predecessor_indices(node)]

    def is_atom(node: int) -> bool:
        return graph[node].startswith("atom:")

    return lambda seeds: plain_walk([numbers[f"atom:{seed}"] for seed in seeds], around, is_atom)


def plain_walk(seeds: list, around: Callable, is_atom: Callable) -> int:
    seen, frontier, count = set(seeds), seeds, 0
    for _ in range(2):
        following = []
        for node in frontier:
            for other in around(node):
                if is_atom(other):
                    step = [other]
                else:
                    shared = around(other)
                    step = shared[-HUB_NEWEST:] if len(shared) <= HUB_LIMIT else []
                for each in step:
                    if each not in seen and is_atom(each):
                        seen.add(each)
                        following.append(each)
                        count += 1
                        if count == LIMIT:
                            return count
        frontier = following
    return count


CONTENDERS: dict[str, Callable[[Path], Walk]] = {"ours": ours, "networkx": networkx, "rustworkx": rustworkx}


def measure(name: str, root: Path, count: int) -> dict[str, float]:
    """In a process of its own: seconds to load, MB it added, ms for a walk."""
    ids = [atom.atom_id for atom in itertools.islice(atoms(count), 0, None, max(1, count // 4000))]
    before = resident_mb()
    busy = time.process_time()
    started = time.perf_counter()
    walk = CONTENDERS[name](root)
    load = time.perf_counter() - started
    busy = time.process_time() - busy
    added = resident_mb() - before
    chance = random.Random(1)
    milliseconds = []
    for _ in range(ROUNDS):
        seeds = chance.sample(ids, SEEDS)
        started = time.perf_counter()
        walk(seeds)
        milliseconds.append((time.perf_counter() - started) * 1000)
    milliseconds.sort()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    return {
        "load s": load,
        "of it CPU s": busy,
        "MB": added,
        "peak MB": peak,
        "walk p50 ms": statistics.median(milliseconds),
        "walk p95 ms": milliseconds[int(len(milliseconds) * 0.95)],
    }


def measure_service(root: Path, count: int) -> dict[str, float]:
    """The same of the service, over HTTP."""
    ids = [atom.atom_id for atom in itertools.islice(atoms(count), 0, None, max(1, count // 4000))]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "LATTICE_DIR": str(root), "LATTICE_GRAPH_PORT": str(port), "LATTICE_LOG_LEVEL": "error"}
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "lattice_graph"], env=environment)
    try:
        graph = HttpGraph(f"http://127.0.0.1:{port}", breaker=Breaker(lambda: 0.0))
        while not _answers(port):
            if process.poll() is not None:
                raise SystemExit("the graph service ended")
            time.sleep(0.01)  # the start is measured this coarsely
        load = time.perf_counter() - started
        busy = processor_s(process.pid)
        chance = random.Random(1)
        milliseconds = []
        for _ in range(ROUNDS):
            seeds = chance.sample(ids, SEEDS)
            began = time.perf_counter()
            graph.expand(seeds, LIMIT)
            milliseconds.append((time.perf_counter() - began) * 1000)
        graph.close()
        milliseconds.sort()
        return {
            "load s": load,
            "of it CPU s": busy,
            "MB": resident_mb(process.pid),
            "peak MB": peak_mb(process.pid),
            "walk p50 ms": statistics.median(milliseconds),
            "walk p95 ms": milliseconds[int(len(milliseconds) * 0.95)],
        }
    finally:
        process.terminate()
        process.wait(30)


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def resident_mb(process: int | str = "self") -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def peak_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def processor_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def in_a_process(name: str, root: Path, count: int) -> str:
    command = [sys.executable, "-m", "bench.graph", "--measure", name, "--root", str(root), "--atoms", str(count)]
    figures = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return ", ".join(f"{key} {value:.2f}" for key, value in figures.items())


def compare_forms(root: Path, count: int) -> None:
    """Print the size and the load of both forms of the same graph."""
    with tempfile.TemporaryDirectory() as folder:
        several_in_a_line(root, Path(folder))
        for form, place in (("one in a line", root), ("several in a line", Path(folder))):
            (place / "graph" / SNAPSHOT).unlink(missing_ok=True)
            megabytes = sum((place / "graph" / name).stat().st_size for name in (NODES, EDGES)) / 1e6
            print(f"{form}: {megabytes:.0f} MB on disk, {in_a_process('ours', place, count)}")
            print(f"  {EmbeddedGraph(place).stats()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--atoms", type=int, default=100_000)
    parser.add_argument("--only", default="ours,service,networkx,rustworkx")
    parser.add_argument("--forms", action="store_true", help="compare lines of one object with lines of several")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure == "service":
        print(json.dumps(measure_service(asked.root, asked.atoms)))
        return
    if asked.measure:
        print(json.dumps(measure(asked.measure, asked.root, asked.atoms)))
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        seconds = write(root, asked.atoms)
        sizes = {path.name: f"{path.stat().st_size / 1e6:.0f} MB" for path in sorted((root / "graph").iterdir())}
        first, last = seconds[: len(seconds) // 10 or 1], seconds[-(len(seconds) // 10 or 1) :]
        tenths = [f"{statistics.median(some) * 1000:.1f} ms" for some in (first, last)]
        print(f"append of {BATCH} atoms: first tenth {tenths[0]}, last tenth {tenths[1]}")
        print(f"sidecars: {sizes}")
        if asked.forms:
            compare_forms(root, asked.atoms)
            return
        for name in asked.only.split(","):
            if name == "rustworkx" and not importlib.util.find_spec(name):
                print("rustworkx: not installed")
                continue
            for round_name in ROUNDS_OF.get(name, ("",)):
                if round_name == "from sidecars":
                    (root / "graph" / SNAPSHOT).unlink(missing_ok=True)  # loading ours makes it again
                print(f"{name} {round_name}: {in_a_process(name, root, asked.atoms)}")
        print(f"stats: {EmbeddedGraph(root).stats()}; load of the machine {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
