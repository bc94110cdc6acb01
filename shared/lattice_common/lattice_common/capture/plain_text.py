"""Text from bytes of unknown encoding, and what had to be assumed on the way.

UTF-8 with or without a byte order mark, UTF-16 with one; else Windows-1252, in which every byte but five means something. What
was assumed is noted: `encoding:utf-16`, `encoding:cp1252`, and `lossy` where a character was lost.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

CONTROL = frozenset(range(32)) - {7, 8, 9, 10, 11, 12, 13, 27}
"""Bytes that no text has."""

LOOKED_AT = 8192
"""How many bytes are checked to tell text from other files."""

# Characters that change how text looks without being seen: zero width, direction overrides, Unicode tags.
INVISIBLE = re.compile("[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text with `\\n` line ends, and notes as short codes."""

    text: str
    notes: tuple[str, ...] = ()


def is_text(content: bytes) -> bool:
    """Return whether a file without a telling name holds text."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    return not any(byte in CONTROL for byte in content[:LOOKED_AT])


def decode(content: bytes) -> Decoded:
    """Return the text of any bytes: a byte that means nothing becomes U+FFFD, and `lossy` is noted."""
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if content.startswith(mark):
            return _decoded(content, encoding, ("encoding:utf-16",))
    try:
        return Decoded(_lines(content.decode("utf-8-sig")))
    except UnicodeDecodeError:
        return _decoded(content, "cp1252", ("encoding:cp1252",))


def _decoded(content: bytes, encoding: str, notes: tuple[str, ...]) -> Decoded:
    try:
        return Decoded(_lines(content.decode(encoding)), notes)
    except UnicodeDecodeError:
        return Decoded(_lines(content.decode(encoding, "replace")), (*notes, "lossy"))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
