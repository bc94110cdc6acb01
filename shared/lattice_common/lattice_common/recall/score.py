"""One score from many signals: a weighted sum, so that `explain` can show each signal's share of it.

Signals of the legs are z-scores over the candidates of the question, so that they can be added at all. What stands beside an
atom in its conversation counts too: a question often shares its words with the turn before the one that answers it.
Vectorised: about a thousand candidates cost well under a millisecond.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lattice_common.domain.decay import decayed_each
from lattice_common.domain.judgement import STATUSES
from lattice_common.domain.score import SECONDS_PER_DAY, Weights, recency, z_scores
from lattice_common.domain.status import NUMBERS, UNDECIDED
from lattice_common.ports.catalogue import Columns
from lattice_common.recall.order import best_first
from lattice_common.recall.period_rows import of_period
from lattice_common.recall.question import Candidates, Floats, Question, Ranked, Rows, Search
from lattice_common.recall.seen import Seen
from lattice_common.recall.talk_order import SHARED, talk_order
from lattice_common.recall.who import who

LITERAL_FROM, LITERAL_FULL = 0.23, 0.45
"""Share of the BM25 that a short text would have with every token of the question, each of them rare, where `literal` begins
and where it is 1. In bench/notes a question in other words has at most 0.23 in nine of ten, one in the note's own rare words at
least 0.27 in nine of ten; a text of average length that holds all of them has 1 / (1 + k1) = 0.45."""

MAX_ATOMS_OF_A_TURN = 4
"""Steps taken over atoms of the same turn to get to the neighbouring one."""
PAST = 0.5
ASKED_FOR = -0.5
"""`not_so` of what was so, and of what a question asks for: "what would I like" finds the wish before the fact."""
SAME_SESSION_SHARPNESS = 1.0
"""How much the best of a session count more than its rest, in units of one standard deviation."""


def score(search: Search, weights: Weights) -> Search:
    """Fill `ranked`. Signals without a weight are not computed into the score, and signals unknown here are ignored."""
    values = signals(search, weights)
    counted = np.array([weights.signals.get(name, 0.0) for name in SIGNALS])
    scores = values @ counted
    order = best_first(scores, search.candidates.rows, search.columns)
    return replace(search, ranked=Ranked(search.candidates, SIGNALS, values, scores, order))


def signals(search: Search, weights: Weights) -> Floats:
    """Shape (candidates, len(SIGNALS))."""
    if not len(search.candidates):
        return np.zeros((0, len(SIGNALS)))
    seen = look(search, weights)
    return np.stack([signal(seen) for signal in _SIGNALS.values()], axis=1)


def look(search: Search, weights: Weights) -> Seen:
    """Return what the signals are made of; there is a candidate."""
    candidates, columns = search.candidates, search.columns
    rows = candidates.rows
    floor = float(np.nanmin(candidates.cosine)) if np.isfinite(candidates.cosine).any() else 0.0
    cosine = candidates.cosine_or(floor)
    words, meaning = z_scores(candidates.text), z_scores(cosine)
    return Seen(
        search,
        weights,
        words,
        meaning,
        z_scores(candidates.window),
        cosine,
        _session(columns, candidates, words + meaning),
        _beside(columns, rows, search.count),
        float((columns.speaker[rows] >= 0).mean()),
    )


def literal(text: Floats, tokens: int, count: int) -> Floats:
    """Return, 0…1, how much of the question stands in each atom as it was asked, rare words counting most. Unlike a z-score it
    tells one common word that few others have from the words that the question is made of."""
    rarest = math.log1p((count - 0.5) / 1.5)
    share = text / (max(tokens, 1) * max(rarest, 1.0))
    return np.clip((share - LITERAL_FROM) / (LITERAL_FULL - LITERAL_FROM), 0.0, 1.0)


def _beside(columns: Columns, rows: Rows, count: int) -> tuple[Rows, Rows]:
    """Return for each row the places in `rows` of the nearest atoms of the turn before and after it: −1 where they are not
    candidates, −2 where there is no such turn."""
    order = np.argsort(rows)
    before, after = (_stepped(step, columns, rows, count) for step in (columns.previous, columns.following))
    return _places(before, rows, order), _places(after, rows, order)


def _places(wanted: Rows, rows: Rows, order: Rows) -> Rows:
    """Return where each of `wanted` stands in `rows`, which `order` sorts: −1 where it does not, −2 for none."""
    at = order[np.minimum(np.searchsorted(rows, wanted, sorter=order), len(rows) - 1)]
    return np.where(wanted < 0, -2, np.where(rows[at] == wanted, at, -1))


def _stepped(step: npt.NDArray[np.int32], columns: Columns, rows: Rows, count: int) -> Rows:
    """Return the row of the nearest atom of another turn for each row: −1 where there is none."""
    turn = columns.segment_turn[rows]
    at = step[rows].astype(np.int64)
    at[at >= count] = -1
    for _ in range(MAX_ATOMS_OF_A_TURN - 1):
        same = (at >= 0) & (columns.segment_turn[at] == turn)
        if not same.any():
            break
        at[same] = step[at[same]]
        at[at >= count] = -1
    return at


def _mean_beside(beside: tuple[Rows, Rows], values: Floats) -> Floats:
    """Return the mean over the turn before and after; a turn that was not found counts as the worst that was, a missing one as
    0."""
    padded = np.concatenate([values, [0.0, values.min()]])
    return np.asarray((padded[beside[0]] + padded[beside[1]]) / 2.0)


def _session(columns: Columns, candidates: Candidates, values: Floats) -> Floats:
    """Return how good the rest of an atom's session is; 0 for an atom that stands alone."""
    _, session = np.unique(columns.session[candidates.rows], return_inverse=True)
    mass = np.exp(SAME_SESSION_SHARPNESS * (values - values.max()))
    rest = np.bincount(session, mass)[session] - mass
    return np.asarray(np.log1p(rest))


def _not_so(columns: Columns, rows: Rows, question: Question) -> Floats:
    """Return 1 for what is only wished, supposed, heard, joked, dropped or doubted; half for what was so; less than nothing for
    what is asked about in just that way."""
    by_status = np.array([1.0 if status in UNDECIDED else 0.0 for status in STATUSES])
    by_status[NUMBERS["past"]] = PAST
    for status in question.statuses:
        by_status[NUMBERS[status]] = ASKED_FOR
    return by_status[columns.status[rows]]


def _recency(columns: Columns, rows: Rows, search: Search, weights: Weights) -> Floats:
    half_lives = weights.half_life_days
    usual = half_lives.get("default", 365.0)
    kinds = columns.kind[rows]
    by_kind = np.full(int(kinds.max(initial=-1)) + 1, usual)
    for kind, days in half_lives.items():
        if (number := columns.kinds.get(kind, len(by_kind))) < len(by_kind):
            by_kind[number] = days
    now = search.question.as_of or search.now
    age = (now - columns.observed_at[rows]) / SECONDS_PER_DAY
    return recency(np.asarray(age), by_kind[kinds])


def _confidence(columns: Columns, rows: Rows, search: Search) -> Floats:
    """Return how sure each still is: it fades with time, by how long such things hold."""
    now = search.question.as_of or search.now
    age = np.asarray((now - columns.observed_at[rows]) / SECONDS_PER_DAY)
    return decayed_each(columns.confidence[rows].astype(np.float64), columns.persistence[rows], age)


def _literal(seen: Seen) -> Floats:
    alive = int(np.count_nonzero(seen.columns.alive[: seen.search.count]))
    return literal(seen.candidates.text, len(seen.question.tokens), alive)


def _slot(seen: Seen) -> Floats:
    claiming = seen.search.claiming
    return np.isin(seen.rows, claiming).astype(np.float64) if len(claiming) else np.zeros(len(seen.rows))


def _of_kind(seen: Seen, kind: str | None) -> Floats:
    return np.asarray(seen.columns.kind[seen.rows] == seen.columns.kinds.get(kind or "", -2), dtype=np.float64)


def _talk_order(seen: Seen) -> Floats:
    """Return what the trees say of the order; 0 where nothing that was found is conversation, or where it has no weight: trees
    cost half a millisecond."""
    trees = seen.weights.trees
    if trees is None or not seen.talk or not seen.weights.signals.get("talk_order"):
        return np.zeros(len(seen.rows))
    return talk_order(seen, trees, shared_with_trees(seen))


def shared_with_trees(seen: Seen) -> dict[str, Floats]:
    return {name: _SIGNALS[name](seen) for name in SHARED}


_SIGNALS: Mapping[str, Callable[[Seen], Floats]] = {
    "bm25": lambda seen: seen.words,
    "bm25_talk": lambda seen: seen.words * seen.talk,
    "literal": _literal,
    "exact": lambda seen: seen.candidates.exact,
    "dense": lambda seen: seen.meaning,
    "dense_talk": lambda seen: seen.meaning * seen.talk,
    "window_talk": lambda seen: seen.window * seen.talk,
    "neighbour_meaning": lambda seen: _mean_beside(seen.beside, seen.meaning),
    "session_talk": lambda seen: seen.session * seen.talk,
    "slot": _slot,
    "speaker": lambda seen: np.isin(seen.columns.speaker[seen.rows], seen.question.names).astype(np.float64),
    "period": lambda seen: of_period(seen.question, seen.columns, seen.rows),
    "kind": lambda seen: _of_kind(seen, seen.question.kind),
    "graph": lambda seen: seen.candidates.reached,
    "recency": lambda seen: _recency(seen.columns, seen.rows, seen.search, seen.weights),
    "confidence": lambda seen: _confidence(seen.columns, seen.rows, seen.search),
    "importance": lambda seen: seen.columns.importance[seen.rows].astype(np.float64),
    "quality": lambda seen: seen.columns.quality[seen.rows].astype(np.float64) - 1.0,
    "question": lambda seen: _of_kind(seen, "question"),
    "not_so": lambda seen: _not_so(seen.columns, seen.rows, seen.question),
    "who": lambda seen: who(seen.search),
    "talk_order": _talk_order,
}
"""Every signal, one value a candidate: another one is a line here, and its weight in `weights.json`."""

SIGNALS: tuple[str, ...] = tuple(_SIGNALS)
"""In the order of the columns of `signals`."""
