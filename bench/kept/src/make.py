"""Make the files whose sources are not pages: `python make.py FOLDER` (fpdf2, python-docx, XlsxWriter, EbookLib, python-pptx)."""

import sys
from pathlib import Path

import docx
import xlsxwriter
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.shared import Cm
from ebooklib import epub
from fpdf import FPDF
from pptx import Presentation
from pptx.util import Inches


def statement(path: Path) -> None:
    """A bank statement, drawn by fpdf2: amounts at the right, one column for what goes out and one for what comes in."""
    made = FPDF(format="A4")
    made.add_page()
    made.set_font("Helvetica", "B", 15)
    made.cell(0, 10, "Sparkasse Uferland", new_x="LMARGIN", new_y="NEXT")
    made.set_font("Helvetica", size=9)
    made.cell(0, 5, "Kontoauszug 9/2026, Blatt 1", new_x="LMARGIN", new_y="NEXT")
    made.cell(0, 5, "Konto 4471 2290 18, IBAN DE41 2505 0180 4471 2290 18", new_x="LMARGIN", new_y="NEXT")
    made.cell(0, 5, "Kontoinhaberin: Friederike Talbach", new_x="LMARGIN", new_y="NEXT")
    made.cell(0, 5, "Erstellt am 30.09.2026", new_x="LMARGIN", new_y="NEXT")
    made.ln(4)
    widths = (20, 20, 92, 28, 28)
    made.set_font("Helvetica", "B", 9)
    for width, name in zip(widths, ("Buchung", "Wert", "Vorgang", "Soll EUR", "Haben EUR"), strict=True):
        made.cell(width, 6, name, border="B", align="R" if "EUR" in name else "L")
    made.ln()
    made.set_font("Helvetica", size=9)
    rows = (
        ("", "", "Alter Kontostand vom 31.08.2026", "", "2.318,44"),
        ("01.09.", "01.09.", "Dauerauftrag|Hausverwaltung Quendt|Miete Birkenweg 6", "890,00", ""),
        ("03.09.", "04.09.", "Lastschrift|Stadtwerke Uferland|Abschlag Strom 09/26", "64,00", ""),
        ("08.09.", "08.09.", "Kartenzahlung|Buchhandlung Mohr, Uferland", "37,80", ""),
        ("15.09.", "15.09.", "Gutschrift|Finanzamt Uferland|Erstattung Einkommensteuer 2025", "", "412,67"),
        ("17.09.", "17.09.", "Lastschrift|Musikschule Klangwerk|Cello, 3. Quartal", "186,00", ""),
        ("24.09.", "24.09.", "Bargeldauszahlung|Automat Bahnhof", "150,00", ""),
        ("28.09.", "28.09.", "Gehalt|Tischlerei Brodersen GmbH|Lohn 09/26", "", "2.604,91"),
        ("", "", "Neuer Kontostand vom 30.09.2026", "", "4.008,22"),
    )
    for row in rows:
        for part_at, part in enumerate(row[2].split("|")):
            shown = row if part_at == 0 else ("", "", "", "", "")
            for at, width in enumerate(widths):
                made.cell(width, 5, part if at == 2 else shown[at], align="R" if at > 2 else "L")
            made.ln()
        made.ln(1)
    made.ln(4)
    made.multi_cell(0, 5, "Dispositionskredit: 3.000,00 EUR, Sollzins 10,9 % p. a. Der Freistellungsauftrag betraegt 1.000,00 EUR. "
                          "Ab 1. Januar 2027 kostet die Kontofuehrung 5,90 EUR im Monat (bisher 4,50 EUR).")  # fmt: skip
    made.output(str(path))


def policy(path: Path) -> None:
    """An insurance policy as Word has it: a running head, tabs between label and value, merged cells, numbered conditions."""
    made = docx.Document()
    made.sections[0].header.paragraphs[0].text = "Albion Mutual · Home contents insurance"
    made.sections[0].footer.paragraphs[0].text = "Albion Mutual is authorised by the Prudential Regulation Authority. Page 1"
    made.add_heading("Your policy schedule", 0)
    for label, value in (
        ("Policyholder", "Cornelius Vane"),
        ("Policy number", "HC-90-443718"),
        ("Insured address", "Weir Cottage, Mill Street, Bakewell DE45 1AH"),
        ("Period of insurance", "1 November 2026 to 31 October 2027"),
        ("Yearly premium", "£236.80, paid in ten instalments"),
        ("Broker", "Peak Cover Ltd, 01629 555 881"),
    ):
        paragraph = made.add_paragraph(f"{label}\t{value}")
        paragraph.paragraph_format.tab_stops.add_tab_stop(Cm(6), WD_TAB_ALIGNMENT.LEFT)
    made.add_heading("What is covered", 1)
    table = made.add_table(rows=1, cols=4)
    table.style = "Table Grid"
    for cell, name in zip(table.rows[0].cells, ("Section", "Item", "Limit", "Excess"), strict=True):
        cell.text = name
    for row in (
        ("In the home", "Contents as a whole", "£60,000", "£150"),
        ("", "Single valuable item", "£2,500", "£150"),
        ("", "Frozen food", "£400", "none"),
        ("Away from home", "Pedal cycles", "£1,200", "£100"),
        ("", "Hearing aids", "£3,000", "£75"),
        ("", "Money", "£500", "none"),
    ):
        for cell, words in zip(table.add_row().cells, row, strict=True):
            cell.text = words
    table.cell(1, 0).merge(table.cell(3, 0))
    table.cell(4, 0).merge(table.cell(6, 0))
    made.add_heading("Conditions", 1)
    for condition in (
        "All outside doors must have a five-lever lock. The cellar window must be barred.",
        "If the home is empty for more than 45 days in a row, theft and escape of water are not covered.",
        "Claims must be reported within thirty days, on 0800 555 7740 or at claims.albion.example.",
        "You may cancel within fourteen days of receiving this schedule and get the whole premium back. Later, a fee of £30 is kept.",
    ):
        made.add_paragraph(condition, style="List Number")
    made.add_heading("Endorsements", 1)
    made.add_paragraph("The violin by J. B. Colin, made in 1893, is insured for £7,800 anywhere in Europe, in a hard case only.")
    made.add_paragraph("Flooding from the river Wye is excluded, following the survey of 9 June 2026.")
    made.save(str(path))


def budget(path: Path) -> None:
    """A budget with a title, heads of two rows with merged cells, sections, formulas, and notes beside the table."""
    book = xlsxwriter.Workbook(str(path))
    bold, money, head = (
        book.add_format({"bold": True}),
        book.add_format({"num_format": "£#,##0.00"}),
        book.add_format({"bold": True, "align": "center", "border": 1}),
    )
    sheet = book.add_worksheet("Canoe club 2026")
    sheet.merge_range("A1:G1", "Kingfisher Canoe Club: budget 2026", bold)
    sheet.merge_range("A3:A4", "Heading", head)
    sheet.merge_range("B3:C3", "First half", head)
    sheet.merge_range("D3:E3", "Second half", head)
    sheet.merge_range("F3:F4", "Variance", head)
    for column, name in zip("BCDE", ("Planned", "Actual", "Planned", "Actual"), strict=True):
        sheet.write(f"{column}4", name, head)
    at = 5
    for section, rows in (
        ("Income", (("Subscriptions", 2400, 2535.5, 300, 210), ("Hire of boats", 600, 488, 900, 1012.25), ("Grants", 0, 0, 1500, 1500))),
        ("Expenditure", (("Repairs to the boathouse", 850, 1196.4, 200, 75), ("Insurance", 640, 655.2, 0, 0),
                         ("Coaching courses", 300, 180, 450, 612), ("Trailer tax and tyres", 120, 133.9, 60, 0))),
    ):  # fmt: skip
        sheet.write(f"A{at}", section, bold)
        at += 1
        for name, *values in rows:
            sheet.write(f"A{at}", name)
            for column, value in zip("BCDE", values, strict=True):
                sheet.write_number(f"{column}{at}", value, money)
            sheet.write_formula(f"F{at}", f"=C{at}+E{at}-B{at}-D{at}", money, values[1] + values[3] - values[0] - values[2])
            at += 1
    sheet.write("H3", "Remarks", bold)
    sheet.write("H5", "The grant is from Sport Wales")
    sheet.write("H6", "The treasurer is Meredith Pugh")
    boats = book.add_worksheet("Boats")
    for column, name in enumerate(("Boat", "Type", "Bought", "Seats", "Kept at")):
        boats.write(0, column, name, bold)
    day = book.add_format({"num_format": "d mmm yyyy"})
    for row, (name, kind, bought, seats, kept) in enumerate(
        (("Heron", "Canadian", 43922, 3, "Rack 2"), ("Dipper", "Kayak", 44713, 1, "Rack 5"), ("Otter", "Canadian", 45432, 2, "Trailer")), 1
    ):  # fmt: skip
        boats.write(row, 0, name)
        boats.write(row, 1, kind)
        boats.write_number(row, 2, bought, day)
        boats.write_number(row, 3, seats)
        boats.write(row, 4, kept)
    book.close()


CHAPTER = """<h1>Chapter 3: The lock-keeper's winter</h1>
<p>Jonas Wetherall had kept the lock at Tilbourne since the spring of the great flood, and in nineteen years he had not slept a night
anywhere else. The house had two rooms, a range that smoked when the wind stood in the east, and a clock that had been his mother's
and lost eleven minutes a day. He set it by the mail boat.</p>
<p>That December the boat did not come. On the third morning without it he walked down to the sluice and found the ice a hand thick,
and in the ice, upright like a post, an oar with a blue blade. He knew the oar. There was only one man on the river who painted his
blades blue, and that was Absalom Crane, the eel fisher from Netherby, to whom he had not spoken since the quarrel about the weir.</p>
<p>He fetched the axe and the long ladder. It took him until noon to reach the reeds on the other side, lying on his belly on the
ladder and pushing it before him. The punt was there, frozen in, and empty but for a lantern, a coil of line and a tin box. In the tin
box were forty-two pounds in notes, and a letter that was addressed to his sister Agnes.</p>
<h2>The letter</h2>
<p>He did not open it. He put it behind the clock, where the damp could not get at it, and for nine days he wound the clock and did not
look at what was behind. On the tenth Agnes came herself, over the fields from Staunton, with her skirts frozen stiff to the knee,
and said that she was going to marry Absalom Crane at Candlemas, if he was alive, and that if he was not she would have the dog.</p>
<p>The dog was called Sexton. It had one ear, and it had been sleeping under Jonas's range all the while without his having noticed it
was not his own.</p>"""


def chapter(path: Path) -> None:
    """A chapter of a book."""
    book = epub.EpubBook()
    book.set_title("The Water Year")
    book.set_language("en")
    book.add_author("Harriet Lindqvist")
    page = epub.EpubHtml(title="The lock-keeper's winter", file_name="c3.xhtml", lang="en")
    page.content = CHAPTER
    book.add_item(page)
    book.toc = (page,)
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    book.spine = ["nav", page]
    epub.write_epub(str(path), book)


def camp(path: Path) -> None:
    """Slides with a table, a slide of its title alone, text boxes without a placeholder, and notes."""
    made = Presentation()
    first = made.slides.add_slide(made.slide_layouts[0])
    first.shapes.title.text = "Summer camp 2027"
    first.placeholders[1].text = "1st Wickham Scouts · parents' evening, 24 November 2026"
    made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = "We go to Gilwell in the first week of August!"
    where = made.slides.add_slide(made.slide_layouts[1])
    where.shapes.title.text = "Getting there"
    where.placeholders[1].text = (
        "The coach leaves the church car park at 7.45 on Saturday 31 July\n"
        "Back on Saturday 7 August at about four\n"
        "Leader on the coach: Akela (Dorothea Finch), 07700 900 318"
    )
    where.notes_slide.notes_text_frame.text = "Remind everybody that the driver takes no food on board."
    cost = made.slides.add_slide(made.slide_layouts[5])
    cost.shapes.title.text = "What it costs"
    table = cost.shapes.add_table(4, 3, Inches(1), Inches(2), Inches(8), Inches(2)).table
    for row, cells in enumerate(
        (("", "First child", "Each further child"), ("Camp fee", "£248", "£212"), ("Kayaking (if you like)", "£36", "£36"), ("Deposit by 15 January", "£60", "£40"))
    ):  # fmt: skip
        for column, words in enumerate(cells):
            table.cell(row, column).text = words
    box = cost.shapes.add_textbox(Inches(1), Inches(5), Inches(8), Inches(1)).text_frame
    box.text = "The hardship fund pays up to half: speak to Terence Oduya in confidence."
    pack = made.slides.add_slide(made.slide_layouts[1])
    pack.shapes.title.text = "In the rucksack"
    pack.placeholders[
        1
    ].text = "Sleeping bag and roll mat\nWellingtons\nA mug, no glass\nNo telephones: the leaders keep one for emergencies\nPocket money of at most £25"
    made.save(str(path))


def main() -> None:
    out = Path(sys.argv[1])
    statement(out / "kontoauszug_september.pdf")
    policy(out / "contents_policy.docx")
    budget(out / "canoe_budget.xlsx")
    chapter(out / "water_year_chapter.epub")
    camp(out / "summer_camp.pptx")


if __name__ == "__main__":
    main()
