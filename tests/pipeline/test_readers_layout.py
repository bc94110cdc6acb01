"""Where things stand: what is beside a label, in a column, under a head of two rows, or filled into a form."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import docx
import openpyxl
import pytest
from docx.enum.style import WD_STYLE_TYPE
from lattice_common.capture.readers.pdf_lines import Line
from lattice_common.capture.readers.pdf_page import decoded_lines
from reportlab.lib import colors
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from tests.pipeline.given_files import Read, assert_places


def drawn(draw: Callable[[Canvas], None]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    draw(canvas)
    canvas.save()
    return out.getvalue()


def table(rows: Sequence[Sequence[object]], *style: tuple[object, ...], **options: object) -> bytes:
    out = io.BytesIO()
    grid = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)
    SimpleDocTemplate(out).build([Table(rows, style=[grid, ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 10), *style], **options)])
    return out.getvalue()


def book(rows: Sequence[Sequence[object]]) -> bytes:
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


def test_what_was_filled_into_a_form_stands_behind_its_label(reading: Read) -> None:
    def form(canvas: Canvas) -> None:
        fields = canvas.acroForm
        for y, label in ((740, "Name"), (700, "Born:")):
            canvas.drawString(60, y, label)
        canvas.drawString(60, 676, "Place of birth")
        canvas.drawString(84, 600, "Smoker")
        canvas.drawString(84, 570, "Drinker")
        fields.textfield(name="a", x=140, y=735, width=200, height=18, value="Ada Brandl")
        fields.textfield(name="b", x=140, y=695, width=200, height=18, value="3 March 1990")
        fields.textfield(name="c", x=60, y=650, width=200, height=18, value="Kiel")
        fields.textfield(name="empty", x=140, y=620, width=200, height=18, value="")
        fields.checkbox(name="d", x=60, y=596, size=16, checked=True)
        fields.checkbox(name="e", x=60, y=566, size=16, checked=False)

    found = reading(drawn(form), "form.pdf")
    assert_places(found)
    for told in ("Name: Ada Brandl", "Born: 3 March 1990", "Place of birth: Kiel", "Smoker: yes"):
        assert told in found.text
    assert "Drinker: yes" not in found.text


def test_the_label_of_a_ticked_box_may_stand_before_it(reading: Read) -> None:
    def fill(canvas: Canvas) -> None:
        canvas.drawString(50, 720, "Member:")
        canvas.acroForm.checkbox(name="member", checked=True, x=120, y=715)
        canvas.drawString(50, 690, "Size:")
        canvas.acroForm.checkbox(name="large", checked=True, x=120, y=685)
        canvas.drawString(144, 690, "large")

    text = reading(drawn(fill), "form.pdf").text
    assert "Member: yes" in text
    assert "large: yes" in text


def test_tables_side_by_side_may_have_plain_titles(reading: Read) -> None:
    found = reading(
        book(
            [
                ("Costs", None, None, None, "People"),
                ("Item", "Jan", "Feb", None, "Name", "Age"),
                ("Rent", 900, 910, None, "Ines", 41),
                ("Gas", 50, 60, None, "Ben", 38),
            ]
        ),
        "a.xlsx",
    )
    assert found.text == (
        "## Costs\n\n| Item | Jan | Feb |\n|---|---|---|\n| Rent | 900 | 910 |\n| Gas | 50 | 60 |\n\n"
        "## People\n\n| Name | Age |\n|---|---|\n| Ines | 41 |\n| Ben | 38 |"
    )


def test_a_head_of_two_rows_names_each_column_by_both(reading: Read) -> None:
    rows = [["", "Spring", "", "Autumn", ""], ["Room", "Plan", "Actual", "Plan", "Actual"], ["Hall", "10", "12", "20", "22"],
            ["Attic", "30", "31", "40", "43"]]  # fmt: skip
    spans = [("SPAN", (1, 0), (2, 0)), ("SPAN", (3, 0), (4, 0)), ("ALIGN", (1, 0), (-1, 0), "CENTER")]
    head = "| Room | Spring Plan | Spring Actual | Autumn Plan | Autumn Actual |"
    assert head in reading(table(rows, *spans, ("FONT", (0, 1), (-1, 1), "Helvetica-Bold", 10)), "a.pdf").text
    assert head in reading(book([[each or None for each in row] for row in rows]), "a.xlsx").text


def test_a_table_goes_on_over_the_page_under_the_same_names(reading: Read) -> None:
    rows = [["Name", "City", "Amount"], *([f"Person {at}", "Kiel", f"{at * 7}.50"] for at in range(1, 90))]
    found = reading(table(rows), "a.pdf")
    assert found.text.count("| Name | City | Amount |") == 3
    assert "| Person 80 | Kiel | 560.50 |" in found.text


def test_a_cell_of_several_lines_is_one_cell(reading: Read) -> None:
    remark = Paragraph("was paid in two halves and the rest of it came later in the same month")
    found = reading(table([["Item", "Amount", "Remark"], ["Rent", "950", remark], ["Heat", "90", remark]], colWidths=90), "a.pdf")
    assert "| Rent | 950 | was paid in two halves and the rest of it came later in the same month |" in found.text


def test_a_row_that_was_written_with_spaces_has_columns(reading: Read) -> None:
    def typed(canvas: Canvas) -> None:
        canvas.setFont("Courier", 10)
        for at, row in enumerate((("Item", "Amount", "Days"), ("Rent", "950.00", "30"), ("Water", "41.20", "31"))):
            canvas.drawString(60, 760 - 14 * at, "".join(each.ljust(16) for each in row))

    assert "| Item | Amount | Days |\n|---|---|---|\n| Rent | 950.00 | 30 |" in reading(drawn(typed), "a.pdf").text


def test_two_tables_side_by_side_are_two(reading: Read) -> None:
    rows = [
        ["Item", "Amount", None, "Place", "Price"],
        ["Rent", 950, None, "Kiel", 7],
        ["Water", 41, None, "Oslo", 9],
        ["Heat", 90],
    ]
    found = reading(book(rows), "a.xlsx").text
    assert found.split("\n\n") == [
        "| Item | Amount |\n|---|---|\n| Rent | 950 |\n| Water | 41 |\n| Heat | 90 |",
        "| Place | Price |\n|---|---|\n| Kiel | 7 |\n| Oslo | 9 |",
    ]


def test_formulas_that_were_never_worked_out_are_said(reading: Read) -> None:
    found = reading(book([["Item", "Amount"], ["Rent", 950], ["Water", 41], ["Total", "=SUM(B2:B3)"]]), "a.xlsx")
    assert found.notes == ("formulas-without-values:1",)


def test_columns_that_were_written_into_one_row_of_cells_are_rows(reading: Read) -> None:
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Item", "Amount"
    table.rows[1].cells[0].text, table.rows[1].cells[1].text = "Rent\nWater\nHeat", "950\n41\n90"
    out = io.BytesIO()
    document.save(out)
    assert "| Rent | 950 |\n| Water | 41 |\n| Heat | 90 |" in reading(out.getvalue(), "a.docx").text


def test_an_address_of_several_paragraphs_stays_together(reading: Read) -> None:
    document = docx.Document()
    for line in (
        "Hausverwaltung Petersilge GmbH", "Am Wehr 3", "99423 Weimar", "Tel. 03643 555 128", "Frau", "Johanna Riemenschneider",
        "Schillergasse 9", "99423 Weimar", "Weimar, den 28. August 2026", "", "12 apples", "3 pears", "5 plums",
    ):  # fmt: skip
        document.add_paragraph(line)
    out = io.BytesIO()
    document.save(out)
    text = reading(out.getvalue(), "a.docx").text
    assert text.startswith("Hausverwaltung Petersilge GmbH\nAm Wehr 3\n99423 Weimar\nTel. 03643 555 128\n\nFrau\nJohanna")
    assert "Schillergasse 9\n99423 Weimar\n\nWeimar, den 28. August 2026" in text
    assert text.endswith("12 apples\n\n3 pears\n\n5 plums")  # short lines are no address for that


def test_columns_that_tabs_set_within_cells_are_columns(reading: Read) -> None:
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Work\tHours\tRate", "Sum"
    table.rows[1].cells[0].text, table.rows[1].cells[1].text = "Painting\t12\t40\nPlastering\t8\t45", "480\n360"
    loose = document.add_table(rows=2, cols=2)
    loose.rows[0].cells[0].text, loose.rows[0].cells[1].text = "Name", "Reached at"
    loose.rows[1].cells[0].text, loose.rows[1].cells[1].text = "Erika\tMiller", "030 123"
    out = io.BytesIO()
    document.save(out)
    found = reading(out.getvalue(), "a.docx").text
    assert (
        "| Work | Hours | Rate | Sum |\n|---|---|---|---|\n| Painting | 12 | 40 | 480 |\n| Plastering | 8 | 45 | 360 |" in found
    )
    assert "| Erika Miller | 030 123 |" in found


def test_a_term_of_a_web_page_stands_before_what_it_is(reading: Read) -> None:
    page = b"<!doctype html><dl><dt>Rent<dd>950 EUR<dt>Deposit</dt><dt>Bond</dt><dd>1900 EUR</dd><dt>Left</dl>End."
    assert reading(page, "a.html").text == "- Rent: 950 EUR\n- Deposit, Bond: 1900 EUR\n- Left\n\nEnd."


def test_letters_that_nobody_can_tell_are_not_stored() -> None:
    lines = [
        Line(text, 10, 0, 0) for text in ("The rent is 950.", "\ue012\ue013 \ue014\ue015", "(cid:12)(cid:7)(cid:31)", "Ω ≈ 3")
    ]
    assert [line.text for line in decoded_lines(lines)] == ["The rent is 950.", "Ω ≈ 3"]


def test_cells_of_a_page_that_were_merged_keep_the_others_in_their_columns(reading: Read) -> None:
    bill = (
        "<table><tr><th>Item</th><th>Qty</th><th>Price</th></tr><tr><td>Stake</td><td>2</td><td>13.00</td></tr>"
        "<tr><td>Fungi</td><td>1</td><td>3.00</td></tr><tr><td colspan='2'>Delivery</td><td>7.95</td></tr></table>"
    )
    assert "| Delivery |  | 7.95 |" in reading(f"<html><body><p>Bill</p>{bill}</body></html>".encode(), "bill.html").text
    menu = (
        "<table><tr><th>Day</th><th>Dish</th><th>Price</th></tr><tr><td rowspan='2'>Monday</td><td>Soup</td><td>4.10</td></tr>"
        "<tr><td>Pie</td><td>6.20</td></tr><tr><td>Tuesday</td><td>Fish</td><td>7.00</td></tr></table>"
    )
    text = reading(f"<html><body><p>Menu</p>{menu}</body></html>".encode(), "menu.html").text
    assert "| Monday | Pie | 6.20 |" in text
    assert "| Tuesday | Fish | 7.00 |" in text


def test_names_over_several_columns_of_a_page_stand_before_those_below(reading: Read) -> None:
    table = (
        "<table><tr><th rowspan=2>Eye</th><th colspan=2>Distance</th><th rowspan=2>Pressure</th></tr>"
        "<tr><th>Sphere</th><th>Axis</th></tr><tr><td>Right</td><td>-2.25</td><td>175</td><td>16</td></tr>"
        "<tr><td>Left</td><td>-1.75</td><td>10</td><td>18</td></tr></table>"
    )
    text = reading(f"<html><body><p>Eyes</p>{table}</body></html>".encode(), "eyes.html").text
    assert "| Eye | Distance Sphere | Distance Axis | Pressure |" in text
    assert "| Left | -1.75 | 10 | 18 |" in text


def test_what_a_page_claims_of_its_cells_makes_no_millions(reading: Read) -> None:
    row = "<tr><td colspan=99999 rowspan=99999>Stake</td><td colspan=x rowspan=-3>2</td></tr>"
    text = reading(f"<html><body><p>Bill</p><table>{row * 200}</table></body></html>".encode(), "bill.html").text
    assert "Stake" in text
    assert len(text) < 200_000


def test_the_title_of_a_table_of_a_page_stands_above_it(reading: Read) -> None:
    def boats(way: str, time: str) -> str:
        head = f"<caption>{way}</caption><tr><th>Boat</th><th>Leaves</th></tr>"
        return f"<table>{head}<tr><td>Evening</td><td>{time}</td></tr></table>"

    text = reading(f"<h1>Ferry</h1>{boats('To the island', '17:30')}{boats('Back', '18:40')}".encode(), "a.html").text
    assert "# To the island\n\n| Boat | Leaves |\n|---|---|\n| Evening | 17:30 |" in text
    assert "# Back\n\n| Boat | Leaves |\n|---|---|\n| Evening | 18:40 |" in text


def test_values_of_many_kinds_have_labels_and_no_name_above_them(reading: Read) -> None:
    document = docx.Document()
    rows = (
        ("Member", "Ludovica Brandt"),
        ("Starts on", "1 November 2026"),
        ("Monthly fee", "€ 44.90"),
        ("Studio", "Hall 12, all areas"),
        ("Member no", "IW-507712"),
    )
    prices = (("Dish", "Price"), ("Soup", "€ 6"), ("Fish", "€ 19"), ("Cake", "€ 5"), ("Tea", "€ 3"))
    for given in (rows, prices):
        table = document.add_table(rows=0, cols=2)
        for row in given:
            for cell, words in zip(table.add_row().cells, row, strict=True):
                cell.text = words
    out = io.BytesIO()
    document.save(out)
    text = reading(out.getvalue(), "a.docx").text
    assert "|  |  |\n|---|---|\n| Member | Ludovica Brandt |" in text
    assert "| Dish | Price |\n|---|---|\n| Soup | € 6 |" in text


def test_terse_names_of_columns_need_not_be_bold(reading: Read) -> None:
    rows = [
        ["Part", "How often", "How"],
        ["Drip tray", "every day", "by hand, warm water"],
        ["Boiler", "every two months", "citric acid"],
        ["Seal", "once a year", "grease"],
    ]
    names = [["Anna", "Kiel", "Teacher"], ["Bruno", "Bonn", "Baker"], ["Clara", "Ulm", "Nurse"], ["Doris", "Jena", "Judge"]]
    plain = ("FONT", (0, 0), (-1, 0), "Helvetica", 10)
    assert "| Part | How often | How |\n|---|---|---|\n| Drip tray |" in reading(table(rows, plain), "a.pdf").text
    assert "|  |  |  |\n|---|---|---|\n| Anna | Kiel | Teacher |" in reading(table(names, plain), "b.pdf").text


def test_labels_with_their_values_are_lines_of_their_own(reading: Read) -> None:
    def cat(canvas: Canvas) -> None:
        for at, line in enumerate(
            ("Patient: Biscuit", "Species: cat, British Shorthair, indoors", "Sex: female, spayed in 2022", "Born: 2021")
        ):
            canvas.drawString(60, 740 - 14 * at, line)

    assert "British Shorthair, indoors\nSex: female" in reading(drawn(cat), "cat.pdf").text


def test_rich_text_has_headings_and_lists(reading: Read) -> None:
    mark = rb"{\listtext\pard\plain \u8226\'95\tab}"
    head = (
        rb"{\rtf1\ansi{\stylesheet{\s1\outlinelevel0 Heading 1;}}\pard\s1\outlinelevel0 Orange cake\par\pard For a tin of 24 cm."
    )
    items = rb"\par\pard " + mark + rb"2 oranges\par\pard " + mark + rb"6 eggs\par\pard Boil the oranges.\par}"
    text = reading(head + items, "cake.rtf").text
    assert text == "# Orange cake\n\nFor a tin of 24 cm.\n\n- 2 oranges\n- 6 eggs\n\nBoil the oranges."


def test_the_number_of_an_item_stands_before_its_words(reading: Read) -> None:
    def steps(canvas: Canvas) -> None:
        canvas.drawString(60, 800, "The first cup")
        canvas.drawString(60, 780, "Do as follows, in this order:")
        for at, words in enumerate(("Fill the tank with fresh water.", "Hold the button for three seconds.")):
            canvas.setFontSize(12)
            canvas.drawString(60, 738 - 40 * at, str(at + 1))
            canvas.setFontSize(10)
            canvas.drawString(80, 740 - 40 * at, words)
        canvas.drawString(60, 640, "Switch it off before you clean it.")
        canvas.drawString(60, 600, "The milk jug may go in the dishwasher.")

    text = reading(drawn(steps), "steps.pdf").text
    assert "1. Fill the tank with fresh water.\n2. Hold the button for three seconds.\n\nSwitch it off" in text


def test_a_term_of_a_letter_stands_before_what_it_is(reading: Read) -> None:
    document = docx.Document()
    for name in ("Definition Term", "Definition"):
        document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
    for style, words in (
        ("Definition Term", "Mr Ferrand"), ("Definition", "leads the trip."), ("Definition Term", "Miss Hart"),
        ("Definition", "looks after medicines."), ("Definition Term", "A term that nobody defines"), ("Normal", "It ends here."),
    ):  # fmt: skip
        document.add_paragraph(words, style)
    out = io.BytesIO()
    document.save(out)
    text = reading(out.getvalue(), "a.docx").text
    assert "Mr Ferrand: leads the trip." in text
    assert "Miss Hart: looks after medicines." in text
    assert "A term that nobody defines" in text


def test_pairs_below_a_wider_table_of_a_sheet_are_none_of_its_rows(reading: Read) -> None:
    kit = [["Item", "Brought by", "Where"], ["Oars", "Rufus", "trailer"], ["Gazebo", "Joss", "shed"], []]
    text = reading(book([*kit, ["Leaves at", "07:15"], ["Parking", "field B, 6 a car"]]), "a.xlsx").text
    assert "| Gazebo | Joss | shed |\n\n|  |  |\n|---|---|\n| Leaves at | 07:15 |" in text
    text = reading(book([*kit, ["Tent", "Hal", 3], ["Cups", "Ida", 4]]), "b.xlsx").text
    assert "| Item | Brought by | Where |\n|---|---|---|\n| Tent | Hal | 3 |" in text


def test_bullets_and_numbers_that_are_drawn_after_all_words_stand_before_their_items(reading: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 740, "Theft is not covered where the bicycle was not locked to a fixed object in the street.")
        for y, words in (
            (715, "Damage to laptops"),
            (701, "Loss while the home is empty"),
            (660, "Ring us"),
            (646, "Write down"),
        ):
            canvas.drawString(84, y, words)
        for y, mark in ((715, "•"), (701, "•"), (660, "1."), (646, "2.")):
            canvas.drawString(72, y, mark)

    text = reading(drawn(draw), "policy.pdf").text
    assert "- Damage to laptops\n- Loss while the home is empty" in text
    assert "1. Ring us\n2. Write down" in text
    assert "•" not in text


def test_small_labels_above_their_values_in_one_column_are_pairs(reading: Read) -> None:
    def draw(canvas: Canvas) -> None:
        y = 760
        for label, *value in (
            ("Policyholder", "Mr Tobias Wren"),
            ("Address insured", "17 Saltburn Place", "York YO10 4DP"),
            ("Period of insurance", "1 August 2026 to 31 July 2027"),
        ):
            canvas.setFont("Helvetica", 8)
            canvas.drawString(60, y, label)
            canvas.setFont("Helvetica", 10)
            for words in value:
                y -= 12
                canvas.drawString(60, y, words)
            y -= 14
        canvas.drawString(60, 640, "The cover ends where the premium has not been paid for two months in a row, or by notice.")

    text = reading(drawn(draw), "schedule.pdf").text
    assert "Address insured: 17 Saltburn Place, York YO10 4DP" in text
    assert "Period of insurance: 1 August 2026 to 31 July 2027" in text


def test_pairs_beside_each_other_with_bold_labels_are_no_table(reading: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 780, "Patient record, as it was printed on the day below for whoever has the animal in care")
        for y, pairs in (
            (750, (("Animal:", "Pixel"), ("Species:", "Cat"))),
            (736, (("Sex:", "female, spayed"), ("Born:", "4 April 2019"))),
            (722, (("Owner:", "Meredith Osei"), ("Phone:", "07700 900 218"))),
        ):
            for x, (label, value) in zip((60, 300), pairs, strict=True):
                canvas.setFont("Helvetica-Bold", 10)
                canvas.drawString(x, y, label)
                canvas.setFont("Helvetica", 10)
                canvas.drawString(x + 50, y, value)

    text = reading(drawn(draw), "record.pdf").text
    assert "Sex: female, spayed\nBorn: 4 April 2019\nOwner: Meredith Osei\nPhone: 07700 900 218" in text
    assert "|" not in text


BOOKED = """We have booked for you:

Arrival ............. Saturday, 6 February 2027, from 3 pm
Price per night ..... EUR 218.00
Guests: . . . . . . . two adults

Chapter one ......... 12
I waited..... and nobody came.
"""


def test_dots_that_lead_to_a_value_part_it_from_its_label(reading: Read) -> None:
    mail = b"From: a@b.example\nTo: c@d.example\nSubject: Booked\n\n" + BOOKED.encode()
    for name, content in (("booked.txt", BOOKED.encode()), ("booked.eml", mail)):
        text = reading(content, name).text
        assert "Arrival: Saturday, 6 February 2027, from 3 pm\nPrice per night: EUR 218.00\nGuests: two adults\n" in text
        assert "Chapter one ......... 12" in text
        assert "I waited..... and nobody came." in text


def test_dots_of_a_page_lead_to_a_value_or_to_the_page_that_a_title_is_on(reading: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for y, words in (
            (760, "Pumpkin soup ......... 4.50"),
            (740, "Trout ........ GBP 18.90"),
            (700, "Chapter one ......... 12"),
        ):
            canvas.drawString(60, y, words)

    text = reading(drawn(draw), "menu.pdf").text
    for line in ("Pumpkin soup: 4.50", "Trout: GBP 18.90", "Chapter one … 12"):
        assert line in text


def pages_of(*flowables: object) -> bytes:
    out = io.BytesIO()
    SimpleDocTemplate(out).build(list(flowables))
    return out.getvalue()


def plain_table(rows: Sequence[Sequence[object]], *style: tuple[object, ...], **options: object) -> Table:
    return Table(rows, style=[("FONTSIZE", (0, 0), (-1, -1), 9), *style], **options)


def test_tables_side_by_side_with_the_same_names_keep_what_stands_above_each(reading: Read) -> None:
    rows = [
        ["To the island: from Quay", "", "", "", "To the quay: from Island", "", ""],
        ["Sails", "Lands", "When", "", "Sails", "Lands", "When"],
        ["06:40", "07:20", "Tue, Thu", "", "08:00", "08:40", "Tue, Thu"],
        ["11:05", "11:45", "every day", "", "13:10", "13:50", "every day"],
        ["17:30", "18:10", "Sat", "", "19:00", "19:40", "Sat"],
    ]
    spans = [("SPAN", (0, 0), (2, 0)), ("SPAN", (4, 0), (6, 0))]
    found = reading(pages_of(plain_table(rows, *spans, colWidths=[55, 55, 75, 40, 55, 55, 75])), "boats.pdf")
    assert "| To the island: from Quay | 11:05 | 11:45 | every day |" in found.text
    assert "| To the quay: from Island | 13:10 | 13:50 | every day |" in found.text
    assert_places(found)


def test_a_head_with_an_empty_corner_names_the_columns(reading: Read) -> None:
    rows = [["", "Weekday", "Weekend", "Season"], ["Sauna", "14.00", "17.00", "190.00"], ["Under ten", "free", "free", "–"]]
    found = reading(pages_of(plain_table(rows, colWidths=[110, 80, 80, 80])), "spa.pdf")
    assert found.text.startswith("|  | Weekday | Weekend | Season |")


def test_years_and_days_above_figures_name_the_columns(reading: Read) -> None:
    years = plain_table([["2021", "2020", "2019"], ["4,120", "3,870", "3,555"]], colWidths=[70] * 3)
    days = plain_table(
        [
            ["Meter", "Serial", "30.06.2023", "30.06.2024", "Used"],
            ["Gas", "G 117", "880,1", "1.020,4", "140,3"],
            ["Heat", "H 9", "0", "512", "512 units"],
        ],
        colWidths=[90] * 5,
    )
    found = reading(pages_of(years, Paragraph("<br/>What was read off:<br/><br/>"), days), "meters.pdf")
    assert "| 2021 | 2020 | 2019 |\n|---|---|---|\n| 4,120 | 3,870 | 3,555 |" in found.text
    assert "| Meter | Serial | 30.06.2023 | 30.06.2024 | Used |\n|---|" in found.text


def test_one_row_of_a_table_on_the_next_page_is_none_of_the_paragraph_below_it(reading: Read) -> None:
    rows = [["Van", "One day", "Week"], *([f"Size {each}", f"€{each}.00", f"€{each * 5}.00"] for each in range(20, 57))]
    text = "Vans are handed out until six in the evening, and are to be brought back with a full tank by noon of the last day."
    found = reading(pages_of(plain_table(rows, colWidths=[110, 80, 80], rowHeights=18.4), Paragraph(text)), "vans.pdf")
    assert {place.label for place in found.places} == {"page 1", "page 2"}
    page_2 = next(found.text[place.start : place.end] for place in found.places if place.label == "page 2")
    assert page_2.startswith("| Van | One day | Week |\n|---|---|---|\n| Size 56 | €56.00 | €280.00 |\n\nVans are handed out")


@pytest.mark.parametrize("vertical", ["TOP", "MIDDLE"])
def test_a_first_cell_of_several_lines_that_is_drawn_before_the_others_is_in_their_row(reading: Read, vertical: str) -> None:
    rows: list[list[object]] = [["Leistung", "Umfang", "Beitrag"]]
    for label, reach, fee in (
        ("Glasbruch an Fenstern und Türen", "nur in der Wohnung", "18,50"),
        ("Haftpflicht", "weltweit", "120,00"),
        ("Schäden durch Hochwasser", "ohne Nebengebäude und Keller", "96,00"),
        ("Fahrräder", "ganz Europa", "44,00"),
    ):
        rows.append([Paragraph(label), Paragraph(reach), fee])
    found = reading(pages_of(plain_table(rows, ("VALIGN", (0, 0), (-1, -1), vertical), colWidths=[80, 95, 80])), "schutz.pdf")
    assert found.text.splitlines() == [
        "| Leistung | Umfang | Beitrag |",
        "|---|---|---|",
        "| Glasbruch an Fenstern und Türen | nur in der Wohnung | 18,50 |",
        "| Haftpflicht | weltweit | 120,00 |",
        "| Schäden durch Hochwasser | ohne Nebengebäude und Keller | 96,00 |",
        "| Fahrräder | ganz Europa | 44,00 |",
    ]


def test_an_address_of_several_lines_takes_no_line_of_the_text_beside_it_for_its_row(reading: Read) -> None:
    def letter(canvas: Canvas) -> None:
        for at, line in enumerate(("Ines Duarte", "9 Harbour Row", "Whitby")):
            canvas.drawString(60, 740 - 13 * at, line)
        for at, line in enumerate(("Our reference: 71", "Your letter of May", "Desk two")):
            canvas.drawString(330, 740 - 13 * at, line)
        for at, line in enumerate(
            ("We read what you sent us, and are glad of it.", "Nothing else is needed from you this year.")
        ):
            canvas.drawString(60, 640 - 13 * at, line)

    found = reading(drawn(letter), "letter.pdf").text
    assert "Ines Duarte\n9 Harbour Row\nWhitby" in found
    assert "|" not in found


def flush_rows(canvas: Canvas, top: float, right: float, rows: Sequence[tuple[str, str]]) -> None:
    """Draw labels at the left, and figures that end at `right`, in points."""
    canvas.setFont("Helvetica", 9.5)
    for at, (label, figure) in enumerate(rows):
        canvas.drawString(50, top - 13 * at, label)
        canvas.drawRightString(right, top - 13 * at, figure)


def test_a_bold_line_between_lists_whose_figures_stand_elsewhere_is_a_heading(reading: Read) -> None:
    def bill(canvas: Canvas) -> None:
        flush_rows(canvas, 760, 430, [("Warm water", "212.40"), ("Lift and stairs", "88.10"), ("Caretaker", "140.00")])
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(50, 760 - 3 * 13 - 16, "Advances from July")
        flush_rows(
            canvas, 760 - 3 * 13 - 32, 300, [("1 July 2031", "55.00"), ("1 October 2031", "55.00"), ("1 January 2032", "60.00")]
        )

    text = reading(drawn(bill), "costs.pdf").text
    assert "| Warm water | 212.40 |\n| Lift and stairs | 88.10 |\n| Caretaker | 140.00 |\n\n" in text
    assert "# Advances from July\n\n|  |  |\n|---|---|\n| 1 July 2031 | 55.00 |\n| 1 October 2031 | 55.00 |" in text


def test_a_column_called_by_a_sign_alone_is_one_and_a_wider_sum_stands_in_it(reading: Read) -> None:
    def bill(canvas: Canvas) -> None:
        rows = (
            ("Tank", "Litres", "Cent a litre", "€"),
            ("House", "1,240", "94.10", "1,166.84"),
            ("Barn", "310", "97.55", "302.41"),
            ("Total", "", "", "1,469.25 €"),
        )
        for at, (first, *others) in enumerate(rows):
            canvas.setFont("Helvetica-Bold" if at in (0, 3) else "Helvetica", 10)
            canvas.drawString(60, 740 - 17 * at, first)
            for right, cell in zip((260, 350, 395), others, strict=True):
                canvas.drawRightString(right, 740 - 17 * at, cell)

    assert reading(drawn(bill), "oil.pdf").text.splitlines() == [
        "| Tank | Litres | Cent a litre | € |",
        "|---|---|---|---|",
        "| House | 1,240 | 94.10 | 1,166.84 |",
        "| Barn | 310 | 97.55 | 302.41 |",
        "| Total |  |  | 1,469.25 € |",
    ]


def test_records_beside_each_other_without_names_are_rows_of_their_own(reading: Read) -> None:
    rows = [
        ["1", "15. Mai 2031", "118,00 €", "2", "15. August 2031", "118,00 €"],
        ["3", "15. November 2031", "118,00 €", "4", "15. Februar 2032", "121,50 €"],
        ["5", "15. Mai 2032", "121,50 €", "", "", ""],
    ]
    assert reading(book(rows), "raten.xlsx").text.split("|---|---|---|\n")[1].splitlines() == [
        "| 1 | 15. Mai 2031 | 118,00 € |",
        "| 2 | 15. August 2031 | 118,00 € |",
        "| 3 | 15. November 2031 | 118,00 € |",
        "| 4 | 15. Februar 2032 | 121,50 € |",
        "| 5 | 15. Mai 2032 | 121,50 € |",
    ]


def test_a_record_with_two_days_and_two_sums_stays_one_row(reading: Read) -> None:
    rows = [[f"{day}.05.2031", f"{day}8,00 €", f"{day + 2}.06.2031", f"{day}8,00 €"] for day in (11, 14, 19)]
    assert "| 11.05.2031 | 118,00 € | 13.06.2031 | 118,00 € |" in reading(book(rows), "paid.xlsx").text
