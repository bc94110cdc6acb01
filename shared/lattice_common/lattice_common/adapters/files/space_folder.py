"""Where the memories of further owners lie in a data folder, and whose the folder's own memory is: `spaces/owners.json`."""

from __future__ import annotations

from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.domain.space import SPACES_FOLDER
from lattice_common.errors import Corrupt

RECORD = "owners.json"


def has_spaces(root: Path) -> bool:
    """Return whether `spaces` in this data folder holds memories of others. A folder of that name that somebody put there does
    not."""
    return (root / SPACES_FOLDER / RECORD).is_file()


def first_owner(root: Path) -> str | None:
    """Return whose the folder's own memory is; None where it was never said. Raise `Corrupt` for a record that cannot be read."""
    record = root / SPACES_FOLDER / RECORD
    if not has_spaces(root):
        return None
    try:
        return str(orjson.loads(durable.read(record))["first"])
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise Corrupt(
            f'{record} cannot be read. It says whose the memory in {root} is: write {{"first": "NAME"}} into it.'
        ) from error


def keep_first_owner(root: Path, name: str) -> None:
    """Say whose the folder's own memory is. Raise `Unavailable` where the disk takes nothing."""
    durable.make_folder(root)
    durable.make_folder(root / SPACES_FOLDER)
    durable.write(root / SPACES_FOLDER / RECORD, orjson.dumps({"first": name}, option=orjson.OPT_INDENT_2))
