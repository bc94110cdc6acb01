"""The first candidates: what BM25 and the vectors find, both at once where that pays.

A leg that is away is named in `degraded` and missed, never an error; with both away, what is about the names in the question,
then what was said last, stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TypeAlias

import numpy as np

from lattice_common.domain.recall import Filter, Hit
from lattice_common.errors import Unavailable
from lattice_common.language.glosses.gloss import in_english
from lattice_common.ports.catalogue import CatalogueReader, Columns
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.lexical_index import LexicalIndex, LexicalQuery
from lattice_common.recall.anchor import HITS, anchored
from lattice_common.recall.question import Candidates, Floats, Question, Rows, Search
from lattice_common.recall.rarity import RARE, identified, looked_up, rarity
from lattice_common.recall.understand import held_from
from lattice_common.recall.visibility import is_visible
from lattice_common.recall.who import further_tokens, said_in_full

SEEDS = 400
"""Hits taken from each leg. Scoring one costs a microsecond; with 20 of each, what neither leg ranks high could not be found."""
SLOT_ATOMS = 8
"""Newest atoms that fill a slot asked about. Those superseded among them count only for a question about before."""
FURTHER_SEEDS = 100
"""Hits by the further names of whom the question means."""
WINDOW_SEEDS = 200
"""Hits by the words around an atom: they only help where the atom itself is close already."""


Unsearched: TypeAlias = Callable[[], Sequence[str]]
"""Returns what is remembered and cannot be found yet, each as `part: why`."""


@dataclass(frozen=True, slots=True)
class Legs:
    """Where seeds come from. `dense_missing` says why there is no dense search, where there is none for a reason. From
    `beside_from` atoms on both legs are searched at once; own engines are done with fewer before a thread has taken over."""

    catalogue: CatalogueReader
    lexical: LexicalIndex
    dense_missing: str | None
    pool: Executor
    beside_from: int = 0
    unsearched: Unsearched = tuple


def seed(search: Search, legs: Legs) -> Search:
    """Fill `candidates`, `claiming`, `named` and `vector`, and the `period` of a question that tells it by a clause."""
    question = search.question
    degraded = list(legs.unsearched())
    if not question.text:
        return replace(search, degraded=(*search.degraded, *degraded))
    within = _within(question)
    if legs.dense_missing:
        degraded.append(f"dense: {legs.dense_missing}")
    meaning = None
    if search.space is not None:
        by_meaning = partial(_dense, said_in_full(question), search.space, within)
        meaning = legs.pool.submit(by_meaning).result if search.count >= legs.beside_from else by_meaning
    words = _ByWords()
    found_by_words = True
    try:
        words = _lexical(question, legs.lexical, within)
    except Unavailable as error:
        found_by_words = False
        degraded.append(f"lexical: {error}")
    vector: Vectors | None = None
    nearest: list[Hit] = []
    if meaning is not None:
        try:
            vector, nearest = meaning()
        except Unavailable as error:
            degraded.append(f"dense: {error}")
    question = _with_its_time(question, words.clause, legs.catalogue, search)
    claiming = _claiming(question, legs.catalogue, search)
    candidates = _gather(words, nearest, claiming, search)
    named = _named(words.further, candidates, search)
    if not found_by_words and vector is None:
        candidates = _stand_ins(question, search.columns, search.count)
    return replace(
        search,
        question=question,
        candidates=candidates,
        claiming=claiming,
        named=named,
        vector=vector,
        degraded=(*search.degraded, *degraded),
    )


def _with_its_time(question: Question, clause: Sequence[Hit], catalogue: CatalogueReader, search: Search) -> Question:
    """Return the question with the time that its clause tells, where a memory of that is known."""
    if question.anchor is None or question.period is not None:
        return question
    known = [hit.atom_id for hit in clause if search.columns.row_of.get(hit.atom_id, search.count) < search.count]
    moment = question.query.as_of or datetime.fromtimestamp(search.now, tz=UTC)
    period = anchored(question.anchor, catalogue.get(known), search.columns, moment.date())
    return replace(question, period=period, held_from=held_from(period, in_english(question.text).lower(), moment))


def _within(question: Question) -> Filter | None:
    """Return what was asked for, and nothing said after `as_of`."""
    asked = question.query.filter
    if question.query.as_of is not None:
        known = question.query.as_of + timedelta(microseconds=1)
        asked = replace(asked, before=min(asked.before, known) if asked.before else known)
    return asked or None


@dataclass(frozen=True, slots=True)
class _ByWords:
    """Hits by the atom's own words, by those around it, by its words with further names of whom the question means, of the
    clause that tells its time, and by each of the tokens that are looked up alone."""

    text: Sequence[Hit] = ()
    window: Sequence[Hit] = ()
    further: Sequence[Hit] = ()
    clause: Sequence[Hit] = ()
    alone: Mapping[str, Sequence[Hit]] = field(default_factory=dict)


def _lexical(question: Question, index: LexicalIndex, within: Filter | None) -> _ByWords:
    """Return all in one call: to a server that is one way there and back."""
    names = further_tokens(question)
    if not question.tokens and not names:
        return _ByWords()
    alone = looked_up(question.tokens)
    asked = [
        (LexicalQuery({"text": question.tokens}), SEEDS),
        (LexicalQuery({"window": question.tokens}), WINDOW_SEEDS),
        *((LexicalQuery({"text": (token,)}, ranked=False), RARE) for token in alone),
    ]
    if names:
        asked.append((LexicalQuery({"text": (*question.tokens, *names)}), FURTHER_SEEDS))
    if question.anchor:
        asked.append((LexicalQuery({"text": question.anchor.sought}), HITS))
    text, window, *each = index.search_each(asked, within)
    clause = each.pop() if question.anchor else ()
    further = each.pop() if names else ()
    return _ByWords(text, window, further, clause, dict(zip(alone, each, strict=True)))


def _dense(text: str, space: VectorSpace, within: Filter | None) -> tuple[Vectors, list[Hit]]:
    vector = space.embedder.embed_query(text)
    return vector, space.dense.search(vector, SEEDS, within)


def _claiming(question: Question, catalogue: CatalogueReader, search: Search) -> Rows:
    found = (atom.atom_id for key in question.slots for atom in catalogue.with_slot(key, limit=SLOT_ATOMS))
    rows = (search.columns.row_of.get(atom_id, search.count) for atom_id in found)
    return np.array(sorted({row for row in rows if row < search.count}), dtype=np.int64)


def _named(further: Sequence[Hit], candidates: Candidates, search: Search) -> Floats:
    """Return what further names add to the BM25 of each candidate: rows and gains."""
    if not further:
        return np.zeros((0, 2))
    found = _column(candidates.rows, _rows(further, search.columns.row_of), further, 0.0)
    gain = np.maximum(found - candidates.text, 0.0)
    return np.stack([candidates.rows[gain > 0].astype(np.float64), gain[gain > 0]], axis=1)


def _gather(words: _ByWords, nearest: Sequence[Hit], claiming: Rows, search: Search) -> Candidates:
    """Return all hits as one set of candidates, without those that the catalogue does not know (an index may be a commit
    ahead)."""
    columns, count = search.columns, search.count
    legs = [(_rows(hits, columns.row_of), hits) for hits in (words.text, words.window, nearest)]
    few = {token: _rows(hits, columns.row_of) for token, hits in words.alone.items() if len(hits) < RARE}
    further = _rows(words.further, columns.row_of)
    rows = np.unique(np.concatenate([claiming, further, *(found for found, _ in legs), *identified(few).values()]))
    rows = rows[(rows >= 0) & (rows < count)]  # −1 is not known
    rows = rows[columns.alive[rows]]
    by_text, by_window, by_meaning = (
        _column(rows, found, hits, absent) for (found, hits), absent in zip(legs, (0.0, 0.0, np.nan), strict=True)
    )
    covered, exact = rarity(few, search.question.tokens, rows, count)
    return Candidates(rows, by_text, by_window, by_meaning, np.zeros(len(rows)), covered, exact)


def _rows(hits: Sequence[Hit], row_of: dict[str, int]) -> Rows:
    row = row_of.get
    return np.array([row(atom_id, -1) for atom_id, _ in hits], dtype=np.int64)


def _column(rows: Rows, found: Rows, hits: Sequence[Hit], absent: float) -> Floats:
    """Return the hits' scores at their places in `rows`, which is sorted."""
    values = np.full(len(rows), absent)
    if len(rows) and len(hits):
        at = np.minimum(np.searchsorted(rows, found), len(rows) - 1)
        known = rows[at] == found
        values[at[known]] = np.array([score for _, score in hits])[known]
    return values


def _stand_ins(question: Question, columns: Columns, count: int) -> Candidates:
    """Return candidates without any index: what is about the names of the question, else the newest."""
    rows = np.arange(count)
    rows = rows[is_visible(question, columns, rows)]
    named = rows[np.isin(columns.subject[rows], question.names)]
    return Candidates.without_evidence((named if len(named) else rows)[-SEEDS:])
