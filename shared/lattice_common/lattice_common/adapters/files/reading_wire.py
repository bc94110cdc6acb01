"""The protocol between the process that reads a file and its client: lines of JSON, `progress` as it comes, one `result`.

The sender may have been taken over by the file it reads, so nothing is trusted here: what does not have the shape of a reading is
refused.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any, get_args

import orjson

from lattice_common.domain.capture import Place, SourceType
from lattice_common.domain.reading import Reading, ReadResult, Unreadable

_SOURCE_TYPES: dict[str, SourceType] = {word: word for word in get_args(SourceType)}
_CODES = frozenset(("encrypted", "broken", "too-large", "unsupported", "no-text"))
_LONGEST_WORDS = 1000
_MOST_NOTES = 100


OUT_OF_MEMORY = 3
"""Exit status of a child without enough memory to report it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended: its signal or 0, its exit status, its resources. `confined` says whether the filter of system calls was
    active."""

    signal: int
    status: int
    cpu_seconds: float
    peak_mb: int
    confined: bool


def progress_line(done: int, total: int) -> bytes:
    """Return one line, with its end."""
    return orjson.dumps({"progress": [done, total]}) + b"\n"


def result_line(result: ReadResult) -> bytes:
    """Return one line, with its end."""
    if isinstance(result, Unreadable):
        shape: dict[str, object] = {"code": result.code, "reason": result.reason}
    else:
        shape = {
            "source_type": result.source_type,
            "text": result.text,
            "places": [(place.start, place.end, place.label) for place in result.places],
            "notes": result.notes,
            "title": result.title,
        }
    return orjson.dumps({"result": shape}) + b"\n"


def part_line(part: bytes) -> bytes:
    """Return one line with the bytes of something that lies in a file, with its end."""
    return orjson.dumps({"part": b64encode(part).decode("ascii")}) + b"\n"


def part_of(line: bytes | bytearray) -> bytes | None:
    """Return the bytes of something that lies in a file; None for what is none."""
    try:
        return b64decode(orjson.loads(line)["part"], validate=True)
    except (ValueError, KeyError, TypeError):
        return None


def progress_of(line: bytes | bytearray) -> tuple[int, int] | None:
    """Return the pages done, and of how many; None for what is no progress."""
    try:
        done, total = orjson.loads(line)["progress"]
    except (ValueError, KeyError, TypeError):
        return None
    return (done, total) if isinstance(done, int) and isinstance(total, int) and 0 <= done <= total else None


def result_of(line: bytes | bytearray, *, text_bytes: int) -> ReadResult | None:
    """Return the result; None for what is no result, or one with more text than allowed."""
    try:
        shape = orjson.loads(line)["result"]
        return _unreadable(shape) if "code" in shape else _reading(shape, text_bytes)
    except (ValueError, KeyError, TypeError):
        return None


def _unreadable(shape: dict[str, Any]) -> Unreadable | None:
    code, reason = shape["code"], shape["reason"]
    return Unreadable(code, _words(reason)) if code in _CODES else None


def _reading(shape: dict[str, Any], text_bytes: int) -> Reading | None:
    text, title, notes = shape["text"], shape["title"], shape["notes"]
    if not isinstance(text, str) or len(text) > text_bytes or not isinstance(notes, list) or len(notes) > _MOST_NOTES:
        return None
    places, end = [], 0
    for start, stop, label in shape["places"]:
        if not (isinstance(start, int) and isinstance(stop, int) and end <= start <= stop <= len(text)):
            return None
        places.append(Place(start, stop, _words(label)))
        end = stop
    shown = None if title is None else _words(title)
    return Reading(_SOURCE_TYPES[shape["source_type"]], text, tuple(places), tuple(_words(note) for note in notes), shown)


def _words(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value[:_LONGEST_WORDS]
