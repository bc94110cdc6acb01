"""What is kept and noted of a graph of an earlier schema, or one that lacks edges of this version (`EDGE_SET`).

It goes on answering while the writer makes it anew from the memories. Before that its files are copied to a folder beside them,
and the begin and the end are written into `graph/migration.log`: when, from which schema to which, nothing of what is in them.
The copy goes with the next rebuild, or forgetting.
"""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path
from typing import Literal

import orjson

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.graph_lines import EDGE_SET, EDGES, MANIFEST, NODES, SCHEMA_VERSION

LOG = "migration.log"
BACKUP = "before-schema-"


def begin(folder: Path, version: int, now: datetime) -> None:
    """Keep a copy of the files, which are made anew. May be repeated after a crash."""
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


def note(folder: Path, now: datetime, version: int, state: Literal["begun", "done"]) -> None:
    """Append a line to the log."""
    line = {"at": now.isoformat(), "from": version, "to": SCHEMA_VERSION, "edge_set": EDGE_SET, "state": state}
    known = durable.read(folder / LOG) if (folder / LOG).exists() else b""
    durable.write(folder / LOG, known + orjson.dumps(line) + b"\n")


def drop_backups(folder: Path) -> None:
    """Remove copies of earlier schemas: they contain names that may be forgotten since."""
    for path in folder.glob(f"{BACKUP}*"):
        shutil.rmtree(path)
