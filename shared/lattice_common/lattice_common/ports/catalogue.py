"""Every atom's fields, ready to be queried: derived from the markdown, shared by reconcile and recall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import Atom
from lattice_common.language.people import Register
from lattice_common.ports.atoms import FileMark

SeqPosition: TypeAlias = tuple[int, str]
"""An atom's position in the order of writing: its `seq`, then its id (hand edits may have given several the same number)."""

REPEATS = -1
"""In place of a yearly date: the memory itself says on which days it takes place (`language.dates.recurring`)."""


@dataclass(slots=True)
class Columns:
    """The fields that scoring needs, one array element per atom ("row"); rows are in `seq` order of first writing.

    A reader takes `count` once and looks only at rows below it: the writer appends beyond it, may change single elements in
    place, and never moves a row of these columns: a row means nothing in the columns of another call. Names are compared by
    number: `names` maps a normalised name (`domain.atom.normalize_subject`) to it. −1 stands for none, NaN for no date; times
    are seconds since 1970 (UTC).
    """

    count: int
    atom_ids: list[str]
    row_of: dict[str, int]
    names: dict[str, int]
    kinds: dict[str, int]
    sessions: dict[str, int]
    alive: npt.NDArray[np.bool_]
    superseded: npt.NDArray[np.bool_]
    archived: npt.NDArray[np.bool_]
    learned: npt.NDArray[np.bool_]
    """Whether a document says it of the owner (`metadata.learned`)."""
    yearly: npt.NDArray[np.int32]
    """Month and day of a yearly date (`language.dates.yearly`); `REPEATS` of an entry that repeats in another way, 0 for none."""
    observed_at: npt.NDArray[np.float64]
    valid_from: npt.NDArray[np.float64]
    valid_until: npt.NDArray[np.float64]
    superseded_at: npt.NDArray[np.float64]
    """`observed_at` of the atom that superseded it; NaN while current. Used for `as_of`."""
    kind: npt.NDArray[np.int32]
    subject: npt.NDArray[np.int32]
    speaker: npt.NDArray[np.int32]
    session: npt.NDArray[np.int32]
    """Number of the session, or of the capture where there is no session; atoms with the same number are neighbours."""
    segment_turn: npt.NDArray[np.int64]
    """The same number for atoms of one turn (or of one paragraph where there are no turns)."""
    previous: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    """Rows of the atoms before and after in its session; −1 at the ends."""
    confidence: npt.NDArray[np.float32]
    importance: npt.NDArray[np.float32]
    quality: npt.NDArray[np.float32]
    persistence: npt.NDArray[np.int8]
    """0 ephemeral, 1 short_term, 2 long_term."""
    trust: npt.NDArray[np.int8]
    """0 user, 1 assistant, 2 document, 3 web."""
    status: npt.NDArray[np.int8]
    """`domain.status.NUMBERS`; 0 is asserted."""
    recall_count: npt.NDArray[np.int32]
    entities: list[tuple[int, ...]] = field(default_factory=list)
    """Numbers of the names an atom mentions, its subject and speaker included."""

    def living(self) -> npt.NDArray[np.int64]:
        """Return the rows that are there. Of a copy: numpy counts what is true and then fills as many places, and where the
        writer takes one away in between, the last place holds whatever was in memory."""
        return np.flatnonzero(self.alive[: self.count].copy())

    def ended(self, atom_id: str) -> float | None:
        """Return when an atom was superseded, in seconds since 1970; None while it is current, or where it is not there."""
        row = self.row_of.get(atom_id, self.count)
        return float(self.superseded_at[row]) if row < self.count and self.superseded[row] else None


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """How much there is of one named source: `captures`, `atoms` in all and `current` ones. `first` and `last` are the lowest and
    the highest id of its atoms: ids begin with the time at which their capture came."""

    source_id: str
    captures: int
    atoms: int
    current: int
    first: str
    last: str


class KnownAtoms(Protocol):
    """What reconcile asks of the known atoms when new ones come."""

    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        """Return the atoms with these ids that are there, in the order asked for; superseded ones included."""
        ...

    def with_hash(self, *, exact: str | None = None, normalized: str | None = None) -> list[str]:
        """Return the ids of current (not superseded) atoms with that content hash, archived ones included, oldest first."""
        ...

    def with_subject(self, subject: str, *, limit: int) -> list[Atom]:
        """Return current atoms whose normalised subject equals that of `subject`, without archived ones, newest first."""
        ...

    def similar_subjects(self, subject: str, *, ratio: float, limit: int) -> list[str]:
        """Return other normalised subjects of current atoms that are spelt similarly to `subject`, the most similar first: with a
        token_sort_ratio of at least `ratio` (0 to 100), the same numbers, and a word that begins alike. For the writer."""
        ...

    def with_slot(self, key: str, *, limit: int) -> list[Atom]:
        """Return atoms, superseded ones included, that have `key` among their `domain.slots.slot_keys`, the highest `seq` first.
        Costs an index look-up: implementations keep the keys of each atom when it is put."""
        ...

    def referrers(self, atom_id: str) -> list[str]:
        """Return the ids of atoms that supersede this one or relate to it, whether it is there or not."""
        ...


class CatalogueReader(KnownAtoms, Protocol):
    """Queries about atoms, answered without opening a file. Readers never wait for the writer."""

    def columns(self) -> Columns: ...

    def successors(self, atom_ids: Sequence[str]) -> dict[str, str]:
        """Return what each of these atoms says that it was superseded by, as far as it names anything. Opens no atom."""
        ...

    def recent(self, limit: int, *, before: str | None = None) -> list[Atom]:
        """Return atoms with the highest `seq` first, without archived ones; `before` is the atom id to go on from."""
        ...

    def following(self, seq: int, *, limit: int) -> list[Atom]:
        """Return atoms with a `seq` above this one, superseded ones included, oldest first. Costs an index look-up."""
        ...

    def same_subject(
        self, subject: str, *, before: SeqPosition | None = None, after: SeqPosition | None = None, limit: int
    ) -> list[str]:
        """Return the ids of atoms of the same normalised subject, superseded ones included, that are placed before `before`
        (newest first) or after `after` (oldest first); exactly one of the two is given. Costs an index look-up, and opens no
        atom."""
        ...

    def same_words(
        self, normalized: str, *, before: SeqPosition | None = None, after: SeqPosition | None = None, limit: int
    ) -> list[str]:
        """Return the ids of atoms with this normalised content hash, otherwise as `same_subject`."""
        ...

    def in_review(self, limit: int) -> list[tuple[str, str]]:
        """Return ids (newer, older) of current atoms, neither archived, of which the newer may have made the older untrue
        (`Atom.may_update`); the highest `seq` first. The cost depends on the number of such pairs, not of atoms."""
        ...

    def count_in_review(self) -> int:
        """Return the number of such pairs, at the same cost."""
        ...

    def contradictions(self, limit: int) -> list[tuple[str, str]]:
        """Return ids of current atoms, archived ones included, of which the first contradicts the second; the highest `seq`
        first. Two that contradict each other are one pair. The cost depends on the number of such pairs, not of atoms."""
        ...

    def count_contradictions(self) -> int:
        """Return the number of such pairs, at the same cost."""
        ...

    def subjects(self) -> Mapping[str, int]:
        """Return the number of current atoms that are not archived, by normalised subject."""
        ...

    def register(self) -> Register:
        """Return who is who according to the atoms (`domain.who.ties_by`), superseded ones included; kept up to date as atoms are
        put and removed. For reading only."""
        ...

    def of_capture(self, capture_id: str) -> list[str]:
        """Return the ids of a capture's atoms, in order."""
        ...

    def of_source(self, source_id: str) -> list[str]: ...

    def sources(self) -> list[SourceCounts]:
        """Return what there is of each named source, in no order. Opens no atom."""
        ...

    def marks(self, atom_ids: Sequence[str] | None = None) -> dict[str, tuple[FileMark, str]]:
        """Return (file mark, content hash) as last seen, by atom id; of those of `atom_ids` that are there, or of all."""
        ...

    def count(self) -> int:
        """Return the number of atoms, superseded ones included."""
        ...

    def all(self) -> Iterator[Atom]:
        """Yield every atom in `seq` order (then by id: hand edits may have given two files the same), read in batches."""
        ...

    def last_seq(self) -> int: ...


class Catalogue(CatalogueReader, Protocol):
    """The writer's side. The effect of a method is visible to readers when it returns; durability is not promised, because all of
    it is derived."""

    def put(self, atoms: Sequence[tuple[Atom, FileMark]]) -> None: ...

    def remove(self, atom_ids: Sequence[str]) -> None: ...

    def clear(self) -> None: ...

    def purge(self) -> None:
        """Remove all traces of what was removed or replaced from the files, names that only those atoms had included. Readers
        never wait for it. Raise `Unavailable` while a reader holds an old state: then it has to be repeated."""
        ...

    def trim_memory(self) -> None:
        """Give back what is kept in memory only to write sooner; it is read again when it is needed. For idle time."""
        ...

    def close(self) -> None: ...
