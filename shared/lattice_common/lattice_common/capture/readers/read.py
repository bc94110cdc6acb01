"""Reads a file of any kind: looks what it is, and gives it to the reader of that kind.

Runs in a process of its own, with limits (`adapters.files.sandboxed_reader`): what a reader raises, allocates or loops over
there harms nobody. Readers are imported when they are wanted, for their libraries take a while to load.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol, cast

from lattice_common.capture.plain_text import LOOKED_AT
from lattice_common.capture.readers.binary import unreadable
from lattice_common.capture.readers.container import kind_in_ole, kind_in_zip
from lattice_common.capture.readers.kind import DetectedKind, is_pdf, kind_of_text, known
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.formats import BY_KIND, Kind
from lattice_common.domain.reading import Reading, ReadResult, Unreadable

OnProgress = Callable[[int, int], None]


class Reader(Protocol):
    """A module of this package that reads files of one kind."""

    def read(self, path: Path, name: str, limits: Limits, on_progress: OnProgress) -> ReadResult:
        """Return the text within the limits. Raise whatever the library raises about a broken file."""
        ...


def reader_of(kind: Kind) -> Reader:
    """Return the module that reads a kind, imported on first use."""
    return cast("Reader", importlib.import_module(f"lattice_common.capture.readers.{BY_KIND[kind].module}"))


def read(path: Path, name: str, limits: Limits, on_progress: OnProgress) -> ReadResult:
    """Return the text of the file at `path`, which its owner calls `name`, or why there is none."""
    found = kind_of(path, name)
    if isinstance(found, Unreadable):
        return found
    result = reader_of(found.kind).read(path, name, limits, on_progress)
    return replace(result, notes=(*found.notes, *result.notes)) if isinstance(result, Reading) and found.notes else result


def kind_of(path: Path, name: str) -> DetectedKind | Unreadable:
    """Return what the file is, by its content; the name decides among texts only."""
    with path.open("rb") as file:
        head = file.read(LOOKED_AT)
        text = kind_of_text(head, name)
        if text is not None:
            return text
        if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            inside = kind_in_zip(file, name)
        elif head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
            inside = kind_in_ole(file)
        elif is_pdf(head):
            inside = "pdf"
        else:
            return unreadable(head, name)
    return inside if isinstance(inside, Unreadable) else known(inside, name)
