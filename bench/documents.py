"""How fast documents are taken in, in one table: `python -m bench.documents [--quick] [--only pdf,sheet,notes]`.

Beside the seconds of the clock stand those of the processors, of the reader's processes too: they say what it costs where the
clock says only how busy the machine was. Reading alone is the product's own reader, with its child process; the rest goes through
the product in a temporary folder, with its files, fsyncs and model: a PDF of 300 pages and 1 MB of text, a workbook of 200,000
cells, 5,000 small markdown files dropped into the inbox. `--quick` takes a tenth of each.
"""

from __future__ import annotations

import argparse
import io
import os
import resource
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import openpyxl
from lattice_common import logs
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.request import FileMetadata
from lattice_common.composition import Embedded, Model, load_model, open_embedded
from lattice_common.domain.reading import Reading
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from bench.synthetic import Life
from tests.data.documents import lines, pdf

PAGES, CHARACTERS_A_PAGE, CELLS, COLUMNS, NOTES = 300, 3_000, 200_000, 8, 5_000
PDF_SECONDS, NOTES_A_SECOND = 20.0, 150.0
"""What is asked: seconds, seconds, and files a second."""
PATIENCE = 1800.0
LOOK_SECONDS = 0.05
"""Between two looks, which cost the product a little: figures are this coarse."""


def book(pages: int, life: Life) -> bytes:
    """A PDF with a heading and paragraphs on each page; its sentences are as long as those of reports, some twenty words."""
    contents = []
    for number in range(1, pages + 1):
        page, length = [f"Chapter {number}", ""], 0
        while length < CHARACTERS_A_PAGE:
            sentences = (f"{life.sentence().rstrip('.')}, and {life.sentence()}" for _ in range(4))
            paragraph = textwrap.wrap(" ".join(sentences), 110)
            page += [*paragraph, ""]
            length += sum(map(len, paragraph))
        contents.append(lines(*page, size=9, top=770))
    return pdf(*contents, title="A book of days")


def workbook(cells: int) -> bytes:
    """Rows of a word, a date, amounts and a remark."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Payments")
    sheet.append(["Payment", "Day", "Amount", "Tax", "Shop", "Kind", "Number", "Remark"])
    for number in range(1, cells // COLUMNS):
        day = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}"
        shop, kind = f"Shop {number % 97}", ("food", "rent", "travel", "books")[number % 4]
        sheet.append([f"Payment {number}", day, number * 1.25, number * 0.25, shop, kind, number, f"remark on number {number}"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def processor_seconds() -> float:
    """Of this process and of those it started that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@contextmanager
def opened(folder: Path, model: Model, *, settle: float = 5.0) -> Iterator[Embedded]:
    with open_embedded(Settings(data_dir=folder, inbox_settle_seconds=settle), model=model) as product:
        yield product


def read_alone(data: bytes, name: str, advance: Callable[[float, float], None]) -> tuple[float, float, Reading]:
    """Seconds of the clock and of the processors to read the file, and what was read."""
    busy = processor_seconds()
    reader = SandboxedReader(Limits())
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        start = time.perf_counter()
        found = reader.read(Path(file.name), name, advance)
        taken = time.perf_counter() - start
    reader.close()
    if not isinstance(found, Reading):
        raise SystemExit(f"{name} was not read: {found.reason}")
    return taken, processor_seconds() - busy, found


def through(
    product: Embedded, data: bytes, name: str, question: str, advance: Callable[[float, float], None]
) -> tuple[float, float]:
    """Seconds until a question finds something of the file, and until all of it is remembered."""
    start, first = time.perf_counter(), 0.0
    with product.lattice.receiving() as incoming:
        incoming.write(data)
        capture_id = product.lattice.accept_file(incoming, name, FileMetadata()).status.capture_id
    while (status := product.lattice.capture(capture_id)).receipt is None:
        passed = time.perf_counter() - start
        if passed > PATIENCE:
            raise SystemExit(f"{name} was not finished in {PATIENCE:.0f} s.")
        if not first and product.lattice.select(Query(question, limit=1)).atoms:
            first = time.perf_counter() - start
        if status.progress is not None:
            advance(status.progress.done, max(1, status.progress.total))
        time.sleep(LOOK_SECONDS)
    taken = time.perf_counter() - start
    if status.receipt.state != "stored":
        raise SystemExit(f"{name} ended as {status.receipt.state}: {status.receipt.reason}")
    return first or taken, taken


def dropped(product: Embedded, folder: Path, count: int, advance: Callable[[float, float], None]) -> tuple[float, float]:
    """Seconds from the start of the watch until all files of the inbox are journaled, and until all are remembered."""
    life = Life(seed=5)
    for number in range(count):
        path = folder / "inbox" / f"{number // 1000}" / f"note {number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {number}\n\n{life.sentence()} {life.sentence()}\n", encoding="utf-8")
    start = time.perf_counter()
    product.start()
    while (state := product.inbox.state()).taken < count:
        if state.failed or time.perf_counter() - start > PATIENCE:
            raise SystemExit(f"The inbox took {state.taken} of {count} files, {state.failed} failed.")
        advance(state.taken, 2 * count)
        time.sleep(LOOK_SECONDS)
    journaled = time.perf_counter() - start
    while (waiting := _unfinished(product)) and time.perf_counter() - start < PATIENCE:
        advance(2 * count - waiting, 2 * count)
        time.sleep(0.25)  # a look goes through the whole work list
    return journaled, time.perf_counter() - start


def _unfinished(product: Embedded) -> int:
    return sum(count for state, count in product.lattice.status().captures.items() if state != "dead")


def row(
    report: Table, what: str, value: float, target: float | None, unit: str, busy: float | None = None, *, more: bool = False
) -> None:
    """`busy` in seconds of the processors; `more` is better."""
    good = target is None or (value >= target if more else value <= target)
    shown = f"{value:,.1f}" if target is None else f"[{'green' if good else 'red'}]{value:,.1f}"
    wanted = "" if target is None else f"{'≥' if more else '≤'} {target:,.0f}"
    report.add_row(what, shown, "" if busy is None else f"{busy:,.1f}", wanted, unit)


def document(
    report: Table, bars: Progress, folder: Path, model: Model, name: str, data: bytes, question: str, *, target: float | None
) -> None:
    """A file read alone, then through the product."""
    taken, busy, found = read_alone(data, name, _advance(bars, bars.add_task(f"{name}, read alone", total=1.0)))
    row(report, f"{name} ({len(data) / 1e6:.1f} MB, {len(found.text) / 1e6:.1f} MB of text): read alone", taken, None, "s", busy)
    before = processor_seconds()
    with opened(folder, model) as product:
        product.start()
        task = bars.add_task(f"{name}, through the product", total=1.0)
        first, taken = through(product, data, name, question, _advance(bars, task))
        memories = product.stores.catalogue.count()
    row(report, "… until the first of it is found", first, None, "s")
    row(report, "… until all of it is found", taken, target, f"s, {memories:,} memories", processor_seconds() - before)


def measured(folder: Path, kinds: set[str], scale: float, report: Table, bars: Progress) -> None:
    model = load_model(Settings())
    if "pdf" in kinds:
        data = book(max(2, int(PAGES * scale)), Life(seed=3))
        question = "What did Anna do on Sunday?"
        document(report, bars, folder / "pdf", model, "book.pdf", data, question, target=PDF_SECONDS)
    if "sheet" in kinds:
        data = workbook(int(CELLS * scale))
        document(report, bars, folder / "sheet", model, "payments.xlsx", data, "What was payment 3?", target=None)
    if "notes" in kinds:
        count = int(NOTES * scale)
        task = bars.add_task("notes in the inbox", total=1.0)
        before = processor_seconds()
        with opened(folder / "notes", model, settle=0.1) as product:
            journaled, taken = dropped(product, folder / "notes", count, _advance(bars, task))
        what = f"{count:,} small markdown files in the inbox: journaled"
        row(report, what, count / journaled, NOTES_A_SECOND, "files/s", more=True)
        row(
            report,
            "… until all of them are remembered",
            taken,
            None,
            f"s, {count / taken:,.0f} files/s",
            processor_seconds() - before,
        )


def _advance(bars: Progress, task: TaskID) -> Callable[[float, float], None]:
    return lambda done, total: bars.update(task, completed=done, total=total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of each")
    parser.add_argument("--only", default="pdf,sheet,notes", help="which of them, separated by commas")
    args = parser.parse_args()
    logs.configure("error", json=None)
    console = Console()
    report = Table("what", "measured", "processor s", "target", "", title="Documents")
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bars, tempfile.TemporaryDirectory() as folder:
        measured(Path(folder), set(args.only.split(",")), 0.1 if args.quick else 1.0, report, bars)
    console.print(report)
    console.print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
