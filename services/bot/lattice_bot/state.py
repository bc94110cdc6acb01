"""What the bot must still know after it was killed: updates that are not dealt with yet, and ids. One SQLite file in a folder of
its own.

An update is here before its offset is confirmed to Telegram, and its words leave the file, zeroed, once it is dealt with, and the
log beside the file when the bot has nothing to do: afterwards there are ids and keyed digests only. Every method is one
transaction, and survives the bot's being killed. `take` survives a power cut as well; of the others a power cut may undo the
last, which are then done again under the same keys. For one thread at a time; the command line may open the same file beside
the bot.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

PATIENCE = 10.0
"""Seconds that it waits for another process which has the file."""
FILE_NAME = "telegram.sqlite"
CODE_SECONDS = 600.0
TRIES_PER_PERSON = 5
TRIES_IN_ALL = 20
HANDLED_SECONDS = 3 * 86_400.0
"""How long the ids of updates are remembered: Telegram sends one again for 24 hours at most."""

AT_ONCE, SOON = "synchronous=FULL", "synchronous=NORMAL"
"""A commit is on disk before it returns, which takes milliseconds of a busy disk and holds up all chats, or soon after."""

_TABLES = """
CREATE TABLE IF NOT EXISTS secret (name TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS open (update_id INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS handled (update_id INTEGER PRIMARY KEY, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS said (chat INTEGER, message INTEGER, digest TEXT NOT NULL, key TEXT, capture_id TEXT, dropped TEXT,
    reply INTEGER, session TEXT, PRIMARY KEY (chat, message));
CREATE TABLE IF NOT EXISTS card (id INTEGER PRIMARY KEY AUTOINCREMENT, chat INTEGER NOT NULL, kind TEXT NOT NULL,
    ids TEXT NOT NULL, trace_id TEXT);
CREATE TABLE IF NOT EXISTS rated (card INTEGER PRIMARY KEY, verdict TEXT NOT NULL, change_id TEXT);
CREATE TABLE IF NOT EXISTS person (id INTEGER PRIMARY KEY, since REAL NOT NULL, owner TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS code (digest TEXT PRIMARY KEY, expires REAL NOT NULL, owner TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS attempt (person INTEGER NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS counted (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS morning (chat INTEGER PRIMARY KEY, day TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS session (chat INTEGER PRIMARY KEY, day TEXT NOT NULL, number INTEGER NOT NULL);
"""

CardKind: TypeAlias = Literal["stored", "answer", "change", "undone", "redone", "found", "order", "review"]
"""`change`, `undone` and `redone` are changes: one that deleted or settled, one that took something back, one that brought it
back. `order` is a request that was shown and not confirmed yet: its token. `review` is a newer memory and the older one that it
may have made untrue."""


@dataclass(frozen=True, slots=True)
class Said:
    """What became of a message of the owner's. `digest` is of its words; `key` is that of its latest capture, `dropped` the file
    in the inbox it waits in, `reply` the message it was answered with, `session` the conversation it is part of. The caption of a
    file has the number of its message, negated."""

    chat: int
    message: int
    digest: str
    key: str | None = None
    capture_id: str | None = None
    dropped: str | None = None
    reply: int | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """What the buttons below a message are about: captures that were stored, memories that an answer cites
    or that were found, changes that can be taken back."""

    card_id: int
    chat: int
    kind: CardKind
    ids: tuple[str, ...]
    trace_id: str | None


class State:
    """The bot's database in a folder, which is made when missing, readable by its owner only. `close` ends it; a `with` block is
    not needed."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._base = sqlite3.connect(folder / FILE_NAME, timeout=PATIENCE, isolation_level=None)
        (folder / FILE_NAME).chmod(0o600)
        self._write_ahead()
        for pragma in (SOON, "secure_delete=ON"):
            self._base.execute(f"PRAGMA {pragma}")
        self._base.executescript(_TABLES)
        for table in ("person", "code"):
            self._with_owner(table)
        self._base.execute("INSERT OR IGNORE INTO secret VALUES ('signing', ?)", (secrets.token_bytes(32),))
        self._key: bytes = self._base.execute("SELECT value FROM secret WHERE name = 'signing'").fetchone()[0]

        self._has_words = True  # of the last run's

    def _write_ahead(self) -> None:
        """Keep a log beside the file. For this SQLite does not wait by itself while another process opens or closes the file."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self._base.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def _with_owner(self, table: str) -> None:
        """Add the column `owner` to a table that was made before there were several owners."""
        columns = [row[1] for row in self._base.execute(f"PRAGMA table_info({table})")]
        if "owner" not in columns:
            self._base.execute(f"ALTER TABLE {table} ADD COLUMN owner TEXT NOT NULL DEFAULT ''")

    def close(self) -> None:
        self.tidy()
        self._base.close()

    def tidy(self) -> None:
        """Remove the words of finished updates from the log beside the file, too, while no update is open."""
        if self._has_words and self._base.execute("SELECT 1 FROM open LIMIT 1").fetchone() is None:
            busy = self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self._has_words = bool(busy)

    def signature(self, words: str) -> str:
        """Return the HMAC-SHA256 of the words in hex. Its key never leaves this file."""
        return hmac.new(self._key, words.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    # Updates

    def take(self, updates: Mapping[int, Mapping[str, Any]], *, strangers: Sequence[int] = ()) -> list[int]:
        """Store updates in one transaction and return the ids of those that are new. `strangers` are the ids of updates to be
        counted."""
        now, new = time.time(), list[int]()
        self._has_words = True
        with self._whole(AT_ONCE):
            for update_id in strangers:
                if self._first_time(update_id, now):
                    self._count("strangers", 1)
            for update_id, body in updates.items():
                if self._first_time(update_id, now):
                    self._base.execute("INSERT INTO open VALUES (?, ?)", (update_id, json.dumps(body)))
                    new.append(update_id)
            self._base.execute("DELETE FROM handled WHERE at < ?", (now - HANDLED_SECONDS,))
        return new

    def unfinished(self) -> dict[int, dict[str, Any]]:
        """Return the updates that were taken and are not dealt with, oldest first."""
        rows = self._base.execute("SELECT update_id, body FROM open ORDER BY update_id")
        return {update_id: json.loads(body) for update_id, body in rows}

    def finish(self, update_ids: Sequence[int]) -> None:
        """Delete updates that are dealt with. Their words are gone from the file when this returns, and from the log beside it
        with the next `tidy`."""
        if not update_ids:
            return
        with self._whole():
            self._base.executemany("DELETE FROM open WHERE update_id = ?", [(each,) for each in update_ids])

    def was_taken(self, update_id: int) -> bool:
        return self._base.execute("SELECT 1 FROM handled WHERE update_id = ?", (update_id,)).fetchone() is not None

    def _first_time(self, update_id: int, now: float) -> bool:
        return self._base.execute("INSERT OR IGNORE INTO handled VALUES (?, ?)", (update_id, now)).rowcount == 1

    # Messages

    def said(self, chat: int, message: int) -> Said | None:
        row = self._base.execute("SELECT * FROM said WHERE chat = ? AND message = ?", (chat, message)).fetchone()
        return Said(*row) if row else None

    def keep_said(self, said: Said) -> None:
        row = (said.chat, said.message, said.digest, said.key, said.capture_id, said.dropped, said.reply, said.session)
        self._base.execute("INSERT OR REPLACE INTO said VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def add_card(self, chat: int, kind: CardKind, ids: Sequence[str], trace_id: str | None = None) -> int:
        """Return the number that its buttons carry. It grows with the clock: what a power cut took from here is not given
        again."""
        last = self._base.execute("SELECT max(id) FROM card").fetchone()[0] or 0
        number = max(last + 1, time.time_ns() // 1_000_000)
        row = (number, chat, kind, json.dumps(list(ids)), trace_id)
        self._base.execute("INSERT INTO card (id, chat, kind, ids, trace_id) VALUES (?, ?, ?, ?, ?)", row)
        return number

    def card(self, card_id: int) -> Card | None:
        row = self._base.execute("SELECT id, chat, kind, ids, trace_id FROM card WHERE id = ?", (card_id,)).fetchone()
        return Card(row[0], row[1], row[2], tuple(json.loads(row[3])), row[4]) if row else None

    def last_card(self, chat: int, *kinds: CardKind) -> Card | None:
        """Return the newest of these kinds in a chat."""
        marks = ", ".join("?" * len(kinds))
        row = self._base.execute(
            f"SELECT id FROM card WHERE chat = ? AND kind IN ({marks}) ORDER BY id DESC LIMIT 1",  # noqa: S608 - marks only
            (chat, *kinds),
        ).fetchone()
        return self.card(row[0]) if row else None

    def rating(self, card_id: int) -> tuple[str, str | None] | None:
        """Return what was thought of an answer, and the change that this made."""
        row = self._base.execute("SELECT verdict, change_id FROM rated WHERE card = ?", (card_id,)).fetchone()
        return (row[0], row[1]) if row else None

    def keep_rating(self, card_id: int, verdict: str, change_id: str | None) -> None:
        """Store what was thought of an answer, in place of an earlier verdict."""
        self._base.execute("INSERT OR REPLACE INTO rated VALUES (?, ?, ?)", (card_id, verdict, change_id))

    def drop_card(self, card_id: int) -> None:
        """Delete a card whose captures were taken back."""
        self._base.execute("DELETE FROM card WHERE id = ?", (card_id,))

    # People

    def people(self) -> dict[int, str]:
        """Return the ids of users who were paired, and whose memory is theirs: the owner's name, empty for the first or only
        one."""
        return {int(row[0]): str(row[1]) for row in self._base.execute("SELECT id, owner FROM person")}

    def keep_code(self, digest: str, expires: float, owner: str = "") -> None:
        """Store the pairing code for one owner's memory. There is only one; an earlier one is void."""
        with self._whole():
            self._base.execute("DELETE FROM code")
            self._base.execute("INSERT INTO code (digest, expires, owner) VALUES (?, ?, ?)", (digest, expires, owner))

    def redeem(self, person: int, digest: str, now: float, *, update_id: int | None = None) -> bool:
        """Return whether this was the code: then the person is the owner's that it was made for, and the update it came with is
        dealt with. Counts the attempt; too many void the code."""
        with self._whole():
            self._base.execute("DELETE FROM attempt WHERE at < ?", (now - CODE_SECONDS,))
            tries = [row[0] for row in self._base.execute("SELECT person FROM attempt")]
            if tries.count(person) >= TRIES_PER_PERSON:
                return False
            self._base.execute("INSERT INTO attempt VALUES (?, ?)", (person, now))
            if len(tries) >= TRIES_IN_ALL:
                self._base.execute("DELETE FROM code")
                return False
            found = self._base.execute("SELECT digest, expires, owner FROM code").fetchone()
            if found is None or found[1] <= now or not hmac.compare_digest(found[0], digest):
                return False
            self._base.execute("DELETE FROM code")
            self._base.execute("INSERT OR REPLACE INTO person (id, since, owner) VALUES (?, ?, ?)", (person, now, found[2]))
            if update_id is not None:
                self._first_time(update_id, now)
            return True

    def counted(self, name: str) -> int:
        row = self._base.execute("SELECT number FROM counted WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def numbers(self) -> dict[str, int]:
        """Return the counts for `/metrics`: messages of strangers since the beginning, and updates that are not dealt with
        yet."""
        waiting = self._base.execute("SELECT count(*) FROM open").fetchone()[0]
        return {"strangers": self.counted("strangers"), "waiting": int(waiting)}

    def _count(self, name: str, number: int) -> None:
        self._base.execute(
            "INSERT INTO counted VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET number = number + excluded.number", (name, number)
        )

    # Conversations

    def session(self, chat: int, day: str, *, anew: bool = False) -> str:
        """Return the session id of a chat's conversation on a day; with `anew`, that of another one, from now on."""
        row = self._base.execute("SELECT number FROM session WHERE chat = ? AND day = ?", (chat, day)).fetchone()
        number = int(row[0]) if row else 1
        if anew:
            number += 1
            self._base.execute("INSERT OR REPLACE INTO session VALUES (?, ?, ?)", (chat, day, number))
        return f"tg-{chat}-{day}" + (f".{number}" if number > 1 else "")

    def morning(self, chat: int) -> str | None:
        """Return the day of the last morning message in a chat."""
        row = self._base.execute("SELECT day FROM morning WHERE chat = ?", (chat,)).fetchone()
        return str(row[0]) if row else None

    def keep_morning(self, chat: int, day: str) -> None:
        """Store the day of the last morning message of a chat."""
        self._base.execute("INSERT OR REPLACE INTO morning VALUES (?, ?)", (chat, day))

    @contextlib.contextmanager
    def _whole(self, durable: str = SOON) -> Iterator[None]:
        """Run the block as one transaction."""
        self._base.execute(f"PRAGMA {durable}")
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        else:
            self._base.execute("COMMIT")
        finally:
            self._base.execute(f"PRAGMA {SOON}")
