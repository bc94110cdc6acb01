"""How the row of a table reads."""

import pytest
from lattice_common.ingest.extract.documents import row_words


@pytest.mark.parametrize(
    ("row", "head", "words"),
    [
        ("| Total | | 2,746.20 |", "| Work | Hours | Net |", "Total: 2,746.20"),
        ("| | VAT 20% | 457.70 |", "| Work | Hours | Net |", "VAT 20%: 457.70"),
        ("| Zwischensumme | 120,00 |", "| Posten | Netto |", "Zwischensumme: 120,00"),
        ("| Total | 900 | 950 |", "| Cost | 2025 | 2026 |", "Total – 2025: 900; 2026: 950"),
        ("| Total cholesterol | 5.9 |", "| Test | Result |", "Total cholesterol – Result: 5.9"),
        ("| Boiler | 1,145.00 |", "| Work | Net |", "Work: Boiler; Net: 1,145.00"),
    ],
)
def test_a_sum_alone_in_its_row_is_of_no_column(row: str, head: str, words: str) -> None:
    assert row_words(row, head) == words
