"""What grows in a process that remembers no more than before: `python -m bench.growth [--rounds 900] [--every 150] [--trace]`.

Does what `bench.soak` does, but in one process and as quickly as it goes: in each round statements are told, looked for, asked
about, edited, taken back and deleted, through the product and its app, over a small store. Every so many rounds all caches of
functions are emptied, what is garbage is collected and what is free is given back; then it is printed what is left:

| column | what it is |
|---|---|
| anonymous | the process's own memory, in MB |
| malloc | of it, what the C library's allocator has given out: SQLite, the engines, the models, larger objects of Python |
| free | what that allocator holds, and nobody uses: it lies between pieces in use |
| blocks | small objects of Python, in thousands |
| caches | MB that the caches of functions held before they were emptied |

After the table come the kinds of objects of which there are steadily more, and with `--trace` the lines that made them. A store
that is told and deleted again has a trash that grows: what is remembered of each deletion until it is forgotten is counted, too.
By default words are hashed for an embedder and there is no judge, so that it goes quickly; `--models` takes those of the
settings. Linux with glibc.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import gc
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common import logs
from lattice_common.adapters.embedded.spare_memory import give_back, limit_malloc
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition import Model, open_embedded
from lattice_common.settings import Settings
from rich.console import Console
from rich.table import Table
from starlette.testclient import TestClient

from bench.speed import filled
from bench.synthetic import Life

DEEP = 12
"""Calls that `--trace` names above a piece of memory."""
SHOWN = 25
"""Kinds of objects, and lines, that are shown."""


class _Mallinfo(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    )


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes at a moment, after what is cached and free was given back."""

    anonymous: int
    malloc: int
    free: int
    blocks: int
    cached: int
    kinds: Counter[str]


def anonymous() -> int:
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Anonymous:", "Swap:"))) * 1024


def empty_caches() -> None:
    # What was there for long is set aside from the collector, and not listed.
    gc.unfreeze()
    for each in gc.get_objects():
        if isinstance(each, functools._lru_cache_wrapper):
            each.cache_clear()


def malloc_info() -> _Mallinfo:
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = _Mallinfo
    found: _Mallinfo = library.mallinfo2()
    return found


def given_out() -> int:
    """Bytes of this process that the C library's allocator has given out."""
    info = malloc_info()
    return int(info.uordblks + info.hblkhd)


def held() -> Held:
    gc.collect()
    give_back()
    before = anonymous()
    empty_caches()
    gc.collect()
    give_back()
    after, info = anonymous(), malloc_info()
    kinds = Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())
    return Held(after, given_out(), info.fordblks, sys.getallocatedblocks(), before - after, kinds)


class Owner:
    """Tells, asks and deletes through the app, so that the store stays as large as it is."""

    def __init__(self, http: TestClient, seed: int, without: frozenset[str]) -> None:
        self._http, self._life, self._without = http, Life(seed=seed), without

    def round(self) -> None:
        told = [self._post("/api/ingest", {"text": self._life.sentence(), "wait": True}) for _ in range(3)]
        if "search" not in self._without:
            self._post("/api/select", {"query": self._life.question(), "limit": 10})
            self._post("/api/select", {"query": self._life.question(), "limit": 10})
        if "ask" not in self._without:
            self._http.post("/api/query", json={"question": self._life.question(), "intent": "ask"})
        if "look" not in self._without:
            for path in ("/api/status", "/api/atoms/recent?limit=12", "/api/today", "/api/atoms?limit=50"):
                self._http.get(path)
        atom_ids = [atom_id for each in told for atom_id in each.get("atom_ids", ())]
        for atom_id in atom_ids if "one" not in self._without else ():
            self._http.get(f"/api/atoms/{atom_id}")
        if atom_ids and "edit" not in self._without:
            self._edited_and_taken_back(atom_ids[0])
        for atom_id in atom_ids:
            self._http.delete(f"/api/atoms/{atom_id}")

    def _edited_and_taken_back(self, atom_id: str) -> None:
        found = self._http.get(f"/api/atoms/{atom_id}")
        edited = self._http.patch(
            f"/api/atoms/{atom_id}", json={"content": self._life.sentence()}, headers={"if-match": found.headers["etag"]}
        )
        if edited.is_success:
            self._http.post(f"/api/changes/{edited.json()['change_id']}/undo")

    def _post(self, path: str, body: dict[str, object]) -> dict[str, object]:
        answer = self._http.post(path, json=body)
        if answer.status_code >= 400:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text}")
        return dict(answer.json())


def steadily_more(points: list[Held]) -> list[tuple[str, list[int]]]:
    """Kinds of which there were more at each point than at the one before, most grown first."""
    names = {name for point in points for name in point.kinds}
    series = [(name, [point.kinds[name] for point in points]) for name in names]
    more = [(name, counts) for name, counts in series if counts[-1] > counts[0] and counts == sorted(counts)]
    return sorted(more, key=lambda each: each[1][0] - each[1][-1])


def app_of(folder: Path, settings: Settings, model: Model | None, stack: ExitStack, atoms: int) -> tuple[FastAPI, str]:
    product = stack.enter_context(open_embedded(settings, model=model))
    access = Access(TokenFile(folder), settings)
    token = access.make_first_token() or ""
    app = create_app(product.lattice, access, settings)
    product.start()
    filled(product, Life(seed=11).captures(first_day=0), atoms, lambda _: None)
    return app, token


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=900)
    parser.add_argument("--every", type=int, default=150, help="rounds between two looks; the first of them warm up")
    parser.add_argument("--atoms", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=270, help="after which it ends with the look that is due")
    parser.add_argument("--models", action="store_true", help="the models of the settings, which take most of the time")
    parser.add_argument("--trace", action="store_true", help="name the lines that made what is left (twice as slow)")
    parser.add_argument("--without", default="", help="of search, ask, look, one, edit: what is left out, with commas between")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args(arguments)
    logs.configure("warning", json=None)
    limit_malloc()
    began, points, first = time.monotonic(), list[Held](), None
    table = Table("rounds", "s", "anonymous", "malloc", "free", "blocks, k", "caches")
    with tempfile.TemporaryDirectory(dir=given.folder) as folder, ExitStack() as stack:
        settings = Settings(_env_file=None, data_dir=Path(folder), llm_provider="none")  # type: ignore[call-arg]
        app, token = app_of(Path(folder), settings, None if given.models else Model(HashedEmbedder()), stack, given.atoms)
        headers = {"authorization": f"Bearer {token}"}
        http = stack.enter_context(TestClient(app, base_url="http://localhost", headers=headers))
        owner = Owner(http, 77, frozenset(given.without.split(",")))
        for number in range(1, given.rounds + 1):
            owner.round()
            if number % given.every:
                continue
            points.append(now := held())
            table.add_row(
                str(number), f"{time.monotonic() - began:.0f}", f"{now.anonymous / 1e6:.2f}", f"{now.malloc / 1e6:.2f}",
                f"{now.free / 1e6:.2f}", f"{now.blocks / 1e3:.1f}", f"{now.cached / 1e6:.1f}",
            )  # fmt: skip
            if given.trace and len(points) == 1:
                tracemalloc.start(DEEP)
            elif given.trace and len(points) == 2:
                first = tracemalloc.take_snapshot()
            if time.monotonic() - began > given.seconds:
                break
        last = tracemalloc.take_snapshot() if given.trace else None
    console = Console(width=130)
    console.print(table)
    for name, counts in steadily_more(points[1:])[:SHOWN]:
        console.print(f"{name}: {' '.join(map(str, counts))}")
    if given.trace and len(points) < 3:
        console.print(
            "--trace compares the second look with the last: there were too few. Give more --seconds, or --every fewer rounds."
        )
    elif first is not None and last is not None:
        for each in last.compare_to(first, "traceback")[:SHOWN]:
            console.print(
                f"{each.size_diff / 1e3:+.1f} kB, {each.count_diff:+} pieces", *each.traceback.format(), sep="\n  ", markup=False
            )


if __name__ == "__main__":
    main()
