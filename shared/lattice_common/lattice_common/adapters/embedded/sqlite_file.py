"""A file of SQLite that is derived: what its failures mean to us, and how it is thrown away."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from lattice_common.adapters.embedded.catalogue_following import MOST_IDLE, READER_CACHE_KB, connect_to_read
from lattice_common.errors import Corrupt, Unavailable

_WORTHLESS = frozenset((sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_SCHEMA))
_STORAGE = frozenset((sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY))
_IN_USE = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))


def check_format(connection: sqlite3.Connection, version: int) -> None:
    """Raise `ValueError` for tables of another version."""
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found != version:
        raise ValueError(f"format {found} instead of {version}")


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection of the process that writes the file."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{READER_CACHE_KB}")
    return connection


@contextlib.contextmanager
def one_change(connection: sqlite3.Connection, undone: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Commit all that is written inside, or nothing where that fails: then `undone` is called."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        undone()
        raise


def vacuum(connection: sqlite3.Connection, what: str, path: Path) -> None:
    """Write the file anew, without what was deleted. Raise `Unavailable` where somebody reads it."""
    with as_our_errors(what, path):
        connection.execute("VACUUM")
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise Unavailable(f"Somebody reads {what} {path}: what was forgotten leaves its log a little later.")


class IdleConnections:
    """Connections that are kept for the next to read. Safe to use from several threads."""

    def __init__(self) -> None:
        self._kept: list[sqlite3.Connection] = []

    def take(self) -> sqlite3.Connection | None:
        """Return one that nobody uses; None where there is none."""
        try:
            return self._kept.pop()
        except IndexError:
            return None

    def drop(self) -> None:
        """Close all of them."""
        while (connection := self.take()) is not None:
            connection.close()

    def keep(self, connection: sqlite3.Connection, *, useful: bool) -> None:
        """Keep one for the next, or close it where it is not `useful`, or there are enough."""
        if useful and len(self._kept) < MOST_IDLE:
            self._kept.append(connection)
        else:
            connection.close()


@contextlib.contextmanager
def as_our_errors(what: str, path: Path) -> Iterator[None]:
    """Raise SQLite's errors as `Unavailable` and `Corrupt`; `what` names the file with its article."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = _code_of(error)
        if code is None or not isinstance(error, sqlite3.OperationalError):
            raise Corrupt(f"{what} {path} cannot be read, {error}: run `lattice rebuild`") from error
        status, step = 507 if code in _STORAGE else 503, "close what else has it open" if code in _IN_USE else "look at its disk"
        raise Unavailable(f"{what} {path} cannot be used now, {error}: {step}", status=status) from error


def is_worthless(error: Exception) -> bool:
    """Return whether a file that cannot be opened for this is no database, torn, or of another format: what can be rebuilt is not
    worth mending."""
    code = _code_of(error)
    return code is None or code in _WORTHLESS


def damage_in(path: Path) -> str | None:
    """Return what SQLite finds wrong with the pages and indexes of a file; None where all is well, or there is no file."""
    if not path.exists():
        return None
    try:
        with contextlib.closing(connect_to_read(path)) as connection:
            first, *_ = connection.execute("PRAGMA integrity_check(3)").fetchall()
    except sqlite3.Error as error:
        return str(error)
    return None if first == ("ok",) else str(first[0])


def throw_away(path: Path) -> None:
    """Remove the file: it is derived."""
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _code_of(error: Exception) -> int | None:
    """Return SQLite's primary code, which the last byte of an extended one is (https://sqlite.org/rescode.html); None for what
    Python says of a value itself, such as text that is no UTF-8 any more."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
