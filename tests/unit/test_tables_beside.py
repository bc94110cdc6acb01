"""Tables that stand beside each other, and pairs of labels and values below names of their own."""

from __future__ import annotations

import pytest
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.tables import Cell, Row, write_table
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.domain.reading import Reading


def written(lines: str, head: str = "") -> str:
    """The table of lines whose cells are set apart by "|", as it is written."""
    builder = TextBuilder(Limits())
    rows = [
        Row(
            tuple(Cell(text, number=text.replace(",", "").replace(".", "").isdigit()) for text in map(str.strip, line.split("|")))
        )
        for line in lines.strip().splitlines()
    ]
    write_table(builder, rows, [name.strip() for name in head.split("|")] if head else None)
    found = builder.build("pdf", ())
    assert isinstance(found, Reading)
    return found.text


def test_columns_whose_names_repeat_are_two_tables() -> None:
    found = written(
        "Basic salary|3,541.67|PAYE tax|564.60\nAllowance|120.00|Pension (5%)|177.08\n||Cycle to work|41.50",
        "Payments|Amount|Deductions|Amount",
    )
    assert found == (
        "| Payments | Amount |\n|---|---|\n| Basic salary | 3,541.67 |\n| Allowance | 120.00 |\n\n"
        "| Deductions | Amount |\n|---|---|\n| PAYE tax | 564.60 |\n| Pension (5%) | 177.08 |\n| Cycle to work | 41.50 |"
    )


@pytest.mark.parametrize("head", ["Item|Plan|Actual|Plan|Actual", "Item|2025|2026"])
def test_groups_of_columns_stay_one_table(head: str) -> None:
    cells = "|".join(["Rent", *["900"] * head.count("|")])
    assert written(f"{cells}\n{cells.replace('Rent', 'Food')}", head).count("\n|---|") == 1


def test_pairs_beside_each_other_are_told_below_the_names_above_them() -> None:
    found = written(
        "Total payments|3,870.32|Total deductions|1,008.99\nThis year to date||This period|\n"
        "Gross pay|25,944.17|Taxable pay|3,651.74\nTaxable pay|24,431.40|Employer NI|516.80\nEmployee NI|1,501.44||"
    )
    assert "| This period – Taxable pay | 3,651.74 |" in found
    assert "| This year to date – Taxable pay | 24,431.40 |" in found
    assert "| This year to date – Employee NI | 1,501.44 |" in found
    assert "| Total payments | 3,870.32 |" in found


def test_a_first_row_with_a_value_of_the_kind_below_it_names_no_columns() -> None:
    found = written("Chair|Ken Tregidga|01632 960 144\nTreasurer|Ravi Menon|01632 960 171\nWater|Ken T.|see above")
    assert found.startswith("|  |  |  |\n|---|---|---|\n| Chair | Ken Tregidga | 01632 960 144 |")


def test_names_of_groups_stand_above_the_names_above_numbers() -> None:
    found = written("Month|Odometer||Charging|\n2026|start|end|home|public\nMay|12|871|21.4|9.8\nJune|871|1702|19.9|0")
    assert found.startswith("| Month 2026 | Odometer start | Odometer end | Charging home | Charging public |")


def test_a_head_that_names_a_currency_stays_a_head() -> None:
    found = written("Artikel|Menge|Preis €\nSchraube|100|3,50 €\nMutter|100|2,10 €")
    assert found.startswith("| Artikel | Menge | Preis € |")


def test_a_head_above_words_and_numbers_stays_a_head_of_one_row() -> None:
    found = written("Date|What|Who|Cost\n18 July|scratch|Wiebke|180\n2 Oct|stone chip|Rhodri|75")
    assert found.startswith("| Date | What | Who | Cost |")


def test_tables_with_the_same_names_beside_each_other_are_told_by_the_names_above_them() -> None:
    found = written(
        "Upstream|||Downstream||\nLeaves|Lands|Runs|Leaves|Lands|Runs\n06:10|06:55|Mondays|07:20|07:50|Mondays\n09:00|09:45|daily|10:15|10:45|daily"
    )
    assert found == (
        "|  | Leaves | Lands | Runs |\n|---|---|---|---|\n"
        "| Upstream | 06:10 | 06:55 | Mondays |\n| Upstream | 09:00 | 09:45 | daily |\n\n"
        "|  | Leaves | Lands | Runs |\n|---|---|---|---|\n"
        "| Downstream | 07:20 | 07:50 | Mondays |\n| Downstream | 10:15 | 10:45 | daily |"
    )


def test_an_empty_column_parts_tables_with_the_same_names() -> None:
    found = written("Lane|Swimmer||Lane|Swimmer\n1|Ida||5|Karl\n2|Lev||6|Mona")
    assert found.count("| Lane | Swimmer |\n|---|---|") == 2
    assert "| 5 | Karl |\n| 6 | Mona |" in found


def test_rows_of_one_cell_that_begin_a_table_name_the_rows_below_them() -> None:
    found = written("Piece|Wood|Price\nChairs||\nWindsor|ash|240\nLadderback|oak|310\nTables||\nTrestle|pine|480")
    assert "| Chairs | Windsor | ash | 240 |" in found
    assert "| Tables | Trestle | pine | 480 |" in found
    assert "| Chairs |  |" not in found


def test_a_row_of_which_only_the_name_is_known_stays_a_row() -> None:
    found = written("Piece|Wood|Price\nWindsor|ash|240\nTrestle||\nLadderback|oak|310")
    assert "| Trestle |  |  |" in found


def test_labels_with_a_colon_stand_before_their_own_values() -> None:
    found = written("For the Marlow family|Day of the party:|Saturday 3 July\nOffer no. 88|Your cook:|Ines Roth")
    assert found.startswith("|  |  |\n|---|---|\n| For the Marlow family |  |\n| Day of the party: | Saturday 3 July |")
    assert "| Your cook: | Ines Roth |" in found


def test_an_empty_corner_above_two_cells_of_one_name_makes_no_groups_of_the_first_row() -> None:
    found = written("|Mon|Tue|Fri\n8.50|Maths|English|Maths\n9.50|History|PE|Art")
    assert found.startswith("|  | Mon | Tue | Fri |\n|---|---|---|---|\n| 8.50 | Maths | English | Maths |")
