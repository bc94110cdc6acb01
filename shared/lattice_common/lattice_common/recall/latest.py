"""Of the best statements that one question found, those that a newer one of them makes untrue.

What is told is compared with all that it may end, of which hardly anything is of its topic; so little is said to be ended for
sure. Of two statements that both answer one question most are of one topic. So where the judge reads, it reads the best few once
more, each older one beside each newer one, and a logistic regression (`latest.json`, made by `bench/fit_latest.py`) says how
likely the older one no longer holds. The order is all that follows: nothing is retired or marked, and nobody is asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.judgement import Relatedness
from lattice_common.domain.score import SECONDS_PER_DAY, Regression, sigmoid
from lattice_common.language.claims.as_said import as_news, as_said
from lattice_common.language.claims.happenings import both_happened
from lattice_common.language.claims.told_apart import are_told_apart
from lattice_common.language.questions.asked_now import asks_for_now
from lattice_common.language.questions.asked_value import asked_value, holds_value
from lattice_common.recall.question import Candidates, Floats, Search
from lattice_common.recall.reading import Reading, log_odds_of

BEST = 6
"""Statements that are compared with each other, fifteen pairs at most: half of the time that reading the best 24 takes."""
COSINE_UNKNOWN = 0.15
FEATURES = (
    "updates", "related", "older_answers", "newer_answers", "older_near", "newer_near", "both_hold", "only_older_holds",
    "older_place", "newer_place", "days", "now", "older_is_news", "newer_is_news", "one_subject",
)  # fmt: skip
ANSWERS, HARDLY_ANSWERS = 0.0, -3.0
"""The judge's log-odds from which a statement answers, and up to which it hardly does: nothing that answers goes behind what does
not ("Olu's allergic to cats." behind "New flatmate: Bea, has a cat called Mog."). Of author D it changes nothing
(`bench.current`)."""
_LEAST_ODDS, _LEAST_CHANCE = -6.0, 1e-4


@dataclass(frozen=True, slots=True)
class Near:
    """One of the best statements: its atom, how sure the judge is that it answers, in log-odds, its cosine, and whether it holds
    such a value as is asked for (false where the question asks for none)."""

    atom: Atom
    answers: float
    cosine: float
    holds: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """The best statements, pairs of their places (older, newer), and what is known of each pair: one row of FEATURES."""

    near: tuple[Near, ...]
    pairs: tuple[tuple[int, int], ...]
    rows: Floats


def outdated(search: Search, known: Regression | None) -> dict[str, Atom]:
    """Return the ids of the best statements that likely no longer hold, each with the newer one that makes it so. None where the
    judge does not read."""
    if known is None or (compared := compare(search)) is None:
        return {}
    found: dict[str, tuple[float, Atom]] = {}
    for (older, newer), row in zip(compared.pairs, compared.rows, strict=True):
        if compared.near[older].answers >= ANSWERS and compared.near[newer].answers <= HARDLY_ANSWERS:
            continue
        chance = sigmoid(float(row @ known.weights) + known.bias)
        old_id, new = compared.near[older].atom.atom_id, compared.near[newer].atom
        if chance >= known.boundary and chance > found.get(old_id, (0.0, new))[0]:
            found[old_id] = (chance, new)
    return {old_id: new for old_id, (_, new) in found.items()}


def compare(search: Search) -> Compared | None:
    """Return the best statements of a search, each older one beside each newer one of its topic; None where there are no two to
    compare."""
    ranked, reading = search.ranked, search.reading
    if ranked is None or reading is None:
        return None
    near = _near(search, ranked.candidates, reading)
    doubted = {older for each in near for older in each.atom.may_update}  # `recall.currency` knows that already
    pairs = [
        (older, newer)
        for older, one in enumerate(near)
        for newer, other in enumerate(near)
        if one.atom.observed_at < other.atom.observed_at
        and one.atom.capture_id != other.atom.capture_id
        and one.atom.atom_id not in doubted
        and not are_told_apart(other.atom.content, one.atom.content)
        and not both_happened(as_said(other.atom), as_said(one.atom))
    ]
    if not pairs:
        return None
    relations = reading.relations([(as_said(near[older].atom), as_news(near[newer].atom)) for older, newer in pairs])
    now = asks_for_now(search.question.text)
    related = [(pair, found) for pair, found in zip(pairs, relations, strict=True) if found.is_of_one_topic]
    if not related:
        return None
    rows = [_features(near, pair, found, now=now) for pair, found in related]
    return Compared(tuple(near), tuple(pair for pair, _ in related), np.array(rows, dtype=np.float64))


def _near(search: Search, candidates: Candidates, reading: Reading) -> list[Near]:
    """Return the best statements of the owner that hold, as far as memory knows."""
    question = search.question
    best = [each.atom for each in search.chosen[:BEST]]
    best = [atom for atom in best if atom.speaker is None and not atom.is_superseded and not is_conclusion(atom)]
    odds = log_odds_of(reading.answers(question.text, [atom.content for atom in best]))
    value = asked_value(question.text)
    rows = {int(row): place for place, row in enumerate(candidates.rows)}
    found = []
    for atom, sure in zip(best, odds, strict=True):
        place = rows.get(search.columns.row_of.get(atom.atom_id, -1))
        cosine = math.nan if place is None else float(candidates.cosine[place])
        holds = value is not None and holds_value(atom.content, value, question.text)
        found.append(Near(atom, max(sure, _LEAST_ODDS), COSINE_UNKNOWN if math.isnan(cosine) else cosine, holds))
    return found


def _features(near: Sequence[Near], pair: tuple[int, int], relation: Relatedness, *, now: bool) -> tuple[float, ...]:
    older, newer = (near[place] for place in pair)
    updates, related = (min(max(each, _LEAST_CHANCE), 1 - _LEAST_CHANCE) for each in (relation.updates, 1 - relation.unrelated))
    days = (newer.atom.observed_at - older.atom.observed_at).total_seconds() / SECONDS_PER_DAY
    return (
        math.log(updates / (1 - updates)),
        math.log(related),
        older.answers,
        newer.answers,
        older.cosine,
        newer.cosine,
        float(older.holds and newer.holds),
        float(older.holds and not newer.holds),
        float(pair[0]),
        float(pair[1]),
        math.log1p(days),
        float(now),
        float(_is_news(older.atom)),
        float(_is_news(newer.atom)),
        float(older.atom.subject.casefold() == newer.atom.subject.casefold()),
    )


def _is_news(atom: Atom) -> bool:
    """Return whether it is known to have replaced something, or perhaps."""
    return bool(atom.supersedes or atom.may_update)
