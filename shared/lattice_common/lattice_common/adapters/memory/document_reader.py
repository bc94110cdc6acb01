"""A reader without a process of its own: text as it is, and for other files what the test says they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from lattice_common.capture.plain_text import decode, is_text
from lattice_common.domain.reading import Reading, ReadResult, Unreadable

_MARKDOWN = (".md", ".markdown")


class InMemoryDocumentReader:
    """`results` by name win over what the file holds."""

    def __init__(self, results: Mapping[str, ReadResult] | None = None) -> None:
        self._results = dict(results or {})

    def read(self, path: Path, name: str, on_progress: Callable[[int, int], None] = lambda _done, _total: None) -> ReadResult:
        on_progress(0, 1)
        result = self._results.get(name) or _of_text(path.read_bytes(), name)
        on_progress(1, 1)
        return result


def _of_text(content: bytes, name: str) -> ReadResult:
    if not is_text(content):
        return Unreadable("unsupported", "It is no text, and other files are not read here. Save it as text.")
    decoded = decode(content)
    notes = decoded.notes if decoded.text.strip() else (*decoded.notes, "empty")
    return Reading("markdown" if name.lower().endswith(_MARKDOWN) else "plain", decoded.text, notes=notes)
