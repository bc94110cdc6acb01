"""What a day of many captures costs those who look: `python -m bench.busy_day [--sizes 200,2000,8000] [--keep FOLDER]`.

Sentences of `bench.synthetic`'s life are written as captures of the last minute, as `bench.large_store` writes them, and one in
`DELETED` is deleted. Then each route that the page, a dashboard or a monitor asks for is asked of a store at rest (`p50`,
`p95`, and `cpu`, the median of the processor's time, which says more where others use the machine), and again with a capture
before each (`after`, the same median). A route whose time follows the number of captures reads more than it shows. Words are
hashed for an embedder; there is no judge and no language model. `--keep` leaves the stores in a folder, and measures them again
on the same day.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common import logs
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.capture.accept import accept
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Model, open_embedded
from lattice_common.domain.capture import Capture, DeleteAtom
from lattice_common.settings import Settings
from rich.console import Console
from rich.table import Table
from starlette.testclient import TestClient

from bench.large_store import write
from bench.store_speed import PATIENCE, milliseconds, p95, wait_until_quiet
from bench.synthetic import Life

SIZES = (200, 2_000, 8_000)
REPEATED, AFTER_A_CAPTURE = 40, 7
SETTLES_SECONDS = 0.2
DELETED = 20
"""One capture in so many is deleted again."""
ROUTES = (
    "/api/captures?limit=20",
    "/api/captures?state=dead&limit=20",
    "/api/trash",
    "/metrics",
    "/api/ops",
    "/api/status",
    "/api/today",
    "/api/usage/stats",
    "/api/unread",
    "/api/undone?ids=01jd00000000000000000000zz",
    "/api/review",
    "/api/needs",
    "/api/imports",
    "/api/atoms?limit=50",
    "/api/atoms/recent?limit=12",
)


def captures(count: int) -> Iterator[tuple[Capture, int]]:
    """So many captures of one sentence, all within the minutes before now, each with its number."""
    life, clock = Life(seed=11), FixedClock(datetime.now(UTC) - timedelta(minutes=1))
    for number in range(count):
        yield accept(IngestRequest(text=life.sentence()), clock, max_bytes=1_000_000), number


def told(folder: Path, count: int, deleted: int, model: Model) -> None:
    """Make a store of so many captures: as files, from which the product makes all else; then so many memories are
    deleted, one at a time."""
    write(folder, captures(count))
    with open_embedded(settings_of(folder), model=model) as product:
        product.rebuild(lambda _step, _done, _of: None)
    with open_embedded(settings_of(folder), model=model) as product:
        product.start()
        for atom in list(islice(product.stores.catalogue.all(), deleted)):
            product.lattice.change(DeleteAtom(atom.atom_id), timeout=PATIENCE)


def settings_of(folder: Path) -> Settings:
    return Settings(_env_file=None, data_dir=folder, llm_provider="none")  # type: ignore[call-arg]


def asked(http: TestClient, path: str) -> None:
    answer = http.get(path)
    if not answer.is_success:
        raise SystemExit(f"{path}: {answer.status_code} {answer.text[:300]}")


def timed(http: TestClient, path: str) -> tuple[float, float]:
    """Return milliseconds that a route took, and of the processor meanwhile."""
    busy = time.process_time()
    taken = milliseconds(partial(asked, http, path))
    return taken, 1000 * (time.process_time() - busy)


def after_a_capture(http: TestClient, path: str, life: Life) -> float:
    """Return milliseconds of the processor for a route that is asked after a capture ended, and what comes behind it."""
    http.post("/api/ingest", json={"text": life.sentence(), "wait": True}).raise_for_status()
    time.sleep(SETTLES_SECONDS)
    return timed(http, path)[1]


def measured(folder: Path, size: int, routes: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Return for each route p50, p95, and what the processor took, at rest and after a capture: milliseconds, in a store of
    `size` captures."""
    settings, model = settings_of(folder), Model(HashedEmbedder())
    if not (folder / "journal").is_dir():
        told(folder, size, size // DELETED, model)
    with ExitStack() as stack:
        product = stack.enter_context(open_embedded(settings, model=model))
        access = Access(TokenFile(Path(stack.enter_context(tempfile.TemporaryDirectory()))), settings)
        token = access.make_first_token() or ""
        app = create_app(product.lattice, access, settings)
        product.start()
        wait_until_quiet()
        headers = {"authorization": f"Bearer {token}"}
        http = stack.enter_context(TestClient(app, base_url="http://localhost", headers=headers))
        found: dict[str, tuple[float, ...]] = {}
        life = Life(seed=5)
        for path in routes:
            asked(http, path)
            calm, busy = zip(*(timed(http, path) for _ in range(REPEATED)), strict=True)
            fresh = [after_a_capture(http, path, life) for _ in range(AFTER_A_CAPTURE)]
            found[path] = median(calm), p95(calm), median(busy), median(fresh)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="captures of the day, ascending")
    parser.add_argument("--keep", type=Path, help="keep the stores in this folder, and use those that are there")
    parser.add_argument("--routes", default="/", help="only those that begin so")
    arguments = parser.parse_args()
    logs.configure("error", json=None)
    sizes = [int(size) for size in arguments.sizes.split(",")]
    routes = [path for path in ROUTES if path.startswith(arguments.routes)]
    with tempfile.TemporaryDirectory() as temporary:
        found = {size: measured((arguments.keep or Path(temporary)) / str(size), size, routes) for size in sizes}
    table = Table("route", *(f"{size:,}: p50 / p95 / cpu / after" for size in sizes), title="a busy day, ms")
    for path in routes:
        table.add_row(path, *(" / ".join(f"{each:.1f}" for each in found[size][path]) for size in sizes))
    Console(width=130).print(table)


if __name__ == "__main__":
    main()
