"""How much of a file is read, and what reading it may cost (docs/security-checks.md, S13)."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """A file beyond a limit of its container (entries, ratio, expanded bytes) is refused; one beyond a limit of its contents
    (text, pages, cells) is read up to there, and `partial:…` says so. Sizes are in bytes, times in seconds."""

    file_bytes: int = 50 * MB
    text_bytes: int = 10 * MB
    """Of the extracted text, in UTF-8."""
    pages: int = 2_000
    """Pages of a PDF, slides, sheets."""
    cells: int = 200_000
    """Of all the tables of a file."""
    columns: int = 256
    """Of one table: beyond, a row is no sentence any more."""
    cell_chars: int = 32_767
    """What a spreadsheet's cell can hold."""
    zip_entries: int = 10_000
    zip_ratio: int = 100
    """Bytes that an archive may unfold to, for each of its own."""
    zip_bytes: int = 300 * MB
    """Bytes that all entries together may unfold to."""
    stream_bytes: int = 75 * MB
    """Bytes that one compressed stream of a PDF may unfold to: pypdf's own figure."""
    operations: int = 1_000_000
    """Parts of the drawing of one page of a PDF: one full of small print has some thousands."""
    cpu_seconds: float = 60.0
    wall_seconds: float = 120.0
    memory_bytes: int = 768 * 1024 * 1024
