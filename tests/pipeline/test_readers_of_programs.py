"""Files as LibreOffice and Chromium save them (`bench/made`): what our own generators never draw."""

from __future__ import annotations

from pathlib import Path

from tests.pipeline.given_files import Read

MADE = Path(__file__).parents[2] / "bench" / "made" / "files"


def text_of(reading: Read, name: str) -> str:
    return reading((MADE / name).read_bytes(), name).text


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
