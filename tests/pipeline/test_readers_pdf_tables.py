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
        "| Apples from Hood River | 12.50 | 2 |", "| Pears |  | 3 kg |", "| Plums | 8 | 1 |",
    ]  # fmt: skip


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
