"""What was taught, as one file: the rows, and what the teachers gave for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from train.distil.assembly import Soft
from train.distil.rows import Table

SOFT = "soft"


def write_taught(path: Path, tables: Mapping[str, Table], soft: Mapping[str, Soft]) -> None:
    """`soft` has (rows, outputs) for the rows of each table."""
    arrays: dict[str, Any] = {
        f"{part}.{field.name}": np.array(getattr(table, field.name)) for part, table in tables.items() for field in fields(Table)
    }
    arrays |= {f"{part}.{SOFT}": given for part, given in soft.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, **arrays)


def read_taught(path: Path) -> tuple[dict[str, Table], dict[str, Soft]]:
    """Return the tables and what teachers gave, by the names of their parts."""
    with np.load(path) as found:
        parts = [name.removesuffix(".head") for name in found.files if name.endswith(".head")]
        tables = {part: _table(found, part) for part in parts}
        return tables, {part: found[f"{part}.{SOFT}"] for part in parts}


def _table(found: Mapping[str, Any], part: str) -> Table:
    arrays = {field.name: found[f"{part}.{field.name}"] for field in fields(Table) if field.name != "head"}
    return Table(head=str(found[f"{part}.head"]), **arrays)
