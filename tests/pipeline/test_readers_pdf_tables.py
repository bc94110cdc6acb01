"""Tables, lists and letters of PDFs, which know only where pieces of text stand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import read
from lattice_common.domain.capture import place_at
from lattice_common.domain.reading import Reading, Unreadable

from tests.data import documents as made

COLUMNS = (72, 220, 320)


def reading(tmp_path: Path, *pages: bytes) -> Reading:
    path = tmp_path / "file"
    path.write_bytes(made.pdf(*pages))
    found = read(path, "file.pdf", Limits(), lambda _done, _total: None)
    assert isinstance(found, Reading), found
    return found


def at(x: float, y: float, text: str, font: str = "F1", size: float = 11) -> bytes:
    return made.lines(text, top=y, font=font, size=size).replace(b" 72 ", f" {x} ".encode())


def row(y: float, *texts: str, font: str = "F1", columns: Sequence[float] = COLUMNS) -> bytes:
    return b"\n".join(at(x, y, text, font) for x, text in zip(columns, texts, strict=True) if text)


def test_rows_below_a_bold_line_have_its_names(tmp_path: Path) -> None:
    page = b"\n".join(
        (
            at(72, 740, "The cellars were measured all winter, each by its owner, on Mondays."),
            row(710, "Floor", "Humidity", "Loss", font="F2"),
            row(692, "Earth", "90 %", "4 %"),
            row(674, "Concrete", "60 %", "19 %"),
            at(72, 640, "Earth is better."),
        )
    )
    found = reading(tmp_path, page)
    assert found.text.split("\n\n")[1:] == [
        "| Floor | Humidity | Loss |\n|---|---|---|\n| Earth | 90 % | 4 % |\n| Concrete | 60 % | 19 % |",
        "Earth is better.",
    ]
    assert place_at(found.places, found.text.index("Concrete")) == "page 1"


def test_a_row_of_words_above_numbers_names_them_and_an_empty_cell_stays_empty(tmp_path: Path) -> None:
    page = b"\n".join(
        (
            row(710, "Item", "Price", "Weight"),
            row(692, "Apples from Hood River", "12.50", "2"),
            row(674, "Pears", "", "3"),
            at(72, 661, "of the old tree").replace(b" 72 ", b" 320 ").replace(b"of the old tree", b"kg"),
            row(640, "Plums", "8", "1"),
        )
    )
    assert reading(tmp_path, page).text.splitlines()[2:] == [
        "| Apples from Hood River | 12.50 | 2 |",
        "| Pears |  | 3 kg |",
        "| Plums | 8 | 1 |",
    ]


def test_letters_with_serifs_are_narrower_and_what_is_odd_about_a_font_harms_nothing(tmp_path: Path) -> None:
    rows = [
        row(710 - 18 * at, *each, columns=(72, 129))
        for at, each in enumerate((("Month", "Heat"), ("February", "1,180"), ("June", "90")))
    ]
    plain = made.pdf(b"\n".join(rows))
    for font in (b"/BaseFont /Times-Roman", b"/BaseFont /X /DescendantFonts 7", b"/BaseFont /X /FontDescriptor << /Flags (a) >>"):
        path = tmp_path / "file"
        path.write_bytes(plain.replace(b"/BaseFont /Helvetica ", font + b" "))
        found = read(path, "file.pdf", Limits(), lambda _done, _total: None)
        if b"Flags (a)" in font:  # which letters it draws cannot be told, and noise is not stored
            assert isinstance(found, Unreadable)
            assert "OCR" in found.reason
            continue
        assert isinstance(found, Reading), found
        assert found.text
        if b"Times" in font:
            assert "| February | 1,180 |" in found.text


def test_labels_with_their_values_are_rows_without_names(tmp_path: Path) -> None:
    page = b"\n".join(
        row(710 - 18 * number, *each, columns=(72, 260))
        for number, each in enumerate((("Invoice no.", "2026-117"), ("Due", "15 March 2026"), ("Paid by", "Ada Miller")))
    )
    assert reading(tmp_path, page).text.splitlines() == [
        "|  |  |", "|---|---|", "| Invoice no. | 2026-117 |", "| Due | 15 March 2026 |", "| Paid by | Ada Miller |",
    ]  # fmt: skip


def test_bullets_apart_from_their_items_and_words_drawn_one_by_one_are_no_table(tmp_path: Path) -> None:
    bullets = [row(740 - 14 * number, "\u2022", f"Item of the list, number {number}", columns=(72, 90)) for number in range(3)]
    words = [
        b"\n".join(at(x, 680 - 14 * number, word) for x, word in line)
        for number, line in enumerate(
            (
                ((72, "The cellars were"), (170, "measured by their"), (280, "owners")),
                ((72, "on Mondays, which"), (181, "is when most of"), (282, "them")),
                ((72, "have time for it."),),
            )
        )
    ]
    assert "|" not in reading(tmp_path, b"\n".join((*bullets, *words))).text


def test_items_without_marks_are_parted_and_end_where_the_text_begins_again(tmp_path: Path) -> None:
    page = b"\n".join(
        (
            at(72, 740, "What was found in the cellar is this, in the order in which it was found there."),
            at(102, 726, "Relative humidity of 82 percent"),
            at(102, 712, "Main valve behind the boiler"),
            at(72, 698, "Inspected by Omar Haddad on 3 May 2026, together with his son and the owner."),
        )
    )
    assert reading(tmp_path, page).text.split("\n\n")[1:] == [
        "Relative humidity of 82 percent",
        "Main valve behind the boiler",
        "Inspected by Omar Haddad on 3 May 2026, together with his son and the owner.",
    ]


def test_what_a_browser_prints_around_a_page_is_left_out(tmp_path: Path) -> None:
    page = b"\n".join(
        (
            at(24, 819, "11/21/26, 5:56 PM Bill", size=8),
            made.lines("The bill is due in March.", "It is paid by Ada.", "It was checked.", top=700),
            at(24, 17, "https://example.org/bill?x=1", size=8),
            at(558, 17, "1/1", size=8),
        )
    )
    assert reading(tmp_path, page).text == "The bill is due in March. It is paid by Ada. It was checked."


def test_the_greeting_of_a_letter_stands_by_itself_and_a_day_begins_no_list(tmp_path: Path) -> None:
    page = made.lines(
        "14. Januar 2026", "", "Sehr geehrte Frau Miller,", "", "im Januar war es kalt, und es blieb so bis in den Mai."
    )
    assert reading(tmp_path, page).text.split("\n\n") == [
        "14. Januar 2026",
        "Sehr geehrte Frau Miller,",
        "im Januar war es kalt, und es blieb so bis in den Mai.",
    ]


def moved(*parts: tuple[float, float, str], font: str = "F1") -> bytes:
    """All of them in one text object, each moved to by its own matrix, as several programs draw whole tables."""
    shown = (f"1 0 0 1 {x} {y} Tm ({text}) Tj" for x, y, text in parts)
    return f"BT /{font} 10 Tf {' '.join(shown)} ET".encode()


def test_cells_that_are_drawn_in_one_text_object_are_cells(tmp_path: Path) -> None:
    head = moved((72, 700, "Charge"), (220, 700, "Units"), (320, 700, "Cost"), font="F2")
    body = moved(
        (72, 684, "Gas"),
        (220, 684, "3186"),
        (320, 684, "198.81"),
        (72, 668, "Standing charge"),
        (220, 668, "90"),
        (320, 668, "28.49"),
    )
    assert reading(tmp_path, head + b"\n" + body).text == (
        "| Charge | Units | Cost |\n|---|---|---|\n| Gas | 3186 | 198.81 |\n| Standing charge | 90 | 28.49 |"
    )


def test_words_that_are_drawn_letter_by_letter_stay_words(tmp_path: Path) -> None:
    letters = [(72 + 5.56 * at, 700.0, each) for at, each in enumerate("pound")]
    assert reading(tmp_path, moved(*letters)).text == "pound"


def test_a_first_cell_of_two_lines_is_the_row_beside_it_and_a_line_between_rows_names_those_below(tmp_path: Path) -> None:
    head = moved((72, 700, "Deductions"), (220, 700, "Month"), (320, 700, "Year"), font="F2")
    rows = [(72, 684, "Income tax"), (220, 684, "506.60"), (320, 684, "5871.40"), (72, 667, "National"), (72, 656, "Insurance"),
            (220, 661.5, "202.66"), (320, 661.5, "2344.12"), (72, 640, "Pension"), (220, 640, "179.06"), (320, 640, "2040.00"),
            (72, 620, "Savings"), (72, 604, "Fund"), (220, 604, "45.00"), (320, 604, "270.00")]  # fmt: skip
    text = reading(tmp_path, head + b"\n" + moved(*rows)).text
    assert "National Insurance | 202.66 | 2344.12 |" in text
    assert "| Savings | Fund | 45.00 | 270.00 |" in text


def test_the_name_of_a_column_that_stands_between_both_rows_of_a_head_is_its_name(tmp_path: Path) -> None:
    head = moved((72, 691, "Period"), (180, 702, "Monday"), (320, 702, "Tuesday"), (180, 680, "Subject"), (250, 680, "Room"),
                 (320, 680, "Subject"), (400, 680, "Room"), font="F2")  # fmt: skip
    body = moved(
        (72, 664, "08:50"), (180, 664, "Physics"), (250, 664, "Lab 2"), (320, 664, "English"), (400, 664, "118"),
        (72, 648, "10:00"), (180, 648, "History"), (250, 648, "206"), (320, 648, "Art"), (400, 648, "Studio"),
    )  # fmt: skip
    assert reading(tmp_path, head + b"\n" + body).text.splitlines()[0] == (
        "| Period | Monday Subject | Monday Room | Tuesday Subject | Tuesday Room |"
    )


def test_pairs_of_labels_and_values_beside_each_other_are_a_row_each(tmp_path: Path) -> None:
    page = moved(
        (72, 700, "Registration"), (180, 700, "YK19 ZDB"), (320, 700, "Invoice date"), (430, 700, "11 March 2026"),
        (72, 684, "Mileage"), (180, 684, "48216"), (320, 684, "Job no."), (430, 684, "7730"),
    )  # fmt: skip
    assert reading(tmp_path, page).text.splitlines()[2:] == [
        "| Registration | YK19 ZDB |",
        "| Invoice date | 11 March 2026 |",
        "| Mileage | 48216 |",
        "| Job no. | 7730 |",
    ]


def test_a_dash_in_a_cell_of_its_own_is_that_cell_and_the_table_goes_on(tmp_path: Path) -> None:
    head = moved((72, 700, "Stop"), (220, 700, "Car 1"), (320, 700, "Car 2"), font="F2")
    body = moved(
        (72, 684, "Harbour"), (220, 684, "05:12"), (320, 684, "06:02"),
        (72, 668, "Zoo"), (220, 668, "-"), (320, 668, "06:26"),
        (72, 652, "Uplands"), (220, 652, "05:39"), (320, 652, "06:33"),
    )  # fmt: skip
    assert reading(tmp_path, head + b"\n" + body).text == (
        "| Stop | Car 1 | Car 2 |\n|---|---|---|\n| Harbour | 05:12 | 06:02 |\n| Zoo | - | 06:26 |\n| Uplands | 05:39 | 06:33 |"
    )


def test_numbers_of_an_account_above_a_table_name_no_group_of_its_columns(tmp_path: Path) -> None:
    above = moved((72, 716, "Sort code 40-61-18"), (300, 716, "Account 31904427"))
    head = moved((72, 700, "Opening"), (180, 700, "Paid in"), (300, 700, "Paid out"), (420, 700, "Closing"), font="F2")
    body = moved((72, 684, "204.16"), (180, 684, "571.40"), (300, 684, "63.57"), (420, 684, "711.99"))
    assert "| Opening | Paid in | Paid out | Closing |" in reading(tmp_path, b"\n".join((above, head, body))).text


def test_a_cell_whose_word_is_drawn_in_two_parts_is_one_cell(tmp_path: Path) -> None:
    head = moved((72, 700, "Date"), (140, 700, "Details"), (400, 700, "Out"), (480, 700, "Balance"), font="F2")
    body = moved(
        (72, 684, "1 Aug"), (140, 684, "Standing order: rent, Mrs Gilchrist of number 4"), (400, 684, "690.00"),
        (480, 684, "514.16"),
        (72, 668, "5 Aug"), (140, 668, "Direct debit: Yorkshire W"), (268, 668, "ater"), (400, 668, "38.60"),
        (480, 668, "427.74"),
        (72, 652, "9 Aug"), (140, 652, "Cash machine"), (400, 652, "60.00"), (480, 652, "367.74"),
    )  # fmt: skip
    assert "| 5 Aug | Direct debit: Yorkshire Water | 38.60 | 427.74 |" in reading(tmp_path, head + b"\n" + body).text


def test_a_title_above_the_head_of_the_next_table_is_no_row_of_the_last(tmp_path: Path) -> None:
    first = row(710, "Place", "Paid in", "Paid out", font="F2"), row(692, "York", "571.40", "63.57")
    title = at(72, 674, "Transactions", font="F2")
    second = row(656, "Date", "Out", "In", font="F2"), row(638, "1 Aug", "690.00", "12.00")
    text = reading(tmp_path, b"\n".join((*first, title, *second))).text
    assert "Transactions |" not in text
    assert "| Date | Out | In |\n|---|---|---|\n| 1 Aug | 690.00 | 12.00 |" in text


def boxes(y: float, *pairs: tuple[str, str], apart: float = 130) -> bytes:
    """Labels, each with its value below it in bold, one box after the other, as payslips and bills are headed."""
    shown = [
        (at(72 + apart * number, y, label, size=7), at(72 + apart * number, y - 14, value, "F2", 9))
        for number, (label, value) in enumerate(pairs)
    ]
    return b"\n".join(part for box in shown for part in box)


def test_values_below_their_labels_in_boxes_side_by_side_are_pairs(tmp_path: Path) -> None:
    page = boxes(740, ("Employee", "Ada Byron"), ("Works no.", "20418"), ("Tax code", "1183M"))
    text = reading(tmp_path, page + b"\n" + boxes(700, ("Net pay", "2,321.07"), ("Holiday left", "9.5 days"))).text
    assert text.split("\n\n") == [
        "Employee: Ada Byron", "Works no.: 20418", "Tax code: 1183M", "Net pay: 2,321.07", "Holiday left: 9.5 days",
    ]  # fmt: skip


def test_figures_below_their_names_in_the_same_letters_are_pairs(tmp_path: Path) -> None:
    columns = (("Opening balance", "1,204.63"), ("Money in", "2,391.18"), ("Money out", "2,017.55"))
    page = b"\n".join(
        part
        for number, (label, value) in enumerate(columns)
        for part in (at(72 + 140 * number, 740, label), at(72 + 140 * number, 727, value))
    )
    assert reading(tmp_path, page).text.split("\n\n") == [
        "Opening balance: 1,204.63",
        "Money in: 2,391.18",
        "Money out: 2,017.55",
    ]


def test_addresses_beside_each_other_and_columns_of_text_are_no_pairs(tmp_path: Path) -> None:
    sides = (72, ("Ada Byron", "12 Mill Lane", "Ely CB7 4AB")), (320, ("Fenland Pumps", "4 Quay", "Wisbech PE13 1AA"))
    words = (72, ("The pump is quiet", "and cheap to run")), (320, ("Nobody has asked", "for another one"))
    for given in (sides, words):
        page = b"\n".join(at(x, 740 - 13 * row, line) for x, lines in given for row, line in enumerate(lines))
        assert ": " not in reading(tmp_path, page).text


def test_names_at_the_left_of_their_columns_stand_above_figures_at_the_right(tmp_path: Path) -> None:
    head = moved((72, 700, "Description"), (300, 700, "Qty"), (370, 700, "Rate"), (440, 700, "Amount"), font="F2")
    body = moved(
        (72, 684, "Sash windows, glazed"), (72, 673, "made to match the others"), (335, 673, "4"), (404, 673, "985.00"),
        (480, 673, "3,940.00"),
        (72, 660, "Fitting, two joiners"), (72, 649, "19 to 23 October"), (335, 649, "5"), (404, 649, "520.00"),
        (480, 649, "2,600.00"),
        (72, 636, "Skip hire"), (335, 636, "1"), (404, 636, "215.00"), (480, 636, "215.00"),
    )  # fmt: skip
    assert reading(tmp_path, head + b"\n" + body).text.splitlines() == [
        "| Description | Qty | Rate | Amount |",
        "|---|---|---|---|",
        "| Sash windows, glazed made to match the others | 4 | 985.00 | 3,940.00 |",
        "| Fitting, two joiners 19 to 23 October | 5 | 520.00 | 2,600.00 |",
        "| Skip hire | 1 | 215.00 | 215.00 |",
    ]


def test_what_is_bold_above_an_address_names_nothing_at_the_other_side(tmp_path: Path) -> None:
    left = (at(72, 720, "Bill to", "F2"), at(72, 707, "Ada Byron"), at(72, 694, "12 Mill Lane"))
    right = row(720, "Invoice", "26-1187", columns=(320, 420)), row(706, "Due", "17 November 2026", columns=(320, 420))
    page = b"\n".join((at(72, 760, "Hollis & Dray", "F2", 17), *left, *right))
    text = reading(tmp_path, page).text
    assert text.startswith("# Hollis & Dray\n\nBill to\nAda Byron\n12 Mill Lane\n\n|")
    below = b"\n".join((at(72, 760, "Hollis & Dray", "F2", 17), *left, at(72, 660, "It is due in a week, all of it.")))
    assert "## Bill to" in reading(tmp_path, below).text


def test_cells_of_several_lines_are_drawn_before_those_beside_them_and_a_total_stands_below(tmp_path: Path) -> None:
    where = (72, 100, 260, 310, 360, 430)

    def cell(column: int, y: float, text: str, size: float = 8) -> bytes:
        return at(where[column], y, text, size=size)

    drawn = [
        *((n, 710, name) for n, name in enumerate(("Po", "Work", "Qty", "Unit", "Each", "Sum")) if n),
        *((0, 685, "1"), (1, 685, "Call-out and finding the leak"), (1, 675, "under the bath")),
        *((2, 685, "1"), (3, 685, "-"), (4, 685, "45.00"), (5, 685, "45.00")),
        *(
            (0, 660, "2"),
            (1, 660, "Labour, plumber, incl. removing"),
            (1, 650, "and refitting of the panel"),
            (1, 640, "and tiles"),
        ),
        *((2, 660, "3.5"), (3, 660, "h"), (4, 660, "48.00"), (5, 660, "168.00")),
        *((n, 625, text) for n, text in enumerate(("3", "Disposal of old parts", "-", "-", "-", "free"))),
    ]
    totals = [("Net", "213.00"), ("Total GBP", "255.60")]
    page = b"\n".join(
        (
            *(cell(0, 710, "Po"), cell(0, 700, "s")),
            *(cell(*each) for each in drawn),
            *(
                at(x, 600 - 14 * n, text, size=10)
                for n, pair in enumerate(totals)
                for x, text in zip((300, 500), pair, strict=True)
            ),
        )
    )
    found = reading(tmp_path, page).text
    assert "| Po s | Work | Qty | Unit | Each | Sum |" in found
    assert "| 1 | Call-out and finding the leak under the bath | 1 | - | 45.00 | 45.00 |" in found
    assert "| 2 | Labour, plumber, incl. removing and refitting of the panel and tiles | 3.5 | h | 48.00 | 168.00 |" in found
    assert "| 3 | Disposal of old parts | - | - | - | free |" in found
    assert "| Net | 213.00 |\n| Total GBP | 255.60 |" in found


def test_a_dash_close_behind_the_cell_before_it_has_its_own_column(tmp_path: Path) -> None:
    where = (72, 140, 224, 290, 350)
    rows = [("Morning", "08:00 – 13:00", "34.50", "32.00", "29.50"), ("Full day", "08:00 – 18:00", "62.00", "58.00", "54.00")]
    page = b"\n".join(
        (
            row(710, "Session", "Times", "Under 2", "2 years", "3 years", columns=where),
            *(row(690 - 16 * n, *cells, columns=where) for n, cells in enumerate(rows)),
            row(658, "School day", "09:00 – 15:00", "-", "41.00", "38.50", columns=where),
        )
    )
    assert "| School day | 09:00 – 15:00 | - | 41.00 | 38.50 |" in reading(tmp_path, page).text
