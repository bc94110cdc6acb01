"""Tables and columns in pictures, of what tesseract says of their words."""

from __future__ import annotations

from collections.abc import Sequence

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.page_text import write_pages
from lattice_common.capture.readers.pdf_lines import layout_of
from lattice_common.capture.readers.picture_lines import picture_of
from lattice_common.capture.readers.text_builder import TextBuilder

Words = tuple[int, int, int, str]
"""Where the first letter stands (x, y) in pixels, how high the letters are, and words."""
LETTER = 0.54


def tsv(*blocks: Sequence[Words], confidence: float = 95.0) -> bytes:
    """Return the output of tesseract for lines of words, in blocks."""
    rows = ["level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"]
    rows.append("1\t1\t0\t0\t0\t0\t0\t0\t1000\t1200\t-1\t")
    for block, lines in enumerate(blocks, 1):
        for number, (x, y, size, words) in enumerate(lines, 1):
            at = float(x)
            for place, word in enumerate(words.split(), 1):
                wide = len(word) * LETTER * size
                rows.append(f"5\t1\t{block}\t1\t{number}\t{place}\t{at:.0f}\t{y}\t{wide:.0f}\t{size}\t{confidence}\t{word}")
                at += wide + 0.27 * size
    return "\n".join(rows).encode()


def text_of(table: bytes) -> str:
    builder, lines = TextBuilder(Limits()), [picture_of(table).lines]
    write_pages(builder, lines, layout_of(lines, {}), lambda _number, _paragraph: "")
    return builder.build("pdf").text


PARCELS = ((60, 200, 20, "Parcel"), (60, 240, 20, "small"), (60, 280, 20, "medium"), (60, 320, 20, "large"))
PRICES = ((400, 200, 20, "Price"), (400, 240, 20, "4.90"), (400, 280, 20, "6.40"), (400, 320, 20, "11.20"))
DAYS = ((700, 200, 20, "Days"), (700, 240, 20, "2"), (700, 280, 20, "3"), (700, 320, 20, "5"))


def test_columns_that_were_read_one_after_the_other_are_a_table() -> None:
    text = text_of(tsv(((60, 60, 40, "Parcels to Norway"),), PARCELS, PRICES, DAYS, ((60, 420, 20, "Customs are paid there."),)))
    rows = [
        "| Parcel | Price | Days |",
        "|---|---|---|",
        "| small | 4.90 | 2 |",
        "| medium | 6.40 | 3 |",
        "| large | 11.20 | 5 |",
    ]
    assert "\n".join(rows) in text
    assert text.startswith("# Parcels to Norway")
    assert text.endswith("Customs are paid there.")


def test_lines_of_a_table_are_no_letters_and_what_stands_closer_above_its_columns_is_parted() -> None:
    work = ((60, 240, 20, "Oil and filter|"), (60, 280, 20, "Brake pads"), (60, 320, 20, "Wiper blades}"))
    hours = ((400, 240, 20, "1.5"), (400, 280, 20, "2"), (400, 320, 20, "0.5"))
    prices = ((470, 240, 20, "286.00"), (470, 280, 20, "194.50"), (470, 320, 20, "42.00"))
    head = ((60, 200, 20, "Work"), (395, 200, 20, "Hours |Price"))
    text = text_of(tsv(head, work, hours, prices))
    assert "| Work | Hours | Price |" in text
    assert "| Wiper blades | 0.5 | 42.00 |" in text


def test_a_name_over_the_middle_of_a_wide_column_names_it() -> None:
    head = ((100, 200, 20, "Work"), (520, 200, 20, "Amount"))
    text = text_of(tsv(head, PARCELS[1:], PRICES[1:]))
    assert "| Work | Amount |\n|---|---|\n| small | 4.90 |" in text


def test_columns_of_running_text_are_read_one_after_the_other() -> None:
    left = tuple((60, 200 + 30 * at, 20, f"The harvest of year {at} was brought in before the rain") for at in range(6))
    right = tuple((700, 200 + 30 * at, 20, f"Our choir sang song {at} in the old church on the hill") for at in range(6))
    text = text_of(tsv(left, right))
    assert "|" not in text
    assert text.index("harvest of year 5") < text.index("song 0")


def test_what_is_read_unsurely_is_no_text() -> None:
    assert not picture_of(tsv(PARCELS, confidence=20.0)).lines
    assert not picture_of(b"").lines
