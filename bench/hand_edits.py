"""What it costs to follow hands: `python -m bench.hand_edits [--atoms 100000] [--keep FOLDER]`.

In a store of so many atoms: the processor time of following one edited file, of a save as editors make it with all that the watch
does about it, of the watch while nobody does anything, and the time until an edit can be found. The store is made as
`bench.speed` makes it, and may be shared with it (`--keep` names the same folder).
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from lattice_common import logs
from lattice_common.adapters.embedded.atoms_listing import FILES_PER_LOOK, AtomsListing
from lattice_common.adapters.embedded.atoms_watch import POLL_SECONDS
from lattice_common.composition import Embedded, Model, load_model, open_embedded
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings
from rich.console import Console
from rich.table import Table

from bench.speed import HashedBeyond, filled
from bench.synthetic import Life

EDITS = 15
MONTHS = 36
EDIT_MS = 100.0
LIVE_S = 15.0
QUIET_SECONDS = 60.0
PATIENCE = 60.0


def busy_ms(call: Callable[[], object]) -> float:
    """Processor time of all threads while a call runs."""
    before = time.process_time()
    call()
    return 1000 * (time.process_time() - before)


class Owner:
    """Edits memories of a store, each with words of its own."""

    def __init__(self, product: Embedded, folder: Path) -> None:
        self._product = product
        self._folder = folder
        ids = sorted(product.stores.catalogue.marks())
        self._ids = iter(ids[:: max(1, len(ids) // 100)])
        self._said = 0

    def path(self) -> str:
        """Of the next memory."""
        atom_id = next(self._ids)
        return self._product.stores.catalogue.marks([atom_id])[atom_id][0].path

    def save(self, path: str, *, in_place: bool) -> str:
        """New words and a new subject; a word that only this memory has."""
        self._said += 1
        word = f"quokka{time.time_ns()}word{self._said}"
        file = self._folder / path
        head, _, _ = file.read_text(encoding="utf-8").rpartition("---\n")
        content = f"{head}---\n\nZebulon keeps the {word} behind the piano.\n"
        if in_place:
            file.write_text(content, encoding="utf-8")
        else:
            beside = file.with_name(f".{file.name}.swp")
            beside.write_text(content, encoding="utf-8")
            beside.replace(file)
        return word

    def wait_for(self, word: str) -> float:
        """Seconds until the word is found."""
        start = time.perf_counter()
        while not any(
            word in each.atom.content for each in self._product.lattice.select(Query(f"Where is {word}?", limit=3)).atoms
        ):
            if time.perf_counter() - start > PATIENCE:
                raise SystemExit(f"An edit was not followed in {PATIENCE:.0f} s.")
            time.sleep(0.2)  # each look is a question, and questions cost what is measured
        return time.perf_counter() - start

    def wait_quietly(self, path: str) -> None:
        """Until the file is followed; looks seldom, so as to cost nothing itself."""
        atom_id = path[-29:-3]
        file = self._folder / path
        deadline = time.perf_counter() + PATIENCE
        while self._product.stores.catalogue.marks([atom_id])[atom_id][0].mtime_ns != file.stat().st_mtime_ns:
            if time.perf_counter() > deadline:
                raise SystemExit(f"An edit was not followed in {PATIENCE:.0f} s.")
            time.sleep(0.25)  # seldom, for the same reason


def spread(folder: Path) -> None:
    """As a life fills it: over the months of three years. The synthetic one was told in an hour, and lies in one folder."""
    files = sorted((folder / "atoms").rglob("*.md"))
    for number, file in enumerate(files):
        month = number * MONTHS // len(files)
        place = folder / "atoms" / f"{2023 + month // 12}" / f"{month % 12 + 1:02}"
        if file.parent != place:
            place.mkdir(parents=True, exist_ok=True)
            file.rename(place / file.name)


def measure(folder: Path, atoms: int, report: Table, *, one_folder: bool) -> None:
    model = load_model(Settings())
    if model.embedder is None:
        raise SystemExit(f"There is no embedding model: {model.missing}")
    with open_embedded(Settings(data_dir=folder), model=Model(HashedBeyond(model.embedder))) as product:
        product.start()
        have = product.stores.catalogue.count()
        filled(product, Life(seed=have + 11).captures(first_day=have // 80), atoms, lambda _: None)
    if not one_folder:
        spread(folder)
    with open_embedded(Settings(data_dir=folder), model=model) as product:
        owner = Owner(product, folder)
        product.writer.start()
        while product.writer.state().starting:
            time.sleep(0.5)  # the start-up repair is not measured
        product.writer.queue.touched([owner.path()])
        product.writer.queue.caught_up(PATIENCE)
        costs = []
        for _ in range(EDITS):
            path = owner.path()
            owner.save(path, in_place=True)
            costs.append(
                busy_ms(lambda path=path: (product.writer.queue.touched([path]), product.writer.queue.caught_up(PATIENCE)))
            )
        row(report, "following one edited file", median(costs), EDIT_MS, f"ms of processor; the worst {max(costs):.0f}")
        listing = AtomsListing(folder, product.stores.catalogue)
        first = busy_ms(listing.look)
        time.sleep(2.5)  # folders that changed a moment ago are listed once more
        listing.look()
        quiet = [busy_ms(listing.look) for _ in range(5)]
        row(report, "the first look", first, None, "ms of processor, once after a start")
        how = f"ms of processor, every {POLL_SECONDS:.0f} s; {FILES_PER_LOOK:,} files compared in turn"
        row(report, "a look while nobody did anything", median(quiet), None, how)
        told_now = AtomsListing(folder, product.stores.catalogue, told_seconds=0.0)
        told_now.look()
        told_now.look()
        saved = Path(owner.path())
        owner.save(str(saved), in_place=False)
        spent = busy_ms(lambda: told_now.look({str(saved.parent): {saved.name}}))
        how = "ms of processor, in place of a quiet one; a minute later, for all saves until then"
        row(report, "a look at the folder of a save of which the system told", spent, None, how)
        time.sleep(2.5)  # what changed a moment ago is listed by the next look
        how = "ms of processor, in place of a quiet one"
        row(report, "a look at the folder of a save that nobody told of", busy_ms(listing.look), None, how)
    with open_embedded(Settings(data_dir=folder), model=model) as product:
        owner = Owner(product, folder)
        product.start()
        product.writer.queue.touched([owner.path()])
        product.writer.queue.caught_up(PATIENCE)  # after the start's repair
        time.sleep(2 * POLL_SECONDS)
        idle = busy_ms(lambda: time.sleep(QUIET_SECONDS))
        row(report, "everything, while nobody does anything", idle * 60 / QUIET_SECONDS, None, "ms of processor a minute")
        edits = 6
        before = time.process_time()
        start = time.perf_counter()
        for _ in range(edits):
            path = owner.path()
            owner.save(path, in_place=False)
            owner.wait_quietly(path)
        time.sleep(POLL_SECONDS + 3)
        spent = 1000 * (time.process_time() - before) - idle * (time.perf_counter() - start) / QUIET_SECONDS
        row(
            report,
            "one edit with all that it causes",
            spent / edits,
            EDIT_MS,
            "ms of processor more than while nobody does anything",
        )
        waits = [owner.wait_for(owner.save(owner.path(), in_place=number % 2 == 0)) for number in range(6)]
        row(
            report,
            "until an edit is found",
            max(waits),
            LIVE_S,
            f"seconds, the longest of {len(waits)}; median {median(waits):.1f}",
        )


def row(report: Table, what: str, value: float, target: float | None, how: str) -> None:
    verdict = "" if target is None else "[green]met" if value <= target else "[red]missed"
    report.add_row(what, f"{value:,.1f}", "" if target is None else f"≤ {target:g}", verdict, how)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--atoms", type=int, default=100_000, help="size of the store (default 100000)")
    parser.add_argument("--keep", type=Path, help="keep the store in this folder, and use the one that is there")
    parser.add_argument("--one-folder", action="store_true", help="all files in one folder, the worst that a store can be")
    arguments = parser.parse_args()
    logs.configure("error", json=None)
    report = Table("what", "measured", "target", "verdict", "how", title=f"hand edits among {arguments.atoms:,} atoms")
    with contextlib.ExitStack() as stack:
        folder = arguments.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        measure(folder / str(arguments.atoms), arguments.atoms, report, one_folder=arguments.one_folder)
    console = Console()
    Console(width=max(console.width, 120)).print(report)


if __name__ == "__main__":
    main()
