"""What the judge makes of the best statements as answers, mixed lightly into their order.

The ranking knows days, names, identifiers and what was replaced, of which the judge knows nothing; so what the judge thinks is
one more signal, a z-score over the statements that it reads, and does not take the order's place. It has not learned talk: the
more of what was found is talk, the less it counts.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lattice_common.domain.score import Weights, z_scores
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.order import best_first
from lattice_common.recall.question import Search
from lattice_common.recall.reading import log_odds_of

BEST = 24
"""Candidates that are read, some 35 ms on two cores: a result has 15, and hardly any answer stands further back."""
SIGNAL = "judged"


def by_judge(search: Search, catalogue: CatalogueReader, weights: Weights) -> Search:
    """Order the best `BEST` of `ranked` with the judge's signal, where the search has a judge."""
    ranked, weight = search.ranked, weights.signals.get(SIGNAL, 0.0)
    if search.reading is None or ranked is None or not weight or len(ranked.candidates) < 2:
        return search
    rows = ranked.candidates.rows
    told = 1.0 - float((search.columns.speaker[rows] >= 0).mean())
    if not told:
        return search
    best = ranked.order[:BEST]
    ids = [search.columns.atom_ids[row] for row in rows[best]]
    contents = {atom.atom_id: atom.content for atom in catalogue.get(ids)}
    there = [place for place, each in zip(best, ids, strict=True) if each in contents]
    read = search.reading.answers(search.question.text, [contents[each] for each in ids if each in contents])
    values = np.zeros(len(rows))
    values[there] = told * z_scores(np.asarray(log_odds_of(read)))
    scores = ranked.scores + weight * values
    signals = np.column_stack([ranked.signals, values])
    order = best_first(scores, rows, search.columns)
    return replace(search, ranked=replace(ranked, names=(*ranked.names, SIGNAL), signals=signals, scores=scores, order=order))
