"""The columns of `ports.catalogue`, kept in memory and in step by the one writer while readers use them.

Arrays are longer than `count` and are replaced by longer ones when full, so that adding an atom costs a constant on average. A
reader gets a `Columns` whose arrays are at least `count` long and stay as they are but for single elements: nothing it holds is
ever moved or shortened. An atom's entry in `row_of` is made last, when its row is complete.

An atom's elements also have a packed form (`pack`), one short byte string, from which 100,000 rows are loaded at once.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.status import NUMBERS
from lattice_common.language.dates.recurring import repeats
from lattice_common.language.dates.yearly import yearly_day
from lattice_common.ports.catalogue import REPEATS, Columns

Interned = Callable[[str, str], int]
"""(space, text) → number; spaces are `name`, `kind` and `session`."""

PERSISTENCE = {"ephemeral": 0, "short_term": 1, "long_term": 2}
TRUST = {"user": 0, "assistant": 1, "document": 2, "web": 3}

_FIRST_CAPACITY = 1024
COMPACT_FROM, COMPACT_SHARE = 1024, 0.25
"""Rows without an atom from which they are left out, and their share of all: a row takes some 600 bytes, its names included, and
to leave them out about a microsecond for each of the others."""
_ELEMENTS = (
    ("kind", "i4"), ("subject", "i4"), ("speaker", "i4"), ("session", "i4"), ("segment_turn", "i8"),
    ("observed_at", "f8"), ("valid_from", "f8"), ("valid_until", "f8"), ("superseded_at", "f8"),
    ("confidence", "f4"), ("importance", "f4"), ("quality", "f4"), ("recall_count", "i4"),
    ("persistence", "i1"), ("trust", "i1"), ("status", "i1"), ("superseded", "?"), ("seq", "i8"),
    ("archived", "?"), ("learned", "?"), ("yearly", "i4"),
)  # fmt: skip
_RECORD = np.dtype([(name, "<" + kind if kind != "?" else kind) for name, kind in _ELEMENTS])
_PACKED = struct.Struct("<iiiiqddddfffibbb?q??i")
_LINKS = ("previous", "following")


@dataclass(slots=True)
class Elements:
    """One atom's element of every column that comes from the atom alone; `values` in the order of `_ELEMENTS`."""

    values: tuple[int | float | bool, ...]
    entities: tuple[int, ...]

    @property
    def subject(self) -> int:
        return int(self.values[1])

    @property
    def superseded_at(self) -> float:
        return float(self.values[8])

    @property
    def superseded(self) -> bool:
        """Return what is superseded, by the atom's own word."""
        return bool(self.values[16])

    def pack(self) -> tuple[bytes, bytes]:
        """Return (elements, entities) as bytes, little-endian."""
        return _PACKED.pack(*self.values), struct.pack(f"<{len(self.entities)}i", *self.entities)

    @classmethod
    def unpacked(cls, elements: bytes, entities: bytes) -> Elements:
        """Return the reverse of `pack`."""
        return cls(_PACKED.unpack(elements), struct.unpack(f"<{len(entities) // 4}i", entities))


def elements_of(atom: Atom, interned: Interned, *, superseded: bool, superseded_at: float, seq: int) -> Elements:
    """Return what the columns hold of an atom; `superseded_at` in seconds since 1970, NaN while current."""
    subject = _name(atom.subject, interned)
    speaker = _name(atom.speaker or "", interned)
    names = [subject, speaker, *(_name(entity, interned) for entity in atom.entities)]
    values = (
        interned("kind", atom.kind),
        subject,
        speaker,
        interned("session", atom.session_id or atom.capture_id),
        _turn(atom),
        seconds(atom.observed_at),
        seconds(atom.valid_from),
        seconds(atom.valid_until),
        superseded_at,
        atom.confidence,
        atom.importance,
        atom.quality_score,
        min(atom.recall_count, 2**31 - 1),
        PERSISTENCE[atom.persistence],
        TRUST[atom.trust],
        NUMBERS[atom.status],
        superseded,
        seq,
        atom.archived,
        atom.metadata.get("learned") is True,
        REPEATS if repeats(atom.content) else yearly_day(atom.content),
    )
    return Elements(values, tuple(dict.fromkeys(name for name in names if name >= 0)))


def seconds(time: datetime | None) -> float:
    """Return seconds since 1970; NaN for no date."""
    return float("nan") if time is None else time.timestamp()


class ColumnStore:
    """The writer's side of `Columns`; one thread at a time writes, any number read what `columns` gives them."""

    def __init__(self) -> None:
        self.interned: dict[str, dict[str, int]] = {"name": {}, "kind": {}, "session": {}}
        self.given = dict.fromkeys(self.interned, 0)
        """How many numbers were given out of each, those no longer in use included."""
        self._count = self._gone = 0
        self._ids: list[str] = []
        self._row_of: dict[str, int] = {}
        self._entities: list[tuple[int, ...]] = []
        self._tails: dict[int, int] = {}
        self._arrays = _empty(_FIRST_CAPACITY)
        self._columns = self._view()

    def columns(self) -> Columns:
        return self._columns

    def row(self, atom_id: str) -> int | None:
        """Return the row of an atom that is there, or was removed lately."""
        return self._row_of.get(atom_id)

    def observed_at(self, row: int) -> float:
        return float(self._arrays["observed_at"][row])

    def is_alive(self, row: int) -> bool:
        return bool(self._arrays["alive"][row])

    def superseded(self, row: int) -> bool:
        return bool(self._arrays["superseded"][row])

    def superseded_at(self, row: int) -> float:
        return float(self._arrays["superseded_at"][row])

    def current_subject(self, row: int) -> int:
        """Return the number of the subject of an atom that is there, not superseded and not archived; −1 otherwise."""
        arrays = self._arrays
        current = arrays["alive"][row] and not arrays["superseded"][row] and not arrays["archived"][row]
        return int(self._arrays["subject"][row]) if current else -1

    def sessions(self) -> set[int]:
        """Return the numbers of the sessions that atoms are of."""
        alive = np.flatnonzero(self._arrays["alive"][: self._count])
        return set(self._arrays["session"][alive].tolist())

    def load(self, atom_ids: Sequence[str], packed: bytes, entities: bytes, entity_counts: Sequence[int]) -> None:
        """Fill an empty store: the packed elements of all atoms one after another, and how many entities each has."""
        records = np.frombuffer(packed, dtype=_RECORD)
        numbers = np.frombuffer(entities, dtype="<i4").tolist()
        ends = np.cumsum(np.asarray(entity_counts, dtype=np.int64)).tolist()
        each = [tuple(numbers[end - length : end]) for end, length in zip(ends, entity_counts, strict=True)]
        if (np.diff(records["seq"]) > 0).all():
            self._ids, self._entities = list(atom_ids), each
        else:
            seqs = records["seq"].tolist()
            order = sorted(range(len(seqs)), key=lambda i: (seqs[i], atom_ids[i]))
            records = records[order]
            self._ids, self._entities = [atom_ids[i] for i in order], [each[i] for i in order]
        self._count = len(self._ids)
        self._arrays = _empty(max(_FIRST_CAPACITY, self._count * 5 // 4))
        for name, _ in _ELEMENTS:
            self._arrays[name][: self._count] = records[name]
        self._arrays["alive"][: self._count] = True
        self._link_all()
        self._row_of = dict(zip(self._ids, range(self._count), strict=True))
        self._columns = self._view()

    def put(self, atom_id: str, elements: Elements) -> None:
        """Add an atom, or change it in its row. Readers see it after `publish`."""
        row = self._row_of.get(atom_id)
        if row is None:
            row = self._count
            if row == len(self._arrays["alive"]):
                self._arrays = _grown(self._arrays)
            self._ids.append(atom_id)
            self._entities.append(elements.entities)
            self._count += 1
        else:
            if self._arrays["alive"][row]:
                self._unlink(row)
            else:
                self._gone -= 1
            self._entities[row] = elements.entities
        for (name, _), value in zip(_ELEMENTS, elements.values, strict=True):
            self._arrays[name][row] = value
        self._link(row)
        self._arrays["alive"][row] = True
        self._row_of[atom_id] = row

    def set_superseded(self, row: int, superseded: bool, at: float) -> None:
        self._arrays["superseded"][row] = superseded
        self._arrays["superseded_at"][row] = at

    def remove(self, atom_id: str) -> None:
        """Mark the row as no longer alive; it stays until `compact`."""
        row = self._row_of.get(atom_id)
        if row is not None and self._arrays["alive"][row]:
            self._arrays["alive"][row] = False
            self._gone += 1
            self._unlink(row)

    def compact(self) -> bool:
        """Leave out the rows of atoms that were removed, where they are many: what comes and goes must not take ever more memory.
        Return whether it was done; a reader keeps the rows that it has, and meets the new ones with the next `publish`."""
        if self._gone < max(COMPACT_FROM, COMPACT_SHARE * self._count):
            return False
        seq, former = self._arrays["seq"].tolist(), self._ids
        alive = np.flatnonzero(self._arrays["alive"][: self._count]).tolist()
        order = sorted(alive, key=lambda row: (seq[row], former[row]))
        arrays = _empty(max(_FIRST_CAPACITY, len(order) * 5 // 4))
        for name, _ in _ELEMENTS:
            arrays[name][: len(order)] = self._arrays[name][order]
        arrays["alive"][: len(order)] = True
        self._arrays, self._count, self._gone = arrays, len(order), 0
        self._ids, self._entities = [former[row] for row in order], [self._entities[row] for row in order]
        self._row_of = {atom_id: row for row, atom_id in enumerate(self._ids)}
        self._link_all()
        return True

    def publish(self) -> None:
        """Let readers see what was put."""
        self._columns = self._view()

    def _view(self) -> Columns:
        arrays: dict[str, Any] = {name: array for name, array in self._arrays.items() if name != "seq"}
        interned = self.interned
        return Columns(
            count=self._count,
            atom_ids=self._ids,
            row_of=self._row_of,
            names=interned["name"],
            kinds=interned["kind"],
            sessions=interned["session"],
            entities=self._entities,
            **arrays,
        )

    def _link(self, row: int) -> None:
        """Put a row in its place in its session: at the end nearly always, further up when it comes late."""
        seq, previous, following, ids = self._arrays["seq"], self._arrays["previous"], self._arrays["following"], self._ids
        session = int(self._arrays["session"][row])
        after, before = -1, self._tails.get(session, -1)
        while before >= 0 and (seq[before], ids[before]) > (seq[row], ids[row]):
            after, before = before, int(previous[before])
        previous[row], following[row] = before, after
        if before >= 0:
            following[before] = row
        if after >= 0:
            previous[after] = row
        else:
            self._tails[session] = row

    def _unlink(self, row: int) -> None:
        previous, following = self._arrays["previous"], self._arrays["following"]
        before, after = int(previous[row]), int(following[row])
        if before >= 0:
            following[before] = after
        if after >= 0:
            previous[after] = before
        elif before >= 0:
            self._tails[int(self._arrays["session"][row])] = before
        else:
            del self._tails[int(self._arrays["session"][row])]
        previous[row] = following[row] = -1

    def _link_all(self) -> None:
        session = self._arrays["session"][: self._count]
        order = np.argsort(session, kind="stable").astype(np.int32)  # rows are in order of writing already
        same = session[order[1:]] == session[order[:-1]]
        self._arrays["previous"][order[1:]] = np.where(same, order[:-1], -1)
        self._arrays["following"][order[:-1]] = np.where(same, order[1:], -1)
        self._tails = dict(zip(session[order].tolist(), order.tolist(), strict=True))


def _name(text: str, interned: Interned) -> int:
    name = normalize_subject(text)
    return interned("name", name) if name else -1


def _turn(atom: Atom) -> int:
    """Return a number that is equal for what was said in one breath: one message, else one paragraph or other segment."""
    turn = atom.metadata.get("turn", atom.metadata.get("message_id"))
    key = f"{atom.capture_id}\0{atom.segment_id if turn is None else turn}"
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little", signed=True)


def _empty(capacity: int) -> dict[str, npt.NDArray[np.generic]]:
    arrays: dict[str, npt.NDArray[np.generic]] = {name: np.zeros(capacity, dtype=kind) for name, kind in _ELEMENTS}
    arrays["alive"] = np.zeros(capacity, dtype=np.bool_)
    for name in _LINKS:
        arrays[name] = np.full(capacity, -1, dtype=np.int32)
    return arrays


def _grown(arrays: dict[str, npt.NDArray[np.generic]]) -> dict[str, npt.NDArray[np.generic]]:
    capacity = len(arrays["alive"])
    grown = _empty(capacity * 2)
    for name, array in arrays.items():
        grown[name][:capacity] = array
    return grown
