"""Passages in SQLite: one writer, any number of readers, in this process and in others, no server.

Derived from the journal, so it is not made durable at every commit, and a file that cannot be read, or is of another format, is
thrown away and filled again. What is common to the passages of a capture is kept once.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path

import orjson

from lattice_common.adapters.embedded.catalogue_following import any_of, connect_to_read, file_of
from lattice_common.adapters.embedded.sqlite_file import (
    IdleConnections,
    as_our_errors,
    check_format,
    connect,
    is_worthless,
    one_change,
    throw_away,
    vacuum,
)
from lattice_common.domain.passage import Passage
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.logs import logger

log = logger(__name__)

VERSION = 2
SCHEMA = """
CREATE TABLE captures (capture_id TEXT PRIMARY KEY, fields BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE passages (
    passage_id TEXT PRIMARY KEY, capture_id TEXT NOT NULL, ordinal INTEGER NOT NULL, hash TEXT NOT NULL, fields BLOB NOT NULL);
CREATE INDEX passages_capture ON passages (capture_id, ordinal);
CREATE TABLE made (up_to INTEGER);
INSERT INTO made VALUES (0);
"""
_BATCH = 500
_ALL_THAT_IS_READ = (
    "SELECT up_to FROM made",
    "SELECT capture_id, fields FROM captures",
    "SELECT passage_id, capture_id, ordinal, hash, fields FROM passages",
)
"""Where the disk changed the name of a table or a column, this fails, and the file is made anew."""
_OWN = ("ordinal", "start", "end", "content", "headings", "table_head", "place", "name")
_SHARED = ("observed_at", "received_at", "title", "source", "trust", "source_type", "source_id", "session_id")


class SqlitePassages:
    """Implements `ports.passages.PassageStore` in the file `path`; with `follows` it only reads what another process writes
    there, and is empty until there is something."""

    def __init__(self, path: Path, *, follows: bool = False) -> None:
        self._path = path
        self._follows = follows
        self._idle = IdleConnections()
        self._file: tuple[int, int] | None = None
        self._writing = threading.Lock()
        self._closed = False
        if follows:
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self._writer = self._open()
        except (sqlite3.DatabaseError, ValueError) as error:
            if not is_worthless(error):
                raise Unavailable(f"the passages {path} cannot be opened, {error}: look at its disk and its owner") from error
            self._begin_another_file()

    def any_passages(self) -> bool:
        with self._reader() as connection:
            return connection is not None and bool(connection.execute("SELECT EXISTS (SELECT 1 FROM passages)").fetchone()[0])

    def passages(self, passage_ids: Sequence[str]) -> list[Passage]:
        """Return the passages by their ids. Those that the disk changed are left out; `lattice doctor --deep` names them."""
        found: dict[str, Passage] = {}
        with self._reader() as connection:
            for start in range(0, len(passage_ids) if connection else 0, _BATCH):
                marks, values = any_of(passage_ids[start : start + _BATCH])
                read = _read(connection, f"passage_id IN {marks}", values)
                found |= {each.passage_id: each for each, intact in read if intact}
        return [found[each] for each in passage_ids if each in found]

    def of_capture(self, capture_id: str) -> list[Passage]:
        with self._reader() as connection:
            return [each for each, _ in _read(connection, "capture_id = ?", [capture_id])]

    def captures(self) -> list[str]:
        with self._reader() as connection:
            found = connection.execute("SELECT capture_id FROM captures ORDER BY capture_id").fetchall() if connection else []
        return [capture_id for (capture_id,) in found]

    def put_passages(self, captures: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        with self._change() as connection:
            for capture_id, passages in captures:
                connection.execute("DELETE FROM passages WHERE capture_id = ?", (capture_id,))
                connection.execute("DELETE FROM captures WHERE capture_id = ?", (capture_id,))
                if not passages:
                    continue
                shared = {name: _plain(getattr(passages[0], name)) for name in _SHARED}
                connection.execute("INSERT INTO captures VALUES (?, ?)", (capture_id, orjson.dumps(shared)))
                rows = [
                    (each.passage_id, capture_id, each.ordinal, each.content_hash, orjson.dumps([getattr(each, n) for n in _OWN]))
                    for each in passages
                ]
                connection.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?)", rows)

    def passage_hashes(self) -> Iterator[tuple[str, str]]:
        with self._reader() as connection:
            found = connection.execute("SELECT passage_id, hash FROM passages").fetchall() if connection else []
        yield from found

    def made_up_to(self) -> int | None:
        with self._reader() as connection:
            found = connection.execute("SELECT up_to FROM made").fetchone() if connection else (0,)
        return None if found[0] is None else int(found[0])

    def note_made(self, up_to: int | None) -> None:
        with self._change() as connection:
            connection.execute("UPDATE made SET up_to = ?", (up_to,))

    def clear(self) -> None:
        try:
            with self._change() as connection:
                connection.execute("DELETE FROM passages")
                connection.execute("DELETE FROM captures")
                connection.execute("UPDATE made SET up_to = 0")
                (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        except Corrupt as error:
            found = str(error)
        if found != "ok":
            log.warning("index_emptied", index="passages", reason=found)
            self._make_anew()

    def _make_anew(self) -> None:
        """Begin another file: in one whose pages the disk changed nothing can be relied on. Readers follow it."""
        with self._writing:
            self._idle.drop()
            self._writer.close()
            self._begin_another_file()

    def _begin_another_file(self) -> None:
        throw_away(self._path)
        with as_our_errors("the passages", self._path):
            self._writer = self._open()

    def purge(self) -> None:
        with self._writing:
            vacuum(self._writer, "the passages", self._path)

    def close(self) -> None:
        with self._writing:
            self._closed = True
            self._idle.drop()
            if not self._follows:
                self._writer.close()

    @contextlib.contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        with self._writing, as_our_errors("the passages", self._path), one_change(self._writer):
            yield self._writer

    @contextlib.contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection | None]:
        """Lend a connection for a while; None where another process has not written anything yet."""
        with as_our_errors("the passages", self._path):
            opened = self._file = self._seen()
            if self._follows and opened is None:
                yield None
                return
            connection = self._idle.take() or (connect_to_read(self._path) if self._follows else connect(self._path))
            try:
                yield connection
            finally:
                self._idle.keep(connection, useful=not self._closed and opened == self._file)

    def _seen(self) -> tuple[int, int] | None:
        """Return the file as it is, where it is another process's: connections to one that was there before are let go."""
        if not self._follows:
            return None
        try:
            file = file_of(self._path)
        except FileNotFoundError:
            file = None
        if file != self._file:
            self._idle.drop()
        return file

    def _open(self) -> sqlite3.Connection:
        self._path.touch(mode=0o600)
        connection = connect(self._path)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            if connection.execute("PRAGMA user_version").fetchone() == (0,):
                connection.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
            check_format(connection, VERSION)
            for look in _ALL_THAT_IS_READ:
                connection.execute(look).fetchone()
        except BaseException:
            connection.close()
            raise
        return connection


def _read(connection: sqlite3.Connection | None, where: str, values: Sequence[str]) -> Iterator[tuple[Passage, bool]]:
    """Yield passages, each with whether it is what was put there."""
    if connection is None:
        return
    query = (
        "SELECT capture_id, hash, passages.fields, captures.fields FROM passages JOIN captures USING (capture_id) "  # noqa: S608 - ours
        f"WHERE {where} ORDER BY capture_id, ordinal"
    )
    for capture_id, put, own, shared in connection.execute(query, list(values)).fetchall():
        try:
            passage, found = _parsed(capture_id, own, shared)
        except (ValueError, TypeError, KeyError):  # the disk changed it
            log.warning("memory_damaged")
            continue
        yield passage, found == put


@lru_cache(maxsize=1_024)
def _parsed(capture_id: str, own: bytes, shared: bytes) -> tuple[Passage, str]:
    """Return a passage of its row, and its content hash. Cached: each question reads the same few that documents begin with."""
    fields = orjson.loads(shared)
    for name in ("observed_at", "received_at"):
        fields[name] = datetime.fromisoformat(fields[name])
    mine = dict(zip(_OWN, orjson.loads(own), strict=True))
    mine["headings"] = tuple(mine["headings"])
    passage = Passage(capture_id=capture_id, **mine, **fields)
    return passage, passage.content_hash


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
