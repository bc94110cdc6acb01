"""The records of a data folder that are sealed (`domain.seal`), and which of them the disk changed.

A memory's file has no seal, for it is its owner's to edit; the doctor holds it to its own hash, to the journal and to the
catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.forgotten_ledger import LEDGER
from lattice_common.adapters.files.journal_days import folder_of, ids_in
from lattice_common.domain.seal import CRC, is_damaged, seal_of
from lattice_common.errors import Corrupt

KEPT = ("journal/keys/*/*.json", "journal/again/*", LEDGER, "logs/*.jsonl", "logs/tokens/*.jsonl")
"""What no other file can give again."""
DERIVED = ("index/*.json",)
ACCESS = "access.json"
EPOCH = ".writer.epoch"


@dataclass(frozen=True, slots=True)
class Record:
    """`line` is the number of a line, from 1, where the file has several; None for a record that is a file by itself. `of` is the
    folder of the data folder that it lies in (`journal`, `logs`, `index`), or `access`."""

    path: str
    line: int | None
    of: str
    is_damaged: bool
    is_unread: bool = False
    """Whether the disk did not give it at all."""


def records_in(root: Path) -> Iterator[Record]:
    """Yield the records of `journal/`, beside those that the journal itself reads, of `logs/` and of `index/`."""
    epoch = _lines_of(root / EPOCH)
    for line in [b""] if epoch is None else epoch:
        yield Record(EPOCH, None, "writer", not line.isdigit(), epoch is None)
    journal = root / "journal"
    plans = [Path(folder_of(journal, each), f"{each}.plan.json") for each in sorted(ids_in(journal / "open"))]
    for path in (*plans, *(path for pattern in (*KEPT, *DERIVED) for path in sorted(root.glob(pattern)))):
        name = path.relative_to(root).as_posix()
        several = path.suffix == ".jsonl"
        if (lines := _lines_of(path)) is None:
            yield Record(name, None, name.partition("/")[0], is_damaged=True, is_unread=True)
        for number, line in enumerate(lines or (), start=1):
            yield Record(name, number if several else None, name.partition("/")[0], is_damaged(line))


def records_of_access(folder: Path) -> Iterator[Record]:
    """Yield the tokens and sessions; those that are damaged open nothing any more."""
    try:
        kept = orjson.loads(durable.read(folder / ACCESS))
    except FileNotFoundError:
        return
    except ValueError:
        yield Record(ACCESS, None, "access", is_damaged=True)
        return
    except (OSError, Corrupt):
        yield Record(ACCESS, None, "access", is_damaged=True, is_unread=True)
        return
    every = [*kept.get("tokens", ()), *kept.get("sessions", ())] if isinstance(kept, dict) else []
    for number, each in enumerate(every, start=1):
        yield Record(ACCESS, number, "access", CRC in each and seal_of(each) != each[CRC])


def _lines_of(path: Path) -> list[bytes] | None:
    """Return the lines of a file; None where it cannot be read."""
    try:
        return [line for line in durable.read(path).split(b"\n") if line]
    except FileNotFoundError:  # gone meanwhile
        return []
    except (OSError, Corrupt):
        return [] if path.is_dir() else None  # a folder that somebody made is none
