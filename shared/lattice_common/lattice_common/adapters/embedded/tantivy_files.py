"""Whether the files of a tantivy index are those that it wrote: it ends each with a footer that has the CRC-32 of all before it,
and does not look at it again when it opens or searches."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import orjson

_MAGIC = 1337
_NUMBERS = 8
"""Bytes of the two numbers at the end: the length of the footer, and that of tantivy's."""
_WRITTEN_BY = ({"major": 0, "minor": 27, "patch": 0, "index_format_version": 7},)
"""What the footers say that the engines of Lattice's releases wrote, the newest last: all else there is a byte that changed."""
_OF_SEGMENTS = frozenset((".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term", ".del"))


def damaged_files(folder: Path) -> Iterator[str]:
    """Yield the names of the files of segments in a folder that are not what was written."""
    for path in sorted(folder.iterdir() if folder.is_dir() else ()):
        if path.suffix in _OF_SEGMENTS and not _is_whole(path.read_bytes()):
            yield path.name


def _is_whole(content: bytes) -> bool:
    length, magic = (int.from_bytes(content[at : at + 4], "little") for at in (len(content) - _NUMBERS, len(content) - 4))
    end = len(content) - _NUMBERS - length
    if magic != _MAGIC or end < 0:
        return False
    try:
        footer = orjson.loads(content[end:-_NUMBERS])
        return bool(footer["crc"] == zlib.crc32(content[:end]) and footer["version"] in _WRITTEN_BY)
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return False
