"""The folders of further owners' memories in a data folder, and whose the folder's own memory is: `spaces/owners.json`."""

from __future__ import annotations

from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.domain.space import SPACES_FOLDER
from lattice_common.errors import Corrupt

RECORD = "owners.json"


def has_spaces(root: Path) -> bool:
    """Return whether `spaces` in this data folder holds memories of others, and is no folder of that name that somebody put
    there."""
    return (root / SPACES_FOLDER / RECORD).is_file()


def first_owner(root: Path) -> str | None:
    """Return whose the folder's own memory is; None where it was never recorded. Raise `Corrupt` for an unreadable record."""
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
    """Record whose the folder's own memory is. Raise `Unavailable` where the disk cannot be written."""
    durable.make_folder(root)
    durable.make_folder(root / SPACES_FOLDER)
    durable.write(root / SPACES_FOLDER / RECORD, orjson.dumps({"first": name}, option=orjson.OPT_INDENT_2))
