"""The file of the SQLite catalogue: its tables, its format, and what its failures mean to us."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from lattice_common.adapters.embedded.atom_blob import FORMAT
from lattice_common.adapters.embedded.catalogue_following import connect_to_read
from lattice_common.errors import Corrupt, Unavailable

VERSION = FORMAT ^ 16  # count up the last number when the tables change, or what is told of a statement in them
SCHEMA = """
CREATE TABLE atoms (
    position INTEGER PRIMARY KEY, atom_id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL,
    hash TEXT NOT NULL, nhash TEXT NOT NULL, subject INTEGER NOT NULL, capture_id TEXT NOT NULL, source_id TEXT,
    superseded INTEGER NOT NULL, superseded_by TEXT, path TEXT NOT NULL, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
    packed BLOB NOT NULL, entities BLOB NOT NULL, revision INTEGER NOT NULL, archived INTEGER NOT NULL);
CREATE INDEX atoms_revision ON atoms (revision);
CREATE TABLE gone (atom_id TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX gone_revision ON gone (revision);
CREATE TABLE generation (number INTEGER NOT NULL, revision INTEGER NOT NULL);
INSERT INTO generation VALUES (abs(random()), 0);
CREATE INDEX atoms_seq ON atoms (seq);
CREATE INDEX atoms_hash ON atoms (hash);
CREATE INDEX atoms_nhash ON atoms (nhash, seq);
CREATE INDEX atoms_subject ON atoms (subject, superseded, seq);
CREATE INDEX atoms_subject_seq ON atoms (subject, seq);
CREATE INDEX atoms_capture ON atoms (capture_id);
CREATE INDEX atoms_source ON atoms (source_id) WHERE source_id IS NOT NULL;
CREATE TABLE slots (key TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (key, position)) WITHOUT ROWID;
CREATE INDEX slots_position ON slots (position);
CREATE TABLE links (target TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (target, position)) WITHOUT ROWID;
CREATE INDEX links_position ON links (position);
CREATE TABLE doubts (position INTEGER NOT NULL, target TEXT NOT NULL, PRIMARY KEY (position, target)) WITHOUT ROWID;
CREATE TABLE contradictions (position INTEGER NOT NULL, target TEXT NOT NULL, PRIMARY KEY (position, target)) WITHOUT ROWID;
CREATE TABLE ties (position INTEGER PRIMARY KEY, said REAL NOT NULL, ties TEXT NOT NULL);
CREATE TABLE contents (position INTEGER PRIMARY KEY, fields BLOB NOT NULL);
CREATE TABLE interned (space TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (space, number));
"""
PUT_ATOM = """
INSERT INTO atoms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (position) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, nhash = excluded.nhash,
    subject = excluded.subject, capture_id = excluded.capture_id, source_id = excluded.source_id,
    superseded = excluded.superseded, superseded_by = excluded.superseded_by, path = excluded.path,
    mtime_ns = excluded.mtime_ns, size = excluded.size, packed = excluded.packed, entities = excluded.entities,
    revision = excluded.revision, archived = excluded.archived
"""


def check_format(connection: sqlite3.Connection) -> None:
    """Raise `ValueError` for tables of another version."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        raise ValueError(f"format {version} instead of {VERSION}")


@contextlib.contextmanager
def as_our_errors(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as `Unavailable` and `Corrupt`."""
    try:
        yield
    except sqlite3.OperationalError as error:
        code = code_of(error)
        if code is None:
            raise Corrupt(f"the catalogue {path} is damaged, {error}: run `lattice rebuild`") from error
        full = code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
        raise Unavailable(
            f"the catalogue {path} cannot be used now, {error}: look at its disk", status=507 if full else 503
        ) from error
    except sqlite3.DatabaseError as error:
        raise Corrupt(f"the catalogue {path} is damaged, {error}: run `lattice rebuild`") from error


def code_of(error: sqlite3.Error) -> int | None:
    """Return SQLite's code; None for what Python says of a value itself, such as text that is no UTF-8 any more."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return code


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
