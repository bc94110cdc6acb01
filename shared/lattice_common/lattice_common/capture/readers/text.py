"""Text in whatever encoding: what it was is noted, and how many characters were lost.

UTF-8, else UTF-16 by its mark or its zeros, else the encoding in which the text reads like a language (charset-normalizer), else
Windows-1252, in which every byte but five means something.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path

from charset_normalizer import from_bytes

from lattice_common.capture.plain_text import LOOKED_AT
from lattice_common.capture.readers.kind import DetectedKind, kind_of_text, utf16_without_mark
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.whole_text import reading_of
from lattice_common.domain.formats import BY_KIND
from lattice_common.domain.reading import Reading, Unreadable

SAMPLE = 32_768
"""Bytes around the first that are not ASCII, by which the encoding is told."""

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

WESTERN = frozenset("‘’‚“”„–—…€£§©®°²³«»¿¡•·ºª×½")
"""Signs beside letters that Windows-1252 text has."""

FEW = 0.25
"""Share of bytes beyond ASCII among letters: texts in Latin letters have fewer, those in other scripts more."""

LATIN = ("cp1252", "cp1250", "cp1254")
OTHERS = ("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp932", "euc_jp", "gb18030", "big5", "cp949")
"""Encodings that people's files have. Those of mainframes and of DOS turn every text into something."""

ENOUGH = 20
"""Letters beyond ASCII from which on it can be told whether they are Polish or French."""

CLEARLY = 0.03


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> Reading | Unreadable:
    """Return the text of a file in any encoding."""
    with path.open("rb") as file:
        content = file.read(2 * limits.text_bytes)
        notes = (f"partial:the first {len(content) / 1_000_000:g} MB of the file",) if file.read(1) else ()
    found = kind_of_text(content[:LOOKED_AT], name)
    kind = BY_KIND[found.kind].source_type if isinstance(found, DetectedKind) else "plain"
    text, assumed = decoded(content)
    reading = reading_of(text, kind, limits, assumed)
    on_progress(1, 1)
    if notes and not any(note.startswith("partial:") for note in reading.notes):
        return Reading(reading.source_type, reading.text, reading.places, (*reading.notes, *notes), reading.title)
    return reading


def decoded(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text, and notes: `encoding:shift_jis`, `lossy:3` (characters that mean nothing, now U+FFFD)."""
    try:
        return content.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        first_odd = error.start
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return _decoded(content, encoding)
    if (wide := utf16_without_mark(content)) is not None:
        return _decoded(content, wide)
    almost = content.decode("utf-8", "replace")
    lost = almost.count("\ufffd")
    whole = sum(1 for byte in content if byte >= 0xC2)  # bytes that begin a character of several
    if lost * 2 < whole:
        return almost, (f"lossy:{lost}",)
    start = max(0, first_odd - SAMPLE // 2)
    return _decoded(content, _guessed(content[start : start + SAMPLE]))


def _guessed(sample: bytes) -> str:
    high = sum(byte >= 0x80 for byte in sample)
    letters = sum(65 <= byte <= 90 or 97 <= byte <= 122 for byte in sample)
    latin = high <= FEW * (high + letters) and _reads_western(sample)
    if latin and high < ENOUGH:
        return "cp1252"
    if not latin:
        return (_best(sample, OTHERS) or ("cp1252", 0.0))[0]
    # Most languages in Latin letters read as well in two of these as in one: the first stands unless another is clearly better.
    chosen, most = _best(sample, ("cp1252",)) or ("", -CLEARLY)
    for encoding in LATIN:
        found = _best(sample, (encoding,))
        if found is not None and found[1] > most + CLEARLY:
            chosen, most = found
    return chosen or "cp1252"


def _best(sample: bytes, encodings: tuple[str, ...]) -> tuple[str, float] | None:
    """Return the likeliest, and how much its text reads like a language (0 to 1)."""
    best = from_bytes(sample, cp_isolation=list(encodings), steps=8, chunk_size=1024).best()
    return None if best is None else (best.encoding, best.coherence)


def _reads_western(sample: bytes) -> bool:
    """Return whether the bytes beyond ASCII are, in Windows-1252, what stands in words and between them."""
    odd = [each for each in sample.decode("cp1252", "replace") if each > "\x7f"]
    return sum((each.isalpha() and each != "ƒ") or each in WESTERN for each in odd) >= 0.9 * len(odd)


def _decoded(content: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    named = "utf-16" if encoding.startswith("utf-16") else encoding
    text = content.decode(encoding, "replace")
    lost = text.count("\ufffd")
    return text, (f"encoding:{named}", f"lossy:{lost}") if lost else (f"encoding:{named}",)
