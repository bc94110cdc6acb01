"""More candidates from the best seeds: over the graph, and their neighbours in the conversation.

What no leg found for any reason (no shared word, no similar meaning, no name) is dropped first. The graph's seeds are not all
taken from one session: when it holds all of the best, the best of another takes the last places.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

import numpy as np

from lattice_common.domain.score import z_scores
from lattice_common.errors import Unavailable
from lattice_common.ports.catalogue import Columns
from lattice_common.ports.dense_index import DenseIndex
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.graph import Graph
from lattice_common.recall.order import best_first
from lattice_common.recall.question import Candidates, Floats, Rows, Search
from lattice_common.recall.visibility import is_visible

POINTED_SEEDS = 7
POINTED_ATOMS = 14
EXPANSION_ATOMS = 60
"""How far the graph is followed: a pointed question needs what is next to its best seeds, a list everything around them."""
NEIGHBOUR_SEEDS = 20
"""Best candidates whose neighbours in the conversation are looked at too: a result has 15 atoms."""
RESCORED = 100
"""Candidates without a cosine that get one: all that the graph reached, and the best by words."""
OTHER_SESSIONS = 2
"""Graph seeds that are kept for other sessions when one session holds all of the best."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The best `top_k` candidates with a cosine of at least `min_cosine` seed the graph; `rescore`: what is reached is compared
    with the question before it competes."""

    top_k: int
    min_cosine: float
    rescore: bool


def expand(search: Search, graph: Graph | None, reach: Reach) -> Search:
    """Add to `candidates`, then drop what the question may not see."""
    candidates = _with_a_reason(search.candidates, search.claiming, search.named[:, 0].astype(np.int64))
    if not len(candidates):
        return replace(search, candidates=candidates)
    columns, question = search.columns, search.question
    order = best_first(_first_score(candidates), candidates.rows, columns, most=max(reach.top_k, NEIGHBOUR_SEEDS))
    degraded = search.degraded
    reached: dict[int, float] = {}
    if graph is not None:
        pointed = question.shape in ("factual", "temporal")
        usable = order[: reach.top_k][_close_enough(candidates, order[: reach.top_k], reach.min_cosine)]
        seeds = _seeds(candidates.rows[usable], columns)
        try:
            found = graph.expand([columns.atom_ids[row] for row in seeds], POINTED_ATOMS if pointed else EXPANSION_ATOMS)
        except Unavailable as error:
            degraded = (*degraded, f"graph: {error}")
        else:
            rows = ((columns.row_of.get(atom.atom_id, search.count), 1.0 / (1.0 + atom.hops)) for atom in found)
            reached = {row: nearness for row, nearness in rows if row < search.count} | dict.fromkeys(seeds, 1.0)
    best = candidates.rows[order[:NEIGHBOUR_SEEDS]]
    beside = np.concatenate([columns.previous[best], columns.following[best]])
    beside = beside[(beside >= 0) & (beside < search.count)]
    candidates = _joined(candidates, reached.keys() | beside.tolist(), reached)
    candidates = candidates.where(is_visible(question, columns, candidates.rows))
    if reach.rescore and search.space is not None and search.vector is not None:
        candidates, problem = _rescored(candidates, columns, search.vector, search.space.dense)
        degraded = (*degraded, *problem)
    return replace(search, candidates=candidates, degraded=degraded)


def _with_a_reason(candidates: Candidates, claiming: Rows, named: Rows) -> Candidates:
    """Return the zero-score filter. Where nothing but stand-ins was found, they stay."""
    found = (candidates.text > 0) | (candidates.window > 0) | (candidates.cosine > 0)
    for kept in (claiming, named):
        if len(kept):
            found |= np.isin(candidates.rows, kept)
    return candidates.where(found) if found.any() else candidates


def _first_score(candidates: Candidates) -> Floats:
    """Return a rough order for choosing seeds: both legs count the same."""
    floor = np.nanmin(candidates.cosine) if np.isfinite(candidates.cosine).any() else 0.0
    return z_scores(candidates.text) + z_scores(candidates.cosine_or(float(floor)))


def _close_enough(candidates: Candidates, places: Rows, min_cosine: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which candidates may be seeds: one found by meaning alone must have a cosine of at least `min_cosine`."""
    by_words = candidates.text[places] > 0
    return np.asarray(by_words | (candidates.cosine_or(-1.0)[places] >= min_cosine))


def _seeds(rows: Rows, columns: Columns) -> list[int]:
    best = [int(row) for row in rows[:POINTED_SEEDS]]
    sessions = {int(columns.session[row]) for row in best}
    if len(sessions) != 1 or len(best) < POINTED_SEEDS:
        return best
    others = [int(row) for row in rows[POINTED_SEEDS:] if int(columns.session[row]) not in sessions][:OTHER_SESSIONS]
    return best[: POINTED_SEEDS - len(others)] + others


def _joined(candidates: Candidates, others: Set[int], reached: Mapping[int, float]) -> Candidates:
    """Return the candidates and the `others`, each once, with how near what was `reached` is (row → 0…1)."""
    added = np.array(sorted(others - set(candidates.rows.tolist())), dtype=np.int64)
    joined = candidates.and_then(Candidates.without_evidence(added))
    if not reached:
        return joined
    known = np.array(sorted(reached), dtype=np.int64)
    at = np.minimum(np.searchsorted(known, joined.rows), len(known) - 1)
    nearness = np.array([reached[row] for row in known.tolist()])
    return replace(joined, reached=np.where(known[at] == joined.rows, nearness[at], 0.0))


def _rescored(candidates: Candidates, columns: Columns, vector: Vectors, dense: DenseIndex) -> tuple[Candidates, tuple[str, ...]]:
    """Compute the cosines of the best candidates that the dense leg did not bring: they compete on the same terms. The rest keep
    that of the farthest hit, which is close to theirs."""
    unknown = np.flatnonzero(np.isnan(candidates.cosine))
    unknown = unknown[np.lexsort((-candidates.text[unknown], -candidates.reached[unknown]))[:RESCORED]]
    if not len(unknown):
        return candidates, ()
    ids = [columns.atom_ids[row] for row in candidates.rows[unknown]]
    try:
        vectors = dense.vectors(ids)
    except Unavailable as error:
        return candidates, (f"dense: {error}",)
    there = [at for at, atom_id in zip(unknown, ids, strict=True) if atom_id in vectors]
    if not there:
        return candidates, ()
    cosine = candidates.cosine.copy()
    cosine[there] = np.stack([vectors[columns.atom_ids[candidates.rows[at]]] for at in there]) @ vector
    return replace(candidates, cosine=cosine), ()
