"""Migrations of the graph's sidecars, numbered by the schema that they start from.

A graph of an earlier schema goes on answering while the writer brings it up to date. Before that its files are copied to a
folder beside them, and each step is written into `graph/migration.log`: when, from which schema to which, nothing of what is in
them. The copy goes with the next rebuild, or forgetting.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

import orjson

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.graph_lines import EDGE_SET, EDGES, MANIFEST, NODES, SCHEMA_VERSION

LOG = "migration.log"
BACKUP = "before-schema-"

Migrated: TypeAlias = Literal["in place", "made anew"]
"""The result of a migration: the files were changed, or the writer has to make them anew from the memories."""


def _from_0(_folder: Path) -> Migrated:
    """Have the graph made anew: schema 0 has neither seals nor logs, so complete lines cannot be told from what a crash left."""
    return "made anew"


MIGRATIONS: Mapping[int, Callable[[Path], Migrated]] = {0: _from_0}
"""The step from each schema to the next one. Where only edges are missing (`EDGE_SET`) there is none: they are made anew."""


def begin(folder: Path, version: int, now: datetime) -> Migrated:
    """Keep a copy of the files, and take every step that is possible in place. May be repeated after a crash."""
    backup = folder / f"{BACKUP}{SCHEMA_VERSION}"
    if not backup.exists():
        coming = folder / f".{backup.name}"
        shutil.rmtree(coming, ignore_errors=True)
        durable.make_folder(coming)
        for name in (NODES, EDGES, MANIFEST):
            if (folder / name).exists():
                durable.write(coming / name, durable.read(folder / name))
        durable.move(coming, backup)
    note(folder, now, version, "begun")
    steps = [MIGRATIONS[number](folder) for number in range(max(version, 0), SCHEMA_VERSION) if number in MIGRATIONS]
    return "in place" if steps and all(step == "in place" for step in steps) else "made anew"


def note(folder: Path, now: datetime, version: int, state: Literal["begun", "done"]) -> None:
    """Append a line to the log."""
    line = {"at": now.isoformat(), "from": version, "to": SCHEMA_VERSION, "edge_set": EDGE_SET, "state": state}
    known = durable.read(folder / LOG) if (folder / LOG).exists() else b""
    durable.write(folder / LOG, known + orjson.dumps(line) + b"\n")


def drop_backups(folder: Path) -> None:
    """Remove copies of earlier schemas: they contain names that may be forgotten since."""
    for path in folder.glob(f"{BACKUP}*"):
        shutil.rmtree(path)
