"""What was forgotten, as far as needed so that nothing brings it back: `journal/forgotten.jsonl`.

The first line has the salt of this store. Each further one is a forgetting: the ids of its memories, salted hashes of their
words, and which stretches of which entries were erased. None of it can be read as words. Each line is sealed (`seal`).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.journal_days import is_id
from lattice_common.domain.atom import Span
from lattice_common.domain.forgetting import Erasure
from lattice_common.domain.seal import is_damaged, sealed
from lattice_common.errors import Corrupt
from lattice_common.language.forgotten_words import sealed as hashed
from lattice_common.logs import logger

log = logger(__name__)

LEDGER = "journal/forgotten.jsonl"
SCHEMA = 1
SALT_BYTES = 32


@dataclass(frozen=True, slots=True)
class Taken:
    """What was erased from one entry: all of it, or these stretches of its text."""

    whole: bool
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One line."""

    by: str
    atom_ids: tuple[str, ...]
    statements: tuple[str, ...] = ()
    """Salted hashes; none where nothing is barred."""
    entries: Mapping[str, Taken] = field(default_factory=dict)


class ForgottenLedger:
    """The ledger of the data folder `root`. Only the one writer appends, and knows what it wrote."""

    def __init__(self, root: Path) -> None:
        self._path = root / LEDGER
        self._salt: bytes | None = None
        self._lines: dict[str, Forgotten] = {}
        self._atom_ids: set[str] = set()
        self._statements: set[str] = set()
        self._read()

    @property
    def atom_ids(self) -> frozenset[str]:
        """Return the ids of forgotten memories."""
        return frozenset(self._atom_ids)

    def __bool__(self) -> bool:
        return bool(self._lines)

    def __iter__(self) -> Iterator[Forgotten]:
        return iter(list(self._lines.values()))

    def line_of(self, by: str) -> Forgotten | None:
        """Return what one forgetting erased, as far as that was decided."""
        return self._lines.get(by)

    @property
    def bars_any(self) -> bool:
        """Return whether any statement is barred."""
        return bool(self._statements) and self._salt is not None

    def bars(self, statement: str) -> bool:
        """Return whether it says what was forgotten."""
        return bool(self._statements) and self._salt is not None and hashed(statement, self._salt) in self._statements

    def note(self, by: str, at: datetime, erasure: Erasure, entries: Mapping[str, Taken]) -> None:
        """Write down a forgetting, once: before any of it is carried out."""
        if by in self._lines:
            return
        salt = self._salted()
        hashes = tuple(sorted({hashed(each, salt) for each in erasure.statements})) if erasure.barred else ()
        line = Forgotten(by, erasure.atom_ids, hashes, dict(entries))
        durable.append(self._path, sealed(orjson.dumps(_fields(line, at))) + b"\n")
        self._take(line)

    def take_over(self, other: Path) -> int:
        """Add the contents of another folder's ledger, or of a copy; return how many forgettings were new. Hashes of another salt
        cannot be made anew, so that salt is adopted where this folder has none yet."""
        theirs = ForgottenLedger(other) if other.is_dir() else _of_file(other)
        new = [line for line in theirs if line.by not in self._lines]
        if not new:
            return 0
        if self._salt is None:
            self._salted(theirs._salt)
        for line in new:
            kept = line if theirs._salt == self._salt else Forgotten(line.by, line.atom_ids, (), line.entries)
            durable.append(self._path, sealed(orjson.dumps(_fields(kept, None))) + b"\n")
            self._take(kept)
        return len(new)

    def _salted(self, salt: bytes | None = None) -> bytes:
        if self._salt is None:
            fresh = salt or secrets.token_bytes(SALT_BYTES)
            durable.write(self._path, sealed(orjson.dumps({"schema": SCHEMA, "salt": fresh.hex()})) + b"\n")
            self._salt = fresh  # not before it is kept: lines without the first one could never be read again
        return self._salt

    def _take(self, line: Forgotten) -> None:
        self._lines[line.by] = line
        self._atom_ids.update(line.atom_ids)
        self._statements.update(line.statements)

    def _read(self) -> None:
        try:
            lines = durable.read(self._path).split(b"\n")
        except FileNotFoundError:
            return
        try:
            self._salt = _salt_of(lines[0])
            for line in lines[1:]:
                if is_damaged(line):
                    log.warning("forgotten_damaged")
                    self._take(_as_far_as_it_can_be_read(line))
                elif line:
                    self._take(_line_of(orjson.loads(line)))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            # A torn last line was not acknowledged, and is written again. Any other unreadable line is damage.
            if self._salt is None or line is not lines[-1]:
                raise Corrupt(f"{self._path} is not what was written: restore it from a backup") from error
            durable.write(self._path, b"\n".join(lines[:-1]) + b"\n")


def _salt_of(line: bytes) -> bytes:
    """Return the salt. Raise `ValueError` where the line is damaged: with another one nothing would be barred any more."""
    if is_damaged(line):
        raise ValueError("the salt")
    return bytes.fromhex(orjson.loads(line)["salt"])


def _of_file(path: Path) -> ForgottenLedger:
    ledger = ForgottenLedger(path.parent)
    ledger._path = path
    ledger._read()
    return ledger


def _fields(line: Forgotten, at: datetime | None) -> dict[str, object]:
    entries = {
        entry: "whole" if taken.whole else [[span.start, span.end] for span in taken.spans]
        for entry, taken in line.entries.items()
    }
    when = {"at": at.isoformat()} if at else {}
    return {"by": line.by, **when, "atom_ids": line.atom_ids, "statements": line.statements, "entries": entries}


def _as_far_as_it_can_be_read(line: bytes) -> Forgotten:
    """Return a line that the disk changed. Its statements are barred still, but nothing more is erased by it: what it names now
    may be what nobody wanted to forget."""
    try:
        fields = orjson.loads(line)
        return Forgotten(str(fields["by"]), (), _ids(fields["statements"]))
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return Forgotten("", ())


def _line_of(fields: Mapping[str, object]) -> Forgotten:
    entries = fields["entries"]
    if not isinstance(entries, dict) or not all(map(is_id, entries)):
        raise ValueError("entries")
    taken = {
        entry: Taken(whole=True) if spans == "whole" else Taken(whole=False, spans=tuple(Span(*each) for each in spans))
        for entry, spans in entries.items()
    }
    return Forgotten(str(fields["by"]), _ids(fields["atom_ids"]), _ids(fields["statements"]), taken)


def _ids(values: object) -> tuple[str, ...]:
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise TypeError("a list was expected")
    return tuple(str(each) for each in values)
