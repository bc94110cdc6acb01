"""Plain text: paragraphs, gathered into segments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.ingest.segment.pieces import LONGEST_SEGMENT, Piece

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*+")


def paragraphs(text: str) -> Iterator[Piece]:
    """Yield whole paragraphs while they fit into one segment."""
    start = end = 0
    for match in _PARAGRAPH_END.finditer(text):
        if match.end() - start > LONGEST_SEGMENT and end > start:
            yield Piece(start, end)
            start = end
        end = match.end()
    if len(text) - start > LONGEST_SEGMENT and end > start:
        yield Piece(start, end)
        start = end
    if start < len(text):
        yield Piece(start, len(text))
