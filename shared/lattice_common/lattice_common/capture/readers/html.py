"""Web pages: their text only."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from pathlib import Path

from lattice_common.capture.readers.html_page import add_html
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.text import decoded
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.domain.reading import ReadResult, Unreadable

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return the text of a page; one without words of its own (scripts draw it) is `no-text`."""
    page, notes = page_text(path.read_bytes())
    builder = TextBuilder(limits)
    title = add_html(builder, page)
    on_progress(1, 1)
    if builder.empty:
        return Unreadable(
            "no-text", f"{name} has no text of its own. Open it in a browser, save it as PDF or text, and put that in."
        )
    return builder.build("html", notes, title)


def page_text(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Return a page's characters: by what the page says of its encoding, unless its bytes say otherwise."""
    stated = _CHARSET.search(content[:4096])
    if stated is None or content.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decoded(content)
    try:
        encoding = codecs.lookup(stated[1].decode("ascii")).name
        # By the standard, pages in Latin-1 are read as Windows-1252.
        encoding = "cp1252" if encoding in ("iso8859-1", "ascii") else encoding
        text = content.decode(encoding)
    except (LookupError, UnicodeError):
        return decoded(content)
    return text, () if encoding == "utf-8" else (f"encoding:{encoding}",)
