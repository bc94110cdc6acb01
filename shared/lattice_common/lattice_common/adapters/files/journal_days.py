"""The folder of a journal entry: one for each day, in UTC, by the time in the entry's id (a ULID)."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from lattice_common.domain.ids import ID, milliseconds_of

_DAY = 24 * 60 * 60 * 1000
ID_LENGTH = 26
_OF_IDS = re.compile("[0-9a-hjkmnp-tv-z]*")
_END_OF_TIME = 253_402_300_800_000
"""The year 10,000 in milliseconds: ULIDs go on to 10,889, dates do not."""


def is_id(text: str) -> bool:
    """Return whether it is a lower-case ULID of a time that dates have."""
    return ID.fullmatch(text) is not None and milliseconds_of(text) < _END_OF_TIME


def time_of(entry_id: str) -> datetime:
    """Return when an entry was received, to the millisecond, by its id."""
    return datetime.fromtimestamp(milliseconds_of(entry_id) / 1000, UTC)


def days(journal: Path, *, newest_first: bool) -> Iterator[Path]:
    """Yield the folders of days that there are, in order."""

    def numbered(folder: Path) -> list[Path]:
        return [folder / name for name in sorted(filter(str.isdecimal, names_in(folder)), reverse=newest_first)]

    for year in numbered(journal):
        for month in numbered(year):
            yield from numbered(month)


def names_in(folder: Path) -> list[str]:
    """Return all names in a folder; none when it is not there."""
    try:
        return os.listdir(folder)  # noqa: PTH208 - names are all that is needed, for a million of them ten times faster than paths
    except (FileNotFoundError, NotADirectoryError):
        return []


def ids_in(folder: Path) -> list[str]:
    """Return the names in a folder that are ids."""
    return [name for name in names_in(folder) if is_id(name)]


def ids_with(names: Iterable[str], suffix: str) -> list[str]:
    """Return the ids that stand before exactly this suffix in names, in order."""
    length = ID_LENGTH + len(suffix)
    ids = sorted(name[:ID_LENGTH] for name in names if len(name) == length and name.endswith(suffix))
    # All at once: of ids in order the last has the latest time. One by one they take as long as everything else here.
    if ids and not (_OF_IDS.fullmatch("".join(ids)) and is_id(ids[-1])):
        return list(filter(is_id, ids))
    return ids


@functools.lru_cache(maxsize=4096)
def _day(days: int) -> str:
    """Return the folder of a day, counted from 1970."""
    return (date(1970, 1, 1) + timedelta(days=days)).strftime("%Y/%m/%d")


def folder_of(journal: Path, entry_id: str) -> str:
    """Return the folder of an id that is one."""
    return f"{journal}/{_day(milliseconds_of(entry_id) // _DAY)}"
