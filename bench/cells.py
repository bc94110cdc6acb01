"""Cells of tables and pairs of labels and values: `python -m bench.cells [--part dev|held] [--show]`.

PDFs, workbooks, letters and web pages are made with the libraries of other programs (reportlab, openpyxl, python-docx), in the
shapes that people have: grids, tables without lines, heads of two rows, two tables side by side, tables over several pages,
cells of several lines, pairs of labels and values, forms that were filled in. A cell stands where its value can be read with the
names of its row and its column. The half `held` has other words, fonts, widths and makers of rows, and was never tuned on:
`--show` names cells of `dev` only.
"""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import docx
import openpyxl
from lattice_common.capture.readers.held_bytes import held
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import read
from lattice_common.domain.reading import Reading
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table
from rich.console import Console
from rich.table import Table as Shown

WORDS = {
    "dev": (
        """Rent Heating Water Insurance Internet Groceries Transport Clothes Books Dentist Garden Repairs Phone Gym Music
        Holidays""".split(),
        "January February March April May June".split(),
        "Kitchen Bathroom Hallway Bedroom Balcony Cellar".split(),
    ),
    "held": (
        """Müller Okafor Lindqvist Tanaka Ferreira Novak Dubois Haddad Kowalski Byrne Petrov Silva Jansen Moreau Costa
        Weber""".split(),
        "Berlin Lisbon Oslo Prague Ghent Porto".split(),
        "Salary Bonus Pension Travel Training Equipment".split(),
    ),
}
FONTS = {"dev": ("Helvetica", "Helvetica-Bold", 10), "held": ("Times-Roman", "Times-Bold", 11)}

Cells = list[tuple[str, str, str]]
"""Row, column ("" where there is none) and value."""


@dataclass
class Made:
    """A file, and the cells that are looked for in it."""

    kind: str
    name: str
    content: bytes
    cells: Cells


@dataclass
class Grid:
    head: list[str]
    rows: list[list[str]]

    def cells(self) -> Cells:
        return [(row[0], self.head[at], row[at]) for row in self.rows for at in range(1, len(self.head))]

    @property
    def all(self) -> list[list[str]]:
        return [self.head, *self.rows]


@dataclass
class Maker:
    part: str
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(f"cells-{self.part}")

    def grid(self, rows: int = 6, columns: int = 3, *, first: str = "Item") -> Grid:
        names, across, others = WORDS[self.part]
        labels = self.chance.sample(names, min(rows, len(names)))
        labels += [f"{each} {number}" for number in range(2, 2 + rows // len(names)) for each in names][: rows - len(labels)]
        return Grid([first, *self.chance.sample([*across, *others], columns)], [[each, *self.values(columns)] for each in labels])

    def values(self, count: int) -> list[str]:
        return [f"{self.chance.randrange(10, 9999)}.{self.chance.randrange(10, 99)}" for _ in range(count)]


def pdf(story: Sequence[object]) -> bytes:
    out = io.BytesIO()
    SimpleDocTemplate(out, pagesize=A4).build(list(story))
    return out.getvalue()


def drawn(draw: Callable[[Canvas], None]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    draw(canvas)
    canvas.save()
    return out.getvalue()


def lined(part: str, *, lines: bool = True, bold: bool = True) -> list[tuple[object, ...]]:
    plain, heavy, size = FONTS[part]
    style: list[tuple[object, ...]] = [("FONT", (0, 0), (-1, -1), plain, size)]
    style += [("FONT", (0, 0), (-1, 0), heavy, size)] if bold else []
    return style + ([("GRID", (0, 0), (-1, -1), 0.5, colors.black)] if lines else [])


def pdfs(part: str) -> Iterator[Made]:
    make, (plain, heavy, size) = Maker(part), FONTS[part]
    words = getSampleStyleSheet()["BodyText"]
    text = Paragraph("This overview was made at the end of the year and is kept with the other papers of the house. " * 2, words)
    grid = make.grid()
    yield Made("pdf", "grid", pdf([text, Spacer(1, 12), Table(grid.all, style=lined(part)), text]), grid.cells())
    grid = make.grid(8, 4)
    yield Made("pdf", "no lines", pdf([text, Table(grid.all, style=lined(part, lines=False, bold=False)), text]), grid.cells())
    grid = make.grid(70, 3)
    table = Table(grid.all, style=lined(part), repeatRows=1 if part == "dev" else 0)
    yield Made("pdf", "over three pages", pdf([text, table, text]), grid.cells())
    one, other = make.grid(5, 2), make.grid(5, 2, first="Place")
    beside = Table([[Table(one.all, style=lined(part)), Table(other.all, style=lined(part))]])
    yield Made("pdf", "side by side", pdf([text, beside]), one.cells() + other.cells())
    yield _two_heads(make, part)
    grid = make.grid(5, 2)
    for row in grid.rows:
        row.append(f"{row[1]} was paid in two halves by {row[0]} and the rest came later in the same month")
    wrapped = [[*row[:3], Paragraph(row[3], words)] for row in grid.rows]
    table = Table([[*grid.head, "Remark"], *wrapped], style=lined(part), colWidths=[80, 80, 80, 150])
    yield Made("pdf", "cells of several lines", pdf([text, table]), grid.cells())
    grid = make.grid(6, 3)
    wide = 16 if part == "dev" else 14

    def monospaced(canvas: Canvas) -> None:
        canvas.setFont("Courier", 10)
        for at, row in enumerate(grid.all):
            canvas.drawString(60, 760 - 14 * at, "".join(each.ljust(wide) for each in row))

    yield Made("pdf", "rows drawn whole", drawn(monospaced), grid.cells())
    yield Made("pdf", "drawn as one text", *_as_one_text(make, part))
    pairs = [(f"{each} no.", value) for each, value in zip(make.grid(6).rows, make.values(6), strict=True) for each in each[:1]]

    def labelled(canvas: Canvas) -> None:
        for at, (label, value) in enumerate(pairs):
            column, row = (at % 2, at // 2) if part == "dev" else (at // 3, at % 3)
            canvas.setFont(heavy if part == "held" else plain, size)
            canvas.drawString(60 + 260 * column, 700 - 22 * row, f"{label}:" if part == "dev" else label)
            canvas.setFont(plain, size)
            canvas.drawString(60 + 260 * column + 110, 700 - 22 * row, value)

    yield Made("pdf", "pairs in two columns", drawn(labelled), [(label, "", value) for label, value in pairs])
    yield _form(make, part)
    yield Made("pdf", "two sections", *_sections(make, part))


def _as_one_text(make: Maker, part: str) -> tuple[bytes, Cells]:
    """A table whose cells are moved to within one text object, as browsers' and publishing programs draw them."""
    grid, (plain, heavy, size) = make.grid(6, 3), FONTS[part]

    def whole(canvas: Canvas) -> None:
        text = canvas.beginText()
        for at, row in enumerate(grid.all):
            text.setFont(plain if at else heavy, size)
            for column, value in enumerate(row):
                text.setTextTransform(1, 0, 0, 1, 60 + 120 * column, 760 - (size + 7) * at)
                text.textOut(value)
        canvas.drawText(text)

    return drawn(whole), grid.cells()


def _two_heads(make: Maker, part: str) -> Made:
    grid = make.grid(5, 4)
    groups = [grid.head[1], grid.head[2]]
    upper, lower = ["", groups[0], "", groups[1], ""], [grid.head[0], "Plan", "Actual", "Plan", "Actual"]
    style = [
        *lined(part),
        ("FONT", (0, 1), (-1, 1), FONTS[part][1], FONTS[part][2]),
        ("SPAN", (1, 0), (2, 0)),
        ("SPAN", (3, 0), (4, 0)),
    ]
    style += [("ALIGN", (1, 0), (-1, 0), "CENTER")]
    names = ["", *(f"{groups[at // 2]} {('Plan', 'Actual')[at % 2]}" for at in range(4))]
    cells = [(row[0], names[at], row[at]) for row in grid.rows for at in range(1, 5)]
    return Made("pdf", "head of two rows", pdf([Table([upper, lower, *grid.rows], style=style)]), cells)


def _form(make: Maker, part: str) -> Made:
    labels = [row[0] for row in make.grid(6).rows]
    values = [f"{make.chance.choice(WORDS[part][1])} {make.chance.randrange(100, 999)}" for _ in labels]

    def filled(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for at, (label, value) in enumerate(zip(labels, values, strict=True)):
            y = 740 - 34 * at
            canvas.drawString(60, y if part == "dev" else y + 16, f"{label}:" if at % 2 else label)
            x = 180 if part == "dev" else 60
            canvas.acroForm.textfield(name=f"field{at}", x=x, y=y - 5, width=200, height=18, value=value, fontSize=10)

    cells = [(label, "", value) for label, value in zip(labels, values, strict=True)]
    return Made("pdf", "a form that was filled in", drawn(filled), cells)


def _sections(make: Maker, part: str) -> tuple[bytes, Cells]:
    words = getSampleStyleSheet()
    one, other = make.grid(4, 3), make.grid(4, 3)
    style = lined(part, lines=part == "held")
    story = [Paragraph("First year", words["Heading2"]), Table(one.all, style=style), Paragraph("Second year", words["Heading2"]),
             Table(other.all, style=style), PageBreak(), Paragraph("The end.", words["BodyText"])]  # fmt: skip
    return pdf(story), one.cells() + other.cells()


def workbooks(part: str) -> Iterator[Made]:
    make = Maker(f"{part}")
    make.chance = random.Random(f"workbooks-{part}")

    def book(rows: Sequence[Sequence[object]], *, top: int = 1, merged: Sequence[str] = ()) -> bytes:
        workbook = openpyxl.Workbook()
        sheet = workbook.active
        for at, row in enumerate(rows, top):
            for column, value in enumerate(row, 1):
                if value != "":
                    number = isinstance(value, str) and value.replace(".", "").isdigit()
                    sheet.cell(at, column, float(value) if number else value)
        for each in merged:
            sheet.merge_cells(each)
        out = io.BytesIO()
        workbook.save(out)
        return out.getvalue()

    def shown(cells: Cells) -> Cells:
        return [(row, column, f"{float(value):.10g}") for row, column, value in cells]

    grid = make.grid()
    yield Made("xlsx", "a table", book(grid.all), shown(grid.cells()))
    grid = make.grid()
    yield Made("xlsx", "below a title", book([["Overview of the year"], [], *grid.all], top=2), shown(grid.cells()))
    one, other = make.grid(5, 2), make.grid(5, 2, first="Place")
    beside = [[*left, "", *right] for left, right in zip(one.all, other.all, strict=True)]
    yield Made("xlsx", "side by side", book(beside), shown(one.cells() + other.cells()))
    if part == "held":
        one, other = make.grid(6, 2), make.grid(3, 3, first="Place")
        blank = [[""] * 4] * 3
        beside = [[*left, "", "", *right] for left, right in zip(one.all, [*other.all, *blank], strict=True)]
        yield Made("xlsx", "side by side, of other lengths", book(beside), shown(one.cells() + other.cells()))
    grid = make.grid(5, 4)
    a, b = grid.head[1], grid.head[2]
    rows = [["", a, "", b, ""], [grid.head[0], "Plan", "Actual", "Plan", "Actual"], *grid.rows]
    names = ["", f"{a} Plan", f"{a} Actual", f"{b} Plan", f"{b} Actual"]
    cells = [(row[0], names[at], row[at]) for row in grid.rows for at in range(1, 5)]
    yield Made("xlsx", "head of two rows, merged", book(rows, merged=("B1:C1", "D1:E1")), shown(cells))
    yield Made("xlsx", "head of two rows", book(rows), shown(cells))
    one, other = make.grid(3, 3), make.grid(3, 3)
    rows = [one.head, [WORDS[part][2][0]], *one.rows, [WORDS[part][2][1]], *other.rows]
    there = Grid(one.head, other.rows)
    yield Made("xlsx", "section heads", book(rows), shown(one.cells() + there.cells()))


def letters(part: str) -> Iterator[Made]:
    make = Maker(part)
    make.chance = random.Random(f"letters-{part}")

    def saved(document: docx.document.Document) -> bytes:
        out = io.BytesIO()
        document.save(out)
        return out.getvalue()

    grid = make.grid()
    document = docx.Document()
    document.add_paragraph("The overview of the year.")
    table = document.add_table(rows=0, cols=4)
    for row in grid.all:
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = value
    yield Made("docx", "a table", saved(document), grid.cells())
    pairs = [(row[0], row[1]) for row in make.grid(5, 1).rows]
    document = docx.Document()
    table = document.add_table(rows=0, cols=2)
    for label, value in pairs:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = (f"{label}:" if part == "dev" else label), value
    yield Made("docx", "labels and values", saved(document), [(label, "", value) for label, value in pairs])
    pairs = [(row[0], row[1]) for row in make.grid(5, 1).rows]
    document = docx.Document()
    for label, value in pairs:
        document.add_paragraph(f"{label}:\t{value}" if part == "dev" else f"{label}\t\t{value}")
    yield Made("docx", "labels and values behind tabs", saved(document), [(label, "", value) for label, value in pairs])
    grid = make.grid(4, 2)
    document = docx.Document()
    table = document.add_table(rows=1, cols=3)
    for at, name in enumerate(grid.head):
        table.rows[0].cells[at].text = name
    cells = table.add_row().cells
    for at in range(3):
        cells[at].text = "\n".join(row[at] for row in grid.rows)
    yield Made("docx", "columns within a cell", saved(document), grid.cells())


def pages(part: str) -> Iterator[Made]:
    make = Maker(part)
    make.chance = random.Random(f"pages-{part}")
    grid = make.grid()
    cell = "th" if part == "dev" else "td"
    tags = [cell, *["td"] * len(grid.rows)]
    rows = "".join(
        f"<tr>{''.join(f'<{tag}>{value}</{tag}>' for value in row)}</tr>" for tag, row in zip(tags, grid.all, strict=True)
    )
    page = "<!doctype html><html><body><h1>Overview</h1><p>Of the year.</p>{}</body></html>"
    yield Made("html", "a table", page.format(f"<table>{rows}</table>").encode(), grid.cells())
    pairs = [(row[0], row[1]) for row in make.grid(6, 1).rows]
    terms = "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in pairs)
    listed = terms if part == "dev" else terms.replace("<dt>", "<div><dt>").replace("</dd>", "</dd></div>")
    yield Made("html", "terms and what they are", page.format(f"<dl>{listed}</dl>").encode(), [(a, "", b) for a, b in pairs])


def stands(text: str, row: str, column: str, value: str) -> bool:
    """Whether a value can be read with its row and column."""
    head: list[str] = []
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if not line.startswith("|"):
            if not column and _paired(line, row, value):
                return True
            continue
        cells = [each.strip() for each in line.strip("|").split("|")]
        if at + 1 < len(lines) and lines[at + 1].startswith("|---"):
            head = cells
            continue
        if value in cells and any(each.rstrip(":") == row for each in cells):
            place = cells.index(value)
            named = head[place] if place < len(head) else ""
            if not column and place and cells[place - 1].rstrip(":") == row:
                return True
            if column and all(word in named.split() for word in column.split()):
                return True
    return False


def _paired(line: str, label: str, value: str) -> bool:
    at = line.find(label)
    return at >= 0 and line[at + len(label) :].lstrip(" :-–—\t").startswith(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("dev", "held"), help="only this half")
    parser.add_argument("--show", action="store_true", help="cells of `dev` that do not stand")
    args = parser.parse_args()
    console = Console(width=160)
    shown = Shown(
        "kind",
        "file",
        *(parts := [args.part] if args.part else ["dev", "held"]),
        title="Cells that stand with their row and column",
    )
    found: dict[tuple[str, str], dict[str, tuple[int, int]]] = {}
    for part in parts:
        for made in (*pdfs(part), *workbooks(part), *letters(part), *pages(part)):
            reading = read(held(made.content), f"file.{made.kind}", Limits(), lambda _done, _total: None)
            text = reading.text if isinstance(reading, Reading) else ""
            lost = [each for each in made.cells if not stands(text, *each)]
            found.setdefault((made.kind, made.name), {})[part] = (len(made.cells) - len(lost), len(made.cells))
            if args.show and part == "dev" and lost:
                console.print(f"[red]{made.kind}, {made.name}[/]: {lost[:3]}\n{text[:700]}", highlight=False)
    for kind in dict.fromkeys(kind for kind, _ in found):
        every = [(name, each) for (other, name), each in found.items() if other == kind]
        for name, each in every:
            shown.add_row(kind, name, *(f"{each[part][0]} of {each[part][1]}" if part in each else "" for part in parts))
        sums = {part: [sum(each[part][at] for _, each in every if part in each) for at in (0, 1)] for part in parts}
        shown.add_row(f"[bold]{kind}", "", *(f"[bold]{100 * right / max(1, whole):.0f} %" for right, whole in sums.values()))
    console.print(shown)


if __name__ == "__main__":
    main()
