"""What a process remembers of the trash, in a temporary file of SQLite.

A month of deletions lies in the trash, and as objects the ids of one take 700 bytes: a process in which all day something is told
and deleted would grow. The file has no name, is for this process alone, is written only beyond what fits into the cache, and
goes with the process.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from lattice_common.errors import Unavailable

CACHE_KB = 512
"""Some 3,000 deletions."""
MOST_PAGES = 1_000_000
"""Of 4 kB: room for 25 million deletions."""
SCHEMA = """
CREATE TABLE deletions (command_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE moved (capture_id TEXT, atom_id TEXT, command_id TEXT, PRIMARY KEY (capture_id, atom_id, command_id)) WITHOUT ROWID;
CREATE INDEX moved_by ON moved (command_id);
"""


class TemporaryTrashIndex:
    """Implements `ports.trash_index.TrashIndex`. Raises `Unavailable` where there is no room for temporary files."""

    def __init__(self, most_pages: int = MOST_PAGES) -> None:
        # Whoever calls sees to it that it is one thread at a time.
        self._connection = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        weakref.finalize(self, self._connection.close)
        self._connection.executescript(f"PRAGMA cache_size = -{CACHE_KB}; PRAGMA max_page_count = {most_pages}; {SCHEMA}")

    def known(self) -> set[str]:
        with self._asked() as connection:
            return {command_id for (command_id,) in connection.execute("SELECT command_id FROM deletions")}

    def add(self, command_id: str, memories: Iterable[tuple[str, str]], *, whole: bool) -> None:
        with self._asked() as connection:
            rows = [(capture_id, atom_id, command_id) for capture_id, atom_id in memories]
            connection.executemany("INSERT OR IGNORE INTO moved VALUES (?, ?, ?)", rows)
            if whole:
                connection.execute("INSERT OR IGNORE INTO deletions VALUES (?)", (command_id,))

    def of_capture(self, capture_id: str) -> list[str]:
        with self._asked() as connection:
            query = "SELECT atom_id FROM moved WHERE capture_id = ? GROUP BY atom_id ORDER BY MIN(command_id), atom_id"
            found = connection.execute(query, (capture_id,))
            return [atom_id for (atom_id,) in found]

    def went_back(self, capture_id: str, atom_ids: Sequence[str]) -> None:
        with self._asked() as connection:
            rows = [(capture_id, atom_id) for atom_id in atom_ids]
            connection.executemany("DELETE FROM moved WHERE capture_id = ? AND atom_id = ?", rows)

    def let_go(self, command_ids: Iterable[str]) -> None:
        with self._asked() as connection:
            rows = [(command_id,) for command_id in command_ids]
            connection.executemany("DELETE FROM moved WHERE command_id = ?", rows)
            connection.executemany("DELETE FROM deletions WHERE command_id = ?", rows)

    @contextmanager
    def _asked(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connection
        except sqlite3.OperationalError as error:
            raise Unavailable(f"what was deleted cannot be looked up, {error}: make room for temporary files") from error
