"""Which originals a browser may show inline: those in which nothing can be executed, whatever they contain."""

from __future__ import annotations

from pathlib import Path, PurePath

LOOKED_AT = 65_536
"""Bytes at the beginning of a file that show its type."""

PLAIN = "text/plain; charset=utf-8"

_BEGINNINGS = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_TEXTS = frozenset(
    {".txt", ".md", ".markdown", ".log", ".csv", ".tsv", ".srt", ".vtt", ".ics", ".vcf", ".json", ".jsonl", ".org"}
)
"""Names of plain texts. A page or a picture made of markup is not among them: it is offered as a download."""


def safe_type(path: Path, name: str) -> str | None:
    """Return the media type under which a file is shown, by what it holds; None when it is to be kept as a file."""
    with path.open("rb") as file:
        beginning = file.read(LOOKED_AT)
    for mark, media_type in _BEGINNINGS:
        if beginning.startswith(mark):
            return media_type
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    return PLAIN if PurePath(name).suffix.lower() in _TEXTS and _is_text(beginning) else None


def _is_text(beginning: bytes) -> bool:
    """Return whether bytes are UTF-8 without control characters; the last character may be cut."""
    try:
        text = beginning.decode("utf-8")
    except UnicodeDecodeError as error:
        if len(beginning) < LOOKED_AT or error.start < len(beginning) - 3:
            return False
        text = beginning[: error.start].decode("utf-8")
    return not any(letter < " " and letter not in "\t\n\r\f" for letter in text)
