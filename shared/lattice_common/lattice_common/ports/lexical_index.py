"""BM25 over tokens made by `language.text`."""

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
    """The fields that a `Filter` can restrict."""

    kind: str
    observed_at: datetime
    session_id: str | None = None
    source_id: str | None = None


@dataclass(frozen=True, slots=True)
class LexicalDocument:
    """One atom as it is indexed: tokens by field, in order, with repetitions. `seq` decides which of two writes is newer."""

    atom_id: str
    content_hash: str
    seq: int
    tokens: Mapping[str, Sequence[str]]
    filter_fields: FilterFields


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """Distinct tokens to look for in each field; the score of a document is the sum of its fields' BM25 scores times `boosts`
    (1.0 where not given). Without `ranked`, any documents that match will do where there are more than the limit, and their
    order and scores mean nothing: it is asked which documents have a token, if few do."""

    tokens: Mapping[str, Sequence[str]]
    boosts: Mapping[str, float] = field(default_factory=dict)
    ranked: bool = True


class LexicalIndex(Protocol):
    """An index derived from the atoms: it may be deleted at any time, and is rebuilt.

    Writers call `upsert`, `delete` and then `commit`; readers see committed documents only, as soon as `commit` returns, and
    never wait for a writer. Upserting is idempotent by atom id; a `seq` older than the indexed one is ignored. Scores are BM25
    with k1 1.2 and b 0.75, idf ln(1 + (N − n + 0.5) / (n + 0.5)), as Lucene computes it without its factor k1 + 1 dropped:
    adapters rescale so that all engines give the same numbers. Ties are broken by atom id. Raises `Unavailable`.
    """

    def upsert(self, documents: Sequence[LexicalDocument]) -> None: ...

    def delete(self, atom_ids: Sequence[str]) -> None: ...

    def commit(self) -> None: ...

    def search(self, query: LexicalQuery, limit: int, within: Filter | None = None) -> list[Hit]:
        """Return the `limit` best documents with a score above 0, best first; empty for no tokens."""
        ...

    def search_each(self, queries: Sequence[tuple[LexicalQuery, int]], within: Filter | None = None) -> list[list[Hit]]:
        """Search for several queries, each with its limit, and return the results in their order; a server answers them in one
        round trip."""
        ...

    def entries(self) -> Iterator[tuple[str, str, int]]:
        """Yield (atom id, content hash, seq) of every committed document, in no particular order."""
        ...

    def clear(self) -> None:
        """Remove everything, committed at once."""
        ...

    def purge(self) -> None:
        """Remove all traces of what was deleted or replaced from the files: a new index of what is committed takes the place of
        the old one. Costs writing it anew. Readers never wait for it. Raise `Unavailable`."""
        ...

    def anew(self) -> AbstractContextManager[None]:
        """Fill the index again from the start: what is committed within the context goes into an empty index, which replaces the
        old one when the context is left. On a server nobody sees the new one before, and the old one stays when the context is
        left by an exception; an engine in the process may be emptied on entering instead."""
        ...

    def close(self) -> None: ...
