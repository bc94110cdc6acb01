"""The lexical index in memory: BM25 as the contract states it, written out. The twin that the engines are compared with.

Lucene and tantivy store a document's length in one byte, exact up to 40 tokens and rounded down to three significant bits
beyond; so does this one, else long documents would score differently.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from threading import Lock

from lattice_common.domain.recall import Filter, Hit
from lattice_common.ports.lexical_index import BM25_B, BM25_K1, FIELDS, FilterFields, LexicalDocument, LexicalQuery


def stored_length(length: int) -> int:
    """Return a field's length as one byte holds it (Lucene's SmallFloat.intToByte4): exact below 40, then 3 bits after the
    first."""
    beyond = length - 24
    if beyond < 16:
        return length
    shift = beyond.bit_length() - 4
    return 24 + ((beyond >> shift) << shift)


def passes(fields: FilterFields, within: Filter | None) -> bool:
    """Return whether a document with these fields may be found."""
    if within is None:
        return True
    return (
        (not within.session_id or fields.session_id in within.session_id)
        and (not within.source_id or fields.source_id in within.source_id)
        and (not within.kind or fields.kind in within.kind)
        and (within.after is None or fields.observed_at >= within.after)
        and (within.before is None or fields.observed_at < within.before)
    )


@dataclass(slots=True)
class _Field:
    """One field's postings, and how long it is in each document and in all."""

    postings: dict[str, dict[str, int]] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    total: int = 0

    def add(self, atom_id: str, tokens: Sequence[str]) -> None:
        for token, count in Counter(tokens).items():
            self.postings.setdefault(token, {})[atom_id] = count
        self.lengths[atom_id] = len(tokens)
        self.total += len(tokens)

    def remove(self, atom_id: str, tokens: Sequence[str]) -> None:
        for token in set(tokens):
            del self.postings[token][atom_id]
        self.total -= self.lengths.pop(atom_id)


class MemoryLexicalIndex:
    """A `LexicalIndex` that lives as long as it is referenced. A search may wait for a commit, which takes microseconds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._staged: list[LexicalDocument | str] = []
        self._documents: dict[str, LexicalDocument] = {}
        self._fields: dict[str, _Field] = {name: _Field() for name in FIELDS}

    def upsert(self, documents: Sequence[LexicalDocument]) -> None:
        self._staged += documents

    def delete(self, atom_ids: Sequence[str]) -> None:
        self._staged += atom_ids

    def commit(self) -> None:
        staged, self._staged = self._staged, []
        with self._lock:
            for change in staged:
                if isinstance(change, str):
                    self._remove(change)
                elif change.atom_id not in self._documents or change.seq >= self._documents[change.atom_id].seq:
                    self._remove(change.atom_id)
                    self._add(change)

    def search(self, query: LexicalQuery, limit: int, within: Filter | None = None) -> list[Hit]:
        with self._lock:
            scores: dict[str, float] = {}
            for name, tokens in query.tokens.items():
                self._score(self._fields[name], tokens, query.boosts.get(name, 1.0), scores)
            found = (
                Hit(atom_id, score)
                for atom_id, score in scores.items()
                if score > 0 and passes(self._documents[atom_id].filter_fields, within)
            )
            return nsmallest(limit, found, key=lambda hit: (-hit.score, hit.atom_id))

    def search_each(self, queries: Sequence[tuple[LexicalQuery, int]], within: Filter | None = None) -> list[list[Hit]]:
        return [self.search(query, limit, within) for query, limit in queries]

    def entries(self) -> Iterator[tuple[str, str, int]]:
        with self._lock:
            return iter([(document.atom_id, document.content_hash, document.seq) for document in self._documents.values()])

    def purge(self) -> None:
        """Do nothing: there is no file, and what was removed is gone."""

    def clear(self) -> None:
        self._staged = []
        with self._lock:
            self._documents = {}
            self._fields = {name: _Field() for name in FIELDS}

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        """Empty the index, to be filled again: there is one of it only."""
        self.clear()
        yield

    def close(self) -> None:
        self._staged = []

    def _score(self, indexed: _Field, tokens: Sequence[str], boost: float, scores: dict[str, float]) -> None:
        documents = len(self._documents)
        for token in dict.fromkeys(tokens):
            postings: Mapping[str, int] = indexed.postings.get(token) or {}
            idf = math.log(1 + (documents - len(postings) + 0.5) / (len(postings) + 0.5))
            for atom_id, count in postings.items():
                relative_length = stored_length(indexed.lengths[atom_id]) * documents / indexed.total
                score = boost * idf * count / (count + BM25_K1 * (1 - BM25_B + BM25_B * relative_length))
                scores[atom_id] = scores.get(atom_id, 0.0) + score

    def _add(self, document: LexicalDocument) -> None:
        self._documents[document.atom_id] = document
        for name, indexed in self._fields.items():
            indexed.add(document.atom_id, document.tokens.get(name, ()))

    def _remove(self, atom_id: str) -> None:
        document = self._documents.pop(atom_id, None)
        if document is not None:
            for name, indexed in self._fields.items():
                indexed.remove(atom_id, document.tokens.get(name, ()))
