"""How a process that only reads follows a catalogue that another one writes.

Nothing is asked for while nothing changes: SQLite says so for the price of a look at its shared memory. What changed is read by
revision and brought into the columns, so that a commit costs a reader what it cost the writer, whatever the size of the store.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from lattice_common.adapters.embedded.catalogue_state import CatalogueState, Row
from lattice_common.language.people.tie import ties_from


@dataclass(frozen=True, slots=True)
class Seen:
    """As of when a reader knows the catalogue. `file` tells one made anew from the one before."""

    file: tuple[int, int]
    generation: int
    revision: int


@dataclass(slots=True)
class Following:
    """How far a reader has followed: what it knows, over which connection, and SQLite's number of the last change seen there."""

    seen: Seen | None = None
    connection: sqlite3.Connection | None = None
    data_version: int = 0


READER_CACHE_KB = 512
"""Pages that one of several readers keeps: each commit of the writer makes them worthless, and the system has them too. SQLite's
2 MB, for as many as ever read at the same time, were 20 MB and more."""
MOST_IDLE = 8
"""Connections that are kept for the next to read."""


T = TypeVar("T")


def any_of(values: Sequence[T]) -> tuple[str, list[T]]:
    """Return what stands behind IN, and what it is given: the last value again and again up to a power of two.

    A connection keeps 128 statements, and one for each number of values is another one: 19 kB each, so that the eight readers of
    a file may come to 20 MB over hours.
    """
    if not values:
        return "()", []
    room = 1 << (len(values) - 1).bit_length()
    return f"({','.join('?' * room)})", [*values, *[values[-1]] * (room - len(values))]


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection that writes nothing, beside a writer or without one, from a folder that may be read-only.

    A database in WAL mode is read beside its `-wal` and `-shm`; where its writer ended in order, and took them away, nothing
    writes, and the file alone is all there is. Raise `sqlite3.OperationalError` where there is none.
    """
    alone = "" if os.path.exists(f"{path}-wal") else "&immutable=1"  # noqa: PTH110 - at every query: a string is enough
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro{alone}", uri=True, isolation_level=None, check_same_thread=False, timeout=5.0
    )
    try:
        connection.execute(f"PRAGMA cache_size = -{READER_CACHE_KB}")
    except BaseException:
        connection.close()
        raise
    return connection


def file_of(path: Path) -> tuple[int, int]:
    """Return what changes when the file is made anew, and when its writer comes or goes: each one's log is a file of its own, and
    a reader of the former one's would never hear of anything again. Raise `FileNotFoundError`."""
    found = os.stat(path)  # noqa: PTH116 - at every query: a string is enough
    try:
        return (found.st_ino, os.stat(f"{path}-wal").st_ino)  # noqa: PTH116 - the same
    except FileNotFoundError:
        return (found.st_ino, -found.st_mtime_ns)


@contextlib.contextmanager
def one_snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold a view of one commit for all that is read inside."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def generation_and_revision(connection: sqlite3.Connection) -> tuple[int, int]:
    generation, revision = connection.execute("SELECT number, revision FROM generation").fetchone()
    return int(generation), int(revision)


def follow(connection: sqlite3.Connection, state: CatalogueState, since: int, positions: dict[str, int]) -> None:
    """Bring into `state`, and into `positions` by atom id, what changed after revision `since`."""
    for space, given in state.store.given.items():
        query = "SELECT space, number, text FROM interned WHERE space = ? AND number >= ? ORDER BY number"
        state.load_names(connection.execute(query, (space, given)).fetchall())
    for (atom_id,) in connection.execute("SELECT atom_id FROM gone WHERE revision > ?", (since,)):
        state.remove(atom_id)
        positions.pop(atom_id, None)
    changed = (
        "SELECT atom_id, position, seq, superseded_by, packed, entities, said, ties FROM atoms LEFT JOIN ties USING (position) "
        "WHERE revision > ? ORDER BY revision, position"
    )
    for atom_id, position, seq, superseded_by, packed, entities, said, ties in connection.execute(changed, (since,)):
        state.put_row(Row.unpacked(atom_id, seq, superseded_by, packed, entities))
        state.put_ties(atom_id, said or 0.0, ties_from(ties) if ties else ())
        positions[atom_id] = position
