"""Files as LibreOffice, Chromium, Typst and groff save them (`bench/made`, `bench/papers`): what we never draw ourselves."""

from __future__ import annotations

import io
from pathlib import Path
from zipfile import ZipFile

from lattice_common.capture.readers.xlsb_columns import with_columns

from tests.pipeline.given_files import Read, Refuse

BENCH = Path(__file__).parents[2] / "bench"


def text_of(reading: Read, name: str, of: str = "made") -> str:
    return reading((BENCH / of / "files" / name).read_bytes(), name).text


def test_cells_of_two_lines_that_are_drawn_after_all_others_stand_in_their_rows(reading: Read) -> None:
    text = text_of(reading, "school_timetable.pdf")
    assert "| 2 (08:50) | English, room 112 | Geography, room 15 | Sport, gym B |" in text
    assert "| 6 (12:40) |  | Class hour, room 118 |  | Choir, hall |" in text
    assert "Sheet1" not in text


def test_names_that_reach_over_both_rows_of_a_head_are_of_it_and_no_heading(reading: Read) -> None:
    text = text_of(reading, "phone_bill_march.pdf")
    assert "| Line | Tariff | Used Minutes | Used Data | Charged Basic fee | Charged Extra |" in text
    assert "# Used" not in text


def test_a_heading_above_a_table_names_no_columns(reading: Read) -> None:
    text = text_of(reading, "train_booking.pdf")
    assert "## Outward journey, Friday 22 May 2026\n" in text
    assert "| From | Departs | To | Arrives | Train | Seats |" in text


def test_labels_beside_each_other_are_a_line_each_and_name_no_columns(reading: Read) -> None:
    text = text_of(reading, "blood_test.pdf")
    assert "Patient: Marija Horvat\nBorn: 19 July 1968\nSample taken: 5 March 2026, 07:40\n" in text
    assert "|  | Test | Result | Unit | Reference range | Flag |" in text


def test_words_are_whole_where_letters_stand_closer_than_usual(reading: Read) -> None:
    guarantee, manual = text_of(reading, "dishwasher_warranty.pdf", "papers"), text_of(reading, "heat_pump_manual.pdf", "papers")
    assert "| Model | Kvarna SR-640 XL |\n" in guarantee
    assert (
        "| Shop | Hallam Electrics, 4 Mill Street, Buxton |\n| Price paid | £612.00 |\n| Guarantee ends | 10 January 2031 |"
        in guarantee
    )
    assert "## 1. Setting up the controller\n\nPress the wheel for three seconds to wake the display." in manual
    assert "## 4. Technical data\n" in manual


def test_a_cell_of_two_lines_that_is_drawn_before_the_cells_beside_it_is_of_their_row(reading: Read) -> None:
    text = text_of(reading, "statement_may.pdf", "papers")
    assert (
        "| Date | Description | Paid out | Paid in | Balance |\n|---|---|---|---|---|\n"
        "| 1 May | Balance brought forward |  |  | 1,204.18 |\n"
        "| 2 May | Direct debit NORTHERN WATER REF 8841 | 31.20 |  | 1,172.98 |\n"
    ) in text
    assert "| 14 May | Card payment THE CLIMBERS SHOP REFUND |  | 89.95 | 1,172.98 |" in text
    assert "# Tarn Building Society\n\nKendal\n\nStatement no. 5 / 2026\n" in text


def test_a_row_that_is_drawn_at_once_with_gaps_has_cells(reading: Read) -> None:
    text = text_of(reading, "heat_pump_manual.pdf", "papers")
    assert (
        "| F04 | Flow too low | Open all valves, vent the circuit |\n| F11 | Outdoor sensor lost | Call the service |\n" in text
    )


def test_names_of_columns_stand_over_the_middle_of_short_cells(reading: Read) -> None:
    text = text_of(reading, "home_insurance.pdf", "papers")
    assert "| Cause | Excess | Limit |\n|---|---|---|\n| Fire | 1,500 kr | sum insured |\n| Water from pipes | 3,000 kr |" in text


def test_a_table_that_is_set_larger_than_the_text_is_no_heading(reading: Read) -> None:
    text = text_of(reading, "taxe_fonciere.pdf", "papers")
    assert "|  | Base | Taux | Cotisation |\n|---|---|---|---|\n| Commune | 2 118 | 41,62 % | 882 € |\n" in text
    assert "| Frais de gestion |  |  | 44 € |" in text


def test_names_that_are_merged_over_both_rows_of_a_head_stand_beside_those_of_a_group(reading: Read) -> None:
    text = text_of(reading, "eye_test.docx", "papers")
    assert (
        "|  | Distance Sphere | Distance Cylinder | Distance Axis | Addition | Pressure (mmHg) |\n|---|---|---|---|---|---|\n"
        "| Right eye | -2.25 | -0.50 | 175 | +1.25 | 16 |\n"
    ) in text


def test_further_lines_of_a_cell_that_stand_as_far_apart_as_rows_are_of_their_row(reading: Read) -> None:
    text = text_of(reading, "kontoauszug_september.pdf", "kept")
    assert "| 17.09. | 17.09. | Lastschrift Musikschule Klangwerk Cello, 3. Quartal | 186,00 |  |" in text
    assert "|  |  | Neuer Kontostand vom 30.09.2026 |  | 4.008,22 |" in text


def test_a_first_cell_of_two_lines_below_the_names_of_columns_is_one_cell(reading: Read) -> None:
    text = text_of(reading, "plumber_invoice.pdf", "kept")
    assert "| Unvented cylinder, 210 litres, stainless steel, 25 years' guarantee | 1 | 894.00 | 894.00 |" in text


def test_labels_and_values_that_a_tab_sets_apart_are_pairs(reading: Read) -> None:
    text = text_of(reading, "contents_policy.docx", "kept")
    assert "Policy number: HC-90-443718" in text
    assert "Yearly premium: £236.80, paid in ten instalments" in text


def test_cells_of_a_binary_workbook_without_their_column_stand_in_it(reading: Read) -> None:
    """Of SheetJS, as `tests/data/workbooks/bees.js` makes it."""
    made = BENCH.parent / "tests" / "data" / "workbooks" / "bees.xlsb"
    text = reading(made.read_bytes(), "bees.xlsb").text
    assert "| Orchard | unmarked, from the swarm of May | 22.25 | 2026-08-04 |" in text
    assert "| Kelly & Sons | not yet |" in text
    assert with_columns(with_columns(made.read_bytes())) == with_columns(made.read_bytes())


def test_a_binary_workbook_that_breaks_off_is_refused_as_damaged(refusal: Refuse) -> None:
    whole = (BENCH.parent / "tests" / "data" / "workbooks" / "bees.xlsb").read_bytes()
    with ZipFile(io.BytesIO(whole)) as given:
        parts = {name: given.read(name) for name in given.namelist()}
    for share in range(2, 8):
        cut, sheet = io.BytesIO(), "xl/worksheets/sheet1.bin"
        with ZipFile(cut, "w") as out:
            for name, part in parts.items():
                out.writestr(name, part[: len(part) * share // 8] if name == sheet else part)
        assert refusal(cut.getvalue(), "bees.xlsb").code == "broken"
