"""What fitted trees make of the candidates of a question to conversations (`talk_trees.json`, made by `bench/fit_talk_order.py`).

In talk it matters how a candidate stands to the others: the nearest by meaning is worth far more than the fifth, and a cosine 0.1
below the best little whatever its z-score. A sum of weights cannot say so; trees can. On notes they were no better than the sum,
so they count as much as what was found is conversation (docs/decisions/0009-trees-order-talk.md).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lattice_common.domain.trees import Trees
from lattice_common.recall.question import Floats, Rows
from lattice_common.recall.seen import Seen

LOOKED_AT = 150
"""Best candidates by words, meaning and window together that the trees order; the rest are as bad as the worst of these."""
RANK_OFFSET = 10.0


SHARED = ("kind", "question", "literal", "neighbour_meaning", "period")
"""Signals of the sum that the trees look at too."""
FEATURES = (
    *SHARED, "words", "meaning", "window", "text_max", "win_max", "cos", "cos_gap", "rr_text", "rr_win", "rr_cosr", "graph",
    "session", "speaker", "other_speaker",
)  # fmt: skip


def talk_features(seen: Seen, shared: Mapping[str, Floats]) -> Floats:
    """Shape (candidates, len(FEATURES)); `shared`: those of `SHARED`."""
    spoke = np.isin(seen.columns.speaker[seen.rows], seen.question.names)
    text, window = seen.candidates.text, seen.candidates.window
    by_name = {
        **shared,
        "words": seen.words,
        "meaning": seen.meaning,
        "window": seen.window,
        "text_max": text / max(float(text.max()), 1e-9),
        "win_max": window / max(float(window.max()), 1e-9),
        "cos": seen.cosine,
        "cos_gap": seen.cosine - seen.cosine.max(),
        "rr_text": _reciprocal_rank(text),
        "rr_win": _reciprocal_rank(window),
        "rr_cosr": _reciprocal_rank(seen.cosine),
        "graph": seen.candidates.reached,
        "session": seen.session,
        "speaker": spoke.astype(np.float64),
        "other_speaker": ((seen.columns.speaker[seen.rows] >= 0) & ~spoke & spoke.any()).astype(np.float64),
    }
    return np.stack([by_name[name] for name in FEATURES], axis=1)


def looked_at(seen: Seen) -> Rows:
    """Return places of the best candidates, which the trees order."""
    return np.argsort(-(seen.words + seen.meaning + seen.window), kind="stable")[:LOOKED_AT]


def talk_order(seen: Seen, trees: Trees, shared: Mapping[str, Floats]) -> Floats:
    """Return a score for each candidate, in the units that the trees were fitted in; `trees` know the `FEATURES`, in their
    order."""
    best = looked_at(seen)
    found = trees.scores(talk_features(seen, shared)[best])
    order = np.full(len(seen.rows), found.min())
    order[best] = found
    return order * seen.talk


def _reciprocal_rank(values: Floats) -> Floats:
    """Return 1 / rank of each value. Equal values have the same rank, because the order of rows is not that of a rebuilt
    index."""
    falling = np.sort(-np.round(values, 6))
    return np.asarray(1.0 / (RANK_OFFSET + np.searchsorted(falling, -np.round(values, 6), side="left")))
