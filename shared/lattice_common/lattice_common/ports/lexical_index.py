"""BM25 over tokens that `domain.text` made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from lattice_common.domain.recall import Filter, Hit

FIELDS: tuple[str, ...] = ("text", "window")
"""`text`: date, speaker, subject, headings and content. `window`: the content of the atoms around it in its conversation."""

BM25_K1 = 1.2
BM25_B = 0.75


@dataclass(frozen=True, slots=True)
class FilterFields:
    """What a `Filter` can restrict."""

    kind: str
    observed_at: datetime
    session_id: str | None = None
    source_id: str | None = None


@dataclass(frozen=True, slots=True)
class LexicalDocument:
    """One atom as indexed: tokens by field, in order, repetitions kept. `seq` decides which of two writes is newer."""

    atom_id: str
    content_hash: str
    seq: int
    tokens: Mapping[str, Sequence[str]]
    filter_fields: FilterFields


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """Distinct tokens to look for in each field; a document's score is the sum of its fields' BM25 scores times `boosts`
    (1.0 where not given)."""

    tokens: Mapping[str, Sequence[str]]
    boosts: Mapping[str, float] = field(default_factory=dict)


class LexicalIndex(Protocol):
    """Derived from the atoms; may be deleted at any time and rebuilt.

    Writers call `upsert`, `delete` and then `commit`; readers see committed documents only, at once after `commit` returns, and
    never wait for a writer. Upserting is idempotent by atom id; an older `seq` than the indexed one is ignored. Scores are
    BM25 with k1 1.2 and b 0.75, idf ln(1 + (N − n + 0.5) / (n + 0.5)), as Lucene computes it without its factor k1 + 1
    dropped: adapters rescale so that all engines give the same numbers. Ties are broken by atom id. Raises `Unavailable`.
    """

    def upsert(self, documents: Sequence[LexicalDocument]) -> None: ...

    def delete(self, atom_ids: Sequence[str]) -> None: ...

    def commit(self) -> None: ...

    def search(self, query: LexicalQuery, limit: int, within: Filter | None = None) -> list[Hit]:
        """Return the `limit` best documents with a score above 0, best first. No tokens: nothing."""
        ...

    def search_each(self, queries: Sequence[tuple[LexicalQuery, int]], within: Filter | None = None) -> list[list[Hit]]:
        """`search` for several queries, each with its limit, in their order: to a server that is one way there and back."""
        ...

    def entries(self) -> Iterator[tuple[str, str, int]]:
        """(atom id, content hash, seq) of every committed document, in no order."""
        ...

    def clear(self) -> None:
        """Forget everything, committed at once."""
        ...

    def purge(self) -> None:
        """Nothing of what was deleted or replaced is in a file any more when it returns: an index of what is committed takes its
        place. Costs writing it anew. Readers never wait for it. Raise `Unavailable`."""
        ...

    def anew(self) -> AbstractContextManager[None]:
        """For filling it again from the start: what is committed within goes to an empty one, which takes the old one's place
        when the context is left. On a server nobody sees it before, and the old one stays when it is left by an exception; an
        engine in the process may be emptied on entering instead.
        """
        ...

    def close(self) -> None: ...
