"""Every atom's fields, ready to be asked: derived from the markdown, shared by reconcile and recall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import Atom
from lattice_common.domain.who import Register
from lattice_common.ports.atoms import FileMark

Place: TypeAlias = tuple[int, str]
"""Where an atom stands in the order of writing: its `seq`, then its id (a hand may have given several the same number)."""


@dataclass(slots=True)
class Columns:
    """The fields that scoring needs, one array element per atom ("row"); rows are in `seq` order of first writing.

    A reader takes `count` once and looks at rows below it only: the writer appends beyond it, may change single elements in
    place, and never moves a row. Names are compared by number: `names` maps a normalised name (`domain.atom.normalize_subject`)
    to it. −1 stands for none, NaN for no date; times are seconds since 1970 (UTC).
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
    """A document says it of the owner (`metadata.learned`)."""
    yearly: npt.NDArray[np.int32]
    """Month and day of a day that comes back every year (`domain.yearly`); 0 for none."""
    observed_at: npt.NDArray[np.float64]
    valid_from: npt.NDArray[np.float64]
    valid_until: npt.NDArray[np.float64]
    superseded_at: npt.NDArray[np.float64]
    """`observed_at` of the atom that superseded it; NaN while current. For `as_of`."""
    kind: npt.NDArray[np.int32]
    subject: npt.NDArray[np.int32]
    speaker: npt.NDArray[np.int32]
    session: npt.NDArray[np.int32]
    """Number of the session, or of the capture where there is no session: what neighbours share."""
    segment_turn: npt.NDArray[np.int64]
    """Equal for atoms of one turn (or of one paragraph where there are no turns)."""
    previous: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    """Rows of the atoms before and after it in its session; −1 at the ends."""
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

    def ended(self, atom_id: str) -> float | None:
        """When an atom was superseded; None while it is current, or not there."""
        row = self.row_of.get(atom_id, self.count)
        return float(self.superseded_at[row]) if row < self.count and self.superseded[row] else None


class KnownAtoms(Protocol):
    """What is asked of the known atoms when new ones meet them."""

    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        """Return those of the atoms that are there, in the order asked for; superseded ones too."""
        ...

    def with_hash(self, *, exact: str | None = None, normalized: str | None = None) -> list[str]:
        """Return ids of current (not superseded) atoms with that content hash, archived ones too, oldest first."""
        ...

    def with_subject(self, subject: str, *, limit: int) -> list[Atom]:
        """Current atoms whose normalised subject equals that of `subject`, without archived ones, newest first."""
        ...

    def similar_subjects(self, subject: str, *, ratio: float, limit: int) -> list[str]:
        """Return other normalised subjects of current atoms that are written nearly like `subject`, the most similar first: by
        token_sort_ratio at least `ratio` (0 to 100), with the same numbers, and with a word that begins alike. For the writer."""
        ...

    def with_slot(self, key: str, *, limit: int) -> list[Atom]:
        """Atoms, superseded ones too, among whose `domain.slots.slot_keys` is `key`, newest by `seq` first. Costs an index
        look-up: an implementation keeps the keys of each atom when it is put."""
        ...

    def referrers(self, atom_id: str) -> list[str]:
        """Return ids of atoms that name this one among what they supersede or relate to, whether it is there or not."""
        ...


class CatalogueReader(KnownAtoms, Protocol):
    """Questions about atoms, answered without opening a file. Readers never wait for the writer."""

    def columns(self) -> Columns: ...

    def recent(self, limit: int, *, before: str | None = None) -> list[Atom]:
        """Newest by `seq` first, without archived ones; `before` is an atom id to go on from."""
        ...

    def following(self, seq: int, *, limit: int) -> list[Atom]:
        """Return atoms with a higher `seq`, superseded ones too, oldest first. Costs an index look-up."""
        ...

    def same_subject(self, subject: str, *, before: Place | None = None, after: Place | None = None, limit: int) -> list[str]:
        """Return ids of atoms of the same normalised subject, superseded ones too, that stand before `before` (newest first) or
        after `after` (oldest first); exactly one of the two is given. Costs an index look-up, opens no atom."""
        ...

    def same_words(self, normalized: str, *, before: Place | None = None, after: Place | None = None, limit: int) -> list[str]:
        """Return ids of atoms with this normalized content hash, in the same way as `same_subject`."""
        ...

    def in_review(self, limit: int) -> list[tuple[str, str]]:
        """Return ids (newer, older) of current atoms, neither archived, of which the newer may have made the older untrue
        (`Atom.may_update`); the newest by `seq` first. Costs what there is of them, whatever the number of atoms."""
        ...

    def count_in_review(self) -> int:
        """Return how many such pairs there are, at the same cost."""
        ...

    def subjects(self) -> Mapping[str, int]:
        """Normalised subject → number of current atoms that are not archived."""
        ...

    def register(self) -> Register:
        """Return who is who, by what the atoms say (`domain.who.ties_by`), superseded ones too; kept up as atoms are put and
        removed. To be read only."""
        ...

    def of_capture(self, capture_id: str) -> list[str]:
        """Return ids of a capture's atoms, in order."""
        ...

    def of_source(self, source_id: str) -> list[str]: ...

    def marks(self, atom_ids: Sequence[str] | None = None) -> dict[str, tuple[FileMark, str]]:
        """Atom id → (file mark, content hash) as last seen; of those atoms among `atom_ids` that are there, or of all."""
        ...

    def count(self) -> int:
        """Return atoms that are there, superseded ones included."""
        ...

    def all(self) -> Iterator[Atom]:
        """Return every atom in `seq` order (then by id: a hand may have given two files the same), read in batches."""
        ...

    def last_seq(self) -> int: ...


class Catalogue(CatalogueReader, Protocol):
    """The writer's side. A method's effect is visible to readers when it returns; durability is not promised (it is derived)."""

    def put(self, atoms: Sequence[tuple[Atom, FileMark]]) -> None: ...

    def remove(self, atom_ids: Sequence[str]) -> None: ...

    def clear(self) -> None: ...

    def purge(self) -> None:
        """Nothing of what was removed or replaced is in a file any more when it returns, names that only it had included. Readers
        never wait for it. Raise `Unavailable` while a reader keeps an old state: then it is to be done again."""
        ...

    def close(self) -> None: ...
