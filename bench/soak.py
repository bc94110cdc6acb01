"""Many clients for a long time: `python -m bench.soak [--minutes 30] [--clients 50]` (`make soak`).

The product's own server runs in a process of its own over a store of some thousand memories. Each client goes on telling,
asking, searching, looking and deleting what it told, with pauses between, so that the store stays about as large as it is: what
grows then is a leak. Every few seconds the server's memory, threads, descriptors and disk are looked at. Of what comes after the
warm-up (`--warm-up` minutes, otherwise a third of the time: until what is bounded has filled up) the table says how much memory
grows in an hour (the median of the slopes between all pairs of minutes, after Theil and Sen, which a single peak does not turn,
and between what it lies with 95 %), the 95th percentile of the first and of the last half of the requests, what failed and what
is stuck when the clients have stopped. A deletion that is answered 503 was not done in the ten seconds that the server waits for
its writer, and is kept to be done: on a machine with more to do than it can these are counted apart, and all are to have been
done in the end. Ends with 1 where a bound is not kept, and with 2 where only the slope of memory is open: its bound lies within
the interval, so that nothing is shown either way. Let it run longer then, on a machine that does nothing else. With `--rate` it
goes on beside other work, at so many requests a second; `--looks FILE` keeps what was looked at.

Caches of what was read out of sentences hold some thousands of them, and take two hours to fill where each is another one and
five requests come in a second. `--again 12` gives each client twelve sentences, which it tells and deletes again and again: the
caches have them all after a few minutes, and what grows then is kept of what was told and deleted, however long that goes on.

    python -m bench.soak --url http://127.0.0.1:7337 --token … --kill redis,opensearch,qdrant,graph,worker

is about a deployment of Docker Compose: every so often one of these services is killed and started again. What was told must
not be lost and nothing may be stuck; a question may lack a leg meanwhile. Its memory is not looked at.

    python -m bench.soak --deployed

makes such a deployment itself, of processes, with the engines in containers, and kills each of its parts but the API. A table
says how much memory each had, how often it was started, and of those that were never killed how much it grows. Afterwards the
memories that receipts name are counted: each is of one capture.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, median_low

import httpx
from lattice_common import logs
from lattice_common.client_replies import FINAL_STATES
from lattice_common.composition import open_embedded
from lattice_common.settings import Settings
from rich.console import Console
from rich.table import Table

from bench.product import served
from bench.speed import filled
from bench.store_speed import p95
from bench.synthetic import Life

TOKEN = "bench-soak-0123456789abcdefghijklmnopqrstuv"  # noqa: S105 - of a server that lives as long as the measurement
LOOK_SECONDS = 5.0
WARM_UP = 1 / 3
"""Of the whole time."""
SLOPE = 1.0
"""MB an hour that memory may grow."""
MINUTE = 60.0
STEADY = 1.5
"""How much the 95th percentile of the last half may be of the first's."""
STUCK_AFTER = 60.0
"""Seconds in which all that was told is to be stored once the clients have stopped."""
KEPT = 5
"""Captures of its own that a client has at a time."""
IS_KEPT = "is kept and will be made"
"""What the server says of a change that waits for its writer."""
RATE = 20.0
"""Requests that all clients begin in a second, where each is answered at once."""
PAUSE = (0.4, 1.6)
"""Of the mean pause between two requests of a client, drawn evenly."""
FEW = 2
"""Threads that may be more in the last half than in the first."""
NOT_DECIDED = 2
"""How it ends where the bound lies within what the slope may be."""


@dataclass(frozen=True, slots=True)
class Look:
    """A process at a moment: seconds since the start, bytes of memory that is its own, threads, descriptors, its id."""

    at: float
    memory: int
    threads: int
    descriptors: int
    process: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """What is soaked: its address and token, its folder where that is known, what can be killed of it, and its processes."""

    base: str
    token: str
    folder: Path | None = None
    kill: dict[str, Callable[[], None]] = field(default_factory=dict)
    processes: Callable[[], dict[str, int]] = dict


@dataclass
class Traffic:
    """What the clients had of it: when each request of a kind began, how long it took, and what failed."""

    taken: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    failed: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    put_off: list[str] = field(default_factory=list)
    """Memories whose deletion was answered with 503: kept, and not done yet."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, at: float, seconds: float, status: int) -> None:
        with self.lock:
            self.taken.setdefault(kind, []).append((at, seconds))
            if status >= 400:
                self.failed[f"{kind}: {status}"] += 1


class Client(threading.Thread):
    """One of many; `pause` is the mean of its pauses, in seconds. With `again` it has so many sentences and questions, which come
    again and again; with 0 each is another one. Stops within one pause of `ending`."""

    def __init__(
        self, number: int, place: Place, traffic: Traffic, began: float, ending: threading.Event, *, pause: float, again: int
    ) -> None:
        super().__init__(daemon=True)
        life, self._chance = Life(seed=5_000 + number), random.Random(number)
        self._sentence, self._question = life.sentence, life.question
        if again:
            self._sentence = itertools.cycle([life.sentence() for _ in range(again)]).__next__
            self._question = itertools.cycle([life.question() for _ in range(again)]).__next__
        self._http = httpx.Client(base_url=place.base, headers={"Authorization": f"Bearer {place.token}"}, timeout=120)
        self._traffic, self._began, self._ending = traffic, began, ending
        self._pause, self._kept = pause, list[str]()

    def run(self) -> None:
        kinds: list[tuple[str, Callable[[], httpx.Response]]] = [
            ("tell", self._tell), ("tell and wait", self._tell_and_wait), ("search", self._search), ("search", self._search),
            ("ask", self._ask), ("look", self._look),
        ]  # fmt: skip
        while not self._ending.wait(self._pause * self._chance.uniform(*PAUSE)):
            kind, work = ("delete", self._delete) if len(self._kept) > KEPT else self._chance.choice(kinds)
            at = time.monotonic()
            try:
                status = work().status_code
            except httpx.HTTPError as error:
                status = 599
                with self._traffic.lock:
                    self._traffic.failed[f"{kind}: {type(error).__name__}"] += 1
            self._traffic.note(kind, at - self._began, time.monotonic() - at, 0 if status == 599 else status)

    def _tell(self) -> httpx.Response:
        return self._told(self._http.post("/api/ingest", json={"text": self._sentence()}))

    def _tell_and_wait(self) -> httpx.Response:
        return self._told(self._http.post("/api/ingest", json={"text": self._sentence(), "wait": True}))

    def _told(self, answer: httpx.Response) -> httpx.Response:
        if answer.is_success:
            self._kept.append(answer.json()["capture_id"])
            with self._traffic.lock:
                self._traffic.told.append(self._kept[-1])
        return answer

    def _delete(self) -> httpx.Response:
        """All memories of the oldest of what it told and kept."""
        answer = self._http.get(f"/api/captures/{self._kept.pop(0)}")
        for atom_id in answer.json().get("atom_ids", ()) if answer.is_success else ():
            gone = self._http.delete(f"/api/atoms/{atom_id}")
            if gone.status_code == httpx.codes.SERVICE_UNAVAILABLE and IS_KEPT in gone.json()["detail"]:
                with self._traffic.lock:
                    self._traffic.put_off.append(atom_id)
                continue
            # One that says the same as another's was deleted with that.
            answer = answer if gone.is_success or gone.status_code == httpx.codes.NOT_FOUND else gone
        return answer

    def _search(self) -> httpx.Response:
        return self._http.post("/api/select", json={"query": self._question(), "limit": 10})

    def _ask(self) -> httpx.Response:
        return self._http.post("/api/query", json={"question": self._question(), "intent": "ask"})

    def _look(self) -> httpx.Response:
        return self._http.get(
            self._chance.choice(("/api/status", "/api/atoms/recent?limit=12", "/api/today", "/api/atoms?limit=50"))
        )


def looked_at(process: int, began: float) -> Look:
    """Memory of its own. What is of files, as the pages that an engine has written and the system not yet, is no part of it."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    private = sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith(("Anonymous:", "Swap:")))
    threads = sum(1 for _ in Path(f"/proc/{process}/task").iterdir())
    descriptors = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
    return Look(time.monotonic() - began, private * 1024, threads, descriptors, process)


def slope(looks: list[Look]) -> tuple[float, float, float]:
    """Megabytes an hour: the lower end of an interval of 95 % (by the ranks of Kendall's tau, however the noise is spread), the
    median of the slopes between minutes, and the upper end. Of a minute the median counts: what comes and goes within one is no
    growth. What is free stays with the process for minutes, so that a minute is like the one before: the more it is, the fewer of
    them count (after Hamed and Rao), and the wider is the interval."""
    minutes = [list(group) for _, group in itertools.groupby(looks, lambda look: int(look.at // MINUTE))]
    points = [(median(each.at for each in group), median(each.memory for each in group)) for group in minutes]
    found = sorted((b[1] - a[1]) / (b[0] - a[0]) * 3600 / 1e6 for a, b in itertools.combinations(points, 2))
    count = len(points)
    fit = median(found) * 1e6 / 3600
    alike = _alike([memory - fit * at for at, memory in points])
    off = 1.96 * math.sqrt(count * (count - 1) * (2 * count + 5) / 18 * (1 + alike) / (1 - alike))
    low, high = math.floor((len(found) - off) / 2), math.ceil((len(found) + off) / 2)
    return found[max(0, low)], median(found), found[min(len(found) - 1, high)]


def usual(looks: list[Look]) -> Look:
    """What was usual in a stretch of time: threads that answer come with those who ask, and go after some seconds."""
    each = ((look.at, look.memory, look.threads, look.descriptors) for look in looks)
    at, memory, threads, descriptors = map(median_low, zip(*each, strict=True))
    return Look(at, int(memory), int(threads), int(descriptors), looks[-1].process)


def _alike(values: list[float]) -> float:
    """How much each of `values` is like the one before it: 0 where not at all, below 1 where all lie on one slow wave."""
    mean = sum(values) / len(values)
    apart = [each - mean for each in values]
    whole = sum(each * each for each in apart)
    if not whole:
        return 0.0
    return min(0.95, max(0.0, sum(one * other for one, other in itertools.pairwise(apart)) / whole))


def disk_of(folder: Path) -> Counter[str]:
    """Bytes by folder of the store."""
    found: Counter[str] = Counter()
    for path in folder.rglob("*"):
        try:
            if path.is_file():
                found[path.relative_to(folder).parts[0]] += path.stat().st_size
        except FileNotFoundError:  # it went meanwhile
            continue
    return found


def server_process() -> int:
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    return int(children[0])


def stuck(base: str, token: str, told: list[str], patience: float) -> list[str]:
    """What is neither stored nor known to say nothing, when there was time enough."""
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=120) as http:
        deadline, left = time.monotonic() + patience, list(told)
        while left and time.monotonic() < deadline:
            left = [each for each in left if not _has_ended(http, each)]
            time.sleep(0.5 if left else 0)
    return left


def undone(base: str, token: str, put_off: list[str], patience: float) -> list[str]:
    """Memories that were to be deleted, and are there when there was time enough."""
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=120) as http:
        deadline, left = time.monotonic() + patience, list(put_off)
        while left and time.monotonic() < deadline:
            left = [each for each in left if http.get(f"/api/atoms/{each}").status_code != httpx.codes.NOT_FOUND]
            time.sleep(0.5 if left else 0)
    return left


def _has_ended(http: httpx.Client, capture_id: str) -> bool:
    answer = http.get(f"/api/captures/{capture_id}")
    return answer.is_success and answer.json()["state"] in FINAL_STATES


def killing(kill: dict[str, Callable[[], None]], every: float, ending: threading.Event, killed: Counter[str]) -> None:
    """Kill one after the other, drawn by chance, and start it again; until `ending`."""
    chance = random.Random(1)
    while not ending.wait(every):
        service = chance.choice(sorted(kill))
        kill[service]()
        killed[service] += 1


def of_compose(service: str) -> None:
    for command in (["kill", service], ["up", "-d", "--no-build", service]):
        done = subprocess.run(["docker", "compose", *command], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"docker compose {' '.join(command)}: {done.stderr.strip()}")


def lost_or_doubled(base: str, token: str, told: list[str]) -> list[str]:
    """Captures whose receipt names a memory that is neither there nor deleted, or that another one names too."""
    found, named = [], Counter[str]()
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=120) as http:
        for each in told:
            answer = http.get(f"/api/captures/{each}")
            if not answer.is_success:
                found.append(each)
                continue
            if answer.json()["state"] == "stored":  # a duplicate names the memory that was there
                named.update(answer.json().get("atom_ids", ()))
    return [*found, *(atom_id for atom_id, count in named.items() if count > 1)]


def shown(traffic: Traffic, after: float, until: float) -> tuple[Table, bool]:
    """The requests after the warm-up, by kind, and whether all are as steady as they are to be."""
    table = Table("", "requests", "p50, s", "p95, first half", "p95, last half", "longest, s", title="after the warm-up")
    steady, middle = True, (after + until) / 2
    together = {"all": [each for every in traffic.taken.values() for each in every]}
    for kind, every in [*sorted(traffic.taken.items()), *together.items()]:
        halves = [[taken for at, taken in every if start <= at < end] for start, end in ((after, middle), (middle, until))]
        whole = [*halves[0], *halves[1]]
        if not all(halves):
            continue
        first, last = (p95(half) for half in halves)
        steady = steady and last <= max(STEADY * first, first + 0.1)
        figures = (median(whole), first, last, max(whole))
        table.add_row(kind, str(len(whole)), *(f"{each:.3f}" for each in figures))
    return table, steady


@contextmanager
def place_of(given: argparse.Namespace) -> Iterator[Place]:
    if given.url:
        yield Place(given.url, given.token, kill={each: partial(of_compose, each) for each in given.kill.split(",") if each})
        return
    if given.deployed:
        from bench.killable import killable  # what only this needs: Docker, and the clients of the engines

        with (
            tempfile.TemporaryDirectory(dir=given.folder, ignore_cleanup_errors=True) as folder,
            killable(Path(folder) / "data", {"LLM_PROVIDER": "none"}) as made,
        ):
            yield Place(made.url, made.token, kill=made.kill, processes=made.processes)
        return
    with tempfile.TemporaryDirectory(dir=given.folder, ignore_cleanup_errors=True) as folder:
        store = Path(folder) / "data"
        with open_embedded(Settings(data_dir=store, llm_provider="none")) as product:
            product.start()
            filled(product, Life(seed=11).captures(first_day=0), given.atoms, lambda _: None)
        with served(store, TOKEN) as base:
            yield Place(base, TOKEN, store, processes=lambda: {"server": server_process()})


def soaked(given: argparse.Namespace, place: Place) -> tuple[Traffic, dict[str, list[Look]], Counter[str]]:
    """Run the clients for the time, and look at each process."""
    began, ending = time.monotonic(), threading.Event()
    traffic, looks, killed = Traffic(), dict[str, list[Look]](), Counter[str]()
    pause = given.clients / given.rate
    clients = [Client(number, place, traffic, began, ending, pause=pause, again=given.again) for number in range(given.clients)]
    with ThreadPoolExecutor(1) as pool:
        killer = pool.submit(killing, place.kill, given.every, ending, killed) if place.kill else None
        for each in clients:
            each.start()
        while time.monotonic() - began < given.minutes * 60:
            time.sleep(LOOK_SECONDS)
            # One that is killed in this moment has neither memory nor children.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                for name, process in place.processes().items():
                    looks.setdefault(name, []).append(look := looked_at(process, began))
                    if given.looks:
                        with given.looks.open("a", encoding="ascii") as kept:
                            kept.write(json.dumps({"of": name, **asdict(look)}) + "\n")
        ending.set()
        for each in clients:
            each.join()
        if killer is not None:
            killer.result()
    return traffic, looks, killed


def of_each(looks: dict[str, list[Look]], warm_up: float) -> Table:
    """The memory of each process after the warm-up."""
    table = Table(
        "", "starts", "memory, MB", "most", "grows, MB an hour", "threads", "descriptors", title="processes after the warm-up"
    )
    for name, every in looks.items():
        warm, starts = [each for each in every if each.at >= warm_up], len({each.process for each in every})
        if len(warm) < 2:
            continue
        first, last = usual(warm[: len(warm) // 2]), usual(warm[len(warm) // 2 :])
        grows = "{1:+.1f} ({0:+.1f} to {2:+.1f})".format(*slope(warm)) if starts == 1 else "killed"
        table.add_row(
            name, str(starts), f"{warm[0].memory / 1e6:.0f} to {warm[-1].memory / 1e6:.0f}",
            f"{max(each.memory for each in warm) / 1e6:.0f}", grows, f"{first.threads} to {last.threads}",
            f"{first.descriptors} to {last.descriptors}",
        )  # fmt: skip
    return table


def bounded(looks: list[Look], warm_up: float, clients: int, console: Console) -> tuple[bool, bool]:
    """Say how memory, threads and descriptors of a process went; whether their bounds are kept, and whether that is decided."""
    warm = [each for each in looks if each.at >= warm_up]
    low, grows, high = slope(warm)
    decided = not low <= SLOPE < high
    first, last = usual(warm[: len(warm) // 2]), usual(warm[len(warm) // 2 :])
    console.print(
        f"memory {warm[0].memory / 1e6:.0f} to {warm[-1].memory / 1e6:.0f} MB, {grows:+.2f} MB an hour "
        f"({low:+.2f} to {high:+.2f}; bound {SLOPE:g}{'' if decided else ', not decided'}); "
        f"threads {first.threads} to {last.threads}, descriptors {first.descriptors} to {last.descriptors}"
    )
    few = last.threads <= first.threads + FEW and last.descriptors <= first.descriptors + clients
    return low <= SLOPE and few, decided


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--rate", type=float, default=RATE, help="requests a second that all clients begin together")
    parser.add_argument("--warm-up", type=float, help="minutes after which memory and times count (default: a third)")
    parser.add_argument(
        "--again", type=int, default=0, help="sentences and questions of each client, which come again (default: always new ones)"
    )
    parser.add_argument("--looks", type=Path, help="a file to which each look at memory is added, as a line of JSON")
    parser.add_argument("--atoms", type=int, default=2_000, help="memories that are there before")
    parser.add_argument("--folder", type=Path, help="where the store is made (default: a temporary folder)")
    parser.add_argument("--url", help="a running deployment instead")
    parser.add_argument(
        "--deployed", action="store_true", help="a deployment of processes, whose parts are killed (needs Docker)"
    )
    parser.add_argument("--patience", type=float, default=STUCK_AFTER, help="seconds for what is open at the end")
    parser.add_argument("--token", default="")
    parser.add_argument("--kill", default="", help="its services that are killed at random, with commas between")
    parser.add_argument("--every", type=float, default=60, help="seconds between two of these")
    given = parser.parse_args(arguments)
    logs.configure("warning", json=None)
    console = Console(width=130)
    with place_of(given) as place:
        before = disk_of(place.folder) if place.folder else Counter()
        traffic, looks, killed = soaked(given, place)
        left = stuck(place.base, place.token, traffic.told, given.patience)
        not_done = undone(place.base, place.token, traffic.put_off, given.patience)
        lost = lost_or_doubled(place.base, place.token, traffic.told)
        after = disk_of(place.folder) if place.folder else Counter()
    until = given.minutes * 60
    warm_up = until * WARM_UP if given.warm_up is None else given.warm_up * 60
    table, steady = shown(traffic, warm_up, until)
    console.print(table)
    console.print(
        f"told {len(traffic.told)}, stuck {len(left)}, lost or doubled {len(lost)}, failed {dict(traffic.failed)}, "
        f"deletions done later {len(traffic.put_off)}, of these not done {len(not_done)}, killed {dict(killed)}, steady: {steady}"
    )
    kept, decided = not left and not lost and not not_done and (bool(killed) or (steady and not traffic.failed)), True
    if place.kill and looks:
        console.print(of_each(looks, warm_up))
    if unkilled := looks.get("server") or looks.get("API"):
        within, decided = bounded(unkilled, warm_up, given.clients, console)
        kept = kept and within
    if place.folder:
        per = {name: (after[name] - before[name]) / max(1, len(traffic.told)) for name in after}
        console.print("disk, bytes for each capture: " + ", ".join(f"{name} {grew:.0f}" for name, grew in sorted(per.items())))
    sys.exit((0 if decided else NOT_DECIDED) if kept else 1)


if __name__ == "__main__":
    main()
