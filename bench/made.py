"""Questions about files that other people's programs made.

`python -m bench.made [--data FOLDER] [--part dev|held] [--show] [--atoms] [--make]`.

Nineteen documents that were written for this (a lease, bills, certificates, minutes, a timetable, results, tickets, slides,
recipes, a scan), as LibreOffice (Writer, Calc, Impress: also `.doc`, `.xls`, `.ppt`, RTF, EPUB, PDF) and Chromium save them, in
`bench/made/files`. What they were made of lies in `bench/made/src`, and `--make` makes them anew where those programs are
installed; none of our own generators has a hand in it. All lie in one memory, with 63 questions and 16 that nothing answers. The
questions of `held` are never tuned on: `--show` names single ones of `dev` only.

`--data bench/papers` are twenty-three others (a guarantee, a payslip, a contract of sale, vaccinations, an estimate, accounts, a
statement, letters, a lease, an eye test, an itinerary, a menu, mails that quote each other), as these programs, Typst and groff
make them: what was mended for the first set is measured on them. `--data bench/kept` are twelve more (a tenancy in ODT, a
newsletter, a statement by fpdf2, a policy by python-docx, a budget by XlsxWriter, a chapter by EbookLib, slides by python-pptx, a
discharge letter and an invoice by WeasyPrint, an offer in RTF, an order's mail, a picture of a delivery note), asked in other
words than theirs. `--data bench/desk` are thirteen that are only looked at, with 147 questions and 40 that nothing answers
(an invoice, a contract, a manual, minutes, a timetable, prices, a rota, slides, a letter of a school, a cat's record, service
charges, recipes, a booking). `--data bench/drawer` are seventeen (a contract by reportlab, a manual and a warranty by fpdf2, a
letter by python-docx, sheets by openpyxl and XlsxWriter, a mail with its invoice, a statement, a timetable, policies in English
and French, a finding and a bill in German, slides, a list in CSV): `dev` and `held` ask about different ones of them, 85 and 68
questions, and 18 and 16 that nothing answers. `--data bench/binder` are eighteen (an invoice in two columns by WeasyPrint, a
statement and a lease by Typst, a payslip in boxes by fpdf2, a policy by PyMuPDF, a phone bill in German by xhtml2pdf, a school's
letter by Pandoc, minutes by odfdo, a CV in two columns, a sheet with merged cells, slides, a timetable, a mail with tables, a
calendar, addresses, a guide in Markdown, a recipe, readings in CSV): `dev` and `held` ask about nine each, 64 and 66 questions in
a person's own words, and 18 and 18 near misses. `--data bench/tray` are six (a bill by reportlab, a booking and a notice in
German by fpdf2, an agreement by python-docx, sheets by openpyxl, a hospital's mail), all of them held out: 30 questions and 8
near misses. `--data bench/creek` are eighteen of one household (a plumber's bill, a solar offer, fees and a licence by
reportlab, rules and a quote by python-docx, three workbooks by openpyxl, mails, a tax notice, notes), with 108 questions and 44
near misses of somebody who had not seen the code: the reading of tables was mended by them, and no weight is fitted to them.
`--data bench/quay` are eighteen more of another household (a ferry's timetable with both ways beside each other, an inspection
with years as columns, a boarding agreement, a contract summary, service charges in German, a club's statutes, a dental plan, a
quotation with subtotals, a newsletter, a welcome book, a pension's statement), with 104 questions, ten of them in another
language than the paper, and 25 near misses, likewise.
`--data bench/ridge` are twenty-one of a third household (council tax in instalments beside each other, a lease, an
inventory, an energy bill, a doctor's letter, a tax assessment in German, excesses, a wedding's contract, fixtures, minutes
in ODT, a timetable in slides, a bank's statement, a quote with options), with 112 questions, twelve of them in another
language than the paper, and 28 near misses; only a first part of what it shows is mended.
`--data bench/cabinet` are ten (a handover by odfpy, a record and a letter by Typst, a booking in a plain mail with leaders of
dots, a schedule by WeasyPrint, a chapter by EbookLib, an invoice by PyMuPDF, minutes by python-docx, prices by openpyxl, a
README): `dev` and `held` ask about five each, 35 and 35 questions, and 7 and 8 that nothing answers. Another folder with
`files` and `questions.json` may be named.

`.doc`, `.ppt` and the picture are read through LibreOffice and tesseract, as in the product; where one is missing their questions
are left out and counted as such.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from lattice_common import logs
from lattice_common.capture.request import FileMetadata
from lattice_common.composition import Embedded, load_model, open_embedded
from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings
from rich.console import Console
from rich.table import Table

MADE = Path(__file__).parent / "made"
FIRST = 5
PATIENCE = 600.0

_WRITER = {
    "docx": "docx:MS Word 2007 XML", "doc": "doc:MS Word 97", "odt": "odt", "rtf": "rtf:Rich Text Format",
    "pdf": "pdf:writer_pdf_Export", "epub": "epub",
}  # fmt: skip
_CALC = {"xlsx": "xlsx:Calc MS Excel 2007 XML", "xls": "xls:MS Excel 97", "ods": "ods", "pdf": "pdf:calc_pdf_Export"}
_IMPRESS = {"pptx": "pptx", "ppt": "ppt:MS PowerPoint 97"}
_SPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"), ("draw", "drawing"), ("text", "text"), ("svg", "svg-compatible"), ("presentation", "presentation"),
        ("style", "style"),
    )
)  # fmt: skip


# making


def make(data: Path) -> None:
    """Make every file of `src` anew: `NAME.ENDING.html`, `.md`, `.outline`, `.typ` or `.ms`, with the program between them where
    it is not the ending's. What has one ending is taken as it is, and `make.py.txt` is run with the folder to write to."""
    folder = data / "files"
    folder.mkdir(exist_ok=True)
    for source in sorted((data / "src").iterdir()):
        if source.name.endswith(".py.txt"):  # no module of ours: what it imports is not installed here
            subprocess.run(["python3", str(source), str(folder)], check=True)
            continue
        if source.suffix == ".eml" or source.name.count(".") == 1:
            shutil.copyfile(source, folder / source.name)
            continue
        name, form, *program = source.name.rsplit(".", 1)[0].split(".")
        with tempfile.TemporaryDirectory() as held:
            made = _made(source, name, form, program[0] if program else "", Path(held))
            shutil.copyfile(made, folder / f"{name}.{form}")


def _made(source: Path, name: str, form: str, program: str, held: Path) -> Path:
    if source.suffix in (".typ", ".ms"):
        out = held / f"{name}.{form}"
        if source.suffix == ".ms":
            with out.open("wb") as file:
                subprocess.run(["groff", "-t", "-ms", "-Kutf8", "-Tpdf", str(source)], check=True, stdout=file)
        else:
            subprocess.run(["typst", "compile", str(source), str(out)], check=True)
        return out
    if source.suffix == ".outline":
        flat = held / f"{name}.fodp"
        flat.write_text(slides(source.read_text(encoding="utf-8")), encoding="utf-8")
        return _office(flat, _IMPRESS[form], None, held)
    if source.suffix == ".md":
        out = held / f"{name}.{form}"
        subprocess.run(["pandoc", "-f", "markdown", "-o", str(out), str(source)], check=True)
        return out
    page = held / f"{name}.html"
    shutil.copyfile(source, page)
    if program == "weasyprint":
        out = held / f"{name}.pdf"
        subprocess.run(["weasyprint", "-q", str(page), str(out)], check=True)
        return out
    if program == "chromium":
        out = held / f"{name}.pdf"
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--no-pdf-header-footer", f"--print-to-pdf={out}", str(page)],
            check=True,
            capture_output=True,
            env={"HOME": str(held), "PATH": "/usr/bin:/bin"},
        )
        return out
    if form == "png":
        printed = _office(page, _WRITER["pdf"], "HTML (StarWriter)", held)
        subprocess.run(["pdftoppm", "-r", "130", "-gray", "-png", "-singlefile", str(printed), str(held / name)], check=True)
        return held / f"{name}.png"
    if form in ("xlsx", "xls", "ods") or program == "calc":
        return _office(page, _CALC[form], "HTML (StarCalc)", held)
    return _office(page, _WRITER[form], "HTML (StarWriter)", held)


def _office(source: Path, into: str, read_as: str | None, held: Path) -> Path:
    read = [f"--infilter={read_as}"] if read_as else []
    profile = f"-env:UserInstallation=file://{held}/profile"
    command = ["soffice", profile, "--headless", *read, "--convert-to", into, "--outdir", str(held), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return source.with_suffix(f".{into.partition(':')[0]}")


def slides(outline: str) -> str:
    """A presentation of an outline: `# title`, the words below it; one without any has its title only."""
    pages = []
    for number, part in enumerate(outline.split("# ")[1:], start=1):
        title, *rest = [escape(line.strip()) for line in part.splitlines() if line.strip()]
        body = "".join(
            f"<text:list><text:list-item><text:p>{line[2:]}</text:p></text:list-item></text:list>"
            if line.startswith("- ")
            else f"<text:p>{line}</text:p>"
            for line in rest
        )
        frames = _frame("title", title and f"<text:p>{title}</text:p>", 1) + (_frame("outline", body, 5) if body else "")
        pages.append(f'<draw:page draw:name="page{number}" draw:master-page-name="Default">{frames}</draw:page>')
    layout = (
        '<office:automatic-styles><style:page-layout style:name="PM"><style:page-layout-properties/></style:page-layout>'
        '</office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="PM"/>'
        "</office:master-styles>"
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {_SPACES} office:version="1.3"'
        f' office:mimetype="application/vnd.oasis.opendocument.presentation">{layout}'
        f"<office:body><office:presentation>{''.join(pages)}</office:presentation></office:body></office:document>"
    )


def _frame(kind: str, words: str, top: int) -> str:
    height = 3 if kind == "title" else 12
    return (
        f'<draw:frame presentation:class="{kind}" svg:x="2cm" svg:y="{top}cm" svg:width="24cm" svg:height="{height}cm">'
        f"<draw:text-box>{words}</draw:text-box></draw:frame>"
    )


# asking


@dataclass
class Counts:
    """Of one part."""

    asked: int = 0
    left_out: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    unknown: int = 0
    none_asked: int = 0
    none_answered: int = 0


def holds(texts: Sequence[str], facts: Sequence[str]) -> bool:
    """Whether one of several ways to write a fact stands in one of the texts, as words of its own."""
    bare = [" ".join(text.split()).casefold() for text in texts]
    return any(
        re.search(rf"(?<![\w,.]){re.escape(' '.join(fact.split()).casefold())}(?![\w]|[.,]\d)", text)
        for fact in facts
        for text in bare
    )


def fill(store: Embedded, data: Path = MADE) -> dict[str, str]:
    """Give every file, and wait for it and its vectors; why those that could not be read were not, by name."""
    captures = {}
    for path in sorted((data / "files").iterdir()):
        with store.lattice.receiving() as incoming:
            incoming.write(path.read_bytes())
            captures[path.name] = store.lattice.accept_file(incoming, path.name, FileMetadata()).status.capture_id
    refused = {}
    for name, each in captures.items():
        receipt = store.lattice.wait_for(each, PATIENCE).receipt
        if receipt is None:
            raise SystemExit(f"{name} was not finished.")
        if receipt.state != "stored":
            refused[name] = receipt.reason or receipt.state
    shelf = store.stores.shelf
    while shelf is not None and shelf.pending:
        time.sleep(0.05)  # the writer makes them in quiet moments, and tells nobody
    return refused


def measured(data: Path, parts: Sequence[str], console: Console, *, show: bool, atoms: bool) -> dict[str, Counts]:
    asked = json.loads((data / "questions.json").read_text(encoding="utf-8"))
    counts = {part: Counts() for part in parts}
    with (
        tempfile.TemporaryDirectory() as folder,
        open_embedded(Settings(data_dir=Path(folder)), model=load_model(Settings())) as store,
    ):
        store.start()
        refused = fill(store, data)
        for name, reason in refused.items():
            console.print(f"{name} was not read: {reason}", highlight=False)
        if atoms:
            for atom in sorted(store.stores.catalogue.all(), key=lambda each: str(each.metadata.get("file", ""))):
                console.print(f"[dim]{atom.metadata.get('file', '')} {atom.kind}[/] {atom.content}", highlight=False)
        for part, count in counts.items():
            told = console if show and part == "dev" else None
            for question, name, facts in asked[part]:
                if name in refused:
                    count.left_out += 1
                else:
                    _ask(store, question, facts, count, told)
            for question in asked[f"{part}-none"]:
                answer = store.lattice.answer(Query(question))
                count.none_asked += 1
                count.none_answered += answer.answered
                if told is not None and answer.answered:
                    told.print(f"[red]answered[/] {question} → {answer.answer}", highlight=False)
    return counts


def _ask(store: Embedded, question: str, facts: Sequence[str], counts: Counts, show: Console | None) -> None:
    found = store.lattice.select(Query(question, limit=FIRST)).atoms
    answer = store.lattice.answer(Query(question))
    there, told = holds([each.atom.content for each in found], facts), holds([answer.answer], facts)
    counts.asked += 1
    counts.found += there
    counts.right += answer.answered and told
    counts.wrong += answer.answered and not told
    counts.unknown += not answer.answered
    if show is not None and not (there and told and answer.answered):
        kinds = "".join("p" if is_passage(each.atom) else "m" for each in found)
        show.print(f"{'found' if there else '[red]not found[/]'} {kinds} {question} → {answer.answer}", highlight=False)


def report(console: Console, counts: dict[str, Counts]) -> None:
    table = Table("", *counts, title="Questions about files of other programs")

    def percent(part: int, whole: int) -> str:
        return f"{100 * part / max(whole, 1):.0f} %"

    table.add_row("questions", *(str(each.asked) for each in counts.values()))
    table.add_row("left out, of files that no program here reads", *(str(each.left_out) for each in counts.values()))
    table.add_row(f"the fact among the first {FIRST}", *(percent(each.found, each.asked) for each in counts.values()))
    table.add_row("answers with the fact", *(percent(each.right, each.asked) for each in counts.values()))
    table.add_row("answers without it", *(percent(each.wrong, each.asked) for each in counts.values()))
    table.add_row("I don't know", *(percent(each.unknown, each.asked) for each in counts.values()))
    table.add_row("answered though nothing answers", *(f"{each.none_answered} of {each.none_asked}" for each in counts.values()))
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MADE, help="the folder with `files` and `questions.json`")
    parser.add_argument("--part", choices=("dev", "held"), help="only this half of the questions")
    parser.add_argument("--show", action="store_true", help="the questions of `dev` that go wrong")
    parser.add_argument("--atoms", action="store_true", help="what was learned of the documents")
    parser.add_argument("--make", action="store_true", help="make the files first (soffice, chromium, pdftoppm, typst, groff)")
    args = parser.parse_args()
    logs.configure("error", json=None)
    console = Console(width=200)
    if args.make:
        make(args.data)
    asked = json.loads((args.data / "questions.json").read_text(encoding="utf-8"))
    parts = [args.part] if args.part else [part for part in ("dev", "held") if part in asked]
    report(console, measured(args.data, parts, console, show=args.show, atoms=args.atoms))


if __name__ == "__main__":
    main()
