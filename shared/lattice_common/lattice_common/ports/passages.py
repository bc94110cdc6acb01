"""Passages of documents and other long texts, and the indexes they are searched in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from lattice_common.domain.passage import Passage
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.lexical_index import LexicalIndex


class PassageReader(Protocol):
    """Passages, derived from the journal; they may be deleted at any time, and are made anew. Readers never wait for the writer.
    Raises `Unavailable`."""

    def any_passages(self) -> bool:
        """Return whether there are any passages; called for every question."""
        ...

    def passages(self, passage_ids: Sequence[str]) -> list[Passage]:
        """Return the passages with these ids that are there, in the order asked for."""
        ...

    def of_capture(self, capture_id: str) -> list[Passage]:
        """Return a capture's passages in the order of its text."""
        ...

    def captures(self) -> list[str]:
        """Return the ids of captures that have passages."""
        ...


class PassageStore(PassageReader, Protocol):
    """The writer's side. The effect of a method is visible to readers when it returns; durability is not promised."""

    def put_passages(self, captures: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        """Replace the passages of captures by these; an empty sequence removes them."""
        ...

    def passage_hashes(self) -> Iterator[tuple[str, str]]:
        """Yield (passage id, content hash) of all passages, in no particular order."""
        ...

    def made_up_to(self) -> int | None:
        """Return the `seq` up to which the memories have been looked through for captures that need passages; None when all have
        been, 0 for a new store."""
        ...

    def note_made(self, up_to: int | None) -> None: ...

    def clear(self) -> None: ...

    def purge(self) -> None:
        """Remove all traces of what was removed or replaced from the files. Raise `Unavailable`."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PassageIndexes:
    """The indexes of passages: the same ports as those of memories, apart from them, so that neither changes the word statistics
    of the other. `space` is None without an embedder."""

    lexical: LexicalIndex
    space: VectorSpace | None
