"""How sure it is that what was found answers the question, measured in `bench/`: of talk, and without a search by meaning, a
logistic regression over a few signs; of what was told, `recall.answerable`. Of both, as much as what was found is of either."""

from __future__ import annotations

import math
import re

import numpy as np

from lattice_common.domain.score import Weights, logit, sigmoid
from lattice_common.language.questions.answer_type import answer_type, holds
from lattice_common.language.text import analyze
from lattice_common.language.words import ENGLISH_MONTHS
from lattice_common.recall.answerable import Signs, log_odds
from lattice_common.recall.question import Ranked, Search

SIGNS: tuple[str, ...] = ("cosine", "talk", "covered", "literal", "absent", "rival", "slot", "lacks")
COSINE_UNKNOWN = 0.2
"""Where none of the best atoms has a cosine: that of an atom which has nothing to do with the question."""
RIVAL_UNIT = 5.0
"""As much better that an atom of somebody else scores counts as certainly better."""
LOOKED_AT = 5
"""Best atoms whose words are compared with the question's."""
SHOWN = 3
"""Best atoms of which one should hold the kind of thing that is asked for: an answer has as many sentences."""

_NAME = re.compile(r"(?<=[\w,;] )[A-Z][\w-]{2,}")


def signs(search: Search, weights: Weights) -> dict[str, float]:
    """Return the signs by which it is told whether there is an answer. `cosine`: of the nearest of the best atoms; `talk`: the
    share of conversation in what was found. `covered`: the largest share of the question's tokens that one of the best atoms has,
    as far as they are talk (notes are asked about in other words); `literal`: the signal of that name. `absent`: the share of the
    names in the question that the best atoms don't say. `rival`: how much better the best atom by one of those asked about is
    than the best by somebody else (−1…1; 0 where no speaker was named): who asks what A said about something that only B did has
    no answer. `slot`: whether a slot asked about is filled. `lacks`: 0 where the best atom holds the kind of thing asked for, 1
    where none of those that are shown does.

    No sign says how far the best score stands out: scores are sums of z-scores, and the better of two atoms stands out whatever
    it says. A cosine means the same in a memory of two statements as in one of a million."""
    ranked = search.ranked
    if ranked is None or not search.chosen:
        return {}
    best = ranked.order[:LOOKED_AT]
    cosine = ranked.candidates.cosine[best]
    talk = float((search.columns.speaker[ranked.candidates.rows] >= 0).mean())
    names = [name for name in _NAME.findall(search.question.text) if name.lower() not in ENGLISH_MONTHS]
    # Reading the atoms' words is most of what this costs: only where something depends on them.
    said = [set(analyze(chosen.atom.content)) for chosen in search.chosen[:LOOKED_AT]] if talk or names else [set()]
    asked = set(search.question.tokens)
    return {
        "cosine": float(np.nanmax(cosine)) if np.isfinite(cosine).any() else COSINE_UNKNOWN,
        "talk": talk,
        "covered": talk * max(len(asked & tokens) for tokens in said) / max(len(asked), 1),
        "literal": float(ranked.signals[best, ranked.names.index("literal")].max()),
        "absent": _absent(names, set().union(*said)),
        "rival": _rival(search, ranked, weights),
        "slot": float(np.isin(ranked.candidates.rows[best], search.claiming).any()) if len(search.claiming) else 0.0,
        "lacks": _lacks(search),
    }


def _absent(names: list[str], said: set[str]) -> float:
    if not names:
        return 0.0
    return sum(said.isdisjoint(analyze(name)) for name in names) / len(names)


def _lacks(search: Search) -> float:
    question = search.question
    kind = answer_type(question.text)
    if kind is None:
        return 0.0
    found = (holds(chosen.atom, kind, question.text, question.tokens) for chosen in search.chosen[:SHOWN])
    place = next((place for place, there in enumerate(found) if there), SHOWN)
    return math.sqrt(place / SHOWN)  # the second best of a large memory holds some number or other, as often as not


def _rival(search: Search, ranked: Ranked, weights: Weights) -> float:
    if not search.question.names:
        return 0.0
    own = np.isin(search.columns.speaker[ranked.candidates.rows], search.question.names)
    if own.all() or not own.any():
        return 0.0
    # Both say already who spoke.
    told = [(ranked.names.index(name), weights.signals.get(name, 0.0)) for name in ("speaker", "talk_order")]
    scores = ranked.scores - sum(ranked.signals[:, column] * weight for column, weight in told)
    return float(np.clip((scores[own].max() - scores[~own].max()) / RIVAL_UNIT, -1.0, 1.0))


def confidence(search: Search, weights: Weights) -> float:
    """Return the confidence, 0 to 1; 0 when nothing was found."""
    seen = signs(search, weights)
    if not seen:
        return 0.0
    total = weights.confidence.get("intercept", 0.0)
    total += sum(weights.confidence.get(name, 0.0) * value for name, value in seen.items())
    talk = seen["talk"]
    if weights.sureness is None or talk == 1.0:
        return sigmoid(total)
    of_search = Signs(seen["slot"], seen["absent"], seen["literal"])
    # Both have one floor: what is as sure as it is answered.
    told = logit(weights.floor) + log_odds(search, of_search, weights.sureness)
    return sigmoid(talk * total + (1.0 - talk) * told)
