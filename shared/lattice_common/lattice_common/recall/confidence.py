"""How sure it is that what was found answers the question: a logistic regression over a few signs, measured in `bench/`."""

from __future__ import annotations

import numpy as np

from lattice_common.domain.score import Weights, sigmoid
from lattice_common.domain.text import analyze
from lattice_common.recall.question import Search

SIGNS: tuple[str, ...] = ("cosine", "talk", "coverage", "words", "names", "lead")
FULL_WORD = 8.0
"""BM25 that one rare token brings in a short text: idf 5 to 6 times a saturation of 1.4."""
COSINE_UNKNOWN, COSINE_OF_COVERAGE = 0.2, 0.5
"""Without dense search: the cosine that goes with a coverage, as a straight line through LoCoMo's questions."""
LED = 10
"""The best score is compared with the one at this place: what does not answer scores about the same."""
SCORE_UNIT = 10.0
"""Brings scores to the size of the other signs."""
LOOKED_AT = 5
"""Best atoms whose words are compared with the question's."""


def signs(search: Search) -> dict[str, float]:
    """`cosine`: of the nearest of the best atoms; `talk`: the share of conversation in what was found. `coverage`: share of
    the question's tokens in the best atoms. `words`: their best BM25 for each of these tokens, in units of a full match.
    `names`: share of the names asked for that the best atoms mention (1 where none is). `lead`: how far
    the best score stands out."""
    ranked = search.ranked
    if ranked is None or not search.chosen:
        return {}
    best = ranked.order[:LOOKED_AT]
    covered = coverage(search)
    led = ranked.scores[ranked.order[:LED]]
    cosine = ranked.candidates.cosine[best]
    nearest = float(np.nanmax(cosine)) if np.isfinite(cosine).any() else COSINE_UNKNOWN + COSINE_OF_COVERAGE * covered
    talk = float((search.columns.speaker[ranked.candidates.rows] >= 0).mean())
    tokens = max(len(search.question.tokens), 1)
    return {
        "cosine": nearest,
        "talk": talk,
        "coverage": covered,
        "words": min(float(ranked.candidates.text[best].max()) / (tokens * FULL_WORD), 1.0),
        "names": names_mentioned(search),
        "lead": float(led[0] - led[-1]) / SCORE_UNIT,
    }


def names_mentioned(search: Search) -> float:
    """The largest share of the names asked for that one of the best atoms mentions; 1 when no name was asked for."""
    asked = set(search.question.names)
    ranked = search.ranked
    if not asked or ranked is None:
        return 1.0
    mentioned = (search.columns.entities[row] for row in ranked.candidates.rows[ranked.order[:LOOKED_AT]].tolist())
    return max(len(asked.intersection(each)) for each in mentioned) / len(asked)


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
