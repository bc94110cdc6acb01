"""The catalogue in SQLite: one writer, any number of readers, no server.

Derived from the markdown: one that cannot be read, or is of another format, is thrown away and filled again by a rebuild. Yet
every commit is durable (WAL, synchronous FULL), for a row also says that a file was written: one that is not there any more was
deleted by a hand, and is not written again when its plan is carried out once more after a power cut. What scoring needs of each
atom is packed into one small row beside the atom itself, and loaded into `columns` with one SELECT at opening. Every transaction
has a number, the revision, and every row that of its last change, by which another process follows (`catalogue_following.py`).
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from lattice_common.adapters.embedded.atom_blob import from_blob, to_blob
from lattice_common.adapters.embedded.catalogue_file import PUT_ATOM, SCHEMA, VERSION
from lattice_common.adapters.embedded.catalogue_following import (
    Following,
    Seen,
    any_of,
    connect_to_read,
    file_of,
    follow,
    generation_and_revision,
    one_snapshot,
)
from lattice_common.adapters.embedded.catalogue_state import NAMELESS, CatalogueState
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
from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.language.people import Register, ties_by
from lattice_common.language.people.tie import ties_from, ties_text
from lattice_common.language.slots import slot_keys
from lattice_common.logs import logger
from lattice_common.ports.atoms import FileMark
from lattice_common.ports.catalogue import Columns, SeqPosition, SourceCounts

log = logger(__name__)

_READ_LATER = (
    "SELECT seq, hash, nhash, subject, capture_id, source_id, path, mtime_ns, size, revision, archived FROM atoms",
    "SELECT position, fields FROM contents",
    "SELECT key, position FROM slots",
    "SELECT target, position FROM links",
    "SELECT position, target FROM doubts",
    "SELECT position, target FROM contradictions",
    "SELECT atom_id, revision FROM gone",
)
"""Where the disk changed the name of a table or a column, one of these fails, and the file is made anew."""
_BESIDE = ("slots", "links", "doubts", "contradictions", "ties")
"""Tables of what an atom says beside its row, by its position."""
Params = ParamSpec("Params")
Found = TypeVar("Found")


def _of_a_whole_file(
    read: Callable[Concatenate[SqliteCatalogue, Params], Found],
) -> Callable[Concatenate[SqliteCatalogue, Params], Found]:
    """Read once more what a reader found damaged: it may have opened the file as one that nobody writes, in the moment in which
    its writer came. What is damaged indeed is so the second time."""

    @functools.wraps(read)
    def reading(self: SqliteCatalogue, /, *args: Params.args, **named: Params.kwargs) -> Found:
        try:
            return read(self, *args, **named)
        except Corrupt:
            if not self.reopen():
                raise
            return read(self, *args, **named)

    return reading


_WRITER_CACHE_KB = 65_536
_CHECKPOINT_PAGES = 8_000
"""Hashes spread over their whole index: with a small cache and a checkpoint every 4 MB each page is read and written again and
again (100,000 atoms in batches of 500 then took more than twice as long on a busy machine)."""
_FIRST: SeqPosition = (-1, "")
_IN_REVIEW = """FROM doubts JOIN atoms AS newer USING (position) JOIN atoms AS older ON older.atom_id = doubts.target
WHERE newer.superseded = 0 AND older.superseded = 0 AND newer.archived = 0 AND older.archived = 0
    AND older.position <> newer.position"""
_CONTRADICTIONS = """FROM contradictions AS said JOIN atoms AS one USING (position)
    JOIN atoms AS other ON other.atom_id = said.target
WHERE one.superseded = 0 AND other.superseded = 0 AND other.position <> one.position AND (one.position > other.position
    OR NOT EXISTS (SELECT 1 FROM contradictions AS back WHERE back.position = other.position AND back.target = one.atom_id))"""
PATIENCE = 0.05
"""Seconds to wait for another reader who follows the writer just now: what was stored before a question is found by it. To read
100,000 atoms anew takes seconds, for which nobody waits."""
_BATCH = 500
"""Atoms read at once: SQLite's oldest limit for parameters is 999."""


class SqliteCatalogue:
    """Implements `ports.catalogue.Catalogue` in the file `path`. Methods that change it are the one writer's.

    With `follows` it is a `CatalogueReader` only, of a catalogue that another process writes: each question sees what that one
    had committed by then. Until there is one it is empty.
    """

    def __init__(self, path: Path, *, follows: bool = False) -> None:
        self._path = path
        self._follows = follows
        self._known = Following()
        self._writing = threading.Lock()
        self._idle = IdleConnections()
        self._closed = False
        self._positions: dict[str, int] = {}
        self._next_position = 0
        self._revision = 0
        self._state = CatalogueState()
        if follows:
            self._look()
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self._writer = self._open()
            self._load(self._writer)
        except (sqlite3.DatabaseError, ValueError) as error:
            if not is_worthless(error):
                raise Unavailable(f"the catalogue {path} cannot be opened, {error}: look at its disk and its owner") from error
            self._begin_another_file()

    # Reading

    def columns(self) -> Columns:
        self._look()
        return self._state.columns()

    @_of_a_whole_file
    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        """Return the atoms by their ids. Those that the disk changed are left out; `lattice doctor` names them."""
        self._look()
        known = self._positions  # the writer may take one out meanwhile
        positions = [position for atom_id in atom_ids if (position := known.get(atom_id)) is not None]
        found: dict[str, Atom] = {}
        with self._reader() as connection:
            for start in range(0, len(positions), _BATCH):
                chunk = positions[start : start + _BATCH]
                marks, values = any_of(chunk)
                for (blob,) in connection.execute(f"SELECT fields FROM contents WHERE position IN {marks}", values):  # noqa: S608 - question marks only
                    try:
                        atom = from_blob(blob)
                    except Corrupt:
                        log.warning("memory_damaged")
                        continue
                    found[atom.atom_id] = atom
        return [found[atom_id] for atom_id in atom_ids if atom_id in found]

    def successors(self, atom_ids: Sequence[str]) -> dict[str, str]:
        self._look()
        return self._state.successors(atom_ids)

    def recent(self, limit: int, *, before: str | None = None) -> list[Atom]:
        after = "WHERE archived = 0"
        values: list[str | int] = [limit]
        if before is not None:
            after += " AND (seq, atom_id) < (SELECT seq, atom_id FROM atoms WHERE atom_id = ?)"
            values = [before, limit]
        return self._atoms(f"{after} ORDER BY seq DESC, atom_id DESC LIMIT ?", values)

    def following(self, seq: int, *, limit: int) -> list[Atom]:
        return self._atoms("WHERE seq > ? ORDER BY seq, atom_id LIMIT ?", [seq, limit])

    def with_hash(self, *, exact: str | None = None, normalized: str | None = None) -> list[str]:
        conditions = [name for name, value in (("hash = ?", exact), ("nhash = ?", normalized)) if value is not None]
        if not conditions:
            return []
        where = " AND ".join([*conditions, "superseded = 0"])
        return self._ids(where, [value for value in (exact, normalized) if value is not None])

    def with_subject(self, subject: str, *, limit: int) -> list[Atom]:
        number = self._state.store.interned["name"].get(normalize_subject(subject))
        if number is None:
            return []
        return self._atoms(
            "WHERE subject = ? AND superseded = 0 AND archived = 0 ORDER BY seq DESC, atom_id DESC LIMIT ?", [number, limit]
        )

    def similar_subjects(self, subject: str, *, ratio: float, limit: int) -> list[str]:
        self._look()
        return self._state.similar_subjects(subject, ratio, limit)

    def same_subject(
        self, subject: str, *, before: SeqPosition | None = None, after: SeqPosition | None = None, limit: int
    ) -> list[str]:
        number = self._state.store.interned["name"].get(normalize_subject(subject))
        return [] if number is None else self._beside("subject", number, before, after, limit)

    def same_words(
        self, normalized: str, *, before: SeqPosition | None = None, after: SeqPosition | None = None, limit: int
    ) -> list[str]:
        return self._beside("nhash", normalized, before, after, limit)

    @_of_a_whole_file
    def _beside(
        self, column: str, value: str | int, before: SeqPosition | None, after: SeqPosition | None, limit: int
    ) -> list[str]:
        """Return those of one value of a column, before a place or after it."""
        bound, order = ("<", "DESC") if before is not None else (">", "ASC")
        rest = f"(seq, atom_id) {bound} (?, ?) ORDER BY seq {order}, atom_id {order} LIMIT ?"
        query = f"SELECT atom_id FROM atoms WHERE {column} = ? AND {rest}"  # noqa: S608 - constants
        with self._reader() as connection:
            found = connection.execute(query, (value, *(before or after or _FIRST), limit))
            return [atom_id for (atom_id,) in found]

    @_of_a_whole_file
    def referrers(self, atom_id: str) -> list[str]:
        with self._reader() as connection:
            query = "SELECT atom_id FROM links JOIN atoms USING (position) WHERE target = ? ORDER BY position"
            return [found for (found,) in connection.execute(query, (atom_id,))]

    def with_slot(self, key: str, *, limit: int) -> list[Atom]:
        # Positions are given in order of writing: taking the last ones needs no sorting of a long slot.
        return self._atoms("JOIN slots USING (position) WHERE key = ? ORDER BY position DESC LIMIT ?", [key, limit])

    @_of_a_whole_file
    def in_review(self, limit: int) -> list[tuple[str, str]]:
        query = f"SELECT newer.atom_id, older.atom_id {_IN_REVIEW} ORDER BY newer.seq DESC, newer.atom_id DESC, target LIMIT ?"
        with self._reader() as connection:
            return connection.execute(query, (limit,)).fetchall()

    @_of_a_whole_file
    def count_in_review(self) -> int:
        with self._reader() as connection:
            return int(connection.execute(f"SELECT count(*) {_IN_REVIEW}").fetchone()[0])

    @_of_a_whole_file
    def contradictions(self, limit: int) -> list[tuple[str, str]]:
        query = f"SELECT one.atom_id, other.atom_id {_CONTRADICTIONS} ORDER BY one.seq DESC, one.atom_id DESC, target LIMIT ?"
        with self._reader() as connection:
            return connection.execute(query, (limit,)).fetchall()

    @_of_a_whole_file
    def count_contradictions(self) -> int:
        with self._reader() as connection:
            return int(connection.execute(f"SELECT count(*) {_CONTRADICTIONS}").fetchone()[0])

    def subjects(self) -> Mapping[str, int]:
        self._look()
        return self._state.subjects()

    def register(self) -> Register:
        self._look()
        return self._state.register

    def of_capture(self, capture_id: str) -> list[str]:
        return self._ids("capture_id = ?", [capture_id])

    def of_source(self, source_id: str) -> list[str]:
        return self._ids("source_id = ?", [source_id])

    @_of_a_whole_file
    def sources(self) -> list[SourceCounts]:
        query = """SELECT source_id, count(DISTINCT capture_id), count(*), sum(superseded = 0), min(atom_id), max(atom_id)
            FROM atoms WHERE source_id IS NOT NULL GROUP BY source_id"""
        with self._reader() as connection:
            return [SourceCounts(*row) for row in connection.execute(query)]

    @_of_a_whole_file
    def marks(self, atom_ids: Sequence[str] | None = None) -> dict[str, tuple[FileMark, str]]:
        query = "SELECT atom_id, path, mtime_ns, size, hash FROM atoms"
        with self._reader() as connection:
            if atom_ids is None:
                rows = connection.execute(query).fetchall()
            else:
                chunks = [any_of(atom_ids[start : start + _BATCH]) for start in range(0, len(atom_ids), _BATCH)]
                rows = [
                    row for marks, values in chunks for row in connection.execute(f"{query} WHERE atom_id IN {marks}", values)
                ]
        return {atom_id: (FileMark(path, mtime_ns, size), hash_) for atom_id, path, mtime_ns, size, hash_ in rows}

    def count(self) -> int:
        self._look()
        return len(self._positions)

    def all(self) -> Iterator[Atom]:
        last: tuple[int, str] = (-1, "")
        while True:
            with self._reader() as connection:
                rows = connection.execute(
                    "SELECT seq, atom_id, fields FROM atoms JOIN contents USING (position) WHERE (seq, atom_id) > (?, ?) "
                    "ORDER BY seq, atom_id LIMIT ?",
                    (*last, _BATCH),
                ).fetchall()
            if not rows:
                return
            last = rows[-1][:2]
            for _, _, blob in rows:
                yield from_blob(blob)

    @_of_a_whole_file
    def last_seq(self) -> int:
        with self._reader() as connection:
            return int(connection.execute("SELECT coalesce(max(seq), 0) FROM atoms").fetchone()[0])

    # Writing

    def put(self, atoms: Sequence[tuple[Atom, FileMark]]) -> None:
        with self._change() as connection:
            rows, contents, affected = [], [], dict[str, None]()
            known = [(self._positions[atom.atom_id],) for atom, _ in atoms if atom.atom_id in self._positions]
            _delete(connection, _BESIDE, known)
            ties: list[tuple[int, float, str]] = []
            slots: dict[tuple[str, int], None] = {}
            links: dict[tuple[str, int], None] = {}
            doubts: dict[tuple[int, str], None] = {}
            contradictions: dict[tuple[int, str], None] = {}
            for atom, mark in atoms:
                position = self._positions.setdefault(atom.atom_id, self._next_position)
                self._next_position = max(self._next_position, position + 1)
                elements = self._state.elements(atom)
                affected |= dict.fromkeys(self._state.put(atom, elements))
                packed, entities = elements.pack()
                rows.append((
                    position, atom.atom_id, atom.seq, atom.content_hash, atom.normalized_content_hash, elements.subject,
                    atom.capture_id, atom.source_id, atom.is_superseded, atom.superseded_by, mark.path, mark.mtime_ns, mark.size,
                    packed, entities, self._revision, atom.archived,
                ))  # fmt: skip
                contents.append((position, to_blob(atom)))
                told, said = ties_by(atom), atom.observed_at.timestamp()
                self._state.put_ties(atom.atom_id, said, told)
                if told:
                    ties.append((position, said, ties_text(told)))
                slots |= dict.fromkeys((key, position) for key in slot_keys(atom))
                links |= dict.fromkeys((target, position) for target in atom.links)
                doubts |= dict.fromkeys((position, target) for target in atom.may_update)
                contradictions |= dict.fromkeys((position, target) for target in atom.contradicts)
            connection.executemany("INSERT OR IGNORE INTO links VALUES (?, ?)", links)
            connection.executemany("INSERT OR IGNORE INTO slots VALUES (?, ?)", slots)
            connection.executemany("INSERT OR IGNORE INTO doubts VALUES (?, ?)", doubts)
            connection.executemany("INSERT OR IGNORE INTO contradictions VALUES (?, ?)", contradictions)
            connection.executemany("INSERT OR REPLACE INTO ties VALUES (?, ?, ?)", ties)
            connection.executemany(PUT_ATOM, rows)
            connection.executemany("DELETE FROM gone WHERE atom_id = ?", [(atom.atom_id,) for atom, _ in atoms])
            connection.executemany("INSERT OR REPLACE INTO contents VALUES (?, ?)", contents)
            connection.executemany("INSERT INTO interned VALUES (?, ?, ?)", self._state.fresh)
            self._state.fresh.clear()
            self._write_flags(connection, affected)

    def remove(self, atom_ids: Sequence[str]) -> None:
        known = [atom_id for atom_id in atom_ids if atom_id in self._positions]
        if not known:
            return  # each commit waits for the disk
        with self._change() as connection:
            positions = [(self._positions[atom_id],) for atom_id in known]
            _delete(connection, ("atoms", "contents", *_BESIDE), positions)
            gone = [(atom_id, self._revision) for atom_id in known]
            connection.executemany("INSERT OR REPLACE INTO gone VALUES (?, ?)", gone)
            affected = dict[str, None]()
            for atom_id in dict.fromkeys(known):
                del self._positions[atom_id]
                affected |= dict.fromkeys(self._state.remove(atom_id))
            self._write_flags(connection, affected)

    def differing(self, atoms: Sequence[Atom]) -> list[str]:
        """Return those of these atoms whose row, or what stands beside it, is not what they make of it. For the doctor: what
        scoring, filters and links are made of has no seal of its own."""
        with self._reader() as connection:
            there = (atom for atom in atoms if atom.atom_id in self._positions)
            return [atom.atom_id for atom in there if self._as_kept(connection, atom) != self._as_made(atom)]

    def _as_kept(self, connection: sqlite3.Connection, atom: Atom) -> tuple[object, ...]:
        at = (self._positions[atom.atom_id],)
        row = connection.execute(
            "SELECT atom_id, seq, hash, nhash, subject, capture_id, source_id, superseded, superseded_by, packed, entities, "
            "archived FROM atoms WHERE position = ?",
            at,
        ).fetchone()
        slots = {key for (key,) in connection.execute("SELECT key FROM slots WHERE position = ?", at)}
        links = {target for (target,) in connection.execute("SELECT target FROM links WHERE position = ?", at)}
        doubts = {target for (target,) in connection.execute("SELECT target FROM doubts WHERE position = ?", at)}
        against = {target for (target,) in connection.execute("SELECT target FROM contradictions WHERE position = ?", at)}
        ties = connection.execute("SELECT said, ties FROM ties WHERE position = ?", at).fetchone()
        return (*(row or ()), slots, links, doubts, against, ties)

    def _as_made(self, atom: Atom) -> tuple[object, ...]:
        elements = self._state.elements(atom)
        told = ties_by(atom)
        return (
            atom.atom_id, atom.seq, atom.content_hash, atom.normalized_content_hash, elements.subject, atom.capture_id,
            atom.source_id, self._state.is_superseded(atom.atom_id), atom.superseded_by, *elements.pack(), atom.archived,
            set(slot_keys(atom)), set(atom.links), set(atom.may_update), set(atom.contradicts),
            (atom.observed_at.timestamp(), ties_text(told)) if told else None,
        )  # fmt: skip

    def clear(self) -> None:
        try:
            with self._change() as connection:
                for table in ("atoms", "contents", "interned", *_BESIDE, "gone"):
                    connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
                connection.execute("UPDATE generation SET number = abs(random())")
                (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
                self._positions, self._next_position, self._state = {}, 0, CatalogueState()
        except Corrupt as error:
            found = str(error)
        if found != "ok":
            log.warning("index_emptied", index="catalogue", reason=found)
            self._make_anew()

    def _make_anew(self) -> None:
        """Begin another file: in one whose pages the disk changed nothing can be relied on. Readers follow it."""
        with self._writing:
            self._idle.drop()
            self._writer.close()
            self._begin_another_file()

    def _begin_another_file(self) -> None:
        throw_away(self._path)
        with as_our_errors("the catalogue", self._path):
            self._writer = self._open()
            self._load(self._writer)

    def purge(self) -> None:
        with self._change() as connection:
            unused = self._state.unused_names()
            named = [(self._state.drop_name(*each), each[0], each[1]) for each in unused]
            used = self._state.store.sessions()  # those that were dropped from memory are known by the file alone
            every = connection.execute("SELECT number, text FROM interned WHERE space = 'session'")
            stale = [number for number, text in every if number not in used and not text.startswith(NAMELESS)]
            named += [(f"{NAMELESS}{number}", "session", number) for number in stale]
            connection.executemany("UPDATE interned SET text = ? WHERE space = ? AND number = ?", named)
            # Readers elsewhere know numbers by the names that they had: they read all anew.
            connection.execute("UPDATE generation SET number = abs(random())")
        with self._writing:
            vacuum(self._writer, "the catalogue", self._path)

    def trim_memory(self) -> None:
        with self._writing, as_our_errors("the catalogue", self._path):
            self._writer.execute("PRAGMA shrink_memory")

    def close(self) -> None:
        with self._writing:
            self._closed = True
            if self._known.connection is not None:
                self._known.connection.close()
            if not self._follows:
                self._writer.close()
            self._idle.drop()

    def _write_flags(self, connection: sqlite3.Connection, atom_ids: Iterable[str]) -> None:
        flags = [(self._state.is_superseded(atom_id), atom_id) for atom_id in atom_ids]
        connection.executemany("UPDATE atoms SET superseded = ?1 WHERE atom_id = ?2 AND superseded <> ?1", flags)

    @contextlib.contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """Begin one transaction; readers see it when it is committed. What fails leaves no trace in memory either."""
        with self._writing, as_our_errors("the catalogue", self._path):
            with one_change(self._writer, undone=lambda: self._load(self._writer)):
                self._revision += 1
                yield self._writer
                self._writer.execute("UPDATE generation SET revision = ?", (self._revision,))
            self._state.publish()

    def reopen(self) -> bool:
        """Close what a reader of another process's catalogue has open; false for the writer."""
        if not self._follows:
            return False
        with self._writing:
            self._idle.drop()
            if self._known.connection is not None:
                self._known.connection.close()
                self._known.connection = None
        return True

    @contextlib.contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection for a while: as many are opened as threads read at the same time."""
        self._look()
        with as_our_errors("the catalogue", self._path):
            opened_at = self._known.seen and self._known.seen.file
            connection = self._idle.take() or self._connect()
            try:
                yield connection
            finally:
                is_former = opened_at != (self._known.seen and self._known.seen.file)
                self._idle.keep(connection, useful=not self._closed and not is_former)

    @_of_a_whole_file
    def _atoms(self, rest: str, values: Sequence[str | int]) -> list[Atom]:
        with self._reader() as connection:
            rows = connection.execute(f"SELECT fields FROM atoms JOIN contents USING (position) {rest}", values)  # noqa: S608 - `rest` is ours
            return [from_blob(blob) for (blob,) in rows]

    @_of_a_whole_file
    def _ids(self, where: str, values: Sequence[str]) -> list[str]:
        with self._reader() as connection:
            rows = connection.execute(f"SELECT atom_id FROM atoms WHERE {where} ORDER BY seq, atom_id", values)  # noqa: S608 - `where` is ours
            return [atom_id for (atom_id,) in rows]

    @_of_a_whole_file
    def _look(self) -> None:
        """Follow what another process committed; nothing to do for the writer's own."""
        if not self._follows:
            return
        if not self._writing.acquire(timeout=-1 if self._known.seen is None else PATIENCE):
            return  # somebody else reads all of it anew: what was known until now answers
        try:
            with as_our_errors("the catalogue", self._path), contextlib.suppress(FileNotFoundError):
                file = file_of(self._path)
                if self._known.connection is None or self._known.seen is None or self._known.seen.file != file:
                    self._look_anew(file)
                else:
                    self._look_again(self._known.connection, self._known.seen)
        finally:
            self._writing.release()

    def _look_again(self, connection: sqlite3.Connection, seen: Seen) -> None:
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        if version == self._known.data_version:
            return
        with one_snapshot(connection):
            generation, revision = generation_and_revision(connection)
            if generation != seen.generation:
                self._load(connection)
            else:
                follow(connection, self._state, seen.revision, self._positions)
                self._state.publish()
        self._known.seen = Seen(seen.file, generation, revision)
        self._known.data_version = version

    def _look_anew(self, file: tuple[int, int]) -> None:
        """Open another file, or one whose writer came or went."""
        self._idle.drop()
        if self._known.connection is not None:
            self._known.connection.close()
        self._known.connection = connection = connect_to_read(self._path)
        try:
            check_format(connection, VERSION)
        except ValueError as error:
            raise Unavailable(f"the catalogue {self._path} is of another version, {error}: start all services anew") from error
        (self._known.data_version,) = connection.execute("PRAGMA data_version").fetchone()
        with one_snapshot(connection):
            generation, revision = generation_and_revision(connection)
            if self._known.seen is None or (generation, revision) != (self._known.seen.generation, self._known.seen.revision):
                try:
                    self._load(connection)
                except ValueError as error:  # the writer throws such a file away when it starts
                    raise Corrupt(f"the catalogue {self._path} is damaged, {error}: run `lattice rebuild`") from error
        self._known.seen = Seen(file, generation, revision)

    def _connect(self) -> sqlite3.Connection:
        if self._follows:
            if self._known.seen is not None:
                return connect_to_read(self._path)
            nothing = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            nothing.executescript(SCHEMA)
            return nothing
        return connect(self._path)

    def _open(self) -> sqlite3.Connection:
        self._path.touch(mode=0o600)  # SQLite gives its log the modes of its file
        connection = self._connect()
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA cache_size = -{_WRITER_CACHE_KB}")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
            if connection.execute("PRAGMA user_version").fetchone() == (0,):
                connection.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
            check_format(connection, VERSION)
        except BaseException:
            connection.close()
            raise
        return connection

    def _load(self, connection: sqlite3.Connection) -> None:
        state = CatalogueState()
        execute = connection.execute
        state.load_names(execute("SELECT space, number, text FROM interned ORDER BY space, number").fetchall())
        rows = execute("SELECT atom_id, position, packed, entities FROM atoms ORDER BY position").fetchall()
        state.store.load(
            [row[0] for row in rows],
            b"".join([row[2] for row in rows]),
            b"".join([row[3] for row in rows]),
            [len(row[3]) // 4 for row in rows],
        )
        superseded = "SELECT atom_id, superseded_by, seq FROM atoms WHERE superseded OR superseded_by IS NOT NULL"
        state.load_superseded(execute(superseded).fetchall())
        state.count_subjects()
        for atom_id, said, ties in execute("SELECT atom_id, said, ties FROM ties JOIN atoms USING (position) ORDER BY position"):
            state.put_ties(atom_id, said, ties_from(ties))
        self._positions = {row[0]: row[1] for row in rows}
        self._next_position = rows[-1][1] + 1 if rows else 0
        (self._revision,) = execute("SELECT revision FROM generation").fetchone()
        for look in _READ_LATER:
            execute(look).fetchone()
        self._state = state


def _delete(connection: sqlite3.Connection, tables: Iterable[str], positions: Sequence[tuple[int]]) -> None:
    for table in tables:
        connection.executemany(f"DELETE FROM {table} WHERE position = ?", positions)  # noqa: S608 - names of ours
