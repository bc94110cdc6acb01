"""Numbers of spreadsheets as their cells show them, and tables of any document as markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.number_format import number_text
from lattice_common.capture.readers.tables import Cell, Row, write_table
from lattice_common.capture.readers.text_builder import TextBuilder


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (1.0, "", "1"),
        (1.0, "General", "1"),
        (0.1 + 0.2, "", "0.3"),
        (1e20, "", "100000000000000000000"),
        (-2.5, "", "-2.5"),
        (1 / 3, "", "0.333333333"),
        (214 / 3, "General", "71.33333333"),
        (-2 / 3, "General", "-0.666666667"),
        (123456789.25, "", "123456789.25"),
        (0.00001234567891234, "", "0.0000123456789"),
        (12345678901234.5, "0." + "0" * 40, "12345678901234.5" + "0" * 39),
        (0.125, "0.00", "0.13"),
        (2.5, "0", "3"),
        (-0.285, "0.00", "-0.29"),
        (1.005, "0.00", "1.01"),
        (0.125, "0%", "13%"),
        (950.0, '#,##0.00 "EUR"', "950 EUR"),
        (12.5, "#,##0.00\\ [$€-407]", "12.50 €"),
        (-1234.5, '"$"#,##0.00;("$"#,##0.00)', "-$1234.50"),
        (1234.5, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', "$1234.50"),
        (99.0, "[$CHF] #,##0", "CHF 99"),
        (0.475, "0.0%", "47.5%"),
        (0.5, "0%", "50%"),
        (7.0, "00000", "00007"),
        (38 / 1440, "h:mm:ss", "00:38:00"),
        (38 / 1440, "h:mm", "00:38"),
        (38 / 1440, "[h]:mm:ss", "0:38:00"),
        (1_500_000.0, '0.0,,"M"', "1.5M"),
        (3.2, '0.0" km"', "3.2 km"),
        (12345.0, "000-00-0000", "12345"),
        (0.25, "# ?/?", "0.25"),
        (46082.0, "yyyy-mm-dd", "2026-03-01"),
        (46082.5, "d.m.yy h:mm", "2026-03-01 12:00"),
        (46082.0, "d.m.yy h:mm", "2026-03-01"),
        (46082.0, "mmmm yyyy", "March 2026"),
        (46082.0, "[$-407]mmm\\-yy;@", "March 2026"),
        (46082.0, "yyyy", "2026"),
        (0.75, "h:mm AM/PM", "18:00"),
        (1.5, "[h]:mm", "36:00"),
        (1.0, "yyyy-mm-dd", "1900-01-01"),
        (-5.0, "yyyy-mm-dd", "-5"),
        (1e300, "yyyy-mm-dd", f"{10**300 // 10**284}" + "0" * 284),
        (60.0, '[Red][>50]0" items"', "60 items"),
    ],
)
def test_numbers_are_written_as_their_cells_show_them(value: float, code: str, shown: str) -> None:
    assert number_text(value, code) == shown


def test_the_calendar_of_old_macs_begins_four_years_later() -> None:
    assert number_text(44620.0, "yyyy-mm-dd", epoch_1904=True) == "2026-03-01"


@given(st.floats(allow_nan=True, allow_infinity=True), st.text(max_size=40))
def test_any_number_in_any_format_is_written_without_an_error(value: float, code: str) -> None:
    number_text(value, code)


def table(*rows: tuple[str, ...]) -> str:
    builder = TextBuilder(Limits())
    write_table(builder, [Row(tuple(Cell(text, number=text.isdecimal()) for text in row)) for row in rows])
    return builder.build("xlsx").text


def test_bars_and_lines_within_a_cell_do_not_break_its_row() -> None:
    assert table(("a", "b"), ("x|y", "1\n2")) == "| a | b |\n|---|---|\n| x\\|y | 1 2 |"


def test_two_columns_are_labels_and_values_where_the_first_row_is_no_head() -> None:
    assert table(("Rent", "950"), ("Food", "300")).startswith("|  |  |")
    assert table(("Name:", "Ada"), ("Work:", "gardener")).startswith("|  |  |")
    assert table(("City", "Country"), ("Rome", "Italy"), ("Paris", "France")).startswith("| City | Country |")
    assert table(("Item", "Amount"), ("Rent", "950"), ("Food", "300")).startswith("| Item | Amount |")


WORDS = st.text(st.characters(exclude_categories=("C", "Z")), max_size=12)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=6), max_size=8))
def test_no_cell_of_a_table_is_lost(cells: list[list[str]]) -> None:
    text = " ".join(table(*[tuple(row) for row in cells]).split())
    clean = TextBuilder(Limits())
    for row in cells:
        for cell in row:
            clean.add(cell)
    shown = text.replace("\\|", "|")
    for words in clean.build("xlsx").text.split():
        assert words in shown or words.lower().startswith(("total", "sum", "gesamt"))
