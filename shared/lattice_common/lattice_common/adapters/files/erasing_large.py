"""Forgetting in files that are too large to be held in memory: piece by piece.

Some megabytes are held at once. Pieces overlap, so that what lies across two of them is found.
"""

from __future__ import annotations

import codecs
import uuid
from collections.abc import Iterator
from pathlib import Path

from lattice_common.adapters.files import durable
from lattice_common.language.forgotten_words import ForgottenWords

PIECE = 4_000_000
"""Bytes that are read at once: more than `OVERLAP`."""
OVERLAP = 100_000
"""Characters of which the next piece begins with those of the last one: more than any statement has."""


def blot_out(path: Path, words: ForgottenWords, piece_bytes: int = PIECE) -> bool:
    """Write a text file anew with forgotten words redacted; return whether it had to be. What is no UTF-8 is left alone, as a
    small file is. Raise as `durable` does."""
    sought = words.also_escaped()
    try:
        if not any(sought.may_be_in(piece) and sought.are_in(piece) for piece, _ in _pieces(path, piece_bytes)):
            return False
    except UnicodeDecodeError:
        return False
    beside = path.with_name(f".{uuid.uuid4().hex}{durable.TEMPORARY_MARK}large")
    descriptor = durable.create(beside)
    with open(descriptor, "wb") as held:  # noqa: PTH123 - a descriptor, not a path
        try:
            kept = ""
            for piece, is_last in _pieces(path, piece_bytes):
                # What was redacted of the overlap stays so, for a text that is redacted is as long as it was.
                text = kept + piece[len(kept) :]
                text = sought.blotted_out(text) if sought.may_be_in(text) else text
                kept = "" if is_last else text[-OVERLAP:]
                durable.extend(descriptor, text[: len(text) - len(kept)].encode())
            durable.flush(held.fileno())
            durable.place(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    return True


def _pieces(path: Path, piece_bytes: int) -> Iterator[tuple[str, bool]]:
    """Yield the text in pieces, each beginning with the end of the one before, and whether it is the last one."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    kept = ""
    with durable.open_regular(path) as file:
        while chunk := file.read(piece_bytes):
            text = kept + decode(chunk)
            yield text, False
            kept = text[-OVERLAP:]
        yield kept + decode(b"", final=True), True
