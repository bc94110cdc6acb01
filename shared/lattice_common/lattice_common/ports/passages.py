"""Passages of documents and other long texts, and the indexes they are searched in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from lattice_common.domain.passage import Passage
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.lexical_index import LexicalIndex


class PassageReader(Protocol):
    """Derived from the journal; may be deleted at any time and made anew. Readers never wait for the writer. Raises
    `Unavailable`."""

    def any_passages(self) -> bool:
        """Return whether there are any; asked at every question."""
        ...

    def passages(self, passage_ids: Sequence[str]) -> list[Passage]:
        """Return those of them that are there, in the order asked for."""
        ...

    def of_capture(self, capture_id: str) -> list[Passage]:
        """In the order of the text."""
        ...

    def captures(self) -> list[str]:
        """Return those that have passages, by id."""
        ...


class PassageStore(PassageReader, Protocol):
    """The writer's side. A method's effect is visible to readers when it returns; durability is not promised."""

    def put_passages(self, captures: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        """The passages of captures: these, in the place of those that were there; none: they have none any more."""
        ...

    def passage_hashes(self) -> Iterator[tuple[str, str]]:
        """(passage id, content hash) of all, in no order."""
        ...

    def made_up_to(self) -> int | None:
        """Return how far the memories have been gone through for captures that need passages, by their `seq`; None when all have
        been. 0 for a store that is new."""
        ...

    def note_made(self, up_to: int | None) -> None: ...

    def clear(self) -> None: ...

    def purge(self) -> None:
        """Nothing of what was removed or replaced is in a file any more when it returns. Raise `Unavailable`."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PassageIndexes:
    """Where passages are searched: the same ports as the memories', with indexes of their own, so that neither changes what the
    other's words weigh. `space` is None without an embedder."""

    lexical: LexicalIndex
    space: VectorSpace | None
