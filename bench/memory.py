"""What reading costs in memory, and what of it is given back: `python -m bench.memory [--only NAME] [--memories N]`.

A process of its own is given what a person might drop into the inbox: small tables that leave some 28,000 memories, then the
largest files that the limits allow, one after the other (a text of 9 MB, a PDF of 300 pages, a workbook of 200,000 cells, a
letter of 6 MB of words, slides, a box of mails, a log). For each: how long it took, the most that the process held meanwhile and
the most with the processes that read beside it (resident, sampled 20 times a second; of shared pages each process's share), what
was held a few seconds afterwards, and what a process that is started anew on the same folder holds. The promise is 700 MB while
anything that is allowed is read.

The files are made beforehand, by another process, with the libraries of other programs. Linux only: it reads `/proc`.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

import docx
import openpyxl
import pptx
from lattice_common import logs
from lattice_common.capture.request import FileMetadata
from lattice_common.composition import Embedded, load_model, open_embedded
from lattice_common.settings import Settings
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from rich.console import Console
from rich.table import Table

PATIENCE = 900.0
SAMPLED = 0.05
RESTED = 55.0
"""Seconds after the last receipt: what is done in quiet moments is begun by then, and what is free was given back."""
MEMORIES = 28_000
PER_TABLE = 140

WORDS = """harbour ledger plaster window autumn kettle orchard timber invoice garden lantern meadow pepper station velvet copper
candle bridge market winter letter saddle barrel feather carpet mirror basket engine island pocket""".split()  # noqa: SIM905
NAMES = "Ada Bruno Chloe Dmitri Elif Farah Goran Hanna Ivo Jelena Kofi Lotte Mirko Nadia Otto Priya".split()  # noqa: SIM905


def sentence(chance: random.Random) -> str:
    words = " ".join(chance.choice(WORDS) for _ in range(9))
    return f"{chance.choice(NAMES)} paid {chance.randrange(10, 9000)} euros for the {words}."


def paragraphs(chance: random.Random, size: int) -> Iterator[str]:
    made = 0
    while made < size:
        text = " ".join(sentence(chance) for _ in range(6))
        made += len(text)
        yield text


def table_of(number: int) -> bytes:
    chance = random.Random(f"table-{number}")
    rows = [
        f"{chance.choice(NAMES)} {WORDS[at % len(WORDS)]} {number}-{at},{chance.randrange(9999)}.{chance.randrange(10, 99)},"
        f"{chance.choice(WORDS)} {chance.choice(WORDS)}"
        for at in range(PER_TABLE)
    ]
    return "\n".join(["Item,Amount,Remark", *rows]).encode()


def text() -> bytes:
    chance = random.Random("text")
    return "\n\n".join(paragraphs(chance, 9_000_000)).encode()


def log() -> bytes:
    chance = random.Random("log")
    lines = (
        f"2026-03-{1 + at // 9000:02} 10:{at // 60 % 60:02}:{at % 60:02} INFO app.{chance.choice(WORDS)}: {sentence(chance)}"
        for at in range(90_000)
    )
    return "\n".join(lines).encode()


def pdf() -> bytes:
    chance, out = random.Random("pdf"), io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for page in range(300):
        canvas.drawString(60, 800, f"{page + 1} {chance.choice(WORDS).title()} and {chance.choice(WORDS)}")
        for line in range(45):
            canvas.drawString(60, 770 - 15 * line, sentence(chance))
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def workbook() -> bytes:
    chance, out = random.Random("workbook"), io.BytesIO()
    made = openpyxl.Workbook(write_only=True)
    sheet = made.create_sheet("Payments")
    sheet.append(["No", "Name", "Amount", "Word", "Place", "Remark", "More", "Last"])
    for at in range(25_000):
        sheet.append(
            [
                at,
                chance.choice(NAMES),
                chance.randrange(9999) / 7,
                *(f"{chance.choice(WORDS)} {chance.choice(WORDS)}" for _ in range(5)),
            ]
        )
    made.save(out)
    return out.getvalue()


def letter() -> bytes:
    chance, out = random.Random("letter"), io.BytesIO()
    made = docx.Document()
    for number, each in enumerate(paragraphs(chance, 6_000_000)):
        if number % 40 == 0:
            made.add_heading(f"{chance.choice(WORDS).title()} {number}", 1)
        made.add_paragraph(each)
    made.save(out)
    return out.getvalue()


def slides() -> bytes:
    chance, out = random.Random("slides"), io.BytesIO()
    made = pptx.Presentation()
    for number in range(400):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = f"{chance.choice(WORDS).title()} {number}"
        slide.placeholders[1].text = "\n".join(sentence(chance) for _ in range(6))
    made.save(out)
    return out.getvalue()


def box() -> bytes:
    chance, mails = random.Random("box"), []
    for number in range(4_000):
        mail = EmailMessage()
        mail["From"], mail["To"] = f"{chance.choice(NAMES)} <a{number}@example.org>", "me@example.org"
        mail["Subject"], mail["Date"] = f"About the {chance.choice(WORDS)} {number}", "Mon, 02 Mar 2026 10:00:00 +0100"
        mail.set_content("\n\n".join(paragraphs(chance, 2_000)))
        mails.append(b"From a@example.org Mon Mar  2 10:00:00 2026\n" + mail.as_bytes() + b"\n")
    return b"".join(mails)


LARGE: dict[str, Callable[[], bytes]] = {
    "book.txt": text,
    "server.log": log,
    "manual.pdf": pdf,
    "payments.xlsx": workbook,
    "letter.docx": letter,
    "slides.pptx": slides,
    "mails.mbox": box,
}


@dataclass
class Held:
    """Megabytes of a process, and of it with those below it; the most of each since `begin`."""

    process: int
    alone: float = 0.0
    together: float = 0.0
    stopped: threading.Event = field(default_factory=threading.Event)

    def begin(self) -> None:
        self.alone = self.together = 0.0

    def watch(self) -> None:
        while not self.stopped.wait(SAMPLED):
            alone, together = self.now()
            self.alone, self.together = max(self.alone, alone), max(self.together, together)

    def now(self) -> tuple[float, float]:
        own, program = _megabytes(self.process), _program(self.process)
        # One that has not begun its own program yet still has all of its parent's memory, which would be counted twice.
        return own, own + sum(_megabytes(each) for each in _below(self.process) if _program(each) != program)


def _program(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""  # it has ended


def _megabytes(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0  # it has ended
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _below(process: int) -> Iterator[int]:
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = thread.read_text().split()
        except OSError:
            continue
        for each in children:
            yield int(each)
            yield from _below(int(each))


def give(store: Embedded, files: Sequence[Path]) -> None:
    """Give files, and wait for their receipts, their passages' vectors, and a rest."""
    captures = []
    for path in files:
        with store.lattice.receiving() as incoming, path.open("rb") as file:
            while chunk := file.read(1 << 20):
                incoming.write(chunk)
            captures.append(store.lattice.accept_file(incoming, path.name, FileMetadata()).status.capture_id)
    for each in captures:
        receipt = store.lattice.wait_for(each, PATIENCE).receipt
        if receipt is None or receipt.state not in ("stored", "duplicate"):
            raise SystemExit(f"{each}: {receipt}")


def serve(folder: Path) -> None:
    """Give what each line of the input names, and tell of it in a line."""
    logs.configure("error", json=None)
    settings = Settings(data_dir=folder)
    with open_embedded(settings, model=load_model(settings)) as store:
        store.start()
        sys.stdout.write(json.dumps({"memories": store.stores.catalogue.count()}) + "\n")
        sys.stdout.flush()
        for line in sys.stdin:
            began = time.perf_counter()
            give(store, [Path(each) for each in json.loads(line)])
            told = {"memories": store.stores.catalogue.count(), "seconds": time.perf_counter() - began}
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


class Served:
    """The process that is measured."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.memory", "--serve", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.held = Held(self.process.pid)
        threading.Thread(target=self.held.watch, daemon=True).start()
        self.began = self.told()

    def told(self) -> dict[str, float]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("The process that is measured has ended.")
        answer: dict[str, float] = json.loads(line)
        return answer

    def give(self, files: Sequence[Path]) -> dict[str, float]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([str(each) for each in files]) + "\n")
        self.process.stdin.flush()
        return self.told()

    def close(self) -> None:
        self.held.stopped.set()
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def rested(served: Served, table: Table, name: str, told: dict[str, float]) -> None:
    alone, together = served.held.alone, served.held.together
    time.sleep(RESTED)
    now, all_now = served.held.now()
    seconds = f"{told['seconds']:.0f}" if "seconds" in told else ""
    most = (f"{alone:.0f}", f"{together:.0f}") if seconds else ("", "")
    table.add_row(name, f"{told['memories']:,}", seconds, *most, f"{now:.0f}", f"{all_now:.0f}")


def measure(folder: Path, names: Sequence[str], memories: int, console: Console) -> None:
    files, store = folder / "files", folder / "store"
    files.mkdir()
    store.mkdir()
    tables = [files / f"table {number}.csv" for number in range(memories // PER_TABLE)]
    for number, path in enumerate(tables):
        path.write_bytes(table_of(number))
    for name in names:
        (files / name).write_bytes(LARGE[name]())
    shown = Table("", "memories", "seconds", "most, MB", "… with readers", "rested", "… with readers", title="Memory held")
    served = Served(store)
    rested(served, shown, "started, empty", served.began)
    given = [("small tables", tables)] if tables else []
    for name, each in [*given, *((name, [files / name]) for name in names)]:
        served.held.begin()
        rested(served, shown, name, served.give(each))
        console.print(f"[dim]{name}[/]")
    served.close()
    served = Served(store)
    rested(served, shown, "started anew", served.began)
    served.close()
    console.print(shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", choices=tuple(LARGE), help="only this large file")
    parser.add_argument("--memories", type=int, default=MEMORIES, help="that the small tables leave")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve is not None:
        serve(args.serve)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), args.only or tuple(LARGE), args.memories, Console(width=140))


if __name__ == "__main__":
    main()
