"""`subjects.json`: the atoms of each subject, for people and programs that read the folder. Derived; Lattice never reads it.

A snapshot of everything, so it is written in idle time and at the stop, never for each capture.
"""

from __future__ import annotations

import time
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.ports.catalogue import CatalogueReader

INTERVAL_SECONDS = 60.0
"""Seconds between two snapshots while the product runs, so that the cost of a capture does not grow with the store."""


class SubjectsFile:
    """Remembers what it wrote last: an unchanged snapshot costs nothing."""

    def __init__(self, root: Path) -> None:
        self._path = root / "subjects.json"
        self._written: tuple[int, int] | None = None
        self._written_at = -INTERVAL_SECONDS

    def write_if_due(self, catalogue: CatalogueReader) -> None:
        """Write, unless that was done recently."""
        if time.monotonic() - self._written_at >= INTERVAL_SECONDS:
            self.write(catalogue)

    def write(self, catalogue: CatalogueReader) -> None:
        """Write the snapshot. O(atoms), about 0.1 s at 100,000."""
        columns = catalogue.columns()
        version = (catalogue.last_seq(), catalogue.count())
        if version == self._written:
            return
        names = {number: name for name, number in columns.names.items()}
        subjects: dict[str, list[str]] = {}
        for row in range(columns.count):
            if columns.alive[row] and not columns.superseded[row] and columns.subject[row] >= 0:
                subjects.setdefault(names[int(columns.subject[row])], []).append(columns.atom_ids[row])
        durable.write(self._path, orjson.dumps(subjects, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))
        self._written = version
        self._written_at = time.monotonic()
