"""Tables of plain text, whose columns spaces set apart."""

from __future__ import annotations

import pytest
from lattice_common.capture.readers.aligned_rows import with_aligned_rows

HIRE = """Dear Otto,

here is what we agreed:

Boat        Days   Rate         Sum
----------  -----  ---------    ----------
Kayak       3      CHF 28.00    CHF  84.00
Canoe for two   2     CHF 45.00    CHF  90.00
Trailer                         CHF  15.00
                        Total   CHF 189.00
Bring the paddles back dry.
"""


def test_lines_below_a_head_are_rows_with_columns() -> None:
    found = with_aligned_rows(HIRE)
    assert found == (
        "Dear Otto,\n\nhere is what we agreed:\n\n"
        "| Boat | Days | Rate | Sum |\n|---|---|---|---|\n"
        "| Kayak | 3 | CHF 28.00 | CHF 84.00 |\n| Canoe for two | 2 | CHF 45.00 | CHF 90.00 |\n"
        "| Trailer |  |  | CHF 15.00 |\n| Total |  |  | CHF 189.00 |\n\n"
        "Bring the paddles back dry.\n"
    )


def test_rows_that_begin_in_the_same_places_need_no_head() -> None:
    found = with_aligned_rows("Prices:\n\nAdults      12.50   a day\nChildren     6.00   a day\nDogs         2.00   a day\n")
    assert "| Children | 6.00 | a day |\n| Dogs | 2.00 | a day |" in found


def test_a_line_right_above_the_head_is_none_of_the_table() -> None:
    found = with_aligned_rows("No. 71      4 May 2026\nPart     Count   Price\nValve    2       19.80\nSeal     10      4.20\n")
    assert found.startswith("No. 71      4 May 2026\n\n| Part | Count | Price |\n|---|---|---|\n| Valve | 2 | 19.80 |")


@pytest.mark.parametrize(
    "text",
    [
        "Two spaces end a sentence.  Then 2 more follow.\nHe came at 9.  She left at 10.\nThey met at 11.  Nobody knew 12.",
        "> Boat   Days   Sum\n> Kayak   3   84\n> Canoe   2   90\n",
        "Yours,\nOtto Brun          Tel. 555 0101\nLakeside 4",
        "    for each in range(10):\n        print(each,  end='')\n        total  += 1\n",
        "- Milk   2\n- Eggs   6\n- Flour  1\n",
    ],
)
def test_what_is_no_table_stays_as_it_was_typed(text: str) -> None:
    assert with_aligned_rows(text) == text
