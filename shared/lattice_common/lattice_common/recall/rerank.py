"""The best few in the order of a model that reads the question and each statement together; part of the pipeline where
LATTICE_RERANK_MODEL names one.

Both orders count the same, as z-scores over these few: a reranker knows nothing of days, names and what was replaced. The scores
stay those of the ranking, dealt out in the new order, so that what is compared with them later means what it meant.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lattice_common.domain.score import z_scores
from lattice_common.errors import Unavailable
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.reranker import Reranker
from lattice_common.recall.question import Search

BEST = 24
"""Candidates that are read: a result has 15, and each takes some milliseconds."""
CHARACTERS = 1_000
"""Of a statement that are read; models cut at about 512 tokens."""


def rerank(search: Search, catalogue: CatalogueReader, reranker: Reranker) -> Search:
    """Order the best `BEST` of `ranked` anew."""
    ranked = search.ranked
    if ranked is None or len(ranked.candidates) < 2:
        return search
    best = ranked.order[:BEST]
    ids = [search.columns.atom_ids[row] for row in ranked.candidates.rows[best]]
    atoms = {atom.atom_id: atom for atom in catalogue.get(ids)}
    try:
        read = reranker.scores(search.question.text, [atoms[each].content[:CHARACTERS] if each in atoms else "" for each in ids])
    except Unavailable as error:
        return replace(search, degraded=(*search.degraded, f"rerank: {error}"))
    both = z_scores(np.asarray(read, dtype=np.float64)) + z_scores(ranked.scores[best])
    anew = best[np.argsort(-both, kind="stable")]
    scores = ranked.scores.copy()
    scores[anew] = np.sort(ranked.scores[best])[::-1]
    order = np.concatenate([anew, ranked.order[BEST:]])
    return replace(search, ranked=replace(ranked, scores=scores, order=order))
