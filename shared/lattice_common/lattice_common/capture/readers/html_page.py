"""A web page's words in the text: under its headings, without its furniture unless that was most of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lattice_common.capture.readers.html_text import Block, PageWords
from lattice_common.capture.readers.tables import Row, write_table
from lattice_common.capture.readers.text_builder import BLOCK, LINE, TextBuilder, heading_path, path_label
from lattice_common.capture.readers.titles import is_title

LONGEST_TIDIED = 2_000_000
"""Characters of a page that is read a second time, with all there is, when too little was left of it."""
MOST_LEFT_OUT = 4
"""Times what is left: when more was taken for the site's furniture, it was none."""

AT_ONCE = 1 << 16
"""Characters of a longer page that are read at once."""


def add_html(builder: TextBuilder, page: str, *, words: Callable[[str], str] = lambda text: text) -> str | None:
    """Add the words of a page to the text, each under the headings above it as its place; what the page calls itself is returned.
    Stops when the text is full. `words` says what of a paragraph is written."""
    out = _Writing(builder, words)
    if len(page) <= LONGEST_TIDIED:
        tidied = PageWords(tidy=True)
        tidied.feed(page)
        tidied.close()
        blocks = tidied.finished()
        if tidied.left_out <= MOST_LEFT_OUT * sum(map(_length, blocks)):
            out.write(blocks)
            return _end(builder, tidied)
    whole = PageWords()
    for at in range(0, len(page), AT_ONCE):
        whole.feed(page[at : at + AT_ONCE])
        if not out.write(whole.taken()):
            return _end(builder, whole)
    whole.close()
    out.write(whole.finished())
    return _end(builder, whole)


def _end(builder: TextBuilder, words: PageWords) -> str | None:
    if words.hid:
        builder.note("hidden-text")
    return words.title


def _length(block: Block) -> int:
    return len(block.text) + sum(len(cell.text) for row in block.rows for cell in row.cells)


@dataclass(slots=True)
class _Writing:
    """Blocks on their way into the text."""

    builder: TextBuilder
    words: Callable[[str], str]
    path: list[tuple[int, str]] = field(default_factory=list)

    def write(self, blocks: list[Block]) -> bool:
        """Write the blocks; return False when the text is full."""
        for at, block in enumerate(blocks):
            titled = block.level > 0 and is_title(block.text)
            if titled:
                self.path = heading_path(self.path, block.level, block.text)
            place = path_label(self.path)
            if block.kind == "table":
                write_table(self.builder, [Row(row.cells, place) for row in block.rows])
            elif titled:
                self.builder.add(f"{'#' * block.level} {block.text}", place)
            elif not block.picture:
                listed = block.kind == "item" and at > 0 and blocks[at - 1].kind == "item"
                self.builder.add(self.words(block.text), place, between=LINE if listed else BLOCK)
        return not self.builder.full
