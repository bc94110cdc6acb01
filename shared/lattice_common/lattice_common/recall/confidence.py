"""How sure it is that what was found answers the question: a logistic regression over a few signs, measured in `bench/`."""

from __future__ import annotations

import numpy as np

from lattice_common.domain.score import Weights, sigmoid
from lattice_common.domain.text import analyze
from lattice_common.recall.question import Search

SIGNS: tuple[str, ...] = ("cosine", "cosine_talk", "coverage", "lead", "names")
LOOKED_AT = 5
"""Best atoms whose words are compared with the question's."""


def signs(search: Search) -> dict[str, float]:
    """`cosine`: of the nearest of the best atoms, `cosine_talk`: the same times the share of conversation. `coverage`: share of the question's tokens in the best atoms. `lead`: how far the
    best score stands out, in standard deviations. `speaker`: 1 where the best atom is by, or about, a name asked for."""
    ranked = search.ranked
    if ranked is None or not search.chosen:
        return {}
    scores = ranked.scores
    deviation = float(scores.std()) or 1.0
    best = ranked.order[:LOOKED_AT]
    cosine = ranked.candidates.cosine[best]
    named = ranked.signals[best, ranked.names.index("names")]
    nearest = float(np.nanmax(cosine)) if np.isfinite(cosine).any() else 0.0
    talk = float((search.columns.speaker[ranked.candidates.rows] >= 0).mean())
    return {
        "cosine": nearest,
        "cosine_talk": nearest * talk,
        "coverage": coverage(search),
        "lead": float(scores.max() - scores.mean()) / deviation,
        "names": float(named.max()) if search.question.names else 1.0,
    }


def coverage(search: Search) -> float:
    """Share of the question's tokens that stand in the best atoms."""
    asked = set(search.question.tokens)
    if not asked:
        return 0.0
    found = {token for chosen in search.chosen[:LOOKED_AT] for token in analyze(chosen.atom.content)}
    return len(asked & found) / len(asked)


def confidence(search: Search, weights: Weights) -> float:
    """In 0…1; 0 when nothing was found."""
    seen = signs(search)
    if not seen:
        return 0.0
    total = weights.confidence.get("intercept", 0.0)
    return sigmoid(total + sum(weights.confidence.get(name, 0.0) * value for name, value in seen.items()))
