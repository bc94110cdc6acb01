"""The text of pages whose lines are known: those of a PDF, and those that were read of pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lattice_common.capture.readers.pdf_boxes import without_titles_of_addresses
from lattice_common.capture.readers.pdf_lines import Layout, Line, Paragraph, is_cut, paragraphs
from lattice_common.capture.readers.pdf_tables import Table, goes_on
from lattice_common.capture.readers.tables import write_table
from lattice_common.capture.readers.text_builder import BLOCK, LINE, TextBuilder


def write_pages(
    builder: TextBuilder, pages: Sequence[Sequence[Line]], layout: Layout, place_of: Callable[[int, Paragraph], str]
) -> None:
    """Write paragraphs and headings, each at the place that `place_of` gives for the number of its page; a sentence that goes on
    over a page stays whole, each part with its own page."""
    every: list[tuple[str, Paragraph]] = []
    for number, page in enumerate(pages, 1):
        before = every[-1][1].table if every else None
        found = without_titles_of_addresses(list(paragraphs(page, layout, number, before)), layout)
        every += [(place_of(number, paragraph), paragraph) for paragraph in found]
    between = BLOCK
    above: Table | None = None
    for at, (place, paragraph) in enumerate(every):
        following = every[at + 1][1] if at + 1 < len(every) else None
        if paragraph.table is not None:
            table = paragraph.table
            if above is not None and at and every[at - 1][0] != place and goes_on(table, above):
                table = replace(table, head=above.head, titles=above.titles)
            write_table(builder, table.at(place), table.head, table.titles)
            between, above = BLOCK, table
            continue
        above = None
        text = f"{'#' * paragraph.level} {paragraph.text}" if paragraph.level else paragraph.text
        after = _between(paragraph, following)
        if not builder.add(text[:-1] if after == "" else text, place, between=between):
            return
        between = after


def _between(paragraph: Paragraph, following: Paragraph | None) -> str:
    """Return what stands between two paragraphs; nothing where a word was cut in two."""
    if following is None or paragraph.level or following.level or following.table is not None:
        return BLOCK
    if following.item:
        return LINE if paragraph.item else BLOCK
    if paragraph.goes_on and following.text[:1].islower():
        return "" if is_cut(paragraph.text) else " "
    return BLOCK
